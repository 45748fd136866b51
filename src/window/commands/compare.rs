//! What can be asked of compare mode.

use physics::math::Vec3;
use physics::sim::comparison::LaneSpec;
use physics::sim::convergence::Ladder;
use std::path::PathBuf;

/// How lanes are drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum LaneArrangement {
    /// The leader solid, the others as ghosts in the same view.
    #[default]
    Ghosts,
    /// Each in a view of its own, all seen from the same place.
    SideBySide,
}

/// What a quantity of the lanes is plotted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LanePlot {
    /// Energy error.
    EnergyError,
    /// Joint gap.
    Drift,
    /// Joint misalignment.
    DriftAngle,
    /// Newton iterations of a step.
    Iterations,
    /// Residual by iteration of the last step.
    Residuals,
    /// Wall time of a step.
    StepTime,
    /// Configuration distance from the leader.
    Distance,
}

/// A command about lanes. Lanes are meant by their places.
#[derive(Debug, Clone, PartialEq)]
pub enum CompareCommand {
    /// Runs one more lane. All begin anew.
    Add(LaneSpec),
    /// Runs something else in a lane. All begin anew; in the leader it is the session that changes.
    Change(usize, LaneSpec),
    /// Takes a lane out that does not lead.
    Remove(usize),
    /// Makes a lane the leader: the session goes on from its state, with its method.
    Lead(usize),
    /// Makes the next lane that can the leader.
    LeadNext,
    /// Begins all lanes anew at the state of the leader.
    Synchronise,
    /// Runs the session's method twice, the second time from a state at the distance that [`Size`](Self::Size) chose.
    Perturb,
    /// Draws a lane or not.
    Draw(usize, bool),
    /// Draws a lane this far from its place (m).
    Offset(usize, Vec3),
    /// Draws lanes in another way.
    Arrange(LaneArrangement),
    /// Distance between neighbouring ghosts along the view's right (m).
    Space(f64),
    /// Size of the next perturbation (m).
    Size(f64),
    /// Shows a plot of the lanes, or hides it.
    Plot(LanePlot, bool),
    /// Plots the lanes, or the session alone.
    Plots(bool),
    /// Saves what the plots of the lanes show.
    Csv(Option<PathBuf>),
    /// Ends comparing.
    End,
    /// Shows or hides the convergence view.
    Study(bool),
    /// Other methods, steps or times for the next study.
    Ladder(Ladder),
    /// Begins a convergence study.
    Converge,
    /// Ends it with what is done.
    Cancel,
    /// Saves it as a table.
    StudyCsv(Option<PathBuf>),
    /// Saves it as a figure.
    StudySvg(Option<PathBuf>),
}
