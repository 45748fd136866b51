//! How large things are: the ball that holds a scene, how thick a body is, how deep the floor lies.

use crate::mesh::surfaces;
use physics::math::{Pose, Vec3};
use physics::model::{Body, Force, Geometry, Joint, Model, Shape};

/// A ball.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ball {
    /// Centre (m).
    pub centre: Vec3,
    /// Radius (m).
    pub radius: f64,
}

/// A box along the axes that grows with what it must hold.
struct Bounds {
    low: Vec3,
    high: Vec3,
}

impl Bounds {
    const EMPTY: Self = Self {
        low: Vec3::new(f64::INFINITY, f64::INFINITY, f64::INFINITY),
        high: Vec3::new(f64::NEG_INFINITY, f64::NEG_INFINITY, f64::NEG_INFINITY),
    };

    fn hold(&mut self, centre: &Vec3, radius: f64) {
        self.low = self.low.inf(&centre.add_scalar(-radius));
        self.high = self.high.sup(&centre.add_scalar(radius));
    }

    fn hold_shapes(&mut self, pose: &Pose, shapes: &[Shape]) {
        for (point, radius) in balls(pose, shapes) {
            self.hold(&point, radius);
        }
    }

    fn ball(&self) -> Ball {
        if self.low.x > self.high.x {
            return Ball {
                centre: Vec3::zeros(),
                radius: 1.0,
            };
        }
        let radius = 0.5 * (self.high - self.low).norm();
        Ball {
            centre: 0.5 * (self.low + self.high),
            radius: radius.max(1e-4),
        }
    }
}

/// Balls that together hold shapes at a pose, each by its centre and its radius (m). A half-space has no size: what lies
/// on it has.
fn balls(pose: &Pose, shapes: &[Shape]) -> impl Iterator<Item = (Vec3, f64)> {
    shapes.iter().flat_map(move |shape| {
        let pose = pose * shape.pose;
        let (points, radius) = frame(&shape.geometry);
        let at = move |point| (pose * nalgebra::Point3::from(point)).coords;
        points.into_iter().map(move |point| (at(point), radius))
    })
}

/// Balls that together hold all bodies and what they hang from in the world, each by its centre and its radius (m).
pub fn mechanism(model: &Model, poses: &[Pose]) -> Vec<(Vec3, f64)> {
    let bodies = model.bodies.iter().zip(poses);
    let shapes = bodies.flat_map(|(body, pose)| balls(pose, &body.shapes));
    let joints = model.joints.iter().filter(|j| j.parent.is_none());
    let anchors = joints.map(|joint| (joint.parent_frame.anchor, 0.0));
    let springs = model.forces.iter().filter_map(|force| match force {
        Force::Spring { ends, .. } => Some(ends),
        _ => None,
    });
    let lines = springs.chain(model.cables.iter().map(|cable| &cable.ends));
    let held = lines.flatten().filter(|end| end.body.is_none());
    let held = held.map(|end| (end.point, 0.0));
    shapes.chain(anchors).chain(held).collect()
}

/// The same, and the shapes of the world about them: what it stands on or lies in, but no track that leads far away.
pub fn mechanism_and_stand(model: &Model, poses: &[Pose]) -> Vec<(Vec3, f64)> {
    let mut found = mechanism(model, poses);
    let size = scene(model, poses).radius;
    let held = model.joints.iter().filter(|j| j.parent.is_none());
    found.extend(held.map(|j| (j.parent_frame.anchor, BRACKET * joint(model, j, size))));
    let mut bounds = Bounds::EMPTY;
    found
        .iter()
        .for_each(|(at, radius)| bounds.hold(at, *radius));
    let near = bounds.ball();
    for shape in &model.world_shapes {
        let own: Vec<_> = balls(&Pose::identity(), std::slice::from_ref(shape)).collect();
        let is_near =
            |(at, radius): &(Vec3, f64)| (at - near.centre).norm() + radius < NEAR * near.radius;
        if own.iter().all(is_near) {
            found.extend(own);
        }
    }
    found
}

/// Balls that together hold the shapes of the world, but for half-spaces, each by its centre and its radius (m).
pub fn world(model: &Model) -> Vec<(Vec3, f64)> {
    balls(&Pose::identity(), &model.world_shapes).collect()
}

/// How far from the middle of a joint its bracket reaches, in radii of the joint.
const BRACKET: f64 = 3.5;
/// How far from the middle of a mechanism what it stands on may reach, in radii of the ball that holds it.
const NEAR: f64 = 1.8;

