//! One step, in one page: its fallbacks, in the order in which they are tried, and the phases of an interval.

use super::fallbacks::{Part, Step};
use super::guess::{self, Guess};
use super::newton::{self, Attempt, Broken, Failure, mouse_load};
use super::options::{Accuracy, ContactOptions};
use super::{Variational, contact, spin};
use crate::forces;
use crate::integrators::{Cut, CutPart, Fallback, Outcome, Settings, StepError, StepReport};
use crate::joints;
use crate::linalg::proximal::RHO;
use crate::model::{BodyId, Input, Model, State};
use crate::solver::{ConeSection, EASY, FOLD, Interval, StepContext};
use crate::stopwatch::Phase;
use crate::threads;
use std::f64::consts::PI;

/// A way to solve a part of a step.
#[derive(Debug, Clone, Copy)]
pub(super) struct Way {
    /// What it is reported as.
    pub fallback: Fallback,
    /// First guess.
    pub guess: Guess,
    /// Iterations at most, if the settings do not ask for fewer.
    pub limit: u32,
    /// Regularisation of loops, relative to the size of each row.
    pub rho: f64,
}

/// The ways to solve a part of a step, in the order in which they are tried. Near a singular configuration a direction
/// in which a loop can hardly move looks redundant to the usual regularisation, and its joint error does not go away:
/// the second has less of it.
///
/// What no way solves is halved, and each half tried again by all of them ([`fallbacks`](super::fallbacks)). Where
/// bodies touch, the first has ways of its own ([`contact`]), the second is left out, and a step that its halves do not
/// solve is solved live if it may be, and else convexified: that problem always has a solution. What a step may cost before is bounded.
pub(super) const WAYS: [Way; 2] = [
    Way {
        fallback: Fallback::Predicted,
        guess: Guess::Extrapolated,
        // A step that needs more is better retried.
        limit: 12,
        rho: RHO,
    },
    Way {
        fallback: Fallback::Constant,
        guess: Guess::Constant,
        limit: u32::MAX,
        rho: 1e-11,
    },
];

/// Halvings before anything is tried, one after the other, where a step cannot be cut only where it fails: an interval
/// that was solved may lead to where no interval leads on, however short, and was itself too long.
const FINER: [u32; 3] = [2, 4, 6];

/// Turn of a body that is held [rad], but for that of a wheel about its axis, at most, in a whole step in which a limit or a cable pushes
/// and in the one before: the blow is taken along the rows of one place, and what rebounds in an interval of another length than that in
/// which it came gains or loses energy.
const STRUCK: f64 = 0.3;

impl Variational {
    /// Advances the state by one step, by the first fallback that holds. Where none does the state is as it was, and the
    /// error names the worst place.
    pub(super) fn advance(
        &mut self,
        model: &Model,
        state: &mut State,
        input: &Input,
        settings: &Settings,
        report: &mut StepReport,
    ) -> Result<(), StepError> {
        report.clear();
        self.energy = None;
        let asked = spin::asked(&self.solver, model, state, settings.dt)?;
        let time = state.time + settings.dt;
        let exact = Step {
            model,
            input,
            settings,
            convexified: false,
            planned: asked.map_or(0, |a| a.0),
            least: asked.unwrap_or((u32::from(self.failed), 0)),
            whole: false,
        };
        // What spins too fast is cut before anything is tried.
        let tries = exact.least.0 == 0;
        let mut failure = None;
        if tries {
            failure = self.whole(&exact, state, report).err();
        }
        let holds = tries && failure.is_none();
        if holds || self.by_islands(model, state, input, settings, failure.is_some(), report)? {
            arrive(state, time, report);
            return Ok(());
        }
        let mut solved = self.by_parts(&exact, state, report, failure);
        for halvings in FINER {
            if solved.is_ok() {
                break;
            }
            let planned = exact.planned + halvings;
            let finer = Step {
                planned,
                least: (planned, exact.least.1),
                ..exact
            };
            begin_again(report, Fallback::Substeps);
            // What failed at first is what a failure tells.
            solved = self.by_parts(&finer, state, report, None).or(solved);
        }
        if let Err(failure) = solved {
            return Err(self.explain(model, state, settings, report, &failure));
        }
        if report.substeps > 0 {
            self.mean.write(state);
        }
        arrive(state, time, report);
        Ok(())
    }

    /// Advances by a step that is not cut, or is for a budget alone. On a failure the state is as it was.
    fn whole(
        &mut self,
        exact: &Step,
        state: &mut State,
        report: &mut StepReport,
    ) -> Result<(), Failure> {
        let Step {
            model, settings, ..
        } = *exact;
        let methods = (self.contact, ConeSection::from(settings.friction));
        let asks = contact::halved_for(&self.solver, (model, state), methods, settings.dt);
        let step = Step {
            planned: u32::from(asks.is_some()),
            least: asks.map_or(exact.least, |body| (1, body)),
            whole: true,
            ..*exact
        };
        let solved = match asks {
            Some(_) => self.live_part(&step, state, report),
            None => self.part(&step, state, report, Part::WHOLE),
        };
        if report.substeps > 0 {
            match &solved {
                Ok(()) => self.mean.write(state),
                Err(_) => begin_again(report, Fallback::Predicted),
            }
        }
        solved
    }

