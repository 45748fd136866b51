//! The list of methods and how one is built.

use super::compliant;
use super::generalized_alpha;
use super::ggl;
use super::joint_space;
use super::minimal;
use super::options::nearest_name;
use super::runge_kutta;
use super::variational;
use super::{Integrator, IntegratorInfo, Settings, SettingsError};
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
        suggestion: Option<&'static str>,
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
    /// The integrator cannot take these settings.
    #[error(transparent)]
    Settings(#[from] SettingsError),
}

/// All methods, in the order in which lists show them.
pub const REGISTRY: &[IntegratorInfo] = &[
    variational::VARIATIONAL,
    variational::VARIATIONAL_2,
    variational::VARIATIONAL_4,
    variational::VARIATIONAL_6,
    variational::VARIATIONAL_8,
    ggl::VARIATIONAL_GGL,
    minimal::MINIMAL_RIQN,
    minimal::MINIMAL_NEWTON,
    minimal::MINIMAL_BROYDEN,
    minimal::MINIMAL_SECANT,
    minimal::MINIMAL_SVI_NEWTON,
    minimal::MINIMAL_3,
    minimal::MINIMAL_4,
    minimal::MINIMAL_GALERKIN_4,
    minimal::MINIMAL_6,
    joint_space::JOINT_SPACE_EULER,
    joint_space::JOINT_SPACE_RK4,
    compliant::COMPLIANT,
    generalized_alpha::GENERALIZED_ALPHA,
    runge_kutta::RUNGE_KUTTA,
    runge_kutta::EXPLICIT_EULER,
    runge_kutta::SEMI_IMPLICIT_EULER,
    runge_kutta::HEUN,
    runge_kutta::RK4,
    runge_kutta::DOPRI5,
];

/// The method where none is named.
pub const DEFAULT: &IntegratorInfo = &variational::VARIATIONAL_2;

/// The method of that name.
pub fn find(name: &str) -> Result<&'static IntegratorInfo, BuildError> {
    let found = REGISTRY.iter().find(|i| i.name == name);
    found.ok_or_else(|| BuildError::Unknown {
        name: name.into(),
        suggestion: nearest_name(name, REGISTRY.iter().map(|i| i.name)),
        known: names(|_| true),
    })
}

/// Whether a method has what a model may need, whether the model needs it, and what it is called.
type Need = (fn(&IntegratorInfo) -> bool, bool, &'static str);

/// What a model may need that not every method has.
fn needs(model: &Model) -> [Need; 5] {
    [
        (|i| i.supports.contact, model.contact.is_some(), "contact"),
        (
            |i| i.supports.limits,
            model.has_limits(),
            "limits of joints",
        ),
        (|i| i.supports.cables, !model.cables.is_empty(), "cables"),
        (|i| i.supports.loops, model.has_loops(), "kinematic loops"),
        (|i| i.supports.dissipation, model.dissipates(), "dampers"),
    ]
}

/// What a model needs and a method lacks.
fn lacks(info: &IntegratorInfo, model: &Model) -> impl Iterator<Item = &'static str> {
    let needed = needs(model).into_iter();
    needed
        .filter(|(supports, present, _)| *present && !supports(info))
        .map(|(_, _, what)| what)
}

fn runs(info: &IntegratorInfo, model: &Model) -> bool {
    (info.refuse)(model).is_none() && lacks(info, model).next().is_none()
}

/// Why a method cannot run a model, if it cannot, and which can.
pub fn refusal(info: &IntegratorInfo, model: &Model) -> Option<String> {
    let own = (info.refuse)(model);
    let missing: Vec<&str> = lacks(info, model).collect();
    if own.is_some() || missing.is_empty() {
        return own;
    }
    let instead = match nearest(info, model) {
        None => "no method does".into(),
        Some(near) => format!(
            "take `{}`, the nearest of those that do: {}",
            near.name,
            names(|i| runs(i, model))
        ),
    };
    let missing = missing.join(", nor ");
    Some(format!("{} does not know {missing}; {instead}", info.name))
}

/// Names of the methods with a property.
fn names(with: impl Fn(&IntegratorInfo) -> bool) -> String {
    let chosen = REGISTRY.iter().filter(|i| with(i)).map(|i| i.name);
    chosen.collect::<Vec<_>>().join(", ")
}

