//! What layers are drawn of, and what is written of them in the legend.

use crate::scene3d::layers::scale::{ArrowScale, Measure};
use crate::state::layers::{Layers, Motion};
use crate::text::format;
use physics::model::ContactStatus;

/// A motion with all that its layers depend on.
#[derive(Debug, Clone, Copy)]
pub struct LayerSubject<'a> {
    /// The motion.
    pub motion: Motion<'a>,
    /// Which layers are shown, and how.
    pub layers: &'a Layers,
    /// What is large, heavy and fast in it.
    pub measure: Measure,
    /// Arrows are no longer than this (m), the radius of the scene.
    pub longest: f64,
    /// Whether the view is dark.
    pub dark: bool,
}

impl<'a> LayerSubject<'a> {
    /// A motion in a scene of a radius (m).
    pub fn of(motion: Motion<'a>, layers: &'a Layers, radius: f64, dark: bool) -> Self {
        Self {
            motion,
            layers,
            measure: Measure::of(motion.model, radius),
            longest: radius,
            dark,
        }
    }
}

/// A line of the legend: colours, words, and a number at the end.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct LegendLine {
    /// Its colours; more than two are a scale from least to largest.
    pub shades: Vec<[u8; 3]>,
    /// The status whose points it explains.
    pub status: Option<ContactStatus>,
    /// Its words.
    pub text: String,
    /// A number at its end.
    pub end: String,
}

impl LegendLine {
    /// Words beside colours.
    pub fn plain(shades: &[[u8; 3]], text: impl Into<String>) -> Self {
        Self {
            shades: shades.to_vec(),
            text: text.into(),
            ..Self::default()
        }
    }

    /// How long a value of a unit is drawn.
    pub fn length(shades: &[[u8; 3]], name: &str, arrow_scale: &ArrowScale, unit: &str) -> Self {
        let length = format::quantity(arrow_scale.length, "m");
        let value = format::quantity(arrow_scale.reference, unit);
        Self::plain(shades, format!("{name}: {length} is {value}"))
    }
}
