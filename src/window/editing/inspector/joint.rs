//! The selected joint: its kind, bodies and frames, and what it does now.

use crate::commands::Command;
use crate::editing::inspector::compliance::joint_compliance_ui;
use crate::editing::inspector::shape::turn;
use crate::editing::inspector::{drives, limits};
use crate::session::Session;
use crate::text::format;
use crate::ui::form::{Field, Form};
use crate::ui::{heading, row, table};
use bevy_egui::egui::Ui;
use physics::math::Vec3;
use physics::model::{Joint, JointId, JointKind};
use physics::scene::editing::{Amendment, Section, in_bodies};
use physics::scene::{JointFile, Kind, Number, Numbers, OrientationFile, SceneError, Vector};

/// Kinds of joints in the words of the field.
pub const KINDS: [(Kind, &str); 12] = [
    (Kind::Fixed, "fixed"),
    (Kind::Prismatic, "prismatic"),
    (Kind::Planar, "planar"),
    (Kind::FixedOrientation, "fixed orientation"),
    (Kind::Revolute, "revolute"),
    (Kind::Cylindrical, "cylindrical"),
    (Kind::PlanarAxis, "planar with axis"),
    (Kind::Universal, "universal"),
    (Kind::Spherical, "spherical"),
    (Kind::PointOnLine, "point on line"),
    (Kind::PointOnPlane, "point on plane"),
    (Kind::Floating, "floating"),
];

/// Draws the joint.
pub fn joint_ui(
    ui: &mut Ui,
    session: &mut Session,
    id: JointId,
    errors: &[SceneError],
    out: &mut Vec<Command>,
) {
    readings_ui(ui, session, id);
    let model = session.model();
    let joint = &model.joints[id.0];
    let Some(file) = session.scene().file.joints.get(&joint.name) else {
        return;
    };
    let mut form = Form {
        path: format!("joints.{}", joint.name),
        item: &joint.name,
        errors,
        out,
    };
    let mut changed = file.clone();
    let mut edited = None;
    form.name_ui(ui, Section::Joints);
    form.table(ui, "joint", |form, ui| {
        // What is wrong with the joint as a whole, such as that it cannot be closed.
        let of_joint = form.errors.iter().filter(|e| e.path == form.path).count();
        if of_joint > 0 {
            form.complain(ui, "");
        }
        if ends_ui(ui, form, session, &mut changed) {
            edited = Some("kind");
        }
        if frames_ui(ui, form, joint, &mut changed) {
            edited = Some("frame");
        }
        if !changed.in_world && start_ui(ui, form, joint.kind, &mut changed) {
            edited = Some("start");
        }
        if damping_ui(
            ui,
            form,
            joint.kind,
            [joint.damping_translation, joint.damping_rotation],
            &mut changed,
        ) {
            edited = Some("damping");
        }
        if joint_compliance_ui(ui, form, joint.kind, &mut changed.compliance) {
            edited = Some("compliance");
        }
    });
    if changed.in_world {
        let meaning =
            "Give anchors and axes in the frames of parent and child, as they are at the start";
        let button = ui.small_button("frames of the bodies");
        if button.on_hover_text(meaning).clicked() {
            in_bodies(&mut changed, model, joint);
            edited = Some("frame");
        }
    }
    if let Some(field) = drives::drives_ui(ui, session, id, &mut form, &mut changed) {
        edited = Some(field);
    }
    if let Some(field) = edited {
        let put = Amendment::Joint(joint.name.clone(), Some(Box::new(changed)));
        form.edit(field, vec![put]);
    }
    limits::limits_ui(ui, session, id);
}

/// What the joint does now.
fn readings_ui(ui: &mut Ui, session: &mut Session, id: JointId) {
    let (coordinates, rates) = (session.coordinates(id), session.rates(id));
    let reaction = session.reaction(id);
    let joint = &session.model().joints[id.0];
    table(ui, "joint", |ui| {
        let slides = joint.kind.free_translations();
        for (k, (q, rate)) in coordinates.iter().zip(&rates).enumerate() {
            let (unit, per_second) = if k < slides {
                ("m", "m/s")
            } else {
                ("rad", "rad/s")
            };
            let value = format!(
                "{}   {}",
                format::quantity(*q, unit),
                format::quantity(*rate, per_second)
            );
            row(ui, &format!("coordinate {}", k + 1), value);
        }
        row(ui, "reaction", format::vector(&reaction.force, "N"));
        row(ui, "torque", format::vector(&reaction.torque, "N·m"));
    });
    heading(ui, "Joint");
}

/// Kind, parent and child.
fn ends_ui(ui: &mut Ui, form: &Form, session: &Session, joint: &mut JointFile) -> bool {
    let field = |name, meaning| Field {
        name,
        unit: "",
        meaning,
    };
    let kinds = KINDS.map(|(kind, word)| (kind, word.to_owned()));
    let mut kind = joint.kind;
    let mut changed = false;
    if form.choice(ui, field("kind", "What is free"), "kind", &mut kind, &kinds) {
        set_kind(joint, kind);
        changed = true;
    }
    let bodies = session.scene().file.bodies.names();
    let mut names: Vec<(String, String)> = bodies.map(|n| (n.to_owned(), n.to_owned())).collect();
    let child = field("child", "The body that is held");
    changed |= form.choice(ui, child, "child", &mut joint.child, &names);
    names.insert(0, ("world".into(), "world".into()));
    let parent = field("parent", "What holds it");
    changed | form.choice(ui, parent, "parent", &mut joint.parent, &names)
}

