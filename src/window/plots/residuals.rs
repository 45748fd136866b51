//! Residual against iteration of a step: of one method, or of several in one plot.

use crate::plots::live_ui::empty_ui;
use crate::text::format;
use crate::theme::Palette;
use crate::ui::axes;
use crate::ui::axes::{axis, decade_range, decades, linear, logarithm};
use bevy_egui::egui::{Color32, Ui, Vec2b};
use egui_plot::{HoverPosition, Line, LineStyle, PlotPoints, Points};
use physics::integrators::Iteration;

/// The residuals of a method in its last step, and how they are drawn.
pub struct ResidualHistory<'a> {
    /// What is said of its points.
    pub name: String,
    /// Its colour.
    pub colour: Color32,
    /// Solid or dashed.
    pub style: LineStyle,
    /// How thick it is, in points.
    pub width: f32,
    /// The residuals.
    pub iterations: &'a [Iteration],
}

/// Draws the residuals of all of them over the number of the iteration.
pub fn residuals_ui(ui: &mut Ui, histories: &[ResidualHistory], height: f32) {
    let palette = Palette::worn(ui);
    let lines: Vec<(&ResidualHistory, Vec<[f64; 2]>)> = histories
        .iter()
        .filter(|d| !d.iterations.is_empty())
        .map(|d| (d, points(d.iterations)))
        .collect();
    if lines.is_empty() {
        return empty_ui(ui, "The last step needed no iterations.", height);
    }
    let longest = lines.iter().map(|(_, points)| points.len()).max();
    let last = (longest.unwrap_or(0).max(4) - 1) as f64;
    let range = decade_range(lines.iter().flat_map(|(_, points)| points).map(|p| p[1]));
    axes::still("residuals", height, palette)
        .show_axes(Vec2b::new(false, true))
        .x_grid_spacer(|input| linear(&input, true))
        .y_grid_spacer(|input| decades(&input))
        .custom_y_axes(vec![axis(format::decade)])
        .label_formatter(hover_text)
        .show(ui, |plot| {
            plot.set_plot_bounds_x(-0.2..=last + 0.2);
            plot.set_plot_bounds_y(range);
            for (history, points) in &lines {
                plot.line(
                    Line::new(history.name.as_str(), PlotPoints::from(points.clone()))
                        .color(history.colour)
                        .style(history.style)
                        .width(history.width),
                );
                plot.points(
                    Points::new(history.name.as_str(), PlotPoints::from(points.clone()))
                        .color(history.colour)
                        .radius(1.5 * history.width),
                );
            }
        });
}

fn points(iterations: &[Iteration]) -> Vec<[f64; 2]> {
    let height = |i: &Iteration| logarithm(i.residual);
    (0..)
        .map(f64::from)
        .zip(iterations)
        .map(|(k, i)| [k, height(i)])
        .collect()
}

fn hover_text(at: &HoverPosition<'_>) -> Option<String> {
    let HoverPosition::NearDataPoint {
        plot_name,
        position,
        ..
    } = at
    else {
        return None;
    };
    let residual = format::number(axes::power(position.y));
    let [iteration, name] = [
        format!("iteration {:.0}", position.x),
        (*plot_name).to_string(),
    ];
    let said = [name, iteration, residual];
    Some(
        said.into_iter()
            .filter(|s| !s.is_empty())
            .collect::<Vec<_>>()
            .join("\n"),
    )
}
