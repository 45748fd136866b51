//! Random bodies, joints and poses on which tests check the physics.

use super::{
    Body, BodyId, BodyState, ContactKey, ContactState, ContactStatus, Joint, JointFrame, JointKind,
    Model, ModelParts, State, Twist,
};
use crate::joints::Placement;
use crate::math::{Mat3, Quat, Vec3};

/// Repeatable numbers (splitmix64): the same seed gives the same mechanism on every machine.
pub struct Numbers(pub u64);

impl Numbers {
    /// Between -1 and 1.
    pub fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^= z >> 31;
        (z >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    /// Each component between -1 and 1.
    pub fn vector(&mut self) -> Vec3 {
        Vec3::from_fn(|_, _| self.unit())
    }

    /// Any rotation.
    pub fn rotation(&mut self) -> Quat {
        Quat::from_scaled_axis(self.vector() * 3.0)
    }

    /// Velocities of the order of 1 m/s and 1 rad/s.
    pub fn twist(&mut self) -> Twist {
        Twist {
            linear: self.vector(),
            angular: self.vector(),
        }
    }

    /// A body with full inertia about tilted axes.
    pub fn body(&mut self, name: &str) -> Body {
        let axes = self.rotation().to_rotation_matrix();
        // Second moments are positive in every direction, so the triangle inequality holds.
        let second = Vec3::from_fn(|_, _| 0.1 + 0.2 * self.unit().abs());
        let moments = Vec3::new(
            second.y + second.z,
            second.z + second.x,
            second.x + second.y,
        );
        let inertia = axes * Mat3::from_diagonal(&moments) * axes.inverse();
        let symmetric = (inertia + inertia.transpose()) * 0.5;
        Body::new(name, 1.0 + 0.5 * self.unit(), symmetric)
    }

    fn frame(&mut self) -> JointFrame {
        JointFrame {
            anchor: self.vector(),
            orientation: self.rotation(),
        }
    }

    /// A joint with frames anywhere, without springs or drives.
    pub fn joint(
        &mut self,
        name: &str,
        kind: JointKind,
        parent: Option<BodyId>,
        child: BodyId,
    ) -> Joint {
        Joint {
            name: name.into(),
            kind,
            parent,
            child,
            parent_frame: self.frame(),
            child_frame: self.frame(),
            damping_translation: 0.0,
            damping_rotation: 0.0,
            springs: Vec::new(),
            actuators: Vec::new(),
            limits: Vec::new(),
            compliance: Default::default(),
        }
    }

    /// Coordinates of a joint; angles within ±1.5 rad, clear of the singular half turn of a rotation vector.
    pub fn coordinates(&mut self) -> [f64; 6] {
        std::array::from_fn(|_| 1.5 * self.unit() / 3f64.sqrt())
    }

    /// Two bodies with a joint of `kind` between them, which holds; the first has any pose.
    pub fn pair(&mut self, kind: JointKind) -> (ModelParts, Vec<BodyState>) {
        let bodies = vec![self.body("a"), self.body("b")];
        let joint = self.joint("j", kind, Some(BodyId(0)), BodyId(1));
        let mut states = vec![at_rest(), at_rest()];
        states[0].position = self.vector();
        states[0].orientation = self.rotation();
        place(&joint, &self.coordinates(), &mut states);
        let parts = ModelParts {
            bodies,
            joints: vec![joint],
            ..ModelParts::default()
        };
        (parts, states)
    }
}

impl Numbers {
    /// A whole number below `count`.
    pub fn below(&mut self, count: usize) -> usize {
        let part = 0.5 * (self.unit() + 1.0);
        ((part * count as f64) as usize).min(count - 1)
    }

    /// A body for each joint, which ties it to an earlier body or to the world; some joints have the earlier body
    /// as their child. A first body whose joint would tie it to itself floats freely.
    pub fn forest(&mut self, kinds: &[JointKind]) -> ModelParts {
        let mut parts = ModelParts {
            gravity: Vec3::new(0.3, -0.2, -9.0),
            ..ModelParts::default()
        };
        for (k, &kind) in kinds.iter().enumerate() {
            parts.bodies.push(self.body(&format!("b{k}")));
            let (new, older) = (BodyId(k), BodyId(self.below(k + 1)));
            let [parent, child] = match (self.unit() < -0.6, self.unit() < 0.0) {
                (true, _) => [None, Some(new)],
                (_, true) => [Some(new), Some(older)],
                _ => [Some(older), Some(new)],
            };
            if let Some(child) = child.filter(|_| parent != child) {
                let joint = self.joint(&format!("j{k}"), kind, parent, child);
                parts.joints.push(joint);
            }
        }
        parts
    }