/// Points of a geometry and a radius that together hold it; no points if it has no end.
fn frame(geometry: &Geometry) -> (Vec<Vec3>, f64) {
    let along_z = |half: f64| vec![Vec3::z() * half, Vec3::z() * -half];
    let corner = |size: &Vec3, k: usize| {
        let sign = |bit: usize| if k >> bit & 1 == 0 { -0.5 } else { 0.5 };
        size.component_mul(&Vec3::new(sign(0), sign(1), sign(2)))
    };
    // Along the longest axis, so that slender ones are held closely.
    let slender = |half: &Vec3| {
        let k = half.imax();
        let mut rest = *half;
        rest[k] = 0.0;
        let (end, radius) = (Vec3::ith(k, half[k]), rest.max());
        (
            vec![
                end * (1.0 - radius / half[k]),
                end * (radius / half[k] - 1.0),
            ],
            radius,
        )
    };
    match geometry {
        Geometry::HalfSpace => (Vec::new(), 0.0),
        Geometry::Sphere { radius } => (vec![Vec3::zeros()], *radius),
        Geometry::Capsule { radius, length } | Geometry::Cylinder { radius, length } => {
            (along_z(0.5 * length), *radius)
        }
        Geometry::Cone { radius, length } => (along_z(0.75 * length), *radius),
        Geometry::Box { size } => ((0..8).map(|k| corner(size, k)).collect(), 0.0),
        Geometry::Ellipsoid { radii } => slender(radii),
        Geometry::Hull(surface) | Geometry::Mesh(surface) => (surface.vertices.clone(), 0.0),
        Geometry::HeightField(field) => (surfaces::ground(field).vertices, 0.0),
    }
}

/// The ball that holds all bodies, the shapes of the world and the anchors in the world.
pub fn scene(model: &Model, poses: &[Pose]) -> Ball {
    bounds(model, poses).ball()
}

fn bounds(model: &Model, poses: &[Pose]) -> Bounds {
    let mut bounds = Bounds::EMPTY;
    for (body, pose) in model.bodies.iter().zip(poses) {
        bounds.hold(&pose.translation.vector, 0.0);
        bounds.hold_shapes(pose, &body.shapes);
    }
    bounds.hold_shapes(&Pose::identity(), &model.world_shapes);
    for joint in model.joints.iter().filter(|j| j.parent.is_none()) {
        bounds.hold(&joint.parent_frame.anchor, 0.0);
    }
    bounds
}

/// The ball that holds one body.
pub fn body(body: &Body, pose: &Pose) -> Ball {
    let mut bounds = Bounds::EMPTY;
    bounds.hold(&pose.translation.vector, 0.0);
    bounds.hold_shapes(pose, &body.shapes);
    bounds.ball()
}

/// Radius of the slenderest shape of a body [m]: what joints are drawn in proportion to.
pub fn girth(body: &Body) -> Option<f64> {
    let thin = |shape: &Shape| match &shape.geometry {
        Geometry::Sphere { radius }
        | Geometry::Capsule { radius, .. }
        | Geometry::Cylinder { radius, .. }
        | Geometry::Cone { radius, .. } => Some(*radius),
        Geometry::Box { size } => Some(0.5 * size.min()),
        Geometry::Ellipsoid { radii } => Some(radii.min()),
        Geometry::Hull(surface) | Geometry::Mesh(surface) => {
            let [low, high] = surfaces::span(&surface.vertices);
            Some(0.5 * (high - low).min())
        }
        Geometry::HalfSpace | Geometry::HeightField(_) => None,
    };
    body.shapes.iter().filter_map(thin).min_by(f64::total_cmp)
}

/// Radius of a joint's glyph (m) in a scene of the given radius.
pub fn joint(model: &Model, joint: &Joint, scene_radius: f64) -> f64 {
    let parent = joint.parent.map(|p| &model.bodies[p.0]);
    let bodies = [Some(&model.bodies[joint.child.0]), parent];
    let girth = bodies
        .into_iter()
        .flatten()
        .filter_map(girth)
        .min_by(f64::total_cmp);
    girth
        .unwrap_or(0.02 * scene_radius)
        .min(0.05 * scene_radius)
}

/// The highest half-space of the world whose free side is up.
pub fn level_ground(model: &Model) -> Option<&Shape> {
    let level = |s: &&Shape| {
        // A tilt below a microradian is rounding, not a slope.
        let up = s.pose.rotation * Vec3::z();
        matches!(s.geometry, Geometry::HalfSpace) && up.xy().norm() < 1e-6 && up.z > 0.0
    };
    let planes = model.world_shapes.iter().filter(level);
    planes.max_by(|a, b| height(a).total_cmp(&height(b)))
}

