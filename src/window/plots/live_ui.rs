//! Live plots over one common time axis: energy, its error, drift, iterations, residual, contact.
//!
//! The vertical range follows what is visible; dragging and the wheel move and scale the time axis of all plots
//! at once, whether time runs or not, and a double click follows the time again.

use crate::commands::Command;
use crate::plots::by_method::{self, stretches};
use crate::plots::charts;
use crate::plots::charts::Chart;
use crate::plots::residuals::{ResidualHistory, residuals_ui};
use crate::session::Session;
use crate::state::highlight::Highlight;
use crate::state::look::{ErrorAxis, FrozenCurve, Look};
use crate::state::plot_view::PlotView;
use crate::state::selection::Selection;
use crate::theme::{Palette, Series, size};
use crate::ui::axes::{Scale, axis, decades, linear, logarithm};
use crate::ui::{axes, button, cursor, toggle};
use bevy_egui::egui::{self, Id, RichText, Ui, Vec2b, vec2};
use egui_plot::{Line, LineStyle, PlotPoints};
use physics::model::BodyId;
use physics::scene::Plot as ScenePlot;

/// Most points of one curve in one frame.
const LIMIT: usize = 2000;
/// Height of the line above a plot, and of the times below one.
pub(crate) const TITLE: f32 = 16.0;
pub(crate) const TIMES: f32 = 18.0;

/// Room for the buttons that save (points).
const SAVING: f32 = 112.0;

/// Draws the plots.
pub fn plots_ui(
    ui: &mut Ui,
    session: &Session,
    look: &mut Look,
    highlight: &Highlight,
) -> Vec<Command> {
    let mut out = Vec::new();
    ui.horizontal(|ui| {
        toggle(
            ui,
            look.plot_view.follow,
            "Follow",
            "Let the time axis follow the simulation",
            Command::FollowTime,
            &mut out,
        );
        choice_ui(ui, look, &mut out);
        // In a narrow panel the palette has them.
        if ui.available_width() < SAVING {
            return;
        }
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            button(
                ui,
                "PNG",
                "Save a picture of the window",
                Command::Screenshot(None),
                &mut out,
            );
            button(
                ui,
                "CSV",
                "Save the data of the plots",
                Command::ExportCsv(None),
                &mut out,
            );
        });
    });
    out.extend(charts_ui(ui, session, look, highlight));
    out
}

/// Draws the plots alone, as high as there is room.
pub fn charts_ui(
    ui: &mut Ui,
    session: &Session,
    look: &mut Look,
    highlight: &Highlight,
) -> Vec<Command> {
    let mut out = Vec::new();
    // Small type throughout; the marks of the axes take the size of the body's.
    let small = egui::FontId::proportional(size::TEXT.0);
    ui.style_mut()
        .text_styles
        .insert(egui::TextStyle::Body, small);
    ui.spacing_mut().interact_size.y = TITLE;
    // The solver's two plots share the last row, every other has one of its own.
    let solver = |p: &ScenePlot| matches!(p, ScenePlot::Residual | ScenePlot::Newton);
    let axis = look.error_axis;
    let chart = |plot| charts::chart(plot, axis);
    let (last, wide): (Vec<ScenePlot>, Vec<ScenePlot>) =
        look.charts.iter().copied().partition(solver);
    let rows = wide.len() + usize::from(!last.is_empty());
    if rows == 0 {
        ui.label("Choose under Show what to plot.");
        return out;
    }
    let room = ui.available_height() - TIMES - 2.0;
    let each = room / rows as f32 - TITLE - 2.0 * ui.spacing().item_spacing.y;
    let height = each.floor().max(size::PLOT - TITLE);
    let mut view = look.plot_view;
    let selected = highlight.selection.and_then(Selection::as_body);
    egui::ScrollArea::vertical().show(ui, |ui| {
        let wide: Vec<&Chart> = wide.into_iter().filter_map(chart).collect();
        let drawn = |c: &&Chart| c.empty(session, selected).is_none();
        let lowest = wide.iter().rposition(drawn);
        for (k, chart) in wide.into_iter().enumerate() {
            let times = lowest == Some(k);
            let height = height + if times { TIMES } else { 0.0 };
            let frame = PlotContext {
                selected,
                height,
                times,
                frozen: &look.frozen,
            };
            chart_ui(ui, chart, session, &mut view, frame, &mut out);
        }
        ui.columns(last.len().max(1), |columns| {
            for (ui, plot) in columns.iter_mut().zip(last) {
                match chart(plot) {
                    Some(chart) => {
                        let frame = PlotContext {
                            selected,
                            height,
                            times: false,
                            frozen: &[],
                        };
                        chart_ui(ui, chart, session, &mut view, frame, &mut out);
                    }
                    None => newton_ui(ui, session, height),
                }
            }
        });
    });
    look.plot_view = view;
    out
}

