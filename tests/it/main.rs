//! Physics as a user of the library sees it: laws, references and orders of convergence.

mod bench;
mod benchmarks;
mod convergence;
mod dissipation;
mod loops;
mod mechanisms;
mod reference;
mod references;
mod scenes;