    /// Advances by the parts of a step that is cut, after a failure of it as a whole if it was tried; where unilateral
    /// constraints take part and that fails, by the parts of a step that is solved live, and then of the convexified step. On a
    /// failure the state is as it was.
    fn by_parts(
        &mut self,
        exact: &Step,
        state: &mut State,
        report: &mut StepReport,
        failure: Option<Failure>,
    ) -> Result<(), Failure> {
        let solved = match failure {
            Some(failure) => self.shorter(exact, state, report, Part::WHOLE, failure),
            None => self.part(exact, state, report, Part::WHOLE),
        };
        if solved.is_ok() || self.contacts.is_none() {
            return solved;
        }
        if self.by_parts_live(exact, state, report) {
            return Ok(());
        }
        // What is relaxed says so itself.
        begin_again(report, Fallback::Sweeps);
        let convexified = Step {
            convexified: true,
            least: (exact.planned, exact.least.1),
            ..*exact
        };
        self.part(&convexified, state, report, Part::WHOLE)
    }

    /// Advances by the parts of a step that is solved live although few contacts take part, where the scene does not ask for exact
    /// ones: what is left of their laws is far less than a relaxation leaves. On a failure the state is as it was.
    fn by_parts_live(&mut self, exact: &Step, state: &mut State, report: &mut StepReport) -> bool {
        let live = ContactOptions {
            accuracy: Accuracy::Live,
            ..self.contact
        };
        let section = ConeSection::from(exact.settings.friction);
        let other = self.contact.accuracy == Accuracy::Auto && !self.is_live();
        if !other || !contact::are_live(1, &self.solver, live, section) {
            return false;
        }
        begin_again(report, Fallback::Sweeps);
        self.live_part(exact, state, report).is_ok()
    }

    /// Advances by a step whose contacts are solved live, however few take part in an interval of it. On a failure the state is as it was.
    fn live_part(
        &mut self,
        step: &Step,
        state: &mut State,
        report: &mut StepReport,
    ) -> Result<(), Failure> {
        let before = std::mem::replace(&mut self.contact.accuracy, Accuracy::Live);
        let solved = self.part(step, state, report, Part::WHOLE);
        self.contact.accuracy = before;
        solved
    }

    /// Advances `state` by one interval; on a failure it is as it was.
    pub(super) fn interval(
        &mut self,
        model: &Model,
        state: &mut State,
        attempt: &Attempt,
        settings: &Settings,
        report: &mut StepReport,
    ) -> Result<(), Failure> {
        let interval = self.interval_at(state, attempt);
        if let Some(contacts) = &mut self.contacts {
            self.solver.stopwatch.enter(Phase::Detect);
            contacts.find_limits(&mut self.solver, model, state, &interval);
        }
        self.prepare(model, state, attempt);
        let iterations = self.solve(model, state, attempt, &interval, settings, report)?;
        let swept = self.turned(attempt, state)?;
        if state.swept > 0.0 && state.swept + swept >= PI {
            // Some joint may have turned past half a turn since its angles were read: read them and solve again.
            joints::sweep(model, state, PI);
            return self.interval(model, state, attempt, settings, report);
        }
        self.doubted = attempt.is_whole() && self.is_doubtful(model, iterations, swept);
        if self.doubted {
            self.save(state, 0);
        }
        self.finish(model, state, attempt, &interval, settings, report);
        guess::remember(state, attempt.dt, iterations);
        joints::sweep(model, state, swept);
        self.account(model, state, attempt);
        if let Some(ways) = &mut self.ways {
            ways.note(&state.bodies);
        }
        Ok(())
    }

    /// Forces, scales and rows at the first knot.
    pub(super) fn prepare(&mut self, model: &Model, state: &State, attempt: &Attempt) {
        if self.accounts_for(attempt.input) {
            self.poses.clone_from(&state.bodies);
        }
        self.solver.stopwatch.enter(Phase::Prepare);
        let forced = self.knot_forces(model, state, attempt.input);
        let forces = forced.then_some(self.wrenches.as_slice());
        self.solver.begin(model, state, attempt.dt, forces);
        self.solver.regularise(attempt.rho);
    }

    /// The interval of an attempt from a state.
    pub(super) fn interval_at(&self, state: &State, attempt: &Attempt) -> Interval {
        Interval {
            dt: attempt.dt,
            time: state.time,
            share: self.share(),
            blend: if self.method.first_order { 1.0 } else { 0.5 },
        }
    }

