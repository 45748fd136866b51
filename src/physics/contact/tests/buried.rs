//! Edges and corners of surfaces in solids.

use super::random::{curved, placed, pose, sharp};
use super::*;
use crate::contact::parry::reference_distance;
use crate::contact::polyhedron::Polyhedron;
use crate::contact::question::scale;
use crate::contact::solid::Solid;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use std::f64::consts::TAU;

/// A block with a step: not convex.
fn step_of_triangles() -> Surface {
    let outline = [
        [-0.5, -0.5],
        [0.5, -0.5],
        [0.5, 0.0],
        [0.0, 0.0],
        [0.0, 0.5],
        [-0.5, 0.5],
    ];
    let corner = |(k, y): (usize, f64)| Vec3::new(outline[k % 6][0], y, outline[k % 6][1]);
    let vertices = (0..12).map(|k| corner((k, if k < 6 { -0.4 } else { 0.4 })));
    let mut triangles = vec![];
    for [a, b, c] in [[0, 1, 2], [0, 2, 3], [0, 3, 4], [0, 4, 5]] {
        triangles.push([a, b, c]);
        triangles.push([a + 6, c + 6, b + 6]);
    }
    for k in 0..6 {
        let next = (k + 1) % 6;
        triangles.push([k, k + 6, next + 6]);
        triangles.push([k, next + 6, next]);
    }
    Surface {
        vertices: vertices.collect(),
        triangles,
    }
}

/// A ring of triangles about z.
fn ring_of_triangles() -> Surface {
    const N: u32 = 16;
    const M: u32 = 8;
    let vertices = (0..N * M).map(|k| {
        let (u, w) = (
            TAU * f64::from(k / M) / f64::from(N),
            TAU * f64::from(k % M) / f64::from(M),
        );
        let r = 1.0 + 0.28 * w.cos();
        Vec3::new(r * u.cos(), r * u.sin(), 0.28 * w.sin())
    });
    let number = |i: u32, j: u32| (i % N) * M + j % M;
    let squares = (0..N * M).map(|k| (k / M, k % M));
    let triangles = squares.flat_map(|(i, j)| {
        let [a, b, c, d] = [
            number(i, j),
            number(i + 1, j),
            number(i + 1, j + 1),
            number(i, j + 1),
        ];
        [[a, b, c], [a, c, d]]
    });
    Surface {
        vertices: vertices.collect(),
        triangles: triangles.collect(),
    }
}

/// The same shape, so many times as large.
fn scaled(geometry: &Geometry, by: f64) -> Geometry {
    match geometry.clone() {
        Geometry::Sphere { radius } => ball(radius * by),
        Geometry::Capsule { radius, length } => capsule(radius * by, length * by),
        Geometry::Box { size } => Geometry::Box { size: size * by },
        Geometry::Cylinder { radius, length } => Geometry::Cylinder {
            radius: radius * by,
            length: length * by,
        },
        Geometry::Cone { radius, length } => Geometry::Cone {
            radius: radius * by,
            length: length * by,
        },
        Geometry::Ellipsoid { radii } => Geometry::Ellipsoid { radii: radii * by },
        Geometry::Hull(surface) => Geometry::Hull(Arc::new(Surface {
            vertices: surface.vertices.iter().map(|v| v * by).collect(),
            triangles: surface.triangles.clone(),
        })),
        other => other,
    }
}

/// How far a solid is from the triangles of a surface (m).
fn apart(geometry: &Geometry, surface: &Surface, bodies: &[BodyState]) -> f64 {
    let model = scene(std::slice::from_ref(geometry), &[]);
    let solid = &placed(&model, bodies)[0];
    let distance = |t: &[u32; 3]| {
        let [a, b, c] = t.map(|k| surface.vertices[k as usize]);
        let mut triangle = Polyhedron::segment(a, b, 0.0);
        triangle.corners.extend(Polyhedron::point(c, 0.0).corners);
        reference_distance(solid, &triangle) - solid.radius
    };
    surface
        .triangles
        .iter()
        .map(distance)
        .fold(f64::INFINITY, f64::min)
}

/// A solid that comes along a line and lies in a surface by a little.
struct Sunk {
    solid: Geometry,
    body: BodyState,
    /// How far it went on since it touched the surface (m).
    beyond: f64,
    /// How deep a point of the surface is in it at least (m).
    depth: f64,
}

