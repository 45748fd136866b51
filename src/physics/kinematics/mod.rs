//! Putting a state on the constraints, counting what the constraints leave, and moving along that; joint coordinates
//! of the spanning tree.

mod assembly;
mod perturbation;
mod placing;
mod settling;
mod tree;

pub use assembly::{Assembly, AssemblyError, Gap, assemble, set_momenta};
pub use perturbation::{PerturbationError, perturb};
pub use placing::{Goal, place};
pub use settling::{Closing, is_closed, settle};
pub use tree::{
    ArticulatedBodies, Fronts, Jacobian, JointPlace, LoopClosure, SpatialBlock, Tree, TreeLink,
    TreeMotion,
};
