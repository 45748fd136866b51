//! Meshes for tests, and how deep convex bodies are in them.

use driftless::math::Vec3;
use driftless::model::{BodyState, Geometry, Model, Shape};
use std::f64::consts::TAU;
use std::path::PathBuf;
use std::sync::OnceLock;

/// Meshes by name.
pub const MESHES: [&str; 4] = ["plate", "sheet", "angle", "ring"];

/// A plate of that thickness.
fn plate(thickness: f64) -> String {
    let corner = |k: usize| {
        let side = |axis: usize| (k >> axis & 1) as f64 - 0.5;
        let (x, y, z) = (0.5 * side(0), 0.4 * side(1), thickness * side(2));
        format!("v {x} {y} {z}\n")
    };
    let squares = [
        [1, 5, 7, 3],
        [2, 4, 8, 6],
        [1, 2, 6, 5],
        [3, 7, 8, 4],
        [1, 3, 4, 2],
        [5, 6, 8, 7],
    ];
    let face = |[a, b, c, d]: [usize; 4]| format!("f {a} {b} {c}\nf {a} {c} {d}\n");
    (0..8).map(corner).chain(squares.map(face)).collect()
}

/// A bar of an L-shaped profile.
fn angle() -> String {
    let profile = [
        (0.0, 0.0),
        (0.3, 0.0),
        (0.3, 0.08),
        (0.08, 0.08),
        (0.08, 0.3),
        (0.0, 0.3),
    ];
    let corners = [-0.06, 0.06].into_iter().flat_map(|z| {
        let corner = move |(x, y): (f64, f64)| format!("v {x} {y} {z}\n");
        profile.map(corner)
    });
    let ends = [[1, 2, 3], [1, 3, 4], [1, 4, 5], [1, 5, 6]].map(|[a, b, c]| {
        let [d, e, f] = [a, b, c].map(|k| k + 6);
        format!("f {c} {b} {a}\nf {d} {e} {f}\n")
    });
    let sides = (1..=6).map(|a| {
        let b = a % 6 + 1;
        let [c, d] = [a, b].map(|k| k + 6);
        format!("f {a} {b} {d}\nf {a} {d} {c}\n")
    });
    corners.chain(ends).chain(sides).collect()
}

/// A ring of 16 pieces of eight sides.
fn ring() -> String {
    let corner = |k: usize| {
        let (u, w) = (TAU * (k / 8) as f64 / 16.0, TAU * (k % 8) as f64 / 8.0);
        let out = 0.25 + 0.07 * w.cos();
        format!("v {} {} {}\n", out * u.cos(), out * u.sin(), 0.07 * w.sin())
    };
    let number = |i: usize, j: usize| i % 16 * 8 + j % 8 + 1;
    let square = |k: usize| {
        let (i, j) = (k / 8, k % 8);
        let [a, b, c, d] = [(0, 0), (1, 0), (1, 1), (0, 1)].map(|(m, n)| number(i + m, j + n));
        format!("f {a} {b} {c}\nf {a} {c} {d}\n")
    };
    (0..128).map(corner).chain((0..128).map(square)).collect()
}

/// The folder with the meshes.
fn folder() -> &'static PathBuf {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    FOLDER.get_or_init(|| {
        let name = format!("driftless-surfaces-{}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&folder).expect("there is room for meshes");
        let texts = [plate(0.03), plate(0.003), angle(), ring()];
        for (mesh, text) in MESHES.iter().zip(texts) {
            std::fs::write(folder.join(format!("{mesh}.obj")), text).expect("there is room");
        }
        folder
    })
}

/// One of them as a shape of a scene.
pub fn mesh(name: &str, scale: f64) -> String {
    let file = folder().join(format!("{name}.obj"));
    format!("mesh: (file: {file:?}, scale: {scale})")
}

/// How deep a point, in the frame of a convex shape, is in it at least (m).
fn depth(geometry: &Geometry, p: &Vec3) -> f64 {
    let across = p.x.hypot(p.y);
    match geometry {
        Geometry::Sphere { radius } => radius - p.norm(),
        Geometry::Box { size } => (size * 0.5 - p.abs()).min(),
        Geometry::Capsule { radius, length } => {
            let along = p.z.clamp(-0.5 * length, 0.5 * length);
            radius - across.hypot(p.z - along)
        }
        Geometry::Cylinder { radius, length } => (radius - across).min(0.5 * length - p.z.abs()),
        Geometry::Cone { radius, length } => {
            let height = p.z + 0.25 * length;
            let side = radius * (1.0 - height / length) - across;
            height.min(side * length / radius.hypot(*length))
        }
        Geometry::Ellipsoid { radii } => (1.0 - p.component_div(radii).norm()) * radii.min(),
        _ => f64::NEG_INFINITY,
    }
}

/// Points all over the triangles of a shape, in the frame of its body (m).
fn points(shape: &Shape) -> Vec<Vec3> {
    const PARTS: u32 = 24;
    let Geometry::Mesh(surface) = &shape.geometry else {
        return Vec::new();
    };
    let of_triangle = |triangle: &[u32; 3]| {
        let [a, b, c] = triangle.map(|k| surface.vertices[k as usize]);
        let part = move |k: u32| f64::from(k) / f64::from(PARTS);
        let pairs = (0..=PARTS).flat_map(move |i| (0..=PARTS - i).map(move |j| (part(i), part(j))));
        pairs.map(move |(u, v)| a + (b - a) * u + (c - a) * v)
    };
    let all = surface.triangles.iter().flat_map(of_triangle);
    all.map(|p| (shape.pose * nalgebra::Point3::from(p)).coords)
        .collect()
}

/// The surfaces of a model: each a body or the world, and points all over it.
pub struct Surfaces(Vec<(Option<usize>, Vec<Vec3>)>);

impl Surfaces {
    pub fn of(model: &Model) -> Self {
        let of_bodies = model.bodies.iter().enumerate();
        let of_bodies = of_bodies.flat_map(|(k, b)| b.shapes.iter().map(move |s| (Some(k), s)));
        let all = of_bodies.chain(model.world_shapes.iter().map(|s| (None, s)));
        let all = all.map(|(body, shape)| (body, points(shape)));
        Self(all.filter(|(_, points)| !points.is_empty()).collect())
    }

    /// The deepest that a convex body is in one of them, in its least half-width.
    pub fn deepest(&self, model: &Model, bodies: &[BodyState]) -> f64 {
        let mut deepest = 0.0_f64;
        for (k, body) in model.bodies.iter().enumerate() {
            for shape in &body.shapes {
                // The middle is as deep as a point may be.
                let most = depth(&shape.geometry, &Vec3::zeros());
                for (other, points) in self.0.iter().filter(|(o, _)| *o != Some(k)) {
                    for point in points {
                        let there = other.map_or(*point, |b| {
                            bodies[b].position + bodies[b].orientation * point
                        });
                        let own = bodies[k].orientation.inverse() * (there - bodies[k].position);
                        let own = shape.pose.inverse() * nalgebra::Point3::from(own);
                        deepest = deepest.max(depth(&shape.geometry, &own.coords) / most);
                    }
                }
            }
        }
        deepest
    }
}
