//! The status line: errors until they are mended, hints for a while, else what can be done at any time.

use crate::commands::Command;
use crate::commands::playback::PlaybackCommand;
use crate::jobs::{Cancel, Jobs, Progress};
use crate::session::Session;
use crate::state::notices::Level;
use crate::state::notices::Notices;
use crate::text::format;
use crate::theme::{Palette, colour};
use crate::ui::Spoken;
use bevy_egui::egui::{self, Align, Layout, ProgressBar, RichText, Ui};
use physics::quantity::counted;

/// What can be done at any time.
pub const STANDING: &str = "Ctrl + drag pulls a body. F1 shows everything else.";
/// Nothing is said of what takes no longer (s).
const UNNOTICED: f64 = 0.15;

/// Draws the status line.
pub fn status_ui(ui: &mut Ui, session: &Session, notices: &Notices, jobs: &Jobs) -> Vec<Command> {
    let mut out = Vec::new();
    ui.horizontal_centered(|ui| {
        step_ui(ui, session, &mut out);
        jobs_ui(ui, jobs, &mut out);
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            past_ui(ui, session);
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                said_ui(ui, session, notices, &mut out);
            });
        });
    });
    out
}

/// The step that is under way in the background, if it takes long, and a button that gives it up.
fn step_ui(ui: &mut Ui, session: &Session, out: &mut Vec<Command>) {
    let Some(seconds) = session.stepping_for() else {
        return;
    };
    let step = session.sample().step + 1;
    let text = format!("Step {step} has taken {seconds:.1} s so far.");
    let shade = colour(Palette::worn(ui).warning);
    ui.label(RichText::new(text).small().color(shade))
        .on_hover_text("Time goes on when it is done; the window does not wait for it.");
    let meaning = "Give this step up and pause";
    let end = ui.small_button("✖").spoken(meaning).on_hover_text(meaning);
    if end.clicked() {
        out.push(Command::Time(PlaybackCommand::GiveUp));
    }
    ui.separator();
}

/// What is done in the background: one job as it is, several in a menu.
fn jobs_ui(ui: &mut Ui, jobs: &Jobs, out: &mut Vec<Command>) {
    let mut list = jobs.list();
    list.retain(|job| job.seconds > UNNOTICED);
    match &list[..] {
        [] => return,
        [job] => job_ui(ui, job, out),
        several => {
            let title = RichText::new(format!("{} jobs ⏷", several.len())).small();
            ui.menu_button(title, |ui| {
                for job in several {
                    ui.horizontal(|ui| job_ui(ui, job, out));
                }
            });
        }
    }
    ui.separator();
}

/// A job with its progress and a button that ends it.
fn job_ui(ui: &mut Ui, job: &Progress, out: &mut Vec<Command>) {
    let text = match job.count() {
        Some([done, all]) => format!("{} · {done} of {all}", job.what),
        None => job.what.clone(),
    };
    let text = RichText::new(text).small();
    match job.share() {
        Some(share) => {
            let bar = ProgressBar::new(share).desired_width(260.0).text(text);
            ui.add(bar.desired_height(18.0));
        }
        None => {
            ui.label(text);
        }
    }
    let (word, meaning) = match job.cancel {
        Cancel::GivesUp => ("Cancel", "Give this up"),
        Cancel::EndsEarly => ("Stop", "End this with what there is"),
        Cancel::Never => return,
    };
    if job.cancelled {
        ui.label(RichText::new("ending").small());
    } else if ui.small_button(word).on_hover_text(meaning).clicked() {
        out.push(Command::CancelJob(job.id));
    }
}

/// The message, or else what can be done at any time; what the scene is made of is behind it.
fn said_ui(ui: &mut Ui, session: &Session, notices: &Notices, out: &mut Vec<Command>) {
    let palette = Palette::worn(ui);
    match notices.status(session.failure.as_deref()) {
        Some((level, text)) => {
            let shade = match level {
                Level::Failure => colour(palette.failure),
                Level::Warning => colour(palette.warning),
                Level::Hint => colour(palette.text[0]),
            };
            if level == Level::Failure {
                let meaning = "Clear this message";
                crate::ui::button(ui, "✖", meaning, Command::ClearNotices, out);
            }
            let shown = RichText::new(in_a_line(&text)).small().color(shade);
            // The excerpt of the file stands in columns.
            let whole = RichText::new(&text).monospace();
            ui.add(egui::Label::new(shown).truncate())
                .on_hover_text(whole);
        }
        None => {
            let hint = RichText::new(STANDING).small().color(palette.faint());
            ui.add(egui::Label::new(hint).truncate())
                .on_hover_text(contents(session));
        }
    }
}

/// What matters of a message of several lines: where it is, and what is wrong there, without the excerpt of the file in
/// between.
fn in_a_line(text: &str) -> String {
    let excerpt = |line: &&str| {
        let line = line.trim_start();
        let numbered = line.trim_start_matches(|c: char| c.is_ascii_digit());
        line.is_empty() || numbered.trim_start().starts_with('|')
    };
    let said: Vec<&str> = text
        .lines()
        .filter(|l| !excerpt(l))
        .map(str::trim)
        .collect();
    said.join("  ")
}

/// Where in the past one is, beside whatever else is said.
fn past_ui(ui: &mut Ui, session: &Session) {
    if session.is_past() {
        let shade = colour(Palette::worn(ui).accent);
        ui.label(RichText::new(past(session)).small().color(shade));
    }
}

/// Where in the past one is, and what can be done there, in words.
fn past(session: &Session) -> String {
    let [now, end] = [session.sample().time, session.span()[1]].map(format::clock);
    let here = format!("In the past: {now} of {end}.");
    match session.goal() {
        Some(_) => format!("{here} On the way to another moment."),
        None if session.follows() => {
            format!("{here} Play resumes as recorded; a drag or a changed setting begins a branch.")
        }
        None => format!("{here} Play goes on without the drags and changes that were made."),
    }
}

/// What the scene is made of.
fn contents(session: &Session) -> String {
    let model = session.model();
    let redundant = session.scene().assembly.redundant;
    let limits: usize = model.joints.iter().map(|j| j.limits.len()).sum();
    let always = [
        (model.bodies.len(), "body", "bodies"),
        (model.joints.len(), "joint", "joints"),
        (
            model.equations(),
            "constraint equation",
            "constraint equations",
        ),
    ];
    let mut parts: Vec<String> = always
        .iter()
        .map(|&(count, one, many)| counted(count, one, many))
        .collect();
    if redundant > 0 {
        parts[2] += &format!(" ({redundant} redundant)");
    }
    let some = [
        (limits, "joint limit", "joint limits"),
        (model.cables.len(), "cable", "cables"),
    ];
    parts.extend(
        some.iter()
            .filter(|p| p.0 > 0)
            .map(|&(count, one, many)| counted(count, one, many)),
    );
    parts.join(" · ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scene_is_made_of_what_is_counted() {
        let scene = physics::scene::open("four_bar", &[]).unwrap();
        let said = contents(&Session::new(scene).unwrap());
        // A plane loop in space: three of its equations say nothing new.
        assert!(said.contains("(3 redundant)"), "{said}");
    }
}
