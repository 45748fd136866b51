//! The equations of motion at one moment on the mechanism's graph, for methods that are no variational interval:
//! accelerations (index 1), positions (index 3), both (GGL), in any parametrisation of rotations.
//!
//! ```text
//!   r(z, V, V̇, λ) = M V̇ + h(z, V) - f(z, V, t) - G(z)ᵀ λ = 0      one wrench per body
//!   g(z) = 0     G V = 0     G V̇ + Ġ V = 0                         one number per constraint row
//! ```
//!
//! | symbol | code | unit | frame, shape |
//! |---|---|---|---|
//! | `M` | mass and [`inertia`](EquationsOfMotion::inertia) | kg, kg·m² | world, about the centre of mass |
//! | `h = (0, ω × I ω)` | in [`unbalanced`](Balanced::unbalanced) | N·m | world |
//! | `f` | [`wrenches`](EquationsOfMotion::wrenches) | N, N·m | world, one per body |
//! | `g`, `G V`, `Ġ V` | [`values`](EquationsOfMotion::values), [`rates`](EquationsOfMotion::rates), [`biases`](EquationsOfMotion::biases) | m, rad and per s, s² | one per constraint row of the model |
//! | `G` | [`gradients`](EquationsOfMotion::gradients) | -, m | world, 6 per row and body |
//! | `λ` | [`multipliers`](LinearSystem::multipliers) | N, N·m | one per row: wrench on the child per row |
//!
//! [`linearise`](Balanced::linearise) places the derivatives in the block matrix
//! ```text
//!   [ A  -Gᵀ ] [ Δ ]       A = c₂ M + c₁ ∂r/∂V + c₀ ∂r/∂z
//!   [ c G  0 ] [ Λ ]       ∂r/∂z with the curvature ∂(Gᵀ λ)/∂z of the constraints
//! ```
//! whose nodes are the bodies and the constraints. On a tree it is eliminated from leaf to root without fill, so
//! its cost is linear; rows that close loops may be redundant, see [`LinearSystem`].
//!
//! ```text
//!   equations.balance(model, &trial).linearise(&increments, &weights, level, &mut system);
//!   system.solve(&wrenches, &rows);      as often as one likes: the factors stay
//! ```
//! Nothing allocates once both are made.

mod chart;
#[cfg(test)]
mod derivative_tests;
#[cfg(test)]
mod implicit_tests;
pub mod livens;
mod parametrisation;
mod rows;
mod system;
#[cfg(test)]
mod tests;

pub use chart::{Chart, Coordinates, NewtonChart, Placed};
pub use parametrisation::{BodyMotion, Carried, Increments, Parametrisation, Tangent, Weights};
pub use rows::Gradient;
pub use system::LinearSystem;

use crate::forces::{self, Wrench};
use crate::joints::Placement;
use crate::math::rotation::skew;
use crate::math::{Mat3, Vec3};
use crate::model::{BodyState, Input, Model, Twist};
use rows::Rows;

/// Poses, velocities and time at which equations are written.
#[derive(Debug, Clone, Copy)]
pub struct Moment<'a> {
    /// Poses, one per body.
    pub bodies: &'a [BodyState],
    /// Velocities, one per body.
    pub twists: &'a [Twist],
    /// Unwrapped joint angles, as [`State::angles`](crate::model::State) keeps them (rad).
    pub angles: &'a [[f64; 2]],
    /// (s).
    pub time: f64,
    /// What acts from outside.
    pub input: &'a Input,
}

/// A moment with the accelerations and forces of constraint that a method tries there.
#[derive(Debug, Clone, Copy)]
pub struct Trial<'a> {
    /// Poses and velocities.
    pub moment: Moment<'a>,
    /// Accelerations, one per body, world axes (m/s², rad/s²).
    pub accelerations: &'a [Twist],
    /// Forces of constraint, one per row of the model (N, N·m).
    pub multipliers: &'a [f64],
}

impl Trial<'_> {
    fn body(&self, body: usize) -> BodyMotion<'_> {
        BodyMotion {
            orientation: &self.moment.bodies[body].orientation,
            velocity: &self.moment.twists[body].angular,
            acceleration: &self.accelerations[body].angular,
        }
    }
}

