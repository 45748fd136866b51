//! Several simulations of one scene side by side: other methods, step sizes, tolerances or friction cones, from the
//! same state and with the same inputs.
//!
//! One lane leads. Time goes on by its steps; every other lane takes the whole steps of its own size that fit, so that
//! lanes meet at common times, and each of its steps has the input that the leader had at the step's middle. A lane
//! that fails stands still with its error, the others go on. Lanes share nothing, so that any number of threads gives
//! the same bits.

mod growth;
mod lane;
mod segments;

pub use growth::{Growth, growth};
pub use lane::{Figures, Lane, LaneFailure, LaneSpec};

use super::{Input, SimulationError, Snapshot};
use segments::{SAME, Segments};

/// Steps of the leader after which all lanes must have met.
const LONGEST_PERIOD: u64 = 1000;

/// Where the lanes are stepped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Workers {
    /// One after the other.
    Serial,
    /// Each on a thread of its own.
    Threads,
}

/// Why lanes cannot be compared.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum ComparisonError {
    /// No lanes.
    #[error("a comparison needs at least one lane")]
    Empty,
    /// Two step sizes without common times.
    #[error(
        "steps of {a} s and of {b} s do not meet within {LONGEST_PERIOD} steps; take one that is a multiple or a simple fraction of the other"
    )]
    NeverMeet {
        /// The step of the first lane (s).
        a: f64,
        /// The other step (s).
        b: f64,
    },
}

/// Simulations side by side.
pub struct Comparison {
    lanes: Vec<Lane>,
    leader: usize,
    segments: Segments,
    /// The time up to which the lanes were asked to go (s).
    now: f64,
    start: Snapshot,
    /// Whether methods let go of the first state and took it again.
    hand_over: bool,
}

impl Comparison {
    /// Lanes that begin at a moment of a simulation; the first leads. A lane whose method or settings cannot run the
    /// scene is there, with its error.
    pub fn new(start: &Snapshot, lanes: Vec<LaneSpec>) -> Result<Self, ComparisonError> {
        Self::check(&lanes)?;
        let hand_over = lanes.iter().any(|l| l.perturbation != 0.0);
        let mut comparison = Self {
            lanes: lanes
                .into_iter()
                .map(|spec| Lane::new(spec, start, hand_over))
                .collect(),
            leader: 0,
            segments: Segments::default(),
            now: start.state.time,
            start: start.clone(),
            hand_over,
        };
        comparison.measure();
        Ok(comparison)
    }

    /// Says why such lanes cannot run side by side, if they cannot.
    pub fn check(lanes: &[LaneSpec]) -> Result<(), ComparisonError> {
        let first = lanes.first().ok_or(ComparisonError::Empty)?;
        let a = first.settings.dt;
        let never = |b: &f64| period(a, *b).is_none();
        match lanes.iter().map(|l| l.settings.dt).find(never) {
            Some(b) => Err(ComparisonError::NeverMeet { a, b }),
            None => Ok(()),
        }
    }

    /// The same method twice, the second begun at a configuration distance from the first (m): how the distance
    /// grows tells regular motion from chaos. Both states were handed over in the same way, so that they differ by the
    /// perturbation alone.
    pub fn perturbed(start: &Snapshot, size: f64) -> Result<Self, ComparisonError> {
        let lane = |perturbation| LaneSpec {
            integrator: start.integrator.into(),
            settings: start.settings,
            perturbation,
        };
        Self::new(start, vec![lane(0.0), lane(size)])
    }

    /// The same lanes once more, for somebody else to go on with: they take the same steps to the same bits.
    ///
    /// # Errors
    /// Never for lanes that run; a method that does not take its own state back is told.
    pub fn fork(&self) -> Result<Self, SimulationError> {
        let lanes: Result<_, _> = self.lanes.iter().map(Lane::fork).collect();
        Ok(Self {
            lanes: lanes?,
            leader: self.leader,
            segments: self.segments.clone(),
            now: self.now,
            start: self.start.clone(),
            hand_over: self.hand_over,
        })
    }

