//! What is selected.

use physics::model::{BodyId, ContactKey, JointId};

/// What is selected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Selection {
    /// A body.
    Body(BodyId),
    /// A joint.
    Joint(JointId),
    /// A cable, by its place in the model.
    Cable(usize),
    /// A spring between points, by its place among the forces of the model.
    Spring(usize),
    /// A contact point, as long as its shapes are near each other.
    Contact(ContactKey),
    /// A force on a body, by its place among the forces of the model.
    Wrench(usize),
    /// A relation between joint coordinates, by its place in the model.
    Coupling(usize),
}
