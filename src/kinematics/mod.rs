//! Putting a state on the constraints, counting what the constraints leave, and moving along that.

mod assembly;
mod perturbation;
mod placing;
mod settling;

pub use assembly::{Assembly, AssemblyError, assemble, set_momenta};
pub use perturbation::{PerturbationError, perturb};
pub use placing::{Goal, place};
pub use settling::{Closing, is_closed, settle};