/// The method nearest to one that refuses a model: the first of the same order that does not, else the first of the highest order.
pub fn nearest(info: &IntegratorInfo, model: &Model) -> Option<&'static IntegratorInfo> {
    let fit = || REGISTRY.iter().filter(|i| runs(i, model));
    fit()
        .find(|i| i.order == info.order)
        // Of several the first, which is the last to be seen.
        .or_else(|| fit().rev().max_by_key(|i| i.order))
}

/// Builds the method of that name for a model.
pub fn build(
    name: &str,
    model: &Model,
    settings: &Settings,
) -> Result<Box<dyn Integrator>, BuildError> {
    build_from(find(name)?, model, settings)
}

/// Builds a method from its entry, which need not be in the [`REGISTRY`].
pub fn build_from(
    info: &'static IntegratorInfo,
    model: &Model,
    settings: &Settings,
) -> Result<Box<dyn Integrator>, BuildError> {
    check(info, model, settings)?;
    Ok((info.build)(info, model, settings))
}

/// Says why a method cannot run a model with these settings, if it cannot.
pub fn check(info: &IntegratorInfo, model: &Model, settings: &Settings) -> Result<(), BuildError> {
    if let Some(reason) = refusal(info, model) {
        let name = info.name;
        return Err(BuildError::Refused { name, reason });
    }
    Ok(settings.validate(info)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::integrators::{MOST_OPTIONS, OptionKind};
    use crate::model::{JointLimit, ModelParts};
    use crate::scene;

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

    #[test]
    fn a_refusal_names_the_nearest_method_that_runs_the_model() {
        let mut limited = scene::open("pendulum", &[])
            .expect("it opens")
            .model
            .parts();
        limited.joints[0].limits.push(JointLimit {
            coordinate: 0,
            lower: -1.0,
            upper: 1.0,
            restitution: 0.0,
            compliance: Default::default(),
        });
        let model = Model::new(limited).expect("a pendulum with limits");
        for name in ["runge-kutta", "generalized-alpha"] {
            let info = find(name).expect("it is listed");
            let said = refusal(info, &model).expect("it knows no limits");
            let near = nearest(info, &model).expect("others do");
            assert!(near.supports.limits, "{}", near.name);
            let start = format!(
                "{name} does not know limits of joints; take `{}`, ",
                near.name
            );
            assert!(said.starts_with(&start), "{said}");
        }
        // Contact and cables too, by every tableau and by generalised-α; none of their order has them, so that the first of
        // the highest takes their place.
        for (scene, missing) in [
            ("box_drop", "contact"),
            ("brick_wall", "contact, nor cables"),
        ] {
            let model = scene::open(scene, &[]).expect("it opens").model;
            for name in ["runge-kutta", "heun", "rk4", "dopri5", "generalized-alpha"] {
                let said = refusal(find(name).expect("it is listed"), &model);
                let start = format!("{name} does not know {missing}; take `variational-2`, ");
                assert!(
                    said.is_some_and(|s| s.starts_with(&start)),
                    "{name} {scene}"
                );
            }
        }
    }

    #[test]
    fn declared_options_can_be_chosen_one_beside_the_other() {
        for info in REGISTRY {
            assert!(info.options.len() <= MOST_OPTIONS, "{}", info.name);
            for (k, spec) in info.options.iter().enumerate() {
                let known = format!("{}: {}", info.name, spec.name);
                assert!(
                    info.options[..k].iter().all(|s| s.name != spec.name),
                    "{known}"
                );
                // What lanes and the command line say in the same place.
                assert!(
                    !["dt", "tolerance", "friction"].contains(&spec.name),
                    "{known}"
                );
                let default = spec.kind.default();
                assert_eq!(spec.read(&default.into()), Ok(default), "{known}");
                // A word means the same in all methods, so that one can take over from another.
                let all = REGISTRY.iter().flat_map(|i| i.options);
                for other in all.filter(|o| o.name == spec.name) {
                    let kind = |k: &OptionKind| std::mem::discriminant(k);
                    assert_eq!(kind(&other.kind), kind(&spec.kind), "{known}");
                }
            }
        }
    }
}
