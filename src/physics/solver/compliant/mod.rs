//! One step of the L-stable first-order method \[Drumwright], whose constraints are springs and dampers taken at the end of the
//! step.
//!
//! ```text
//!   M (v₁ - v₀) = h f + Gᵀ p        p = h λ,  λ = -K φ₁ - B φ̇₁,  φ₁ = φ + h φ̇₁,  φ̇₁ = G v₁
//! ```
//! with everything else taken at the start. Eliminating `φ₁` [Drumwright eq. 51, 53] leaves `G v₁ + C p = c` with the
//! compliance `C = 1/(h² K + h B)` on the diagonal of the constraint rows, which is [Drumwright eq. 60, 61] multiplied out:
//! positive definite, so that there is one solution whatever the rows. Springs, dampers and drives of joint coordinates
//! and between points are such rows too; only what turns the rows, and what has no stiffness, is explicit.
//!
//! | what | where |
//! |---|---|
//! | rows that pull both ways | `rows` |
//! | bodies that they tie together, as a linear system on their graph | `mechanism` |
//! | contact points, limits and cables, which only push | `stops` |
//! | those together with the bodies: cone problems by island | `islands` |
//! | contact points that give the less the deeper they are pressed in | `hertz` |
//! | elements of foundations that something came upon from the side | `elements` |
//! | contacts that the step leads to | `ahead` |
//! | what the solver's picture shows of all this | `plan` |
//! | what is near at all: rigid surfaces, elements of foundations | `touching` |

mod ahead;
mod bodies;
mod corrections;
mod elements;
mod hertz;
mod islands;
mod mechanism;
mod plan;
mod rows;
mod stops;
#[cfg(test)]
mod tests;
mod touching;
mod values;

pub use ahead::{COARSE, NOTHING};
pub use stops::Stop;
pub use values::stored_energy;

use super::{Scale, Topology, What, limits};
use crate::contact::Located;
use crate::forces::{StiffSprings, Wrench};
use crate::math::{Mat3, Vec3};
use crate::model::{BodyState, Input, Model, Row, State};
use crate::stopwatch::{Phase, Stopwatch};
use ahead::Ahead;
use bodies::{Body, Impulse, dot, mobility, six, times};
use islands::Islands;
use mechanism::{Mechanism, Places};
use rows::{Kind, Rows};
use touching::Touching;

/// Least compliance of a row over the mobility that it has were all bodies free: what is "as stiff as double precision allows".
/// The factors of redundant rows keep four digits of it.
pub const FINEST: f64 = 1e-12;

/// What a step is asked for.
#[derive(Debug, Clone, Copy)]
pub struct Asked<'a> {
    /// The step, or the part of one (s).
    pub h: f64,
    /// The whole step (s), by which springs are stiff or not.
    pub dt: f64,
    /// What acts from outside.
    pub input: &'a Input,
    /// Largest violation of the laws of contact over the speed of the step.
    pub accuracy: f64,
    /// Work after which an island is left, in visits of points.
    pub budget: f64,
    /// Corrections for the curvature of rows at most.
    pub corrections: u32,
}

/// What the unilateral part of a step came to.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Found {
    /// Largest violation of a law (m/s).
    pub violation: f64,
    /// Work, in visits of points.
    pub work: f64,
    /// Some island was left before its law was kept to the accuracy.
    pub capped: bool,
    /// Factorisations.
    pub factorisations: u32,
    /// Velocity that is missing of the laws of joints at the end of the step, relative to the speed of the step.
    pub missing: f64,
    /// How far the linear laws of contacts are beside what happens, relative to the smaller body: penetration that they
    /// did not foresee, or pushes where nothing touches.
    pub missed: f64,
}

/// The room of a step.
pub struct CompliantSolver {
    rows: Rows,
    mechanisms: Vec<Mechanism>,
    /// System and node there of every body that rows hold.
    place_of: Places,
    bodies: Vec<Body>,
    inverse_inertia: Vec<Mat3>,
    wrenches: Vec<Wrench>,
    /// Springs that are taken at the end of the step, for a step of this length; and all springs.
    stiff: StiffSprings,
    stiff_for: f64,
    springs: StiffSprings,
    scale: Scale,
    touching: Touching,
    radii: Vec<f64>,
    reach: Vec<f64>,
    contacts: Vec<Located>,
    ahead: Ahead,
    limits: Vec<What>,
    stops: Vec<Stop>,
    islands: Islands,
    found: Found,
    /// Bodies at the end of a trial, values of rows there, goals to go back to.
    ends: Vec<BodyState>,
    values: Vec<f64>,
    goals: Vec<f64>,
    goals_before: Vec<f64>,
    /// Measures the phases of a step.
    pub stopwatch: Stopwatch,
}

