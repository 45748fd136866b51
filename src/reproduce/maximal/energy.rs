//! The energy of a double pendulum over an hour: figure 4a of the earlier paper, 7b of the later one.

use super::{OURS, PAPER_2020, PAPER_2023, STEP, TOLERANCE, described, largest};
use crate::claimed::in_words;
use crate::runs::Case;
use crate::{Effort, Item, RunError, Standing, Subject, Table, Verdict, Watch, step};
use physics::figures::{Curve, Plot};
use physics::model::{Model, State};

/// The item of the earlier paper.
pub const ITEM_2020: Item = Item {
    paper: PAPER_2020,
    figure: "4a",
    claim: "the energy error of the variational integrator stays bounded over an hour in steps of 10 ms, that of Heun's method grows",
    place: "sect. 5.1, fig. 4a",
    setup: "cubes of 0.1 m and 1 kg at the ends of massless arms of 1 m, the first level and the second hanging, as in the paper's \
            code; 3600 s, quick 1200 s; variational at 1e-10 beside heun with its joints closed after every step, where the paper \
            ran Heun's method on points in two angles",
    expected: Standing::Holds,
    timed: false,
    run: |effort, watch| run(SECOND_HANGS, effort, watch),
    judge,
    plot,
    scene: Subject::Near(
        "double_pendulum",
        "two slender links; what is run has cubes of 0.1 m at the ends of massless arms, the first of them level",
    ),
    claimed: in_words,
};

/// The item of the later paper.
pub const ITEM_2023: Item = Item {
    paper: PAPER_2023,
    figure: "7b",
    place: "sect. 5.1, fig. 7b",
    setup: "as figure 4a of the earlier paper, both arms level, as in the later paper's code",
    run: |effort, watch| run(SECOND_LEVEL, effort, watch),
    ..ITEM_2020
};

/// Angle of the second arm to the first [degrees].
const SECOND_HANGS: f64 = -90.0;
const SECOND_LEVEL: f64 = 0.0;

const TIME: &str = "time [s]";
const KEPT: &str = "variational [J]";
const GROWS: &str = "Heun [J]";

/// The rival.
pub const HEUN: Case = Case {
    name: "Heun",
    method: "heun",
    options: &[("stabilisation", "projection")],
};

/// Rows of the table.
const ROWS: u64 = 1000;

fn mechanism(second: f64) -> (Model, State) {
    let cube = r#"(mass: 1, inertia: ("0.01/6", "0.01/6", "0.01/6"), centre: (0, 0, -1))"#;
    described(&format!(
        r#"(version: 1, bodies: {{"upper": {cube}, "lower": {cube}}},
            joints: {{"shoulder": (kind: revolute, child: "upper", axis: (1, 0, 0), at: "90 deg"),
                "elbow": (kind: revolute, parent: "upper", child: "lower", anchor: (0, 0, -1), axis: (1, 0, 0), at: "{second} deg")}})"#
    ))
}

fn run(second: f64, effort: Effort, watch: Watch) -> Result<Table, RunError> {
    let duration = match effort {
        Effort::Quick => 1200.0,
        Effort::Full => 3600.0,
    };
    compared(second, duration, [&OURS, &HEUN], watch)
}

/// Steps between two looks at the energy, of which a row has the largest error.
const LOOK: u64 = 4;

/// Energy errors of two methods, by the largest between two rows.
pub fn compared(
    second: f64,
    duration: f64,
    cases: [&Case; 2],
    watch: Watch,
) -> Result<Table, RunError> {
    let mechanism = mechanism(second);
    let [mut ours, mut heun] = [
        cases[0].simulation(&mechanism, STEP, TOLERANCE)?,
        cases[1].simulation(&mechanism, STEP, TOLERANCE)?,
    ];
    let between = (duration / STEP / (LOOK * ROWS) as f64).round() as u64;
    let mut table = Table::new([TIME, KEPT, GROWS]);
    for row in 0..ROWS {
        let mut worst = [0.0_f64; 2];
        for _ in 0..between {
            for (sim, worst) in [&mut ours, &mut heun].into_iter().zip(&mut worst) {
                for _ in 0..LOOK {
                    step(sim)?;
                }
                let error = sim.sample().energy_error;
                if error.abs() > worst.abs() {
                    *worst = error;
                }
            }
        }
        table.rows.push(vec![ours.state().time, worst[0], worst[1]]);
        watch((row + 1) as f64 / ROWS as f64, &table)?;
    }
    Ok(table)
}

/// How much larger errors of the last tenth are than those of the first where they are bounded, and where they grow.
const BOUNDED: f64 = 1.2;
const GROWN: f64 = 2.0;

fn judge(table: &Table) -> Verdict {
    let tenth = table.rows.len() / 10;
    if tenth < 10 || table.columns.len() != 3 {
        return Verdict::unjudged("the table has fewer than 100 rows");
    }
    let ends = |name: &str| {
        let all = table.column(name);
        [largest(&all[..tenth]), largest(&all[all.len() - tenth..])]
    };
    let [ours, heun] = [KEPT, GROWS].map(ends);
    let all = largest(&table.column(KEPT));
    let bounded = ours[1] <= BOUNDED * ours[0] && all <= BOUNDED * ours[0];
    Verdict::of(
        bounded && heun[1] >= GROWN * heun[0],
        format!(
            "largest energy error in the first and in the last tenth of the run: variational {:.3} and {:.3} J, at most {all:.3} J \
             between; Heun {:.3} and {:.3} J",
            ours[0], ours[1], heun[0], heun[1]
        ),
    )
}

fn plot(table: &Table) -> Plot {
    Plot {
        title: "Energy error of a double pendulum".into(),
        axes: ["time [s]", "energy error [J]"].map(Into::into),
        logarithmic: [false, false],
        curves: [KEPT, GROWS]
            .map(|name| Curve {
                name: name.into(),
                points: table.points(TIME, name),
            })
            .into(),
    }
}
