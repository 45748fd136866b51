//! The inspector: what the selected body or joint is and does, and the lists to select from.

use super::{Spoken, heading, row, stops, table, touching};
use crate::app::actions::{Action, Selection};
use crate::app::format;
use crate::app::session::Session;
use crate::app::theme::Palette;
use crate::math::Vec3;
use crate::model::{BodyId, JointId, JointKind, Model};
use bevy_egui::egui::{self, DragValue, RichText, ScrollArea, Ui};

/// Draws the inspector.
pub fn inspector_ui(
    ui: &mut Ui,
    session: &mut Session,
    selection: Option<Selection>,
) -> Vec<Action> {
    let mut out = Vec::new();
    ScrollArea::vertical()
        .auto_shrink([false, false])
        .show(ui, |ui| {
            match selection {
                Some(Selection::Body(body)) => body_ui(ui, session, body, &mut out),
                Some(Selection::Joint(joint)) => joint_ui(ui, session, joint, &mut out),
                Some(Selection::Cable(cable)) => stops::cable_ui(ui, session, cable, &mut out),
                None => {
                    let faint = Palette::worn(ui).faint();
                    ui.label(
                        RichText::new("Click a body in the view, or choose below.")
                            .small()
                            .color(faint),
                    );
                }
            }
            scene_ui(ui, session);
            lists_ui(ui, session, selection, &mut out);
        });
    out
}

fn body_ui(ui: &mut Ui, session: &mut Session, id: BodyId, out: &mut Vec<Action>) {
    let velocity = session.velocity(id);
    let model = session.simulation.model();
    let (body, state) = (
        &model.bodies[id.0],
        &session.simulation.state().bodies[id.0],
    );
    ui.label(RichText::new(&body.name).strong());
    let moments = moments(&body.inertia);
    table(ui, "body", |ui| {
        row(ui, "mass", format::quantity(body.mass, "kg"));
        row(
            ui,
            "moments",
            format!("{} kg·m²", moments.map(format::number).join("  ")),
        );
        row(ui, "position", format::vector(&state.position, "m"));
        let (roll, pitch, yaw) = state.orientation.euler_angles();
        let degrees = Vec3::new(roll, pitch, yaw) * 180.0 / std::f64::consts::PI;
        row(ui, "roll, pitch, yaw", format::vector(&degrees, "°"));
        row(ui, "velocity", format::vector(&velocity.linear, "m/s"));
        row(ui, "spin", format::vector(&velocity.angular, "rad/s"));
    });
    touching::touching_ui(ui, session, id, out);
    joints_ui(ui, session.simulation.model(), id, out);
}

/// The joints of a body, to be selected.
fn joints_ui(ui: &mut Ui, model: &Model, id: BodyId, out: &mut Vec<Action>) {
    let of_body = |j: &crate::model::Joint| j.child == id || j.parent == Some(id);
    let joints = model.joints.iter().enumerate();
    let mut joints = joints.filter(|(_, j)| of_body(j)).peekable();
    if joints.peek().is_some() {
        heading(ui, "Joints of this body");
    }
    for (k, joint) in joints {
        let entry = ui.selectable_label(false, &joint.name);
        if entry.on_hover_text("Select this joint").clicked() {
            out.push(Action::Select(Some(Selection::Joint(JointId(k)))));
        }
    }
}

/// Principal moments of inertia, ascending.
fn moments(inertia: &crate::math::Mat3) -> [f64; 3] {
    let mut moments: [f64; 3] = inertia.symmetric_eigenvalues().into();
    moments.sort_by(f64::total_cmp);
    moments
}

