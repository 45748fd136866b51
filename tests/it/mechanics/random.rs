//! Random mechanisms: trees and loops over all kinds of joints, with all that pulls and holds.

use crate::mechanics::mechanisms::{G, Workshop};
use driftless::math::{Mat3, Quat, Vec3};
use driftless::model::{
    Actuator, Attachment, Axes, BodyId, Cable, Coupling, CouplingTerm, Force, JointId, JointKind,
    JointLimit, JointSpring, PdTarget, Signal,
};

/// Repeatable numbers between -1 and 1 (a linear congruential generator, high bits).
pub struct Numbers(pub u64);

impl Numbers {
    /// The next one.
    pub fn next(&mut self) -> f64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    /// Each component one of them.
    pub fn vector(&mut self) -> Vec3 {
        Vec3::from_fn(|_, _| self.next())
    }

    /// Any index below a number.
    pub fn index(&mut self, below: usize) -> usize {
        ((self.next() + 1.0) * 0.5 * below as f64) as usize % below
    }
}

/// A random tree with a joint of every kind, at rest under gravity.
pub fn tree(seed: u64) -> Workshop {
    let mut numbers = Numbers(seed);
    let mut w = Workshop::new(Vec3::new(0.5, 0.0, -G));
    for (k, kind) in JointKind::ALL.into_iter().enumerate() {
        let moments = Vec3::from_fn(|_, _| 0.08 + 0.02 * numbers.next());
        let turn = Quat::from_scaled_axis(numbers.vector() * 2.0);
        let at = numbers.vector();
        let body = w.body(
            1.0 + 0.4 * numbers.next(),
            Mat3::from_diagonal(&moments),
            at,
            turn,
        );
        let parent = (k > 0 && numbers.next() > -0.5).then(|| BodyId(numbers.index(k)));
        let axes = Quat::from_scaled_axis(numbers.vector() * 2.0);
        let point = at + numbers.vector() * 0.4;
        w.joint_with(kind, parent, body, point, axes);
    }
    w
}

/// Closes a loop or two with a joint that leaves five freedoms.
pub fn close(w: &mut Workshop) {
    let axes = Quat::from_scaled_axis(Vec3::new(0.3, -0.8, 0.5));
    let point = Vec3::new(0.1, 0.2, -0.3);
    let ends = (Some(BodyId(2)), BodyId(10));
    w.joint_with(JointKind::PointOnPlane, ends.0, ends.1, point, axes);
    w.joint_with(JointKind::PointOnPlane, None, BodyId(11), point, axes);
}

/// Springs, dampers, drives and wrenches everywhere.
pub fn equip(w: &mut Workshop) {
    for (k, joint) in w.parts.joints.iter_mut().enumerate() {
        joint.damping_translation = 0.8;
        joint.damping_rotation = 0.1;
        for coordinate in 0..joint.kind.freedoms() {
            match (coordinate + k) % 3 {
                0 => joint.springs.push(JointSpring {
                    coordinate,
                    stiffness: 6.0,
                    rest: 0.2,
                }),
                1 => joint.actuators.push(Actuator {
                    coordinate,
                    command: Signal::expression("0.4*sin(5*t)").expect("it parses"),
                    pd: None,
                    limit: 0.3,
                }),
                _ => joint.actuators.push(Actuator {
                    coordinate,
                    command: Signal::Constant(0.1),
                    pd: Some(PdTarget {
                        stiffness: 4.0,
                        damping: 0.3,
                        target: Signal::expression("0.2*t").expect("it parses"),
                        rate: Signal::Constant(0.2),
                    }),
                    limit: f64::INFINITY,
                }),
            }
        }
    }
    w.parts.forces = vec![
        Force::Spring {
            name: "tie".into(),
            ends: [3, 8].map(|b| Attachment {
                body: Some(BodyId(b)),
                point: Vec3::new(0.1, 0.2, -0.1),
            }),
            stiffness: 10.0,
            rest: 0.3,
            damping: 0.7,
        },
        Force::Wrench {
            name: "thrust".into(),
            body: BodyId(5),
            point: Vec3::new(0.0, 0.1, 0.0),
            axes: Axes::Body,
            force: [
                Signal::ZERO,
                Signal::expression("2*cos(4*t)").expect("it parses"),
                Signal::ZERO,
            ],
            torque: [Signal::Constant(0.1), Signal::ZERO, Signal::ZERO],
        },
    ];
}

