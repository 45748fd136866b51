//! The plot of a figure: what was measured in colours, what the paper claims dashed and muted.

use crate::papers::run::Drawn;
use crate::text::format;
use crate::theme::categorical::hue;
use crate::theme::{Palette, colour, size};
use crate::ui::axes::{axis, decades, linear, still, trimmed};
use bevy_egui::egui::{self, Color32, CornerRadius, Pos2, Rect, RichText, Stroke, Ui, Vec2b, pos2};
use egui_plot::{AxisHints, HoverPosition, Line, LineStyle, MarkerShape, PlotPoints, Points};
use physics::figures::Curve;
use std::ops::RangeInclusive;

/// Curves of so few points show them.
const FEW: usize = 24;

/// Room beside and above the curves, as a share of their range.
const MARGIN: f64 = 0.05;

/// How a curve is drawn.
struct Trace<'a> {
    name: &'a str,
    shade: Color32,
    claimed: bool,
    points: Vec<[f64; 2]>,
}

/// The curves in the coordinates of the plot: logarithms on logarithmic axes, and nothing that has none.
fn traces<'a>(drawn: &'a Drawn, dark: bool, muted: Color32) -> Vec<Trace<'a>> {
    let logarithmic = drawn.plot.logarithmic;
    let placed = |p: &[f64; 2]| {
        let at = [0, 1].map(|k| if logarithmic[k] { p[k].log10() } else { p[k] });
        at.iter().all(|x| x.is_finite()).then_some(at)
    };
    let trace = |curve: &'a Curve, shade, claimed| Trace {
        name: &curve.name,
        shade,
        claimed,
        points: curve.points.iter().filter_map(placed).collect(),
    };
    let own = drawn.plot.curves.iter().enumerate();
    let own = own.map(|(k, curve)| trace(curve, hue(k, dark), false));
    let claimed = drawn.claimed.iter().map(|c| trace(c, muted, true));
    // The paper's lie below what was measured.
    claimed.chain(own).collect()
}

/// The range of a coordinate; none without points.
fn range(traces: &[Trace], k: usize, logarithmic: bool) -> Option<RangeInclusive<f64>> {
    let values = traces.iter().flat_map(|t| t.points.iter().map(|p| p[k]));
    let (low, high) = values.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), v| {
        (l.min(v), h.max(v))
    });
    if low > high {
        return None;
    }
    if logarithmic {
        let low = (low - MARGIN).floor();
        return Some(low..=(high + MARGIN).ceil().max(low + 1.0));
    }
    // A single value, or values alike to rounding, stand in the middle.
    let least = 1e-9 * low.abs().max(high.abs()).max(1e-3);
    let margin = (MARGIN * (high - low)).max(least);
    Some(low - margin..=high + margin)
}

/// Draws it at a height (points); false if there is no point yet.
pub fn chart_ui(ui: &mut Ui, drawn: &Drawn, height: f32) -> bool {
    let palette = Palette::worn(ui);
    let dark = ui.visuals().dark_mode;
    let traces = traces(drawn, dark, palette.faint());
    let logarithmic = drawn.plot.logarithmic;
    let ranges = [0, 1].map(|k| range(&traces, k, logarithmic[k]));
    let [Some(across), Some(up)] = ranges else {
        return false;
    };
    let [x_name, y_name] = &drawn.plot.axes;
    let small = egui::FontId::proportional(size::TEXT.0);
    ui.style_mut()
        .text_styles
        .insert(egui::TextStyle::Body, small);
    ui.label(RichText::new(y_name).small().strong());
    let written = move |k: usize, value: f64| match logarithmic[k] {
        true => format::decade(value),
        false => trimmed(value),
    };
    let marks = |k: usize| {
        move |input| match logarithmic[k] {
            true => decades(&input),
            false => linear(&input, false),
        }
    };
    let axes = drawn.plot.axes.clone();
    still("figure of a paper", height, palette)
        .show_axes(Vec2b::TRUE)
        .x_grid_spacer(marks(0))
        .y_grid_spacer(marks(1))
        .custom_x_axes(vec![
            AxisHints::new_x().formatter(move |mark, _| written(0, mark.value)),
        ])
        .custom_y_axes(vec![axis(move |value| written(1, value))])
        .label_formatter(move |at| match at {
            HoverPosition::NearDataPoint {
                plot_name,
                position,
                ..
            } => {
                let value = |k: usize, value: f64| match logarithmic[k] {
                    true => 10f64.powf(value),
                    false => value,
                };
                let [x, y] = [value(0, position.x), value(1, position.y)].map(format::number);
                Some(format!("{plot_name}\n{}: {x}\n{}: {y}", axes[0], axes[1]))
            }
            HoverPosition::Elsewhere { .. } => None,
        })
        .show(ui, |plot| {
            plot.set_plot_bounds_x(across);
            plot.set_plot_bounds_y(up);
            for Trace {
                name,
                shade,
                claimed,
                points,
            } in &traces
            {
                if points.len() > 1 {
                    let style = match claimed {
                        true => LineStyle::dashed_loose(),
                        false => LineStyle::Solid,
                    };
                    let line = Line::new(*name, PlotPoints::from(points.clone()));
                    plot.line(line.color(*shade).width(1.5).style(style));
                }
                if points.len() <= FEW && (!claimed || points.len() == 1) {
                    let shape = match claimed {
                        true => MarkerShape::Diamond,
                        false => MarkerShape::Circle,
                    };
                    let marks = Points::new(*name, PlotPoints::from(points.clone()));
                    let radius = if *claimed { 5.0 } else { 2.5 };
                    plot.points(
                        marks
                            .color(*shade)
                            .shape(shape)
                            .radius(radius)
                            .filled(!claimed),
                    );
                }
            }
        });
    ui.vertical_centered(|ui| ui.label(RichText::new(x_name).small().strong()));
    legend_ui(ui, &traces);
    true
}

