//! Plots of all lanes over one time axis, one line for each in its colour.

use crate::commands::Command;
use crate::commands::compare::{CompareCommand, LanePlot};
use crate::compare::Comparing;
use crate::compare::board::{LaneTrace, Sheet};
use crate::compare::panel::{asked, chip_ui, name};
use crate::plots::live_ui::{TIMES, TITLE, empty_ui, move_axis, seconds, title_ui};
use crate::plots::residuals::{ResidualHistory, residuals_ui};
use crate::session::Session;
use crate::state::look::Look;
use crate::state::plot_view::PlotView;
use crate::text::format;
use crate::theme::{Palette, colour, size};
use crate::ui::axes::{Scale, axis, few_decades, linear, logarithm};
use crate::ui::{axes, button, cursor, toggle};
use bevy_egui::egui::{self, Color32, Id, RichText, Ui, Vec2b};
use egui_plot::{HoverPosition, Line, LineStyle, PlotPoints};
use physics::diagnostics::{Energy, Sample};
use physics::sim::comparison::Growth;
use physics::sim::thin;
use std::ops::RangeInclusive;

/// Most points of one line in one frame.
const LIMIT: usize = 1000;

/// Height of a plot for every mark of its vertical axis (points).
const MARK: f32 = 22.0;

/// Every plot of lanes.
const ALL: [LanePlot; 7] = [
    LanePlot::EnergyError,
    LanePlot::Drift,
    LanePlot::DriftAngle,
    LanePlot::Iterations,
    LanePlot::Residuals,
    LanePlot::StepTime,
    LanePlot::Distance,
];

/// How a quantity is plotted.
struct LaneChart {
    title: &'static str,
    unit: &'static str,
    scale: Scale,
    /// Most decades shown.
    decades: f64,
    /// Its value; none for the distance, which is known at common times only.
    value: Option<fn(&Sample) -> f64>,
}

/// How a quantity is plotted over time; the residuals by iteration are not.
fn chart(plot: LanePlot) -> Option<LaneChart> {
    let decades = |title, unit, value| LaneChart {
        title,
        unit,
        scale: Scale::Decades,
        decades: 14.0,
        value,
    };
    Some(match plot {
        // Smaller ones are zero crossings.
        LanePlot::EnergyError => LaneChart {
            decades: 7.0,
            ..decades("Energy error", "J", Some(|s| s.energy_error.abs()))
        },
        LanePlot::Drift => decades("Drift", "m", Some(|s| s.drift_position)),
        LanePlot::DriftAngle => decades("Drift in angle", "rad", Some(|s| s.drift_angle)),
        LanePlot::StepTime => decades("Time per step", "s", Some(|s| s.step_seconds)),
        LanePlot::Distance => decades("Distance", "m", None),
        LanePlot::Iterations => LaneChart {
            title: "Iterations",
            unit: "",
            scale: Scale::Count,
            decades: 0.0,
            value: Some(|s| f64::from(s.iterations)),
        },
        LanePlot::Residuals => return None,
    })
}

/// The title of a plot.
fn title(plot: LanePlot) -> &'static str {
    chart(plot).map_or("Residual by iteration", |c| c.title)
}

impl LaneChart {
    fn height(&self, value: f64) -> f64 {
        match self.scale {
            Scale::Decades => logarithm(value),
            _ => value,
        }
    }

    fn points(&self, lane: &LaneTrace, [from, to]: [f64; 2]) -> Vec<[f64; 2]> {
        match self.value {
            Some(value) => lane
                .history
                .series(from, to, LIMIT, |s| self.height(value(s))),
            None => {
                let first = lane.distances.partition_point(|p| p[0] < from);
                let end = lane.distances.partition_point(|p| p[0] <= to);
                let seen = first.saturating_sub(1)..(end + 1).min(lane.distances.len());
                let mut points = thin(&lane.distances[seen], LIMIT);
                points.iter_mut().for_each(|p| p[1] = self.height(p[1]));
                points
            }
        }
    }

