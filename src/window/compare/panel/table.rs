//! The table of the lanes, and their legend over the view.

use crate::commands::Command;
use crate::commands::compare::CompareCommand;
use crate::compare::Comparing;
use crate::compare::panel::{asked, chip, name};
use crate::text::format;
use crate::theme::{Palette, colour, size};
use crate::ui::button;
use bevy_egui::egui::{Align, Layout, Rect, RichText, ScrollArea, Sense, Ui, vec2};
use physics::sim::comparison::{Figures, LaneFailure};

/// Width of the names, and of what can be done with each: beside the names, where a narrow window shows it too.
const NAME: f32 = 132.0;
const DOING: f32 = 222.0;

/// A column: title, what is meant, width, and the text of a lane.
struct Column {
    title: &'static str,
    meaning: &'static str,
    width: f32,
    text: fn(&Figures) -> String,
}

const COLUMNS: [Column; 9] = [
    Column {
        title: "energy error",
        meaning: "Energy error now, since all runs were last synchronised",
        width: 92.0,
        text: |f| format::quantity(f.energy_error[0], "J"),
    },
    Column {
        title: "worst",
        meaning: "Largest energy error of any step",
        width: 84.0,
        text: |f| format::quantity(f.energy_error[1], "J"),
    },
    Column {
        title: "drift",
        meaning: "Joint gap now",
        width: 88.0,
        text: |f| format::quantity(f.drift_position[0], "m"),
    },
    Column {
        title: "worst",
        meaning: "Largest joint gap of any step",
        width: 88.0,
        text: |f| format::quantity(f.drift_position[1], "m"),
    },
    Column {
        title: "worst angle",
        meaning: "Largest joint misalignment of any step",
        width: 96.0,
        text: |f| format::quantity(f.drift_angle[1], "rad"),
    },
    Column {
        title: "iterations",
        meaning: "Newton iterations of a step on average",
        width: 72.0,
        // Explicit methods have none.
        text: |f| match f.mean_iterations {
            0.0 => "–".into(),
            mean => format!("{mean:.2}"),
        },
    },
    Column {
        title: "time per step",
        meaning: "Median wall time of a step",
        width: 92.0,
        text: |f| format::duration(f.step_seconds),
    },
    Column {
        title: "distance",
        meaning: "Configuration distance from the reference at the last common time",
        width: 88.0,
        text: |f| format::quantity(f.distance[0], "m"),
    },
    Column {
        title: "worst",
        meaning: "Largest distance from the reference so far",
        width: 84.0,
        text: |f| format::quantity(f.distance[1], "m"),
    },
];

/// What is known of a lane.
struct Line {
    figures: Figures,
    failure: Option<LaneFailure>,
    /// Whether it could lead.
    able: bool,
}

/// Height that the table wants.
pub fn height(comparing: &Comparing) -> f32 {
    let failed = comparing.sheet().map_or(0, |sheet| {
        sheet.lanes.iter().filter(|l| l.failure.is_some()).count()
    });
    let rows = 1 + comparing.lanes().len() + failed;
    (rows as f32 * size::ROW + 10.0).min(8.0 * size::ROW)
}

/// Draws the table. `late` says that time is held up by what the lanes take.
pub fn lane_table_ui(ui: &mut Ui, comparing: &Comparing, late: bool) -> Vec<Command> {
    let mut out = Vec::new();
    let Some(sheet) = comparing.sheet() else {
        return out;
    };
    let line = |id| {
        let shown = sheet.lane(id)?;
        Some(Line {
            figures: shown.figures,
            failure: shown.failure.clone(),
            able: shown.failure.is_none(),
        })
    };
    let shown: Vec<Option<Line>> = comparing.lanes().iter().map(|l| line(l.id)).collect();
    drop(sheet);
    let next = comparing.next_leader();
    ui.spacing_mut().item_spacing = vec2(0.0, 0.0);
    ui.spacing_mut().interact_size.y = size::ROW - 4.0;
    ui.spacing_mut().button_padding = vec2(6.0, 1.0);
    ScrollArea::both()
        .auto_shrink([false, false])
        .show(ui, |ui| {
            header_ui(
                ui,
                late.then(|| slowest(comparing, &shown)).flatten(),
                &mut out,
            );
            for (place, shown) in shown.iter().enumerate() {
                row_ui(ui, comparing, place, shown.as_ref(), next, &mut out);
            }
        });
    out
}

/// The lane that takes the longest for the same simulated time.
fn slowest(comparing: &Comparing, shown: &[Option<Line>]) -> Option<String> {
    let cost = |place: &usize| {
        let shown = shown[*place].as_ref()?;
        let dt = comparing.lanes()[*place].spec.settings.dt;
        Some(shown.figures.step_seconds / dt)
    };
    let places = 0..comparing.lanes().len();
    let most = places
        .filter_map(|k| Some((k, cost(&k)?)))
        .max_by(|a, b| a.1.total_cmp(&b.1));
    most.map(|(place, _)| {
        format!(
            "Time runs slower for all: {} takes longest",
            name(comparing, place, false)
        )
    })
}

