//! What the detector finds. Specimens for the tests beside.

mod buried;
mod exhaustive;
mod laws;
mod material;
mod midway;
mod neighbours;
mod pairs;
mod passage;
mod pressed;
mod random;
mod rolling;
mod surfaces;
mod top;

use crate::contact::{Contact, Detector};
use crate::math::{Mat3, Pose, Quat, Vec3};
use crate::model::{
    Body, BodyState, ContactRules, Geometry, HeightField, Material, Model, ModelParts, Shape,
    State, Surface, Touch,
};
use std::sync::Arc;

pub fn shape(geometry: Geometry) -> Shape {
    Shape {
        geometry,
        pose: Pose::identity(),
        colour: None,
        touch: Touch::default(),
        foundations: Vec::new(),
    }
}

pub fn ball(radius: f64) -> Geometry {
    Geometry::Sphere { radius }
}

pub fn cube(size: f64) -> Geometry {
    Geometry::Box {
        size: Vec3::repeat(size),
    }
}

pub fn capsule(radius: f64, length: f64) -> Geometry {
    Geometry::Capsule { radius, length }
}

/// Bodies of one shape each, and the world.
pub fn scene(bodies: &[Geometry], world: &[Geometry]) -> Model {
    let body = |(k, geometry): (usize, &Geometry)| {
        let mut body = Body::new(format!("body {k}"), 1.0, Mat3::identity());
        body.shapes = vec![shape(geometry.clone())];
        body
    };
    let parts = ModelParts {
        bodies: bodies.iter().enumerate().map(body).collect(),
        world_shapes: world.iter().cloned().map(shape).collect(),
        contact: Some(ContactRules {
            materials: vec![Material {
                name: "plain".into(),
                friction: 0.5,
                restitution: 0.0,
                compliance: Default::default(),
            }],
            ..ContactRules::default()
        }),
        ..ModelParts::default()
    };
    Model::new(parts).unwrap()
}

pub fn at(position: [f64; 3], turn: [f64; 3]) -> BodyState {
    BodyState {
        position: position.into(),
        orientation: Quat::from_scaled_axis(turn.into()),
        ..State::at_rest(&scene(&[ball(1.0)], &[])).bodies[0]
    }
}

pub fn found(model: &Model, bodies: &[BodyState], reach: f64) -> Vec<Contact> {
    let reach = vec![reach; bodies.len()];
    let mut detector = Detector::new(model);
    let found = detector.detect(model, bodies, &reach).iter();
    found.map(|located| located.contact).collect()
}

pub fn least(contacts: &[Contact], bodies: &[BodyState]) -> f64 {
    let gaps = contacts.iter().map(|c| c.gap(bodies).distance);
    gaps.fold(f64::INFINITY, f64::min)
}

/// A regular octahedron with corners at distance 0.5 on the axes.
pub fn octahedron() -> Geometry {
    let corner = |axis: usize, sign: f64| {
        let mut v = Vec3::zeros();
        v[axis] = 0.5 * sign;
        v
    };
    let vertices = (0..6).map(|k| corner(k / 2, if k % 2 == 0 { 1.0 } else { -1.0 }));
    let triangles = vec![
        [0, 2, 4],
        [2, 1, 4],
        [1, 3, 4],
        [3, 0, 4],
        [2, 0, 5],
        [1, 2, 5],
        [3, 1, 5],
        [0, 3, 5],
    ];
    Geometry::Hull(Arc::new(Surface {
        vertices: vertices.collect(),
        triangles,
    }))
}

/// A cube of edge length 1 as triangles.
pub fn cube_of_triangles() -> Surface {
    let corner = |k: usize| {
        let side = |axis: usize| (k >> axis & 1) as f64 - 0.5;
        Vec3::new(side(0), side(1), side(2))
    };
    let squares = [
        [0, 4, 6, 2],
        [1, 3, 7, 5],
        [0, 1, 5, 4],
        [2, 6, 7, 3],
        [0, 2, 3, 1],
        [4, 5, 7, 6],
    ];
    let halves = squares
        .iter()
        .flat_map(|[a, b, c, d]| [[*a, *b, *c], [*a, *c, *d]]);
    Surface {
        vertices: (0..8).map(corner).collect(),
        triangles: halves.collect(),
    }
}

/// The same, so thin along z.
pub fn plate_of_triangles(thickness: f64) -> Surface {
    let mut plate = cube_of_triangles();
    plate.vertices.iter_mut().for_each(|v| v.z *= thickness);
    plate
}

/// A body that stays, and one that flies along a way from one side of it to the other and turns.
pub fn through(
    [stays, flies]: [BodyState; 2],
    way: Vec3,
    ends: (f64, f64),
    turn: [f64; 3],
) -> [[BodyState; 2]; 2] {
    let along = |to: f64, turn: [f64; 3]| BodyState {
        position: stays.position + way.normalize() * to,
        orientation: Quat::from_scaled_axis(turn.into()) * flies.orientation,
        ..flies
    };
    [
        [stays, along(ends.0, [0.0; 3])],
        [stays, along(-ends.1, turn)],
    ]
}

/// Ground of 5 by 5 samples over 4 m by 4 m with the given height.
pub fn ground(height: impl Fn(f64, f64) -> f64) -> Geometry {
    let at = |k: usize| k as f64 - 2.0;
    let heights = (0..25).map(|k| height(at(k % 5), at(k / 5)));
    Geometry::HeightField(Arc::new(HeightField {
        extent: [4.0, 4.0],
        samples: [5, 5],
        heights: heights.collect(),
    }))
}

/// Numbers that look random, the same every time.
pub struct Lcg(pub u64);

impl Lcg {
    /// Numbers between -1 and 1.
    pub fn vector(&mut self) -> Vec3 {
        let mut next = || {
            self.0 = self
                .0
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            (self.0 >> 33) as f64 / (1u64 << 30) as f64 - 1.0
        };
        Vec3::new(next(), next(), next())
    }
}