    /// The vertical range. What is nought, as everything is at the beginning, does not stretch it.
    fn range(&self, lines: &[Vec<[f64; 2]>]) -> RangeInclusive<f64> {
        let floor = self.height(0.0);
        let values = lines.iter().flatten().map(|p| p[1]);
        let range = match self.scale {
            Scale::Decades => axes::decade_range(values.filter(|v| *v > floor)),
            scale => return axes::vertical_range(scale, values, Energy::default()),
        };
        let (low, high) = (*range.start(), *range.end());
        low.max(high - self.decades)..=high
    }

    /// A line whose points below the range lie on its lower edge.
    fn lifted(&self, mut line: Vec<[f64; 2]>, range: &RangeInclusive<f64>) -> Vec<[f64; 2]> {
        if self.scale == Scale::Decades {
            line.iter_mut()
                .for_each(|p| p[1] = p[1].max(*range.start()));
        }
        line
    }

    /// A value as it is written.
    fn text(&self, value: f64) -> String {
        match (self.scale, self.unit) {
            (Scale::Count, _) => format!("{value:.0}"),
            (_, "s") => format::duration(value),
            (_, unit) => format::quantity(value, unit),
        }
    }

    fn now(&self, lane: &LaneTrace) -> f64 {
        match self.value {
            // The last row may stand for several steps; the figures are those of the last step.
            Some(value) => lane.history.rows().last().map_or(0.0, value),
            None => lane.figures.distance[0],
        }
    }
}

/// Draws the plots of the lanes.
pub fn lane_plots_ui(
    ui: &mut Ui,
    session: &Session,
    look: &mut Look,
    comparing: &Comparing,
) -> Vec<Command> {
    let mut out = Vec::new();
    ui.horizontal(|ui| {
        let follow = "Let the time axis follow the simulation";
        toggle(
            ui,
            look.plot_view.follow,
            "Follow",
            follow,
            Command::FollowTime,
            &mut out,
        );
        choice_ui(ui, comparing, &mut out);
        let alone = "Plot the reference alone";
        toggle(
            ui,
            true,
            "All runs",
            alone,
            asked(CompareCommand::Plots(false)),
            &mut out,
        );
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            let csv = "Save the data of all runs";
            button(ui, "CSV", csv, asked(CompareCommand::Csv(None)), &mut out);
        });
    });
    lane_charts_ui(ui, session, look, comparing);
    out
}

/// Names the lanes and draws their plots, one below the other.
pub fn lane_charts_ui(ui: &mut Ui, session: &Session, look: &mut Look, comparing: &Comparing) {
    ui.spacing_mut().interact_size.y = TITLE;
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 5.0;
        for place in 0..comparing.lanes().len() {
            chip_ui(ui, comparing, place);
            ui.label(RichText::new(name(comparing, place, false)).small());
            ui.add_space(5.0);
        }
    });
    let small = egui::FontId::proportional(size::TEXT.0);
    ui.style_mut()
        .text_styles
        .insert(egui::TextStyle::Body, small);
    // What the solver does shares the last row, every other plot has one of its own.
    let solver = |p: &LanePlot| matches!(p, LanePlot::Iterations | LanePlot::Residuals);
    let (last, wide): (Vec<LanePlot>, Vec<LanePlot>) =
        comparing.charts.iter().copied().partition(solver);
    let rows = wide.len() + usize::from(!last.is_empty());
    if rows == 0 {
        ui.label("Choose under Show what to plot.");
        return;
    }
    let growth = comparing.growth();
    let Some(sheet) = comparing.sheet() else {
        return;
    };
    let room = ui.available_height() - TIMES - 2.0;
    let each = room / rows as f32 - TITLE - 2.0 * ui.spacing().item_spacing.y;
    let height = each.floor().max(size::PLOT - 2.0 * TITLE);
    let mut view = look.plot_view;
    let frame = LanePlotContext {
        window: view.around(session.sample().time, session.span()[1]),
        growth: None,
        height,
        times: false,
    };
    egui::ScrollArea::vertical().show(ui, |ui| {
        for (k, plot) in wide.iter().enumerate() {
            let times = k + 1 == wide.len();
            let frame = LanePlotContext {
                growth: growth.filter(|_| *plot == LanePlot::Distance),
                height: height + if times { TIMES } else { 0.0 },
                times,
                ..frame
            };
            chart_ui(ui, *plot, session, comparing, &sheet, &mut view, frame);
        }
        ui.columns(last.len().max(1), |columns| {
            for (ui, plot) in columns.iter_mut().zip(&last) {
                chart_ui(ui, *plot, session, comparing, &sheet, &mut view, frame);
            }
        });
    });
    look.plot_view = view;
}