impl Sunk {
    /// It goes on by a part of a fiftieth of the scale of the pair; nothing if it misses the surface.
    fn new(solid: Geometry, surface: &Surface, mut body: BodyState, part: f64) -> Option<Self> {
        let out = body.position.try_normalize(1e-3)?;
        body.position = out * 3.0;
        let touches = (0..300).any(|_| {
            let distance = apart(&solid, surface, &[body]);
            body.position -= out * distance;
            distance < 1e-9
        });
        let pair = Solid::all(&model(&solid, surface));
        let beyond = 0.02 * part * scale([&pair[0], &pair[1]]);
        body.position -= out * beyond;
        // A point of a smaller solid is as deep in it as the largest ball about its middle is larger.
        let cuts = |kept: f64| apart(&scaled(&solid, kept), surface, &[body]) < 1e-10;
        let (mut within, mut without) = (1.0, 0.9);
        for _ in 0..20 {
            let middle = 0.5 * (within + without);
            *if cuts(middle) {
                &mut within
            } else {
                &mut without
            } = middle;
        }
        let ball = match &solid {
            Geometry::Cone { radius, length } => 0.25 * radius.min(*length),
            Geometry::Hull(hull) => 0.5 * hull.vertices[0].norm(),
            _ => 0.5 * pair[0].size,
        };
        let depth = (1.0 - within) * ball;
        touches.then_some(Self {
            solid,
            body,
            beyond,
            depth,
        })
    }
}

fn model(solid: &Geometry, surface: &Surface) -> Model {
    let surface = Geometry::Mesh(Arc::new(surface.clone()));
    scene(std::slice::from_ref(solid), &[surface])
}

/// What a surface cuts has a contact that says so, and hardly ever one that is deeper than the way that it went in.
#[test]
fn what_a_surface_cuts_is_told_and_by_how_much() {
    let Geometry::Hull(octahedron) = octahedron() else {
        unreachable!("it is a hull");
    };
    let surfaces = [
        cube_of_triangles(),
        (*octahedron).clone(),
        plate_of_triangles(0.1),
        step_of_triangles(),
    ];
    let mut runner = TestRunner::deterministic();
    // Flat ones that lie in each other at two edges may part along either.
    for (solids, most_too_deep) in [(sharp().boxed(), 20), (curved().boxed(), 3)] {
        let (mut looked, mut missed, mut too_deep) = (0, 0, 0);
        let thrown = (solids, pose(), 0.2..1.0f64);
        for k in 0..1200 {
            let (solid, body, part) = thrown.new_tree(&mut runner).unwrap().current();
            let surface = &surfaces[k % surfaces.len()];
            let Some(sunk) = Sunk::new(solid, surface, body, part) else {
                continue;
            };
            let bodies = [sunk.body];
            let gap = least(&found(&model(&sunk.solid, surface), &bodies, 0.05), &bodies);
            looked += 1;
            missed += usize::from(gap > -0.5 * sunk.depth);
            too_deep += usize::from(gap < -1.05 * sunk.beyond);
        }
        assert!(looked > 1000, "{looked}");
        assert!(missed <= 1, "{missed} of {looked} not told");
        assert!(
            too_deep <= most_too_deep,
            "{too_deep} of {looked} told to be deeper"
        );
    }
}

/// A disc in the inner edge of a ring by 2.4 mm, more than edges reach.
#[test]
fn what_is_deeper_than_edges_reach_is_told() {
    let disc = Geometry::Cylinder {
        radius: 0.1,
        length: 0.04,
    };
    let ring = ring_of_triangles();
    let mut body = at([-0.547004, 0.387044, 0.068733], [0.0; 3]);
    let turn = nalgebra::Quaternion::new(-0.190765, 0.583298, -0.450344, -0.648507);
    body.orientation = Quat::new_normalize(turn);
    assert!(apart(&scaled(&disc, 0.97), &ring, &[body]) < 1e-10);
    let gap = least(&found(&model(&disc, &ring), &[body], 0.02), &[body]);
    assert!((gap + 2.437e-3).abs() < 1e-5, "{gap}");
}

/// A ring that a corner stands on a plate with: a corner of the plate is far behind a face of its far side, which is near the plate, and
/// before its near side, which is not.
#[test]
fn what_is_beyond_another_side_is_not_behind_a_face() {
    let mut plate = plate_of_triangles(0.012);
    for v in &mut plate.vertices {
        *v = Vec3::new(2.0 * v.x, 1.6 * v.y, v.z);
    }
    let [plate, ring] = [plate, ring_of_triangles()].map(|s| Geometry::Mesh(Arc::new(s)));
    let model = scene(&[ring], &[plate]);
    let mut body = at([0.9461378, 0.2732342, 0.7752291], [0.0; 3]);
    let turn = nalgebra::Quaternion::new(0.0448031, 0.9541666, -0.151281, 0.2543085);
    body.orientation = Quat::new_normalize(turn);
    for reach in [1e-4, 1e-3, 5e-3, 1e-2, 0.02, 0.03] {
        let gap = least(&found(&model, &[body], reach), &[body]);
        assert!(gap > 0.0 && gap < 1e-3, "{reach}: {gap}");
    }
}