impl CompliantSolver {
    /// Room for a model.
    pub fn new(model: &Model) -> Self {
        let (rows, mechanisms, place_of) = mechanism::mechanisms(model);
        let inverse = |b: &crate::model::Body| {
            let inverse = b.inertia.try_inverse();
            inverse.expect("the model was checked: inertias are positive definite")
        };
        Self {
            rows,
            mechanisms,
            place_of,
            bodies: vec![Body::default(); model.bodies.len()],
            inverse_inertia: model.bodies.iter().map(inverse).collect(),
            wrenches: vec![Wrench::default(); model.bodies.len()],
            stiff: StiffSprings::default(),
            stiff_for: f64::NAN,
            springs: StiffSprings::of(model, f64::INFINITY),
            scale: Scale::new(model, &Topology::new(model)),
            touching: Touching::new(model),
            radii: model.bodies.iter().map(super::contact::radius).collect(),
            reach: Vec::new(),
            contacts: Vec::new(),
            ahead: Ahead::default(),
            limits: limits(model).collect(),
            stops: Vec::new(),
            islands: Islands::default(),
            found: Found::default(),
            ends: Vec::new(),
            values: Vec::new(),
            goals: Vec::new(),
            goals_before: Vec::new(),
            stopwatch: Stopwatch::default(),
        }
    }

    /// Contact points, limits and cables of the last step.
    pub fn stops(&self) -> &[Stop] {
        &self.stops
    }

    /// All limits and cables of the model.
    pub fn limits(&self) -> &[What] {
        &self.limits
    }

    /// Contact points that the stops stand for.
    pub fn contacts(&self) -> &[Located] {
        &self.contacts
    }

    /// Lengths of the model and the speed of the step.
    pub fn scale(&self) -> &Scale {
        &self.scale
    }

    /// What the unilateral part of the last step came to.
    pub fn found(&self) -> Found {
        self.found
    }

    /// Multiplications of the factorisations and solutions of a step without unilateral constraints.
    pub fn operations(&self) -> usize {
        self.mechanisms.iter().map(Mechanism::operations).sum()
    }

    /// Finds the change of all velocities over a step from a state.
    pub fn solve(&mut self, model: &Model, state: &State, asked: &Asked) {
        self.stopwatch.enter(Phase::Prepare);
        self.take_bodies(model, state, asked);
        self.stopwatch.enter(Phase::Evaluate);
        self.evaluate_rows(model, state, asked);
        self.stopwatch.enter(Phase::Factor);
        for mechanism in &mut self.mechanisms {
            mechanism.factor(&self.rows, &self.bodies, &self.place_of);
        }
        self.found = Found {
            factorisations: self.mechanisms.len().min(1) as u32,
            ..Found::default()
        };
        self.stopwatch.enter(Phase::Solve);
        self.stops.clear();
        self.solve_mechanisms();
        self.take_changes();
        self.correct(model, state, asked);
        self.stopwatch.enter(Phase::Detect);
        self.find_stops(model, state, asked);
        if !self.stops.is_empty() {
            self.stopwatch.enter(Phase::Solve);
            self.push(model, state, asked);
        }
        self.look_ahead(model, state, asked);
        self.stopwatch.enter(Phase::Finish);
    }

    /// Finds what the stops push with, and all velocities with it.
    fn push(&mut self, model: &Model, state: &State, asked: &Asked) {
        let solve = |own: &mut Self| {
            own.push_stops(asked);
            own.correct(model, state, asked);
            own.measure_stops();
        };
        solve(self);
        self.follow_round(asked, |own| {
            own.let_go();
            solve(own);
        });
    }

    /// Takes back what stops gave to the bodies of mechanisms and their islands, from which their impulses would not be found once more; problems of
    /// free bodies set out from what acts on these.
    fn let_go(&mut self) {
        if self.mechanisms.is_empty() {
            return;
        }
        let stops = std::mem::take(&mut self.stops);
        self.solve_mechanisms();
        self.take_changes();
        self.stops = stops;
    }

    fn evaluate_rows(&mut self, model: &Model, state: &State, asked: &Asked) {
        if self.stiff_for != asked.dt {
            self.stiff = StiffSprings::of(model, asked.dt);
            self.stiff_for = asked.dt;
        }
        // What bodies that joints hold may be moved at to mend them: faster, a short step would throw what a long one left.
        let fastest = if asked.corrections == 0 {
            f64::INFINITY
        } else if model.gravity.norm() > 0.0 {
            FASTEST * self.scale.speed
        } else {
            // Where nothing falls only lengths say what is slow.
            let joints = (0..model.joints.len()).map(|j| self.scale.joint(j));
            let least = joints.fold(f64::INFINITY, f64::min);
            (FASTEST * self.scale.speed).max(WEIGHTLESS * least / asked.dt)
        };
        let laws = rows::Laws {
            h: asked.h,
            stiff: &self.stiff,
        };
        self.rows.evaluate(model, state, &self.bodies, &laws);
        for mechanism in &self.mechanisms {
            mechanism.bound(&mut self.rows, fastest);
        }
    }

