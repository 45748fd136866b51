//! How long a value is drawn: what is usual in a scene, or what is largest in it.

use crate::camera::bounds;
use crate::state::layers::LayerStyle;
use physics::math::Pose;
use physics::model::{ContactState, ContactStatus, Model};

/// What is large, heavy and fast in a scene: half of the bodies are larger and heavier.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Measure {
    /// Radius of a body (m).
    pub length: f64,
    /// Weight of a body (N).
    pub force: f64,
    /// Mass of a body (kg).
    pub mass: f64,
    /// Velocity after a fall through the radius (m/s).
    pub speed: f64,
}

impl Measure {
    /// The measure of a scene whose radius is given.
    pub fn of(model: &Model, scene_radius: f64) -> Self {
        let drawn = model.bodies.iter().filter(|b| !b.shapes.is_empty());
        let sizes = drawn.map(|b| bounds::body(b, &Pose::identity()).radius);
        let gravity = match model.gravity.norm() {
            // Without weight forces are still compared with what a body would weigh.
            0.0 => 9.81,
            g => g,
        };
        let length = median(sizes).unwrap_or(0.1 * scene_radius);
        let mass = median(model.bodies.iter().map(|b| b.mass));
        Self {
            length,
            force: mass.map_or(1.0, |m| m * gravity),
            mass: mass.unwrap_or(1.0),
            speed: (2.0 * gravity * length).sqrt(),
        }
    }

    /// What a contact does. One that carries less than a billionth of a body's weight is open: its force is what is
    /// left of the tolerance, and whether that sticks or slides means nothing.
    pub fn status(&self, contact: &ContactState) -> ContactStatus {
        if contact.force.norm() < 1e-9 * self.force {
            ContactStatus::Open
        } else {
            contact.status
        }
    }
}

fn median(values: impl Iterator<Item = f64>) -> Option<f64> {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied()
}

/// Length of the largest arrow where lengths follow the largest value, in radii of a body.
const LARGEST: f64 = 2.5;

/// Turns values of a layer into lengths of arrows.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ArrowScale {
    /// The value that is drawn as long as `length`.
    pub reference: f64,
    /// Its length (m).
    pub length: f64,
    /// Lengths go with the square root, so that small and large values are seen together.
    pub root: bool,
}

impl ArrowScale {
    /// Lengths by what is usual: `usual` is drawn as long as a body is wide.
    pub fn new(
        style: &LayerStyle,
        measure: &Measure,
        usual: f64,
        largest: f64,
        root: bool,
    ) -> Self {
        let fixed = Self {
            reference: usual,
            length: style.scale * measure.length,
            root,
        };
        if !style.auto || largest.is_nan() || largest <= 0.0 {
            return fixed;
        }
        Self {
            reference: round_up(largest),
            length: style.scale * measure.length * LARGEST,
            root,
        }
    }

    /// Length of a value (m).
    pub fn of(&self, value: f64) -> f64 {
        let part = value / self.reference;
        self.length * if self.root { part.sqrt() } else { part }
    }
}

/// The next of 1, 2, 5 times a power of ten: what follows the largest value does not change with every step.
pub fn round_up(value: f64) -> f64 {
    let power = 10f64.powf(value.log10().floor());
    let steps = [1.0, 2.0, 5.0, 10.0].into_iter().map(|s| s * power);
    // Rounding of the logarithm may leave a value just above the last.
    steps.into_iter().find(|s| *s >= value).unwrap_or(value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use physics::math::{Mat3, Vec3 as Vector};
    use physics::model::{Body, Geometry, ModelParts, Shape, Touch};

    #[test]
    fn the_largest_value_has_a_round_length_when_it_is_followed() {
        let measure = Measure {
            length: 0.2,
            force: 4.0,
            mass: 0.4,
            speed: 2.0,
        };
        let mut style = LayerStyle {
            shown: true,
            scale: 2.0,
            auto: false,
            threshold: 0.0,
        };
        let fixed = ArrowScale::new(&style, &measure, 4.0, 100.0, true);
        // Four times the usual value: twice the length.
        assert_eq!((fixed.of(4.0), fixed.of(16.0)), (0.4, 0.8));
        style.auto = true;
        let followed = ArrowScale::new(&style, &measure, 4.0, 37.0, false);
        assert_eq!((followed.reference, followed.of(25.0)), (50.0, 0.5));
        assert_eq!(
            ArrowScale::new(&style, &measure, 4.0, 0.0, false).reference,
            4.0
        );
        for (value, up) in [(1.0, 1.0), (1.1, 2.0), (0.03, 0.05), (7e-9, 1e-8)] {
            assert!((round_up(value) / up - 1.0).abs() < 1e-12, "{value}");
        }
    }

    #[test]
    fn the_measure_is_that_of_a_usual_body() {
        let ball = |radius: f64, mass: f64| {
            let mut body = Body::new(format!("{radius}"), mass, Mat3::identity());
            body.shapes = vec![Shape {
                geometry: Geometry::Sphere { radius },
                pose: Pose::translation(0.1, 0.0, 0.0),
                colour: None,
                touch: Touch::default(),
                foundations: Vec::new(),
            }];
            body
        };
        let parts = ModelParts {
            bodies: vec![ball(0.1, 1.0), ball(0.2, 2.0), ball(90.0, 1000.0)],
            gravity: Vector::z() * -10.0,
            ..ModelParts::default()
        };
        let found = Measure::of(&Model::new(parts).unwrap(), 5.0);
        // A ball beside the centre of mass: a box of 0.4 m around it has a half diagonal of 0.2 √3 m.
        assert!(
            (found.length - 0.2 * 3f64.sqrt()).abs() < 1e-12,
            "{found:?}"
        );
        assert_eq!(found.force, 20.0);
        let empty = Model::new(ModelParts::default()).unwrap();
        assert!(Measure::of(&empty, 5.0).length > 0.0);
    }
}
