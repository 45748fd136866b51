//! A convergence study as a figure: error against step size, and error against the time it took.

use super::{COLOURS, Drawn, FigureError};
use crate::quantity::{decade, quantity};
use crate::sim::convergence::{Convergence, Run, Slope};
use plotters::coord::Shift;
use plotters::prelude::*;
use std::ops::Range;
use std::path::Path;

/// Size of the figure (px).
const SIZE: (u32, u32) = (1100, 520);
/// Height of what is between the axes of a part, and of a line of its legend (px).
const HEIGHT: f64 = 433.0;
const LINE: f64 = 18.0;

/// Writes the figure of a study; both axes of both parts are logarithmic. Errors too near to that of the reference to
/// count are hollow.
pub fn write_convergence(path: &Path, scene: &str, study: &Convergence) -> Result<(), FigureError> {
    draw(path, scene, study).map_err(|e| FigureError::new(path, e))
}

fn draw(path: &Path, scene: &str, study: &Convergence) -> Drawn {
    let root = SVGBackend::new(path, SIZE).into_drawing_area();
    root.fill(&WHITE)?;
    let reference = &study.reference;
    let root = root.titled(
        &format!(
            "{scene}: error after {} against {} with {}, its own error about {}",
            quantity(study.duration, "s"),
            reference.integrator,
            quantity(reference.dt, "s"),
            quantity(reference.error, "m"),
        ),
        ("sans-serif", 16),
    )?;
    let (left, right) = root.split_horizontally(SIZE.0 / 2);
    // Errors rise with the step and fall with time: legends are in the corners that are left.
    part(
        &left,
        study,
        ("step size [s]", SeriesLabelPosition::UpperLeft),
        |r| r.dt,
        |c| c.by_dt,
    )?;
    part(
        &right,
        study,
        ("time of the steps [s]", SeriesLabelPosition::UpperRight),
        |r| r.seconds,
        |c| c.by_seconds,
    )?;
    root.present()?;
    Ok(())
}

/// One part: the error against one quantity.
fn part(
    area: &DrawingArea<SVGBackend, Shift>,
    study: &Convergence,
    (axis, legend): (&str, SeriesLabelPosition),
    x: fn(&Run) -> f64,
    slope: fn(&crate::sim::convergence::Curve) -> Option<Slope>,
) -> Drawn {
    let point = |run: &Run| [x(run).log10(), run.error.log10()];
    let shown = |run: &&Run| run.failure.is_none() && point(run).iter().all(|v| v.is_finite());
    let all: Vec<[f64; 2]> = study.runs.iter().filter(shown).map(point).collect();
    let [across, up] = [0, 1].map(|k| decades(all.iter().map(|p| p[k])));
    // Room for the legend above what is drawn.
    let share = ((LINE * study.curves.len() as f64 + LINE) / HEIGHT).min(0.6);
    let up = up.start..up.end + (up.end - up.start) * share / (1.0 - share);
    let marks = |range: &Range<f64>| (range.end - range.start).round() as usize + 1;
    let marks = [marks(&across), marks(&up)];
    let mut chart = ChartBuilder::on(area)
        .margin(12)
        .x_label_area_size(40)
        .y_label_area_size(70)
        .build_cartesian_2d(across, up)?;
    chart
        .configure_mesh()
        .x_desc(axis)
        .y_desc("error at the end [m]")
        .label_style(("sans-serif", 14))
        .x_labels(marks[0])
        .y_labels(marks[1])
        .x_label_formatter(&|v| decade_or_nothing(*v))
        .y_label_formatter(&|v| decade_or_nothing(*v))
        .max_light_lines(0)
        .draw()?;
    for (curve, colour) in study.curves.iter().zip(COLOURS.iter().cycle()) {
        let own: Vec<&Run> = study
            .runs
            .iter()
            .filter(shown)
            .filter(|r| r.integrator == curve.integrator)
            .collect();
        let name = match slope(curve) {
            Some(s) => format!("{}: slope {:.2}", curve.integrator, s.slope),
            None => curve.integrator.clone(),
        };
        let line = own.iter().map(|r| (point(r)[0], point(r)[1]));
        chart
            .draw_series(LineSeries::new(line, colour.stroke_width(2)))?
            .label(name)
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 18, y)], colour.stroke_width(2)));
        let mark = |run: &&Run| {
            let style = if run.counts {
                colour.filled()
            } else {
                colour.stroke_width(1)
            };
            Circle::new((point(run)[0], point(run)[1]), 4, style)
        };
        chart.draw_series(own.iter().map(mark))?;
    }
    chart
        .configure_series_labels()
        .position(legend)
        .label_font(("sans-serif", 14))
        .background_style(WHITE.mix(0.8))
        .draw()?;
    Ok(())
}

/// Whole decades around values that are logarithms.
pub(super) fn decades(values: impl Iterator<Item = f64> + Clone) -> Range<f64> {
    let low = values.clone().fold(f64::MAX, f64::min);
    let high = values.fold(f64::MIN, f64::max);
    if low > high {
        return 0.0..1.0;
    }
    low.floor()..high.ceil().max(low.floor() + 1.0)
}

/// Marks at whole decades only.
pub(super) fn decade_or_nothing(value: f64) -> String {
    if (value - value.round()).abs() < 1e-6 {
        decade(value)
    } else {
        String::new()
    }
}
