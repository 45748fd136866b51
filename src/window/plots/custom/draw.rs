//! One plot that a person built: over time, one quantity over another, or a Poincaré section.

use crate::commands::Command;
use crate::plots::live_ui::move_axis;
use crate::session::Session;
use crate::state::plot_view::PlotView;
use crate::text::format;
use crate::theme::categorical::hue;
use crate::theme::{Palette, colour};
use crate::ui::axes::{SPACING, axis, linear};
use crate::ui::{axes, cursor};
use bevy_egui::egui::{Id, Ui};
use egui_plot::{AxisHints, HoverPosition, Line, Plot, PlotPoints, Points};
use physics::diagnostics::{Chart, Quantity, TIME};
use physics::model::Model;
use physics::sim::thin;

/// Most points of one curve in one frame.
const LIMIT: usize = 2000;
/// Most points of a curve that does not run over time, which cannot be thinned out by extremes.
const TRACE: usize = 6000;

/// What a chart is called.
pub fn title(chart: &Chart, model: &Model) -> String {
    if !chart.title.is_empty() {
        return chart.title.clone();
    }
    let curves: Vec<String> = chart.curves.iter().map(|q| q.name(model)).collect();
    let curves = curves.join(", ");
    let mut title = if chart.x == TIME {
        curves
    } else {
        format!("{curves} over {}", chart.x.name(model))
    };
    if let Some(section) = chart.section {
        let sign = if section.rising { "↑" } else { "↓" };
        let level = format::number(section.level);
        title += &format!(", where {} {sign} {level}", section.of.name(model));
    }
    title
}

/// A quantity with its unit.
fn label(quantity: Quantity, model: &Model) -> String {
    match quantity.unit(model) {
        "" => quantity.name(model),
        unit => format!("{} [{unit}]", quantity.name(model)),
    }
}

/// Draws a chart into what is left of the room.
pub fn chart_ui(
    ui: &mut Ui,
    k: usize,
    chart: &Chart,
    session: &Session,
    view: &mut PlotView,
    out: &mut Vec<Command>,
) {
    let model = session.model();
    let dark = ui.visuals().dark_mode;
    let palette = Palette::worn(ui);
    let over_time = chart.is_over_time();
    let [from, to] = view.around(session.sample().time, session.span()[1]);
    let (x_unit, y_unit) = (
        chart.x.unit(model),
        chart.curves.first().map_or("", |q| q.unit(model)),
    );
    let mut plot = Plot::new(("own plot", k))
        .height(ui.available_height().max(60.0))
        .grid_spacing(SPACING)
        .grid_color(colour(palette.line))
        .allow_scroll(false)
        .x_grid_spacer(|input| linear(&input, false))
        .y_grid_spacer(|input| linear(&input, false))
        .custom_x_axes(vec![
            AxisHints::new_x()
                .label(label(chart.x, model))
                .label_spacing(SPACING)
                .formatter(|mark, _| axes::trimmed(mark.value)),
        ])
        .custom_y_axes(vec![axis(axes::trimmed)])
        .label_formatter(move |at| match at {
            HoverPosition::NearDataPoint {
                plot_name,
                position,
                ..
            } => Some(format!(
                "{plot_name}\n{}, {}",
                format::quantity(position.x, x_unit),
                format::quantity(position.y, y_unit)
            )),
            HoverPosition::Elsewhere { .. } => None,
        });
    if over_time {
        // The time axis is that of all plots.
        plot = plot
            .allow_drag(false)
            .allow_zoom(false)
            .allow_boxed_zoom(false)
            .allow_double_click_reset(false)
            .link_cursor(Id::new("time"), [true, false]);
    }
    let now = now(chart, session);
    let response = plot.show(ui, |plot| {
        if over_time {
            plot.set_plot_bounds_x(from..=to);
            cursor::line(plot, session, palette);
        }
        for (n, quantity) in chart.curves.iter().enumerate() {
            let shade = hue(n, dark);
            let name = label(*quantity, model);
            if chart.section.is_some() {
                let points = session.traces.section(chart, n);
                let points = Points::new(name, PlotPoints::from(points));
                plot.points(points.color(shade).radius(1.8));
                continue;
            }
            let points = session.traces.curve(chart.x, *quantity);
            for part in points
                .split(|p| !(p[0].is_finite() && p[1].is_finite()))
                .filter(|p| !p.is_empty())
            {
                let part = shown(part, over_time.then_some([from, to]));
                let line = Line::new(name.clone(), PlotPoints::from(part));
                plot.line(line.color(shade).width(1.5));
            }
            if let Some(at) = now.get(n).filter(|at| at.iter().all(|x| x.is_finite())) {
                plot.points(Points::new("now", vec![*at]).color(shade).radius(4.0));
            }
        }
    });
    if over_time {
        let (plot, scale) = (&response.response, response.transform.dvalue_dpos()[0]);
        let time = |x: f32| from + f64::from(x - plot.rect.left()) * scale;
        if !cursor::follow(ui, session, plot, time, out) {
            move_axis(ui, view, plot, scale, from, to);
        }
    }
}

