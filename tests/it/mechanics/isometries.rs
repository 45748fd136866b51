//! Mechanisms turned or mirrored, with all that has a direction.
//!
//! With `W` the orthogonal matrix of the world and `s` its determinant, a vector becomes `W v`, an angular one (an angular
//! velocity, a torque, the vector part of a quaternion) `s W v`, and the axes of every body go along: an orientation
//! `R` becomes `W R Wᵀ`, what is fixed to the body is changed like what is in the world. A reflected frame is left-handed:
//! one of its axes is turned round, and with it the signs of coordinates.

use crate::mechanics::likeness::Likeness;
use crate::mechanics::similar::Factors;
use driftless::math::{Mat3, Quat, Vec3};
use driftless::model::{
    Attachment, Force, Geometry, HeightField, Joint, JointFrame, JointId, JointKind, Model, Shape,
    Signal, State, Surface,
};
use driftless::scene::Scene;
use driftless::sim::{DragGoal, Input};
use std::sync::Arc;

/// A rotation about the world's origin or a reflection through it.
#[derive(Debug, Clone, Copy)]
pub struct Isometry {
    matrix: Mat3,
    /// Determinant, ±1.
    sign: f64,
}

impl Isometry {
    /// A turn by a rotation vector [rad].
    pub fn turn(by: Vec3) -> Self {
        let matrix = Quat::from_scaled_axis(by).to_rotation_matrix().into_inner();
        Self { matrix, sign: 1.0 }
    }

    /// A reflection through the plane through the origin with that normal.
    pub fn mirror(normal: Vec3) -> Self {
        let n = normal.normalize();
        Self {
            matrix: Mat3::identity() - 2.0 * n * n.transpose(),
            sign: -1.0,
        }
    }

    fn mirrors(&self) -> bool {
        self.sign < 0.0
    }

    fn vector(&self, v: &Vec3) -> Vec3 {
        self.matrix * v
    }

    fn axial(&self, v: &Vec3) -> Vec3 {
        self.matrix * v * self.sign
    }

    /// `W R Wᵀ`.
    fn orientation(&self, q: &Quat) -> Quat {
        let v = self.axial(&Vec3::new(q.i, q.j, q.k));
        let q = nalgebra::Quaternion::new(q.w, v.x, v.y, v.z);
        Quat::new_unchecked(q)
    }

    /// `W R S`, where `S` is what the frame's own axes become: right-handed again.
    fn frame(&self, q: &Quat, own: &Mat3) -> Quat {
        let turned = nalgebra::Rotation3::from_matrix_unchecked(self.matrix * own);
        self.orientation(q) * Quat::from_rotation_matrix(&turned)
    }

    /// What the axes of a joint's frames become: reflected, one is turned round, another one in each joint.
    fn own(&self, joint: JointId) -> Vec3 {
        let mut own = Vec3::repeat(1.0);
        own[joint.0 % 3] = self.sign;
        own
    }

    /// Sign of a coordinate of a joint.
    fn coordinate(&self, joint: JointId, kind: JointKind, coordinate: usize) -> f64 {
        let own = self.own(joint);
        let along: &[usize] = match kind.free_translations() {
            1 => &[2],
            n => &[0, 1, 2][..n],
        };
        let about: &[usize] = match kind.free_rotations() {
            1 => &[2],
            2 => &[2, 0],
            n => &[0, 1, 2][..n],
        };
        match along.get(coordinate) {
            Some(axis) => own[*axis],
            None => self.sign * own[about[coordinate - along.len()]],
        }
    }

    fn joint(&self, id: JointId, joint: &mut Joint) {
        let own = Mat3::from_diagonal(&self.own(id));
        let frame = |from: &JointFrame| JointFrame {
            anchor: self.vector(&from.anchor),
            orientation: self.frame(&from.orientation, &own),
        };
        joint.parent_frame = frame(&joint.parent_frame);
        joint.child_frame = frame(&joint.child_frame);
        let kind = joint.kind;
        let sign = |coordinate| self.coordinate(id, kind, coordinate);
        for spring in &mut joint.springs {
            spring.rest *= sign(spring.coordinate);
        }
        for limit in &mut joint.limits {
            if sign(limit.coordinate) < 0.0 {
                (limit.lower, limit.upper) = (-limit.upper, -limit.lower);
            }
        }
        for actuator in &mut joint.actuators {
            let sign = sign(actuator.coordinate);
            actuator.command = times(&actuator.command, sign);
            if let Some(pd) = &mut actuator.pd {
                pd.target = times(&pd.target, sign);
                pd.rate = times(&pd.rate, sign);
            }
        }
    }

    /// A shape with what its own axes become: every solid is symmetric about its y-z plane, and a grid of heights about
    /// its diagonal, along which its cells are divided.
    fn shape(&self, shape: &mut Shape) {
        let mut own = Mat3::identity();
        if self.mirrors() {
            own = match &shape.geometry {
                Geometry::HeightField(_) => Mat3::new(0.0, 1.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0),
                _ => Mat3::from_diagonal(&Vec3::new(-1.0, 1.0, 1.0)),
            };
            let surface = |from: &Surface| Surface {
                vertices: from.vertices.iter().map(|v| own * v).collect(),
                triangles: from
                    .triangles
                    .iter()
                    .map(|[a, b, c]| [*a, *c, *b])
                    .collect(),
            };
            shape.geometry = match &shape.geometry {
                Geometry::Hull(from) => Geometry::Hull(Arc::new(surface(from))),
                Geometry::Mesh(from) => Geometry::Mesh(Arc::new(surface(from))),
                Geometry::HeightField(from) => {
                    let [nx, ny] = from.samples;
                    let columns = (0..nx).flat_map(|x| (0..ny).map(move |y| y * nx + x));
                    Geometry::HeightField(Arc::new(HeightField {
                        extent: [from.extent[1], from.extent[0]],
                        samples: [ny, nx],
                        heights: columns.map(|k| from.heights[k]).collect(),
                    }))
                }
                symmetric => symmetric.clone(),
            };
        }
        shape.pose.rotation = self.frame(&shape.pose.rotation, &own);
        shape.pose.translation.vector = self.vector(&shape.pose.translation.vector);
    }

