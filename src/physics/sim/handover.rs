//! From one method, mechanism or state to the next: what the next needs of the state is seen to first, and the energy
//! that this takes is booked, so that the energy error goes on as it was.
//!
//! A method whose joints do not drift takes over a state on the constraints only. Joints that another method has let
//! drift are closed before, by the least mass-weighted displacement, as at the start of a scene. A method that lets
//! joints drift keeps what it finds. Where this is impossible nothing is changed. Bodies in each other, joint limits
//! and cables that are exceeded are left to the law of contact, which mends them step by step at a bounded speed.

use super::{Mechanism, Simulation, SimulationError};
use crate::diagnostics;
use crate::integrators::{self, BuildError, Integrator, IntegratorInfo, Settings};
use crate::kinematics::{self, AssemblyError};
use crate::model::{Model, State, Twist};
use crate::quantity::quantity;
use std::fmt;
use std::sync::Arc;

/// What a change did to the state and to its energy beside what was asked for.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Correction {
    /// Largest gap of a joint that was closed (m); 0 where none was.
    pub gap: f64,
    /// Largest misalignment of a joint that was closed (rad); 0 where none was.
    pub angle: f64,
    /// Energy that this and the new reading of the velocities brought (J); negative where it was taken.
    pub energy: f64,
}

impl Correction {
    /// Whether any body was moved.
    pub fn moved(&self) -> bool {
        self.gap > 0.0 || self.angle > 0.0
    }

    fn add(&mut self, other: &Self) {
        self.gap = self.gap.max(other.gap);
        self.angle = self.angle.max(other.angle);
        self.energy += other.energy;
    }
}

impl fmt::Display for Correction {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        if self.moved() {
            write!(f, "joints closed by {}", quantity(self.gap, "m"))?;
            if self.angle > 0.0 {
                write!(f, " and {}", quantity(self.angle, "rad"))?;
            }
            f.write_str(", ")?;
        }
        write!(f, "energy booked {}", quantity(self.energy, "J"))
    }
}

