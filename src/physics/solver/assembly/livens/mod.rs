//! One interval of Livens' principle with the constraints of positions and of velocities, on the mechanism's graph
//! [Kinon2023 sect. 3, Kinon2023b sect. 4].
//!
//! Livens varies positions, velocities and momenta by themselves; the second multiplier adds the constraint that hides
//! behind that of positions. On an interval of length `h`, with `ξ` the motion from `z₀` to `z₁` and `Φ(z, V) = G(z) V`,
//! ```text
//!   S = h T(V) - h/2 (U(z₀) + U(z₁)) + p · (ξ - h V) + h λ · g(z₀) - h γ · Φ(z₁, M⁻¹ p)
//! ```
//! is stationary: by `V` where `p = M V`, by `p` where `ξ` leaves `h V` by the second multiplier, and by `z` where momenta
//! `π = ∂S/∂z` of adjoining intervals agree. With `W = h V`, `Λ = h² λ`, `Γ = h γ` and `q = (√(1 - u·u), u)`, `u = ξ/2`, the
//! turn of a body,
//! ```text
//!   h (π₀ + h/2 f₀) + G(z₀)ᵀ Λ = (m W, R₀ (q₀ J W + u × J W))       balance at z₀
//!   M (ξ - W) = G(z₁)ᵀ Γ                                            motion
//!   g(z₁) = 0      G(z₁) W = 0                                      both constraints at z₁
//!   π₁ = (m W, R₀ (q₀ J W + u × J W)) / h + h/2 f₁ - ∂(Γ · Φ(z₁, W))/∂z / h
//! ```
//! The left-hand side of the balance and the last line hold the same angular momentum, so that what internal forces leave
//! alone is conserved to rounding.
//!
//! | symbol | code | unit | frame |
//! |---|---|---|---|
//! | `ξ` | `shift`, `turn` of [`Motion`] | m, rad | world, body |
//! | `W = h V` | `travel`, `spin` | m, rad | world, body: of `z₀` and, turned, of `z₁` |
//! | `Λ`, `Γ` | [`Interval::multipliers`], `hidden` | kg·m, kg·m² | one per constraint row |
//! | `π` | momenta of [`BodyState`] | kg·m/s, kg·m²/s | world |

mod system;
#[cfg(test)]
mod tests;

use super::rows::Rows;
use super::{EquationsOfMotion, LinearSystem, Moment, Pattern};
use crate::forces::{self, Wrench};
use crate::joints::Placement;
use crate::math::rotation::skew;
use crate::math::{Mat3, Quat, Vec3, Vec6};
use crate::model::{BodyState, Input, Model, Twist};
use crate::solver::FOLD;
use nalgebra::Quaternion;
use system::System;

/// The unknowns of a body. See the [module](self).
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Motion {
    /// How far the centre of mass moves (m), world axes.
    pub shift: Vec3,
    /// Twice the vector of the quaternion of its turn (rad), body axes.
    pub turn: Vec3,
    /// Velocity of the centre of mass times the length of the interval (m), world axes.
    pub travel: Vec3,
    /// Angular velocity times that (rad), body axes.
    pub spin: Vec3,
}

impl Motion {
    /// The mean velocity of an interval of length `h` that starts in this orientation: what forces that depend on
    /// velocities are evaluated at, at both ends. `V` would be that of the end, and damping of first order.
    fn rate(&self, start: &Quat, h: f64) -> Twist {
        Twist {
            linear: self.shift / h,
            angular: start * self.turn / h,
        }
    }

    /// Vector and scalar of the quaternion of the turn.
    fn quaternion(&self) -> (Vec3, f64) {
        let u = self.turn * 0.5;
        (u, (1.0 - u.norm_squared()).sqrt())
    }
}

/// What acts at a knot beside the state of its bodies.
#[derive(Debug, Clone, Copy)]
pub struct Surroundings<'a> {
    /// Unwrapped joint angles (rad).
    pub angles: &'a [[f64; 2]],
    /// (s).
    pub time: f64,
    /// What acts from outside.
    pub input: &'a Input,
}

/// What the equations of an interval leave open at a trial. See the [module](self).
#[derive(Debug, Clone, Default)]
pub struct Open {
    /// Of the balance, one per body (kg·m, kg·m²), world axes.
    pub balance: Vec<Wrench>,
    /// Of the motion, likewise.
    pub motion: Vec<Wrench>,
    /// `g(z₁)`, one per row (m, rad).
    pub positions: Vec<f64>,
    /// `G(z₁) W`, one per row (m, rad).
    pub velocities: Vec<f64>,
    /// What the terms of the latter amount to: rounding is relative to it.
    pub handled: Vec<f64>,
}

