//! The list of scenes: search, open, reload, files opened before.

use crate::commands::Command;
use crate::scenes::Entry;
use crate::scenes::SceneList;
use crate::session::Session;
use crate::state::preferences::Preferences;
use crate::theme::Palette;
use crate::ui::{Spoken, button, heading};
use bevy::prelude::{InMut, Res, ResMut};
use bevy_egui::egui::{self, RichText, ScrollArea, Ui};

/// The panel.
pub fn panel(
    InMut(ui): InMut<Ui>,
    session: Res<Session>,
    preferences: Res<Preferences>,
    mut scene_list: ResMut<SceneList>,
) -> Vec<Command> {
    scene_list_ui(ui, &session, &preferences, &mut scene_list)
}

/// Draws the list of scenes.
pub fn scene_list_ui(
    ui: &mut Ui,
    session: &Session,
    preferences: &Preferences,
    scene_list: &mut SceneList,
) -> Vec<Command> {
    let mut out = Vec::new();
    ui.horizontal(|ui| {
        button(
            ui,
            "Open…",
            "Open a scene file",
            Command::OpenDialog,
            &mut out,
        );
        button(
            ui,
            "Reload",
            "Read the scene again",
            Command::Reload,
            &mut out,
        );
    });
    let search = egui::TextEdit::singleline(&mut scene_list.search)
        .hint_text("Search, or type a path or NAME:key=value")
        .desired_width(f32::INFINITY);
    let search = ui
        .add(search)
        .spoken("Search the scenes")
        .on_hover_text("Enter opens the only find, or what is typed as a file or generator");
    let entered = search.lost_focus() && ui.input(|i| i.key_pressed(egui::Key::Enter));
    let found: Vec<&Entry> = scene_list
        .catalogue
        .iter()
        .filter(|e| matches(e, &scene_list.search))
        .collect();
    if entered && !scene_list.search.trim().is_empty() {
        out.push(Command::Open(chosen(&found, scene_list.search.trim())));
    }
    let mut typed = None;
    ScrollArea::vertical()
        .auto_shrink([false, false])
        .show(ui, |ui| {
            for (title, generated) in [("Scenes", false), ("With parameters", true)] {
                if found.iter().any(|e| e.generated == generated) {
                    heading(ui, title);
                }
                for entry in found.iter().filter(|e| e.generated == generated) {
                    if entry_ui(ui, entry, session.scene().name == entry.spec) {
                        out.push(Command::Open(entry.spec.clone()));
                        if entry.generated {
                            // There its parameters can be edited.
                            typed = Some(entry.spec.clone());
                        }
                    }
                }
            }
            if found.is_empty() {
                ui.label(
                    RichText::new(
                        "Nothing is called that. Press Enter to open it as a file or generator.",
                    )
                    .small(),
                );
            }
            if !preferences.recent.is_empty() {
                heading(ui, "Recent files");
            }
            for path in &preferences.recent {
                let name = path
                    .file_name()
                    .unwrap_or(path.as_os_str())
                    .to_string_lossy();
                if ui
                    .selectable_label(false, name)
                    .on_hover_text(path.display().to_string())
                    .clicked()
                {
                    out.push(Command::Open(path.display().to_string()));
                }
            }
        });
    if let Some(spec) = typed {
        scene_list.search = spec;
    }
    out
}

/// Whether an entry holds every word of a search; parameters being edited hide nothing.
fn matches(entry: &Entry, search: &str) -> bool {
    if search.contains(':') {
        return true;
    }
    let text = format!("{} {}", entry.spec, entry.description).to_lowercase();
    search
        .to_lowercase()
        .split_whitespace()
        .all(|word| text.contains(word))
}

/// What Enter opens: the only entry found, else what was typed.
fn chosen(found: &[&Entry], typed: &str) -> String {
    match found {
        [only] if !typed.contains([':', '/', '.']) => only.spec.clone(),
        _ => typed.into(),
    }
}

fn entry_ui(ui: &mut Ui, entry: &Entry, open: bool) -> bool {
    let faint = Palette::worn(ui).faint();
    let clicked = ui
        .selectable_label(open, &entry.spec)
        .on_hover_text(&entry.description)
        .clicked();
    if !entry.description.is_empty() {
        ui.indent(&entry.spec, |ui| {
            ui.add(
                egui::Label::new(RichText::new(&entry.description).small().color(faint)).truncate(),
            )
        });
    }
    clicked
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_must_occur_and_a_single_find_is_opened() {
        let entry = |spec: &str, text: &str| Entry {
            spec: spec.into(),
            description: text.into(),
            ..Entry::default()
        };
        let four_bar = entry("four_bar", "A crank turns a rocker");
        assert!(matches(&four_bar, "CRANK four"));
        assert!(!matches(&four_bar, "crank net"));
        assert_eq!(chosen(&[&four_bar], "crank"), "four_bar");
        assert_eq!(chosen(&[&four_bar], "my/four_bar.ron"), "my/four_bar.ron");
        assert_eq!(chosen(&[], "chain:links=9"), "chain:links=9");
    }
}
