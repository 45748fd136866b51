//! The figure that is shown beside the view: claim, plot, progress, verdict.

use crate::commands::Command;
use crate::commands::papers::PapersCommand;
use crate::papers::chart::chart_ui;
use crate::papers::run::{RunState, Status};
use crate::papers::{Papers, titles, words};
use crate::text::format;
use crate::theme::{Palette, colour, papers as look, size};
use crate::ui::{Spoken, button, heading};
use bevy_egui::egui::{self, Align, Color32, Layout, ProgressBar, RichText, ScrollArea, Ui, vec2};
use reproduce::{Item, Standing, Verdict};

/// Draws the figure that is shown; nothing if none is.
pub fn panel_ui(ui: &mut Ui, papers: &Papers) -> Vec<Command> {
    let mut out = Vec::new();
    let Some((place, item)) = papers.shown() else {
        return out;
    };
    let record = papers.record(place);
    ui.horizontal(|ui| {
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            ask(ui, words::CLOSE, PapersCommand::Close, &mut out);
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                let name = RichText::new(words::cited(item.paper, item.figure)).strong();
                ui.add(egui::Label::new(name).truncate());
            });
        });
    });
    ScrollArea::vertical()
        .auto_shrink([false, false])
        .show(ui, |ui| {
            ui.add(
                egui::Label::new(RichText::new(words::sentence(&titles()[place])).small()).wrap(),
            );
            heading(ui, &format!("{} ({})", words::CLAIM, item.place));
            wrapped(ui, &words::sentence(item.claim));
            ui.add_space(4.0);
            match record {
                Some(record) => run_ui(ui, item, record, &mut out),
                None => {
                    empty_ui(ui, words::NO_PLOT);
                }
            }
            actions_ui(ui, item, place, record, &mut out);
            heading(ui, words::WHAT_RUNS);
            small(ui, &words::sentence(item.setup));
            if item.timed {
                small(ui, words::TIMED);
            }
            if let Some(note) = item.scene.note() {
                heading(ui, words::SEEN);
                small(ui, &words::sentence(note));
            }
        });
    out
}

/// A button of words and what they mean.
fn ask(ui: &mut Ui, (label, meaning): (&str, &str), asked: PapersCommand, out: &mut Vec<Command>) {
    button(ui, label, meaning, Command::Papers(asked), out);
}

fn wrapped(ui: &mut Ui, text: &str) {
    ui.add(egui::Label::new(text).wrap());
}

fn small(ui: &mut Ui, text: &str) {
    let faint = Palette::worn(ui).faint();
    ui.add(egui::Label::new(RichText::new(text).small().color(faint)).wrap());
}

/// Words in the place of a plot.
fn empty_ui(ui: &mut Ui, text: &str) {
    let faint = Palette::worn(ui).faint();
    ui.allocate_ui(vec2(ui.available_width(), look::PLOT), |ui| {
        ui.set_min_height(look::PLOT);
        ui.add(egui::Label::new(RichText::new(text).small().color(faint)).wrap());
    });
}

/// How a run stands, its plot, and what was measured.
fn run_ui(ui: &mut Ui, item: &Item, record: &RunState, out: &mut Vec<Command>) {
    let took = words::took(record.effort.name(), &format::duration(record.seconds));
    let verdict = format!("{} ({took})", words::VERDICT);
    match &record.status {
        Status::Running(part) => progress_ui(ui, *part, out),
        Status::Judged(found) => {
            let said = words::sentence(&words::standing(item, found));
            heading(ui, &verdict);
            let shade = shade(ui, item, found);
            ui.label(RichText::new(said).strong().color(shade));
        }
        Status::Cancelled => {
            heading(ui, &verdict);
            ui.label(words::sentence(words::CANCELLED));
        }
        Status::Failed(reason) => {
            heading(ui, &verdict);
            let failure = colour(Palette::worn(ui).failure);
            let said = words::sentence(&format!("{}: {reason}", words::FAILED));
            ui.add(egui::Label::new(RichText::new(said).color(failure)).wrap());
        }
    }
    ui.add_space(4.0);
    ui.scope(|ui| {
        if !chart_ui(ui, &record.drawn, look::PLOT) {
            empty_ui(ui, words::NO_POINTS);
        }
    });
    if !record.drawn.claimed.is_empty() {
        small(ui, words::AS_PAPER);
    }
    if let Status::Judged(found) = &record.status {
        heading(ui, words::MEASURED);
        wrapped(ui, &words::sentence(&found.why));
    }
}

/// The colour of a verdict: what is not as expected is a failure, what differs from the paper is marked.
pub fn shade(ui: &Ui, item: &Item, verdict: &Verdict) -> Color32 {
    let palette = Palette::worn(ui);
    match verdict.standing {
        found if found != item.expected => colour(palette.failure),
        Standing::Holds => colour(palette.text[0]),
        Standing::Differs | Standing::Unjudged => colour(palette.warning),
    }
}

fn progress_ui(ui: &mut Ui, part: f64, out: &mut Vec<Command>) {
    ui.horizontal(|ui| {
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            ask(ui, words::CANCEL, PapersCommand::Cancel, out);
            let bar = ProgressBar::new(part as f32).text(words::progress(part));
            ui.add(bar.desired_width(ui.available_width()))
                .spoken(words::PROGRESS);
        });
    });
}

/// What can be done with a figure.
fn actions_ui(
    ui: &mut Ui,
    item: &Item,
    place: usize,
    record: Option<&RunState>,
    out: &mut Vec<Command>,
) {
    ui.add_space(4.0);
    ui.horizontal_wrapped(|ui| {
        let running = record.is_some_and(|r| matches!(r.status, Status::Running(_)));
        if item.scene.scene().is_some() && running {
            ui.menu_button(words::OPEN_MENU, |ui| {
                for (words, ends) in [(words::OPEN_ON, false), (words::OPEN_END, true)] {
                    ask(ui, words, PapersCommand::OpenScene(ends), out);
                }
            })
            .response
            .on_hover_text(words::OPEN.1);
        } else if item.scene.scene().is_some() {
            ask(ui, words::OPEN, PapersCommand::OpenScene(false), out);
        }
        if !running {
            let again = match record {
                Some(_) => words::AGAIN,
                None => words::RUN,
            };
            ask(ui, again, PapersCommand::Run(place), out);
        }
    });
    ui.spacing_mut().item_spacing.y = size::GAP;
}
