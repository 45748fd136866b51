//! What figure 4 is said to show beside: the energy of the stiff pendulum.

use super::pendulum::{CHANGES, STEP, run};
use super::{G, PAPER, order, pendulum};
use crate::claimed::in_words;
use crate::{Item, Standing, Subject, Table, Verdict};
use physics::figures::{Curve, Plot};

/// The item.
pub const ITEM: Item = Item {
    paper: PAPER,
    figure: "4-energy",
    claim: "the energy of the pendulum of figure 4 is maintained to precisely zero",
    place: "sect. 4.4",
    setup: pendulum::ITEM.setup,
    expected: Standing::Differs,
    timed: false,
    run,
    judge,
    plot,
    scene: Subject::Near("pendulum", "a rigid hinge; what is run has one of 1e15 N/m"),
    claimed: in_words,
};

/// Change of the energy over what the pendulum exchanges that rounding may leave of 10 000 steps.
const ROUNDING: f64 = 1e-10;

fn judge(table: &Table) -> Verdict {
    // Potential energy between level and hanging.
    let exchanged = 0.5 * G;
    let [published, own] = CHANGES.map(|name| {
        let points = table.points(STEP, name);
        points
            .iter()
            .map(|[h, e]| [*h, e / exchanged])
            .collect::<Vec<_>>()
    });
    let (Some(long), Some(short)) = (published.first(), published.last()) else {
        return Verdict::unjudged("the table has no steps");
    };
    let worst = published.iter().fold(0.0_f64, |worst, p| worst.max(p[1]));
    let last = |points: &[[f64; 2]]| order(&points[points.len().saturating_sub(4)..]);
    Verdict::of(
        worst < ROUNDING,
        format!(
            "of what is exchanged {:.2e} at h = {} s and {:.2e} at {} s, by order {:.2} of the step, {:.2} with corrections; a body that falls freely by \
             eq. 36 and 37 loses m g² h t/2 already, which no constraint gives back",
            long[1],
            long[0],
            short[1],
            short[0],
            last(&published),
            last(&own),
        ),
    )
}

fn plot(table: &Table) -> Plot {
    Plot {
        title: "Largest change of the energy of a stiff pendulum".into(),
        axes: [STEP, "energy change [J]"].map(Into::into),
        logarithmic: [true, true],
        curves: CHANGES
            .map(|name| Curve {
                name: name.into(),
                points: table.points(STEP, name),
            })
            .into(),
    }
}