/// Another kind; what only the old one had goes.
fn set_kind(joint: &mut JointFile, kind: Kind) {
    let (old, new) = (JointKind::from(joint.kind), JointKind::from(kind));
    joint.kind = kind;
    if old.freedoms() != new.freedoms() || old.free_translations() != new.free_translations() {
        (joint.at, joint.rates) = (None, None);
        joint.springs.retain(|s| s.coordinate < new.freedoms());
        joint.actuators.retain(|a| a.coordinate < new.freedoms());
        joint.limits.retain(|l| l.coordinate < new.freedoms());
        (
            joint.damping,
            joint.damping_translation,
            joint.damping_rotation,
        ) = (None, None, None);
    }
}

/// Anchors and axes.
fn frames_ui(ui: &mut Ui, form: &Form, model: &Joint, joint: &mut JointFile) -> bool {
    let place = if joint.in_world {
        "in the world, at the start"
    } else {
        "in the frame of the parent"
    };
    let length = |name, meaning| Field {
        name,
        unit: "m",
        meaning,
    };
    let plain = |name, meaning| Field {
        name,
        unit: "",
        meaning,
    };
    let anchor = format!("Anchor {place}");
    let axis = format!("Joint axis {place}");
    let cross = format!("x axis of the joint frame {place}, perpendicular to the axis");
    let zero = Vec3::zeros();
    let mut changed = form.optional_vector(
        ui,
        length("anchor", &anchor),
        "anchor",
        &mut joint.anchor,
        zero,
    );
    changed |= form.optional_vector(ui, plain("axis", &axis), "axis", &mut joint.axis, Vec3::z());
    // In the world it is not known after the start.
    if !joint.in_world || joint.x_axis.is_some() {
        let now = model.parent_frame.orientation * Vec3::x();
        changed |= form.optional_vector(
            ui,
            plain("x axis", &cross),
            "x_axis",
            &mut joint.x_axis,
            now,
        );
    }
    if joint.in_world {
        return changed;
    }
    let field = length("on the child", "Anchor in the frame of the child");
    changed |= form.optional_vector(ui, field, "child_anchor", &mut joint.child_anchor, zero);
    let mut degrees = turn(joint.child_orientation.as_ref()).map(f64::to_degrees);
    let field = Field {
        name: "child turned",
        unit: "°",
        meaning: "Orientation of the child in the frame of the parent where all coordinates are zero: rotations about \
                  the fixed x, y and z axes",
    };
    if form.vector(ui, field, "child_orientation", &mut degrees) {
        joint.child_orientation = Some(OrientationFile {
            euler: Some(Vector(degrees.map(f64::to_radians))),
            ..OrientationFile::default()
        });
        changed = true;
    }
    changed
}

/// Coordinates and rates at the start.
fn start_ui(ui: &mut Ui, form: &Form, kind: JointKind, joint: &mut JointFile) -> bool {
    let mut changed = false;
    let names: Vec<String> = (1..=kind.freedoms()).map(|k| k.to_string()).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    for (name, meaning, key, values) in [
        (
            "starts at",
            "Coordinates at the start [m, rad], which place the child if it gives no place itself",
            "at",
            &mut joint.at,
        ),
        (
            "rates",
            "Rates of the coordinates at the start [m/s, rad/s]",
            "rates",
            &mut joint.rates,
        ),
    ] {
        let mut numbers = values.as_ref().map_or_else(Vec::new, |v| v.0.clone());
        numbers.resize(kind.freedoms(), 0.0);
        let field = Field {
            name,
            unit: "",
            meaning,
        };
        let mut edited = false;
        // Three in a row; a row is as wide as the panel.
        for (from, part) in (0..).step_by(3).zip(numbers.chunks_mut(3)) {
            let field = Field {
                name: if from == 0 { name } else { "" },
                ..field
            };
            edited |= form.numbers(ui, field, key, &names[from..from + part.len()], part);
        }
        if edited {
            let given = numbers.iter().any(|x| *x != 0.0);
            *values = given.then_some(Numbers(numbers));
            changed = true;
        }
    }
    changed
}

/// Damping of what is free.
fn damping_ui(
    ui: &mut Ui,
    form: &Form,
    kind: JointKind,
    [mut slide, mut turn]: [f64; 2],
    joint: &mut JointFile,
) -> bool {
    let (slides, turns) = (kind.free_translations() > 0, kind.free_rotations() > 0);
    let mut changed = false;
    let field = |name, unit| Field {
        name,
        unit,
        meaning: "Viscous damping of what is free",
    };
    if slides {
        let field = field("damping (sliding)", "N·s/m");
        changed |= form.number(ui, field, "damping_translation", &mut slide);
    }
    if turns {
        let field = field("damping (turning)", "N·m·s/rad");
        changed |= form.number(ui, field, "damping_rotation", &mut turn);
    }
    form.complain(ui, "damping");
    if changed {
        set_damping(joint, kind, [slide, turn]);
    }
    changed
}

/// Writes the damping of a joint (N·s/m, N·m·s/rad).
pub fn set_damping(joint: &mut JointFile, kind: JointKind, [slide, turn]: [f64; 2]) {
    let some = |free: usize, x: f64| (free > 0 && x != 0.0).then_some(Number(x));
    joint.damping = None;
    joint.damping_translation = some(kind.free_translations(), slide);
    joint.damping_rotation = some(kind.free_rotations(), turn);
}
