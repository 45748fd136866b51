//! From a joint of the file to a joint of the model.

use super::check::Check;
use super::compliance;
use super::error::Problem;
use super::format::{ActuatorFile, BodyFile, JointFile, Kind, LimitFile};
use super::items::Items;
use super::link::{Frames, Link};
use super::value::{Numbers, SignalValue};
use crate::math::{Mat3, Pose, Quat, Vec3, rotation};
use crate::model::{
    Actuator, BodyId, Joint, JointFrame, JointKind, JointLimit, JointSpring, PdTarget, Profile,
    Signal, SignalError,
};

impl From<Kind> for JointKind {
    fn from(kind: Kind) -> Self {
        match kind {
            Kind::Fixed => Self::Fixed,
            Kind::Prismatic => Self::Prismatic,
            Kind::Planar => Self::Planar,
            Kind::FixedOrientation => Self::FixedOrientation,
            Kind::Revolute => Self::Revolute,
            Kind::Cylindrical => Self::Cylindrical,
            Kind::PlanarAxis => Self::PlanarAxis,
            Kind::Universal => Self::Universal,
            Kind::Spherical => Self::Spherical,
            Kind::PointOnLine => Self::PointOnLine,
            Kind::PointOnPlane => Self::PointOnPlane,
            Kind::Floating => Self::Floating,
        }
    }
}

/// Resolves names and frames; `None` where a body is unknown.
pub(super) fn link<'a>(
    name: &'a str,
    file: &JointFile,
    bodies: &Items<BodyFile>,
    check: &mut Check,
) -> Option<Link<'a>> {
    let path = |field| ["joints", name, field];
    let kind = JointKind::from(file.kind);
    let parent = check.body_or_world(&path("parent"), &file.parent, bodies);
    let child = check.index(&path("child"), "bodies", &file.child, bodies);
    let frame = Pose::from_parts(
        file.anchor.map_or(Vec3::zeros(), |a| a.0).into(),
        axes(name, file, check),
    );
    let turned = check.orientation(&path("child_orientation"), file.child_orientation.as_ref());
    let frames = (!file.in_world).then(|| Frames {
        parent: frame,
        child: Pose::from_parts(
            file.child_anchor.map_or(Vec3::zeros(), |a| a.0).into(),
            turned.inverse() * frame.rotation,
        ),
    });
    if file.in_world {
        for (field, given) in [
            ("child_anchor", file.child_anchor.is_some()),
            ("child_orientation", file.child_orientation.is_some()),
        ] {
            if given {
                let found = format!("{field} beside in_world");
                check.wrong(&path(field), found, "one way to give the frames");
            }
        }
    }
    let mut coordinates = |field, numbers: &Option<Numbers>| {
        let numbers = numbers.as_ref()?;
        if numbers.0.len() != kind.freedoms() {
            let found = format!("{} numbers", numbers.0.len());
            let expected = format!("{} for a joint of this kind", kind.freedoms());
            check.wrong(&path(field), found, &expected);
            return None;
        }
        Some(numbers.0.clone())
    };
    let at = coordinates("at", &file.at);
    let rates = coordinates("rates", &file.rates);
    Some(Link {
        name,
        kind,
        parent: parent?,
        child: child?,
        frames,
        world_frame: frame,
        at,
        rates,
    })
}

/// Orientation of the joint frame: z along the axis, x along the x axis if there is one.
fn axes(name: &str, file: &JointFile, check: &mut Check) -> Quat {
    let z = match file.axis {
        Some(axis) => check.direction(&["joints", name, "axis"], axis.0),
        None => Vec3::z(),
    };
    let x = match file.x_axis {
        Some(x) => {
            let x = check.direction(&["joints", name, "x_axis"], x.0);
            let lean = x.dot(&z);
            if lean.abs() > 1e-6 {
                let degrees = lean.acos().to_degrees();
                let found = format!("an x_axis at {degrees:.3}° to the axis");
                let expected = "a direction perpendicular to the axis";
                check.wrong(&["joints", name, "x_axis"], found, expected);
            }
            (x - z * lean).try_normalize(1e-9)
        }
        None => None,
    };
    if x.is_none() && z == Vec3::z() {
        return Quat::identity();
    }
    let x = x.unwrap_or_else(|| rotation::complete(&z).0);
    let matrix = Mat3::from_columns(&[x, z.cross(&x), z]);
    Quat::from_rotation_matrix(&nalgebra::Rotation3::from_matrix_unchecked(matrix))
}