fn joint_ui(ui: &mut Ui, session: &mut Session, id: JointId, out: &mut Vec<Action>) {
    let simulation = &mut session.simulation;
    let (coordinates, rates) = (simulation.coordinates(id), simulation.rates(id));
    let reaction = simulation.reaction(id);
    let model = simulation.model();
    let joint = &model.joints[id.0];
    let child = &model.bodies[joint.child.0].name;
    let parent = joint.parent.map_or("world", |p| &model.bodies[p.0].name);
    ui.label(RichText::new(&joint.name).strong());
    table(ui, "joint", |ui| {
        row(ui, "kind", kind_name(joint.kind));
        row(ui, "holds", format!("{child} on {parent}"));
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
    let mut changed = joint.clone();
    let mut edited = false;
    for (free, value, name, unit) in [
        (
            joint.kind.free_rotations(),
            &mut changed.damping_rotation,
            "Damping (turning)",
            "N·m·s/rad",
        ),
        (
            joint.kind.free_translations(),
            &mut changed.damping_translation,
            "Damping (sliding)",
            "N·s/m",
        ),
    ] {
        if free == 0 {
            continue;
        }
        ui.horizontal(|ui| {
            ui.label(RichText::new(name).small());
            let field = DragValue::new(value)
                .speed(0.002)
                .range(0.0..=1e6)
                .max_decimals(4);
            let field = ui.add(field).spoken(name).on_hover_text(unit);
            edited |= field.changed();
        });
    }
    edited |= stops::limits_ui(ui, session, id, &mut changed);
    if edited {
        let mut model = session.simulation.model().clone();
        model.joints[id.0] = changed;
        out.push(Action::Model(Box::new(model)));
    }
}

/// What assembly found out about the whole mechanism.
fn scene_ui(ui: &mut Ui, session: &Session) {
    let moved = &session.scene.assembly;
    heading(ui, "Mechanism");
    table(ui, "mechanism", |ui| {
        row(
            ui,
            "equations",
            session.simulation.model().equations().to_string(),
        );
        row(ui, "redundant", moved.redundant.to_string());
        row(
            ui,
            "moved to close",
            format!(
                "{}, {}",
                format::quantity(moved.moved_position, "m"),
                format::quantity(moved.moved_angle, "rad")
            ),
        );
        let steps = session.simulation.outcomes();
        row(
            ui,
            "steps",
            format!("{} converged, {} retried", steps.converged, steps.retried),
        );
        row(
            ui,
            "unfinished",
            format!(
                "{} stalled, {} at the limit, {} failed",
                steps.stalled, steps.iteration_limit, steps.failed
            ),
        );
    });
}

/// All bodies and joints.
fn lists_ui(ui: &mut Ui, session: &Session, selection: Option<Selection>, out: &mut Vec<Action>) {
    let model = session.simulation.model();
    let bodies = model
        .bodies
        .iter()
        .enumerate()
        .map(|(k, b)| (Selection::Body(BodyId(k)), &b.name));
    let joints = model
        .joints
        .iter()
        .enumerate()
        .map(|(k, j)| (Selection::Joint(JointId(k)), &j.name));
    let cables = model
        .cables
        .iter()
        .enumerate()
        .map(|(k, c)| (Selection::Cable(k), &c.name));
    let groups: [(&str, Vec<_>); 3] = [
        ("Bodies", bodies.collect()),
        ("Joints", joints.collect()),
        ("Cables", cables.collect()),
    ];
    for (title, items) in groups {
        if items.is_empty() {
            continue;
        }
        egui::CollapsingHeader::new(format!("{title} ({})", items.len()))
            .default_open(items.len() <= 12)
            .id_salt(title)
            .show(ui, |ui| {
                for (item, name) in items {
                    let entry = ui.selectable_label(selection == Some(item), name);
                    if entry.on_hover_text("Select").clicked() {
                        out.push(Action::Select(Some(item)));
                    }
                }
            })
            .header_response
            .on_hover_text("Show or hide the list");
    }
}

/// The field's word for a kind of joint.
fn kind_name(kind: JointKind) -> &'static str {
    match kind {
        JointKind::Fixed => "fixed",
        JointKind::Prismatic => "prismatic",
        JointKind::Planar => "planar",
        JointKind::FixedOrientation => "fixed orientation",
        JointKind::Revolute => "revolute",
        JointKind::Cylindrical => "cylindrical",
        JointKind::PlanarAxis => "planar with axis",
        JointKind::Universal => "universal",
        JointKind::Spherical => "spherical",
        JointKind::PointOnLine => "point on line",
        JointKind::PointOnPlane => "point on plane",
        JointKind::Floating => "floating",
    }
}
