//! The gallery's two halves: scenes, and figures of papers.

use crate::commands::Command;
use crate::commands::papers::PapersCommand;
use crate::papers::{Papers, cards_ui, words};
use crate::scenes::SceneList;
use crate::scenes::gallery::GalleryState;
use crate::scenes::gallery_ui;
use crate::session::Session;
use crate::state::preferences::Preferences;
use crate::ui::{command, toggle};
use bevy_egui::egui::{Align, Layout, Ui};

/// Draws the half that is chosen below the names of both.
pub fn gallery_ui(
    ui: &mut Ui,
    session: &Session,
    preferences: &Preferences,
    scene_list: &SceneList,
    papers: &mut Papers,
    state: &mut GalleryState,
    out: &mut Vec<Command>,
) {
    ui.horizontal(|ui| {
        for (tab, (label, meaning)) in [(false, words::SCENES), (true, words::PAPERS)] {
            let asked = Command::Papers(PapersCommand::Tab(tab));
            toggle(ui, papers.tab == tab, label, meaning, asked, out);
        }
        if papers.tab {
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                command(
                    ui,
                    false,
                    words::CLOSE_GALLERY,
                    &Command::ToggleGallery,
                    out,
                );
            });
        }
    });
    if papers.tab {
        out.extend(cards_ui::papers_ui(ui, papers));
    } else {
        out.extend(gallery_ui::gallery_ui(
            ui,
            session,
            preferences,
            scene_list,
            state,
        ));
    }
}
