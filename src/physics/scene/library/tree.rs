//! Branching trees that hang from the world.

use super::parameters::{Parameter, Range, Values};
use super::{Generator, parts};
use crate::math::Vec3;
use crate::scene::format::{BodyFile, JointFile, Kind, SceneFile};
use crate::scene::value::{Number, Numbers};

pub(super) const GENERATOR: Generator = Generator {
    name: "tree",
    description: "Hanging tree: every link carries the same number of shorter links at its lower end",
    parameters: &[
        Parameter {
            name: "depth",
            default: "4",
            range: Range::Whole(1, 7),
            meaning: "links from the root to a leaf",
        },
        Parameter {
            name: "branching",
            default: "2",
            range: Range::Whole(1, 4),
            meaning: "links at the end of every link that is not a leaf",
        },
        Parameter {
            name: "joint",
            default: "revolute",
            range: Range::Choice(&["revolute", "spherical"]),
            meaning: "kind of all joints; the axes of revolute joints alternate between x and y from level to level",
        },
    ],
    build,
};

/// Length of a link over that of the link it hangs from.
const SHRINK: f64 = 0.8;
/// Angle between the outermost links of a fork at the start (rad).
const SPREAD: f64 = 1.4;

fn build(values: &Values) -> SceneFile {
    let (depth, branching) = (values.count("depth"), values.count("branching"));
    let revolute = values.text("joint") == "revolute";
    let mut file = parts::scene(
        format!("Tree of depth {depth}"),
        "No loops: the solver passes every link once, from the leaves to the root and back.",
    );
    let reach: f64 = (0..depth).map(|level| SHRINK.powi(level as i32)).sum();
    let height = reach + 0.25;
    // Names of the links of the level above.
    let mut level = vec!["world".to_owned()];
    for k in 0..depth {
        let length = SHRINK.powi(k as i32);
        let z = if k == 0 { height } else { -length / SHRINK };
        let about_x = k % 2 == 0;
        let mut next = Vec::new();
        for parent in &level {
            let forks = if k == 0 { 1 } else { branching };
            for fork in 0..forks {
                let suffix = match parent.strip_prefix("link") {
                    Some(rest) => format!("{rest}_{}", fork + 1),
                    None => String::new(),
                };
                let name = format!("link{suffix}");
                let body = BodyFile {
                    density: Some(Number(600.0)),
                    shape: Some(parts::hanging_rod(0.04 * length, length)),
                    ..BodyFile::default()
                };
                parts::add(&mut file.bodies, name.clone(), body);
                // A link alone starts to one side, so that it swings.
                let share = if forks > 1 {
                    fork as f64 / (forks - 1) as f64 - 0.5
                } else {
                    0.25
                };
                let angle = SPREAD * share;
                let (x, y) = if about_x { (1.0, 0.0) } else { (0.0, 1.0) };
                let mut joint = JointFile {
                    axis: parts::vector(x, y, 0.0),
                    ..parts::hinge(parent, &name, parts::vector(0.0, 0.0, z), angle)
                };
                if !revolute {
                    joint.kind = Kind::Spherical;
                    joint.axis = None;
                    joint.at = Some(Numbers(vec![angle * x, angle * y, 0.0]));
                }
                parts::add(&mut file.joints, format!("joint{suffix}"), joint);
                next.push(name);
            }
        }
        level = next;
    }
    let target = Vec3::new(0.0, 0.0, height - 0.55 * reach);
    file.camera = parts::side_view(target, 0.9 * reach);
    file
}
