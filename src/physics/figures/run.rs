//! The plots of a run as SVG files: energy, energy error, drift and iterations against time.

use super::{COLOURS, Drawn, FigureError};
use crate::diagnostics::Sample;
use crate::quantity::decade;
use crate::sim::History;
use plotters::prelude::*;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// Size of a figure (px).
const SIZE: (u32, u32) = (960, 420);

/// Most points of a line; peaks are kept.
const POINTS: usize = 2000;

/// Values below this count as closed on the logarithmic axis of drift (m, rad).
const CLOSED: f64 = 1e-17;

/// A named quantity of a sample.
type Series = (&'static str, fn(&Sample) -> f64);

/// One figure.
struct Figure {
    /// End of the file's name.
    name: &'static str,
    /// Quantity and unit of the vertical axis.
    axis: &'static str,
    lines: &'static [Series],
    logarithmic: bool,
}

const FIGURES: [Figure; 4] = [
    Figure {
        name: "energy",
        axis: "energy [J]",
        lines: &[
            ("kinetic", |s| s.energy.kinetic),
            ("potential", |s| s.energy.potential),
            ("total", |s| s.energy.total()),
        ],
        logarithmic: false,
    },
    Figure {
        name: "energy-error",
        axis: "energy error [J]",
        lines: &[("energy error", |s| s.energy_error)],
        logarithmic: false,
    },
    Figure {
        name: "drift",
        axis: "joint drift [m, rad]",
        lines: &[
            ("position [m]", |s| s.drift_position),
            ("angle [rad]", |s| s.drift_angle),
        ],
        logarithmic: true,
    },
    Figure {
        name: "iterations",
        axis: "Newton iterations of a step",
        lines: &[("iterations", |s| f64::from(s.iterations))],
        logarithmic: false,
    },
];

/// Writes the figures of a run into a folder; returns the files.
pub fn write_run(
    folder: &Path,
    scene: &str,
    history: &History,
) -> Result<Vec<PathBuf>, FigureError> {
    let safe: String = scene
        .chars()
        .map(|c| if c.is_alphanumeric() { c } else { '_' })
        .collect();
    FIGURES
        .iter()
        .map(|figure| {
            let path = folder.join(format!("{safe}-{}.svg", figure.name));
            draw(&path, scene, figure, history).map_err(|e| FigureError::new(&path, e))?;
            Ok(path)
        })
        .collect()
}

fn draw(path: &Path, scene: &str, figure: &Figure, history: &History) -> Drawn {
    let height = |value: f64| {
        if figure.logarithmic {
            value.max(CLOSED).log10()
        } else {
            value
        }
    };
    let lines: Vec<Vec<[f64; 2]>> = figure
        .lines
        .iter()
        .map(|(_, value)| {
            let mut points = history.series(f64::MIN, f64::MAX, POINTS, value);
            points.iter_mut().for_each(|p| p[1] = height(p[1]));
            points.retain(|p| p[1].is_finite());
            points
        })
        .collect();
    let end = history.rows().last().map_or(0.0, |row| row.time);
    let values = || lines.iter().flatten().map(|p| p[1]);
    // Room for the legend above the lines.
    let above = if lines.len() > 1 { 0.2 } else { 0.05 };
    let y = padded(
        values().fold(f64::MAX, f64::min),
        values().fold(f64::MIN, f64::max),
        figure.logarithmic,
        above,
    );

    let root = SVGBackend::new(path, SIZE).into_drawing_area();
    root.fill(&WHITE)?;
    let mut chart = ChartBuilder::on(&root)
        .caption(
            format!("{scene}: {}", figure.name.replace('-', " ")),
            ("sans-serif", 20),
        )
        .margin(12)
        .x_label_area_size(40)
        .y_label_area_size(84)
        .build_cartesian_2d(0.0..end.max(f64::MIN_POSITIVE), y)?;
    let mark = |value: &f64| {
        if figure.logarithmic {
            decade(*value)
        } else {
            plain(*value)
        }
    };
    chart
        .configure_mesh()
        .x_desc("time [s]")
        .y_desc(figure.axis)
        .label_style(("sans-serif", 14))
        .y_label_formatter(&mark)
        .max_light_lines(0)
        .draw()?;
    for ((line, (name, _)), colour) in lines.iter().zip(figure.lines).zip(COLOURS) {
        chart
            .draw_series(LineSeries::new(
                line.iter().map(|p| (p[0], p[1])),
                colour.stroke_width(2),
            ))?
            .label(*name)
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 18, y)], colour.stroke_width(2)));
    }
    if lines.len() > 1 {
        chart
            .configure_series_labels()
            .position(SeriesLabelPosition::UpperRight)
            .label_font(("sans-serif", 14))
            .background_style(WHITE.mix(0.8))
            .draw()?;
    }
    root.present()?;
    Ok(())
}

/// A range with room above and below, as a fraction of its size; whole decades on a logarithmic axis. A flat
/// line stays flat: rounding noise is not scaled up to fill the figure.
fn padded(low: f64, high: f64, logarithmic: bool, above: f64) -> Range<f64> {
    if low > high {
        return 0.0..1.0;
    }
    if logarithmic {
        let (low, high) = (low.floor(), high.ceil().max(low.floor() + 1.0));
        return low..high + above * (high - low);
    }
    let least = 1e-9 * low.abs().max(high.abs()).max(1.0);
    let (low, high) = match high - low {
        size if size < least => (low - least, high + least),
        size => (low - 0.05 * size, high),
    };
    low..high + above * (high - low)
}

/// A mark of an axis with no more digits than it needs.
fn plain(value: f64) -> String {
    if value == 0.0 || (1e-3..1e6).contains(&value.abs()) {
        // Marks are round numbers up to the rounding of their sum.
        format!("{}", (value * 1e6).round() / 1e6)
    } else {
        format!("{value:.1e}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_leave_room_and_do_not_magnify_rounding() {
        assert_eq!(padded(0.0, 10.0, false, 0.05), -0.5..10.525);
        // Rounding noise of 1e-14 on 54 J fills a small part of the figure.
        let flat = padded(54.0, 54.0 + 1e-14, false, 0.05);
        assert!(flat.end - flat.start > 1e-8, "{flat:?}");
        assert_eq!(padded(-16.3, -10.2, true, 0.0), -17.0..-10.0);
        assert_eq!(
            padded(f64::MAX, f64::MIN, false, 0.1),
            0.0..1.0,
            "nothing to show"
        );
    }

    #[test]
    fn marks_are_short() {
        let marks = [0.0, 0.1 + 0.2, -40.0, 2.5e-9, 3e7].map(plain);
        assert_eq!(marks, ["0", "0.3", "-40", "2.5e-9", "3.0e7"]);
    }
}
