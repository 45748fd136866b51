//! What one does with items: add, connect, copy, delete, save; undo and redo.

use crate::commands::Command;
use crate::commands::editing::EditCommand;
use crate::commands::keys::{GROUNDED, LINKS};
use crate::editing::EditorState;
use crate::session::Session;
use crate::state::highlight::Highlight;
use crate::state::selection::Selection;
use crate::state::tool::Tool;
use crate::state::tool::{Mode, link_word};
use crate::theme::Palette;
use crate::ui::{button, toggle};
use bevy_egui::egui::{RichText, Ui};
use physics::scene::editing::{Fresh, Link, Section};

/// Undo and redo, named after what they do.
pub fn edit_keys_ui(ui: &mut Ui, session: &Session, out: &mut Vec<Command>) {
    for (icon, verb, name, asked) in [
        ("⟲", "Undo", session.undo_name(), EditCommand::Undo),
        ("⟳", "Redo", session.redo_name(), EditCommand::Redo),
    ] {
        let meaning = match name {
            Some(name) => format!("{verb}: {name}"),
            None => format!("Nothing to {}", verb.to_lowercase()),
        };
        ui.add_enabled_ui(name.is_some(), |ui| {
            button(ui, icon, &meaning, Command::Edit(asked), out).on_disabled_hover_text(&meaning);
        });
    }
}

/// The menus that add bodies and connect points.
fn place_menu_ui(ui: &mut Ui, out: &mut Vec<Command>) {
    let asked = |out: &mut Vec<Command>, asked| out.push(Command::Edit(asked));
    ui.menu_button("Add", |ui| {
        for fresh in Fresh::ALL {
            let meaning = "Then click where it goes";
            if ui.button(fresh.word()).on_hover_text(meaning).clicked() {
                asked(out, EditCommand::Place(fresh));
                ui.close();
            }
        }
        ui.separator();
        for (word, meaning, what) in [
            (
                "force",
                "A force and a torque on the selected body, or on the first",
                EditCommand::AddForce,
            ),
            (
                "coupling",
                "A gear or another relation of the selected joint with another one",
                EditCommand::AddCoupling,
            ),
        ] {
            if ui.button(word).on_hover_text(meaning).clicked() {
                asked(out, what);
                ui.close();
            }
        }
    })
    .response
    .on_hover_text("Add a body at the point that is clicked next, a force, or a coupling");
    ui.menu_button("Connect", |ui| {
        for (link, _) in LINKS {
            let meaning = "Then click two points, on bodies or on the ground";
            if ui.button(link_word(link)).on_hover_text(meaning).clicked() {
                asked(out, EditCommand::Attach(link));
                ui.close();
            }
        }
        ui.separator();
        for (kind, _) in GROUNDED {
            let word = format!("{} to the ground", link_word(Link::Joint(kind)));
            let meaning = "Then click the body where it is held";
            if ui.button(word).on_hover_text(meaning).clicked() {
                asked(out, EditCommand::Ground(kind));
                ui.close();
            }
        }
    })
    .response
    .on_hover_text("Connect two points by a joint, a spring or a cable");
}

/// The row at the head of the inspector.
pub fn tools_ui(
    ui: &mut Ui,
    session: &Session,
    highlight: &Highlight,
    editor: &EditorState,
    tool: &Tool,
    out: &mut Vec<Command>,
) {
    let asked = |asked| Command::Edit(asked);
    // Beside each other they never break within a word.
    ui.horizontal(|ui| {
        place_menu_ui(ui, out);
        let saved = if session.document().is_modified() {
            "Save the scene; it has edits that its file does not hold"
        } else {
            "Save the scene"
        };
        button(ui, "Save", saved, asked(EditCommand::Save), out);
    });
    ui.horizontal(|ui| {
        // A second coupling of the same joints would say the same once more.
        let item = highlight.selection.and_then(Selection::as_item);
        let copies = item.is_some_and(|i| i.section != Section::Couplings);
        let deletes = item.is_some();
        for (can, word, meaning, what) in [
            (copies, "Copy", "Copy the selection", EditCommand::Duplicate),
            (
                deletes,
                "Delete",
                "Delete the selection",
                EditCommand::Delete,
            ),
        ] {
            ui.add_enabled_ui(can, |ui| button(ui, word, meaning, asked(what), out));
        }
        let meaning = "Arrows, squares and rings that move and turn the selected body; with Shift in round steps";
        let shown = !tool.hides_handles;
        toggle(
            ui,
            shown,
            "Handles",
            meaning,
            asked(EditCommand::ToggleHandles),
            out,
        );
    });
    if tool.mode != Mode::Select {
        ui.horizontal_wrapped(|ui| {
            let hint = tool.mode.hint().unwrap_or_default();
            ui.label(RichText::new(hint).small());
            button(
                ui,
                "Cancel",
                "Do not place or connect anything",
                asked(EditCommand::Stop),
                out,
            );
        });
    }
    if !editor.refused.is_empty() {
        let shade = crate::theme::colour(Palette::worn(ui).failure);
        for error in &editor.refused {
            let said = format!(
                "{}: {}; expected {}",
                error.path, error.found, error.expected
            );
            ui.label(RichText::new(said).small().color(shade));
        }
    }
    ui.separator();
}