    /// Solves all mechanisms with the impulses of the stops as they are.
    fn solve_mechanisms(&mut self) {
        self.solve_roughly();
        self.refine_mechanisms();
    }

    /// The same with the rounding of the factors, which redundant rows leave four digits.
    fn solve_roughly(&mut self) {
        for mechanism in &mut self.mechanisms {
            mechanism.begin();
            for node in 0..mechanism.bodies.len() {
                let impulse = self.bodies[mechanism.bodies[node]].impulse;
                mechanism.push(node, &impulse, 1.0);
            }
            mechanism.want(&self.rows, &self.bodies);
        }
        for stop in &self.stops {
            let impulses = stop.impulses();
            for (side, body) in stop.bodies.iter().enumerate() {
                if let Some((k, node)) = body.and_then(|b| self.place_of[b]) {
                    for (row, p) in impulses.iter().enumerate().take(stop.rows) {
                        self.mechanisms[k].push(node, &stop.gradient[side][row], *p);
                    }
                }
            }
        }
        for mechanism in &mut self.mechanisms {
            mechanism.solve();
        }
        self.take_solutions();
    }

    /// Mends what rounding left of the last solutions.
    fn refine_mechanisms(&mut self) {
        for mechanism in &mut self.mechanisms {
            mechanism.refine();
        }
        self.take_solutions();
    }

    fn take_solutions(&mut self) {
        for mechanism in &mut self.mechanisms {
            mechanism.store(&mut self.rows);
            for (node, &body) in mechanism.bodies.iter().enumerate() {
                let body = &mut self.bodies[body];
                body.change.copy_from_slice(mechanism.change(node));
            }
        }
    }

    /// Takes the changes of velocity of bodies that nothing holds.
    fn take_changes(&mut self) {
        for (body, place) in self.bodies.iter_mut().zip(&self.place_of) {
            if place.is_none() {
                body.change = times(&body.inverse, &body.impulse);
            }
        }
    }

    /// The widest turn that a body which rows hold makes in a step that was solved for (rad).
    pub fn turn(&self, h: f64) -> f64 {
        let held = self.mechanisms.iter().flat_map(|m| &m.bodies);
        let rates = held.map(|&b| {
            let Body {
                velocity, change, ..
            } = &self.bodies[b];
            let [.., x, y, z] = *velocity;
            let [.., a, b, c] = *change;
            Vec3::new(x + a, y + b, z + c).norm()
        });
        h * rates.fold(0.0, super::worse)
    }

    /// The same at the velocities of a state.
    pub fn turn_at(&self, state: &State, h: f64) -> f64 {
        let held = self.mechanisms.iter().flat_map(|m| &m.bodies);
        let rates = held.map(|&b| state.bodies[b].velocity.angular.norm());
        h * rates.fold(0.0, super::worse)
    }

    /// Reactions of joints and multipliers of couplings over the step.
    pub fn react(&self, state: &mut State, model: &Model, h: f64) {
        state.reactions.fill(Row::default());
        for group in &self.rows.groups {
            let impulses = &self.rows.rows[group.rows.clone()];
            match group.kind {
                Kind::Joint(j) => {
                    let joint = &model.joints[j];
                    let at = crate::joints::Placement::of(joint, &state.bodies);
                    let held = crate::joints::constraint_rows(joint.kind, &at);
                    for (row, found) in held.zip(impulses) {
                        state.reactions[j].force += row.force * (found.impulse / h);
                        state.reactions[j].torque += row.torque * (found.impulse / h);
                    }
                }
                Kind::Coupling(c) => state.coupling_forces[c] = impulses[0].impulse / h,
                Kind::Line(_) => {}
            }
        }
    }

    /// Energy that springs in the place of joints and couplings held at the start, and what their dampers take in the
    /// step (J).
    pub fn held_energy(&self, h: f64) -> [f64; 2] {
        let rate = |row: usize| {
            let row = &self.rows.rows[row];
            // `G v₁ = c - C p`.
            row.goal - row.compliance * row.impulse
        };
        [self.rows.stored(), self.rows.dissipated(h, rate)]
    }
}

/// Part of the shortest joint by which a step may mend at least what is held rigidly where nothing falls.
const WEIGHTLESS: f64 = 1e-3;

/// Fastest that what is held rigidly is mended, in speeds of the step.
const FASTEST: f64 = 1.0;