/// The joint of the model. `frames` are in the frames of the file, `centres` are the centres of mass in them.
pub(super) fn build(
    link: &Link,
    file: &JointFile,
    frames: &Frames,
    centres: &[Vec3],
    check: &mut Check,
) -> Joint {
    let name = link.name;
    let centre = |body: Option<usize>| body.map_or(Vec3::zeros(), |b| centres[b]);
    let frame = |pose: &Pose, body| JointFrame {
        anchor: pose.translation.vector - centre(body),
        orientation: pose.rotation,
    };
    let (damping_translation, damping_rotation) = damping(name, file, link.kind, check);
    let springs = file.springs.iter().map(|s| JointSpring {
        coordinate: s.coordinate,
        stiffness: s.stiffness.0,
        rest: s.rest.0,
    });
    let actuators = file.actuators.iter().enumerate();
    Joint {
        name: name.into(),
        kind: link.kind,
        parent: link.parent.map(BodyId),
        child: BodyId(link.child),
        parent_frame: frame(&frames.parent, link.parent),
        child_frame: frame(&frames.child, Some(link.child)),
        damping_translation,
        damping_rotation,
        springs: springs.collect(),
        actuators: actuators
            .map(|(k, a)| actuator(name, k, a, check))
            .collect(),
        limits: file
            .limits
            .iter()
            .enumerate()
            .map(|(k, l)| limit(name, k, l, check))
            .collect(),
        compliance: compliance::of_joint(
            &["joints", name, "compliance"],
            file.compliance.as_ref(),
            link.kind,
            check,
        ),
    }
}

fn limit(name: &str, index: usize, file: &LimitFile, check: &mut Check) -> JointLimit {
    let index = index.to_string();
    let path = ["joints", name, "limits", &index];
    if file.lower.is_none() && file.upper.is_none() {
        check.wrong(&path, "no bound", "lower, or upper, or both");
    }
    let gives = [&path[..], &["compliance"]].concat();
    JointLimit {
        coordinate: file.coordinate,
        lower: file.lower.map_or(f64::NEG_INFINITY, |n| n.0),
        upper: file.upper.map_or(f64::INFINITY, |n| n.0),
        restitution: file.restitution.0,
        compliance: compliance::compliance(&gives, file.compliance.as_ref(), check),
    }
}

fn damping(name: &str, file: &JointFile, kind: JointKind, check: &mut Check) -> (f64, f64) {
    let path = |field| ["joints", name, field];
    let mut read = |field, number: Option<super::value::Number>| {
        number.map_or(0.0, |d| check.not_negative(&path(field), d.0, ""))
    };
    let both = read("damping", file.damping);
    let translation = read("damping_translation", file.damping_translation);
    let rotation = read("damping_rotation", file.damping_rotation);
    if file.damping.is_none() {
        return (translation, rotation);
    }
    if file.damping_translation.is_some() || file.damping_rotation.is_some() {
        let found = "damping beside damping_translation or damping_rotation";
        check.wrong(&path("damping"), found, "one way to give the damping");
    }
    match (kind.free_translations(), kind.free_rotations()) {
        (0, 0) => {
            check.wrong(
                &path("damping"),
                "damping on a fixed joint",
                "a joint that moves",
            );
            (0.0, 0.0)
        }
        (_, 0) => (both, 0.0),
        (0, _) => (0.0, both),
        _ => {
            let found = "damping on a joint that slides and turns";
            let expected = "damping_translation and damping_rotation";
            check.wrong(&path("damping"), found, expected);
            (0.0, 0.0)
        }
    }
}

fn actuator(name: &str, index: usize, file: &ActuatorFile, check: &mut Check) -> Actuator {
    let index = index.to_string();
    let base = ["joints", name, "actuators", &index];
    let field = |names: &[&'static str]| [&base[..], names].concat();
    Actuator {
        coordinate: file.coordinate,
        command: signal(&file.command, &field(&["command"]), check),
        pd: file.pd.as_ref().map(|pd| PdTarget {
            stiffness: pd.stiffness.0,
            damping: pd.damping.0,
            target: signal(&pd.target, &field(&["pd", "target"]), check),
            rate: signal(&pd.rate, &field(&["pd", "rate"]), check),
        }),
        limit: file.limit.map_or(f64::INFINITY, |l| l.0),
    }
}

/// A function of time; a wrong one is reported and replaced by zero.
pub(super) fn signal(file: &SignalValue, path: &[&str], check: &mut Check) -> Signal {
    let built = match file {
        SignalValue::Constant(value) => Ok(Signal::Constant(*value)),
        SignalValue::Expression(text) => Signal::expression(text),
        SignalValue::Table(points) => Signal::table(points.clone()),
        SignalValue::Profile(course, points) => Profile::new(*course, points.clone())
            .map(|profile| Signal::Profile(profile.into()))
            .map_err(SignalError::from),
    };
    let found = match built {
        Ok(signal) => match signal.at(0.0) {
            first if first.is_finite() => return signal,
            first => format!("{first} at the start, t = 0"),
        },
        Err(error) => error.to_string(),
    };
    let expected = "a number, an expression in t such as \"2*sin(3*t)\", a table [(time, value), …], or a \
                    motion (spline: [(time, value), …]) or (constant_acceleration: [(time, value), …]), finite from the start on";
    check.report(Problem::new(path, found, expected));
    Signal::ZERO
}