fn header_ui(ui: &mut Ui, late: Option<String>, out: &mut Vec<Command>) {
    let palette = Palette::worn(ui);
    let faint = palette.faint();
    ui.horizontal(|ui| {
        cell(ui, NAME, Align::Min, |ui| match late {
            Some(text) => {
                let warning = RichText::new(&text).small().color(colour(palette.warning));
                ui.add(bevy_egui::egui::Label::new(warning).truncate())
                    .on_hover_text(text);
            }
            None => {
                ui.label(RichText::new("run").small().color(faint));
            }
        });
        cell(ui, DOING, Align::Min, |ui| {
            let meaning = "Restarts all runs from the state of the reference";
            button(
                ui,
                "Synchronise",
                meaning,
                asked(CompareCommand::Synchronise),
                out,
            );
            ui.add_space(6.0);
            button(
                ui,
                "Stop comparing",
                "Continues with the reference alone",
                asked(CompareCommand::End),
                out,
            );
        });
        for column in &COLUMNS {
            cell(ui, column.width, Align::Max, |ui| {
                ui.label(RichText::new(column.title).small().color(faint))
                    .on_hover_text(column.meaning);
            });
        }
    });
}

fn row_ui(
    ui: &mut Ui,
    comparing: &Comparing,
    place: usize,
    shown: Option<&Line>,
    next: Option<usize>,
    out: &mut Vec<Command>,
) {
    let palette = Palette::worn(ui);
    let leads = place == comparing.leader();
    let failure = shown.and_then(|s| s.failure.as_ref());
    let text = match failure {
        Some(_) => colour(palette.failure),
        None => colour(palette.text[0]),
    };
    let row = ui.horizontal(|ui| {
        cell(ui, NAME, Align::Min, |ui| {
            let (rect, _) = ui.allocate_exact_size(vec2(18.0, size::ROW), Sense::hover());
            let square = Rect::from_center_size(rect.center() - vec2(2.0, 0.0), vec2(13.0, 13.0));
            chip(ui.painter(), square, comparing.shade(place, palette), leads);
            let name = name(comparing, place, false);
            let label = RichText::new(&name).small().color(text);
            let label = if leads { label.strong() } else { label };
            ui.add(bevy_egui::egui::Label::new(label).truncate())
                .on_hover_text(name);
        });
        cell(ui, DOING, Align::Min, |ui| {
            let who = &comparing.lanes()[place].spec.integrator;
            if leads {
                ui.label(RichText::new("reference").small().color(palette.faint()));
                return;
            }
            let able = shown.is_some_and(|s| s.able);
            ui.add_enabled_ui(able, |ui| {
                let meaning =
                    format!("The session continues from the state of {who}, with its method");
                // That of the next one has a key.
                let lead = match next {
                    Some(next) if next == place => CompareCommand::LeadNext,
                    _ => CompareCommand::Lead(place),
                };
                button(ui, "Make reference", &meaning, asked(lead), out)
                    .on_disabled_hover_text("It has stopped and cannot be the reference");
            });
            ui.add_space(6.0);
            let meaning = format!("Takes {who} out");
            button(ui, "✖", &meaning, asked(CompareCommand::Remove(place)), out);
        });
        for column in &COLUMNS {
            let value = shown.map_or("–".into(), |s| (column.text)(&s.figures));
            cell(ui, column.width, Align::Max, |ui| {
                ui.label(RichText::new(value).monospace().color(text));
            });
        }
    });
    let line = row.response.rect;
    ui.painter()
        .hline(line.x_range(), line.top(), (1.0, colour(palette.line)));
    if let Some(failure) = failure {
        let said = format!(
            "stopped at {}: {}",
            format::clock(failure.time),
            failure.error
        );
        ui.horizontal(|ui| {
            ui.set_min_height(size::ROW);
            ui.add_space(18.0);
            let label = RichText::new(&said).small().color(text);
            ui.add(bevy_egui::egui::Label::new(label).truncate())
                .on_hover_text(said);
        });
    }
}

/// A cell of fixed width, so that nothing moves while numbers change.
fn cell(ui: &mut Ui, width: f32, align: Align, contents: impl FnOnce(&mut Ui)) {
    let layout = match align {
        Align::Max => Layout::right_to_left(Align::Center),
        _ => Layout::left_to_right(Align::Center),
    };
    ui.allocate_ui_with_layout(vec2(width, size::ROW), layout, |ui| {
        ui.set_min_size(vec2(width, size::ROW));
        contents(ui);
    });
}