/// The list of plots, each to be shown or not, and how the energy error is drawn.
fn choice_ui(ui: &mut Ui, look: &mut Look, out: &mut Vec<Command>) {
    let shown = &mut look.charts;
    ui.menu_button("Show ⏷", |ui| {
        for plot in charts::ALL {
            let mut on = shown.contains(&plot);
            if ui.checkbox(&mut on, charts::name(plot)).clicked() {
                shown.retain(|p| *p != plot);
                if on {
                    shown.push(plot);
                }
            }
        }
        ui.separator();
        ui.label("Energy error");
        for (axis, name) in [
            (ErrorAxis::Absolute, "in joules"),
            (ErrorAxis::Relative, "by the largest kinetic energy"),
            (ErrorAxis::Logarithmic, "its size, by powers of ten"),
        ] {
            if ui.radio(look.error_axis == axis, name).clicked() {
                out.push(Command::ErrorAxis(axis));
            }
        }
        let freeze = "Keep the curve of the energy error behind those of later runs";
        button(ui, "Freeze the curve", freeze, Command::FreezeError, out);
        ui.add_enabled_ui(!look.frozen.is_empty(), |ui| {
            let clear = "Forget the curves that were frozen";
            button(ui, "Clear frozen curves", clear, Command::ClearFrozen, out);
        });
    })
    .response
    .on_hover_text("Which plots are shown, and how");
}

/// How one plot is drawn.
#[derive(Clone, Copy)]
struct PlotContext<'a> {
    /// The body that it shows, if it shows one.
    selected: Option<BodyId>,
    /// Its height, that of its times included (points).
    height: f32,
    /// Whether the times are written below it.
    times: bool,
    /// Curves of earlier runs behind those of a plot by method.
    frozen: &'a [FrozenCurve],
}

/// One plot over time.
fn chart_ui(
    ui: &mut Ui,
    chart: &Chart,
    session: &Session,
    view: &mut PlotView,
    frame: PlotContext<'_>,
    out: &mut Vec<Command>,
) {
    let PlotContext {
        selected,
        height,
        times,
        frozen,
    } = frame;
    let palette = Palette::worn(ui);
    if let Some(empty) = chart.empty(session, selected) {
        title_ui(ui, chart.title, std::iter::empty());
        return empty_ui(ui, empty, height);
    }
    let title = match selected.filter(|_| chart.of_body()) {
        Some(body) => {
            let name = &session.model().bodies[body.0].name;
            format!("{} of {name}", chart.title)
        }
        None => chart.title.into(),
    };
    let [from, to] = view.around(session.sample().time, session.span()[1]);
    let unit = if chart.relative {
        1.0 / largest_kinetic(session, [from, to])
    } else {
        1.0
    };
    let stretches = stretches(session, palette);
    let own = stretches.last().filter(|_| chart.by_method);
    let title = match chart.unit() {
        Some(unit) => format!("{title} [{unit}]"),
        None => title,
    };
    title_ui(
        ui,
        &title,
        chart.curves.iter().map(|c| {
            let value = c.now(session, selected);
            let value = value.map_or("–".into(), |v| chart.text(c, unit * v));
            let shade = own.map_or(palette.series(c.series), |s| s.colour);
            (format!("{} {value}", c.name), shade)
        }),
    );
    let decimal = chart.scale == Scale::Decades;
    let scale = if decimal { logarithm } else { |x| x };
    let curves: Vec<Vec<[f64; 2]>> = chart
        .curves
        .iter()
        .map(|c| {
            let mut points = c.points(session, selected, [from, to], LIMIT, scale);
            points.iter_mut().for_each(|p| p[1] *= unit);
            points
        })
        .collect();
    let values = curves.iter().flatten().map(|p| p[1]);
    let old = frozen.iter().filter(|_| chart.by_method);
    let old: Vec<f64> = old
        .flat_map(|c| &c.points)
        .filter(|p| (from..=to).contains(&p[0]))
        .map(|p| unit * scale(p[1]))
        .collect();
    // No error at all, as at the start, would stretch the axis to the least number there is.
    let nothing = logarithm(0.0);
    let values = values
        .chain(old)
        .filter(|v| !(decimal && chart.by_method && *v <= nothing));
    let range = axes::vertical_range(chart.scale, values, session.sample().energy);
    let response = axes::still(chart.title, height, palette)
        .show_axes(Vec2b::new(times, true))
        .link_cursor(Id::new("time"), [true, false])
        .x_grid_spacer(|input| linear(&input, false))
        .y_grid_spacer(move |input| {
            if decimal {
                decades(&input)
            } else {
                linear(&input, chart.scale == Scale::Count)
            }
        })
        .x_axis_formatter(move |mark, _| seconds(mark.value, to - 0.04 * (to - from)))
        .custom_y_axes(vec![axis(move |value| axes::mark_text(chart.scale, value))])
        .label_formatter(move |at| charts::hover_text(chart, at))
        .show(ui, |plot| {
            plot.set_plot_bounds_x(from..=to);
            plot.set_plot_bounds_y(range.clone());
            cursor::line(plot, session, palette);
            by_method::flags(plot, &stretches, &range, chart.by_method);
            if chart.by_method {
                by_method::frozen(plot, frozen, |v| unit * scale(v), palette);
            }
            for (curve, points) in chart.curves.iter().zip(curves) {
                let shade = palette.series(curve.series);
                // Where there is nothing to measure the line is broken.
                for part in points
                    .split(|p| !p[1].is_finite())
                    .filter(|p| !p.is_empty())
                {
                    let parts = if chart.by_method {
                        by_method::parts(part, &stretches)
                    } else {
                        vec![(0, part.to_vec())]
                    };
                    for (place, points) in parts {
                        let shade = own.map_or(shade, |_| stretches[place].colour);
                        plot.line(
                            Line::new(curve.name, PlotPoints::from(points))
                                .color(shade)
                                .width(1.5),
                        );
                    }
                }
            }
        });
    let (plot, scale) = (&response.response, response.transform.dvalue_dpos()[0]);
    let time = |x: f32| from + f64::from(x - plot.rect.left()) * scale;
    if times {
        cursor::axis_ui(ui, session, plot, TIMES, time, out);
    }
    if !cursor::follow(ui, session, plot, time, out) {
        move_axis(ui, view, plot, scale, from, to);
    }
}

