//! What tests of contact write into scenes that are text.

use proptest::prelude::*;

/// A vector of so many times its numbers.
pub fn vector(v: [f64; 3], by: f64) -> String {
    format!("({:?}, {:?}, {:?})", v[0] * by, v[1] * by, v[2] * by)
}

/// Directions: vectors that are not too short to tell one.
pub fn directions() -> impl Strategy<Value = [f64; 3]> {
    let any = prop::array::uniform3(-1.0..1.0f64);
    any.prop_filter("it has a length", |v| {
        v.iter().map(|x| x * x).sum::<f64>() > 0.05
    })
}