/// The list of plots, each to be shown or not.
fn choice_ui(ui: &mut Ui, comparing: &Comparing, out: &mut Vec<Command>) {
    ui.menu_button("Show ⏷", |ui| {
        for plot in ALL {
            let mut on = comparing.charts.contains(&plot);
            if ui.checkbox(&mut on, title(plot)).clicked() {
                out.push(asked(CompareCommand::Plot(plot, on)));
            }
        }
    })
    .response
    .on_hover_text("Which plots are shown");
}

/// How one plot is drawn.
#[derive(Clone, Copy)]
struct LanePlotContext {
    /// First and last time (s).
    window: [f64; 2],
    /// The fit that is drawn over it.
    growth: Option<Growth>,
    /// Its height, that of its times included (points).
    height: f32,
    /// Whether the times are written below it.
    times: bool,
}

/// How the lines of a lane are drawn: colour, style and width (points).
fn stroke(comparing: &Comparing, place: usize, palette: &Palette) -> (Color32, LineStyle, f32) {
    let look = comparing.shade(place, palette);
    let style = match look.dashed {
        true => LineStyle::dashed_dense(),
        false => LineStyle::Solid,
    };
    let leads = place == comparing.leader();
    (colour(look.colour), style, if leads { 2.2 } else { 1.5 })
}

/// Residuals of the last step of every lane, by iteration.
fn lane_residuals_ui(ui: &mut Ui, comparing: &Comparing, sheet: &Sheet, height: f32) {
    let palette = Palette::worn(ui);
    title_ui(ui, title(LanePlot::Residuals), std::iter::empty());
    let lanes = comparing.lanes().iter().enumerate();
    let histories: Vec<ResidualHistory> = lanes
        .filter_map(|(place, choice)| {
            let (colour, style, width) = stroke(comparing, place, palette);
            Some(ResidualHistory {
                name: name(comparing, place, false),
                colour,
                style,
                width,
                iterations: &sheet.lane(choice.id)?.iterations,
            })
        })
        .collect();
    residuals_ui(ui, &histories, height);
}

