//! Compare mode: other methods, step sizes, tolerances and friction cones beside the session, from the same state, fed
//! the same user input.
//!
//! ```text
//! session: inputs of its steps ──▶ Comparing ──orders──▶ worker: sim::Comparison, a thread per lane
//!                                      ▲                     │
//!        panels, ghosts, linked views ─┴──────── Board ◀─────┘
//! ```
//! The session runs what the leader runs, so that every input reaches all lanes. Nothing waits for a lane longer than a
//! frame allows: a lane that is behind holds simulated time up, for all of them.

pub mod board;
pub mod commands;
mod company;
pub mod follow;
pub mod ghosts;
pub mod panel;
pub mod study;
pub mod views;
pub mod worker;

use crate::commands::compare::{LaneArrangement, LanePlot};
use crate::compare::board::{LaneKnot, Sheet};
use crate::compare::study::Study;
use crate::state::panels::PanelId;
use crate::ui::panels::AddPanel;

use crate::camera::orbit::Orbit;
use crate::compare::worker::{Link, Order};
use crate::session::Session;
use crate::state::layers::{Layers, followed};
use crate::state::trails::Trails;
use crate::theme::{Palette, Shade};
use bevy::prelude::{Resource, World};
use physics::integrators::Settings;
use physics::math::{Pose, Vec3};
use physics::model::Input;
use physics::sim::Comparison;
use physics::sim::comparison::{ComparisonError, Growth, LaneSpec, growth};
use std::sync::{Arc, MutexGuard};
use std::time::Duration;

/// Longest wait for the lanes in one frame: the window stays alive, and no action holds it for long.
const PATIENCE: Duration = Duration::from_millis(20);

/// The fit of a perturbation ends where the distance reaches this part of its largest value.
const CEILING: f64 = 0.1;

/// Distance by which a motion is perturbed where nothing else is asked for (m).
const PERTURBATION: f64 = 1e-9;

/// A lane as it was chosen.
#[derive(Debug, Clone, PartialEq)]
pub struct LaneChoice {
    /// Its name, which no other lane has or had.
    pub id: u64,
    /// What it runs.
    pub spec: LaneSpec,
    /// Whether it is drawn.
    pub drawn: bool,
    /// How far from its place it is drawn (m).
    pub offset: Vec3,
}

/// What is drawn of a lane.
#[derive(Debug, Clone)]
pub struct Stand {
    /// The lane.
    pub lane: u64,
    /// Poses of its bodies.
    pub poses: Vec<Pose>,
    /// The state on the way to which it is, if layers are drawn.
    pub knot: Option<Arc<LaneKnot>>,
    /// Its trails, if they are drawn.
    pub trails: Trails,
}

/// What the session was when the lanes last agreed with it.
#[derive(Debug, Clone, PartialEq)]
struct SessionMoment {
    generation: u64,
    step: u64,
    time: u64,
    integrator: &'static str,
    settings: Settings,
    /// The model's address: the lanes keep it alive, so that no other model has it.
    model: usize,
}

impl SessionMoment {
    fn of(session: &Session) -> Self {
        Self {
            generation: session.generation(),
            step: session.state().step,
            time: session.state().time.to_bits(),
            integrator: session.integrator().name,
            settings: *session.settings(),
            model: Arc::as_ptr(session.shared_model()).addr(),
        }
    }
}

/// What is compared, and how it is shown.
#[derive(Resource)]
pub struct Comparing {
    lanes: Vec<LaneChoice>,
    leader: usize,
    next_id: u64,
    /// How lanes are drawn.
    pub arrangement: LaneArrangement,
    /// Distance between neighbouring ghosts along the view's right (m).
    pub spacing: f64,
    /// Whether the plots show the lanes; otherwise the session alone.
    pub plots: bool,
    /// The plots that are shown, in order.
    pub charts: Vec<LanePlot>,
    /// Distance by which the next motion is perturbed (m).
    pub perturbation: f64,
    /// The convergence study.
    pub study: Study,
    link: Option<Link>,
    mark: Option<SessionMoment>,
    /// The session as it was a frame ago, if it is not what the lanes follow: they begin anew when it rests.
    unsettled: Option<SessionMoment>,
    /// Whether the lanes have to begin anew.
    stale: bool,
    /// Whether a lane was asked for its moment, for the session to go on from.
    hands_over: bool,
    /// What is drawn of every lane.
    stands: Vec<Stand>,
    /// Parts of the window, by lane: left, top, width, height [points of the interface].
    pub(crate) cells: Vec<(u64, [f64; 4])>,
}