/// The largest kinetic energy between two times (J).
fn largest_kinetic(session: &Session, [from, to]: [f64; 2]) -> f64 {
    let history = session.history();
    let kinetic = history.series(from, to, LIMIT, |s| s.energy.kinetic);
    kinetic
        .iter()
        .map(|p| p[1])
        .fold(f64::MIN_POSITIVE, f64::max)
}

/// A time below the plot; none near the right edge, where it would be cut off.
pub(crate) fn seconds(time: f64, last: f64) -> String {
    if time <= last {
        format!("{} s", axes::trimmed(time))
    } else {
        String::new()
    }
}

/// Moves and scales the common time axis by drag and wheel.
pub fn move_axis(
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
    title_ui(ui, "Residual by iteration", std::iter::empty());
    let history = ResidualHistory {
        name: String::new(),
        colour: Palette::worn(ui).series(Series::Residual),
        style: LineStyle::Solid,
        width: 1.5,
        iterations: &session.report().history,
    };
    residuals_ui(ui, &[history], height);
}

/// What stands in a plot that has nothing to show, in as much room as a plot takes.
pub(crate) fn empty_ui(ui: &mut Ui, text: &str, height: f32) {
    let faint = Palette::worn(ui).faint();
    ui.allocate_ui(vec2(ui.available_width(), height), |ui| {
        ui.set_min_height(height);
        // Columns spread the words of a line over their width; a row of its own does not.
        ui.horizontal_wrapped(|ui| ui.label(RichText::new(text).small().color(faint)));
    });
}

/// Title of a plot and, in their colours, the values now.
pub(crate) fn title_ui(
    ui: &mut Ui,
    title: &str,
    values: impl Iterator<Item = (String, egui::Color32)>,
) {
    ui.allocate_ui(vec2(ui.available_width(), TITLE), |ui| {
        ui.horizontal(|ui| {
            ui.label(RichText::new(title).small().strong());
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                ui.spacing_mut().item_spacing.x = 12.0;
                let values: Vec<_> = values.collect();
                let font = egui::TextStyle::Small.resolve(ui.style());
                for (text, colour) in values.into_iter().rev() {
                    let painter = ui.painter();
                    let galley = painter.layout_no_wrap(text.clone(), font.clone(), colour);
                    // What has no room would cover the title.
                    if galley.size().x > ui.available_width() {
                        break;
                    }
                    ui.label(RichText::new(text).small().color(colour));
                }
            });
        });
    });
}
