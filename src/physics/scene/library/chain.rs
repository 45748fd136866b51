//! Chains of equal links that hang from the world.

use super::parameters::{Parameter, Range, Values};
use super::{Generator, parts};
use crate::math::Vec3;
use crate::scene::format::{BodyFile, JointFile, Kind, SceneFile};
use crate::scene::value::{Number, Numbers, Tensor};

pub(super) const GENERATOR: Generator = Generator {
    name: "chain",
    description: "Straight chain of equal links, hung at one end and released at an angle",
    parameters: &[
        Parameter {
            name: "links",
            default: "20",
            range: Range::Whole(1, 10_000),
            meaning: "number of links",
        },
        Parameter {
            name: "joint",
            default: "revolute",
            range: Range::Choice(&["revolute", "spherical", "universal"]),
            meaning: "kind of all joints; revolute joints turn about the x axis",
        },
        Parameter {
            name: "angle",
            default: "45",
            range: Range::Number(-180.0, 180.0),
            meaning: "angle of the straight chain to the vertical at the start [degrees]; 0 hangs, 90 is level",
        },
        Parameter {
            name: "length",
            default: "1",
            range: Range::Number(0.001, 1000.0),
            meaning: "length l of a link [m]",
        },
        Parameter {
            name: "mass",
            default: "1",
            range: Range::Number(0.001, 1e6),
            meaning: "mass m of a link [kg]",
        },
        Parameter {
            name: "inertia",
            default: "thin",
            range: Range::Choice(&["thin", "cylinder", "paper"]),
            meaning: "thin rod (ml²/12 across, ml²/1000 along); solid cylinder of radius r = l/20; or that cylinder \
                      with the transverse moment mr²/2 + ml²/12 of the papers' code",
        },
    ],
    build,
};

fn build(values: &Values) -> SceneFile {
    let links = values.count("links");
    let (length, mass) = (values.number("length"), values.number("mass"));
    let angle = values.number("angle").to_radians();
    let radius = 0.05 * length;
    let (ml2, mr2) = (mass * length * length, mass * radius * radius);
    let [across, along] = match values.text("inertia") {
        "thin" => [ml2 / 12.0, ml2 * 1e-3],
        "cylinder" => [mr2 / 4.0 + ml2 / 12.0, mr2 / 2.0],
        _ => [mr2 / 2.0 + ml2 / 12.0, mr2 / 2.0],
    };
    let (kind, freedoms) = match values.text("joint") {
        "revolute" => (Kind::Revolute, 1),
        "universal" => (Kind::Universal, 2),
        _ => (Kind::Spherical, 3),
    };
    let mut file = parts::scene(
        format!("Chain of {links} links"),
        "Every link costs the solver the same: pull the end and watch the iterations.",
    );
    if links > 100 {
        // Tension waves grow faster with the number of links: a longer step would be cut short again and again.
        file.integrator.dt = Some(Number(1.0 / links as f64));
    }
    let reach = links as f64 * length;
    // High enough to swing above the ground.
    let height = reach + length / 4.0;
    // Thick enough to be seen when the whole chain is in view; mass and inertia are given beside it.
    let thickness = (0.105 * length).max(reach / 500.0);
    let body = BodyFile {
        mass: Some(Number(mass)),
        inertia: Some(Tensor([across, across, along, 0.0, 0.0, 0.0])),
        centre: parts::vector(0.0, 0.0, -length / 2.0),
        shape: Some(parts::hanging_rod(thickness, length)),
        ..BodyFile::default()
    };
    for k in 1..=links {
        let child = format!("link_{k}");
        parts::add(&mut file.bodies, child.clone(), body.clone());
        let (parent, z) = if k == 1 {
            ("world".to_owned(), height)
        } else {
            (format!("link_{}", k - 1), -length)
        };
        let mut at = vec![0.0; freedoms];
        at[0] = if k == 1 { angle } else { 0.0 };
        let joint = JointFile {
            kind,
            parent,
            child,
            anchor: parts::vector(0.0, 0.0, z),
            // The axes of a spherical joint are those of its parent; its first coordinate turns about x too.
            axis: match kind {
                Kind::Spherical => None,
                _ => parts::vector(1.0, 0.0, 0.0),
            },
            x_axis: match kind {
                Kind::Universal => parts::vector(0.0, 1.0, 0.0),
                _ => None,
            },
            at: at.iter().any(|q| *q != 0.0).then_some(Numbers(at)),
            ..JointFile::default()
        };
        parts::add(&mut file.joints, format!("joint_{k}"), joint);
    }
    let target = Vec3::new(0.0, angle.sin() * reach * 0.25, height - 0.5 * reach);
    file.camera = parts::side_view(target, 0.6 * reach);
    file
}
