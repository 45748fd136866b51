//! The profiler: wall time per phase of the last steps as stacked areas, with share, mean and worst.

use crate::commands::Command;
use crate::session::Session;
use crate::text::format;
use crate::theme::categorical::hue;
use crate::theme::{Palette, colour, size};
use bevy::prelude::{InMut, Res};
use bevy_egui::egui::{
    self, Align2, Color32, FontId, Mesh, Rect, RichText, Sense, Shape, Stroke, Ui, pos2, vec2,
};
use egui_extras::{Column, TableBuilder};
use physics::sim::{Lap, Profile};
use physics::stopwatch::{PHASES, Phase};

/// Room for the marks of the vertical axis.
const AXIS: f32 = 56.0;
/// Width of the table.
const TABLE: f32 = 390.0;

/// What a phase is called, and what it does.
pub fn words(phase: Phase) -> (&'static str, &'static str) {
    match phase {
        Phase::Prepare => (
            "prepare",
            "Forces at the knot, first guess, checks between iterations",
        ),
        Phase::Detect => ("detect", "Which features of shapes are near each other"),
        Phase::Evaluate => ("evaluate", "What is unbalanced, how far joints are open"),
        Phase::Assemble => ("assemble", "Writing the linear system down"),
        Phase::Factor => (
            "factor",
            "Factoring it; with eliminated pairs and dense LU, assembling or solving too",
        ),
        Phase::Solve => ("solve", "Solving with the factors, and moving the bodies"),
        Phase::LineSearch => (
            "line search",
            "Taking back what went too far, and looking again",
        ),
        Phase::Finish => (
            "finish",
            "Momenta, reactions and contact forces of the step",
        ),
        Phase::Account => ("account", "Work and losses"),
        Phase::Measure => ("measure", "Energy, momentum and drift for the plots"),
    }
}

/// Colour of a phase; neighbours in the stack differ for every eye.
fn shade(phase: Phase, dark: bool) -> Color32 {
    const ORDER: [usize; PHASES.len()] = [7, 6, 0, 1, 4, 5, 2, 3, 7, 1];
    let hue = hue(ORDER[phase as usize], dark);
    match phase {
        Phase::Account | Phase::Measure => hue.gamma_multiply(0.6),
        _ => hue,
    }
}

/// The panel.
pub fn panel(InMut(ui): InMut<Ui>, session: Res<Session>) -> Vec<Command> {
    profiler_ui(ui, &session);
    Vec::new()
}

/// Draws the profiler.
pub fn profiler_ui(ui: &mut Ui, session: &Session) {
    let Some(profile) = session.profile().filter(|p| p.laps().len() > 1) else {
        ui.label("Let time run: the phases of every step are measured while this is open.");
        return;
    };
    let whole = profile.whole();
    ui.horizontal(|ui| {
        ui.label(RichText::new("Time per step").strong());
        for (name, value, meaning) in [
            ("mean", whole.mean, "Over the steps that are shown"),
            ("worst", whole.worst, "Longest of the steps that are shown"),
        ] {
            ui.separator();
            ui.label(RichText::new(format!("{name} {}", format::duration(value))).small())
                .on_hover_text(meaning);
        }
        ui.separator();
        let share = whole.mean / session.settings().dt;
        ui.label(RichText::new(format!("{:.1} % of the time simulated", 100.0 * share)).small())
            .on_hover_text("Above 100 % the simulation cannot keep up with real time");
        ui.separator();
        ui.label(RichText::new(format!("last {} steps", profile.laps().len())).small());
    });
    let room = ui.available_rect_before_wrap();
    let split = (room.right() - TABLE).max(room.left() + 160.0);
    let areas = Rect::from_min_max(room.min, pos2(split - 12.0, room.bottom()));
    let table = Rect::from_min_max(pos2(split, room.top()), room.max);
    areas_ui(ui, areas, profile);
    ui.scope_builder(egui::UiBuilder::new().max_rect(table), |ui| {
        table_ui(ui, profile)
    });
    ui.allocate_rect(room, Sense::hover());
}

