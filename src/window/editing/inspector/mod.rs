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
use crate::state::selection::{Item, Selection};
use crate::state::tool::Tool;
use crate::text::format;
use crate::theme::Palette;
use crate::ui::form::Form;
use crate::ui::{heading, row, table};
use bevy::prelude::{InMut, Res, ResMut};
use bevy_egui::egui::{self, RichText, ScrollArea, Ui};
use egui_extras::{Column, TableBuilder};
use physics::model::{BodyId, JointId, Model};
use physics::scene::editing::Section;

/// Most items of a list that are seen at once; a longer one is scrolled, and closed at first.
const LISTED: usize = 12;

/// The panel.
pub fn panel(
    InMut(ui): InMut<Ui>,
    mut session: ResMut<Session>,
    highlight: Res<Highlight>,
    editor: Res<EditorState>,
    opener: Res<Opener>,
    tool: Res<Tool>,
) -> Vec<Command> {
    inspector_ui(ui, &mut session, &highlight, &editor, &opener, &tool)
}

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
            let there = selection.filter(|s| s.is_there(session.model()));
            match there {
                Some(Selection::Item(item)) => item_ui(ui, session, item, editor, &mut out),
                Some(Selection::Contact(key)) => touch::contact_ui(ui, session, key, &mut out),
                None => {
                    let faint = Palette::worn(ui).faint();
                    ui.label(
                        RichText::new("Click a body in the view, or choose below.")
                            .small()
                            .color(faint),
                    );
                    let opening = opener.status();
                    let wanted = opening.as_ref().map(|o| o.spec.as_str());
                    scene::parameters_ui(ui, &session.scene().name, wanted, &mut out);
                    scene::scene_fields_ui(ui, session, refused, &mut out);
                }
            }
            scene_ui(ui, session);
            lists_ui(ui, session, selection, &mut out);
        });
    out
}

/// The form of an item.
fn item_ui(
    ui: &mut Ui,
    session: &mut Session,
    Item { section, place }: Item,
    editor: &EditorState,
    out: &mut Vec<Command>,
) {
    let refused = &editor.refused;
    match section {
        Section::Bodies => body_ui(ui, session, BodyId(place), editor, out),
        Section::Joints => joint::joint_ui(ui, session, JointId(place), refused, out),
        Section::Cables => {
            limits::cable_ui(ui, session, place);
            links::cable_ui(ui, session, place, refused, out);
        }
        Section::Springs => links::spring_ui(ui, session, place, refused, out),
        Section::Wrenches => wrench::wrench_ui(ui, session, place, refused, out),
        Section::Couplings => coupling::coupling_ui(ui, session, place, refused, out),
        // They are in the form of the scene.
        Section::Materials => {}
    }
}

fn body_ui(
    ui: &mut Ui,
    session: &mut Session,
    id: BodyId,
    editor: &EditorState,
    out: &mut Vec<Command>,
) {
    let name = session.model().bodies[id.0].name.clone();
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
    joints_ui(ui, session.model(), id, out);
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
            out.push(Command::Select(Some(Selection::joint(JointId(k)))));
        }
    }
}

/// What assembly found out about the whole mechanism.
fn scene_ui(ui: &mut Ui, session: &Session) {
    let moved = &session.scene().assembly;
    heading(ui, "Mechanism");
    table(ui, "mechanism", |ui| {
        row(ui, "equations", session.model().equations().to_string());
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
        let steps = session.outcomes();
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
    let model = session.model();
    for (section, title) in Item::SECTIONS {
        let items = Item::all(model, section);
        if items.is_empty() {
            continue;
        }
        egui::CollapsingHeader::new(format!("{title} ({})", items.len()))
            .default_open(items.len() <= LISTED)
            .id_salt(title)
            .show(ui, |ui| list_ui(ui, title, &items, selection, out))
            .header_response
            .on_hover_text("Show or hide the list");
    }
}

/// Items to be selected. Of many, those are drawn that are seen.
fn list_ui(
    ui: &mut Ui,
    title: &str,
    items: &[(Item, &str)],
    selection: Option<Selection>,
    out: &mut Vec<Command>,
) {
    let mut entry_ui = |ui: &mut Ui, (item, name): (Item, &str)| {
        let item = Selection::Item(item);
        let entry = ui.selectable_label(selection == Some(item), name);
        if entry.on_hover_text("Select").clicked() {
            out.push(Command::Select(Some(item)));
        }
    };
    if items.len() <= LISTED {
        items.iter().for_each(|entry| entry_ui(ui, *entry));
        return;
    }
    let height = ui.spacing().interact_size.y;
    let pitch = height + ui.spacing().item_spacing.y;
    TableBuilder::new(ui)
        .id_salt(title)
        .column(Column::remainder().clip(true))
        .max_scroll_height(LISTED as f32 * pitch)
        .auto_shrink([false, true])
        .body(|body| {
            body.rows(height, items.len(), |mut row| {
                let entry = items[row.index()];
                row.col(|ui| entry_ui(ui, entry));
            });
        });
}
