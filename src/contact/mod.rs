//! Geometry queries on shapes: what a ray meets, what is near to touching.

mod cast;
mod detect;
mod feature;
mod gap;

pub use cast::{Hit, Ray, cast, distance};
pub use detect::Detector;
pub use feature::{Contact, Feature, Gap};
