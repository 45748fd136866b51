//! E. M. Drumwright: An Unconditionally Stable First-Order Constraint Solver for Multibody Systems [Drumwright].

mod foundation;
pub mod foundation_error;
pub mod foundation_time;

/// Key of the paper.
const PAPER: &str = "drumwright";
