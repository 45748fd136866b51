//! From couplings, springs, cables and wrenches of the file to those of the model.

use super::check::Check;
use super::compliance::compliance;
use super::format::{AttachmentFile, AxesFile, CouplingFile, SceneFile};
use super::joint::signal;
use super::link::Link;
use super::placement::Motion;
use crate::math::Vec3;
use crate::model::{
    Attachment, Axes, BodyId, Cable, Coupling, CouplingTerm, Force, JointId, JointKind,
};
use std::collections::BTreeMap;
use std::f64::consts::TAU;

/// Joints of the model by their names; those that are wrong are not among them.
pub(super) struct Joints<'a>(BTreeMap<&'a str, (JointId, JointKind)>);

impl<'a> Joints<'a> {
    /// Joints in the order of the model.
    pub fn of(links: &'a [Link<'a>]) -> Self {
        let named = |(k, link): (usize, &'a Link<'a>)| (link.name, (JointId(k), link.kind));
        Self(links.iter().enumerate().map(named).collect())
    }
}

/// A coupling of the model without its offset; `None` where it is wrong.
pub(super) fn coupling(
    name: &str,
    file: &CouplingFile,
    scene: &SceneFile,
    joints: &Joints,
    check: &mut Check,
) -> Option<Coupling> {
    let path = |field| ["couplings", name, field];
    let given: Vec<&str> = [
        ("screw", file.screw.is_some()),
        ("gear", file.gear.is_some()),
        ("rack", file.rack.is_some()),
        ("terms", !file.terms.is_empty()),
    ]
    .into_iter()
    .filter(|g| g.1)
    .map(|g| g.0)
    .collect();
    let [kind] = given[..] else {
        let found = if given.is_empty() {
            "none of them".to_owned()
        } else {
            given.join(" and ")
        };
        check.wrong(
            &["couplings", name],
            found,
            "one of screw, gear, rack, terms",
        );
        return None;
    };
    let needed = match kind {
        "screw" => "pitch",
        "gear" => "ratio",
        "rack" => "radius",
        _ => "",
    };
    let mut factor = None;
    for (field, number) in [
        ("pitch", file.pitch),
        ("ratio", file.ratio),
        ("radius", file.radius),
    ] {
        match number {
            Some(n) if field == needed => factor = Some(n.0),
            Some(_) => {
                let expected = if needed.is_empty() {
                    "only terms".to_owned()
                } else {
                    format!("{needed} beside {kind}")
                };
                check.wrong(&path(field), format!("{field} beside {kind}"), &expected);
            }
            None if field == needed => {
                let found = format!("{kind} without {needed}");
                check.wrong(&path(kind), found, &format!("{needed} beside {kind}"));
            }
            None => {}
        }
    }
    let mut joint = |path: &[&str], name: &str| -> Option<(JointId, JointKind)> {
        check.index(path, "joints", name, &scene.joints)?;
        // A joint that is there but wrong was reported at its own place.
        joints.0.get(name).copied()
    };
    let mut terms = Vec::new();
    match kind {
        "screw" => {
            let (joint, kind) = joint(&path("screw"), file.screw.as_deref()?)?;
            if kind != JointKind::Cylindrical {
                check.wrong(
                    &path("screw"),
                    format!("a joint of kind {kind:?}"),
                    "a cylindrical joint",
                );
                return None;
            }
            terms.push((joint, 0, 1.0));
            terms.push((joint, 1, -factor? / TAU));
        }
        "gear" | "rack" => {
            let (first, second) = file.gear.as_ref().or(file.rack.as_ref())?;
            let first = joint(&[&path(kind)[..], &["0"]].concat(), first);
            let second = joint(&[&path(kind)[..], &["1"]].concat(), second);
            let ((first, first_kind), (second, second_kind)) = (first?, second?);
            let turn = turning(first_kind, &[&path(kind)[..], &["0"]].concat(), check);
            let other = if kind == "gear" {
                turning(second_kind, &[&path(kind)[..], &["1"]].concat(), check)
            } else {
                sliding(second_kind, &[&path(kind)[..], &["1"]].concat(), check)
            };
            let (turn, other) = (turn?, other?);
            if kind == "gear" {
                terms.push((first, turn, 1.0));
                terms.push((second, other, -factor?));
            } else {
                terms.push((second, other, 1.0));
                terms.push((first, turn, -factor?));
            }
        }
        _ => {
            for (k, term) in file.terms.iter().enumerate() {
                let index = k.to_string();
                let (joint, _) =
                    joint(&["couplings", name, "terms", &index, "joint"], &term.joint)?;
                terms.push((joint, term.coordinate, term.factor.0));
            }
        }
    }
    let term = |(joint, coordinate, factor)| CouplingTerm {
        joint,
        coordinate,
        factor,
    };
    Some(Coupling {
        name: name.into(),
        terms: terms.into_iter().map(term).collect(),
        offset: 0.0,
        compliance: compliance(
            &["couplings", name, "compliance"],
            file.compliance.as_ref(),
            check,
        ),
    })
}