    /// The motion of the interval, with contact or without; returns the iterations that it took.
    fn solve(
        &mut self,
        model: &Model,
        state: &State,
        attempt: &Attempt,
        interval: &Interval,
        settings: &Settings,
        report: &mut StepReport,
    ) -> Result<u32, Failure> {
        let context = StepContext {
            model,
            state,
            contacts: &[],
            interval,
        };
        let Some(contacts) = &mut self.contacts else {
            self.solver
                .take_unilaterals(&context, &[], attempt.pulled());
            return newton::newton(&mut self.solver, &context, attempt, report);
        };
        let points = self.solver.unilaterals().len();
        let parts = (&mut self.solver, &mut **contacts, &mut self.room);
        let methods = (self.contact, settings);
        threads::awake_for(points, || {
            contact::touch(parts, &context, attempt, methods, report)
        })
    }

    /// The widest turn of a body in the interval (rad), which may not pass the fold, whatever found the motion: beyond
    /// it lies another branch. In a step that was cut a body that is held turns easily, as long as shorter intervals
    /// are left to be tried: one wide turn there can give a light body a thousand times the energy that there is. In a whole step in
    /// which a limit or a cable pushes it turns [little](STRUCK).
    fn turned(&self, attempt: &Attempt, state: &State) -> Result<f64, Failure> {
        let angle = |square: f64| 2.0 * square.sqrt().asin();
        let (square, body) = self.solver.widest();
        if square >= FOLD || square.is_nan() {
            return Err(Failure::of_body(Broken::Fold, body));
        }
        let is_struck = attempt.part >= 1.0 && !attempt.convexified && self.is_stopped();
        let wide = if attempt.eases {
            let (square, body) = self.solver.widest_held();
            (angle(square) > EASY).then_some(body)
        } else if is_struck {
            let far = |(turn, body): (f64, usize)| (turn > STRUCK).then_some(body);
            far(self.solver.widest_across(state)).or_else(|| {
                let (rate, body) = self.solver.swiftest_across(state);
                far((rate * attempt.dt.abs(), body))
            })
        } else {
            None
        };
        if let Some(body) = wide {
            return Err(Failure::of_body(Broken::Turn, body));
        }
        Ok(2.0 * angle(square))
    }

    /// Moves the state to the second knot.
    pub(super) fn finish(
        &mut self,
        model: &Model,
        state: &mut State,
        attempt: &Attempt,
        interval: &Interval,
        settings: &Settings,
        report: &mut StepReport,
    ) {
        let dt = attempt.dt;
        if let Some(contacts) = &mut self.contacts {
            self.solver.stopwatch.enter(Phase::Account);
            contacts.settle(&self.solver, model, state, dt);
        }
        self.solver.stopwatch.enter(Phase::Finish);
        let context = StepContext {
            model,
            state,
            contacts: &[],
            interval,
        };
        let pull = mouse_load(&self.solver, &context, attempt);
        self.solver.finish(model, state, interval);
        if let Some(contacts) = &mut self.contacts {
            let section = ConeSection::from(settings.friction);
            contacts.write(&self.solver, model, state, dt, section, &mut report.contact);
        }
        self.solver
            .deposit(model, &mut state.bodies, interval.share);
        if let Some(pull) = pull {
            let rest = pull.scaled(1.0 - interval.share);
            let body = &mut state.bodies[pull.body];
            body.momentum += rest.impulse[0];
            body.angular_momentum += rest.impulse[1];
        }
        if let Some((body, goes)) = self.solver.swung() {
            report.cut = report.cut.or(Some(Cut {
                body: BodyId(body),
                part: CutPart::Turn(goes),
            }));
        }
        state.time += dt;
        self.push_momenta(model, state, attempt.input, 0.5 * dt);
    }

    /// Work of what acts from outside and of dampers.
    fn account(&mut self, model: &Model, state: &mut State, attempt: &Attempt) {
        if self.accounts_for(attempt.input) {
            self.solver.stopwatch.enter(Phase::Account);
            forces::book(model, &self.poses, state, attempt.input, attempt.dt);
        }
    }

    fn accounts_for(&self, input: &Input) -> bool {
        self.accounts || input.acts()
    }
}

/// Leaves what was told of tries before, for one that starts with a fallback.
fn begin_again(report: &mut StepReport, fallback: Fallback) {
    (report.fallback, report.outcome) = (fallback, Outcome::Converged);
    (report.substeps, report.cut) = (0, None);
}

/// Ends a step at its time.
pub(super) fn arrive(state: &mut State, time: f64, report: &mut StepReport) {
    if report.contact.capped {
        // Whatever the intervals after that one came to.
        report.outcome = Outcome::Capped;
    }
    // The sum of the parts may round otherwise.
    state.time = time;
    state.step += 1;
}
