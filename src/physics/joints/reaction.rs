//! What joints and couplings carry.

use super::{Placement, constraint_rows};
use crate::model::{JointId, Model, Row, State};

/// Leaves `factor` times the wrenches of multipliers, one per constraint row, in the state, as reactions of the joints on their
/// children and as forces of couplings; `placements` are those of the moment to which the multipliers belong.
pub fn react(
    model: &Model,
    placements: &[Placement],
    multipliers: &[f64],
    factor: f64,
    state: &mut State,
) {
    for (k, (joint, at)) in model.joints.iter().zip(placements).enumerate() {
        let mut sum = Row::default();
        let rows = constraint_rows(joint.kind, at);
        for (row, place) in rows.zip(model.joint_rows(JointId(k))) {
            sum.force += row.force * (multipliers[place] * factor);
            sum.torque += row.torque * (multipliers[place] * factor);
        }
        state.reactions[k] = sum;
    }
    for (k, force) in state.coupling_forces.iter_mut().enumerate() {
        *force = multipliers[model.coupling_row(k)] * factor;
    }
}
