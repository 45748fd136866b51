//! The linearisation of a step: how its end changes with its beginning and with what acts in it.
//!
//! A step solves `F(x, u, m) = 0` for the motion and the impulses `m` of its interval, and the state after it is
//! `x' = f(x, u, m)`. Its derivatives are those of an implicit function [Brüdigam2023 eq. 20, 31],
//! ```text
//!   dm  = -F_m⁻¹ (F_x dx + F_u du)
//!   dx' = f_x dx + f_u du + f_m dm
//! ```
//! `F_m` is the matrix of Newton's method, which the graph's solver factors in linear time. A displacement is solved by two
//! or so of Newton's steps from the motion of the step itself, to rounding, with the contacts and the states of friction that
//! it found ([`Integrator::step_displaced`](crate::integrators::Integrator::step_displaced)), and the difference of
//! displacements to both sides is taken: what it leaves out is their square.

mod chart;

use super::{Input, Simulation, StepError};
use crate::integrators::{Integrator, Settings, StepReport};
use crate::model::{Model, State, Twist};
use chart::Chart;
use nalgebra::DMatrix;

/// Displacements in units of the smallest body's size and of radians, and of those in a step: truncation leaves their
/// square, and rounding as much as they are above it.
const DISPLACEMENT: f64 = 1e-5;

/// The same in units of what gravity moves a body by in a step, where bodies may touch: a contact that is closed must stay
/// so.
const WITHIN_REACH: f64 = 1e-3;

/// Tolerance of Newton's method for the step and for those beside it: the tightest that settings may ask for.
const TOLERANCE: f64 = 1e-12;

/// How far from the displacement wanted an input may move the mechanism, as a factor to both sides.
const ADMITTED: f64 = 10.0;

/// Attempts to find an input that does.
const ATTEMPTS: u32 = 6;

/// In which coordinates a state is displaced, and its end told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Coordinates {
    /// Those of joints and their rates: as many as the mechanism has degrees of freedom. For mechanisms without loops.
    Joints,
    /// Positions, rotations and velocities of all bodies: 12 numbers a body. Displacements that open a joint are
    /// displacements of the bodies all the same; the step closes it.
    Bodies,
}

/// The derivative of the state after a step by the state before it and by what acts in it.
///
/// A state has `n` coordinates of position, then `n` velocities in the same order: rates of joint coordinates (m/s, rad/s),
/// or velocities of centres of mass and angular velocities in world axes. Rotations change by rotation vectors in world axes
/// (for a ball joint: in the joint axes of its parent).
#[derive(Debug, Clone, PartialEq)]
pub struct Linearisation {
    /// By the state before: `2n × 2n`.
    pub state: DMatrix<f64>,
    /// By what acts: `2n × m`. A column for each command of the input in its order (by N or N·m), then six for each wrench:
    /// its force (by N) and its torque (by N·m), world axes.
    pub input: DMatrix<f64>,
    /// Names of the coordinates, as plots and tables have them: `hinge.q0`, `hinge.rate0`, `box.x`, `box.vx`; rotations of
    /// bodies are `box.turn_x`.
    pub names: Vec<String>,
}

/// Why a step has no linearisation.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum LinearisationError {
    /// The step, or one beside it, left no usable state.
    #[error("the step that is to be linearised failed: {0}")]
    Step(#[from] StepError),
    /// Joint coordinates of a mechanism with loops.
    #[error(
        "the mechanism has loops, which joint `{joint}` closes: its joint coordinates depend on each other; linearise in the \
         coordinates of bodies"
    )]
    Loops {
        /// A joint that closes a loop.
        joint: String,
    },
    /// Nothing to derive by.
    #[error("the mechanism has no body")]
    Empty,
}

