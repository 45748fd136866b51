//! Chains closed between two points of the world, the loop of [Brüdigam2020 sec. 5].

use super::parameters::{Parameter, Range, Values};
use super::{Generator, parts};
use crate::math::Vec3;
use crate::scene::format::{JointFile, SceneFile};
use std::f64::consts::{FRAC_PI_2, FRAC_PI_4, PI};

pub(super) const GENERATOR: Generator = Generator {
    name: "closed-chain",
    description: "Chain with revolute joints between two points 1 m apart: one loop of any length",
    parameters: &[Parameter {
        name: "links",
        default: "9",
        range: Range::Odd(3, 9999),
        meaning: "number of links (0.1 × 0.1 × 1 m, 1 kg): as many go out as come back, one crosses over",
    }],
    build,
};

fn build(values: &Values) -> SceneFile {
    let links = values.count("links");
    let side = (links - 1) / 2;
    let mut file = parts::scene(
        format!("Closed chain of {links} links"),
        "One loop through the whole chain: its joint errors stay at rounding level.",
    );
    let height = side as f64 + 1.0;
    let mut previous = ("world".to_owned(), 0.0);
    for k in 1..=links {
        let name = format!("link_{k}");
        let bar = parts::hanging_bar(0.1, 1.0, 1.0);
        parts::add(&mut file.bodies, name.clone(), bar);
        let angle = match k {
            k if k <= side => FRAC_PI_4,
            k if k == side + 1 => FRAC_PI_2,
            _ => FRAC_PI_4 + PI,
        };
        let z = if k == 1 { height } else { -1.0 };
        let anchor = parts::vector(0.0, 0.0, z);
        let joint = parts::hinge(&previous.0, &name, anchor, angle - previous.1);
        parts::add(&mut file.joints, format!("joint_{k}"), joint);
        previous = (name, angle);
    }
    let close = JointFile {
        child_anchor: parts::vector(0.0, 0.0, -1.0),
        at: None,
        ..parts::hinge("world", &previous.0, parts::vector(0.0, 1.0, height), 0.0)
    };
    parts::add(&mut file.joints, format!("joint_{}", links + 1), close);
    let reach = side as f64 + 1.0;
    let target = Vec3::new(0.0, 0.5, height - 0.45 * reach);
    file.camera = parts::side_view(target, 0.8 * reach);
    file
}
