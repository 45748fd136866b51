//! Joints as far as placing bodies needs them.

use crate::math::Pose;
use crate::model::JointKind;

/// Joint frames in the frames of parent and child.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Frames {
    pub parent: Pose,
    pub child: Pose,
}

impl Frames {
    /// Both frames where they coincide with a frame in the world.
    pub fn from_world(frame: &Pose, parent: &Pose, child: &Pose) -> Self {
        Self {
            parent: parent.inverse() * frame,
            child: child.inverse() * frame,
        }
    }
}

/// A joint as far as placing needs it.
pub(super) struct Link<'a> {
    pub name: &'a str,
    pub kind: JointKind,
    pub parent: Option<usize>,
    pub child: usize,
    /// Joint frames in the bodies; `None` where the file gives them in the world.
    pub frames: Option<Frames>,
    /// Joint frame in the world, where the file gives it so.
    pub world_frame: Pose,
    pub at: Option<Vec<f64>>,
    pub rates: Option<Vec<f64>>,
}

impl Link<'_> {
    /// Joint frames in the bodies, which are at the given poses at the start.
    pub fn frames(&self, parent: &Pose, child: &Pose) -> Frames {
        self.frames
            .unwrap_or_else(|| Frames::from_world(&self.world_frame, parent, child))
    }
}