/// Height of a shape's centre (m).
pub fn height(shape: &Shape) -> f64 {
    shape.pose.translation.z
}

/// Height of the floor as it is drawn [m]: that of the level ground, or of a floor below everything.
pub fn drawn_floor(model: &Model, poses: &[Pose]) -> f64 {
    level_ground(model).map_or_else(|| floor(model, poses), height)
}

/// Height of the floor of a scene without level ground [m]: below everything, and below where hanging bodies can swing.
///
/// A body reaches below its anchor in the world by at most the sum of the arms on the way to it.
pub fn floor(model: &Model, poses: &[Pose]) -> f64 {
    let bounds = bounds(model, poses);
    let ball = bounds.ball();
    let lowest = bounds.low.z.min(ball.centre.z);
    let mut reach = vec![None; model.bodies.len()];
    // Joints are few and their order is arbitrary; as many sweeps as the longest path has joints settle it,
    // and a bound that is not settled is only a floor that lies higher.
    for _ in 0..model.joints.len().min(64) {
        for joint in &model.joints {
            let arm = joint.child_frame.anchor.norm();
            let below = match joint.parent {
                None => Some(joint.parent_frame.anchor.z - arm),
                Some(p) => reach[p.0].map(|z: f64| z - joint.parent_frame.anchor.norm() - arm),
            };
            if let Some(z) = below {
                let known = &mut reach[joint.child.0];
                *known = Some(known.map_or(z, |k: f64| k.max(z)));
            }
        }
    }
    let sizes = model.bodies.iter().zip(reach).filter_map(|(b, z)| {
        let size = self::body(b, &Pose::identity());
        Some(z? - size.centre.norm() - size.radius)
    });
    let swing = sizes.fold(lowest, f64::min);
    // Long chains could swing far below what one looks at.
    swing.max(lowest - 3.0 * ball.radius) - 0.04 * ball.radius
}

#[cfg(test)]
mod tests {
    use super::*;
    use physics::math::{Mat3, Quat};
    use physics::model::{BodyId, JointFrame, JointKind, ModelParts};

    fn pendulum() -> (Model, Vec<Pose>) {
        let mut rod = Body::new("rod", 1.0, Mat3::identity());
        rod.shapes = vec![Shape {
            geometry: Geometry::Capsule {
                radius: 0.05,
                length: 1.0,
            },
            pose: Pose::identity(),
            colour: None,
            touch: physics::model::Touch::default(),
            foundations: Vec::new(),
        }];
        let frame = |anchor| JointFrame {
            anchor,
            orientation: Quat::identity(),
        };
        let joint = Joint {
            name: "pivot".into(),
            kind: JointKind::Revolute,
            parent: None,
            child: BodyId(0),
            parent_frame: frame(Vec3::new(0.0, 0.0, 2.0)),
            child_frame: frame(Vec3::new(0.0, 0.0, 0.5)),
            damping_translation: 0.0,
            damping_rotation: 0.0,
            springs: Vec::new(),
            actuators: Vec::new(),
            limits: Vec::new(),
            compliance: Default::default(),
        };
        let parts = ModelParts {
            bodies: vec![rod],
            joints: vec![joint],
            ..ModelParts::default()
        };
        // It starts level, half a metre beside its pivot.
        let level = Quat::from_axis_angle(&Vec3::y_axis(), std::f64::consts::FRAC_PI_2);
        let pose = Pose::from_parts(Vec3::new(-0.5, 0.0, 2.0).into(), level);
        (Model::new(parts).unwrap(), vec![pose])
    }

    #[test]
    fn the_scene_is_held_and_the_floor_lies_below_the_swing() {
        let (model, poses) = pendulum();
        let ball = scene(&model, &poses);
        // The rod spans 1.1 m by 0.1 m by 0.1 m.
        assert!((ball.centre - Vec3::new(-0.5, 0.0, 2.0)).norm() < 1e-12);
        assert!((ball.radius - 0.5 * (1.21f64 + 0.02).sqrt()).abs() < 1e-12);
        let floor = floor(&model, &poses);
        let lowest = 2.0 - 0.05;
        // Hanging, its lower end is 1.05 m below the pivot.
        assert!(
            floor < 2.0 - 1.05 && floor > lowest - 4.0 * ball.radius,
            "{floor}"
        );
        assert_eq!(girth(&model.bodies[0]), Some(0.05));
    }

    #[test]
    fn an_empty_scene_has_a_size_too() {
        let model = Model::new(ModelParts::default()).unwrap();
        assert_eq!(scene(&model, &[]).radius, 1.0);
        assert!(floor(&model, &[]).is_finite());
    }
}