/// The history as stacked areas, the newest step at the right.
fn areas_ui(ui: &mut Ui, rect: Rect, profile: &Profile) {
    let dark = ui.visuals().dark_mode;
    let palette = Palette::worn(ui);
    let well = Rect::from_min_max(
        pos2(rect.left() + AXIS, rect.top() + 9.0),
        rect.max - vec2(0.0, 18.0),
    );
    let painter = ui.painter().with_clip_rect(rect);
    painter.rect_filled(well, 0.0, colour(palette.well));
    let laps: Vec<&Lap> = profile.laps().collect();
    let top = ceiling(laps.iter().map(|l| l.total()));
    let faint = palette.faint();
    let font = FontId::proportional(size::TEXT.0);
    for k in 0..=4 {
        let part = k as f32 / 4.0;
        let y = well.bottom() - part * well.height();
        painter.hline(well.x_range(), y, Stroke::new(1.0, colour(palette.line)));
        let text = format::duration(f64::from(part * top));
        painter.text(
            pos2(well.left() - 6.0, y),
            Align2::RIGHT_CENTER,
            text,
            font.clone(),
            faint,
        );
    }
    let x = |k: usize| well.left() + well.width() * k as f32 / (laps.len() - 1) as f32;
    let y = |seconds: f32| well.bottom() - well.height() * (seconds / top).min(1.0);
    let mut below = vec![0.0_f32; laps.len()];
    let mut mesh = Mesh::default();
    for phase in PHASES {
        let fill = shade(phase, dark);
        let first = mesh.vertices.len() as u32;
        for (k, lap) in laps.iter().enumerate() {
            let above = below[k] + lap.spent[phase as usize];
            mesh.colored_vertex(pos2(x(k), y(below[k])), fill);
            mesh.colored_vertex(pos2(x(k), y(above)), fill);
            below[k] = above;
        }
        for k in 0..laps.len() as u32 - 1 {
            let at = first + 2 * k;
            mesh.add_triangle(at, at + 1, at + 2);
            mesh.add_triangle(at + 1, at + 3, at + 2);
        }
    }
    painter.add(Shape::mesh(mesh));
    for (at, align, lap) in [
        (well.left(), Align2::LEFT_TOP, laps[0]),
        (well.right(), Align2::RIGHT_TOP, laps[laps.len() - 1]),
    ] {
        let text = format!("step {}", format::grouped(lap.step as usize));
        painter.text(
            pos2(at, well.bottom() + 3.0),
            align,
            text,
            font.clone(),
            faint,
        );
    }
    let response = ui.interact(well, ui.id().with("history of phases"), Sense::hover());
    response.widget_info(|| {
        egui::WidgetInfo::labeled(egui::WidgetType::Other, true, "History of phases")
    });
    if let Some(at) = response.hover_pos() {
        let part = (at.x - well.left()) / well.width();
        let k = (part * (laps.len() - 1) as f32).round() as usize;
        let lap = laps[k.min(laps.len() - 1)];
        painter.vline(
            x(k),
            well.y_range(),
            Stroke::new(1.0, colour(palette.text[0])),
        );
        response.on_hover_ui_at_pointer(|ui| told_ui(ui, lap));
    }
}

/// One step in numbers.
fn told_ui(ui: &mut Ui, lap: &Lap) {
    ui.label(format!(
        "step {}: {}",
        lap.step,
        format::duration(f64::from(lap.total()))
    ));
    for phase in PHASES {
        let spent = lap.spent[phase as usize];
        if spent > 0.0 {
            let text = format!(
                "{:12}{}",
                words(phase).0,
                format::duration(f64::from(spent))
            );
            ui.monospace(text);
        }
    }
}

/// The smallest of 1, 2, 5 times a power of ten that holds nearly all values: a rare spike is cut off.
fn ceiling(values: impl Iterator<Item = f32>) -> f32 {
    let mut values: Vec<f32> = values.collect();
    values.sort_by(f32::total_cmp);
    let high = values[(values.len() - 1) * 98 / 100].max(1e-7) * 1.05;
    let power = 10f32.powf(high.log10().floor());
    let steps = [1.0, 2.0, 4.0, 5.0, 10.0];
    steps
        .into_iter()
        .map(|s| s * power)
        .find(|s| *s >= high)
        .unwrap_or(high)
}

/// Height of a row of the table (points).
const ROW: f32 = 18.0;

/// Phases with share, mean and worst, in the order of the stack from its top.
fn table_ui(ui: &mut Ui, profile: &Profile) {
    let dark = ui.visuals().dark_mode;
    let faint = Palette::worn(ui).faint();
    ui.spacing_mut().interact_size.y = 16.0;
    ui.spacing_mut().item_spacing.y = 3.0;
    let all = PHASES.iter().map(|&p| (p, profile.figures(p))).rev();
    let all: Vec<_> = all.filter(|(_, f)| f.worst > 0.0).collect();
    TableBuilder::new(ui)
        .id_salt("phases")
        .resizable(true)
        .column(Column::exact(12.0).resizable(false))
        .column(Column::initial(84.0).clip(true))
        .columns(Column::initial(72.0).clip(true), 2)
        .column(Column::remainder().clip(true).resizable(false))
        .header(ROW, |mut row| {
            for title in ["", "phase", "mean", "worst", "share"] {
                row.col(|ui| {
                    ui.label(RichText::new(title).small().color(faint));
                });
            }
        })
        .body(|body| {
            body.rows(ROW, all.len(), |mut row| {
                let (phase, figures) = &all[row.index()];
                let (name, meaning) = words(*phase);
                row.col(|ui| {
                    let (mark, _) = ui.allocate_exact_size(vec2(12.0, 12.0), Sense::hover());
                    ui.painter().rect_filled(mark, 2.0, shade(*phase, dark));
                });
                row.col(|ui| {
                    ui.label(RichText::new(name).small()).on_hover_text(meaning);
                });
                for value in [figures.mean, figures.worst] {
                    row.col(|ui| {
                        let text = format!("{:>9}", format::duration(value));
                        ui.label(RichText::new(text).monospace());
                    });
                }
                row.col(|ui| {
                    let text = format!("{:5.1} %", 100.0 * figures.share);
                    ui.label(RichText::new(text).monospace());
                    let (bar, _) = ui.allocate_exact_size(vec2(64.0, 8.0), Sense::hover());
                    let filled =
                        Rect::from_min_size(bar.min, vec2(64.0 * figures.share as f32, 8.0));
                    let line = colour(Palette::worn(ui).line);
                    ui.painter().rect_filled(bar, 2.0, line);
                    ui.painter().rect_filled(filled, 2.0, shade(*phase, dark));
                });
            });
        });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_axis_ends_at_a_round_number_and_a_rare_spike_does_not_flatten_it() {
        assert_eq!(ceiling([1.0e-4_f32; 50].into_iter()), 2.0e-4);
        let spike = (0..100).map(|k| if k == 50 { 1.0 } else { 3.0e-5 });
        assert!((ceiling(spike) / 4.0e-5 - 1.0).abs() < 1e-5);
        assert!(ceiling([0.0, 0.0].into_iter()) > 0.0);
    }
}
