//! What methods in joint coordinates cannot run: what is not a tree of joints.

use crate::kinematics::Tree;
use crate::model::Model;

/// What makes a model more than a tree, if anything does.
pub fn closing(model: &Model) -> Option<String> {
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
    closing.or_else(tying)
}

/// Why a model is no tree, if it is none.
pub fn refuse_loops(model: &Model) -> Option<String> {
    let what = closing(model)?;
    Some(format!(
        "its coordinates are those of a tree of joints, and {what}; \
         take one that closes them, as minimal-riqn or variational-2"
    ))
}
