//! Why a step left no usable state, in words that say what helps.

use super::IntegratorInfo;
use crate::model::InputError;

/// Why no usable state could be reached; the state is as it was before the step.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum StepError {
    /// The body spins faster than the discrete rotation can hold, even if the step is cut.
    #[error(
        "body `{body}` spins at {rate:.4} rad/s, but a step of {dt} s, cut into {parts} at most, can hold no more than \
         {limit:.4} rad/s; take dt below {advice:.3e} s"
    )]
    TooFast {
        /// Name of the body.
        body: String,
        /// Its angular speed (rad/s).
        rate: f64,
        /// The step (s).
        dt: f64,
        /// Into how many shorter ones a step is cut for a spin.
        parts: u32,
        /// What so many hold [rad/s]: half of what the discrete rotation does, which folds at `1/dt`.
        limit: f64,
        /// A step that holds it (s).
        advice: f64,
    },
    /// Newton's method did not converge, even with substeps.
    #[error(
        "the step at t = {time:.6} s does not converge: {iterations} iterations left {residual:.3e} of the forces \
         and joints open by {constraint:.3e} of their size; the worst {place}. \
         Shorter steps were tried from here; go back and take a smaller dt before this moment, or another method"
    )]
    NotConverged {
        /// Time at the start of the step (s).
        time: f64,
        /// Iterations spent.
        iterations: u32,
        /// Residual left, relative to the forces handled.
        residual: f64,
        /// Joint error left, relative to the length of the joint or in radians.
        constraint: f64,
        /// `joint NAME` or `body NAME`.
        place: String,
    },
    /// A motion was found, but in every interval that was tried it breaks a law.
    #[error("the step at t = {time:.6} s is too long for its motion: {law}")]
    TooLong {
        /// Time at the start of the step (s).
        time: f64,
        /// The law that it breaks, with the bodies, the shortest interval that was tried and what helps.
        law: String,
    },
    /// The constraints contradict each other.
    #[error(
        "the constraints contradict each other: {place} cannot be closed better than to {constraint:.3e} of its size; \
         no step is short enough for that: check its anchors and axes, and what else holds its bodies"
    )]
    Inconsistent {
        /// `joint NAME`.
        place: String,
        /// Best joint error reached, relative to the length of the joint or in radians.
        constraint: f64,
    },
    /// Cardan angles are too near a quarter turn of the middle one.
    #[error(
        "the Cardan angles of body `{body}` are singular where the middle one is 90 degrees: it is at {angle:.2}, and the \
         others turn by {turn:.0} degrees in a step of {dt:.3e} s although the body does not; \
         take parametrisation=rv, or a shorter dt"
    )]
    Singular {
        /// Name of the body.
        body: String,
        /// The middle angle (degrees).
        angle: f64,
        /// What the fastest angle turns by in the step (degrees).
        turn: f64,
        /// The step (s).
        dt: f64,
    },
    /// The error asked for cannot be met by shorter steps so near a quarter turn of the middle one of Cardan angles.
    #[error(
        "step control at t = {time:.6} s: the Cardan angles of body `{body}` are singular where the middle one is 90 degrees: it is \
         at {angle:.2}, too near to err by no more than {error:.3e} m in a second, as rotation vectors do there; \
         take parametrisation=rv, or ask for a larger error"
    )]
    SingularControl {
        /// Time (s).
        time: f64,
        /// Name of the body.
        body: String,
        /// The middle angle (degrees).
        angle: f64,
        /// The error asked for (m).
        error: f64,
    },
    /// The error asked for cannot be met by shorter steps.
    #[error(
        "step control at t = {time:.6} s: even steps of {h:.3e} s are estimated to lead astray by {estimate:.3e} m in a second, \
         more than {error:.3e} m; ask for a larger error, or look for what jumps there"
    )]
    Uncontrolled {
        /// Time at the start of that step (s).
        time: f64,
        /// Its length (s).
        h: f64,
        /// What steps of that length are estimated to lead astray by in a second (m).
        estimate: f64,
        /// The error asked for (m).
        error: f64,
    },
    /// The input does not fit the mechanism.
    #[error("the input of the step at t = {time:.6} s cannot act: {error}")]
    Input {
        /// Time at the start of the step (s).
        time: f64,
        /// What does not fit.
        error: InputError,
    },
    /// A number left the finite range.
    #[error("{place} left the finite range in the step from t = {time:.6} s; {advice}")]
    NonFinite {
        /// `body NAME`.
        place: String,
        /// Time at the start of the step (s).
        time: f64,
        /// What helps.
        advice: &'static str,
    },
}

impl StepError {
    /// A number at a place (`body NAME`) that left the finite range in the step from `time` (s), with the advice that
    /// suits the method.
    pub fn non_finite(info: &IntegratorInfo, place: String, time: f64) -> Self {
        let advice = if info.drift_free && !info.symplectic {
            "with this method the motion is lost where springs, dampers or spins are fast for the step: go back to a \
             moment before that and take a smaller dt, or a variational method"
        } else if info.drift_free {
            "look for magnitudes there that numbers cannot hold: masses, sizes, forces, commands"
        } else {
            "with this method joints drift and energy grows until the motion is lost: go back to a moment before that and \
             switch to a method whose joints do not drift, or start with a smaller dt"
        };
        Self::NonFinite {
            place,
            time,
            advice,
        }
    }
}
