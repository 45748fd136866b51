//! Figures as SVG files: the plots of a run, convergence studies, curves of any kind.

mod convergence;
mod plot;
mod run;

pub use convergence::write_convergence;
pub use plot::{Curve, Plot, write_plot};
pub use run::write_run;

use plotters::style::RGBColor;
use std::path::{Path, PathBuf};

/// Distinguishable with any colour vision (Okabe and Ito).
const COLOURS: [RGBColor; 8] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 0, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(230, 159, 0),
    RGBColor(86, 180, 233),
    RGBColor(120, 120, 120),
];

/// What the backend may complain about.
type Drawn = Result<(), Box<dyn std::error::Error>>;

/// A figure that could not be written.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("cannot write {}: {reason}", path.display())]
pub struct FigureError {
    /// The file.
    pub path: PathBuf,
    /// What the system said.
    pub reason: String,
}

impl FigureError {
    fn new(path: &Path, reason: impl ToString) -> Self {
        Self {
            path: path.into(),
            reason: reason.to_string(),
        }
    }
}