impl Default for Comparing {
    fn default() -> Self {
        Self {
            lanes: Vec::new(),
            leader: 0,
            next_id: 0,
            arrangement: LaneArrangement::default(),
            spacing: 0.0,
            plots: true,
            charts: vec![
                LanePlot::EnergyError,
                LanePlot::Drift,
                LanePlot::Iterations,
                LanePlot::Residuals,
                LanePlot::StepTime,
                LanePlot::Distance,
            ],
            perturbation: PERTURBATION,
            study: Study::default(),
            link: None,
            mark: None,
            unsettled: None,
            stale: false,
            hands_over: false,
            stands: Vec::new(),
            cells: Vec::new(),
        }
    }
}

impl Comparing {
    /// Whether lanes run beside the session.
    pub fn is_on(&self) -> bool {
        !self.lanes.is_empty()
    }

    /// The lanes in the order in which they were added.
    pub fn lanes(&self) -> &[LaneChoice] {
        &self.lanes
    }

    /// The place of the lane that leads: what the session runs.
    pub fn leader(&self) -> usize {
        self.leader
    }

    /// The place of the lane that leads next: the first after the leader that does not stand still.
    pub fn next_leader(&self) -> Option<usize> {
        let sheet = self.sheet()?;
        let runs = |place: &usize| {
            let shown = sheet.lane(self.lanes[*place].id);
            shown.is_some_and(|s| s.failure.is_none())
        };
        let count = self.lanes.len();
        (1..count).map(|k| (self.leader + k) % count).find(runs)
    }