impl Simulation {
    /// How the state after the next step depends on that before it, at the state reached and under `input`, and on the
    /// commands and wrenches of `input`, whose values may be zero. Nothing of the simulation changes.
    ///
    /// The state is the one that a simulation begins with at these poses and [velocities](Self::velocities): a method's
    /// memory of steps before is not told. Contacts that are closed stay closed, sliding ones slide: there is one derivative
    /// on each side of where one opens, closes or begins to slide, and that of the side the step found is given.
    ///
    /// Relative errors are about 1e-8 under the variational methods in a step of one interval. Where a step took several, and
    /// under other methods, whole steps are displaced, and errors are up to their residuals' tolerance of 1e-12 over the
    /// displacement of 1e-5.
    ///
    /// # Errors
    /// Where the step fails, and in [`Coordinates::Joints`] where the mechanism has loops.
    ///
    /// ```
    /// use driftless_physics::scene;
    /// use driftless_physics::sim::{Coordinates, Input};
    ///
    /// let mut simulation = scene::open("pendulum", &[])?.simulation()?;
    /// let hinge = simulation.model().joint("hinge").ok_or("no hinge")?;
    /// let input = Input::default().with_command(hinge, 0, 0.0);
    /// let next = simulation.linearise(&input, Coordinates::Joints)?;
    /// assert_eq!(next.names, ["hinge.q0", "hinge.rate0"]);
    /// assert_eq!((next.state.shape(), next.input.shape()), ((2, 2), (2, 1)));
    /// // A step of a symplectic method keeps areas.
    /// assert!((next.state.determinant() - 1.0).abs() < 1e-6);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn linearise(
        &mut self,
        input: &Input,
        coordinates: Coordinates,
    ) -> Result<Linearisation, LinearisationError> {
        let time = self.state.time;
        let checked = input.check(&self.model);
        checked.map_err(|error| StepError::Input { time, error })?;
        let twists = self.velocities().to_vec();
        let chart = Chart::new(&self.model, coordinates)?;
        let settings = Settings {
            tolerance: TOLERANCE,
            ..self.settings
        };
        let sizes = self.model.bodies.iter().map(|body| body.gyration());
        let size = sizes.fold(f64::INFINITY, f64::min);
        let mut steps = Steps {
            unit: unit(&self.model, size, settings.dt),
            size,
            model: &self.model,
            integrator: &mut *self.integrator,
            settings,
            base: (&self.state, &twists),
            chart,
            report: StepReport::default(),
        };
        steps.solve(input)?;
        steps.linearise(input)
    }
}

/// The length (m) by which states are displaced, where the smallest body is of this size (m).
fn unit(model: &Model, size: f64, dt: f64) -> f64 {
    let size = DISPLACEMENT * size;
    let fall = WITHIN_REACH * model.gravity.norm() * dt * dt;
    if model.has_unilateral() && fall > 0.0 {
        size.min(fall)
    } else {
        size
    }
}

/// The steps beside one.
struct Steps<'a> {
    model: &'a Model,
    integrator: &'a mut dyn Integrator,
    settings: Settings,
    /// The state and its velocities.
    base: (&'a State, &'a [Twist]),
    chart: Chart,
    /// Displacement (m).
    unit: f64,
    /// The size that a turn is told by (m): of the smallest body.
    size: f64,
    report: StepReport,
}

