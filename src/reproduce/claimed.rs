//! What papers claim in figures, as curves beside what was measured.

use physics::figures::{Curve, Plot};

use crate::Table;

/// Nothing: the claim is in words.
pub fn in_words(_: &Table) -> Vec<Curve> {
    Vec::new()
}

/// The power law that a quantity is claimed to grow by, through the first of its points from a value on; none before there are
/// two.
pub fn power(name: &str, points: &[[f64; 2]], from: f64, exponent: f64) -> Option<Curve> {
    let late = points.iter().filter(|p| p[0] >= from);
    let late: Vec<[f64; 2]> = late.copied().collect();
    let ([x, y], [..]) = (*late.first()?, late.get(1)?);
    let at = |p: &[f64; 2]| [p[0], y * (p[0] / x).powf(exponent)];
    Some(Curve {
        name: name.into(),
        points: late.iter().map(at).collect(),
    })
}

/// Linear growth.
pub fn linear(points: &[[f64; 2]], from: f64) -> Option<Curve> {
    power("paper: linear", points, from, 1.0)
}

/// Points of a quantity that the paper gives.
pub fn points(name: &str, points: &[[f64; 2]]) -> Curve {
    Curve {
        name: name.into(),
        points: points.into(),
    }
}

/// The curves of a plot that are the paper's, or what it claims its own to follow, by their names.
pub fn of_plot(plot: Plot, names: &[&str]) -> Vec<Curve> {
    let mut curves = plot.curves;
    curves.retain(|c| names.contains(&c.name.as_str()));
    curves
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_law_goes_through_the_first_late_point_and_needs_two() {
        let points = [[1.0, 9.0], [10.0, 2.0], [20.0, 7.0]];
        let law = power("cubic", &points, 10.0, 3.0).unwrap();
        assert_eq!(law.points, [[10.0, 2.0], [20.0, 16.0]]);
        assert_eq!(linear(&points[..2], 10.0), None);
        assert_eq!(linear(&[], 0.0), None);
    }
}