/// Paints the curves alone into a small rectangle; false if there is no point yet.
pub fn small_ui(ui: &Ui, drawn: &Drawn, frame: Rect) -> bool {
    let palette = Palette::worn(ui);
    let traces = traces(drawn, ui.visuals().dark_mode, palette.faint());
    let logarithmic = drawn.plot.logarithmic;
    let ranges = [0, 1].map(|k| range(&traces, k, logarithmic[k]));
    let [Some(across), Some(up)] = ranges else {
        return false;
    };
    let part = |range: &RangeInclusive<f64>, x: f64| {
        ((x - range.start()) / (range.end() - range.start())) as f32
    };
    let at = |p: &[f64; 2]| {
        let x = frame.left() + part(&across, p[0]) * frame.width();
        pos2(x, frame.bottom() - part(&up, p[1]) * frame.height())
    };
    let corner = CornerRadius::same(size::CORNER);
    let painter = ui.painter().with_clip_rect(frame.intersect(ui.clip_rect()));
    painter.rect_filled(frame, corner, colour(palette.well));
    for trace in &traces {
        let points: Vec<Pos2> = trace.points.iter().map(at).collect();
        if let [point] = points[..] {
            painter.circle_filled(point, 2.0, trace.shade);
        }
        painter.line(points, Stroke::new(1.0, trace.shade));
    }
    true
}

/// Names of the curves, each with a piece of its line.
fn legend_ui(ui: &mut Ui, traces: &[Trace]) {
    let (own, claimed): (Vec<&Trace>, Vec<&Trace>) = traces.iter().partition(|t| !t.claimed);
    ui.spacing_mut().interact_size.y = size::TEXT.0;
    ui.spacing_mut().item_spacing.y = 2.0;
    ui.horizontal_wrapped(|ui| {
        for trace in own.into_iter().chain(claimed) {
            let sign = if trace.claimed { "- -" } else { "—" };
            let text = format!("{sign} {}", trace.name);
            let text = RichText::new(text).small().color(trace.shade);
            ui.add(egui::Label::new(text).wrap_mode(egui::TextWrapMode::Extend));
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use physics::figures::Plot;

    fn drawn(points: Vec<[f64; 2]>, logarithmic: [bool; 2]) -> Drawn {
        let curve = |name: &str, points| Curve {
            name: name.into(),
            points,
        };
        Drawn {
            plot: Plot {
                title: String::new(),
                axes: ["x".into(), "y".into()],
                logarithmic,
                curves: vec![curve("own", points)],
            },
            claimed: vec![curve("paper", vec![[1.0, 1.0]])],
        }
    }

    #[test]
    fn a_logarithmic_axis_has_whole_decades_and_leaves_out_what_is_not_positive() {
        let drawn = drawn(vec![[10.0, 0.0], [100.0, 5.0], [1.0, f64::NAN]], [true; 2]);
        let traces = traces(&drawn, true, Color32::GRAY);
        assert!(traces[0].claimed && !traces[1].claimed);
        assert_eq!(traces[1].points, [[2.0, 5f64.log10()]]);
        assert_eq!(range(&traces, 0, true), Some(-1.0..=3.0));
        assert_eq!(range(&traces, 1, true), Some(-1.0..=1.0));
    }

    #[test]
    fn a_single_value_has_a_range_and_no_value_none() {
        let drawn = drawn(Vec::new(), [false; 2]);
        let traces = traces(&drawn, false, Color32::GRAY);
        let range_of = range(&traces, 0, false).unwrap();
        assert!(*range_of.start() < 1.0 && *range_of.end() > 1.0);
        assert_eq!(range(&traces[1..], 0, false), None);
    }
}
