//! Live plots over one common time axis: energy, its error, drift, iterations, residual.
//!
//! The vertical range follows what is visible; dragging and the wheel move and scale the time axis of all plots
//! at once, whether time runs or not, and a double click follows the time again.

use super::{button, toggle};
use crate::app::actions::Action;
use crate::app::format;
use crate::app::session::Session;
use crate::app::shell::{PlotView, Shell};
use crate::app::theme::{Palette, Series, colour, size};
use crate::diagnostics::Sample;
use bevy_egui::egui::{self, Id, RichText, Ui, Vec2b, vec2};
use egui_plot::{AxisHints, GridInput, GridMark, HoverPosition, Line, Plot, PlotPoints, Points};
use std::ops::RangeInclusive;

/// Most points of one curve in one frame.
const LIMIT: usize = 2000;
/// Where a logarithmic axis ends: smaller values, and zero, are drawn on its lower edge.
const FLOOR: f64 = 1e-17;

/// Height of the line above a plot, and of the times below one.
const TITLE: f32 = 16.0;
const TIMES: f32 = 18.0;

/// Marks closer than the first are left out, from the second on they are fully there [points].
const SPACING: egui::Rangef = egui::Rangef {
    min: 5.0,
    max: 10.0,
};

/// One curve of a plot over time.
struct Curve {
    name: &'static str,
    unit: &'static str,
    series: Series,
    value: fn(&Sample) -> f64,
}

/// One plot over time.
struct Chart {
    title: &'static str,
    curves: &'static [Curve],
    logarithmic: bool,
    /// Whether values are whole numbers.
    whole: bool,
}

const ENERGY: Chart = Chart {
    title: "Energy",
    curves: &[
        Curve {
            name: "kinetic",
            unit: "J",
            series: Series::Kinetic,
            value: |s| s.energy.kinetic,
        },
        Curve {
            name: "potential",
            unit: "J",
            series: Series::Potential,
            value: |s| s.energy.potential,
        },
        Curve {
            name: "total",
            unit: "J",
            series: Series::Total,
            value: |s| s.energy.total(),
        },
    ],
    logarithmic: false,
    whole: false,
};

const ENERGY_ERROR: Chart = Chart {
    title: "Energy error",
    curves: &[Curve {
        name: "error",
        unit: "J",
        series: Series::Total,
        value: |s| s.energy_error,
    }],
    logarithmic: false,
    whole: false,
};

const DRIFT: Chart = Chart {
    title: "Joint drift",
    curves: &[
        Curve {
            name: "position",
            unit: "m",
            series: Series::DriftPosition,
            value: |s| s.drift_position,
        },
        Curve {
            name: "angle",
            unit: "rad",
            series: Series::DriftAngle,
            value: |s| s.drift_angle,
        },
    ],
    logarithmic: true,
    whole: false,
};

const ITERATIONS: Chart = Chart {
    title: "Newton iterations",
    curves: &[Curve {
        name: "per step",
        unit: "",
        series: Series::Iterations,
        value: |s| f64::from(s.iterations),
    }],
    logarithmic: false,
    whole: true,
};

const RESIDUAL: Chart = Chart {
    title: "Final residual",
    curves: &[Curve {
        name: "",
        unit: "N",
        series: Series::Residual,
        value: |s| s.residual,
    }],
    logarithmic: true,
    whole: false,
};

