//! What methods in joint coordinates cannot run: what is not a tree of joints.

use crate::kinematics::Tree;
use crate::model::Model;

/// Why a model is no tree, if it is none.
pub fn refuse_loops(model: &Model) -> Option<String> {
    if !model.has_loops() {
        return None;
    }
    let closing = Tree::new(model)
        .cut()
        .iter()
        .map(|j| &model.joints[j.0])
        .find(|joint| joint.kind.constraints() > 0)
        .map(|joint| format!("joint `{}` closes a loop", joint.name));
    let tying = || {
        let coupling = model.couplings.first();
        coupling.map(|c| format!("coupling `{}` ties coordinates together", c.name))
    };
    let what = closing.or_else(tying)?;
    Some(format!(
        "its coordinates are those of a tree of joints, and {what}; \
         take a method in maximal coordinates, as variational-2"
    ))
}
