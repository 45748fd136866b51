//! The inspector: what the selected item is and does, all of it editable, and the lists to select from.

mod compliance;
mod coupling;
mod drives;
mod foundation;
pub mod joint;
mod limits;
pub mod links;
mod mass;
pub mod materials;
mod pose;
mod scene;
mod shape;
mod signal;
mod surface;
pub mod tools;
mod touch;
mod touching;
mod world;
mod wrench;

use crate::commands::Command;
use crate::editing::EditorState;
use crate::scenes::opening::Opener;
use crate::session::Session;
use crate::state::highlight::Highlight;
use crate::state::selection::Selection;
use crate::state::tool::Tool;
use crate::text::format;
use crate::theme::Palette;
use crate::ui::form::Form;
use crate::ui::{heading, row, table};
use bevy_egui::egui::{self, RichText, ScrollArea, Ui};
use physics::model::{BodyId, Force, JointId, Model};
use physics::scene::editing::Section;

/// Draws the inspector.
pub fn inspector_ui(
    ui: &mut Ui,
    session: &mut Session,
    highlight: &Highlight,
    editor: &EditorState,
    opener: &Opener,
    tool: &Tool,
) -> Vec<Command> {
    let mut out = Vec::new();
    tools::tools_ui(ui, session, highlight, editor, tool, &mut out);
    let selection = highlight.selection;
    ScrollArea::vertical()
        .auto_shrink([false, false])
        .show(ui, |ui| {
            let refused = &editor.refused;
            let there = selection.filter(|s| is_there(session.simulation.model(), *s));
            match there {
                Some(Selection::Body(body)) => body_ui(ui, session, body, editor, &mut out),
                Some(Selection::Joint(joint)) => {
                    joint::joint_ui(ui, session, joint, refused, &mut out);
                }
                Some(Selection::Cable(cable)) => {
                    limits::cable_ui(ui, session, cable);
                    links::cable_ui(ui, session, cable, refused, &mut out);
                }
                Some(Selection::Spring(spring)) => {
                    links::spring_ui(ui, session, spring, refused, &mut out);
                }
                Some(Selection::Contact(key)) => touch::contact_ui(ui, session, key, &mut out),
                Some(Selection::Wrench(force)) => {
                    wrench::wrench_ui(ui, session, force, refused, &mut out);
                }
                Some(Selection::Coupling(coupling)) => {
                    coupling::coupling_ui(ui, session, coupling, refused, &mut out);
                }
                None => {
                    let faint = Palette::worn(ui).faint();
                    ui.label(
                        RichText::new("Click a body in the view, or choose below.")
                            .small()
                            .color(faint),
                    );
                    let opening = opener.status();
                    let wanted = opening.as_ref().map(|o| o.spec.as_str());
                    scene::parameters_ui(ui, &session.scene.name, wanted, &mut out);
                    scene::scene_fields_ui(ui, session, refused, &mut out);
                }
            }
            scene_ui(ui, session);
            lists_ui(ui, session, selection, &mut out);
        });
    out
}

/// Whether what is selected exists.
fn is_there(model: &Model, selection: Selection) -> bool {
    match selection {
        Selection::Body(body) => body.0 < model.bodies.len(),
        Selection::Joint(joint) => joint.0 < model.joints.len(),
        Selection::Cable(cable) => cable < model.cables.len(),
        // It comes and goes.
        Selection::Contact(_) => model.contact.is_some(),
        Selection::Spring(force) | Selection::Wrench(force) => force < model.forces.len(),
        Selection::Coupling(coupling) => coupling < model.couplings.len(),
    }
}

fn body_ui(
    ui: &mut Ui,
    session: &mut Session,
    id: BodyId,
    editor: &EditorState,
    out: &mut Vec<Command>,
) {
    let name = session.simulation.model().bodies[id.0].name.clone();
    let mut form = Form {
        path: format!("bodies.{name}"),
        item: &name,
        errors: &editor.refused,
        out,
    };
    form.name_ui(ui, Section::Bodies);
    pose::pose_ui(ui, session, id, &mut form);
    mass::mass_ui(ui, session, id, &mut form);
    shape::shapes_ui(ui, session, id, &mut form);
    touching::touching_ui(ui, session, id, out);
    joints_ui(ui, session.simulation.model(), id, out);
}

/// The joints of a body, to be selected.
fn joints_ui(ui: &mut Ui, model: &Model, id: BodyId, out: &mut Vec<Command>) {
    let of_body = |j: &physics::model::Joint| j.child == id || j.parent == Some(id);
    let joints = model.joints.iter().enumerate();
    let mut joints = joints.filter(|(_, j)| of_body(j)).peekable();
    if joints.peek().is_some() {
        heading(ui, "Joints of this body");
    }
    for (k, joint) in joints {
        let entry = ui.selectable_label(false, &joint.name);
        if entry.on_hover_text("Select this joint").clicked() {
            out.push(Command::Select(Some(Selection::Joint(JointId(k)))));
        }
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
            "not converged",
            format!(
                "stopped early: {}; iteration limit: {}; failed: {}",
                steps.stalled, steps.iteration_limit, steps.failed
            ),
        );
    });
}

/// All items that can be selected.
fn lists_ui(ui: &mut Ui, session: &Session, selection: Option<Selection>, out: &mut Vec<Command>) {
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
    let couplings = model
        .couplings
        .iter()
        .enumerate()
        .map(|(k, c)| (Selection::Coupling(k), &c.name));
    let forces = |wrenches: bool| {
        let forces = model.forces.iter().enumerate();
        forces.filter_map(move |(k, f)| match f {
            Force::Spring { name, .. } => (!wrenches).then_some((Selection::Spring(k), name)),
            Force::Wrench { name, .. } => wrenches.then_some((Selection::Wrench(k), name)),
        })
    };
    let groups: [(&str, Vec<_>); 6] = [
        ("Bodies", bodies.collect()),
        ("Joints", joints.collect()),
        ("Couplings", couplings.collect()),
        ("Springs", forces(false).collect()),
        ("Cables", cables.collect()),
        ("Forces", forces(true).collect()),
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
                        out.push(Command::Select(Some(item)));
                    }
                }
            })
            .header_response
            .on_hover_text("Show or hide the list");
    }
}