    /// The lanes.
    pub fn lanes(&self) -> &[Lane] {
        &self.lanes
    }

    /// One lane, to look into its simulation.
    pub fn lane(&mut self, index: usize) -> Option<&mut Lane> {
        self.lanes.get_mut(index)
    }

    /// Which lane leads.
    pub fn leader(&self) -> usize {
        self.leader
    }

    /// Time up to which the lanes were asked to go (s).
    pub fn time(&self) -> f64 {
        self.now
    }

    /// Whether all lanes that still run are at the same time.
    pub fn together(&self) -> bool {
        self.lanes
            .iter()
            .filter(|l| l.runs())
            .all(|lane| (lane.time() - self.now).abs() <= SAME * lane.spec.settings.dt)
    }

    /// Simulated time from one meeting of all lanes to the next (s).
    pub fn period(&self) -> f64 {
        let first = self.lanes[0].spec.settings.dt;
        let each = |lane: &Lane| period(first, lane.spec.settings.dt).unwrap_or(1);
        let steps = self.lanes.iter().map(each).fold(1, least_common_multiple);
        steps as f64 * first
    }

    /// Goes on by a step of the leader for every input.
    pub fn run(&mut self, inputs: &[Input], workers: Workers) {
        let dt = self.lanes[self.leader].spec.settings.dt;
        for input in inputs {
            self.now += dt;
            self.segments.push(self.now, dt, input);
        }
        let (segments, now) = (&self.segments, self.now);
        match workers {
            Workers::Serial => {
                for lane in &mut self.lanes {
                    lane.catch_up(segments, now);
                }
            }
            Workers::Threads => std::thread::scope(|scope| {
                for lane in &mut self.lanes {
                    scope.spawn(move || lane.catch_up(segments, now));
                }
            }),
        }
        self.measure();
    }

    /// Makes another lane the one that leads and that distances are measured from; false if there is none or it
    /// cannot run.
    pub fn lead(&mut self, lane: usize) -> bool {
        if self.lanes.get(lane).and_then(Lane::state).is_none() {
            return false;
        }
        self.leader = lane;
        self.now = self.lanes[lane].time();
        self.lanes.iter_mut().for_each(Lane::forget_distances);
        self.measure();
        true
    }

    /// Takes a lane out; false if there is none or it leads. The others go on as they are.
    pub fn remove(&mut self, lane: usize) -> bool {
        if lane == self.leader || lane >= self.lanes.len() {
            return false;
        }
        self.lanes.remove(lane);
        self.leader -= usize::from(lane < self.leader);
        true
    }

    /// Begins all lanes anew at the state of the leader, perturbations included.
    pub fn synchronise(&mut self) {
        if let Some(sim) = self.lanes[self.leader].simulation() {
            self.start = sim.snapshot();
        }
        self.now = self.start.state.time;
        self.segments = Segments::default();
        for lane in &mut self.lanes {
            lane.begin(&self.start, self.hand_over);
        }
        self.measure();
    }

    /// Distances at the common times since the last call.
    fn measure(&mut self) {
        let trail = self.lanes[self.leader].trail().to_vec();
        for lane in &mut self.lanes {
            lane.measure(&self.start.model, &trail);
        }
        // What a lane has not passed yet may still be met.
        let running = self.lanes.iter().filter(|l| l.runs());
        let behind = running.map(Lane::time).fold(self.now, f64::min);
        self.lanes
            .iter_mut()
            .for_each(|lane| lane.forget_before(behind));
        self.segments.forget_before(behind);
    }
}

/// Steps of size `a` (s) after which steps of size `b` meet them.
fn period(a: f64, b: f64) -> Option<u64> {
    (1..=LONGEST_PERIOD).find(|&n| {
        let ratio = n as f64 * a / b;
        ratio > 0.5 && (ratio - ratio.round()).abs() <= SAME
    })
}

fn least_common_multiple(a: u64, b: u64) -> u64 {
    let (mut x, mut y) = (a, b);
    while y != 0 {
        (x, y) = (y, x % y);
    }
    a / x * b
}