/// One plot.
fn chart_ui(
    ui: &mut Ui,
    plot: LanePlot,
    session: &Session,
    comparing: &Comparing,
    sheet: &Sheet,
    view: &mut PlotView,
    frame: LanePlotContext,
) {
    let LanePlotContext {
        window: [from, to],
        growth,
        height,
        times,
    } = frame;
    let palette = Palette::worn(ui);
    let Some(chart) = chart(plot) else {
        return lane_residuals_ui(ui, comparing, sheet, height);
    };
    let is_told = |place: usize, lane: &LaneTrace| match plot {
        // That of the leader from itself says nothing.
        LanePlot::Distance => place != comparing.leader(),
        // Explicit methods have none.
        LanePlot::Iterations => lane.figures.mean_iterations > 0.0,
        _ => true,
    };
    let lanes: Vec<(usize, &LaneTrace)> = comparing
        .lanes()
        .iter()
        .enumerate()
        .filter_map(|(place, choice)| Some((place, sheet.lane(choice.id)?)))
        .filter(|(place, lane)| is_told(*place, lane))
        .collect();
    let shade = |place: usize| colour(comparing.shade(place, palette).colour);
    let title = match growth {
        Some(g) => format!(
            "{}: Lyapunov exponent ≈ {}",
            chart.title,
            format::quantity(g.rate, "1/s")
        ),
        None => chart.title.into(),
    };
    let values = lanes
        .iter()
        .map(|(place, lane)| (chart.text(chart.now(lane)), shade(*place)));
    title_ui(ui, &title, values);
    if lanes.is_empty() {
        let why = match plot {
            LanePlot::Iterations => "No step took an iteration.",
            _ => "Nothing runs beside the reference.",
        };
        return empty_ui(ui, why, height);
    }
    let lines: Vec<Vec<[f64; 2]>> = lanes
        .iter()
        .map(|(_, lane)| chart.points(lane, [from, to]))
        .collect();
    let range = chart.range(&lines);
    let lines: Vec<Vec<[f64; 2]>> = lines
        .into_iter()
        .map(|line| chart.lifted(line, &range))
        .collect();
    let decimal = chart.scale == Scale::Decades;
    let names: Vec<String> = lanes
        .iter()
        .map(|(k, _)| name(comparing, *k, false))
        .collect();
    // Low plots have room for few marks.
    let marks = f64::from(height / MARK).clamp(1.0, 4.0);
    let response = axes::still(chart.title, height, palette)
        .show_axes(Vec2b::new(times, true))
        .link_cursor(Id::new("time"), [true, false])
        .x_grid_spacer(|input| linear(&input, false))
        .y_grid_spacer(move |input| {
            if decimal {
                few_decades(&input, marks)
            } else {
                linear(&input, true)
            }
        })
        .x_axis_formatter(move |mark, _| seconds(mark.value, to - 0.04 * (to - from)))
        .custom_y_axes(vec![axis(move |value| axes::mark_text(chart.scale, value))])
        .label_formatter(|at| hover_text(&chart, at))
        .show(ui, |plot| {
            plot.set_plot_bounds_x(from..=to);
            plot.set_plot_bounds_y(range);
            cursor::line(plot, session, palette);
            for (((place, _), points), name) in lanes.iter().zip(lines).zip(&names) {
                let (colour, style, width) = stroke(comparing, *place, palette);
                for part in points
                    .split(|p| !p[1].is_finite())
                    .filter(|p| !p.is_empty())
                {
                    plot.line(
                        Line::new(name.as_str(), PlotPoints::from(part.to_vec()))
                            .color(colour)
                            .style(style)
                            .width(width),
                    );
                }
            }
            if let Some(g) = growth {
                let ends = g.times.map(|t| {
                    let exponent =
                        g.start.log10() + g.rate * (t - g.times[0]) * std::f64::consts::LOG10_E;
                    [t, exponent]
                });
                plot.line(
                    Line::new("fit", PlotPoints::from(ends.to_vec()))
                        .color(colour(palette.text[0]))
                        .style(LineStyle::dashed_loose())
                        .width(1.5),
                );
            }
        });
    let seconds_per_point = response.transform.dvalue_dpos()[0];
    move_axis(ui, view, &response.response, seconds_per_point, from, to);
}

/// What is said about the nearest point of a line.
fn hover_text(chart: &LaneChart, at: &HoverPosition<'_>) -> Option<String> {
    let HoverPosition::NearDataPoint {
        plot_name,
        position,
        ..
    } = at
    else {
        return None;
    };
    let value = match chart.scale {
        Scale::Decades => axes::power(position.y),
        _ => position.y,
    };
    Some(format!(
        "{plot_name}\n{}\nt = {}",
        chart.text(value),
        format::clock(position.x)
    ))
}
