//! The nodes of the solver's picture in words, and what is selected with them.

use crate::state::selection::{Item, Selection};
use crate::theme::categorical;
use physics::model::{BodyId, JointId, Model};
use physics::scene::editing::Section;
use physics::solver::{NodeKind, PlanNode, Scheme};

/// What a node stands for.
pub fn name(kind: NodeKind, model: &Model) -> String {
    match kind {
        NodeKind::Body(k) => model.bodies[k].name.clone(),
        NodeKind::Joint(k) => model.joints[k].name.clone(),
        NodeKind::Coupling(k) => format!("coupling {}", model.couplings[k].name),
        NodeKind::Law(k) => format!("drive of {}", model.joints[k].name),
        NodeKind::JointSpring(k) => format!("spring of {}", model.joints[k].name),
        NodeKind::Spring(k) => format!("spring {}", model.forces[k].name()),
        NodeKind::Damper(k) => format!("damper {}", model.forces[k].name()),
        NodeKind::Contact(_) => "contact".into(),
        NodeKind::Limit(k) => format!("limit of {}", model.joints[k].name),
        NodeKind::Cable(k) => format!("cable {}", model.cables[k].name),
    }
}

/// What is lit and selected with a node.
pub fn selection(kind: NodeKind, model: &Model) -> Option<Selection> {
    match kind {
        NodeKind::Body(k) => Some(Selection::body(BodyId(k))),
        NodeKind::Joint(k) | NodeKind::Law(k) | NodeKind::JointSpring(k) | NodeKind::Limit(k) => {
            Some(Selection::joint(JointId(k)))
        }
        NodeKind::Coupling(k) => Some(Selection::item(Section::Couplings, k)),
        NodeKind::Damper(place) | NodeKind::Spring(place) => {
            let section = Section::Springs;
            let body = Item { section, place }.held_body(model);
            body.map(Selection::body)
        }
        NodeKind::Contact(key) => Some(Selection::Contact(key)),
        NodeKind::Cable(k) => Some(Selection::item(Section::Cables, k)),
    }
}

/// Whether a node is drawn as a square.
pub fn is_body(kind: NodeKind) -> bool {
    matches!(kind, NodeKind::Body(_))
}

/// Its place in the colours.
pub fn hue(node: &PlanNode) -> usize {
    match node.kind {
        NodeKind::Body(_) => categorical::BODY,
        NodeKind::Contact(_) | NodeKind::Limit(_) | NodeKind::Cable(_) => categorical::ONE_SIDED,
        _ if node.closes => categorical::CLOSURE,
        _ => categorical::CONSTRAINT,
    }
}

/// How the system is solved.
pub fn scheme(scheme: Scheme) -> (&'static str, &'static str) {
    match scheme {
        Scheme::Pairs => (
            "pair elimination",
            "Each body is eliminated with the joint to its parent, from the leaves to the root; what closes a loop \
             is carried up the tree to where its paths meet",
        ),
        Scheme::BlockLdu => (
            "block LDU",
            "Bodies and constraints are eliminated one by one, from the leaves to the root",
        ),
        Scheme::UnilateralConstraints => (
            "block LDU with contacts",
            "Contacts, limits and cables go first, into their bodies; then the node with the fewest neighbours, \
             one by one",
        ),
        Scheme::Dense => (
            "dense LU",
            "The whole matrix at once: every block is worked on, zero or not",
        ),
        Scheme::ArticulatedBodies => (
            "articulated bodies",
            "Joint coordinates go link by link, from the leaves to the root: the mass matrix, in which each link is \
             coupled with all that it hangs on, is never written down; loops and limits come together at the end",
        ),
        Scheme::Envelope => (
            "accelerations",
            "Bodies go first, each divided by its mass; then the joints, within the envelope of their rows",
        ),
        Scheme::Compliant => (
            "springs on the graph",
            "Constraints are springs with a pivot of their own, eliminated from the leaves to the root. Contacts of free \
             bodies go first, into these; those of jointed bodies come together at the end",
        ),
    }
}
