//! Physics as a user of the library sees it: laws, references and orders of convergence.

mod bench;
mod benchmarks;
mod convergence;
mod couplings;
mod determinism;
mod dissipation;
mod loops;
mod mechanisms;
mod mouse;
mod reactions;
mod reference;
mod references;
mod scenes;
