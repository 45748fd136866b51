//! Figure 7 of the earlier paper: the closed-loop leg of a quadruped.

use super::{OURS, PAPER_2020, TOLERANCE, largest, opened};
use crate::claimed::of_plot;
use crate::runs::Case;
use crate::{Effort, Item, RunError, Standing, Subject, Table, Verdict, Watch, step};
use physics::figures::{Curve, Plot};

/// The item.
pub const ITEM: Item = Item {
    paper: PAPER_2020,
    figure: "7",
    claim: "closed-loop segments can be used as legs, as in the quadruped Minitaur",
    place: "sect. 5.2, fig. 7",
    setup: "the paper shows a picture of the robot; here a leg of it trots in the air on its two motors for 10 s, quick 2 s, in steps of 4 ms and \
            2 ms, beside the Runge-Kutta method of Dormand and Prince in steps of 0.2 ms with its joints closed after every step",
    expected: Standing::Holds,
    timed: false,
    run,
    judge,
    plot,
    scene: Subject::Run("minitaur_leg"),
    claimed: |table| of_plot(plot(table), &[COLUMNS[2]]),
};

const TIME: &str = "time [s]";
const COLUMNS: [&str; 3] = [
    "foot in steps of 4 ms [m]",
    "foot in steps of 2 ms [m]",
    "foot of the reference [m]",
];
const AWAY: [&str; 2] = ["4 ms: distance [m]", "2 ms: distance [m]"];
const OPEN: &str = "widest opening [m]";

const STEPS: [f64; 3] = [4e-3, 2e-3, 2e-4];

const REFERENCE: Case = Case {
    name: "reference",
    method: "dopri5",
    options: &[("stabilisation", "projection")],
};

fn run(effort: Effort, watch: Watch) -> Result<Table, RunError> {
    let duration = match effort {
        Effort::Quick => 2.0,
        Effort::Full => 10.0,
    };
    trots(&OURS, duration, watch)
}

/// Heights of the foot's link by a method and by the reference.
pub fn trots(case: &Case, duration: f64, watch: Watch) -> Result<Table, RunError> {
    let mechanism = opened("minitaur_leg");
    let foot = mechanism
        .0
        .bodies
        .iter()
        .position(|b| b.name == "lower_left");
    let foot = foot.expect("the leg has a foot");
    let mut sims = [
        case.simulation(&mechanism, STEPS[0], TOLERANCE)?,
        case.simulation(&mechanism, STEPS[1], TOLERANCE)?,
        REFERENCE.simulation(&mechanism, STEPS[2], TOLERANCE)?,
    ];
    let columns = [TIME].into_iter().chain(COLUMNS).chain(AWAY);
    let mut table = Table::new(columns.chain([OPEN]));
    let rows = (duration / STEPS[0]).round() as u32;
    for row in 1..=rows {
        let mut open = 0.0_f64;
        for (k, sim) in sims.iter_mut().enumerate() {
            for _ in 0..(STEPS[0] / STEPS[k]).round() as u32 {
                step(sim)?;
                if k < 2 {
                    open = open.max(sim.sample().drift_position);
                }
            }
        }
        let places = [0, 1, 2].map(|k| sims[k].state().bodies[foot].position);
        let away = [0, 1].map(|k| (places[k] - places[2]).norm());
        let heights = places.map(|p| p.z);
        let time = [f64::from(row) * STEPS[0]];
        let numbers = time.into_iter().chain(heights).chain(away).chain([open]);
        table.rows.push(numbers.collect());
        watch(f64::from(row) / f64::from(rows), &table)?;
    }
    Ok(table)
}

/// Distance from the reference that is small beside a leg of 0.3 m, at the shorter step (m).
const NEAR: f64 = 5e-3;

fn judge(table: &Table) -> Verdict {
    let [coarse, fine] = AWAY.map(|name| largest(&table.column(name)));
    let open = largest(&table.column(OPEN));
    let heights = table.column(COLUMNS[2]);
    let stroke = heights.iter().copied().fold(f64::MIN, f64::max)
        - heights.iter().copied().fold(f64::MAX, f64::min);
    if heights.is_empty() {
        return Verdict::unjudged("the table has no rows");
    }
    Verdict::of(
        open <= 2.0 * TOLERANCE && fine <= NEAR && coarse >= 1.5 * fine && stroke > 0.02,
        format!(
            "the foot's link rises and falls by {:.0} mm, at most {:.2} mm from the reference in steps of 4 ms and {:.2} mm in steps of 2 ms; \
             joints open by at most {open:.1e} m",
            1e3 * stroke,
            1e3 * coarse,
            1e3 * fine
        ),
    )
}

fn plot(table: &Table) -> Plot {
    Plot {
        title: "Height of the foot's link of a leg that trots".into(),
        axes: [TIME, "height [m]"].map(Into::into),
        logarithmic: [false, false],
        curves: COLUMNS
            .map(|name| Curve {
                name: name.into(),
                points: table.points(TIME, name),
            })
            .into(),
    }
}
