//! Many bodies that fall into a pit.

use super::parameters::{Parameter, Range, Values};
use super::random::Random;
use super::{Generator, bricks, parts};
use crate::math::Vec3;
use crate::scene::format::{BodyFile, HullFile, OrientationFile, RoundFile, SceneFile, ShapeFile};
use crate::scene::value::{Number, Numbers, Vector};

pub(super) const GENERATOR: Generator = Generator {
    name: "pit",
    description: "Bodies of random shapes that fall into a pit with a square floor",
    parameters: &[
        Parameter {
            name: "bodies",
            default: "300",
            range: Range::Whole(1, 10_000),
            meaning: "number of bodies",
        },
        Parameter {
            name: "seed",
            default: "1",
            range: Range::Whole(0, u32::MAX),
            meaning: "which of the random pits; the same seed gives the same pit everywhere",
        },
        Parameter {
            name: "kind",
            default: "mixed",
            range: Range::Choice(&["mixed", "spheres"]),
            meaning: "spheres, boxes, capsules, cylinders, cones and hulls; or spheres alone",
        },
        Parameter {
            name: "width",
            default: "3",
            range: Range::Number(1.0, 1000.0),
            meaning: "width of the pit [m]; bodies measure about 0.4 m",
        },
        Parameter {
            name: "mu",
            default: "0.5",
            range: Range::Number(0.0, 100.0),
            meaning: "coefficient of friction",
        },
        Parameter {
            name: "mass_ratio",
            default: "1",
            range: Range::Number(1.0, 1e6),
            meaning: "largest mass over the least; spread evenly by their logarithms, about 1 kg",
        },
    ],
    build,
};

/// Largest distance of a body's surface from its centre (m).
const REACH: f64 = 0.25;
/// Distance between neighbouring bodies at the start [m]: in no orientation do they touch.
const SPACING: f64 = 2.04 * REACH;
/// Thickness of the walls (m); nothing is fast enough to pass them in a step.
const WALL: f64 = 0.3;

fn build(values: &Values) -> SceneFile {
    let (count, width) = (values.count("bodies"), values.number("width"));
    let ratio = values.number("mass_ratio");
    let mixed = values.text("kind") == "mixed";
    let mut random = Random::new(values.count("seed") as u64);
    let mut file = bricks::scene(
        format!("Pit with {count} bodies"),
        "Everything falls on everything: nothing sinks in, nothing escapes, and no step fails. Stir it.",
        values.number("mu"),
        0.0,
    );
    let along = ((width / SPACING) as usize).max(1);
    let cell = width / along as f64;
    for k in 0..count {
        let place = [k % along, k / along % along, k / (along * along)].map(|n| n as f64);
        // What the cells leave free is spread by chance, so that no column stands by symmetry.
        let free = (cell - 2.0 * REACH) / 2.0;
        let jitter = Vec3::new(random.symmetric(), random.symmetric(), 0.0) * free;
        let (x, y) = ((place[0] + 0.5) * cell, (place[1] + 0.5) * cell);
        let centre = Vec3::new(x - width / 2.0, y - width / 2.0, (place[2] + 0.6) * SPACING);
        let body = BodyFile {
            mass: Some(Number(ratio.powf(random.symmetric() / 2.0))),
            shape: Some(shape(if mixed { k % 6 } else { 0 }, &mut random)),
            position: Some(Vector(centre + jitter)),
            orientation: Some(orientation(&mut random)),
            colour: bricks::colour(["blue", "orange", "teal", "rose", "sky", "sand"][k % 6]),
            ..BodyFile::default()
        };
        parts::add(&mut file.bodies, format!("body_{}", k + 1), body);
    }
    file.world.push(bricks::ground(None));
    let height = 0.5 * width + 0.3;
    for (x, y) in [(1.0, 0.0), (-1.0, 0.0), (0.0, 1.0), (0.0, -1.0)] {
        let shift = (width + WALL) / 2.0;
        // Walls along x fill the corners.
        let size = if x == 0.0 {
            Vec3::new(width + 2.0 * WALL, WALL, height)
        } else {
            Vec3::new(WALL, width, height)
        };
        file.world.push(ShapeFile {
            at: parts::vector(x * shift, y * shift, height / 2.0),
            colour: bricks::colour("grey"),
            ..bricks::block(size)
        });
    }
    file.duration = Some(Number(5.0));
    let target = Vec3::new(0.0, 0.0, 0.35 * width);
    file.camera = bricks::look(target, Vec3::new(0.75, -0.45, 0.75), 2.6 * width);
    file
}

/// A shape within the reach.
fn shape(kind: usize, random: &mut Random) -> ShapeFile {
    let mut size = |share: f64| Number(REACH * share * (0.85 + 0.15 * random.symmetric()));
    let round = |radius, length| {
        Some(RoundFile {
            radius,
            length: Some(length),
        })
    };
    match kind {
        0 => bricks::ball(size(1.0).0),
        1 => bricks::block(Vec3::new(size(1.2).0, size(1.1).0, size(1.0).0)),
        2 => ShapeFile {
            capsule: round(size(0.5), size(0.9)),
            ..ShapeFile::default()
        },
        3 => ShapeFile {
            cylinder: round(size(0.65), size(1.2)),
            ..ShapeFile::default()
        },
        4 => ShapeFile {
            // Its tip is three quarters of its length from its centre.
            cone: round(size(0.8), size(1.25)),
            ..ShapeFile::default()
        },
        _ => ShapeFile {
            hull: Some(HullFile {
                points: hull(random),
                ..HullFile::default()
            }),
            ..ShapeFile::default()
        },
    }
}

/// Corners of an octahedron, each moved by chance, which keeps the hull a solid around its centre.
fn hull(random: &mut Random) -> Vec<Vector> {
    let axes = [Vec3::x(), Vec3::y(), Vec3::z()];
    let mut corner = |axis: Vec3| {
        let moved = axis + random.vector() * 0.3;
        Vector(moved.normalize() * (0.95 * REACH))
    };
    axes.iter()
        .flat_map(|a| [*a, -a])
        .map(&mut corner)
        .collect()
}

/// Any rotation, all equally likely: a direction on the sphere in four dimensions.
fn orientation(random: &mut Random) -> OrientationFile {
    let quaternion = loop {
        let q = [(); 4].map(|()| random.symmetric());
        let square: f64 = q.iter().map(|x| x * x).sum();
        if (0.01..=1.0).contains(&square) {
            break q.to_vec();
        }
    };
    OrientationFile {
        quaternion: Some(Numbers(quaternion)),
        ..OrientationFile::default()
    }
}