    /// What the lanes have reached; it must not be kept.
    pub fn sheet(&self) -> Option<MutexGuard<'_, Sheet>> {
        self.link.as_ref().map(|link| link.board().read())
    }

    /// What is drawn of a lane.
    pub fn stand(&self, id: u64) -> Option<&Stand> {
        self.stands.iter().find(|s| s.lane == id)
    }

    /// The poses in which a lane is drawn.
    pub fn poses(&self, id: u64) -> Option<&[Pose]> {
        Some(&self.stand(id)?.poses)
    }

    /// The places of the lanes beside the leader that are drawn.
    pub fn beside(&self) -> impl Iterator<Item = usize> {
        let lanes = self.lanes.iter().enumerate();
        lanes
            .filter(|(place, lane)| *place != self.leader && lane.drawn)
            .map(|(place, _)| place)
    }

    /// How far from its place a lane is drawn (m).
    pub fn shift(&self, id: u64, orbit: &Orbit) -> Vec3 {
        let place = self.lanes.iter().position(|l| l.id == id);
        match (self.arrangement, place) {
            (LaneArrangement::Ghosts, Some(place)) => {
                let right = orbit.axes().column(0).into_owned();
                let away = place as f64 - self.leader as f64;
                self.lanes[place].offset + right * (away * self.spacing)
            }
            _ => Vec3::zeros(),
        }
    }

    /// The colour of a lane: that of its method, fainter for a second lane of the same.
    pub fn shade(&self, place: usize, palette: &Palette) -> Shade {
        let method = &self.lanes[place].spec.integrator;
        let same = |l: &&LaneChoice| l.spec.integrator == *method;
        let before = self.lanes[..place].iter().filter(same).count();
        palette.method(method, before)
    }

    /// How fast the first perturbed lane parts from the leader.
    pub fn growth(&self) -> Option<Growth> {
        let lane = self.lanes.iter().find(|l| l.spec.perturbation != 0.0)?;
        let sheet = self.sheet()?;
        let shown = sheet.lane(lane.id)?;
        growth(&shown.distances, CEILING * shown.figures.distance[1])
    }

    /// Whether all lanes have done what they were told; waits for that no longer than `patience`.
    pub fn wait(&self, patience: Duration) -> bool {
        !self.hands_over
            && self
                .link
                .as_ref()
                .is_none_or(|link| link.is_done(patience.min(PATIENCE)))
    }

    /// Sets all lanes out as they are at a time, or where they stand still before it.
    fn stand_at(&mut self, at: f64, session: &Session, layers: &Layers) {
        self.stands.clear();
        let points = followed(layers, session.model());
        let Some(link) = &self.link else {
            return;
        };
        for lane in &mut link.board().read().lanes {
            lane.trails.follow(points.clone(), layers.fade);
            self.stands.extend(lane.stand(at, layers));
        }
    }

    /// How much longer the longest steps of a lane that is drawn are than the leader's (s).
    fn lag(&self) -> f64 {
        let Some(leader) = self.lanes.get(self.leader) else {
            return 0.0;
        };
        let step = leader.spec.settings.dt;
        let failed = |id| {
            let sheet = self.sheet();
            sheet.is_some_and(|s| s.lane(id).is_some_and(|l| l.failure.is_some()))
        };
        let running = self.lanes.iter().filter(|l| l.drawn && !failed(l.id));
        running.map(|l| l.spec.settings.dt).fold(step, f64::max) - step
    }

    /// Ends comparing.
    pub fn end(&mut self) {
        self.lanes.clear();
        self.leader = 0;
        self.link = None;
        self.mark = None;
        self.unsettled = None;
        self.stale = false;
        self.hands_over = false;
        self.stands.clear();
    }

    /// What the session runs, as a lane.
    fn spec_of(session: &Session) -> LaneSpec {
        LaneSpec {
            integrator: session.integrator().name.into(),
            settings: *session.settings(),
            perturbation: 0.0,
        }
    }

    fn choice(&mut self, spec: LaneSpec) -> LaneChoice {
        let id = self.next_id;
        self.next_id += 1;
        LaneChoice {
            id,
            spec,
            drawn: true,
            offset: Vec3::zeros(),
        }
    }

    /// Adds a lane; the first to be added has the session's own before it.
    fn add(&mut self, spec: LaneSpec, session: &Session) -> Result<(), ComparisonError> {
        let mut lanes = self.lanes.clone();
        if lanes.is_empty() {
            let first = self.choice(Self::spec_of(session));
            lanes.push(first);
            self.leader = 0;
        }
        let lane = self.choice(spec);
        lanes.push(lane);
        self.take(lanes)
    }

    /// Runs the session's method twice, the second time from a state at a distance (m).
    fn perturb(&mut self, size: f64, session: &Session) {
        let first = self.choice(Self::spec_of(session));
        let mut second = first.spec.clone();
        second.perturbation = size;
        let second = self.choice(second);
        self.leader = 0;
        self.lanes = vec![first, second];
        self.stale = true;
    }

    /// Has other lanes, if they can run side by side. All begin anew.
    fn take(&mut self, lanes: Vec<LaneChoice>) -> Result<(), ComparisonError> {
        let specs: Vec<LaneSpec> = lanes.iter().map(|l| l.spec.clone()).collect();
        Comparison::check(&specs)?;
        self.lanes = lanes;
        self.stale = true;
        Ok(())
    }

    fn send(&mut self, order: Order) {
        self.link.get_or_insert_with(Link::start).send(order);
    }

    /// Begins all lanes at the state of the session.
    fn begin(&mut self, session: &mut Session) -> Result<(), ComparisonError> {
        let start = Box::new(session.snapshot());
        self.lanes[self.leader].spec = Self::spec_of(session);
        let specs: Vec<LaneSpec> = self.lanes.iter().map(|l| l.spec.clone()).collect();
        Comparison::check(&specs)?;
        if self.lanes.iter().any(|l| l.spec.perturbation != 0.0) {
            // Where one is perturbed every lane lets go of the state and takes it again; so must the session.
            let name = session.integrator().name;
            session.failure = session.set_integrator(name).err().map(|e| e.to_string());
        }
        let lanes = self.lanes.iter().map(|l| (l.id, l.spec.clone())).collect();
        self.send(Order::Begin {
            start,
            lanes,
            leader: self.leader,
        });
        session.followed = Some(Vec::new());
        self.mark = Some(SessionMoment::of(session));
        self.unsettled = None;
        self.stale = false;
        Ok(())
    }

    /// Hands the inputs of the session's last steps to the lanes. What the session did otherwise is found by
    /// [`Self::agrees`].
    fn feed(&mut self, session: &mut Session) {
        let Some(steps) = &mut session.followed else {
            return;
        };
        if steps.is_empty() {
            return;
        }
        let inputs: Vec<Input> = std::mem::take(steps);
        let Some(mark) = &mut self.mark else {
            return;
        };
        let now = SessionMoment::of(session);
        let led = SessionMoment {
            step: mark.step + inputs.len() as u64,
            time: now.time,
            ..mark.clone()
        };
        if self.stale || led != now {
            self.stale = true;
            return;
        }
        *mark = now;
        self.send(Order::Run(inputs));
    }

    /// Whether the session is where its steps led it, and as it was.
    fn agrees(&self, session: &Session) -> bool {
        self.mark.as_ref() == Some(&SessionMoment::of(session))
    }
}

/// What the panel of this room draws.
pub fn add_panels(world: &mut World) {
    world.add_panel(PanelId::Compare, panel::lanes::panel);
}
