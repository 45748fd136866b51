//! Axes of the plots: their ranges, their marks and how these are written.

use crate::text::format;
use crate::theme::{Palette, colour, size};
use bevy_egui::egui;
use egui_plot::{AxisHints, GridInput, GridMark, Plot};
use physics::diagnostics::Energy;
use std::ops::RangeInclusive;

/// Where a logarithmic axis ends: smaller values, and zero, are drawn on its lower edge.
const FLOOR: f64 = 1e-17;
/// Marks closer than the first are left out, from the second on they are fully there (points).
pub const SPACING: egui::Rangef = egui::Rangef {
    min: 5.0,
    max: 10.0,
};

/// A plot of a height (points) whose ranges are set by the program, not by dragging.
pub fn still<'a>(id: &str, height: f32, palette: &Palette) -> Plot<'a> {
    Plot::new(id)
        .height(height)
        .grid_spacing(SPACING)
        .grid_color(colour(palette.line))
        .allow_drag(false)
        .allow_zoom(false)
        .allow_scroll(false)
        .allow_boxed_zoom(false)
        .allow_double_click_reset(false)
}

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

/// The value at a power of ten; on the floor it is zero.
pub fn power(exponent: f64) -> f64 {
    if exponent <= FLOOR.log10() {
        0.0
    } else {
        10f64.powf(exponent)
    }
}

/// The vertical range of a plot. A flat line is drawn as one, not as noise scaled to fill the frame.
pub fn vertical_range(
    scale: Scale,
    values: impl Iterator<Item = f64>,
    energy: Energy,
) -> RangeInclusive<f64> {
    let values: Vec<f64> = values.collect();
    let (low, high) = extremes(values.iter().copied());
    match scale {
        Scale::Decades => decade_range(values.into_iter()),
        Scale::Count => -0.3..=high.max(4.0) * 1.1,
        Scale::FromZero => {
            let high = high.max(1e-9);
            -0.06 * high..=1.12 * high
        }
        Scale::Visible(least) => {
            let whole = (energy.kinetic.abs() + energy.potential.abs()).max(1e-3);
            around(low, high, least * whole)
        }
        Scale::Part(least) => around(low, high, least),
    }
}

/// A little more than what is visible, and at least so much to both sides of its middle.
fn around(low: f64, high: f64, least: f64) -> RangeInclusive<f64> {
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
    few_decades(input, 4.0)
}

/// Marks at powers of ten, so far apart that there are so many intervals at most.
pub fn few_decades(input: &GridInput, most: f64) -> Vec<GridMark> {
    let (low, high) = input.bounds;
    let every = ((high - low) / most).ceil().max(1.0);
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
pub fn mark_text(scale: Scale, value: f64) -> String {
    match scale {
        Scale::Decades if value <= FLOOR.log10() => "0".into(),
        Scale::Decades => format::decade(value),
        Scale::Count => format!("{value:.0}"),
        Scale::FromZero | Scale::Visible(_) | Scale::Part(_) => trimmed(value),
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

/// The vertical axis of a plot.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Scale {
    /// Powers of ten.
    Decades,
    /// Whole numbers from zero on.
    Count,
    /// From zero on.
    FromZero,
    /// What is visible, but at least so large a part of the energy, so that a small error looks small.
    Visible(f64),
    /// What is visible, but at least so much.
    Part(f64),
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
    fn forces_start_at_zero_and_counts_leave_room() {
        let range =
            |scale, values: [f64; 2]| vertical_range(scale, values.into_iter(), Energy::default());
        assert_eq!(
            range(Scale::FromZero, [0.0, 100.0]),
            -6.0..=112.00000000000001
        );
        assert_eq!(range(Scale::Count, [0.0, 1.0]), -0.3..=4.4);
        assert!(range(Scale::FromZero, [0.0, 0.0]).end() > &0.0);
        assert_eq!(power(logarithm(0.0)), 0.0);
    }

    #[test]
    fn nothing_and_zero_have_a_range_too() {
        assert_eq!(decade_range(std::iter::empty()), -1.0..=2.0);
        assert_eq!(decade_range([logarithm(0.0)].into_iter()), -17.0..=-14.0);
        assert_eq!(extremes([f64::NAN, 2.0].into_iter()), (2.0, 2.0));
    }
}