impl Simulation {
    /// The method of that name: of the registry, or the one that was [given](Self::with_integrator).
    pub(super) fn method(&self, name: &str) -> Result<&'static IntegratorInfo, BuildError> {
        match self.given {
            Some(info) if info.name == name => Ok(info),
            _ => integrators::find(name),
        }
    }

    /// Continues with another method from the state reached. Options that it does not know are left behind.
    pub fn set_integrator(&mut self, name: &str) -> Result<(), SimulationError> {
        let info = self.method(name)?;
        let settings = self.settings.taken_to(info);
        let next = integrators::build_from(info, &self.model, &settings)?;
        self.hand_over(next, self.model.clone(), settings)
    }

    /// Continues with a changed model (gravity, damping, masses …) of the same bodies and joints.
    pub fn set_model(&mut self, model: impl Into<Arc<Model>>) -> Result<(), SimulationError> {
        let model = model.into();
        let next = integrators::build_from(self.integrator.info(), &model, &self.settings)?;
        self.hand_over(next, model, self.settings)
    }

    /// Continues from a state that this simulation had before, or could have had. One that lies off the constraints is
    /// put on them, if the method keeps to them.
    pub fn load(&mut self, mut state: State) -> Result<(), SimulationError> {
        let info = self.integrator.info();
        let mut correction = Correction::default();
        if let Some(body) = state.unbounded() {
            return Err(self.lost(body));
        }
        // A state that fits keeps its bits: what the method remembers in it is left alone.
        let fits = !info.drift_free || kinematics::is_closed(&self.model, &state);
        if !fits {
            let before = mechanical(&self.model, &state);
            correction = make_fit(info, &self.model, &mut state)?;
            correction.energy = mechanical(&self.model, &state) - before;
            self.integrator
                .adopt(&self.model, &mut state, &self.settings);
        }
        self.state = state;
        self.is_read = false;
        self.book(&correction);
        Ok(())
    }

    /// Goes on with another mechanism in another state, with the same method and settings.
    pub fn set_mechanism(&mut self, mechanism: &Mechanism) -> Result<(), SimulationError> {
        let Mechanism {
            model,
            state: given,
            first,
        } = mechanism;
        let error = self.measured().energy_error;
        let mut next = integrators::build_from(self.integrator.info(), model, &self.settings)?;
        let mut state = self.state.clone();
        state.clone_from(given);
        if *first {
            next.start(model, &mut state, &self.settings);
            self.initial.clone_from(given);
            self.counts = Default::default();
            self.report.clear();
            self.take_over(next, model.clone(), state);
            self.begin_energy();
            return Ok(());
        }
        let mut correction = make_fit(next.info(), model, &mut state)?;
        correction.energy = mechanical(model, &state) - mechanical(model, given);
        next.adopt(model, &mut state, &self.settings);
        self.take_over(next, model.clone(), state);
        // What the edit itself adds is not an error of the method.
        self.initial_energy += self.measured().energy_error - error - correction.energy;
        self.book(&correction);
        Ok(())
    }

    /// What the changes since this was asked last did to the state and to its energy; `None` if there was none.
    pub fn take_correction(&mut self) -> Option<Correction> {
        self.corrected.take()
    }

    /// Lets another method, on a model of the same bodies and joints, go on from the state reached.
    fn hand_over(
        &mut self,
        mut next: Box<dyn Integrator>,
        model: Arc<Model>,
        settings: Settings,
    ) -> Result<(), SimulationError> {
        let before = self.measured().energy_error;
        if !before.is_finite() {
            return Err(self.lost(0));
        }
        let mut state = self.state.clone();
        let [impact, friction] = self
            .integrator
            .release(&self.model, &mut state, &self.settings);
        state.work.impact += impact;
        state.work.friction += friction;
        // What another gravity or mass makes of the same motion is the edit's, not the method's.
        let edit = mechanical(&model, &state) - mechanical(&self.model, &state);
        let mut correction = make_fit(next.info(), &model, &mut state)?;
        next.adopt(&model, &mut state, &settings);
        self.settings = settings;
        self.take_over(next, model, state);
        self.initial_energy += edit;
        correction.energy = self.measured().energy_error - before;
        self.book(&correction);
        Ok(())
    }

    fn take_over(&mut self, next: Box<dyn Integrator>, model: Arc<Model>, state: State) {
        self.integrator = next;
        self.model = model;
        self.state = state;
        self.is_read = false;
    }

    fn book(&mut self, correction: &Correction) {
        self.correction += correction.energy;
        self.corrected
            .get_or_insert_with(Correction::default)
            .add(correction);
    }

    fn lost(&self, body: usize) -> SimulationError {
        SimulationError::Lost {
            body: self.model.bodies[body].name.clone(),
        }
    }
}

/// Puts a state with velocities at the knot where a method can take it over; the energy is left to the caller.
fn make_fit(
    info: &IntegratorInfo,
    model: &Model,
    state: &mut State,
) -> Result<Correction, SimulationError> {
    if !info.drift_free {
        return Ok(Correction::default());
    }
    let closing = kinematics::settle(model, state).map_err(|error| open(info, error))?;
    Ok(Correction {
        gap: closing.gap,
        angle: closing.angle,
        energy: 0.0,
    })
}

fn open(info: &IntegratorInfo, error: AssemblyError) -> SimulationError {
    let AssemblyError::CannotClose { joint, gap } = error;
    SimulationError::Open {
        method: info.name,
        joint,
        gap: gap.distance.max(gap.angle),
    }
}

/// Kinetic and potential energy of a state whose velocities are those at the knot (J).
fn mechanical(model: &Model, state: &State) -> f64 {
    let velocities: Vec<Twist> = state.bodies.iter().map(|b| b.velocity).collect();
    model.kinetic_energy(&state.bodies, &velocities) + diagnostics::potential_energy(model, state)
}
