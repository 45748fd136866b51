//! Chains of rhombic four-bar segments, the loop benchmark of [Brüdigam2023 sec. 4.1].

use super::parameters::{Parameter, Range, Values};
use super::{Generator, parts};
use crate::math::Vec3;
use crate::scene::format::{JointFile, SceneFile};
use std::f64::consts::{FRAC_PI_4, FRAC_PI_8};

pub(super) const GENERATOR: Generator = Generator {
    name: "four-bar-chain",
    description: "Rhombi of four bars with revolute joints, hung below each other; every segment is a closed loop",
    parameters: &[Parameter {
        name: "segments",
        default: "10",
        range: Range::Whole(1, 1000),
        meaning: "number of segments of four bars each (0.1 × 0.1 × 1 m, 1 kg)",
    }],
    build,
};

fn build(values: &Values) -> SceneFile {
    let segments = values.count("segments");
    let mut file = parts::scene(
        format!("Chain of {segments} four-bar segments"),
        "Closed loops one below the other: three redundant equations in each, and no joint opens.",
    );
    let height = 2.0 * segments as f64 + 0.25;
    let bar = parts::hanging_bar(0.1, 1.0, 1.0);
    let (top, bottom) = (parts::vector(0.0, 0.0, 0.0), parts::vector(0.0, 0.0, -1.0));
    let mut previous = ("world".to_owned(), 0.0);
    for k in 1..=segments {
        // The papers' start: all segments at 45°, the last (or only) one 45° further.
        let offset = if k == segments {
            2.0 * FRAC_PI_4
        } else {
            FRAC_PI_4
        };
        let [a, b, c, d] = ["a", "b", "c", "d"].map(|bar| format!("{bar}_{k}"));
        for name in [&a, &b, &c, &d] {
            parts::add(&mut file.bodies, name.clone(), bar.clone());
        }
        // Absolute angles about x: a and d at +22.5°, b and c at -22.5° from the segment's own direction.
        let first = offset + FRAC_PI_8;
        let (parent, parent_angle) = &previous;
        let anchor = if k == 1 {
            parts::vector(0.0, 0.0, height)
        } else {
            bottom
        };
        let turn = -2.0 * FRAC_PI_8;
        let close = JointFile {
            child_anchor: bottom,
            at: None,
            ..parts::hinge(&b, &d, bottom, 0.0)
        };
        for (name, joint) in [
            (
                "top",
                parts::hinge(parent, &a, anchor, first - parent_angle),
            ),
            ("ab", parts::hinge(&a, &b, bottom, turn)),
            ("ac", parts::hinge(&a, &c, top, turn)),
            ("cd", parts::hinge(&c, &d, bottom, -turn)),
            ("close", close),
        ] {
            parts::add(&mut file.joints, format!("{name}_{k}"), joint);
        }
        previous = (d, first);
    }
    let reach = 2.0 * FRAC_PI_8.cos() * segments as f64;
    let target = Vec3::new(0.0, 0.0, height - 0.5 * reach);
    file.camera = parts::side_view(target, 0.75 * reach);
    file
}
