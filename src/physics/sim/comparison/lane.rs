//! One simulation of a comparison: its method, its account, its distance from the leader.

use super::segments::{SAME, Segments};
use crate::diagnostics::{Sample, configuration_distance};
use crate::integrators::{self, Iteration, Settings};
use crate::model::{BodyState, Model, State};
use crate::sim::{History, Simulation, SimulationError, Snapshot, Statistics};

/// Most points of a trace of distances; then neighbours are merged and the larger distance stays.
const MOST_POINTS: usize = 1 << 16;

/// What a lane runs.
#[derive(Debug, Clone, PartialEq)]
pub struct LaneSpec {
    /// Name of the method.
    pub integrator: String,
    /// Its settings.
    pub settings: Settings,
    /// Configuration distance by which its first state is moved away (m); 0 for the state as it is.
    pub perturbation: f64,
}

impl LaneSpec {
    /// A method with the settings of another lane, without options that are not its own.
    pub fn beside(integrator: &str, settings: Settings) -> Self {
        let method = integrators::find(integrator);
        Self {
            integrator: integrator.into(),
            settings: method.map_or(settings, |info| settings.taken_to(info)),
            perturbation: 0.0,
        }
    }
}

/// Why a lane stands still.
#[derive(Debug, Clone, PartialEq)]
pub struct LaneFailure {
    /// Simulated time (s).
    pub time: f64,
    /// The error, in words.
    pub error: String,
}

/// What a table says about a lane.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Figures {
    /// Simulated time (s).
    pub time: f64,
    /// Energy error since the lanes were together: now, and the largest so far (J).
    pub energy_error: [f64; 2],
    /// Joint gap: now, and the largest so far (m).
    pub drift_position: [f64; 2],
    /// Joint misalignment: now, and the largest so far (rad).
    pub drift_angle: [f64; 2],
    /// Newton iterations of the last step.
    pub iterations: u32,
    /// Newton iterations of a step on average.
    pub mean_iterations: f64,
    /// Median wall time of a step (s).
    pub step_seconds: f64,
    /// Configuration distance from the leader at the last common time: then, and the largest so far (m).
    pub distance: [f64; 2],
}

/// One simulation of a comparison.
pub struct Lane {
    /// What it runs.
    pub spec: LaneSpec,
    simulation: Option<Simulation>,
    statistics: Statistics,
    history: History,
    failure: Option<LaneFailure>,
    /// Distance from the leader at common times: time (s), distance (m).
    distances: Vec<[f64; 2]>,
    /// Common times that one point stands for, and that the last point stands for.
    stride: [usize; 2],
    worst_distance: f64,
    /// Knots reached since distances were last measured: time (s) and bodies.
    trail: Vec<(f64, Vec<BodyState>)>,
}

impl Lane {
    /// A lane that begins at a moment of another simulation.
    pub(super) fn new(spec: LaneSpec, start: &Snapshot, hand_over: bool) -> Self {
        let mut lane = Self {
            spec,
            simulation: None,
            statistics: Statistics::new(Sample::default()),
            history: History::default(),
            failure: None,
            distances: Vec::new(),
            stride: [1, 0],
            worst_distance: 0.0,
            trail: Vec::new(),
        };
        lane.begin(start, hand_over);
        lane
    }

    /// Begins anew at a moment. With `hand_over` the method lets go of the state and takes it again, so that lanes of
    /// which one is perturbed differ by nothing else.
    pub(super) fn begin(&mut self, start: &Snapshot, hand_over: bool) {
        self.failure = None;
        let mut simulation = match simulation(&self.spec, start, hand_over) {
            Ok(simulation) => simulation,
            Err(error) => {
                self.simulation = None;
                self.fail(start.state.time, error);
                return;
            }
        };
        let first = simulation.sample();
        self.statistics = Statistics::new(first);
        self.history.restart(first);
        self.simulation = Some(simulation);
        self.forget_distances();
    }

    /// The same lane once more.
    pub(super) fn fork(&self) -> Result<Self, SimulationError> {
        let own = self.simulation.as_ref();
        let simulation = own.map(|sim| Simulation::resume(&sim.snapshot()));
        Ok(Self {
            spec: self.spec.clone(),
            simulation: simulation.transpose()?,
            statistics: self.statistics.clone(),
            history: self.history.clone(),
            failure: self.failure.clone(),
            distances: self.distances.clone(),
            stride: self.stride,
            worst_distance: self.worst_distance,
            trail: self.trail.clone(),
        })
    }

    pub(super) fn forget_distances(&mut self) {
        self.distances.clear();
        self.stride = [1, 0];
        self.worst_distance = 0.0;
        self.trail.clear();
        if let Some(sim) = &self.simulation {
            self.trail
                .push((sim.state().time, sim.state().bodies.clone()));
        }
    }

    fn fail(&mut self, time: f64, error: impl ToString) {
        self.failure = Some(LaneFailure {
            time,
            error: error.to_string(),
        });
    }

    /// The simulation, unless the method cannot run the scene.
    pub fn simulation(&mut self) -> Option<&mut Simulation> {
        self.simulation.as_mut()
    }

