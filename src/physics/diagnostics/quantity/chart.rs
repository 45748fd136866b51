//! A plot that a person builds: quantities against time or against each other.

use super::{Quantity, TIME};
use crate::model::Model;

/// Curves over one horizontal axis.
#[derive(Debug, Clone, PartialEq)]
pub struct Chart {
    /// What it is called; made from its quantities if empty.
    pub title: String,
    /// What runs along the horizontal axis.
    pub x: Quantity,
    /// What is drawn over it.
    pub curves: Vec<Quantity>,
    /// Only the moments at which a quantity passes a value: a Poincaré section.
    pub section: Option<Section>,
}

/// The moments at which a quantity passes a value in one direction.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Section {
    /// The quantity.
    pub of: Quantity,
    /// The value that it passes.
    pub level: f64,
    /// From below, not from above.
    pub rising: bool,
}

impl Default for Chart {
    /// Nothing over time.
    fn default() -> Self {
        Self {
            title: String::new(),
            x: TIME,
            curves: Vec::new(),
            section: None,
        }
    }
}

impl Chart {
    /// Everything that it needs the values of.
    pub fn quantities(&self) -> impl Iterator<Item = Quantity> {
        let section = self.section.map(|s| s.of);
        std::iter::once(self.x)
            .chain(self.curves.iter().copied())
            .chain(section)
    }

    /// The same plot of a model in which things may have other places, without the curves of what is gone; none if
    /// nothing is left to draw.
    pub fn moved(&self, from: &Model, to: &Model) -> Option<Self> {
        let moved = |q: &Quantity| q.moved(from, to);
        let section = match self.section {
            Some(section) => Some(Section {
                of: moved(&section.of)?,
                ..section
            }),
            None => None,
        };
        let curves: Vec<Quantity> = self.curves.iter().filter_map(moved).collect();
        if curves.is_empty() && !self.curves.is_empty() {
            return None;
        }
        Some(Self {
            title: self.title.clone(),
            x: moved(&self.x)?,
            curves,
            section,
        })
    }

    /// Whether it runs over time.
    pub fn is_over_time(&self) -> bool {
        self.x == TIME && self.section.is_none()
    }
}

impl Section {
    /// Part of a step from one value to the next at which the value passes the level; none if it does not.
    pub fn crossing(&self, before: f64, after: f64) -> Option<f64> {
        let sign = if self.rising { 1.0 } else { -1.0 };
        let [a, b] = [before, after].map(|x| sign * (x - self.level));
        // A value on the level counts when it is left, so that no crossing counts twice.
        (a <= 0.0 && b > 0.0).then(|| -a / (b - a))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_level_is_passed_once_and_in_one_direction() {
        let up = Section {
            of: TIME,
            level: 1.0,
            rising: true,
        };
        assert_eq!(up.crossing(0.0, 4.0), Some(0.25));
        assert_eq!(up.crossing(4.0, 0.0), None);
        // Touched at a knot: counted on leaving it.
        assert_eq!(
            (up.crossing(0.0, 1.0), up.crossing(1.0, 2.0)),
            (None, Some(0.0))
        );
        let down = Section {
            rising: false,
            ..up
        };
        assert_eq!(down.crossing(4.0, 0.0), Some(0.75));
        assert_eq!(down.crossing(f64::NAN, 0.0), None);
    }
}
