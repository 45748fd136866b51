//! The words that describe a lane of a comparison, `METHOD:key=value,…`, and options of methods, `NAME=VALUE`.

use super::output::Failure;
use crate::integrators::{self, FrictionCone, OptionValue, Options, Settings, Written};
use crate::scene::Scene;
use crate::sim::SimulationError;
use crate::sim::comparison::LaneSpec;
use std::str::FromStr;

/// What a lane has of its own; the rest is that of the first lane, or of the scene.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct LaneWords {
    integrator: Option<String>,
    dt: Option<f64>,
    tolerance: Option<f64>,
    friction: Option<FrictionCone>,
    options: Vec<(String, String)>,
}

impl LaneWords {
    /// The lane beside another.
    ///
    /// # Errors
    /// If its method does not have the options that it names.
    pub fn spec(&self, integrator: &str, settings: &Settings) -> Result<LaneSpec, Failure> {
        let integrator = self.integrator.as_deref().unwrap_or(integrator);
        let beside = Settings {
            dt: self.dt.unwrap_or(settings.dt),
            tolerance: self.tolerance.unwrap_or(settings.tolerance),
            friction: self.friction.unwrap_or(settings.friction),
            ..*settings
        };
        let mut spec = LaneSpec::beside(integrator, beside);
        if !self.options.is_empty() {
            choose(&mut spec.settings.options, integrator, &self.options).map_err(|e| {
                Failure::Request(format!("lane of {e} (beside dt, tolerance, friction)"))
            })?;
        }
        Ok(spec)
    }
}

/// Chooses options of a method.
///
/// # Errors
/// If there is no such method, or it does not have them.
pub(super) fn choose(
    options: &mut Options,
    method: &str,
    chosen: &[(String, String)],
) -> Result<(), Failure> {
    let info = integrators::find(method).map_err(SimulationError::from)?;
    for (name, value) in chosen {
        let written = Written::from(&value[..]);
        let set = options.set(info.options, name, &written);
        set.map_err(|e| Failure::Request(format!("`{}`: {e}", info.name)))?;
    }
    Ok(())
}

/// Another method in the place of the scene's own, if one is named: options that it does not know stay behind.
pub(super) fn choose_method(scene: &mut Scene, name: Option<&str>) -> Result<(), Failure> {
    if let Some(name) = name {
        let info = integrators::find(name).map_err(SimulationError::from)?;
        scene.integrator = info.name.into();
        scene.settings = scene.settings.taken_to(info);
    }
    Ok(())
}

/// The options chosen as `--set` takes them, if there are any.
pub(super) fn as_set(options: &Options) -> Option<(String, String)> {
    let sets = options.chosen().map(|(name, value)| match value {
        OptionValue::Word(word) => format!("\"{name}\": \"{word}\""),
        value => format!("\"{name}\": {value}"),
    });
    let sets = sets.collect::<Vec<_>>();
    (!sets.is_empty()).then(|| {
        (
            "integrator.options".into(),
            format!("{{{}}}", sets.join(", ")),
        )
    })
}

/// An option as the command line writes it.
pub(super) fn option(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.trim().is_empty() && !value.trim().is_empty() => {
            Ok((name.trim().into(), value.trim().into()))
        }
        _ => Err("expected NAME=VALUE, an option of the method and its value".into()),
    }
}

impl FromStr for LaneWords {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (name, values) = text.split_once(':').unwrap_or((text, ""));
        let mut lane = Self {
            integrator: Some(name.trim().to_owned()).filter(|n| !n.is_empty()),
            ..Self::default()
        };
        for pair in values.split(',').filter(|pair| !pair.trim().is_empty()) {
            let (key, value) = pair
                .split_once('=')
                .ok_or_else(|| format!("`{pair}`, expected key=value"))?;
            let value = value.trim();
            let positive = || match value.parse::<f64>() {
                Ok(x) if x > 0.0 && x.is_finite() => Ok(Some(x)),
                _ => Err(format!("`{pair}`, expected a number above 0")),
            };
            match key.trim() {
                "dt" => lane.dt = positive()?,
                "tolerance" => lane.tolerance = positive()?,
                "friction" => lane.friction = Some(value.parse().map_err(|e| format!("{e}"))?),
                _ => lane.options.push(option(pair)?),
            }
        }
        Ok(lane)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lane_has_what_it_says_and_the_rest_of_the_first() {
        let settings = Settings::default();
        let spec = |text: &str| -> LaneSpec {
            let words: LaneWords = text.parse().unwrap();
            words.spec("variational-2", &settings).unwrap()
        };
        let lane = spec("heun: dt=0.005, friction=linearised-8");
        assert_eq!(lane.integrator, "heun");
        assert_eq!(lane.settings.dt, 0.005);
        assert_eq!(lane.settings.friction, FrictionCone::Linearised(8));
        assert_eq!(lane.settings.tolerance, settings.tolerance);
        assert_eq!(spec(":tolerance=1e-6").integrator, "variational-2");
        for (text, part) in [
            ("heun:dt", "key=value"),
            ("heun:dt=0", "a number above 0"),
            ("heun:stabilisation=", "NAME=VALUE"),
            ("heun:friction=round", "friction cone"),
        ] {
            let error = text.parse::<LaneWords>().unwrap_err();
            assert!(error.contains(part), "{error}");
        }
    }

    #[test]
    fn a_lane_has_options_of_its_own_method_and_those_of_the_first_that_it_knows() {
        let of = |text: &str, integrator: &str, settings: &Settings| {
            let words: LaneWords = text.parse().unwrap();
            words.spec(integrator, settings)
        };
        let plain = Settings::default();
        let first = of(
            "heun:stabilisation=baumgarte,baumgarte=7,dt=0.005",
            "",
            &plain,
        )
        .unwrap();
        let chosen = |spec: &LaneSpec| {
            let options = spec.settings.options.chosen();
            options
                .map(|(name, value)| format!("{name}={value}"))
                .collect::<Vec<_>>()
        };
        assert_eq!(chosen(&first), ["baumgarte=7.0", "stabilisation=baumgarte"]);
        let same = of("rk4:baumgarte=9", "", &first.settings).unwrap();
        assert_eq!(chosen(&same), ["baumgarte=9.0", "stabilisation=baumgarte"]);
        let other = of("variational", "", &first.settings).unwrap();
        assert_eq!(chosen(&other), [""; 0]);
        for (text, parts) in [
            (
                "heun:step=1",
                ["no option is named `step`", "dt, tolerance, friction"],
            ),
            (
                "heun:stabilization=none",
                ["did you mean `stabilisation`", "`heun`"],
            ),
            (
                ":contact_solver=newtn",
                ["did you mean `newton`", "`variational-2`"],
            ),
            (
                "hein:stabilisation=none",
                ["did you mean `heun`", "no integrator"],
            ),
        ] {
            let error = of(text, "variational-2", &plain).unwrap_err().to_string();
            assert!(parts.iter().all(|p| error.contains(p)), "{error}");
        }
    }
}