/// The equations of an interval, their linear system and a trial. Sized once, never grown.
#[derive(Debug, Clone)]
pub struct Interval {
    /// Rows at both ends.
    rows: [Rows; 2],
    system: System,
    /// Length (s).
    h: f64,
    targets: Vec<Wrench>,
    wrenches: Vec<Wrench>,
    twists: Vec<Twist>,
    motions: Vec<Motion>,
    ends: Vec<BodyState>,
    multipliers: Vec<f64>,
    hidden: Vec<f64>,
    /// `∂(Γ · Φ)/∂z` at `z₁`.
    bend: Vec<Vec6>,
    open: Open,
    /// Whether forces hang on velocities.
    has_laws: bool,
    /// For velocities at a knot.
    equations: EquationsOfMotion,
    masses: LinearSystem,
    none: Vec<f64>,
}

impl Interval {
    /// Workspace for a model.
    pub fn new(model: &Model) -> Self {
        let (bodies, rows) = (model.bodies.len(), model.equations());
        let none = vec![0.0; rows];
        let still = vec![Wrench::default(); bodies];
        Self {
            rows: [Rows::new(model), Rows::new(model)],
            system: System::new(model),
            h: 0.0,
            targets: still.clone(),
            wrenches: still.clone(),
            twists: vec![Twist::default(); bodies],
            motions: vec![Motion::default(); bodies],
            ends: Vec::with_capacity(bodies),
            multipliers: none.clone(),
            hidden: none.clone(),
            bend: vec![Vec6::zeros(); bodies],
            open: Open {
                balance: still.clone(),
                motion: still,
                positions: none.clone(),
                velocities: none.clone(),
                handled: none.clone(),
            },
            has_laws: forces::has_velocity_laws(model),
            equations: EquationsOfMotion::new(model),
            masses: LinearSystem::new(model, Pattern::Masses),
            none,
        }
    }

    /// Begins an interval of length `h` at bodies with their momenta; the trial is that they go on at the velocities given.
    pub fn begin(&mut self, model: &Model, from: &[BodyState], around: &Surroundings, h: f64) {
        self.h = h;
        for (k, body) in from.iter().enumerate() {
            self.targets[k] = Wrench {
                force: body.momentum * h,
                torque: body.angular_momentum * h,
            };
            self.twists[k] = body.velocity;
            let travel = body.velocity.linear * h;
            let spin = body
                .orientation
                .inverse_transform_vector(&body.velocity.angular)
                * h;
            self.motions[k] = Motion {
                shift: travel,
                turn: spin,
                travel,
                spin,
            };
        }
        self.multipliers.fill(0.0);
        self.hidden.fill(0.0);
        self.ends.clear();
        self.ends.extend_from_slice(from);
        self.push(model, from, around);
        let moment = Moment {
            bodies: from,
            twists: &self.twists,
            angles: around.angles,
            time: around.time,
            input: around.input,
        };
        self.rows[0].evaluate(model, &moment);
    }

    /// Evaluates the forces at bodies that move with `twists`.
    fn push(&mut self, model: &Model, bodies: &[BodyState], around: &Surroundings) {
        self.wrenches.fill(Wrench::default());
        forces::all_wrenches(
            model,
            bodies,
            &self.twists,
            around.angles,
            around.time,
            around.input,
            &mut self.wrenches,
        );
    }

    /// Whether forces must be evaluated again where velocities change.
    fn is_damped(&self, around: &Surroundings) -> bool {
        self.has_laws || around.input.drag.is_some()
    }

