//! The simulator: from a scene to the next state, without a window.
//!
//! `sim` steps, `integrators` are its methods, `solver` solves what they ask for, `scene` is what files say.
#![warn(missing_docs)]

pub mod contact;
pub mod diagnostics;
pub mod figures;
pub mod forces;
pub mod integrators;
pub mod joints;
pub mod kinematics;
pub mod linalg;
pub mod math;
pub mod model;
pub mod quantity;
pub mod scene;
pub mod sim;
pub mod solver;
pub mod stopwatch;
pub mod threads;
