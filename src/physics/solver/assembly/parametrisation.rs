//! How the unknown of a method turns the bodies: the chain rule between a parametrisation of rotations and the
//! world increments in which joints and forces have their derivatives.
//!
//! An unknown `Δ` of a body, three numbers of rotation, changes a trial by
//! ```text
//!   θ = turn Δ      δω = spin Δ      δω̇ = spin_rate Δ      with R ← exp(θ) R
//! ```
//! and the equations of rotation are `rows · (world torque)`. Displacements, velocities and accelerations of the
//! centre of mass are in world axes in every parametrisation: they change by the [`Weights`] times `Δ`.

use crate::math::rotation::skew;
use crate::math::{Mat3, Quat, Vec3};

/// What a unit of the unknown changes: 1 for what is the unknown itself, the method's coefficients for the rest,
/// such as `β h²`, `γ h` and 1 for generalised-α in accelerations, and 0 for what is held.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Weights {
    /// Of positions.
    pub position: f64,
    /// Of velocities.
    pub velocity: f64,
    /// Of accelerations.
    pub acceleration: f64,
    /// Factor of the constraint rows, and of what [`solve`](super::LinearSystem::solve) is given for them: with
    /// `1 / (β h²)` at the level of positions the matrix stays well conditioned however small the step.
    pub rows: f64,
}

impl Weights {
    /// Accelerations as the unknown, positions and velocities held.
    pub const ACCELERATION: Self = Self {
        position: 0.0,
        velocity: 0.0,
        acceleration: 1.0,
        rows: 1.0,
    };
}

/// Rotation of a body at a trial, world axes.
#[derive(Debug, Clone, Copy)]
pub struct BodyMotion<'a> {
    /// Orientation `world_from_body`.
    pub orientation: &'a Quat,
    /// Angular velocity (rad/s).
    pub velocity: &'a Vec3,
    /// Angular acceleration (rad/s²).
    pub acceleration: &'a Vec3,
}

/// The rotation of a body in the unknowns of a parametrisation: rows of its equations, and what a unit of them does.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Tangent {
    /// Equations of rotation per world torque.
    pub rows: Mat3,
    /// World rotation per unit of the unknown.
    pub turn: Mat3,
    /// Angular velocity per unit of the unknown.
    pub spin: Mat3,
    /// Angular acceleration per unit of the unknown.
    pub spin_rate: Mat3,
    /// Velocity and acceleration of the centre of mass, where they do not follow the unknown of position by their weights alone.
    pub carried: Option<Carried>,
}

/// What the unknown does to the centre of mass where its velocities turn with the body.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Carried {
    /// Velocity per unit of the unknown of position and of that of rotation.
    pub velocity: [Mat3; 2],
    /// Acceleration per unit of both.
    pub acceleration: [Mat3; 2],
}

impl Tangent {
    /// World increments.
    pub(super) fn still(weights: &Weights) -> Self {
        Self {
            rows: Mat3::identity(),
            turn: Mat3::from_diagonal_element(weights.position),
            spin: Mat3::from_diagonal_element(weights.velocity),
            spin_rate: Mat3::from_diagonal_element(weights.acceleration),
            carried: None,
        }
    }
}

impl Tangent {
    /// Derivative of `rows · torque` for a torque held in the world where the rows are axes of the body:
    /// `(exp(θ) R)ᵀ τ = Rᵀ τ + Rᵀ (τ × θ)`.
    pub(super) fn held_in_body(&self, torque: &Vec3) -> Mat3 {
        self.rows * skew(torque) * self.turn
    }
}

impl Default for Tangent {
    fn default() -> Self {
        Self::still(&Weights::ACCELERATION)
    }
}

/// A parametrisation of rotations. [`Increments`] are the two that the group itself gives; a tangent operator (of
/// rotation vectors from a reference, of Cardan angles) enters by `turn`, and by `spin` and `spin_rate` where the
/// velocities are those of the parameters.
pub trait Parametrisation {
    /// What the unknown of a body changes, and the rows of its equations.
    fn tangent(&self, body: usize, at: &BodyMotion, weights: &Weights) -> Tangent;

    /// Derivative of `rows · torque` with respect to the unknown, for a torque that is held in the world (N·m), where
    /// the rotation has this tangent.
    fn row_slope(
        &self,
        body: usize,
        at: (&BodyMotion, &Tangent),
        weights: &Weights,
        torque: &Vec3,
    ) -> Mat3;
}

/// Rotation vectors of increments in the group, free of singularities.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Increments {
    /// `R ← exp(δ) R`, angular velocities and equations in world axes.
    World,
    /// `R ← R exp(δ)`, angular velocities and equations in body axes: `ω = R ω_b`, `ω̇ = R ω̇_b`.
    Body,
}

impl Increments {
    /// The orientation after an increment (rad).
    pub fn turned(self, orientation: &Quat, increment: &Vec3) -> Quat {
        let step = Quat::from_scaled_axis(*increment);
        match self {
            Self::World => step * orientation,
            Self::Body => orientation * step,
        }
    }
}

impl Parametrisation for Increments {
    fn tangent(&self, _: usize, at: &BodyMotion, weights: &Weights) -> Tangent {
        let Weights {
            position,
            velocity,
            acceleration,
            rows: _,
        } = *weights;
        match self {
            Self::World => Tangent::still(weights),
            Self::Body => {
                let r = at.orientation.to_rotation_matrix().into_inner();
                // What is held in body axes turns with the body: δ(R w_b) = R δw_b - ŵ θ.
                let held = |w: &Vec3| skew(w) * r * position;
                Tangent {
                    rows: r.transpose(),
                    turn: r * position,
                    spin: r * velocity - held(at.velocity),
                    spin_rate: r * acceleration - held(at.acceleration),
                    carried: None,
                }
            }
        }
    }

    fn row_slope(
        &self,
        _: usize,
        (_, tangent): (&BodyMotion, &Tangent),
        _: &Weights,
        torque: &Vec3,
    ) -> Mat3 {
        match self {
            Self::World => Mat3::zeros(),
            Self::Body => tangent.held_in_body(torque),
        }
    }
}