    /// The state reached, unless the method cannot run the scene.
    pub fn state(&self) -> Option<&State> {
        self.simulation.as_ref().map(Simulation::state)
    }

    /// Why it stands still, if it does.
    pub fn failure(&self) -> Option<&LaneFailure> {
        self.failure.as_ref()
    }

    /// Residuals of its last step, by iteration.
    pub fn iterations(&self) -> &[Iteration] {
        let sim = self.simulation.as_ref();
        sim.map_or(&[], |sim| &sim.report().history)
    }

    /// Its account since the lanes were together.
    pub fn statistics(&self) -> &Statistics {
        &self.statistics
    }

    /// What its plots show.
    pub fn history(&self) -> &History {
        &self.history
    }

    /// Its distance from the leader at common times: time (s), distance (m).
    pub fn distances(&self) -> &[[f64; 2]] {
        &self.distances
    }

    /// What a table says about it.
    pub fn figures(&self) -> Figures {
        let Statistics {
            last,
            peaks,
            step_times,
            ..
        } = &self.statistics;
        let distance = self.distances.last().map_or(0.0, |d| d[1]);
        Figures {
            time: last.time,
            energy_error: [last.energy_error, peaks.energy_error],
            drift_position: [last.drift_position, peaks.drift_position],
            drift_angle: [last.drift_angle, peaks.drift_angle],
            iterations: last.iterations,
            mean_iterations: peaks.mean_iterations(),
            step_seconds: step_times.quantile(0.5),
            distance: [distance, self.worst_distance],
        }
    }

    /// Whether it still moves.
    pub fn runs(&self) -> bool {
        self.failure.is_none()
    }

    /// Simulated time (s).
    pub(super) fn time(&self) -> f64 {
        self.state().map_or(0.0, |s| s.time)
    }

    /// Takes all whole steps up to a time, each with the input in force at its middle.
    pub(super) fn catch_up(&mut self, segments: &Segments, target: f64) {
        let dt = self.spec.settings.dt;
        while self.failure.is_none() {
            let Some(sim) = &mut self.simulation else {
                return;
            };
            let time = sim.state().time;
            if time + dt > target + SAME * dt {
                return;
            }
            let input = segments.at(time + 0.5 * dt);
            match sim.timed_step(input).map(drop) {
                Ok(()) => {
                    let sample = sim.sample();
                    self.statistics.observe(&sample);
                    self.history.push(sample);
                    self.trail
                        .push((sim.state().time, sim.state().bodies.clone()));
                }
                Err(error) => self.fail(time, error),
            }
        }
    }

    /// Measures the distance from the leader at all common times since the last call, and forgets knots that no lane
    /// can meet any more.
    pub(super) fn measure(&mut self, model: &Model, leader: &[(f64, Vec<BodyState>)]) {
        let near = SAME * self.spec.settings.dt;
        let mut from = 0;
        for (time, bodies) in leader {
            while from < self.trail.len() && self.trail[from].0 < time - near {
                from += 1;
            }
            let Some((mine, own)) = self.trail.get(from) else {
                break;
            };
            if (mine - time).abs() <= near {
                let distance = configuration_distance(model, own, bodies);
                let (time, known) = (*time, self.distances.last().is_some_and(|d| *time <= d[0]));
                if !known {
                    self.trace(time, distance);
                }
            }
        }
    }

    /// The knots reached.
    pub(super) fn trail(&self) -> &[(f64, Vec<BodyState>)] {
        &self.trail
    }

    /// Forgets all knots before a time.
    pub(super) fn forget_before(&mut self, time: f64) {
        let near = SAME * self.spec.settings.dt;
        self.trail.retain(|(t, _)| *t >= time - near);
    }

    fn trace(&mut self, time: f64, distance: f64) {
        // A distance that is not a number is worse than any other and stays.
        if distance > self.worst_distance || distance.is_nan() {
            self.worst_distance = distance;
        }
        let [stride, filled] = &mut self.stride;
        if *filled < *stride
            && let Some(last) = self.distances.last_mut()
        {
            *last = [time, last[1].max(distance)];
            *filled += 1;
            return;
        }
        if self.distances.len() == MOST_POINTS {
            let pairs = self.distances.chunks(2);
            self.distances = pairs
                .map(|p| {
                    [
                        p[p.len() - 1][0],
                        p.iter().fold(0.0, |d: f64, q| d.max(q[1])),
                    ]
                })
                .collect();
            *stride *= 2;
        }
        self.distances.push([time, distance]);
        *filled = 1;
    }
}

/// The simulation of a lane.
fn simulation(
    spec: &LaneSpec,
    start: &Snapshot,
    hand_over: bool,
) -> Result<Simulation, SimulationError> {
    let mut sim = Simulation::resume(start)?;
    if hand_over || spec.perturbation != 0.0 {
        sim.perturb(spec.perturbation)?;
    }
    if sim.integrator().name != spec.integrator {
        sim.set_integrator(&spec.integrator)?;
    }
    if *sim.settings() != spec.settings {
        sim.set_settings(spec.settings)?;
    }
    sim.begin_account();
    Ok(sim)
}
