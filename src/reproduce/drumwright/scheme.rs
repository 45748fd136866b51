//! The four Euler schemes of a mass on a spring and a damper [Drumwright sect. 3]: the eigenvalues of their iterations, and
//! what of the program they are.
//!
//! With the place `x` and the velocity over a step `w = h v` as unknowns all depends on two numbers alone, `a = h² k/m` and
//! `b = h d/m`. An eigenvalue `1 - s` of the iteration solves `s² - p s + q = 0`.

use super::{METHOD, joint, simulation};
use crate::{RunError, step};
use physics::math::{Mat3, Vec3};
use physics::model::{
    Body, BodyId, Compliance, JointKind, JointSpring, Model, ModelParts, State, Twist,
};
use physics::sim::Simulation;

/// A scheme.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scheme {
    /// `x₁ = x + h v`, spring and damper at the start [Drumwright eq. 7, 8].
    Explicit,
    /// `x₁ = x + h v₁`, spring and damper at the start: the habit of game engines.
    Symplectic,
    /// The same with the damper at the end [Drumwright eq. 11, 12].
    SemiImplicit,
    /// Both at the end [Drumwright eq. 13, 14], which is what the method does of a constraint [Drumwright eq. 59 to 62].
    Implicit,
}

impl Scheme {
    /// All of them.
    pub const ALL: [Self; 4] = [
        Self::Explicit,
        Self::Symplectic,
        Self::SemiImplicit,
        Self::Implicit,
    ];

    /// What it is called.
    pub fn name(self) -> &'static str {
        match self {
            Self::Explicit => "explicit Euler",
            Self::Symplectic => "semi-implicit Euler, damper at the start",
            Self::SemiImplicit => "semi-implicit Euler",
            Self::Implicit => "implicit Euler",
        }
    }

    /// `[p, q]` at `[a, b]`, without cancellation.
    fn polynomial(self, [a, b]: [f64; 2]) -> [f64; 2] {
        let (damped, all) = (1.0 + b, 1.0 + a + b);
        match self {
            Self::Explicit => [b, a],
            Self::Symplectic => [a + b, a],
            Self::SemiImplicit => [(a + b) / damped, a / damped],
            Self::Implicit => [(2.0 * a + b) / all, a / all],
        }
    }

    /// Logarithm of the largest magnitude of an eigenvalue at `[a, b]`: what motions grow by in a step in the long run.
    pub fn growth(self, numbers: [f64; 2]) -> f64 {
        let [p, q] = self.polynomial(numbers);
        let square = 0.25 * p * p - q;
        if square < 0.0 {
            // A pair whose product is `1 - p + q`.
            return 0.5 * (q - p).ln_1p();
        }
        let large = 0.5 * p + square.sqrt();
        let small = if large > 0.0 { q / large } else { 0.0 };
        let magnitude = |s: f64| {
            if s < 1.0 {
                (-s).ln_1p()
            } else {
                (s - 1.0).ln()
            }
        };
        magnitude(large).max(magnitude(small))
    }
}

/// A mass of 1 kg on a spring (N/m) and a damper (N·s/m), in steps (s).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Case {
    /// Step.
    pub h: f64,
    /// Stiffness.
    pub k: f64,
    /// Damping.
    pub b: f64,
}

impl Case {
    /// `[h² k/m, h b/m]`.
    pub fn numbers(&self) -> [f64; 2] {
        [self.h * self.h * self.k, self.h * self.b]
    }

    /// The mass at rest at 0, moving at 1 m/s: held by a joint that gives, or by spring and damper of one that slides.
    fn mechanism(&self, gives: bool) -> (Model, State) {
        let Self { k, b, .. } = *self;
        let body = BodyId(0);
        let kind = if gives {
            JointKind::Fixed
        } else {
            JointKind::Prismatic
        };
        let mut held = joint(kind, "spring", body, [Vec3::zeros(); 2]);
        if gives {
            held.compliance[0] = Compliance {
                stiffness: k,
                damping: b,
            };
        } else {
            held.damping_translation = b;
            held.springs.push(JointSpring {
                coordinate: 0,
                stiffness: k,
                rest: 0.0,
            });
        }
        let parts = ModelParts {
            bodies: vec![Body::new("mass", 1.0, Mat3::identity())],
            joints: vec![held],
            ..ModelParts::default()
        };
        let model = Model::new(parts).expect("the mass on its spring is a valid model");
        let mut state = State::at_rest(&model);
        state.bodies[0].velocity = Twist {
            linear: Vec3::z(),
            ..Twist::default()
        };
        (model, state)
    }

    /// The motion by a scheme.
    pub fn motion(&self, scheme: Scheme) -> Result<Motion, RunError> {
        let own = |method, gives| simulation(&self.mechanism(gives), method, self.h).map(Some);
        let sim = match scheme {
            Scheme::Explicit => own("explicit-euler", false)?,
            Scheme::Symplectic => own("semi-implicit-euler", false)?,
            // No method takes a damper at the end and a spring at the start whatever the spring.
            Scheme::SemiImplicit => None,
            Scheme::Implicit => own(METHOD, true)?,
        };
        Ok(Motion {
            case: *self,
            sim,
            place: 0.0,
            velocity: 1.0,
            is_lost: false,
        })
    }
}

/// A mass in motion.
pub struct Motion {
    case: Case,
    sim: Option<Simulation>,
    place: f64,
    velocity: f64,
    is_lost: bool,
}

impl Motion {
    /// One step; nothing where numbers no longer hold the motion.
    pub fn step(&mut self) {
        if self.is_lost {
            return;
        }
        let Case { h, k, b } = self.case;
        match &mut self.sim {
            None => {
                self.velocity = (self.velocity - h * k * self.place) / (1.0 + h * b);
                self.place += h * self.velocity;
            }
            Some(sim) => {
                if step(sim).is_err() {
                    self.is_lost = true;
                    return;
                }
                let body = &sim.state().bodies[0];
                self.place = body.position.z;
                self.velocity = body.velocity.linear.z;
            }
        }
        self.is_lost = !self.size().is_finite();
    }

    /// The velocity whose energy is that of mass and spring (m/s); not a number where the motion is lost.
    pub fn size(&self) -> f64 {
        if self.is_lost {
            f64::NAN
        } else {
            self.velocity.hypot(self.case.k.sqrt() * self.place)
        }
    }

    /// Whether numbers no longer hold it.
    pub fn is_lost(&self) -> bool {
        self.is_lost
    }
}