    /// Says what the equations leave open at the trial; the body that turns too far for the discrete rotation where one does.
    pub fn evaluate(
        &mut self,
        model: &Model,
        from: &[BodyState],
        around: &Surroundings,
    ) -> Result<&Open, usize> {
        let h = self.h;
        for (k, motion) in self.motions.iter().enumerate() {
            let (u, s) = motion.quaternion();
            // What is not a number is too large too.
            let easy = u.norm_squared() < FOLD;
            if !easy {
                return Err(k);
            }
            let turned = from[k].orientation.into_inner() * Quaternion::new(s, u.x, u.y, u.z);
            let end = &mut self.ends[k];
            end.position = from[k].position + motion.shift;
            end.orientation = Quat::new_unchecked(turned * (1.5 - 0.5 * turned.norm_squared()));
            self.twists[k] = motion.rate(&from[k].orientation, h);
        }
        if self.is_damped(around) {
            self.push(model, from, around);
        }
        for (k, (body, motion)) in model.bodies.iter().zip(&self.motions).enumerate() {
            let [start, end] = [&from[k], &self.ends[k]].map(|b| &b.orientation);
            let pushed = |target: &Vec3, push: &Vec3| target + push * (0.5 * h * h);
            let (target, push) = (&self.targets[k], &self.wrenches[k]);
            self.open.balance[k] = Wrench {
                force: motion.travel * body.mass - pushed(&target.force, &push.force),
                torque: start * turning(&body.inertia, motion)
                    - pushed(&target.torque, &push.torque),
            };
            self.open.motion[k] = Wrench {
                force: (motion.shift - motion.travel) * body.mass,
                torque: end * (body.inertia * (motion.turn - motion.spin)),
            };
            // Velocities at the end, times the interval.
            self.twists[k] = Twist {
                linear: motion.travel,
                angular: end * motion.spin,
            };
        }
        let moment = Moment {
            bodies: &self.ends,
            twists: &self.twists,
            angles: around.angles,
            time: around.time + h,
            input: around.input,
        };
        self.rows[1].evaluate(model, &moment);
        let Open {
            balance,
            motion,
            positions,
            velocities,
            handled,
        } = &mut self.open;
        positions.copy_from_slice(&self.rows[1].values);
        velocities.fill(0.0);
        handled.fill(0.0);
        for (first, last) in self.rows[0].gradients.iter().zip(&self.rows[1].gradients) {
            let (row, body) = (last.row, last.body);
            let twist = &self.twists[body];
            let [by_travel, by_spin] = [(0, &twist.linear), (3, &twist.angular)]
                .map(|(at, v)| last.value.fixed_rows::<3>(at).dot(v));
            velocities[row] += by_travel + by_spin;
            handled[row] += by_travel.abs() + by_spin.abs();
            for (open, value, multiplier) in [
                (&mut balance[body], &first.value, self.multipliers[row]),
                (&mut motion[body], &last.value, self.hidden[row]),
            ] {
                open.force -= value.fixed_rows::<3>(0) * multiplier;
                open.torque -= value.fixed_rows::<3>(3) * multiplier;
            }
        }
        Ok(&self.open)
    }

    /// Solves for the change of the trial that closes what is open, and makes it: leaves of no row more than `enough`, where
    /// redundant ones agree.
    pub fn solve(&mut self, model: &Model, enough: f64) {
        self.system.solve(&self.open, enough);
        for k in 0..model.bodies.len() {
            let change = self.system.motion(k);
            let motion = &mut self.motions[k];
            motion.shift += change.shift;
            motion.turn += change.turn;
            motion.travel += change.travel;
            motion.spin += change.spin;
        }
        for row in 0..self.hidden.len() {
            let [multiplier, hidden] = self.system.multipliers(row);
            self.multipliers[row] += multiplier;
            self.hidden[row] += hidden;
        }
    }

    /// Writes and factors the matrix at the trial last evaluated.
    pub fn linearise(&mut self, model: &Model, from: &[BodyState], around: &Surroundings) {
        let h = self.h;
        self.system.begin();
        for (k, (body, motion)) in model.bodies.iter().zip(&self.motions).enumerate() {
            let [start, end] =
                [&from[k], &self.ends[k]].map(|b| b.orientation.to_rotation_matrix().into_inner());
            self.system.put_body(k, body, motion, [&start, &end]);
        }
        if self.is_damped(around) {
            for (k, motion) in self.motions.iter().enumerate() {
                self.twists[k] = motion.rate(&from[k].orientation, h);
            }
            forces::slopes(
                model,
                from,
                &self.twists,
                around.angles,
                around.time,
                around.input,
                |s| self.system.put_damping(s, 0.5 * h),
            );
            for (k, motion) in self.motions.iter().enumerate() {
                self.twists[k] = Twist {
                    linear: motion.travel,
                    angular: self.ends[k].orientation * motion.spin,
                };
            }
        }
        let Self {
            rows: [first, last],
            system,
            twists,
            hidden,
            ..
        } = self;
        last.differentiate_rates(model, twists);
        last.curvature(model, hidden, |ends, slope| {
            system.put_curvature(ends, slope)
        });
        system.put_rows([&first.gradients, &last.gradients], twists);
        system.factor(model, &last.gradients);
    }

