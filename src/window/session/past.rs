//! The past of a session: going back and on, other ways that time went, named moments.

use crate::session::{Session, poses};
use physics::diagnostics::Sample;
use physics::integrators::Settings;
use physics::model::{Input, Model};
use physics::sim::timeline::{BUDGET, BranchId, Memory};
use physics::sim::{
    Change, Correction, History, Leg, LegError, Simulation, SimulationError, Timeline,
};
use std::time::{Duration, Instant};

/// What a session remembers.
pub(crate) enum Past {
    /// Everything: any moment can be visited.
    Whole(Box<Timeline>),
    /// What the plots show, of a session that only goes on.
    Plots(History),
}

impl Past {
    pub(crate) fn whole(simulation: &mut Simulation) -> Self {
        Self::Whole(Box::new(Timeline::new(simulation, BUDGET)))
    }

    pub(crate) fn plots(simulation: &mut Simulation) -> Self {
        let mut history = History::default();
        history.restart(simulation.sample());
        Self::Plots(history)
    }

    fn history(&self) -> &History {
        match self {
            Self::Whole(timeline) => timeline.history(),
            Self::Plots(history) => history,
        }
    }

    /// Figures of the moment that the simulation is at.
    pub(crate) fn sample(&self) -> &Sample {
        match self {
            Self::Whole(timeline) => timeline.sample(),
            Self::Plots(history) => history.rows().last().expect("a history has a first row"),
        }
    }

    /// What acted during the step that led to the moment, if that is remembered.
    pub(crate) fn input(&self) -> Option<&Input> {
        match self {
            Self::Whole(timeline) => Some(timeline.input()),
            Self::Plots(_) => None,
        }
    }

    /// The branch that time goes, and its last step.
    pub(crate) fn end(&self) -> (BranchId, u64) {
        match self {
            Self::Whole(timeline) => (timeline.current(), timeline.span()[1]),
            Self::Plots(_) => (BranchId(0), self.sample().step),
        }
    }

    /// Adds a moment that another session has reached.
    pub(crate) fn push(&mut self, sample: Sample) {
        match self {
            Self::Plots(history) => history.push(sample),
            Self::Whole(_) => debug_assert!(false, "only a snapshot shows another session"),
        }
    }

    /// Takes a step: where it is to follow and there is a recorded one, that, otherwise one with this input.
    pub(crate) fn step(
        &mut self,
        simulation: &mut Simulation,
        input: &Input,
        follow: bool,
    ) -> Result<(), String> {
        match self {
            Self::Whole(timeline) if follow && !timeline.at_end() => {
                let taken = timeline.forward(simulation);
                taken.map(drop).map_err(|e| e.to_string())
            }
            Self::Whole(timeline) => {
                let taken = timeline.step(simulation, input);
                taken.map(drop).map_err(|e| e.to_string())
            }
            Self::Plots(history) => {
                simulation.timed_step(input).map_err(|e| e.to_string())?;
                history.push(simulation.sample());
                Ok(())
            }
        }
    }

    /// Books a step that the simulation has just taken from the step and the time `from` (s), as [`Self::step`] does
    /// with its own. A recorded one goes towards a recorded step; true if that is reached.
    pub(crate) fn book(
        &mut self,
        simulation: &mut Simulation,
        from: (u64, f64),
        leg: &Leg,
        taken: Result<u64, LegError>,
        recorded: Option<u64>,
    ) -> Result<bool, String> {
        match (self, recorded, taken) {
            (Self::Whole(timeline), Some(towards), taken) => {
                let booked = timeline.book_leg(simulation, towards, leg, taken);
                booked.map_err(|e| e.to_string())
            }
            (_, _, Err(LegError::Change(error))) => Err(error.to_string()),
            (Self::Whole(timeline), None, taken) => {
                let taken = match taken {
                    Err(LegError::Step(error)) => Err(error),
                    _ => Ok(()),
                };
                let input = leg.input.clone().unwrap_or_default();
                let booked = timeline.book(simulation, from, &input, taken);
                booked.map(|_| true).map_err(|e| e.to_string())
            }
            (Self::Plots(_), _, Err(error)) => Err(error.to_string()),
            (Self::Plots(history), _, Ok(_)) => {
                history.push(simulation.sample());
                Ok(true)
            }
        }
    }
}

