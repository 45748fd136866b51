//! What the window knows of its lanes: copies of their figures, plots and latest poses, written in the background and
//! read by it, each holding the other up only for as long as copying takes.

use crate::compare::Stand;
use crate::mesh::convert;
use crate::state::layers::{Layer, Layers};
use crate::state::trails::Trails;
use physics::integrators::Iteration;
use physics::math::Pose;
use physics::model::{BodyState, State, Twist};
use physics::sim::comparison::{Figures, Lane, LaneFailure};
use physics::sim::{History, Mechanism};
use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Least poses of a lane that are kept.
const FEWEST: usize = 3;

/// A state that a lane has reached, with what is drawn of it.
#[derive(Debug, Clone)]
pub struct LaneKnot {
    /// The state.
    pub state: State,
    /// Poses of the bodies.
    pub poses: Vec<Pose>,
    /// Velocities at the knot, one per body: only while they are drawn.
    pub velocities: Vec<Twist>,
}

impl LaneKnot {
    fn of(state: &State, velocities: &[Twist]) -> Self {
        let pose = |b: &BodyState| Pose::from_parts(b.position.into(), b.orientation);
        Self {
            state: state.clone(),
            poses: state.bodies.iter().map(pose).collect(),
            velocities: velocities.to_vec(),
        }
    }

    fn time(&self) -> f64 {
        self.state.time
    }
}

/// One lane as the window shows it.
#[derive(Debug, Clone)]
pub struct LaneTrace {
    /// Which of the chosen lanes it is.
    pub id: u64,
    /// What the table says.
    pub figures: Figures,
    /// Why it stands still, if it does.
    pub failure: Option<LaneFailure>,
    /// What the plots show.
    pub history: History,
    /// Distance from the leader at common times: time (s), distance (m).
    pub distances: Vec<[f64; 2]>,
    /// Residuals of its last step, by iteration.
    pub iterations: Vec<Iteration>,
    /// Where the points have been that leave trails.
    pub trails: Trails,
    /// States reached lately, by time.
    knots: VecDeque<Arc<LaneKnot>>,
}

impl LaneTrace {
    /// A lane of which nothing is known yet.
    pub(crate) fn new(id: u64, lane: &Lane) -> Self {
        Self {
            id,
            figures: lane.figures(),
            failure: None,
            history: History::default(),
            distances: Vec::new(),
            iterations: Vec::new(),
            trails: Trails::default(),
            knots: VecDeque::new(),
        }
    }

    /// Takes over what the lane has reached, with velocities if they are drawn. States from before `since` (s) are not
    /// needed any more.
    pub(crate) fn catch_up(&mut self, lane: &Lane, velocities: &[Twist], since: f64) {
        self.figures = lane.figures();
        self.failure = lane.failure().cloned();
        self.history.catch_up(lane.history());
        self.follow(lane.distances());
        lane.iterations().clone_into(&mut self.iterations);
        if let Some(state) = lane.state() {
            self.reach(state, velocities, since);
        }
    }

    /// Takes over distances, of which only the last known one can have changed unless neighbours were merged.
    fn follow(&mut self, distances: &[[f64; 2]]) {
        let sure = self.distances.len().saturating_sub(1);
        let same = sure > 0
            && distances.len() >= sure
            && self.distances[sure - 1] == distances[sure - 1]
            && self.distances[0] == distances[0];
        self.distances.truncate(if same { sure } else { 0 });
        let known = self.distances.len();
        self.distances.extend_from_slice(&distances[known..]);
    }

    fn reach(&mut self, state: &State, velocities: &[Twist], since: f64) {
        match self.knots.back() {
            Some(last) if last.time() == state.time => {
                if last.velocities.len() == velocities.len() {
                    return;
                }
                // Velocities have come to be drawn while time stands still.
                self.knots.pop_back();
            }
            // Brought back: what was reached before does not lead here.
            Some(last) if last.time() > state.time => self.knots.clear(),
            _ => {}
        }
        let knot = LaneKnot::of(state, velocities);
        self.trails.push(knot.time(), &knot.poses);
        self.knots.push_back(Arc::new(knot));
        while self.knots.len() > FEWEST && self.knots[1].time() < since {
            self.knots.pop_front();
        }
    }

    /// The time reached, if the lane could begin (s).
    pub fn reached(&self) -> Option<f64> {
        self.knots.back().map(|k| k.time())
    }

    /// The knots around a time, and where it lies between them. Before the first known and after the last reached,
    /// those. None if the lane could not begin.
    fn around(&self, time: f64) -> Option<([&Arc<LaneKnot>; 2], f64)> {
        let after = self.knots.iter().position(|k| k.time() >= time);
        let place = after.unwrap_or(self.knots.len().checked_sub(1)?);
        let (from, to) = (&self.knots[place.saturating_sub(1)], &self.knots[place]);
        let length = to.time() - from.time();
        let share = if after.is_none() || length <= 0.0 {
            1.0
        } else {
            (time - from.time()) / length
        };
        Some(([from, to], share))
    }

    /// Poses at a time; before the first known and after the last reached, those. None if it could not begin.
    pub fn poses_at(&self, time: f64) -> Option<Vec<Pose>> {
        let ([from, to], share) = self.around(time)?;
        if share == 1.0 {
            return Some(to.poses.clone());
        }
        let pairs = from.poses.iter().zip(&to.poses);
        Some(pairs.map(|(a, b)| convert::between(a, b, share)).collect())
    }

    /// What is drawn of the lane at a time. Forces and contacts are those of the state that it is on the way to, as the
    /// leader's are.
    pub fn stand(&self, time: f64, layers: &Layers) -> Option<Stand> {
        let knot = || Some(self.around(time)?.0[1].clone());
        let trails = layers.shows(Layer::Trails).then(|| self.trails.clone());
        Some(Stand {
            lane: self.id,
            poses: self.poses_at(time)?,
            knot: if layers.any() { knot() } else { None },
            trails: trails.unwrap_or_default(),
        })
    }
}

/// What stands on the board.
#[derive(Default)]
pub struct Sheet {
    /// The lanes.
    pub lanes: Vec<LaneTrace>,
    /// Orders carried out.
    pub(crate) done: u64,
    /// The state of a lane that was asked to lead, for the session to go on from.
    pub(crate) handed: Option<Handed>,
    /// What became of a file that was asked for.
    pub(crate) written: Option<Result<PathBuf, String>>,
}

/// A lane that leads from now on.
pub(crate) struct Handed {
    pub id: u64,
    pub mechanism: Arc<Mechanism>,
}

impl Sheet {
    /// A lane by its name.
    pub fn lane(&self, id: u64) -> Option<&LaneTrace> {
        self.lanes.iter().find(|l| l.id == id)
    }
}

/// A sheet that two threads write to and read from.
#[derive(Default)]
pub struct Board {
    sheet: Mutex<Sheet>,
    news: Condvar,
}

impl Board {
    /// The sheet, for a moment.
    pub fn read(&self) -> MutexGuard<'_, Sheet> {
        // Whoever panicked while writing leaves figures that are old, not wrong.
        self.sheet.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Changes the sheet and tells whoever waits.
    pub(crate) fn write(&self, change: impl FnOnce(&mut Sheet)) {
        change(&mut self.read());
        self.news.notify_all();
    }

    /// Waits until so many orders are carried out, for a limited time. True if they are.
    pub(crate) fn wait(&self, orders: u64, patience: Duration) -> bool {
        let end = Instant::now() + patience;
        let mut sheet = self.read();
        while sheet.done < orders {
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return false;
            }
            let waited = self.news.wait_timeout(sheet, left);
            sheet = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        true
    }
}
