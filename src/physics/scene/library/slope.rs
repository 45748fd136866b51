//! A block on a slope: sticking and sliding friction.

use super::parameters::{Parameter, Range, Values};
use super::{Generator, bricks};
use crate::math::{Quat, Vec3};
use crate::scene::format::{BodyFile, SceneFile};
use crate::scene::value::{Number, Vector};

pub(super) const GENERATOR: Generator = Generator {
    name: "slope",
    description: "Block at rest on a slope: it slides if the slope is steeper than its friction allows",
    parameters: &[
        Parameter {
            name: "degrees",
            default: "15",
            range: Range::Number(0.0, 80.0),
            meaning: "angle of the slope to the level [degrees]",
        },
        Parameter {
            name: "mu",
            default: "0.25",
            range: Range::Number(0.0, 100.0),
            meaning: "coefficient of friction",
        },
        Parameter {
            name: "azimuth",
            default: "0",
            range: Range::Number(-360.0, 360.0),
            meaning: "direction in which the slope falls, about the vertical from the x axis [degrees]",
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

/// Edge lengths of the block (m), the longest down the slope: too flat to tip over.
const SIZE: Vec3 = Vec3::new(0.4, 0.3, 0.2);

fn build(values: &Values) -> SceneFile {
    let (degrees, mu) = (values.number("degrees"), values.number("mu"));
    let (angle, azimuth) = (degrees.to_radians(), values.number("azimuth").to_radians());
    let mut file = bricks::scene(
        format!("Block on a slope of {degrees}°"),
        "Coulomb friction in one law: below the friction angle the block does not creep at all, above it slides.",
        mu,
        0.0,
    );
    let turn = Quat::from_euler_angles(0.0, angle, azimuth);
    let block = BodyFile {
        mass: Some(Number(1.0)),
        shape: Some(bricks::block(SIZE)),
        position: Some(Vector(turn * Vec3::z() * (SIZE.z / 2.0))),
        orientation: bricks::turned(0.0, angle, azimuth),
        colour: bricks::colour("orange"),
        ..BodyFile::default()
    };
    super::parts::add(&mut file.bodies, "block".into(), block);
    file.world
        .push(bricks::ground(bricks::turned(0.0, angle, azimuth)));
    file.integrator.dt = Some(Number(values.number("dt")));
    file.duration = Some(Number(2.0));
    let target = turn * Vec3::new(0.45, 0.0, 0.0);
    let from = turn * Vec3::new(0.3, -0.9, 0.35);
    file.camera = bricks::look(target, from, 1.7);
    file
}
