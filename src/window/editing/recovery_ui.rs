//! The bar that offers ways on after a step that left no usable state: Play alone would try the same step again.

use crate::commands::Command;
use crate::commands::playback::PlaybackCommand;
use crate::session::Session;
use crate::theme::{Palette, colour};
use crate::ui::button;
use bevy_egui::egui::{RichText, Ui};
use physics::integrators::{self, IntegratorInfo, REGISTRY, Settings};

/// How far the way back goes (s).
const BACK: f64 = 1.0;

/// Draws the ways on from a failed step.
pub fn recovery_ui(ui: &mut Ui, session: &Session) -> Vec<Command> {
    let mut out = Vec::new();
    let shade = colour(Palette::worn(ui).failure);
    let settings = session.settings();
    ui.horizontal_wrapped(|ui| {
        let said = format!(
            "The step from {} cannot be taken as it is.",
            crate::text::format::clock(session.sample().time)
        );
        ui.label(RichText::new(said).color(shade));
        if let Some(timeline) = session.timeline() {
            let [first, _] = timeline.span();
            let steps = (BACK / settings.dt).round().max(1.0) as u64;
            let back = session.sample().step.saturating_sub(steps).max(first);
            if back < session.sample().step {
                let meaning = "Go back a second and pause there; time goes another way from it if something is changed";
                let asked = Command::Time(PlaybackCommand::Seek(back));
                button(ui, "Back 1 s", meaning, asked, &mut out);
                let meaning = "Go back to the first moment";
                let asked = Command::Time(PlaybackCommand::Seek(first));
                button(ui, "Back to the start", meaning, asked, &mut out);
            }
        }
        let halved = Settings {
            dt: 0.5 * settings.dt,
            ..*settings
        };
        let meaning = "Take steps half as long from here";
        let asked = Command::Settings(halved);
        button(ui, "Halve the step", meaning, asked, &mut out);
        if let Some(other) = keeps_joints(session) {
            let words = format!("Switch to {}", other.name);
            let meaning = "Go on with a method whose joints do not drift; it closes them first, if they are not too far open";
            let asked = Command::Integrator(other.name);
            button(ui, &words, meaning, asked, &mut out);
        }
    });
    out
}

/// A method to switch to where the one in use lets joints drift.
fn keeps_joints(session: &Session) -> Option<&'static IntegratorInfo> {
    if session.integrator().drift_free {
        return None;
    }
    let fits = |i: &&IntegratorInfo| i.drift_free && session.refusal(i).is_none();
    let all = std::iter::once(integrators::DEFAULT).chain(REGISTRY.iter());
    all.into_iter().find(fits)
}