    /// A joint between two bodies (or the world and a body) that holds at their poses.
    pub fn closing(
        &mut self,
        name: &str,
        kind: JointKind,
        [parent, child]: [Option<BodyId>; 2],
        bodies: &[BodyState],
    ) -> Option<Joint> {
        let mut joint = self.joint(name, kind, parent, child.filter(|_| parent != child)?);
        // Seen from the child the parent's frame is where the child's would be for a parent at its place.
        let mut pair = [at_rest(), at_rest()];
        let still = Joint {
            parent: None,
            child: BodyId(1),
            ..joint.clone()
        };
        place(&still, &self.coordinates(), &mut pair);
        let (found, wanted) = (&pair[1], &bodies[joint.child.0]);
        let turn = wanted.orientation * found.orientation.inverse();
        let shift = wanted.position - turn * found.position;
        let (origin, axes) = match parent {
            Some(p) => (bodies[p.0].position, bodies[p.0].orientation),
            None => (Vec3::zeros(), Quat::identity()),
        };
        let frame = &mut joint.parent_frame;
        frame.orientation = axes.inverse() * turn * frame.orientation;
        frame.anchor = axes.inverse() * (turn * frame.anchor + shift - origin);
        Some(joint)
    }
}

/// A contact point of two bodies at the world's origin, which does not push.
pub fn open_contact(bodies: [Option<BodyId>; 2]) -> ContactState {
    ContactState {
        key: ContactKey::default(),
        bodies,
        point: Vec3::zeros(),
        normal: Vec3::z(),
        gap: 0.0,
        force: Vec3::zeros(),
        slip: Vec3::zeros(),
        friction: 0.0,
        status: ContactStatus::Open,
        rebound: 0.0,
        hit: false,
        turning: 0.0,
    }
}

/// A body at the origin, at rest.
pub fn at_rest() -> BodyState {
    BodyState {
        position: Vec3::zeros(),
        orientation: Quat::identity(),
        velocity: Twist::default(),
        momentum: Vec3::zeros(),
        angular_momentum: Vec3::zeros(),
    }
}

/// A state with the given poses.
pub fn state(model: &Model, bodies: &[BodyState]) -> State {
    State {
        bodies: bodies.to_vec(),
        ..State::at_rest(model)
    }
}

/// Puts the child of a joint where the joint holds and has the coordinates `q`.
pub fn place(joint: &Joint, q: &[f64; 6], bodies: &mut [BodyState]) {
    let kind = joint.kind;
    let n = kind.free_translations();
    let turn = match kind.free_rotations() {
        0 => Quat::identity(),
        1 => Quat::from_axis_angle(&Vec3::z_axis(), q[n]),
        2 => {
            Quat::from_axis_angle(&Vec3::z_axis(), q[n])
                * Quat::from_axis_angle(&Vec3::x_axis(), q[n + 1])
        }
        _ => Quat::from_scaled_axis(Vec3::new(q[n], q[n + 1], q[n + 2])),
    };
    let slide = match n {
        0 => Vec3::zeros(),
        1 => Vec3::new(0.0, 0.0, q[0]),
        2 => Vec3::new(q[0], q[1], 0.0),
        _ => Vec3::new(q[0], q[1], q[2]),
    };
    let (centre, axes) = match joint.parent {
        Some(p) => (
            bodies[p.0].position + bodies[p.0].orientation * joint.parent_frame.anchor,
            bodies[p.0].orientation * joint.parent_frame.orientation,
        ),
        None => (joint.parent_frame.anchor, joint.parent_frame.orientation),
    };
    let orientation = axes * turn * joint.child_frame.orientation.inverse();
    let child = &mut bodies[joint.child.0];
    child.orientation = orientation;
    child.position = centre + axes * slide - orientation * joint.child_frame.anchor;
}

/// A pose moved by a small displacement (m) and a small rotation (rad), world axes.
pub fn moved(body: &BodyState, displacement: Vec3, turn: Vec3) -> BodyState {
    BodyState {
        position: body.position + displacement,
        orientation: Quat::from_scaled_axis(turn) * body.orientation,
        ..*body
    }
}

/// Central difference of a scalar of the poses with respect to translation (0-2) or rotation (3-5) of a body.
pub fn slope(
    bodies: &[BodyState],
    body: usize,
    direction: usize,
    h: f64,
    f: impl Fn(&[BodyState]) -> f64,
) -> f64 {
    let at = |s: f64| {
        let step = Vec3::ith(direction % 3, s);
        let (x, r) = if direction < 3 {
            (step, Vec3::zeros())
        } else {
            (Vec3::zeros(), step)
        };
        let mut changed = bodies.to_vec();
        changed[body] = moved(&bodies[body], x, r);
        f(&changed)
    };
    (at(h) - at(-h)) / (2.0 * h)
}

/// The joint of a pair at its poses.
pub fn placement(parts: &ModelParts, bodies: &[BodyState]) -> Placement {
    Placement::of(&parts.joints[0], bodies)
}
