//! Curves over one pair of axes, linear or logarithmic.

use super::convergence::{decade_or_nothing, decades};
use super::{COLOURS, Drawn, FigureError};
use plotters::prelude::*;
use std::ops::Range;
use std::path::Path;

/// Size of the figure (px).
const SIZE: (u32, u32) = (900, 560);

/// Points up to which each is marked.
const MARKED: usize = 60;

/// A named curve.
#[derive(Debug, Clone, PartialEq)]
pub struct Curve {
    /// What it is called.
    pub name: String,
    /// Its points in the units of the axes.
    pub points: Vec<[f64; 2]>,
}

/// What is drawn.
#[derive(Debug, Clone, PartialEq)]
pub struct Plot {
    /// Above the axes.
    pub title: String,
    /// What the axes mean, across and up.
    pub axes: [String; 2],
    /// Whether they are logarithmic.
    pub logarithmic: [bool; 2],
    /// The curves.
    pub curves: Vec<Curve>,
}

/// Writes a plot as SVG. Points that a logarithmic axis cannot show are left out.
pub fn write_plot(path: &Path, plot: &Plot) -> Result<(), FigureError> {
    draw(path, plot).map_err(|e| FigureError::new(path, e))
}

/// Points as they are drawn.
fn shown(plot: &Plot, curve: &Curve) -> Vec<(f64, f64)> {
    let scaled = |k: usize, value: f64| {
        if plot.logarithmic[k] {
            value.log10()
        } else {
            value
        }
    };
    let points = curve.points.iter();
    let points = points.map(|p| (scaled(0, p[0]), scaled(1, p[1])));
    points
        .filter(|(x, y)| x.is_finite() && y.is_finite())
        .collect()
}

/// The range of an axis, with room around what is drawn.
fn range(logarithmic: bool, values: impl Iterator<Item = f64> + Clone) -> Range<f64> {
    if logarithmic {
        return decades(values);
    }
    let low = values.clone().fold(f64::MAX, f64::min);
    let high = values.fold(f64::MIN, f64::max);
    if low > high {
        return 0.0..1.0;
    }
    let room = 0.05 * (high - low).max(1e-12 * high.abs().max(1.0));
    low - room..high + room
}

fn draw(path: &Path, plot: &Plot) -> Drawn {
    let root = SVGBackend::new(path, SIZE).into_drawing_area();
    root.fill(&WHITE)?;
    let root = root.titled(&plot.title, ("sans-serif", 18))?;
    let curves: Vec<Vec<(f64, f64)>> = plot.curves.iter().map(|c| shown(plot, c)).collect();
    let all = || curves.iter().flatten();
    let [log_x, log_y] = plot.logarithmic;
    let across = range(log_x, all().map(|p| p.0));
    let up = range(log_y, all().map(|p| p.1));
    // Room for the legend.
    let up = up.start..up.end + 0.08 * (1 + curves.len()) as f64 * (up.end - up.start);
    let mut chart = ChartBuilder::on(&root)
        .margin(12)
        .x_label_area_size(44)
        .y_label_area_size(80)
        .build_cartesian_2d(across, up)?;
    let label = |logarithmic: bool, value: f64| {
        if logarithmic {
            decade_or_nothing(value)
        } else {
            format!("{value:.4}")
                .trim_end_matches('0')
                .trim_end_matches('.')
                .to_owned()
        }
    };
    chart
        .configure_mesh()
        .x_desc(&plot.axes[0])
        .y_desc(&plot.axes[1])
        .label_style(("sans-serif", 14))
        .x_label_formatter(&|v| label(log_x, *v))
        .y_label_formatter(&|v| label(log_y, *v))
        .max_light_lines(0)
        .draw()?;
    for ((curve, points), colour) in plot.curves.iter().zip(&curves).zip(COLOURS.iter().cycle()) {
        chart
            .draw_series(LineSeries::new(
                points.iter().copied(),
                colour.stroke_width(2),
            ))?
            .label(&curve.name)
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 18, y)], colour.stroke_width(2)));
        if points.len() <= MARKED {
            let marks = points.iter().map(|p| Circle::new(*p, 3, colour.filled()));
            chart.draw_series(marks)?;
        }
    }
    chart
        .configure_series_labels()
        .position(SeriesLabelPosition::UpperRight)
        .label_font(("sans-serif", 14))
        .background_style(WHITE.mix(0.8))
        .draw()?;
    root.present()?;
    Ok(())
}
