//! The experiments of papers: run, tabulated, drawn and judged against what the paper claims.
//!
//! An [`Item`] is one figure or table of a paper: a file with `run`, which makes a [`Table`] by simulations, and `judge`, which
//! says of the table alone whether the claim holds. Tables are files of their own, so that what is done is kept when a run is
//! broken off, a later run goes on, and a verdict can be checked without the hours that the table took.

#![warn(missing_docs)]
// Units stand in brackets, as in `[m]` and `[N·m]`, which looks like a link to an item of that name.
#![allow(rustdoc::broken_intra_doc_links)]

mod beyond;
mod claimed;
mod drumwright;
mod fit;
mod holzinger2024;
mod lee2016;
mod maximal;
mod page;
mod papers;
mod runs;
mod subject;
mod table;
mod unrun;
mod verdict;

pub use page::{Done, write_report};
pub use papers::{PAPERS, Paper};
pub use subject::Subject;
pub use table::{Table, TableError};
pub use unrun::{UNRUN, Unrun};
pub use verdict::{Standing, Verdict};

use physics::figures::{Curve, Plot};
use physics::integrators::StepError;
use physics::sim::SimulationError;
use runs::{mean_time, step};

/// How much is run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effort {
    /// What takes seconds and still tells.
    Quick,
    /// What the paper ran.
    Full,
}

impl Effort {
    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Quick => "quick",
            Self::Full => "full",
        }
    }
}

/// Takes the part of an item that is done, 0 to 1, and the table so far; ends the run by an error.
pub type Watch<'a> = &'a mut dyn FnMut(f64, &Table) -> Result<(), Cancelled>;

/// A run that nobody wants any more.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("it was cancelled")]
pub struct Cancelled;

/// Why an item came to no table.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The mechanism cannot be run as asked.
    #[error(transparent)]
    Simulation(#[from] SimulationError),
    /// It was not wanted any more.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
    /// A step left no usable state.
    #[error("{method}: {error}")]
    Step {
        /// The method.
        method: String,
        /// Why.
        error: StepError,
    },
}

/// One figure or table of a paper.
#[derive(Debug, Clone, Copy)]
pub struct Item {
    /// Key of the paper, as on the command line.
    pub paper: &'static str,
    /// The figure or table.
    pub figure: &'static str,
    /// What the paper claims, in one sentence.
    pub claim: &'static str,
    /// Where it does.
    pub place: &'static str,
    /// What is run, and how it differs from what the paper ran.
    pub setup: &'static str,
    /// The verdict that is expected: another one is a fall.
    pub expected: Standing,
    /// Whether its table holds times, which other work of the machine would change: it is run alone.
    pub timed: bool,
    /// Runs the experiment.
    pub run: fn(Effort, Watch) -> Result<Table, RunError>,
    /// Judges its table.
    pub judge: fn(&Table) -> Verdict,
    /// What is drawn of it.
    pub plot: fn(&Table) -> Plot,
    /// The scene to look at meanwhile.
    pub scene: Subject,
    /// What the paper claims in figures, as curves for the same plot, of a table that may still grow. A curve with the name of one
    /// of the plot stands for it.
    pub claimed: fn(&Table) -> Vec<Curve>,
}

impl Item {
    /// `PAPER/FIGURE`.
    pub fn name(&self) -> String {
        format!("{}/{}", self.paper, self.figure)
    }

    /// What its plot is called.
    pub fn title(&self) -> String {
        (self.plot)(&Table::default()).title
    }

    /// Whether a word of the command line means it: the paper, or the paper and the figure.
    pub fn is_meant(&self, word: &str) -> bool {
        word == self.paper || word == self.name()
    }
}

/// All items.
pub const ITEMS: &[Item] = &[
    lee2016::energy::ITEM,
    lee2016::time::ITEM,
    lee2016::convergence::ITEM,
    lee2016::iterations::ITEM,
    lee2016::tolerance::ITEM,
    holzinger2024::top_motion::ITEM,
    holzinger2024::top_convergence::ITEM,
    holzinger2024::top_iterations::ITEM,
    holzinger2024::top_time::ITEM,
    holzinger2024::top_work::ITEM,
    holzinger2024::held_convergence::ITEM,
    holzinger2024::held_iterations::ITEM,
    holzinger2024::held_time::ITEM,
    holzinger2024::tangent::ITEM,
    holzinger2024::rotor_precession::ITEM,
    holzinger2024::rotor_convergence::ITEM,
    holzinger2024::rotor_iterations::ITEM,
    holzinger2024::rotor_time::ITEM,
    holzinger2024::rotor_work::ITEM,
    holzinger2024::slider_motion::ITEM,
    holzinger2024::slider_convergence::ITEM,
    holzinger2024::slider_cost::ITEM,
    holzinger2024::puma_angles::ITEM,
    holzinger2024::puma_convergence::ITEM,
    holzinger2024::puma_cost::ITEM,
    holzinger2024::variational::ITEM,
    drumwright::oscillator::EXPLICIT,
    drumwright::oscillator::SEMI_IMPLICIT,
    drumwright::oscillator::IMPLICIT,
    drumwright::map::ITEM,
    drumwright::pendulum::ITEM,
    drumwright::pendulum_energy::ITEM,
    drumwright::limit::ITEM,
    drumwright::slope::ITEM,
    drumwright::stack::ITEM,
    drumwright::stability::ITEM,
    drumwright::contradiction::ITEM,
    drumwright::rigid::ITEM,
    drumwright::foundation_time::ITEM,
    drumwright::foundation_error::ITEM,
    maximal::energy::ITEM_2020,
    maximal::drift::ITEM_2020,
    maximal::sparse::ITEM,
    maximal::newton::ITEM,
    maximal::chain_time::ITEM_2020,
    maximal::loop_time::ITEM,
    maximal::segments::ITEM_2020,
    maximal::leg::ITEM,
    maximal::tolerance::ITEM_8A,
    maximal::tolerance::ITEM_8B,
    maximal::tolerance::ITEM_8C,
    maximal::drift::ITEM_2023,
    maximal::energy::ITEM_2023,
    maximal::damping::ITEM,
    maximal::drop::ITEM,
    maximal::chain_time::ITEM_2023,
    maximal::spheres::ITEM,
    maximal::segments::ITEM_2023,
    maximal::graphs::LADDER,
    maximal::graphs::NET,
    maximal::graphs::CRYSTAL,
    maximal::tolerance::ITEM_10A,
    maximal::tolerance::ITEM_10B,
    maximal::tolerance::ITEM_10C,
    maximal::scales::ITERATIONS,
    maximal::scales::ERRORS,
    maximal::four_bar::TRAJECTORY,
    maximal::four_bar::ENERGY,
    maximal::four_bar::CONSTRAINTS,
    maximal::four_bar::PARTS,
    maximal::sign::ITEM,
    beyond::energy::ITEM,
    beyond::size::CHAINS,
    beyond::size::LOOPS,
    beyond::general::ITEM,
];

#[cfg(test)]
mod tests;
#[cfg(test)]
mod trials;
