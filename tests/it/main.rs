//! The integration tests, in one binary so that the library is linked once: laws, references and orders of
//! convergence as a user of the library sees them, and the command line as other programs meet it.

mod agreement;
#[cfg(feature = "app")]
mod app;
mod bench;
mod benchmarks;
mod cli;
mod cli_contact;
mod conservation;
mod convergence;
mod couplings;
mod determinism;
mod dissipation;
mod loops;
mod mechanisms;
mod mouse;
#[cfg(feature = "app")]
mod panels;
mod reactions;
mod reference;
mod references;
mod scene_damage;
mod scene_document;
mod scene_errors;
mod scene_files;
mod scenes;
mod solvers;
#[cfg(feature = "app")]
mod window;
