//! A chain of spheres that falls on the ground [Brüdigam2023 fig. 8b].

use super::parameters::{Parameter, Range, Values};
use super::{Generator, bricks, parts};
use crate::math::Vec3;
use crate::scene::format::{BodyFile, JointFile, Kind, RoundFile, SceneFile, ShapeFile};
use crate::scene::value::Number;
use std::f64::consts::FRAC_PI_4;

pub(super) const GENERATOR: Generator = Generator {
    name: "sphere-chain",
    description: "Chain of spheres on spherical joints that leans at 45° and falls on the ground",
    parameters: &[
        Parameter {
            name: "spheres",
            default: "100",
            range: Range::Whole(1, 1000),
            meaning: "number of spheres (radius 0.25 m, 1 kg, 1 m apart)",
        },
        Parameter {
            name: "mu",
            default: "1",
            range: Range::Number(0.0, 100.0),
            meaning: "coefficient of friction",
        },
    ],
    build,
};

const RADIUS: f64 = 0.25;
const SPACING: f64 = 1.0;

fn build(values: &Values) -> SceneFile {
    let count = values.count("spheres");
    let mut file = bricks::scene(
        format!("Chain of {count} spheres"),
        "Joints and contacts in one solve: the chain falls, bounces nowhere and sinks nowhere, at a cost linear in n.",
        values.number("mu"),
        0.0,
    );
    for k in 1..=count {
        let mut shapes = vec![bricks::ball(RADIUS)];
        if k > 1 {
            // The rod that keeps the distance; it is only drawn.
            shapes.push(ShapeFile {
                capsule: Some(RoundFile {
                    radius: Number(0.2 * RADIUS),
                    length: None,
                }),
                from: parts::vector(0.0, 0.0, RADIUS),
                to: parts::vector(0.0, 0.0, SPACING - RADIUS),
                mass: Some(Number(0.0)),
                collides: Some(false),
                colour: bricks::colour("grey"),
                ..ShapeFile::default()
            });
        }
        let first = k == 1;
        let body = BodyFile {
            // The moments of a solid ball, whatever is drawn.
            mass: Some(Number(1.0)),
            shapes,
            position: first.then(|| parts::vector(0.0, 0.0, RADIUS)).flatten(),
            // Its z axis points back along the chain, down at 45°.
            orientation: first
                .then(|| bricks::turned(3.0 * FRAC_PI_4, 0.0, 0.0))
                .flatten(),
            ..BodyFile::default()
        };
        parts::add(&mut file.bodies, format!("sphere_{k}"), body);
        if !first {
            let joint = JointFile {
                kind: Kind::Spherical,
                parent: format!("sphere_{}", k - 1),
                child: format!("sphere_{k}"),
                child_anchor: parts::vector(0.0, 0.0, SPACING),
                ..JointFile::default()
            };
            parts::add(&mut file.joints, format!("joint_{}", k - 1), joint);
        }
    }
    file.world.push(bricks::ground(None));
    file.duration = Some(Number(5.0));
    let reach = SPACING * count as f64;
    let target = Vec3::new(0.0, 0.38 * reach, 0.32 * reach);
    file.camera = bricks::look(target, Vec3::new(0.9, 0.1, 0.25), 1.0 + 1.2 * reach);
    file
}
