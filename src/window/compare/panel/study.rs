//! The convergence view: methods over a ladder of steps, error against step and against time on logarithmic axes.

use crate::commands::Command;
use crate::commands::compare::CompareCommand;
use crate::compare::Comparing;
use crate::compare::panel::asked;
use crate::compare::study::{Rung, StudyState, rungs};
use crate::jobs::Progress;
use crate::session::Session;
use crate::text::format;
use crate::theme::{Palette, colour, size};
use crate::ui::axes::{axis, decades, still};
use crate::ui::{Spoken, button};
use bevy_egui::egui::{self, DragValue, ProgressBar, RichText, Ui, Vec2b, vec2};
use egui_plot::{AxisHints, HoverPosition, Line, PlotPoints, Points};
use physics::integrators::{IntegratorInfo, REGISTRY};
use physics::sim::convergence::{Convergence, Curve, Ladder, Run, Slope};

/// Size of the plots together, and width of what is chosen beside them.
const PLOTS: [f32; 2] = [560.0, 330.0];
const CHOICE: f32 = 284.0;

/// Powers of ten across are narrow: they may stand this near to each other (points).
const NARROW: egui::Rangef = egui::Rangef {
    min: 24.0,
    max: 32.0,
};

/// Draws the view.
pub fn study_ui(ui: &mut Ui, session: &Session, comparing: &Comparing) -> Vec<Command> {
    let mut out = Vec::new();
    ui.horizontal_top(|ui| {
        ui.allocate_ui(vec2(CHOICE, PLOTS[1]), |ui| {
            ui.vertical(|ui| {
                ui.set_width(CHOICE);
                choice_ui(ui, session, comparing, &mut out);
            });
        });
        ui.separator();
        ui.vertical(|ui| {
            ui.set_min_size(PLOTS.into());
            match comparing.study.state() {
                StudyState::Idle => {
                    let faint = Palette::worn(ui).faint();
                    let text = "Choose methods and steps, then Run. The scene is run from its start in the background; \
                                the error is the distance from a far finer run at the end.";
                    ui.label(RichText::new(text).color(faint));
                }
                StudyState::Running(progress, rung) => progress_ui(ui, &progress, &rung, &mut out),
                StudyState::Failed(error) => {
                    let failure = colour(Palette::worn(ui).failure);
                    ui.label(RichText::new(error).color(failure));
                }
                StudyState::Done(found) => found_ui(ui, found, &mut out),
            }
        });
    });
    out
}

/// Methods, steps, time.
fn choice_ui(ui: &mut Ui, session: &Session, comparing: &Comparing, out: &mut Vec<Command>) {
    let running = matches!(comparing.study.state(), StudyState::Running(..));
    let before = &comparing.study.ladder;
    let mut ladder = before.clone();
    ui.add_enabled_ui(!running, |ui| {
        methods_ui(ui, session, &mut ladder);
        ui.add_space(6.0);
        let coarsest = before.dts.iter().copied().fold(0.0, f64::max);
        let mut milliseconds = 1e3 * coarsest;
        let mut halvings = before.dts.len().saturating_sub(1) as i32;
        let speed = 0.01 * milliseconds.max(1e-3);
        let field = DragValue::new(&mut milliseconds)
            .prefix("coarsest dt ")
            .suffix(" ms")
            .range(1e-3..=1e3)
            .speed(speed)
            .max_decimals(4);
        let changed = ui
            .add(field)
            .spoken("Largest step size")
            .on_hover_text("Largest step size")
            .changed();
        let field = DragValue::new(&mut halvings)
            .prefix("halved ")
            .suffix(" times")
            .range(1..=10)
            .speed(0.05);
        let more = ui
            .add(field)
            .spoken("Further step sizes")
            .on_hover_text("So many more step sizes, each half of the one before")
            .changed();
        if changed || more {
            ladder.dts = rungs(1e-3 * milliseconds, halvings);
        }
        let field = DragValue::new(&mut ladder.duration)
            .prefix("for ")
            .suffix(" s")
            .range(1e-3..=1e4)
            .speed(0.01)
            .max_decimals(3);
        ui.add(field).spoken("Simulated time").on_hover_text(
            "Simulated time; a chaotic scene has a slope only as long as its errors are small",
        );
    });
    ui.add_space(6.0);
    ui.horizontal(|ui| {
        if running {
            button(
                ui,
                "Cancel",
                "Ends the study; what is done is kept",
                asked(CompareCommand::Cancel),
                out,
            );
        } else {
            ui.add_enabled_ui(!ladder.integrators.is_empty(), |ui| {
                let meaning = "Runs all methods at all step sizes";
                button(ui, "Run", meaning, asked(CompareCommand::Converge), out)
                    .on_disabled_hover_text("Choose a method first");
            });
        }
    });
    if ladder != *before {
        out.push(asked(CompareCommand::Ladder(ladder)));
    }
}

