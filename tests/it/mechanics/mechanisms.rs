//! Mechanisms built by hand, independently of the scenes, so that a wrong scene cannot pass its own test.
//!
//! Bodies are placed in the world and joints are given there; frames on the bodies follow from the first poses.

use driftless::math::{Mat3, Quat, Vec3};
use driftless::model::{
    Body, BodyId, Joint, JointFrame, JointKind, Model, ModelParts, State, Twist,
};

/// Standard gravity of the papers [m/s²].
pub const G: f64 = 9.81;

/// A mechanism under construction.
#[derive(Default)]
pub struct Workshop {
    pub parts: ModelParts,
    poses: Vec<(Vec3, Quat, Twist)>,
}

impl Workshop {
    pub fn new(gravity: Vec3) -> Self {
        Self {
            parts: ModelParts {
                gravity,
                ..ModelParts::default()
            },
            poses: Vec::new(),
        }
    }

    /// A body at rest.
    pub fn body(&mut self, mass: f64, inertia: Mat3, position: Vec3, orientation: Quat) -> BodyId {
        let id = BodyId(self.parts.bodies.len());
        self.parts
            .bodies
            .push(Body::new(format!("body_{}", id.0), mass, inertia));
        self.poses.push((position, orientation, Twist::default()));
        id
    }

    /// Gives a body a velocity of its centre of mass and an angular velocity, world axes.
    pub fn moving(&mut self, body: BodyId, linear: Vec3, angular: Vec3) {
        self.poses[body.0].2 = Twist { linear, angular };
    }

    /// Where a point of a body is in the world.
    pub fn place(&self, body: BodyId, point: &Vec3) -> Vec3 {
        let (position, orientation, _) = &self.poses[body.0];
        position + orientation * point
    }

    /// A uniform rod of 1/12 m l² from one point to another, thin across; its own z axis lies along it.
    pub fn rod(&mut self, mass: f64, from: Vec3, to: Vec3) -> BodyId {
        let along = to - from;
        let moment = mass * along.norm_squared() / 12.0;
        let inertia = Mat3::from_diagonal(&Vec3::new(moment, moment, 1e-3 * moment));
        let turn = Quat::rotation_between(&Vec3::z(), &along)
            .unwrap_or(Quat::from_axis_angle(&Vec3::x_axis(), std::f64::consts::PI));
        self.body(mass, inertia, (from + to) * 0.5, turn)
    }

    fn frame(&self, body: Option<BodyId>, point: Vec3, axes: Quat) -> JointFrame {
        let (position, orientation) = body.map_or((Vec3::zeros(), Quat::identity()), |b| {
            (self.poses[b.0].0, self.poses[b.0].1)
        });
        JointFrame {
            anchor: orientation.inverse_transform_vector(&(point - position)),
            orientation: orientation.inverse() * axes,
        }
    }

    /// A joint at a world point with joint frames that coincide now; the joint axis is the z axis of `axes`.
    pub fn joint_with(
        &mut self,
        kind: JointKind,
        parent: Option<BodyId>,
        child: BodyId,
        point: Vec3,
        axes: Quat,
    ) -> &mut Joint {
        let joint = Joint {
            name: format!("joint_{}", self.parts.joints.len()),
            kind,
            parent,
            child,
            parent_frame: self.frame(parent, point, axes),
            child_frame: self.frame(Some(child), point, axes),
            damping_translation: 0.0,
            damping_rotation: 0.0,
            springs: Vec::new(),
            actuators: Vec::new(),
            limits: Vec::new(),
            compliance: Default::default(),
        };
        self.parts.joints.push(joint);
        self.parts.joints.last_mut().expect("it was just pushed")
    }

    /// The same with a joint axis.
    pub fn joint(
        &mut self,
        kind: JointKind,
        parent: Option<BodyId>,
        child: BodyId,
        point: Vec3,
        axis: Vec3,
    ) -> &mut Joint {
        let axes = Quat::rotation_between(&Vec3::z(), &axis)
            .unwrap_or(Quat::from_axis_angle(&Vec3::x_axis(), std::f64::consts::PI));
        self.joint_with(kind, parent, child, point, axes)
    }

    /// The model and its first state.
    pub fn finish(self) -> (Model, State) {
        let model = Model::new(self.parts).expect("the mechanism is valid");
        let mut state = State::at_rest(&model);
        for (body, (position, orientation, velocity)) in state.bodies.iter_mut().zip(self.poses) {
            body.position = position;
            body.orientation = orientation;
            body.velocity = velocity;
        }
        (model, state)
    }
}

/// A chain of rods of 1 m and 1 kg in the y-z plane with revolute joints about x, hung from the origin;
/// angles from the downward vertical, absolute.
pub fn chain(angles: &[f64], rates: &[f64]) -> (Model, State) {
    let mut w = Workshop::new(Vec3::new(0.0, 0.0, -G));
    let (mut end, mut speed, mut parent) = (Vec3::zeros(), Vec3::zeros(), None);
    for (angle, rate) in angles.iter().zip(rates) {
        let along = Vec3::new(0.0, angle.sin(), -angle.cos());
        let omega = Vec3::new(*rate, 0.0, 0.0);
        let rod = w.rod(1.0, end, end + along);
        w.moving(rod, speed + omega.cross(&along) * 0.5, omega);
        w.joint(JointKind::Revolute, parent, rod, end, Vec3::x());
        end += along;
        speed += omega.cross(&along);
        parent = Some(rod);
    }
    w.finish()
}