/// Draws the plots.
pub fn plots_ui(ui: &mut Ui, session: &Session, shell: &mut Shell) -> Vec<Action> {
    let mut out = Vec::new();
    ui.horizontal(|ui| {
        toggle(
            ui,
            shell.plot_view.follow,
            "Follow",
            "Let the time axis follow the simulation",
            Action::FollowTime,
            &mut out,
        );
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            button(
                ui,
                "PNG",
                "Save a picture of the window",
                Action::Screenshot(None),
                &mut out,
            );
            button(
                ui,
                "CSV",
                "Save the data of the plots",
                Action::ExportCsv(None),
                &mut out,
            );
        });
    });
    // Small type throughout; the marks of the axes take the size of the body's.
    let small = egui::FontId::proportional(size::TEXT.0);
    ui.style_mut()
        .text_styles
        .insert(egui::TextStyle::Body, small);
    ui.spacing_mut().interact_size.y = TITLE;
    let gaps = 10.0 * ui.spacing().item_spacing.y;
    let height = ((ui.available_height() - gaps - 5.0 * TITLE - TIMES) / 5.0)
        .floor()
        .max(size::PLOT - TITLE);
    let mut view = shell.plot_view;
    egui::ScrollArea::vertical().show(ui, |ui| {
        for (k, chart) in [&ENERGY, &ENERGY_ERROR, &DRIFT, &ITERATIONS]
            .into_iter()
            .enumerate()
        {
            let times = k == 3;
            chart_ui(
                ui,
                chart,
                session,
                &mut view,
                height + if times { TIMES } else { 0.0 },
                times,
            );
        }
        ui.columns(2, |columns| {
            chart_ui(
                &mut columns[0],
                &RESIDUAL,
                session,
                &mut view,
                height,
                false,
            );
            newton_ui(&mut columns[1], session, height);
        });
    });
    shell.plot_view = view;
    out
}

/// One plot over time; `times` writes the times below it.
fn chart_ui(
    ui: &mut Ui,
    chart: &Chart,
    session: &Session,
    view: &mut PlotView,
    height: f32,
    times: bool,
) {
    let palette = Palette::worn(ui);
    title_ui(
        ui,
        chart.title,
        chart.curves.iter().map(|c| {
            let value = (c.value)(&session.sample);
            let value = if chart.whole {
                format!("{value:.0}")
            } else {
                format::quantity(value, c.unit)
            };
            (format!("{} {value}", c.name), palette.series(c.series))
        }),
    );
    let [from, to] = view.at(session.sample.time);
    let scale = if chart.logarithmic { logarithm } else { |x| x };
    let curves: Vec<Vec<[f64; 2]>> = chart
        .curves
        .iter()
        .map(|c| {
            session
                .history
                .series(from, to, LIMIT, |s| scale((c.value)(s)))
        })
        .collect();
    let values = curves.iter().flatten().map(|p| p[1]);
    let range = vertical_range(chart, values, session);
    let response = Plot::new(chart.title)
        .height(height)
        .show_axes(Vec2b::new(times, true))
        .grid_spacing(SPACING)
        .allow_drag(false)
        .allow_zoom(false)
        .allow_scroll(false)
        .allow_boxed_zoom(false)
        .allow_double_click_reset(false)
        .link_cursor(Id::new("time"), [true, false])
        .grid_color(colour(palette.line))
        .x_grid_spacer(|input| linear(&input, false))
        .y_grid_spacer(move |input| {
            if chart.logarithmic {
                decades(&input)
            } else {
                linear(&input, chart.whole)
            }
        })
        .x_axis_formatter(move |mark, _| seconds(mark.value, to - 0.04 * (to - from)))
        .custom_y_axes(vec![axis(move |value| mark_text(chart, value))])
        .label_formatter(move |at| hover_text(chart, at))
        .show(ui, |plot| {
            plot.set_plot_bounds_x(from..=to);
            plot.set_plot_bounds_y(range);
            for (curve, points) in chart.curves.iter().zip(curves) {
                let shade = palette.series(curve.series);
                plot.line(
                    Line::new(curve.name, PlotPoints::from(points))
                        .color(shade)
                        .width(1.5),
                );
            }
        });
    move_axis(
        ui,
        view,
        &response.response,
        response.transform.dvalue_dpos()[0],
        from,
        to,
    );
}

/// A time below the plot; none near the right edge, where it would be cut off.
fn seconds(time: f64, last: f64) -> String {
    if time <= last {
        format!("{} s", trimmed(time))
    } else {
        String::new()
    }
}

/// Moves and scales the common time axis by drag and wheel.
fn move_axis(
    ui: &Ui,
    view: &mut PlotView,
    plot: &egui::Response,
    seconds_per_point: f64,
    from: f64,
    to: f64,
) {
    if plot.double_clicked() {
        view.follow = true;
        return;
    }
    if plot.dragged() {
        let shift = -f64::from(plot.drag_delta().x) * seconds_per_point;
        view.range = [from + shift, to + shift];
        view.follow = false;
    }
    let wheel = ui.input(|i| i.smooth_scroll_delta().y + i.smooth_scroll_delta().x);
    let Some(pointer) = plot.hover_pos().filter(|_| wheel != 0.0) else {
        return;
    };
    let at = from + f64::from(pointer.x - plot.rect.left()) * seconds_per_point;
    let factor = (-0.004 * f64::from(wheel)).exp();
    let width = ((to - from) * factor).clamp(1e-3, 1e6);
    let start = at - (at - from) * width / (to - from);
    view.range = [start, start + width];
    view.follow = false;
}

