//! Coordinates of a body in which methods of ordinary differential equations advance it [Holzinger2024 sect. 2, 3].
//!
//! | chart | coordinates `q` | velocities `w` | `q̇` |
//! |---|---|---|---|
//! | `Cardan` | `x`, angles of `R = Rx(α) Ry(β) Rz(γ)` | `q̇` | `w` |
//! | `EulerParameters` | `x`, unit quaternion | `q̇` | `w` |
//! | `RotationVector` | `x`, `θ` of `R = R₀ exp(θ)` | `ẋ`, body `ω` | `T(θ)⁻¹ w` |
//! | `Motion` | `ρ`, `θ` of `H = H₀ exp(ρ, θ)` on SE(3) | `Rᵀ ẋ`, body `ω` | `T(ρ, θ)⁻¹ w` |
//!
//! The first two are classical: `q` is global. The others are local to the start `(x₀, R₀)` of a step, at which `q = 0` but
//! for `x`, and a step in them is one of a Lie-group method: of [MuntheKaas1998] where it is explicit, of [Brüls2012] for
//! generalised-α. All go through the same steppers.

mod cardan;
mod euler_parameters;
mod local;
mod newton;
#[cfg(test)]
mod tests;

use crate::math::{Quat, Vec3};
use crate::model::{BodyState, Twist};
use nalgebra::Vector4;
pub use newton::NewtonChart;

/// Coordinates of a body, velocities or rates: three of position, and three or four of rotation.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Coordinates {
    /// Of position.
    pub position: Vec3,
    /// Of rotation; the last is 0 where there are three.
    pub rotation: Vector4<f64>,
}

impl Coordinates {
    /// Adds `factor` times others.
    pub fn add(&mut self, others: &Self, factor: f64) {
        self.position += others.position * factor;
        self.rotation += others.rotation * factor;
    }
}

/// Where coordinates and velocities put a body.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Placed {
    /// Centre of mass (m).
    pub position: Vec3,
    /// `world_from_body`.
    pub orientation: Quat,
    /// Velocities, world axes.
    pub twist: Twist,
}

/// In which coordinates a body is advanced: the first two are classical, the others local to the start of a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Chart {
    /// Three angles, singular where the middle one is a quarter turn.
    Cardan,
    /// Four parameters, kept at unit length.
    EulerParameters,
    /// Increments on R³ × SO(3).
    RotationVector,
    /// Increments on SE(3).
    Motion,
}

impl Chart {
    /// Whether coordinates are local to the start of a step, which makes a method one of a Lie group.
    pub fn is_local(self) -> bool {
        matches!(self, Self::RotationVector | Self::Motion)
    }

    /// Coordinates and velocities of a body at the start of a step.
    pub fn read(self, body: &BodyState) -> [Coordinates; 2] {
        let Twist { linear, angular } = body.velocity;
        let turned = || body.orientation.inverse_transform_vector(&angular);
        match self {
            Self::Cardan => {
                let [angles, rates] = cardan::read(&body.orientation, &angular);
                [(body.position, angles), (linear, rates)].map(of_three)
            }
            Self::EulerParameters => {
                let e = body.orientation.coords;
                let rate = euler_parameters::product(&e, 0.0, &turned()) * 0.5;
                [(body.position, e), (linear, rate)]
                    .map(|(position, rotation)| Coordinates { position, rotation })
            }
            Self::RotationVector => {
                [(body.position, Vec3::zeros()), (linear, turned())].map(of_three)
            }
            Self::Motion => {
                let linear = body.orientation.inverse_transform_vector(&linear);
                [(Vec3::zeros(), Vec3::zeros()), (linear, turned())].map(of_three)
            }
        }
    }

    /// Where coordinates and velocities put a body that started at `from`.
    pub fn place(self, from: &BodyState, q: &Coordinates, w: &Coordinates) -> Placed {
        match self {
            Self::Cardan => {
                let angles = three(q);
                let angular = cardan::velocity(&angles, &three(w));
                Placed {
                    position: q.position,
                    orientation: cardan::orientation(&angles),
                    twist: Twist {
                        linear: w.position,
                        angular,
                    },
                }
            }
            Self::EulerParameters => {
                let (orientation, spin) = euler_parameters::place(&q.rotation, &w.rotation);
                Placed {
                    position: q.position,
                    orientation,
                    twist: Twist {
                        linear: w.position,
                        angular: orientation * spin,
                    },
                }
            }
            Self::RotationVector | Self::Motion => {
                local::place(self == Self::Motion, from, q, (&w.position, &three(w)))
            }
        }
    }

    /// `q̇` at coordinates and velocities.
    pub fn rates(self, q: &Coordinates, w: &Coordinates) -> Coordinates {
        if self.is_local() {
            local::rates(self == Self::Motion, q, w)
        } else {
            *w
        }
    }

    /// `ẇ` at world accelerations.
    pub fn velocity_rates(
        self,
        q: &Coordinates,
        w: &Coordinates,
        at: &Placed,
        acceleration: &Twist,
    ) -> Coordinates {
        let Twist { linear, angular } = acceleration;
        let turned = |v: &Vec3| at.orientation.inverse_transform_vector(v);
        match self {
            Self::Cardan => of_three((*linear, cardan::rates_of(&three(q), &three(w), angular))),
            Self::EulerParameters => Coordinates {
                position: *linear,
                rotation: euler_parameters::rates_of(&q.rotation, &w.rotation, &turned(angular)),
            },
            Self::RotationVector => of_three((*linear, turned(angular))),
            Self::Motion => {
                let carried = three(w).cross(&w.position);
                of_three((turned(linear) - carried, turned(angular)))
            }
        }
    }

    /// World accelerations at `ẇ`.
    pub fn acceleration(
        self,
        q: &Coordinates,
        w: &Coordinates,
        at: &Placed,
        w_rates: &Coordinates,
    ) -> Twist {
        let turned = |v: Vec3| at.orientation * v;
        let (linear, angular) = match self {
            Self::Cardan => {
                let angular = cardan::acceleration(&three(q), &three(w), &three(w_rates));
                (w_rates.position, angular)
            }
            Self::EulerParameters => {
                let spin_rate = euler_parameters::vector(&q.rotation, &w_rates.rotation) * 2.0;
                (w_rates.position, turned(spin_rate))
            }
            Self::RotationVector => (w_rates.position, turned(three(w_rates))),
            Self::Motion => {
                let carried = three(w).cross(&w.position);
                let linear = turned(w_rates.position + carried);
                (linear, turned(three(w_rates)))
            }
        };
        Twist { linear, angular }
    }

    /// Angle that the coordinates of rotation turn by in a time although the body does not (rad): what they run away by near
    /// a singularity. Not a number in it.
    pub fn runaway(self, w: &Coordinates, time: f64) -> f64 {
        match self {
            Self::Cardan => three(w).amax() * time,
            _ => 0.0,
        }
    }

    /// What must be added to coordinates so that those of rotation have unit length, where they should.
    pub fn kept(self, q: &Coordinates) -> Coordinates {
        let mut change = Coordinates::default();
        if self == Self::EulerParameters {
            change.rotation = q.rotation * (1.0 / q.rotation.norm() - 1.0);
        }
        change
    }
}

fn three(c: &Coordinates) -> Vec3 {
    c.rotation.xyz()
}

fn of_three((position, rotation): (Vec3, Vec3)) -> Coordinates {
    Coordinates {
        position,
        rotation: rotation.push(0.0),
    }
}
