//! Geometry queries on shapes: what a ray meets, what is near to touching.

mod behind;
mod broad;
mod cast;
mod curvature;
mod curved;
mod detect;
mod feature;
mod gap;
mod held;
mod layers;
mod material;
mod midway;
mod narrow;
mod nearest;
mod pair;
mod pairs;
mod parry;
mod passage;
mod polyhedron;
mod primitives;
mod question;
mod revolved;
mod rolling;
mod solid;
mod span;
mod tangents;
#[cfg(test)]
mod tests;
mod thickness;
mod top;
mod watch;

pub use cast::{Hit, Ray, cast, distance};
pub use detect::{AtHand, Detector};
pub use feature::{Contact, Feature, Gap, Located};
pub use layers::{Layers, Pressed, foundations, pressures};
pub use material::MATERIAL_POINTS;
pub use midway::Overlap;
pub use passage::Passage;
pub use rolling::{Side, Turn};

/// Distance at which resting shapes are still watched (m), for a shape of the given smallest extent.
fn margin(size: f64) -> f64 {
    if size.is_finite() { 1e-4 * size } else { 0.0 }
}