/// Residual against iteration of the last step.
fn newton_ui(ui: &mut Ui, session: &Session, height: f32) {
    let palette = Palette::worn(ui);
    title_ui(ui, "Residual by iteration", std::iter::empty());
    if session.simulation.report().history.is_empty() {
        let text = RichText::new("The last step needed no iterations.")
            .small()
            .color(palette.faint());
        ui.label(text);
        return;
    }
    let history = &session.simulation.report().history;
    let points: Vec<[f64; 2]> = history
        .iter()
        .enumerate()
        .map(|(k, i)| [k as f64, logarithm(i.residual)])
        .collect();
    let last = (points.len().max(4) - 1) as f64;
    let range = decade_range(points.iter().map(|p| p[1]));
    let shade = palette.series(Series::Residual);
    Plot::new("newton")
        .height(height)
        .show_axes(Vec2b::new(false, true))
        .grid_spacing(SPACING)
        .allow_drag(false)
        .allow_zoom(false)
        .allow_scroll(false)
        .allow_boxed_zoom(false)
        .grid_color(colour(palette.line))
        .x_grid_spacer(|input| linear(&input, true))
        .y_grid_spacer(|input| decades(&input))
        .custom_y_axes(vec![axis(format::decade)])
        .label_formatter(|at| match at {
            HoverPosition::NearDataPoint { position, .. } => {
                let residual = format::quantity(10f64.powf(position.y), "N");
                Some(format!("iteration {:.0}\n{residual}", position.x))
            }
            HoverPosition::Elsewhere { .. } => None,
        })
        .show(ui, |plot| {
            plot.set_plot_bounds_x(-0.2..=last + 0.2);
            plot.set_plot_bounds_y(range);
            plot.line(
                Line::new("residual", PlotPoints::from(points.clone()))
                    .color(shade)
                    .width(1.5),
            );
            plot.points(
                Points::new("residual", PlotPoints::from(points))
                    .color(shade)
                    .radius(3.0),
            );
        });
}

/// Title of a plot and, in their colours, the values now.
fn title_ui(ui: &mut Ui, title: &str, values: impl Iterator<Item = (String, egui::Color32)>) {
    ui.allocate_ui(vec2(ui.available_width(), TITLE), |ui| {
        ui.horizontal(|ui| {
            ui.label(RichText::new(title).small().strong());
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                ui.spacing_mut().item_spacing.x = 12.0;
                let values: Vec<_> = values.collect();
                for (text, colour) in values.into_iter().rev() {
                    ui.label(RichText::new(text).small().color(colour));
                }
            });
        });
    });
}

/// A vertical axis whose marks are as strong near to each other as far apart.
fn axis<'a>(text: impl Fn(f64) -> String + 'a) -> AxisHints<'a> {
    AxisHints::new_y()
        .min_thickness(size::PLOT_AXIS)
        .label_spacing(SPACING)
        .formatter(move |mark, _| text(mark.value))
}

fn logarithm(value: f64) -> f64 {
    value.abs().max(FLOOR).log10()
}

/// The vertical range of a plot. A flat line is drawn as one, not as noise scaled to fill the frame.
fn vertical_range(
    chart: &Chart,
    values: impl Iterator<Item = f64>,
    session: &Session,
) -> RangeInclusive<f64> {
    if chart.logarithmic {
        return decade_range(values);
    }
    let (low, high) = extremes(values);
    if chart.whole {
        return -0.3..=high.max(4.0) * 1.1;
    }
    let energy = session.sample.energy;
    let least = 1e-6 * (energy.kinetic.abs() + energy.potential.abs()).max(1e-3);
    let middle = 0.5 * (low + high);
    let half = (0.58 * (high - low)).max(least);
    middle - half..=middle + half
}

