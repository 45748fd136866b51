//! Stacks of boxes and columns of spheres.

use super::parameters::{Parameter, Range, Values};
use super::{Generator, bricks, parts};
use crate::math::Vec3;
use crate::scene::format::{BodyFile, SceneFile};
use crate::scene::value::Number;

pub(super) const BOXES: Generator = Generator {
    name: "box-stack",
    description: "Boxes on top of each other",
    parameters: &[
        Parameter {
            name: "boxes",
            default: "10",
            range: Range::Whole(1, 1000),
            meaning: "number of cubes (0.5 m, 1 kg)",
        },
        Parameter {
            name: "offset",
            default: "0",
            range: Range::Number(0.0, 0.2),
            meaning: "by how much cubes lie to one side and the other [edge lengths] and are turned [rad], in turn",
        },
        Parameter {
            name: "mu",
            default: "0.5",
            range: Range::Number(0.0, 100.0),
            meaning: "coefficient of friction",
        },
    ],
    build: boxes,
};

pub(super) const SPHERES: Generator = Generator {
    name: "sphere-stack",
    description: "Spheres on top of each other, in a column that only symmetry keeps upright",
    parameters: &[
        Parameter {
            name: "spheres",
            default: "100",
            range: Range::Whole(1, 1000),
            meaning: "number of spheres (radius 0.25 m)",
        },
        Parameter {
            name: "mass_ratio",
            default: "1",
            range: Range::Number(1e-6, 1e6),
            meaning: "mass of the topmost sphere over that of the lowest, which has 1 kg; in equal ratios in between",
        },
        Parameter {
            name: "mu",
            default: "0.5",
            range: Range::Number(0.0, 100.0),
            meaning: "coefficient of friction",
        },
    ],
    build: spheres,
};

const EDGE: f64 = 0.5;
const RADIUS: f64 = 0.25;

fn boxes(values: &Values) -> SceneFile {
    let (count, offset) = (values.count("boxes"), values.number("offset"));
    let mut file = bricks::scene(
        format!("Stack of {count} boxes"),
        "A stack that stands: no box sinks or creeps, however long it is watched. Pull one out.",
        values.number("mu"),
        0.0,
    );
    for k in 0..count {
        let side = if k % 2 == 0 { offset } else { -offset };
        let cube = BodyFile {
            mass: Some(Number(1.0)),
            shape: Some(bricks::block(Vec3::repeat(EDGE))),
            position: parts::vector(
                side * EDGE / 2.0,
                side * EDGE / 2.0,
                EDGE * (k as f64 + 0.5),
            ),
            orientation: bricks::turned(0.0, 0.0, side),
            colour: bricks::colour(["blue", "orange", "teal"][k % 3]),
            ..BodyFile::default()
        };
        parts::add(&mut file.bodies, format!("box_{}", k + 1), cube);
    }
    finish(&mut file, count as f64 * EDGE);
    file
}

fn spheres(values: &Values) -> SceneFile {
    let (count, ratio) = (values.count("spheres"), values.number("mass_ratio"));
    let mut file = bricks::scene(
        format!("Column of {count} spheres"),
        "The lowest sphere carries all others on one point. Touch the column and it comes down.",
        values.number("mu"),
        0.0,
    );
    for k in 0..count {
        let share = k as f64 / (count - 1).max(1) as f64;
        let sphere = BodyFile {
            mass: Some(Number(ratio.powf(share))),
            shape: Some(bricks::ball(RADIUS)),
            position: parts::vector(0.0, 0.0, RADIUS * (2 * k + 1) as f64),
            colour: bricks::colour(["blue", "orange", "teal"][k % 3]),
            ..BodyFile::default()
        };
        parts::add(&mut file.bodies, format!("sphere_{}", k + 1), sphere);
    }
    finish(&mut file, 2.0 * RADIUS * count as f64);
    file
}

/// Ground, duration and camera of a stack of the given height (m).
fn finish(file: &mut SceneFile, height: f64) {
    file.world.push(bricks::ground(None));
    file.duration = Some(Number(10.0));
    let target = Vec3::new(0.0, 0.0, 0.52 * height);
    file.camera = bricks::look(target, Vec3::new(0.85, -0.5, 0.22), 1.0 + 1.7 * height);
}
