//! What is unbalanced and open at a motion.

/// Largest error and where it is.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Errors {
    /// Largest imbalance of a free coordinate, relative to what its body handles ([`Scale`](super::Scale)).
    pub balance: f64,
    /// Body with that imbalance.
    pub body: usize,
    /// Largest unbalanced impulse on free coordinates, torques over lengths (N·s).
    pub impulse: f64,
    /// The largest as a velocity of its body (m/s).
    pub speed: f64,
    /// Largest impulse that a body handles (N·s).
    pub handled: f64,
    /// Largest joint error, relative to the length of the joint, or angle (1, rad).
    pub constraint: f64,
    /// The same as a length, angles at the length of the joint (m).
    pub gap: f64,
    /// Joint with that error, if it is a joint.
    pub joint: Option<usize>,
}