    /// Leaves the end of the interval in `out`: poses, momenta, and the velocities of these, put on the constraints.
    pub fn finish(
        &mut self,
        model: &Model,
        from: &[BodyState],
        around: &Surroundings,
        out: &mut [BodyState],
    ) {
        let h = self.h;
        self.bend.fill(Vec6::zeros());
        let Self {
            rows: [_, last],
            twists,
            hidden,
            bend,
            ..
        } = self;
        last.curvature(model, hidden, |(feels, moves), slope| {
            let Twist { linear, angular } = &twists[feels];
            bend[moves] +=
                slope.fixed_rows::<3>(0).tr_mul(linear) + slope.fixed_rows::<3>(3).tr_mul(angular);
        });
        for g in &last.gradients {
            // The angular velocity turns with its body.
            let torque = g.value.fixed_rows::<3>(3) * hidden[g.row];
            let mut turned = bend[g.body].fixed_rows_mut::<3>(3);
            turned += twists[g.body].angular.cross(&torque);
        }
        for (twist, (motion, body)) in self.twists.iter_mut().zip(self.motions.iter().zip(from)) {
            *twist = motion.rate(&body.orientation, h);
        }
        out.copy_from_slice(&self.ends);
        let end = Surroundings {
            time: around.time + h,
            ..*around
        };
        self.push(model, out, &end);
        for (k, (body, motion)) in model.bodies.iter().zip(&self.motions).enumerate() {
            let push = &self.wrenches[k];
            // What joints exchange is equal and opposite whatever Newton's method left of the balance.
            let left = &self.open.balance[k];
            let momentum = motion.travel * body.mass - left.force - self.bend[k].fixed_rows::<3>(0);
            let angular = from[k].orientation * turning(&body.inertia, motion)
                - left.torque
                - self.bend[k].fixed_rows::<3>(3);
            out[k].momentum = momentum / h + push.force * (0.5 * h);
            out[k].angular_momentum = angular / h + push.torque * (0.5 * h);
        }
        self.read(model, &end, out);
    }

    /// Velocities at a knot: those of its momenta, put on the constraints by impulses of the joints.
    fn read(&mut self, model: &Model, around: &Surroundings, bodies: &mut [BodyState]) {
        for (wrench, body) in self.wrenches.iter_mut().zip(&*bodies) {
            *wrench = Wrench {
                force: body.momentum,
                torque: body.angular_momentum,
            };
        }
        let moment = Moment {
            bodies,
            twists: &self.twists,
            angles: around.angles,
            time: around.time,
            input: around.input,
        };
        self.equations.evaluate_poses(model, &moment);
        self.masses
            .write_masses(model, &self.equations.inertia, &self.equations.rows);
        self.masses.solve(&self.wrenches, &self.none);
        for (body, twist) in bodies.iter_mut().zip(self.masses.motions()) {
            body.velocity = *twist;
        }
    }

    /// What the trial last evaluated leaves open.
    pub fn open(&self) -> &Open {
        &self.open
    }

    /// Length (s).
    pub fn length(&self) -> f64 {
        self.h
    }

    /// The motions of the trial, one per body.
    pub fn motions(&self) -> &[Motion] {
        &self.motions
    }

    /// `Λ`: forces of constraint at the start times the square of the interval (kg·m, kg·m²), one per row.
    pub fn multipliers(&self) -> &[f64] {
        &self.multipliers
    }

    /// What acts at the start but for forces of constraint, one per body.
    pub fn wrenches(&self) -> &[Wrench] {
        &self.wrenches
    }

    /// Where every joint is at the start.
    pub fn placements(&self) -> &[Placement] {
        &self.rows[0].placements
    }
}

/// Angular momentum at the start of a turn times the length of the interval, body axes: `s J w + u × J w`.
fn turning(inertia: &Mat3, motion: &Motion) -> Vec3 {
    let (u, s) = motion.quaternion();
    let held = inertia * motion.spin;
    held * s + u.cross(&held)
}

/// World rotation of a body that ends at `r` by a change of its turn.
fn world_turn(motion: &Motion, r: &Mat3) -> Mat3 {
    let (u, s) = motion.quaternion();
    r * (Mat3::from_diagonal_element(s) + u * u.transpose() / s - skew(&u))
}
