//! Laws, references and orders of convergence of mechanisms without contact.

pub mod agreement;
pub mod andrews;
pub mod bench;
pub mod benchmarks;
pub mod conservation;
pub mod convergence;
pub mod convergence_study;
pub mod couplings;
pub mod determinism;
pub mod dissipation;
pub mod loops;
pub mod mechanisms;
pub mod mouse;
pub mod not_finite;
pub mod option_names;
pub mod options;
pub mod reactions;
pub mod reference;
pub mod references;
pub mod similar;
pub mod similarity;
pub mod solvers;
pub mod spin;
pub mod springs;
pub mod switching;
pub mod switching_bounds;