/// The coordinate by which a joint turns about its axis.
fn turning(kind: JointKind, path: &[&str], check: &mut Check) -> Option<usize> {
    if kind.free_rotations() == 1 {
        return Some(kind.free_translations());
    }
    check.wrong(
        path,
        format!("a joint of kind {kind:?}"),
        "a joint that turns about one axis",
    );
    None
}

/// The coordinate by which a joint slides along its axis.
fn sliding(kind: JointKind, path: &[&str], check: &mut Check) -> Option<usize> {
    if kind.free_translations() == 1 {
        return Some(0);
    }
    check.wrong(
        path,
        format!("a joint of kind {kind:?}"),
        "a joint that slides along one axis",
    );
    None
}

/// All springs and wrenches.
pub(super) fn forces(
    file: &SceneFile,
    motions: &[Motion],
    centres: &[Vec3],
    check: &mut Check,
) -> Vec<Force> {
    let mut forces = Vec::new();
    for (name, spring) in file.springs.iter() {
        let path = |field| ["springs", name, field];
        let from = attachment(&path("from"), &spring.from, file, check);
        let to = attachment(&path("to"), &spring.to, file, check);
        for (field, number) in [("stiffness", spring.stiffness), ("damping", spring.damping)] {
            check.not_negative(&path(field), number.0, "");
        }
        if let Some(rest) = spring.rest {
            check.not_negative(&path("rest"), rest.0, " m");
        }
        let (Some(from), Some(to)) = (from, to) else {
            continue;
        };
        let (ends, length) = line(from, to, motions, centres);
        forces.push(Force::Spring {
            name: name.into(),
            ends,
            stiffness: spring.stiffness.0.max(0.0),
            rest: spring.rest.map_or(length, |r| r.0.max(0.0)),
            damping: spring.damping.0.max(0.0),
        });
    }
    for (name, wrench) in file.wrenches.iter() {
        let path = ["wrenches", name, "body"];
        let body = check.index(&path, "bodies", &wrench.body, &file.bodies);
        let mut three = |field: &'static str, signals: &super::value::Signals| {
            let [x, y, z] = &signals.0;
            [(x, "0"), (y, "1"), (z, "2")]
                .map(|(s, index)| signal(s, &["wrenches", name, field, index], check))
        };
        let force = three("force", &wrench.force);
        let torque = three("torque", &wrench.torque);
        let Some(body) = body else {
            continue;
        };
        forces.push(Force::Wrench {
            name: name.into(),
            body: BodyId(body),
            point: wrench.point.map_or(Vec3::zeros(), |p| p.0 - centres[body]),
            axes: match wrench.axes {
                AxesFile::World => Axes::World,
                AxesFile::Body => Axes::Body,
            },
            force,
            torque,
        });
    }
    forces
}

/// All cables.
pub(super) fn cables(
    file: &SceneFile,
    motions: &[Motion],
    centres: &[Vec3],
    check: &mut Check,
) -> Vec<Cable> {
    let mut cables = Vec::new();
    for (name, cable) in file.cables.iter() {
        let end = |side| ["cables", name, "ends", side];
        let from = attachment(&end("0"), &cable.ends.0, file, check);
        let to = attachment(&end("1"), &cable.ends.1, file, check);
        let path = ["cables", name, "length"];
        let given = cable.length.map(|l| check.positive(&path, l.0, " m"));
        let (Some(from), Some(to), None | Some(Some(_))) = (from, to, given) else {
            continue;
        };
        let (ends, distance) = line(from, to, motions, centres);
        let length = given.flatten().unwrap_or(distance);
        if length <= 0.0 {
            check.wrong(
                &["cables", name, "ends"],
                "twice the same point",
                "a length, or two points",
            );
            continue;
        }
        let path = ["cables", name, "compliance"];
        cables.push(Cable {
            name: name.into(),
            ends,
            length,
            restitution: cable.restitution.0,
            compliance: compliance(&path, cable.compliance.as_ref(), check),
        });
    }
    cables
}

/// Both ends as the model has them, and their distance at the start.
fn line(
    from: (Option<usize>, Vec3),
    to: (Option<usize>, Vec3),
    motions: &[Motion],
    centres: &[Vec3],
) -> ([Attachment; 2], f64) {
    let world = |(body, point): (Option<usize>, Vec3)| match body {
        Some(b) => (motions[b].pose * nalgebra::Point3::from(point)).coords,
        None => point,
    };
    let shifted = |(body, point): (Option<usize>, Vec3)| Attachment {
        body: body.map(BodyId),
        point: point - body.map_or(Vec3::zeros(), |b| centres[b]),
    };
    (
        [shifted(from), shifted(to)],
        (world(to) - world(from)).norm(),
    )
}

/// Body and point of an attachment, in the frame of the file.
fn attachment(
    path: &[&str],
    file: &AttachmentFile,
    scene: &SceneFile,
    check: &mut Check,
) -> Option<(Option<usize>, Vec3)> {
    let point = file.point.map_or(Vec3::zeros(), |p| p.0);
    let body = check.body_or_world(&[path, &["body"]].concat(), &file.body, &scene.bodies)?;
    Some((body, point))
}
