//! The words that describe a lane of a comparison: `METHOD:key=value,…`.

use crate::integrators::{FrictionCone, Settings};
use crate::sim::comparison::LaneSpec;
use std::str::FromStr;

/// What a lane has of its own; the rest is that of the first lane, or of the scene.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct LaneWords {
    integrator: Option<String>,
    dt: Option<f64>,
    tolerance: Option<f64>,
    friction: Option<FrictionCone>,
}

impl LaneWords {
    /// The lane beside another.
    pub fn spec(&self, integrator: &str, settings: &Settings) -> LaneSpec {
        LaneSpec {
            integrator: self.integrator.as_deref().unwrap_or(integrator).into(),
            settings: Settings {
                dt: self.dt.unwrap_or(settings.dt),
                tolerance: self.tolerance.unwrap_or(settings.tolerance),
                friction: self.friction.unwrap_or(settings.friction),
                ..*settings
            },
            perturbation: 0.0,
        }
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
                other => {
                    return Err(format!("no `{other}`, expected dt, tolerance or friction"));
                }
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
            words.spec("variational-2", &settings)
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
            ("heun:step=1", "dt, tolerance or friction"),
            ("heun:friction=round", "friction cone"),
        ] {
            let error = text.parse::<LaneWords>().unwrap_err();
            assert!(error.contains(part), "{error}");
        }
    }
}