/// The methods, each in its colour, in two columns, so that what they are run with stands in view below them.
fn methods_ui(ui: &mut Ui, session: &Session, ladder: &mut Ladder) {
    ui.spacing_mut().interact_size.y = 20.0;
    let half = REGISTRY.len().div_ceil(2);
    ui.columns(2, |columns| {
        for (ui, methods) in columns.iter_mut().zip(REGISTRY.chunks(half)) {
            for info in methods {
                method_ui(ui, session, info, ladder);
            }
        }
    });
}

/// One of them; what cannot run the scene is greyed with the reason.
fn method_ui(ui: &mut Ui, session: &Session, info: &IntegratorInfo, ladder: &mut Ladder) {
    let palette = Palette::worn(ui);
    let refused = session.refusal(info).map(|r| r.reason.as_str());
    let mut on = ladder.integrators.iter().any(|n| n == info.name);
    let name = RichText::new(info.name).color(colour(palette.method(info.name, 0).colour));
    let response = ui
        .add_enabled(refused.is_none(), egui::Checkbox::new(&mut on, name))
        .on_hover_text(info.summary)
        .on_disabled_hover_text(refused.unwrap_or_default());
    if response.changed() {
        // In the order of the registry, whatever was clicked first.
        let chosen = |name: &str| match name == info.name {
            true => on,
            false => ladder.integrators.iter().any(|n| n == name),
        };
        let names = REGISTRY.iter().map(|i| i.name);
        ladder.integrators = names.filter(|n| chosen(n)).map(String::from).collect();
    }
}

fn progress_ui(ui: &mut Ui, progress: &Progress, rung: &Rung, out: &mut Vec<Command>) {
    let share = progress.share().unwrap_or_default();
    let what = if rung.integrator.is_empty() {
        "beginning".into()
    } else {
        format!(
            "{} with steps of {}",
            rung.integrator,
            format::duration(rung.dt)
        )
    };
    ui.add(ProgressBar::new(share).text(format!("{:.0} %", 100.0 * share)));
    ui.label(RichText::new(what).small());
    // A second place to stop it, beside what shows how long it takes.
    let meaning = "Ends the study and keeps what is done";
    button(ui, "Stop", meaning, asked(CompareCommand::Cancel), out);
}

fn found_ui(ui: &mut Ui, found: &Convergence, out: &mut Vec<Command>) {
    let palette = Palette::worn(ui);
    ui.horizontal(|ui| {
        let reference = &found.reference;
        let text = format!(
            "Error after {} against {} with {}, its own about {}",
            format::quantity(found.duration, "s"),
            reference.integrator,
            format::duration(reference.dt),
            format::quantity(reference.error, "m"),
        );
        ui.label(RichText::new(text).small().color(palette.faint()));
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            let svg = "Save the figure (SVG)";
            button(ui, "SVG", svg, asked(CompareCommand::StudySvg(None)), out);
            let csv = "Save the table (CSV)";
            button(ui, "CSV", csv, asked(CompareCommand::StudyCsv(None)), out);
        });
    });
    if found.cancelled {
        let text = RichText::new("Cancelled: some runs are missing.").small();
        ui.label(text.color(colour(palette.warning)));
    }
    ui.columns(2, |columns| {
        let parts: [StudyPlot; 2] = [
            StudyPlot {
                axis: "step size [s]",
                x: |r| r.dt,
                slope: |c| c.by_dt,
            },
            StudyPlot {
                axis: "time of the steps [s]",
                x: |r| r.seconds,
                slope: |c| c.by_seconds,
            },
        ];
        for (ui, part) in columns.iter_mut().zip(parts) {
            part_ui(ui, found, &part);
        }
    });
    for run in &found.runs {
        if let Some(failure) = &run.failure {
            let text = format!(
                "{} with {}: {failure}",
                run.integrator,
                format::duration(run.dt)
            );
            let label = RichText::new(&text).small().color(colour(palette.failure));
            ui.add(egui::Label::new(label).truncate())
                .on_hover_text(text);
        }
    }
}

