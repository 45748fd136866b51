//! Geometry queries on shapes.

mod cast;

pub use cast::{Hit, Ray, cast, distance};