/// Which derivatives the matrix has room for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pattern {
    /// Masses and constraints: explicit methods, projections, and Newton's method with forces held.
    Masses,
    /// All of `A`: bodies that a joint or a spring ties together are coupled.
    Full,
}

/// What the constraint rows of a system say of its unknown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Level {
    /// `g(z) = 0`: by the change of positions.
    Position,
    /// `G V = 0`: by the changes of velocities and positions.
    Velocity,
    /// `G V̇ + Ġ V = 0` at given positions and velocities: by the change of accelerations.
    Acceleration,
}

/// Inertias, forces and constraints at the moment last evaluated. See the [module](self).
#[derive(Debug, Clone)]
pub struct EquationsOfMotion {
    rows: Rows,
    /// World axes.
    inertia: Vec<Mat3>,
    wrenches: Vec<Wrench>,
    /// `r` in world axes.
    unbalanced: Vec<Wrench>,
}

impl EquationsOfMotion {
    /// Workspace for a model.
    pub fn new(model: &Model) -> Self {
        let bodies = model.bodies.len();
        Self {
            rows: Rows::new(model),
            inertia: vec![Mat3::zeros(); bodies],
            wrenches: vec![Wrench::default(); bodies],
            unbalanced: vec![Wrench::default(); bodies],
        }
    }

    /// Takes inertias, forces and constraints at a moment, with the rates of these.
    pub fn evaluate(&mut self, model: &Model, at: &Moment) {
        self.evaluate_poses(model, at);
        self.rows.evaluate_rates(model, at.twists);
    }

    /// The same without the rates and biases of constraints.
    fn evaluate_poses(&mut self, model: &Model, at: &Moment) {
        for ((inertia, body), pose) in self.inertia.iter_mut().zip(&model.bodies).zip(at.bodies) {
            let turn = pose.orientation.to_rotation_matrix();
            *inertia = turn * body.inertia * turn.inverse();
        }
        self.wrenches.fill(Wrench::default());
        forces::all_wrenches(
            model,
            at.bodies,
            at.twists,
            at.angles,
            at.time,
            at.input,
            &mut self.wrenches,
        );
        self.rows.evaluate(model, at);
    }

    /// Inertia of a body about its centre of mass, world axes (kg·m²); that in body axes is the model's.
    pub fn inertia(&self, body: usize) -> &Mat3 {
        &self.inertia[body]
    }

    /// All forces but those of constraint, one per body.
    pub fn wrenches(&self) -> &[Wrench] {
        &self.wrenches
    }

    /// `g`: how far each row is open (m, rad).
    pub fn values(&self) -> &[f64] {
        &self.rows.values
    }

    /// `G V` (m/s, rad/s).
    pub fn rates(&self) -> &[f64] {
        &self.rows.rates
    }

    /// `Ġ V` (m/s², rad/s²).
    pub fn biases(&self) -> &[f64] {
        &self.rows.biases
    }

    /// `G` by row and body; a body may come twice in a row, and the gradients add up.
    pub fn gradients(&self) -> &[Gradient] {
        &self.rows.gradients
    }

    /// Where every joint was at the poses last evaluated.
    pub fn placements(&self) -> &[Placement] {
        &self.rows.placements
    }

    /// Evaluates the equations at a trial but for the rates of constraints, and what they leave unbalanced there.
    pub fn balance<'a>(&'a mut self, model: &'a Model, trial: &'a Trial) -> Balanced<'a> {
        self.evaluate_poses(model, &trial.moment);
        for (k, r) in self.unbalanced.iter_mut().enumerate() {
            let (a, omega) = (&trial.accelerations[k], &trial.moment.twists[k].angular);
            let inertia = &self.inertia[k];
            r.force = a.linear * model.bodies[k].mass - self.wrenches[k].force;
            r.torque = inertia * a.angular + omega.cross(&(inertia * omega));
            r.torque -= self.wrenches[k].torque;
        }
        for g in &self.rows.gradients {
            let r = &mut self.unbalanced[g.body];
            let lambda = trial.multipliers[g.row];
            r.force -= g.value.fixed_rows::<3>(0) * lambda;
            r.torque -= g.value.fixed_rows::<3>(3) * lambda;
        }
        Balanced {
            equations: self,
            model,
            trial,
        }
    }

    /// Accelerations and forces of constraint (index 1), left in the `motions` and `multipliers` of `system`:
    /// `G V̇ = -Ġ V - 2 a G V - a² g` with the rate `a` of Baumgarte's stabilisation (1/s). Returns what is left, as
    /// [`solve`](LinearSystem::solve) does (m/s², rad/s²).
    pub fn accelerations(
        &mut self,
        model: &Model,
        at: &Moment,
        a: f64,
        system: &mut LinearSystem,
    ) -> f64 {
        self.evaluate(model, at);
        for (k, r) in self.unbalanced.iter_mut().enumerate() {
            let omega = &at.twists[k].angular;
            *r = self.wrenches[k];
            r.torque -= omega.cross(&(self.inertia[k] * omega));
        }
        system.write_masses(model, &self.inertia, &self.rows);
        self.rows.want(a);
        system.solve(&self.unbalanced, &self.rows.wanted)
    }
}

