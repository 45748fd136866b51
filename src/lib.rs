//! Driftless simulates rigid-body mechanisms whose joints do not drift.
//!
//! A [`scene::Scene`] makes a [`sim::Simulation`], and that is all one needs to start:
//! ```
//! use driftless::{scene, sim::Input};
//!
//! let scene = scene::open("chain:links=3,joint=spherical", &[])?;
//! let mut simulation = scene.simulation()?;
//! for _ in 0..100 {
//!     let report = simulation.step(&Input::default())?;
//!     assert!(report.constraint <= scene.settings.tolerance);
//! }
//! println!("energy error {} J", simulation.sample().energy_error);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![doc = include_str!("../docs/architecture.md")]
#![warn(missing_docs)]
// Units stand in brackets, as in `[m]` and `[N·m]`, which looks like a link to an item of that name.
#![allow(rustdoc::broken_intra_doc_links)]

#[doc = include_str!("../docs/reference/conventions.md")]
pub mod conventions {}

pub mod cli;

#[doc(inline)]
pub use driftless_physics::{
    contact, diagnostics, figures, forces, integrators, joints, kinematics, linalg, math, model,
    quantity, scene, sim, solver, stopwatch, threads,
};
#[doc(inline)]
pub use driftless_reproduce as reproduce;
#[cfg(feature = "video")]
#[doc(inline)]
pub use driftless_video as video;
#[cfg(feature = "window")]
#[doc(inline)]
pub use driftless_window as window;

/// The Rust in the documents, tested as it stands there.
#[cfg(doctest)]
mod documents {
    #[doc = include_str!("../README.md")]
    mod readme {}
    #[doc = include_str!("../docs/tutorials/first-controller.md")]
    mod first_controller {}
    #[doc = include_str!("../docs/how-to/library.md")]
    mod library {}
    #[doc = include_str!("../docs/how-to/add-an-integrator.md")]
    mod add_an_integrator {}
}