/// Where the curves are at the moment shown.
fn now(chart: &Chart, session: &Session) -> Vec<[f64; 2]> {
    if chart.section.is_some() {
        return Vec::new();
    }
    let wanted: Vec<Quantity> = std::iter::once(chart.x)
        .chain(chart.curves.iter().copied())
        .collect();
    let mut values = Vec::new();
    session.values(&wanted, &mut values);
    values[1..].iter().map(|y| [values[0], *y]).collect()
}

/// The points of a part of a curve that are drawn.
fn shown(part: &[[f64; 2]], range: Option<[f64; 2]>) -> Vec<[f64; 2]> {
    match range {
        Some([from, to]) => {
            let first = part.partition_point(|p| p[0] < from).saturating_sub(1);
            let end = (part.partition_point(|p| p[0] <= to) + 1).min(part.len());
            thin(&part[first.min(end)..end], LIMIT)
        }
        None => part[part.len().saturating_sub(TRACE)..].to_vec(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use physics::diagnostics::Section;
    use physics::scene;

    #[test]
    fn a_title_says_what_is_drawn_over_what_and_where() {
        let model = scene::open("pendulum", &[]).unwrap().model;
        let joint = model.joints[0].name.clone();
        let of = |name: &str| Quantity::named(name, &model).unwrap();
        let (q, rate) = (of(&format!("{joint}.q0")), of(&format!("{joint}.rate0")));
        let mut chart = Chart {
            x: q,
            curves: vec![rate],
            ..Chart::default()
        };
        assert_eq!(
            title(&chart, &model),
            format!("{joint}.rate0 over {joint}.q0")
        );
        assert_eq!(label(q, &model), format!("{joint}.q0 [rad]"));
        chart.section = Some(Section {
            of: rate,
            level: 0.0,
            rising: false,
        });
        let said = title(&chart, &model);
        assert!(
            said.ends_with(&format!("where {joint}.rate0 ↓ 0")),
            "{said}"
        );
        chart.title = "swing".into();
        assert_eq!(title(&chart, &model), "swing");
    }

    #[test]
    fn what_lies_outside_the_axis_is_left_out_but_for_a_neighbour() {
        let part: Vec<[f64; 2]> = (0..100).map(|k| [f64::from(k), 0.0]).collect();
        let drawn = shown(&part, Some([10.0, 12.0]));
        let times: Vec<f64> = drawn.iter().map(|p| p[0]).collect();
        assert_eq!(times, [9.0, 10.0, 11.0, 12.0, 13.0]);
        assert_eq!(shown(&part, None).len(), 100);
        assert!(shown(&part, Some([200.0, 220.0])).len() <= 1);
    }
}
