//! The bar that asks what cannot be decided without a person: where to save, which edits to keep.

use crate::commands::Command;
use crate::commands::editing::EditCommand;
use crate::editing::Question;
use crate::theme::{Palette, colour};
use crate::ui::button;
use bevy_egui::egui::{self, Key, RichText, TextEdit, Ui};
use std::path::PathBuf;

/// Draws the question.
pub fn question_ui(ui: &mut Ui, question: &mut Question) -> Vec<Command> {
    let mut out = Vec::new();
    let asked = |asked| Command::Edit(asked);
    let amber = colour(Palette::worn(ui).warning);
    ui.horizontal_wrapped(|ui| match question {
        Question::Changed(path) => {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            let said = format!(
                "{name} has changed on the disk, and there are edits that it does not hold."
            );
            ui.label(RichText::new(said).color(amber));
            let meaning = "Read the file again; the edits are gone";
            button(
                ui,
                "Reload and lose edits",
                meaning,
                asked(EditCommand::ReloadAnyway),
                &mut out,
            );
            let meaning = "Go on with the edits; saving will replace the file";
            button(
                ui,
                "Keep mine",
                meaning,
                asked(EditCommand::Later),
                &mut out,
            );
        }
        Question::Reload => {
            let said = "Reading the scene again loses its edits.";
            ui.label(RichText::new(said).color(amber));
            let meaning = "Read the scene again; the edits are gone";
            button(
                ui,
                "Reload and lose edits",
                meaning,
                asked(EditCommand::ReloadAnyway),
                &mut out,
            );
            button(
                ui,
                "Keep mine",
                "Go on with the edits",
                asked(EditCommand::Later),
                &mut out,
            );
        }
        Question::Draft(draft) => {
            let said = format!(
                "Edits of {} from {} were not saved.",
                draft.spec,
                draft.age()
            );
            ui.label(RichText::new(said).color(amber));
            let meaning = "Open the scene with these edits";
            button(
                ui,
                "Restore",
                meaning,
                asked(EditCommand::Restore),
                &mut out,
            );
            button(
                ui,
                "Discard",
                "Forget these edits",
                asked(EditCommand::Discard),
                &mut out,
            );
            let meaning = "Ask again at the next start";
            button(ui, "Later", meaning, asked(EditCommand::Later), &mut out);
        }
        Question::Save { path, lost } => {
            let label = ui.label("Save as");
            let field = TextEdit::singleline(path).desired_width(280.0);
            let response = ui.add(field).labelled_by(label.id);
            let response = response.on_hover_text("The file that the scene is written to");
            let target = PathBuf::from(path.trim());
            let exists = target.exists();
            let enter = response.lost_focus() && ui.input(|i| i.key_pressed(Key::Enter));
            let (word, meaning) = if exists {
                ("Replace", "Replace the file that is there")
            } else {
                ("Save", "Write the scene to this file")
            };
            let write = asked(EditCommand::Write(target));
            let named = !path.trim().is_empty();
            ui.add_enabled_ui(named, |ui| {
                button(ui, word, meaning, write.clone(), &mut out)
            });
            // A file is not replaced by a slip of the finger.
            if enter && named && !exists {
                out.push(write);
            }
            button(
                ui,
                "Browse…",
                "Ask the desktop for a file",
                asked(EditCommand::Browse),
                &mut out,
            );
            button(
                ui,
                "Cancel",
                "Do not save",
                asked(EditCommand::Later),
                &mut out,
            );
            lost_ui(ui, lost, amber);
        }
    });
    out
}

/// Which comments will be lost.
fn lost_ui(ui: &mut Ui, lost: &[String], shade: egui::Color32) {
    if lost.is_empty() {
        return;
    }
    let first = &lost[0];
    let more = match lost.len() {
        1 => String::new(),
        n => format!(" and {} more", n - 1),
    };
    ui.label(
        RichText::new(format!(
            "Comments that go with what was deleted: {first}{more}"
        ))
        .color(shade),
    )
    .on_hover_text(lost.join("\n"));
}