/// Couples coordinates within a joint and across the tree.
pub fn couple(w: &mut Workshop) {
    let index = |kind| {
        let place = w.parts.joints.iter().position(|j| j.kind == kind);
        JointId(place.expect("the tree has every kind"))
    };
    let term = |kind, coordinate, factor| CouplingTerm {
        joint: index(kind),
        coordinate,
        factor,
    };
    let screw = vec![
        term(JointKind::Cylindrical, 0, 1.0),
        term(JointKind::Cylindrical, 1, -0.3),
    ];
    let gear = vec![
        term(JointKind::Revolute, 0, 1.0),
        term(JointKind::Universal, 1, 0.5),
        term(JointKind::Prismatic, 0, -0.7),
    ];
    for (name, terms) in [("screw", screw), ("gear", gear)] {
        w.parts.couplings.push(Coupling {
            name: name.into(),
            terms,
            offset: 0.0,
            compliance: Default::default(),
        });
    }
}

/// Moves the joints from where their frames coincide and gives what refers to coordinates the same place there. Comes
/// last.
pub fn displace(w: &mut Workshop, seed: u64) {
    let mut numbers = Numbers(seed + 100);
    let mut coordinates = Vec::new();
    for joint in &mut w.parts.joints {
        let kind = joint.kind;
        let mut q = [0.0; 6].map(|_| 0.6 * numbers.next());
        let slid = match kind.free_translations() {
            0 => Vec3::zeros(),
            1 => Vec3::new(0.0, 0.0, q[0]),
            2 => Vec3::new(q[0], q[1], 0.0),
            _ => Vec3::new(q[0], q[1], q[2]),
        };
        let angles = &mut q[kind.free_translations()..];
        let turned = match kind.free_rotations() {
            0 => Quat::identity(),
            1 => Quat::from_axis_angle(&Vec3::z_axis(), angles[0]),
            2 => {
                let second = Quat::from_axis_angle(&Vec3::x_axis(), angles[1]);
                Quat::from_axis_angle(&Vec3::z_axis(), angles[0]) * second
            }
            _ => Quat::from_scaled_axis(Vec3::new(angles[0], angles[1], angles[2])),
        };
        let frame = &mut joint.parent_frame;
        frame.anchor -= frame.orientation * slid;
        joint.child_frame.orientation *= turned;
        for spring in &mut joint.springs {
            spring.rest += q[spring.coordinate];
        }
        for limit in &mut joint.limits {
            limit.lower += q[limit.coordinate];
            limit.upper += q[limit.coordinate];
        }
        coordinates.push(q);
    }
    for coupling in &mut w.parts.couplings {
        let values = coupling.terms.iter();
        let values = values.map(|t| t.factor * coordinates[t.joint.0][t.coordinate]);
        coupling.offset += values.sum::<f64>();
    }
}

/// Limits of a coordinate of every joint that has one, near to where it is, and a cable that soon becomes taut.
pub fn limit(w: &mut Workshop) {
    for (k, joint) in w.parts.joints.iter_mut().enumerate() {
        if joint.kind.freedoms() > 0 {
            joint.limits.push(JointLimit {
                coordinate: k % joint.kind.freedoms(),
                lower: -0.02,
                upper: 0.05,
                restitution: 0.3,
                compliance: Default::default(),
            });
        }
    }
    let point = Vec3::new(0.1, -0.2, 0.1);
    let [a, b] = [BodyId(4), BodyId(9)].map(|b| (b, w.place(b, &point)));
    w.parts.cables.push(Cable {
        name: "rope".into(),
        ends: [a.0, b.0].map(|b| Attachment {
            body: Some(b),
            point,
        }),
        length: (a.1 - b.1).norm() + 0.01,
        restitution: 0.2,
        compliance: Default::default(),
    });
}

/// Gives every body a velocity, which still has to be put on the joints.
pub fn set_going(w: &mut Workshop, seed: u64) {
    let mut numbers = Numbers(seed + 200);
    for body in 0..w.parts.bodies.len() {
        let (linear, angular) = (numbers.vector(), numbers.vector());
        w.moving(BodyId(body), linear, angular);
    }
}
