//! The option that says in which coordinates a method holds rotations, and what a singularity of theirs is called.

use super::{OptionKind, OptionSpec, Options, StepError};
use crate::model::Model;
use crate::solver::assembly::{Chart, Coordinates};
use std::f64::consts::PI;

const RXYZ: &str = "rxyz";
const EP: &str = "ep";
const RV: &str = "rv";
const SE3: &str = "se3";

/// Which coordinates.
pub const PARAMETRISATION: OptionSpec = OptionSpec {
    name: "parametrisation",
    summary: "in which coordinates bodies are advanced",
    kind: OptionKind::Choice {
        default: RV,
        words: &[
            (
                RXYZ,
                "Cardan angles about x, y, z: singular where the middle one is a quarter turn",
            ),
            (EP, "Euler parameters of unit length"),
            (
                RV,
                "rotation vectors from the start of the step, on R³ × SO(3): a Lie-group method",
            ),
            (
                SE3,
                "motions from the start of the step, on SE(3): a Lie-group method",
            ),
        ],
    },
};

/// The chart that the options choose.
pub fn chart(options: &Options) -> Chart {
    match options.word(&PARAMETRISATION) {
        RXYZ => Chart::Cardan,
        EP => Chart::EulerParameters,
        SE3 => Chart::Motion,
        _ => Chart::RotationVector,
    }
}

/// The error of a step of this length (s) in which the coordinates of a body turn by more than half a turn of their own.
pub fn singular(
    model: &Model,
    body: usize,
    chart: Chart,
    (q, w): (&Coordinates, &Coordinates),
    dt: f64,
) -> Option<StepError> {
    let turn = chart.runaway(w, dt);
    // What is not a number has run away farthest.
    let followed = turn <= PI;
    (!followed).then(|| StepError::Singular {
        body: model.bodies[body].name.clone(),
        angle: q.rotation.y.to_degrees(),
        turn: turn.to_degrees(),
        dt,
    })
}
