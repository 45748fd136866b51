//! Driftless simulates rigid-body mechanisms whose joints do not drift.
//!
//! # Build
//! Bodies and joints in code, placed by their joints and put together ([`build`]), or a [`scene`] by name, file or text:
//! ```
//! use driftless::build::{Body, Joint, Mechanism};
//!
//! let rod = Body::new("rod").mass(1.0).capsule(0.02, [0.0; 3], [0.0, 0.0, -1.0]);
//! let hinge = Joint::revolute("hinge").child("rod").axis([0.0, 1.0, 0.0]).at(0.5);
//! let built = Mechanism::new().body(rod).joint(hinge).scene()?;
//! let opened = driftless::scene::open("chain:links=3,joint=spherical", &[])?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//! # Run, control, measure
//! A [`Simulation`](sim::Simulation) advances by one step at a time under an [`Input`](sim::Input): forces on joint coordinates,
//! forces and torques on bodies. Its state, joint coordinates, energies and contacts can be read after every step:
//! ```
//! # use driftless::build::{Body, Joint, Mechanism};
//! use driftless::math::Vec3;
//! use driftless::sim::Input;
//! # let rod = Body::new("rod").mass(1.0).capsule(0.02, [0.0; 3], [0.0, 0.0, -1.0]);
//! # let hinge = Joint::revolute("hinge").child("rod").axis([0.0, 1.0, 0.0]).at(0.5);
//! # let built = Mechanism::new().body(rod).joint(hinge).scene()?;
//!
//! let mut simulation = built.simulation()?;
//! let hinge = simulation.model().joint("hinge").ok_or("no hinge")?;
//! let rod = simulation.model().body("rod").ok_or("no rod")?;
//! for _ in 0..100 {
//!     let torque = -5.0 * simulation.coordinates(hinge)[0]; // N·m
//!     let input = Input::default()
//!         .with_command(hinge, 0, torque)
//!         .with_force(rod, Vec3::x() * 0.1);
//!     let report = simulation.step(&input)?;
//!     assert!(report.constraint <= built.settings.tolerance);
//! }
//! let sample = simulation.sample();
//! println!("energy error {} J, external work {} J", sample.energy_error, sample.external_work);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//! # Where to go on
//! | for | look at |
//! |---|---|
//! | other methods, and one of your own | [`integrators`], [`Simulation::with_integrator`](sim::Simulation::with_integrator) |
//! | many simulations on all cores | [`Ensemble`](sim::Ensemble) |
//! | contacts, limits, reactions | [`State`](model::State) |
//! | past moments, records, replays | [`Timeline`](sim::Timeline), [`Take`](scene::Take) |
//! | several methods side by side, orders of convergence | [`sim::comparison`], [`sim::convergence`] |
//! | units, frames and signs | [`conventions`] |
//! | how it is made | [`architecture`] |
//!
//! The folder `examples` of the repository holds whole programs.
#![warn(missing_docs)]

#[doc = include_str!("../docs/reference/conventions.md")]
pub mod conventions {}

#[doc = include_str!("../docs/architecture.md")]
pub mod architecture {}

#[doc(hidden)]
pub mod cli;

#[doc(inline)]
pub use driftless_physics::scene::build;
#[doc(inline)]
pub use driftless_physics::{
    contact, diagnostics, forces, integrators, joints, kinematics, linalg, math, model, quantity,
    scene, sim, solver, threads,
};
#[doc(hidden)]
pub use driftless_physics::{figures, stopwatch};
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