/// Equations evaluated at a trial.
pub struct Balanced<'a> {
    equations: &'a mut EquationsOfMotion,
    model: &'a Model,
    trial: &'a Trial<'a>,
}

impl Balanced<'_> {
    /// `r` (N, N·m), world axes, one per body.
    pub fn unbalanced(&self) -> &[Wrench] {
        &self.equations.unbalanced
    }

    /// The equations, for the values of their constraints; their rates are those of the last call of [`rates`](Self::rates).
    pub fn equations(&self) -> &EquationsOfMotion {
        self.equations
    }

    /// `G V` (m/s, rad/s).
    pub fn rates(&mut self) -> &[f64] {
        let Self {
            equations,
            model,
            trial,
        } = self;
        equations.rows.evaluate_rates(model, trial.moment.twists);
        &equations.rows.rates
    }

    /// Writes and factors the matrix of `system` for an unknown that `parametrisation` and `weights` relate to the
    /// motion, with constraint rows of a `level`.
    pub fn linearise(
        &mut self,
        parametrisation: &impl Parametrisation,
        weights: &Weights,
        level: Level,
        system: &mut LinearSystem,
    ) {
        let (model, trial) = (self.model, self.trial);
        let EquationsOfMotion {
            rows,
            inertia,
            unbalanced,
            ..
        } = &mut *self.equations;
        system.begin(weights, |body| {
            parametrisation.tangent(body, &trial.body(body), weights)
        });
        let full = system.pattern() == Pattern::Full;
        for (k, body) in model.bodies.iter().enumerate() {
            let mut angular = system.inertia(k, &inertia[k]);
            if full {
                let (omega, alpha) = (
                    &trial.moment.twists[k].angular,
                    &trial.accelerations[k].angular,
                );
                angular += system.turning(k, &gyroscopic(&inertia[k], omega, alpha));
                let torque = &unbalanced[k].torque;
                angular += parametrisation.row_slope(
                    k,
                    (&trial.body(k), system.tangent(k)),
                    weights,
                    torque,
                );
            }
            system.add_own(k, body.mass, &angular);
        }
        if full {
            add_slopes(model, trial, rows, system);
        }
        if level == Level::Velocity {
            rows.differentiate_rates(model, trial.moment.twists);
        }
        system.put_rows(rows, level);
        system.factor();
    }
}

/// Derivatives of the inertial torques of a body by its pose and by its angular velocity, with world increments.
fn gyroscopic(inertia: &Mat3, omega: &Vec3, alpha: &Vec3) -> [Mat3; 2] {
    // I = R J Rᵀ turns with the body: δ(I w) = (I ŵ - skew(I w)) θ.
    let turned = |w: &Vec3| inertia * skew(w) - skew(&(inertia * w));
    let of_spin = turned(omega);
    [
        turned(alpha) + skew(omega) * of_spin,
        skew(omega) * inertia - skew(&(inertia * omega)),
    ]
}

/// Derivatives of forces and forces of constraint, with world increments.
fn add_slopes(model: &Model, trial: &Trial, rows: &Rows, system: &mut LinearSystem) {
    let at = &trial.moment;
    forces::slopes(
        model,
        at.bodies,
        at.twists,
        at.angles,
        at.time,
        at.input,
        |s| system.add((s.feels, s.moves), &-s.pose, &-s.velocity),
    );
    rows.curvature(model, trial.multipliers, |ends, slope| {
        system.subtract_pose(ends, slope);
    });
}
