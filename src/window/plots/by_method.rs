//! Curves in the colours of the methods that took the steps, a flag at each switch, and frozen curves behind them.

use crate::session::Session;
use crate::state::look::FrozenCurve;
use crate::theme::{Palette, colour};
use bevy_egui::egui::{Align2, Color32, RichText, Stroke};
use egui_plot::{Line, LineStyle, PlotPoint, PlotPoints, PlotUi, Text, VLine};
use std::ops::RangeInclusive;

/// Strength of a frozen curve beside one that grows.
const FROZEN: f32 = 0.55;

/// Where a method begins to be in use, and its colour.
pub struct Stretch {
    /// Time (s).
    pub from: f64,
    /// The method.
    pub method: &'static str,
    /// Its colour.
    pub colour: Color32,
}

/// The methods that led to the end of the run, in order; where no step was taken yet, the one in use.
pub fn stretches(session: &Session, palette: &Palette) -> Vec<Stretch> {
    let mut known = session.methods().on(&session.way());
    if known.is_empty() {
        known.push((session.sample().time, session.integrator().name));
    }
    let stretch = |(from, method)| Stretch {
        from,
        method,
        colour: colour(palette.method(method, 0).colour),
    };
    known.into_iter().map(stretch).collect()
}

/// The parts of a curve, each by one method: its place among the stretches, and its points. Neighbours share a point.
pub fn parts(points: &[[f64; 2]], stretches: &[Stretch]) -> Vec<(usize, Vec<[f64; 2]>)> {
    let mut parts: Vec<(usize, Vec<[f64; 2]>)> = Vec::new();
    for point in points {
        // The state at which a method begins is the last of the one before.
        let place = stretches.partition_point(|s| s.from < point[0]);
        let place = place.saturating_sub(1);
        match parts.last_mut() {
            Some((known, part)) if *known == place => part.push(*point),
            last => {
                let joint = last.and_then(|(_, part)| part.last().copied());
                parts.push((place, joint.into_iter().chain([*point]).collect()));
            }
        }
    }
    parts
}

/// Draws a line at each switch of methods, and, with `names`, what begins there.
pub fn flags(
    plot: &mut PlotUi<'_>,
    stretches: &[Stretch],
    range: &RangeInclusive<f64>,
    names: bool,
) {
    // Curves mostly lie in the middle, or above where they are drawn by powers of ten.
    let foot = range.start() + 0.03 * (range.end() - range.start());
    for stretch in stretches.iter().skip(1) {
        let line = VLine::new("", stretch.from)
            .stroke(Stroke::new(1.0, stretch.colour.gamma_multiply(0.7)))
            .allow_hover(false);
        plot.vline(line);
        if names {
            let said = RichText::new(format!(" {}", stretch.method)).small();
            let at = PlotPoint::new(stretch.from, foot);
            plot.text(
                Text::new("", at, said.color(stretch.colour))
                    .anchor(Align2::LEFT_BOTTOM)
                    .allow_hover(false),
            );
        }
    }
}

/// Draws curves that were frozen.
pub fn frozen(
    plot: &mut PlotUi<'_>,
    curves: &[FrozenCurve],
    value: impl Fn(f64) -> f64,
    palette: &Palette,
) {
    for curve in curves {
        let points: Vec<[f64; 2]> = curve.points.iter().map(|[t, v]| [*t, value(*v)]).collect();
        let shade = colour(palette.method(curve.method, 0).colour);
        plot.line(
            Line::new(curve.method, PlotPoints::from(points))
                .color(shade.gamma_multiply(FROZEN))
                .style(LineStyle::dashed_dense())
                .width(1.5),
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_curve_is_parted_where_the_method_changes_and_nothing_is_lost() {
        let at = |from, method| Stretch {
            from,
            method,
            colour: Color32::WHITE,
        };
        let stretches = [at(0.0, "variational"), at(3.0, "heun"), at(5.0, "rk4")];
        let points: Vec<[f64; 2]> = (0..=8).map(|k| [f64::from(k); 2]).collect();
        let found = parts(&points, &stretches);
        let places: Vec<usize> = found.iter().map(|p| p.0).collect();
        assert_eq!(places, [0, 1, 2]);
        assert_eq!(found[0].1.last(), found[1].1.first(), "without a gap");
        assert_eq!(found[1].1.last(), found[2].1.first());
        let count: usize = found.iter().map(|p| p.1.len()).sum();
        assert_eq!(count, points.len() + 2);
        // A state that a method reached belongs to it.
        assert_eq!(found[0].1.last().map(|p| p[1]), Some(3.0));
        assert_eq!(parts(&points, &[at(0.0, "heun")]), [(0, points)]);
    }
}
