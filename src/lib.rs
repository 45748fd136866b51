//! Driftless simulates rigid-body mechanisms whose joints do not drift.
#![warn(missing_docs)]

#[cfg(feature = "app")]
pub mod app;
pub mod contact;
pub mod diagnostics;
pub mod forces;
pub mod integrators;
pub mod joints;
pub mod kinematics;
pub mod linalg;
pub mod math;
pub mod model;
pub mod scene;
pub mod sim;
pub mod solver;