impl Session {
    /// What the plots show: the whole way of the branch that time goes, also what lies ahead of the moment shown.
    pub fn history(&self) -> &History {
        self.past.history()
    }

    /// The past, if it can be visited.
    pub fn timeline(&self) -> Option<&Timeline> {
        match &self.past {
            Past::Whole(timeline) => Some(timeline),
            Past::Plots(_) => None,
        }
    }

    /// What the past takes in memory.
    pub fn memory(&self) -> Option<Memory> {
        self.timeline().map(Timeline::memory)
    }

    /// Changes the memory for the past (bytes).
    pub fn set_budget(&mut self, budget: usize) {
        if let Past::Whole(timeline) = &mut self.past {
            timeline.set_budget(budget);
        }
    }

    /// Whether the moment shown lies before the last one of its branch.
    pub fn is_past(&self) -> bool {
        self.timeline().is_some_and(|t| !t.at_end())
    }

    /// First and last time of the branch (s).
    pub fn span(&self) -> [f64; 2] {
        match &self.past {
            Past::Whole(timeline) => timeline.span().map(|step| timeline.time(step)),
            Past::Plots(history) => [history.rows().first(), history.rows().last()]
                .map(|row| row.map_or(0.0, |r| r.time)),
        }
    }

    /// The branches that time went up to the end of this one, with the last step of each.
    pub fn way(&self) -> Vec<(BranchId, u64)> {
        match &self.past {
            Past::Whole(timeline) => timeline.way(),
            Past::Plots(_) => vec![(BranchId(0), u64::MAX)],
        }
    }

    /// The step to which time is being moved, if it is not there yet.
    pub fn goal(&self) -> Option<u64> {
        self.goal
    }

    /// Whether time goes on at a past moment as it was recorded, drags and changes included.
    pub fn follows(&self) -> bool {
        self.follows
    }

    /// Changes settings, method or model. At a past moment this begins a branch.
    pub fn change(&mut self, change: Change) -> Result<(), SimulationError> {
        self.about_to_change();
        // What recorded changes did on the way here was told when they were made.
        let _ = self.simulation.take_correction();
        match &mut self.past {
            Past::Whole(timeline) => {
                timeline.change(&mut self.simulation, change)?;
                self.sample = *timeline.sample();
            }
            Past::Plots(_) => self.simulation.apply(&change)?,
        }
        let corrected = self.simulation.take_correction();
        self.changed(corrected.filter(Correction::moved));
        Ok(())
    }

    /// Gives up what leads elsewhere or is known of steps of the model before.
    pub(super) fn about_to_change(&mut self) {
        self.goal = None;
        self.give_up_step();
        self.stepper.forget();
    }

    /// Meets what a change has made of the simulation, which may have moved what was not asked for.
    pub(super) fn changed(&mut self, corrected: Option<Correction>) {
        self.moves += 1;
        self.corrected = corrected.or(self.corrected);
        // The error was that of the method that is left, or of the state that was mended.
        self.failure = None;
        self.meet_model();
        self.tidy();
    }

    /// Goes on with another method.
    pub fn set_integrator(&mut self, name: &'static str) -> Result<(), SimulationError> {
        self.change(Change::Integrator(name))
    }

    /// Goes on with other settings.
    pub fn set_settings(&mut self, settings: Settings) -> Result<(), SimulationError> {
        self.change(Change::Settings(settings))
    }

    /// Goes on with a changed model of the same bodies and joints.
    pub fn set_model(&mut self, model: Model) -> Result<(), SimulationError> {
        self.change(Change::Model(model.into()))?;
        self.scene.model.clone_from(self.simulation.model());
        self.document.note(&self.simulation);
        Ok(())
    }

    /// Moves towards a step of the branch, in slices by [`Self::travel`]. A step beyond its ends means the nearer end.
    pub fn seek(&mut self, step: u64) {
        let Some([first, last]) = self.timeline().map(Timeline::span) else {
            return;
        };
        let step = step.clamp(first, last);
        if step < self.sample.step {
            // A film does not run backwards.
            self.tap = None;
        }
        if self.goal != Some(step) {
            self.give_up_step();
        }
        self.follows = true;
        self.goal = Some(step);
    }

