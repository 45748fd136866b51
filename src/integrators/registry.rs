//! The list of methods and how one is built.

use super::runge_kutta::{self, RungeKutta};
use super::variational::{self, Variational};
use super::{Integrator, IntegratorInfo, Settings};
use crate::model::Model;

/// Why a method cannot be built for a model.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum BuildError {
    /// No integrator has that name.
    #[error("no integrator is named `{name}`{}; there are: {known}", suggestion.as_ref().map(|s| format!(" (did you mean `{s}`?)")).unwrap_or_default())]
    Unknown {
        /// The name asked for.
        name: String,
        /// The nearest name.
        suggestion: Option<String>,
        /// All names.
        known: String,
    },
    /// The integrator cannot treat this model.
    #[error("`{name}` cannot run this scene: {reason}")]
    Refused {
        /// The integrator.
        name: &'static str,
        /// Why.
        reason: String,
    },
}

/// All methods, in the order in which lists show them.
pub const REGISTRY: &[IntegratorInfo] = &[
    variational::VARIATIONAL.info,
    variational::VARIATIONAL_2.info,
    variational::VARIATIONAL_4.info,
    variational::VARIATIONAL_6.info,
    variational::VARIATIONAL_8.info,
    runge_kutta::EXPLICIT_EULER.info,
    runge_kutta::SEMI_IMPLICIT_EULER.info,
    runge_kutta::HEUN.info,
    runge_kutta::RK4.info,
];

/// Why a method cannot run a model, if it cannot.
pub fn refusal(info: &IntegratorInfo, model: &Model) -> Option<String> {
    if !info.contact && model.has_one_sided() {
        return Some(format!(
            "{} knows neither contact nor joint limits nor cables; take one that does: {}",
            info.name,
            names(|i| i.contact)
        ));
    }
    (!info.dissipation && model.dissipates()).then(|| {
        format!(
            "{} steps backwards in time in between, where dampers would feed energy in; \
             remove the damping or take a method that supports dissipation",
            info.name
        )
    })
}

/// Names of the methods with a property.
fn names(with: impl Fn(&IntegratorInfo) -> bool) -> String {
    let chosen = REGISTRY.iter().filter(|i| with(i)).map(|i| i.name);
    chosen.collect::<Vec<_>>().join(", ")
}

/// The method nearest to one that refuses a model: the first of the same order that does not, else the default.
pub fn nearest(info: &IntegratorInfo, model: &Model) -> Option<&'static IntegratorInfo> {
    let fit = || REGISTRY.iter().filter(|i| refusal(i, model).is_none());
    fit()
        .find(|i| i.order == info.order)
        .or_else(|| fit().max_by_key(|i| i.order))
}

/// Builds the method of that name for a model.
pub fn build(
    name: &str,
    model: &Model,
    settings: &Settings,
) -> Result<Box<dyn Integrator>, BuildError> {
    let info = REGISTRY
        .iter()
        .find(|i| i.name == name)
        .ok_or_else(|| unknown(name))?;
    if let Some(reason) = refusal(info, model) {
        let name = info.name;
        return Err(BuildError::Refused { name, reason });
    }
    let variational =
        |method| -> Box<dyn Integrator> { Box::new(Variational::new(method, model, settings)) };
    let runge_kutta =
        |tableau| -> Box<dyn Integrator> { Box::new(RungeKutta::new(tableau, model)) };
    Ok(match info.name {
        "variational" => variational(&variational::VARIATIONAL),
        "variational-2" => variational(&variational::VARIATIONAL_2),
        "variational-4" => variational(&variational::VARIATIONAL_4),
        "variational-6" => variational(&variational::VARIATIONAL_6),
        "variational-8" => variational(&variational::VARIATIONAL_8),
        "explicit-euler" => runge_kutta(&runge_kutta::EXPLICIT_EULER),
        "semi-implicit-euler" => runge_kutta(&runge_kutta::SEMI_IMPLICIT_EULER),
        "heun" => runge_kutta(&runge_kutta::HEUN),
        "rk4" => runge_kutta(&runge_kutta::RK4),
        _ => return Err(unknown(name)),
    })
}

/// The error for a name that is not listed, with the nearest one that is.
fn unknown(name: &str) -> BuildError {
    let names = || REGISTRY.iter().map(|i| i.name);
    let suggestion = names()
        .map(|known| (strsim::damerau_levenshtein(name, known), known))
        .filter(|(edits, known)| *edits <= known.len() / 3 + 1)
        .min_by_key(|(edits, _)| *edits)
        .map(|(_, known)| known.to_owned());
    BuildError::Unknown {
        name: name.into(),
        suggestion,
        known: self::names(|_| true),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::ModelParts;

    #[test]
    fn every_listed_method_is_built_under_its_own_name() {
        let model = Model::new(ModelParts::default()).expect("an empty model is valid");
        for info in REGISTRY {
            let built = build(info.name, &model, &Settings::default()).map(|i| i.info().name);
            assert_eq!(built.ok(), Some(info.name));
        }
    }

    #[test]
    fn a_typing_error_gets_the_nearest_name_and_the_list() {
        let model = Model::new(ModelParts::default()).expect("an empty model is valid");
        let message = |name: &str| match build(name, &model, &Settings::default()) {
            Err(error) => error.to_string(),
            Ok(_) => String::new(),
        };
        assert!(message("rk5").contains("did you mean `rk4`?"));
        assert!(message("explicit-eular").contains("did you mean `explicit-euler`?"));
        let far = message("leapfrog");
        assert!(
            !far.contains("did you mean") && far.contains("heun"),
            "{far}"
        );
    }
}
