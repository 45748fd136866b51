//! A cube that falls flat on the ground [Brüdigam2023 fig. 7d].

use super::parameters::{Parameter, Range, Values};
use super::{Generator, bricks, parts};
use crate::math::Vec3;
use crate::scene::format::{BodyFile, SceneFile};
use crate::scene::value::Number;

pub(super) const GENERATOR: Generator = Generator {
    name: "drop",
    description: "Cube that falls flat on the ground",
    parameters: &[
        Parameter {
            name: "height",
            default: "0.4",
            range: Range::Number(0.0, 1000.0),
            meaning: "height of its lower face above the ground at the start [m]",
        },
        Parameter {
            name: "size",
            default: "0.5",
            range: Range::Number(0.001, 1000.0),
            meaning: "edge length [m]",
        },
        Parameter {
            name: "mass",
            default: "1",
            range: Range::Number(1e-6, 1e9),
            meaning: "mass [kg]",
        },
        Parameter {
            name: "mu",
            default: "0.3",
            range: Range::Number(0.0, 100.0),
            meaning: "coefficient of friction",
        },
        Parameter {
            name: "restitution",
            default: "0",
            range: Range::Number(0.0, 1.0),
            meaning: "coefficient of restitution",
        },
        Parameter {
            name: "dt",
            default: "0.01",
            range: Range::Number(1e-6, 1.0),
            meaning: "step size [s]",
        },
    ],
    build,
};

fn build(values: &Values) -> SceneFile {
    let (height, size) = (values.number("height"), values.number("size"));
    let mut file = bricks::scene(
        format!("Cube dropped from {height} m"),
        "A cube falls and stops on the ground, not in it: look at the gap and the penetration.",
        values.number("mu"),
        values.number("restitution"),
    );
    let cube = BodyFile {
        mass: Some(Number(values.number("mass"))),
        shape: Some(bricks::block(Vec3::repeat(size))),
        position: parts::vector(0.0, 0.0, height + size / 2.0),
        colour: bricks::colour("orange"),
        ..BodyFile::default()
    };
    parts::add(&mut file.bodies, "cube".into(), cube);
    file.world.push(bricks::ground(None));
    file.integrator.dt = Some(Number(values.number("dt")));
    file.duration = Some(Number(2.0));
    let reach = size + 0.6 * height;
    let target = Vec3::new(0.0, 0.0, 0.4 * (height + size));
    file.camera = bricks::look(target, Vec3::new(0.85, -0.5, 0.3), 3.2 * reach);
    file
}