/// What the error is drawn against.
struct StudyPlot {
    axis: &'static str,
    x: fn(&Run) -> f64,
    slope: fn(&Curve) -> Option<Slope>,
}

fn part_ui(ui: &mut Ui, found: &Convergence, part: &StudyPlot) {
    let palette = Palette::worn(ui);
    let small = egui::FontId::proportional(size::TEXT.0);
    ui.style_mut()
        .text_styles
        .insert(egui::TextStyle::Body, small);
    let point = |run: &Run| [(part.x)(run).log10(), run.error.log10()];
    let shown = |run: &&Run| run.failure.is_none() && point(run).iter().all(|v| v.is_finite());
    let shade = |name: &str| colour(palette.method(name, 0).colour);
    ui.label(
        RichText::new(format!("error [m] against {}", part.axis))
            .small()
            .strong(),
    );
    let all: Vec<[f64; 2]> = found.runs.iter().filter(shown).map(point).collect();
    let [across, up] = [0, 1].map(|k| range(all.iter().map(|p| p[k])));
    still(part.axis, PLOTS[1] - 110.0, palette)
        .show_axes(Vec2b::TRUE)
        .x_grid_spacer(|input| decades(&input))
        .y_grid_spacer(|input| decades(&input))
        .custom_x_axes(vec![
            AxisHints::new_x()
                .label_spacing(NARROW)
                .formatter(|mark, _| format::decade(mark.value)),
        ])
        .custom_y_axes(vec![axis(format::decade)])
        .label_formatter(|at| match at {
            HoverPosition::NearDataPoint {
                plot_name,
                position,
                ..
            } => Some(format!(
                "{plot_name}\n{}\nerror {}",
                format::duration(10f64.powf(position.x)),
                format::quantity(10f64.powf(position.y), "m"),
            )),
            HoverPosition::Elsewhere { .. } => None,
        })
        .show(ui, |plot| {
            plot.set_plot_bounds_x(across.clone());
            plot.set_plot_bounds_y(up.clone());
            for curve in &found.curves {
                let own = || {
                    let runs = found.runs.iter().filter(shown);
                    runs.filter(|r| r.integrator == curve.integrator)
                };
                let line: Vec<[f64; 2]> = own().map(point).collect();
                let shade = shade(&curve.integrator);
                plot.line(
                    Line::new(curve.integrator.as_str(), PlotPoints::from(line))
                        .color(shade)
                        .width(1.5),
                );
                for counts in [true, false] {
                    let marks: Vec<[f64; 2]> =
                        own().filter(|r| r.counts == counts).map(point).collect();
                    plot.points(
                        Points::new(curve.integrator.as_str(), PlotPoints::from(marks))
                            .color(shade)
                            .filled(counts)
                            .radius(3.5),
                    );
                }
            }
        });
    ui.spacing_mut().interact_size.y = 14.0;
    for curve in &found.curves {
        let slope = match (part.slope)(curve) {
            Some(s) => format!("{}  slope {:.2}", curve.integrator, s.slope),
            None => format!("{}  no slope", curve.integrator),
        };
        ui.label(RichText::new(slope).small().color(shade(&curve.integrator)));
    }
}

/// Whole decades around values that are logarithms.
fn range(values: impl Iterator<Item = f64>) -> std::ops::RangeInclusive<f64> {
    let (low, high) = values.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), v| {
        (l.min(v), h.max(v))
    });
    if low > high {
        return 0.0..=1.0;
    }
    let (low, high) = ((low - 0.1).floor(), (high + 0.1).ceil());
    low..=high.max(low + 1.0)
}