    fn ends(&self, ends: &mut [Attachment; 2]) {
        ends.iter_mut()
            .for_each(|e| e.point = self.vector(&e.point));
    }

    /// A force as forces: each component of a wrench changes with time by itself, along an axis that is none any more.
    fn force(&self, mut force: Force) -> Vec<Force> {
        let (from, pushes, torques) = match &mut force {
            Force::Spring { ends, .. } => {
                self.ends(ends);
                return vec![force];
            }
            Force::Wrench {
                point,
                force,
                torque,
                ..
            } => {
                *point = self.vector(point);
                let (force, torque) = (force.clone(), torque.clone());
                (point.to_owned(), force, torque)
            }
        };
        let Force::Wrench {
            name, body, axes, ..
        } = force
        else {
            unreachable!("a spring was returned")
        };
        let part = |k: usize| Force::Wrench {
            name: format!("{name} {k}"),
            body,
            point: from,
            axes,
            force: [0, 1, 2].map(|i| times(&pushes[k], self.matrix[(i, k)])),
            torque: [0, 1, 2].map(|i| times(&torques[k], self.sign * self.matrix[(i, k)])),
        };
        (0..3).map(part).collect()
    }

    fn model(&self, model: &Model) -> Model {
        let mut parts = model.parts();
        parts.gravity = self.vector(&parts.gravity);
        for body in &mut parts.bodies {
            let inertia = self.matrix * body.inertia * self.matrix.transpose();
            body.inertia = (inertia + inertia.transpose()) * 0.5;
            body.origin = self.vector(&body.origin);
            body.shapes.iter_mut().for_each(|shape| self.shape(shape));
        }
        for (k, joint) in parts.joints.iter_mut().enumerate() {
            self.joint(JointId(k), joint);
        }
        for term in parts.couplings.iter_mut().flat_map(|c| &mut c.terms) {
            let kind = parts.joints[term.joint.0].kind;
            term.factor *= self.coordinate(term.joint, kind, term.coordinate);
        }
        parts.forces = parts
            .forces
            .into_iter()
            .flat_map(|f| self.force(f))
            .collect();
        parts.cables.iter_mut().for_each(|c| self.ends(&mut c.ends));
        parts.world_shapes.iter_mut().for_each(|s| self.shape(s));
        Model::new(parts).unwrap_or_else(|e| panic!("{self:?}: {e:?}"))
    }
}

impl Likeness for Isometry {
    fn scene(&self, scene: &Scene) -> Scene {
        let mut like = scene.clone();
        like.model = self.model(&scene.model);
        like.state = self.state(&scene.state);
        for (k, (joint, angles)) in scene
            .model
            .joints
            .iter()
            .zip(&mut like.state.angles)
            .enumerate()
        {
            let (kind, first) = (joint.kind, joint.kind.free_translations());
            if let 1 | 2 = kind.free_rotations() {
                for (n, angle) in angles.iter_mut().enumerate().take(kind.free_rotations()) {
                    *angle *= self.coordinate(JointId(k), kind, first + n);
                }
            }
        }
        like
    }

    fn state(&self, state: &State) -> State {
        let mut state = state.clone();
        for body in &mut state.bodies {
            body.position = self.vector(&body.position);
            body.orientation = self.orientation(&body.orientation);
            body.velocity.linear = self.vector(&body.velocity.linear);
            body.velocity.angular = self.axial(&body.velocity.angular);
            body.momentum = self.vector(&body.momentum);
            body.angular_momentum = self.axial(&body.angular_momentum);
        }
        for reaction in &mut state.reactions {
            reaction.force = self.vector(&reaction.force);
            reaction.torque = self.axial(&reaction.torque);
        }
        state
    }

    fn input(&self, model: &Model, input: &Input) -> Input {
        let mut input = input.clone();
        if let Some(drag) = &mut input.drag {
            drag.point = self.vector(&drag.point);
            drag.goal = match drag.goal {
                DragGoal::Pull(to) => DragGoal::Pull(self.vector(&to)),
                DragGoal::Turn(to) => DragGoal::Turn(self.orientation(&to)),
            };
        }
        for command in &mut input.commands {
            let kind = model.joints[command.joint.0].kind;
            command.value *= self.coordinate(command.joint, kind, command.coordinate);
        }
        for wrench in &mut input.wrenches {
            wrench.point = self.vector(&wrench.point);
            wrench.force = self.vector(&wrench.force);
            wrench.torque = self.axial(&wrench.torque);
        }
        input
    }
}

fn times(signal: &Signal, factor: f64) -> Signal {
    Factors::new(1.0, 1.0).signal(signal, factor)
}
