//! Springs that swing bodies faster than a step can follow.
//!
//! Kicks at the knots, which is how a step takes softer springs, feed energy to a spring of frequency `ω` once
//! `ω dt > 2`, the limit of Störmer and Verlet's method. Taken at the middle of the interval it keeps its energy at every
//! `ω dt` [HairerLubichWanner2006 sect. VI.6], for the price of an implicit law.

use crate::math::Vec3;
use crate::model::{Attachment, BodyId, Force, Joint, JointSpring, Model};

/// Radians of its swing in one step above which a spring is stiff. Half the limit: the frequency is that of free bodies
/// with the arms that they have at rest, and energies read at the knots swing by `(ω dt)²/4` of themselves.
const STIFF: f64 = 1.0;

/// The springs of a model that a step takes at the middle of its interval.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct StiffSprings {
    /// Joint and index among its springs, in order.
    joints: Vec<(usize, usize)>,
    /// Springs between points among all forces, in order.
    lines: Vec<usize>,
}

impl StiffSprings {
    /// Those that are stiff in steps of `dt` (s). It depends on the model and the step alone, so that a spring is taken in
    /// one way throughout a motion.
    pub fn of(model: &Model, dt: f64) -> Self {
        let most = (STIFF / dt).powi(2);
        let swings = |stiffness: f64, mobility: f64| stiffness * mobility > most;
        let joints = model.joints.iter().enumerate().flat_map(|(k, joint)| {
            let of = move |(n, s): (usize, &JointSpring)| {
                swings(s.stiffness, coordinate_mobility(model, joint, s.coordinate))
                    .then_some((k, n))
            };
            joint.springs.iter().enumerate().filter_map(of)
        });
        let lines = model.forces.iter().enumerate().filter_map(|(k, force)| {
            let Force::Spring {
                ends, stiffness, ..
            } = force
            else {
                return None;
            };
            let mobility = ends.iter().map(|end| point_mobility(model, end)).sum();
            swings(*stiffness, mobility).then_some(k)
        });
        Self {
            joints: joints.collect(),
            lines: lines.collect(),
        }
    }

    /// Whether this spring of a joint, by its index among those of the joint, is stiff.
    pub fn holds(&self, joint: usize, spring: usize) -> bool {
        self.joints.binary_search(&(joint, spring)).is_ok()
    }

    /// Whether this force is a stiff spring between points.
    pub fn holds_line(&self, force: usize) -> bool {
        self.lines.binary_search(&force).is_ok()
    }

    /// Stiff springs of a joint, by their index among those of the joint.
    pub fn of_joint(&self, joint: usize) -> impl Iterator<Item = usize> {
        let own = self.joints.iter().filter(move |(j, _)| *j == joint);
        own.map(|(_, spring)| *spring)
    }
}

/// `n M⁻¹ nᵀ` of a joint coordinate `n`, its bodies free, at its longest (1/kg, 1/(kg·m²)). Where the child slides in a
/// plane or in space its parent is pushed there, on a lever that nothing bounds.
fn coordinate_mobility(model: &Model, joint: &Joint, coordinate: usize) -> f64 {
    let slides = joint.kind.free_translations();
    if coordinate < slides && slides > 1 && joint.parent.is_some() {
        return f64::INFINITY;
    }
    let ends = [
        (Some(joint.child), &joint.child_frame.anchor),
        (joint.parent, &joint.parent_frame.anchor),
    ];
    let translates = coordinate < slides;
    let of = |(body, arm): (Option<BodyId>, &Vec3)| {
        if translates {
            push_mobility(model, body, arm)
        } else {
            turn_mobility(model, body)
        }
    };
    ends.into_iter().map(of).sum()
}

fn point_mobility(model: &Model, end: &Attachment) -> f64 {
    push_mobility(model, end.body, &end.point)
}

/// How far a push at a point of a body moves it at most (1/kg).
fn push_mobility(model: &Model, body: Option<BodyId>, arm: &Vec3) -> f64 {
    let mass = body.map_or(f64::INFINITY, |b| model.bodies[b.0].mass);
    1.0 / mass + arm.norm_squared() * turn_mobility(model, body)
}

/// How far a torque turns a body at most (1/(kg·m²)).
fn turn_mobility(model: &Model, body: Option<BodyId>) -> f64 {
    body.map_or(0.0, |b| {
        1.0 / model.bodies[b.0].inertia.symmetric_eigenvalues().min()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene;

    #[test]
    fn a_spring_is_stiff_where_it_swings_free_bodies_more_than_a_radian_a_step() {
        // Two masses on a spring at their centres: the reduced mass of 2 and 3 kg is 1.2 kg. A rod turned by a torsion
        // spring: its inertia about its centre.
        let text = r#"(version: 1,
            bodies: {
                "a": (mass: 2, inertia: (1, 1, 1)),
                "b": (mass: 3, inertia: (1, 1, 1), position: (1, 0, 0)),
                "rod": (mass: 1, inertia: (0.5, 0.6, 0.6), position: (0, 0, -3)),
            },
            joints: {"hinge": (kind: revolute, child: "rod", anchor: (0, 0, -2), child_anchor: (0, 0, 1), axis: (0, 1, 0),
                springs: [(coordinate: 0, stiffness: 50), (coordinate: 0, stiffness: 1)])},
            springs: {"pull": (from: (body: "a"), to: (body: "b"), stiffness: 1.2e6)})"#;
        let scene = scene::from_text("springs", text, &[]).expect("the scene is right");
        let model = &scene.model;
        let line = |dt: f64| StiffSprings::of(model, dt).holds_line(0);
        let hinge = |dt: f64| StiffSprings::of(model, dt).of_joint(0).collect::<Vec<_>>();
        assert!(line(1.001e-3) && !line(0.999e-3), "1000 rad/s");
        assert_eq!(
            (hinge(0.1001), hinge(0.0999)),
            (vec![0], vec![]),
            "10 rad/s"
        );
        assert_eq!(hinge(1.0), [0, 1], "1.4 rad/s");
        assert!(StiffSprings::of(model, 0.1001).holds(0, 0));
        assert!(!StiffSprings::of(model, 0.1001).holds(0, 1));
    }

    /// Along a rail a spring pushes its parent on one line, wherever the child is; in a plane on any lever.
    #[test]
    fn a_spring_in_a_plane_of_a_body_is_stiff_in_every_step_since_its_lever_grows() {
        for (kind, parent, stiff) in [
            ("planar", "base", true),
            ("planar", "world", false),
            ("prismatic", "base", false),
            ("cylindrical", "base", false),
        ] {
            let text = format!(
                r#"(version: 1, bodies: {{"base": (mass: 1, inertia: (1, 1, 1)), "slider": (mass: 1, inertia: (1, 1, 1))}},
                joints: {{"slide": (kind: {kind}, parent: "{parent}", child: "slider", springs: [(coordinate: 0, stiffness: 1)])}})"#
            );
            let scene = scene::from_text("springs", &text, &[]).expect("the scene is right");
            assert_eq!(
                StiffSprings::of(&scene.model, 1e-3).holds(0, 0),
                stiff,
                "{kind} on {parent}"
            );
        }
    }
}