impl Steps<'_> {
    /// The step itself, from the state as it is begun with.
    fn solve(&mut self, input: &Input) -> Result<(), StepError> {
        let mut state = self.begun(None);
        self.integrator.step(
            self.model,
            &mut state,
            input,
            &self.settings,
            &mut self.report,
        )?;
        self.integrator.hold_solution(&self.report);
        Ok(())
    }

    fn linearise(&mut self, input: &Input) -> Result<Linearisation, LinearisationError> {
        let rows = self.chart.len();
        let commands = input.commands.len();
        let mut out = Linearisation {
            state: DMatrix::zeros(rows, rows),
            input: DMatrix::zeros(rows, commands + 6 * input.wrenches.len()),
            names: self.chart.names(self.model),
        };
        let mut column = vec![0.0; rows];
        for k in 0..rows {
            let by = self.displacement(k);
            self.difference([Some((k, -by)), Some((k, by))], [input, input], &mut column)?;
            let over = 0.5 / by;
            out.state.set_column(
                k,
                &nalgebra::DVectorView::from_slice(&column, rows).scale(over),
            );
        }
        for k in 0..out.input.ncols() {
            let by = self.by_input(input, k, &mut column)?;
            let over = 0.5 / by;
            out.input.set_column(
                k,
                &nalgebra::DVectorView::from_slice(&column, rows).scale(over),
            );
        }
        Ok(out)
    }

    /// By how much a coordinate is displaced.
    fn displacement(&self, coordinate: usize) -> f64 {
        let (turns, rate) = self.chart.is(coordinate);
        let length = if turns {
            self.unit / self.size
        } else {
            self.unit
        };
        if rate {
            length / self.settings.dt
        } else {
            length
        }
    }

    /// The difference that an input makes to both sides, and by how much it was changed: by what moves the mechanism as far
    /// as other displacements do.
    fn by_input(
        &mut self,
        input: &Input,
        k: usize,
        column: &mut [f64],
    ) -> Result<f64, LinearisationError> {
        let lightest = self.model.bodies.iter().map(|body| body.mass);
        let mass = lightest.fold(f64::INFINITY, f64::min);
        let mut by = mass * self.unit / self.settings.dt.powi(2);
        if is_torque(self.model, input, k) {
            by *= self.size;
        }
        for attempt in 1.. {
            let inputs = [-by, by].map(|by| changed(input, k, by));
            self.difference([None, None], [&inputs[0], &inputs[1]], column)?;
            let moved = column.iter().enumerate();
            let most = moved
                .map(|(row, by)| by.abs() / (2.0 * self.displacement(row)))
                .fold(0.0, f64::max);
            // What nothing moves, as where a contact sticks, is not pushed harder.
            let admitted = (1.0 / ADMITTED..ADMITTED).contains(&most);
            if admitted || most < 1e-9 || attempt == ATTEMPTS {
                break;
            }
            by /= most;
        }
        Ok(by)
    }

    /// The state as a simulation begins with it, one coordinate displaced.
    fn begun(&mut self, displaced: Option<(usize, f64)>) -> State {
        let mut state = self.chart.displaced(self.base, displaced);
        self.integrator
            .start(self.model, &mut state, &self.settings);
        state
    }

    /// The end of a step beside the one.
    fn end(&mut self, displaced: Option<(usize, f64)>, input: &Input) -> Result<State, StepError> {
        let mut state = self.begun(displaced);
        self.integrator.step_displaced(
            self.model,
            &mut state,
            input,
            &self.settings,
            &mut self.report,
        )?;
        Ok(state)
    }

    /// What the ends of two steps beside the one differ by.
    fn difference(
        &mut self,
        displaced: [Option<(usize, f64)>; 2],
        inputs: [&Input; 2],
        out: &mut [f64],
    ) -> Result<(), StepError> {
        let [first, second] = displaced;
        let ends = [self.end(first, inputs[0])?, self.end(second, inputs[1])?];
        let mut twists = [Vec::new(), Vec::new()];
        for (end, twists) in ends.iter().zip(&mut twists) {
            // What the account of impacts has not seen is none of the state.
            let _ = self
                .integrator
                .read_velocities(self.model, end, &self.settings, twists);
        }
        let [first, second] = [0, 1].map(|k| (&ends[k], twists[k].as_slice()));
        self.chart.difference(first, second, out);
        Ok(())
    }
}

/// The input with one of its numbers changed.
fn changed(input: &Input, k: usize, by: f64) -> Input {
    let mut input = input.clone();
    let commands = input.commands.len();
    if k < commands {
        input.commands[k].value += by;
    } else {
        let (wrench, axis) = ((k - commands) / 6, (k - commands) % 6);
        let wrench = &mut input.wrenches[wrench];
        match axis {
            0..3 => wrench.force[axis] += by,
            _ => wrench.torque[axis - 3] += by,
        }
    }
    input
}

/// Whether a number of the input is a torque.
fn is_torque(model: &Model, input: &Input, k: usize) -> bool {
    match input.commands.get(k) {
        Some(command) => {
            command.coordinate >= model.joints[command.joint.0].kind.free_translations()
        }
        None => (k - input.commands.len()) % 6 >= 3,
    }
}
