//! What the plots show: which curves, on which axes, with which marks and words.

use crate::app::format;
use crate::app::session::Session;
use crate::app::theme::{Series, size};
use crate::diagnostics::Sample;
use crate::scene::Plot;
use bevy_egui::egui;
use egui_plot::{AxisHints, GridInput, GridMark, HoverPosition};
use std::ops::RangeInclusive;

/// Where a logarithmic axis ends: smaller values, and zero, are drawn on its lower edge.
const FLOOR: f64 = 1e-17;
/// Marks closer than the first are left out, from the second on they are fully there [points].
pub const SPACING: egui::Rangef = egui::Rangef {
    min: 5.0,
    max: 10.0,
};

/// Every plot that can be shown.
pub const ALL: [Plot; 7] = [
    Plot::Energy,
    Plot::EnergyError,
    Plot::Drift,
    Plot::Iterations,
    Plot::Momentum,
    Plot::Residual,
    Plot::Newton,
];

/// What a plot is called.
pub fn name(plot: Plot) -> &'static str {
    chart(plot).map_or("Residual by iteration", |c| c.title)
}

/// The plot over time; none for the one over iterations.
pub fn chart(plot: Plot) -> Option<&'static Chart> {
    match plot {
        Plot::Energy => Some(&ENERGY),
        Plot::EnergyError => Some(&ENERGY_ERROR),
        Plot::Drift => Some(&DRIFT),
        Plot::Iterations => Some(&ITERATIONS),
        Plot::Momentum => Some(&MOMENTUM),
        Plot::Residual => Some(&RESIDUAL),
        Plot::Newton => None,
    }
}

/// One curve of a plot over time.
pub struct Curve {
    /// Its name.
    pub name: &'static str,
    /// Unit of its values.
    pub unit: &'static str,
    /// Whose colour it has.
    pub series: Series,
    /// Its value.
    pub value: fn(&Sample) -> f64,
}

/// One plot over time.
pub struct Chart {
    /// Its title.
    pub title: &'static str,
    /// Its curves.
    pub curves: &'static [Curve],
    /// Whether it shows powers of ten.
    pub logarithmic: bool,
    /// Whether values are whole numbers.
    pub whole: bool,
    /// Least half height of the plot as a part of the energy, so that a small error looks small.
    pub least: f64,
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
    least: 1e-6,
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
    least: 1e-2,
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
    least: 1e-6,
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
    least: 1e-6,
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
    least: 1e-6,
};

const MOMENTUM: Chart = Chart {
    title: "Momentum",
    curves: &[
        Curve {
            name: "linear",
            unit: "kg·m/s",
            series: Series::Kinetic,
            value: |s| s.momentum.linear.norm(),
        },
        Curve {
            name: "angular",
            unit: "kg·m²/s",
            series: Series::Potential,
            value: |s| s.momentum.angular.norm(),
        },
    ],
    logarithmic: false,
    whole: false,
    least: 1e-6,
};

/// A vertical axis whose marks are as strong near to each other as far apart.
pub fn axis<'a>(text: impl Fn(f64) -> String + 'a) -> AxisHints<'a> {
    AxisHints::new_y()
        .min_thickness(size::PLOT_AXIS)
        .label_spacing(SPACING)
        .formatter(move |mark, _| text(mark.value))
}

/// Power of ten of a value; those below the floor lie on it.
pub fn logarithm(value: f64) -> f64 {
    value.abs().max(FLOOR).log10()
}

/// The vertical range of a plot. A flat line is drawn as one, not as noise scaled to fill the frame.
pub fn vertical_range(
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
    let least = chart.least * (energy.kinetic.abs() + energy.potential.abs()).max(1e-3);
    let middle = 0.5 * (low + high);
    let half = (0.58 * (high - low)).max(least);
    middle - half..=middle + half
}

/// Whole decades, at least three of them.
pub fn decade_range(values: impl Iterator<Item = f64>) -> RangeInclusive<f64> {
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
pub fn decades(input: &GridInput) -> Vec<GridMark> {
    let (low, high) = input.bounds;
    let every = ((high - low) / 4.0).ceil().max(1.0);
    marks(low, high, every)
}

/// Marks at one, two or five times a power of ten.
pub fn linear(input: &GridInput, whole: bool) -> Vec<GridMark> {
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

/// The mark at a value of a vertical axis.
pub fn mark_text(chart: &Chart, value: f64) -> String {
    match () {
        () if chart.logarithmic && value <= FLOOR.log10() => "0".into(),
        () if chart.logarithmic => format::decade(value),
        () if chart.whole => format!("{value:.0}"),
        () => trimmed(value),
    }
}

/// A number of few digits without trailing zeros.
pub fn trimmed(value: f64) -> String {
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

/// What is said about the nearest point of a curve.
pub fn hover_text(chart: &Chart, at: &HoverPosition<'_>) -> Option<String> {
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
