//! Putting a state on the constraints, and counting what the constraints leave.

mod assembly;

pub use assembly::{Assembly, AssemblyError, assemble, set_momenta};