/// Whole decades, at least three of them.
fn decade_range(values: impl Iterator<Item = f64>) -> RangeInclusive<f64> {
    let (low, high) = extremes(values);
    let low = (low - 0.2).floor().max(FLOOR.log10());
    low..=(high + 0.2).ceil().max(low + 3.0)
}

/// Least and greatest finite value; zero if there is none.
fn extremes(values: impl Iterator<Item = f64>) -> (f64, f64) {
    let start = (f64::INFINITY, f64::NEG_INFINITY);
    let (low, high) = values
        .filter(|v| v.is_finite())
        .fold(start, |(l, h), v| (l.min(v), h.max(v)));
    if low <= high { (low, high) } else { (0.0, 0.0) }
}

/// Marks at powers of ten, thinned so that they do not crowd.
fn decades(input: &GridInput) -> Vec<GridMark> {
    let (low, high) = input.bounds;
    let every = ((high - low) / 4.0).ceil().max(1.0);
    marks(low, high, every)
}

/// Marks at one, two or five times a power of ten.
fn linear(input: &GridInput, whole: bool) -> Vec<GridMark> {
    let (low, high) = input.bounds;
    let rough = (high - low) / 4.0;
    if rough.is_nan() || rough <= 0.0 {
        return Vec::new();
    }
    let power = 10f64.powf(rough.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0]
        .into_iter()
        .map(|f| f * power)
        .find(|s| *s >= rough);
    let step = step.unwrap_or(rough);
    marks(low, high, if whole { step.max(1.0).round() } else { step })
}

fn marks(low: f64, high: f64, step: f64) -> Vec<GridMark> {
    let first = (low / step).ceil() as i64;
    let last = (high / step).floor() as i64;
    // A huge count can only come from a range that is no range.
    (first..=last.min(first + 40))
        .map(|k| GridMark {
            value: k as f64 * step,
            step_size: step,
        })
        .collect()
}

fn mark_text(chart: &Chart, value: f64) -> String {
    match () {
        () if chart.logarithmic && value <= FLOOR.log10() => "0".into(),
        () if chart.logarithmic => format::decade(value),
        () if chart.whole => format!("{value:.0}"),
        () => trimmed(value),
    }
}

/// A number of few digits without trailing zeros.
fn trimmed(value: f64) -> String {
    if value != 0.0 && !(1e-3..1e5).contains(&value.abs()) {
        return format!("{value:.0e}").replace('-', "−");
    }
    let text = format!("{value:.3}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" {
        "0".into()
    } else {
        text.replace('-', "−")
    }
}

fn hover_text(chart: &Chart, at: &HoverPosition<'_>) -> Option<String> {
    let HoverPosition::NearDataPoint {
        plot_name,
        position,
        ..
    } = at
    else {
        return None;
    };
    let curve = chart.curves.iter().find(|c| c.name == *plot_name)?;
    let value = if chart.logarithmic {
        10f64.powf(position.y)
    } else {
        position.y
    };
    let value = if chart.whole {
        format!("{value:.0}")
    } else {
        format::quantity(value, curve.unit)
    };
    Some(format!(
        "{} {value}\nt = {}",
        curve.name,
        format::clock(position.x)
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_round_and_few() {
        let input = |low, high| GridInput {
            bounds: (low, high),
            base_step_size: 1.0,
        };
        let values = |m: Vec<GridMark>| m.iter().map(|m| m.value).collect::<Vec<_>>();
        assert_eq!(values(linear(&input(0.0, 10.0), false)), [0.0, 5.0, 10.0]);
        assert_eq!(values(linear(&input(-0.3, 4.4), true)), [0.0, 2.0, 4.0]);
        assert_eq!(
            values(decades(&input(-16.0, -4.0))),
            [-15.0, -12.0, -9.0, -6.0]
        );
        assert_eq!(linear(&input(1.0, 1.0), false), []);
        assert_eq!(trimmed(-0.25), "−0.25");
        assert_eq!(trimmed(2e-7), "2e−7");
    }

    #[test]
    fn nothing_and_zero_have_a_range_too() {
        assert_eq!(decade_range(std::iter::empty()), -1.0..=2.0);
        assert_eq!(decade_range([logarithm(0.0)].into_iter()), -17.0..=-14.0);
        assert_eq!(extremes([f64::NAN, 2.0].into_iter()), (2.0, 2.0));
    }
}
