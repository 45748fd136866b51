//! Mechanisms in code: bodies and joints with the fields of a scene file, checked and reported as a file is.
//!
//! A body that gives no place of its own is put where its joint has it, at the joint's coordinates; where joints close a
//! loop, all are moved onto them by the least displacement. No pose is computed by hand:
//! ```
//! use driftless_physics::scene::build::{Body, Joint, Mechanism};
//!
//! let rod = |name, length: f64| Body::new(name).mass(1.0).capsule(0.02, [0.0; 3], [length, 0.0, 0.0]);
//! let pin = |name, at: f64| Joint::revolute(name).axis([0.0, 1.0, 0.0]).at(at);
//! let four_bar = Mechanism::new()
//!     .body(rod("crank", 0.3))
//!     .body(rod("coupler", 0.8))
//!     .body(rod("rocker", 0.6))
//!     .joint(pin("drive", -1.0).child("crank"))
//!     .joint(pin("knee", 0.8).parent("crank").anchor([0.3, 0.0, 0.0]).child("coupler"))
//!     .joint(pin("pivot", -1.2).anchor([0.9, 0.0, 0.0]).child("rocker"))
//!     .joint(
//!         Joint::revolute("tip")
//!             .axis([0.0, 1.0, 0.0])
//!             .parent("coupler")
//!             .anchor([0.8, 0.0, 0.0])
//!             .child("rocker")
//!             .child_anchor([0.6, 0.0, 0.0]),
//!     )
//!     .scene()?;
//! let mut simulation = four_bar.simulation()?;
//! assert!(simulation.sample().drift_position < 1e-9);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//! What a builder has no word for is a field of its `file`, which is that of the [format](super::SceneFile).

mod body;
mod joint;
mod mechanism;
mod shape;

pub use body::Body;
pub use joint::Joint;
pub use mechanism::Mechanism;
pub use shape::Shape;