    /// Moves so many steps back (negative) or on, counted from where time is being moved already.
    pub fn seek_by(&mut self, steps: i64) {
        let from = self.goal.unwrap_or(self.sample.step);
        self.seek(from.saturating_add_signed(steps));
    }

    /// Moves towards the step that was asked for, for about so long; at least to the nearest moment in memory. True if
    /// it has moved.
    pub fn travel(&mut self, most: Duration) -> bool {
        let (Some(goal), Past::Whole(_)) = (self.goal, &self.past) else {
            return false;
        };
        if self.steps_are_long() {
            return self.travel_by_thread(goal, most);
        }
        let Past::Whole(timeline) = &mut self.past else {
            return false;
        };
        let start = Instant::now();
        let mut there = timeline.approach(&mut self.simulation, goal, 0);
        while matches!(there, Ok(false)) && start.elapsed() < most {
            there = timeline.approach(&mut self.simulation, goal, 1);
        }
        if !matches!(there, Ok(false)) {
            self.goal = None;
        }
        self.arrive();
        self.failure = there.err().map(|e| e.to_string());
        true
    }

    /// One step back for a clock that runs backwards, in the time that there is. False at the first moment.
    pub fn step_back(&mut self, most: Duration) -> bool {
        let Some([first, _]) = self.timeline().map(Timeline::span) else {
            return false;
        };
        if self.goal.is_none() && self.sample.step == first {
            return false;
        }
        if self.goal.is_none() {
            self.seek_by(-1);
        }
        let (before, time) = (self.current.clone(), self.sample.time);
        self.travel(most);
        if self.goal.is_none() {
            (self.previous, self.previous_time) = (before, time);
        }
        self.failure.is_none()
    }

    /// Names the moment shown.
    pub fn bookmark(&mut self, name: impl Into<String>) {
        if let Past::Whole(timeline) = &mut self.past {
            timeline.bookmark(name);
        }
    }

    /// Gives a named moment another name.
    pub fn rename_bookmark(&mut self, index: usize, name: impl Into<String>) {
        if let Past::Whole(timeline) = &mut self.past {
            timeline.rename_bookmark(index, name);
        }
    }

    /// Takes a name back.
    pub fn remove_bookmark(&mut self, index: usize) {
        if let Past::Whole(timeline) = &mut self.past {
            timeline.remove_bookmark(index);
        }
    }

    /// Moves to a step of any branch, which becomes the one that time goes.
    pub fn visit(&mut self, branch: BranchId, step: u64) {
        let Past::Whole(timeline) = &mut self.past else {
            return;
        };
        if branch != timeline.current() {
            self.tap = None;
            self.stepper.give_up();
            match timeline.turn_to(&mut self.simulation, branch) {
                Ok(true) => {}
                Ok(false) => return,
                Err(error) => {
                    self.failure = Some(error.to_string());
                    return;
                }
            }
        }
        self.seek(step);
        self.travel(Duration::ZERO);
    }

    /// Forgets a branch; false if it is needed.
    pub fn remove_branch(&mut self, branch: BranchId) -> bool {
        let Past::Whole(timeline) = &mut self.past else {
            return false;
        };
        let removed = timeline.remove(branch);
        self.tidy();
        removed
    }

    /// Shows the moment that the simulation is at.
    pub(crate) fn arrive(&mut self) {
        self.moves += 1;
        self.sample = *self.past.sample();
        self.current = poses(self.simulation.state());
        self.previous.clone_from(&self.current);
        self.previous_time = self.sample.time;
        self.failure = None;
        self.pull = None;
        self.meet_model();
        self.observers.each(|observer| observer.jump(self));
    }

    /// Forgets what belongs to branches that are not there any more.
    pub(crate) fn tidy(&mut self) {
        let Past::Whole(timeline) = &self.past else {
            return;
        };
        let is_there = |branch: BranchId| timeline.branches().contains_key(&branch);
        self.contact_history.retain(is_there);
        self.marks.retain(is_there);
        self.methods.retain(is_there);
    }
}
