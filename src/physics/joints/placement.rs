//! Where a joint is, what its constraints are and what they evaluate to.

use crate::math::{Mat3, Vec3};
use crate::model::{BodyState, Joint, JointFrame, JointKind, Row};

/// The joint frames in the world at one configuration.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Placement {
    /// Axes of the parent's joint frame as columns.
    pub parent_axes: Mat3,
    /// Axes of the child's joint frame as columns.
    pub child_axes: Mat3,
    /// From the parent's centre of mass (the origin for the world) to its anchor (m).
    pub parent_arm: Vec3,
    /// From the child's centre of mass to its anchor (m).
    pub child_arm: Vec3,
    /// From the parent's anchor to the child's anchor (m).
    pub gap: Vec3,
}

impl Placement {
    /// Joint frames at the configuration of `bodies`.
    pub fn of(joint: &Joint, bodies: &[BodyState]) -> Self {
        Self::about(joint, bodies, &Vec3::zeros())
    }

    /// The same with positions of bodies relative to a point of the world (m).
    pub fn about(joint: &Joint, bodies: &[BodyState], origin: &Vec3) -> Self {
        let mut parent_frame = joint.parent_frame;
        if joint.parent.is_none() {
            parent_frame.anchor -= origin;
        }
        Self::between(
            (joint.parent.map(|p| &bodies[p.0]), &parent_frame),
            (&bodies[joint.child.0], &joint.child_frame),
        )
    }

    /// Two joint frames, each with the body it is fixed to; a parent of `None` is the world.
    pub fn between(
        (parent, parent_frame): (Option<&BodyState>, &JointFrame),
        (child, child_frame): (&BodyState, &JointFrame),
    ) -> Self {
        let child_rotation = child.orientation.to_rotation_matrix();
        let child_arm = child_rotation * child_frame.anchor;
        let child_axes = (child.orientation * child_frame.orientation)
            .to_rotation_matrix()
            .into_inner();
        let (centre, parent_arm, parent_axes) = match parent {
            Some(parent) => {
                let axes = parent.orientation * parent_frame.orientation;
                let arm = parent.orientation * parent_frame.anchor;
                (parent.position, arm, axes.to_rotation_matrix().into_inner())
            }
            None => (
                Vec3::zeros(),
                parent_frame.anchor,
                parent_frame.orientation.to_rotation_matrix().into_inner(),
            ),
        };
        // What is far from the origin is subtracted first, so that gaps round as the bodies are large.
        let gap = match parent {
            Some(_) => (child.position - centre) + (child_arm - parent_arm),
            None => (child.position - parent_arm) + child_arm,
        };
        Self {
            parent_axes,
            child_axes,
            parent_arm,
            child_arm,
            gap,
        }
    }

    /// From the parent's centre of mass to the child's anchor (m): the arm of reactions on the parent.
    pub fn reach(&self) -> Vec3 {
        self.parent_arm + self.gap
    }

    /// Axis `k` of the parent's joint frame.
    pub fn parent_axis(&self, k: usize) -> Vec3 {
        self.parent_axes.column(k).into_owned()
    }

    /// Axis `k` of the child's joint frame.
    pub fn child_axis(&self, k: usize) -> Vec3 {
        self.child_axes.column(k).into_owned()
    }
}

/// A row as the wrench on (or the gradient for) one of its bodies about that body's centre of mass, world axes:
/// linear, then angular part. The parent's is at the child's anchor too, so that action equals reaction.
pub fn row_on(row: &Row, at: &Placement, child: bool) -> [f64; 6] {
    let (sign, arm) = if child {
        (1.0, at.child_arm)
    } else {
        (-1.0, at.reach())
    };
    let force = row.force * sign;
    let torque = row.torque * sign + arm.cross(&force);
    [force.x, force.y, force.z, torque.x, torque.y, torque.z]
}

/// Parent axes along which the gap is held.
pub(super) const fn held_translations(kind: JointKind) -> &'static [usize] {
    match kind.constrained_translations() {
        3 => &[0, 1, 2],
        2 => &[0, 1],
        1 => &[2],
        _ => &[],
    }
}

/// Parent axes along which the gap is free.
pub const fn free_translations(kind: JointKind) -> &'static [usize] {
    match kind.constrained_translations() {
        3 => &[],
        2 => &[2],
        1 => &[0, 1],
        _ => &[0, 1, 2],
    }
}

/// Pairs (parent axis, child axis) that are held perpendicular.
pub(super) const fn held_pairs(kind: JointKind) -> &'static [(usize, usize)] {
    match kind.constrained_rotations() {
        3 => &[(0, 2), (1, 2), (1, 0)],
        2 => &[(0, 2), (1, 2)],
        1 => &[(2, 0)],
        _ => &[],
    }
}

/// Writes the constraint values [m, then cosines ≈ rad]; `out` has [`JointKind::constraints`] entries.
pub fn constraint(kind: JointKind, at: &Placement, out: &mut [f64]) {
    let translations = held_translations(kind)
        .iter()
        .map(|&k| at.parent_axis(k).dot(&at.gap));
    let rotations = held_pairs(kind)
        .iter()
        .map(|&(p, c)| at.parent_axis(p).dot(&at.child_axis(c)));
    for (value, slot) in translations.chain(rotations).zip(out) {
        *slot = value;
    }
}

/// Gradients of the constraints in the order of [`constraint`].
pub fn constraint_rows(kind: JointKind, at: &Placement) -> impl Iterator<Item = Row> {
    let translations = held_translations(kind).iter().map(|&k| Row {
        force: at.parent_axis(k),
        torque: Vec3::zeros(),
    });
    // d(t·b)/dθ = b × t for a rotation θ of the child.
    let rotations = held_pairs(kind).iter().map(|&(p, c)| Row {
        force: Vec3::zeros(),
        torque: at.child_axis(c).cross(&at.parent_axis(p)),
    });
    translations.chain(rotations)
}

/// How far a joint is open.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Drift {
    /// Held part of the gap (m).
    pub position: f64,
    /// Held part of the misalignment (rad).
    pub angle: f64,
}

/// How far a joint is open at a configuration.
pub fn drift(kind: JointKind, at: &Placement) -> Drift {
    let mut g = [0.0; 6];
    constraint(kind, at, &mut g);
    let translations = kind.constrained_translations();
    let norm = |g: &[f64]| g.iter().map(|x| x * x).sum::<f64>().sqrt();
    // Cosines of nearly right angles; asin turns them into the misalignment.
    Drift {
        position: norm(&g[..translations]),
        angle: norm(&g[translations..kind.constraints()]).min(1.0).asin(),
    }
}
