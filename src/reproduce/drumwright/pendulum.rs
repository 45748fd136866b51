//! Figure 4: how far a stiff pendulum opens at its pivot.

use super::{METHOD, PAPER, as_published, described, order, simulation};
use crate::claimed::power;
use crate::{Effort, Item, RunError, Standing, Subject, Table, Verdict, Watch, step};
use physics::figures::{Curve, Plot};
use physics::model::{Model, State};
use physics::sim::Simulation;

/// The item.
pub const ITEM: Item = Item {
    paper: PAPER,
    figure: "4",
    claim: "a pendulum on a joint of k = 1e15 N/m, b = 1 N s/m is stable at h = 0.1 s and 1e-4 s, and the deviation of its pivot is O(h²)",
    place: "sect. 4.4, fig. 4",
    setup: "rod of 1 m and 1 kg, released level, 1 s, by compliant with corrections=0, which is the step of the paper, and as it is; steps \
            of 0.1 s and from 0.0128 s halved to 1e-4 s; of a step of 0.1 s, in which the rod turns by more than half a radian, parts are taken",
    expected: Standing::Holds,
    timed: false,
    run,
    judge,
    plot,
    scene: Subject::Near("pendulum", "a rigid hinge; what is run has one of 1e15 N/m"),
    claimed: |table| {
        power("paper: h²", &table.points(STEP, DEVIATIONS[0]), 0.0, 2.0)
            .into_iter()
            .collect()
    },
};

/// Column of the steps.
pub const STEP: &str = "h [s]";
/// Columns of the deviations, by the step of the paper and as the method is.
const DEVIATIONS: [&str; 2] = ["deviation as published [m]", "deviation [m]"];
/// Columns of the largest change of energy of both.
pub const CHANGES: [&str; 2] = ["energy change as published [J]", "energy change [J]"];
/// Most parts that a step was taken in.
const PARTS: &str = "parts of a step";

/// The steps [s]: the paper's longest, then a ladder to its shortest.
const STEPS: [f64; 9] = [0.1, 0.0128, 0.0064, 0.0032, 0.0016, 8e-4, 4e-4, 2e-4, 1e-4];

/// Deviation that the given load leaves of a pivot of this stiffness is 1e-14 m: what is more is of the method.
const CLOSED: f64 = 1e-8;

/// The pendulum.
pub fn mechanism() -> (Model, State) {
    described(
        r#"(version: 1,
            bodies: {"rod": (mass: 1, inertia: ("1/12", "1/12", 1e-3), centre: (0, 0, -0.5))},
            joints: {"pivot": (kind: revolute, child: "rod", axis: (1, 0, 0), at: "90 deg",
                compliance: (stiffness: 1e15, damping: 1, stiffness_rotation: 1e15, damping_rotation: 1))})"#,
    )
}

/// The motion over a second: largest deviation of the pivot (m), largest change of energy (J), most parts of a step.
fn swing(mut sim: Simulation) -> Result<[f64; 3], RunError> {
    let first = sim.energy().total();
    let mut worst = [0.0_f64; 3];
    let steps = (1.0 / sim.settings().dt).round() as u64;
    for _ in 0..steps {
        step(&mut sim)?;
        let change = sim.energy().total() - first;
        let parts = f64::from(sim.report().substeps.max(1));
        for (worst, now) in worst
            .iter_mut()
            .zip([sim.sample().drift_position, change.abs(), parts])
        {
            *worst = worst.max(now);
        }
    }
    Ok(worst)
}

/// A row a step.
pub fn run(_: Effort, watch: Watch) -> Result<Table, RunError> {
    let columns = [STEP].into_iter().chain(DEVIATIONS).chain(CHANGES);
    let mut table = Table::new(columns.chain([PARTS]));
    let mechanism = mechanism();
    for (k, h) in STEPS.into_iter().enumerate() {
        let [a, b] = [
            swing(as_published(&mechanism, h)?)?,
            swing(simulation(&mechanism, METHOD, h)?)?,
        ];
        table
            .rows
            .push(vec![h, a[0], b[0], a[1], b[1], a[2].max(b[2])]);
        watch((k + 1) as f64 / STEPS.len() as f64, &table)?;
    }
    Ok(table)
}

fn judge(table: &Table) -> Verdict {
    let [published, own] = DEVIATIONS.map(|name| table.points(STEP, name));
    // Steps that were taken whole.
    let whole = |p: &&[f64; 2]| table.at(STEP, p[0], PARTS) == Some(1.0);
    let ladder: Vec<[f64; 2]> = published.iter().filter(whole).copied().collect();
    let at = |h: f64, column: &str| table.at(STEP, h, column);
    let ends = [0.1, 1e-4].map(|h| at(h, DEVIATIONS[0]));
    let ([Some(long), Some(short)], true) = (ends, ladder.len() >= 4) else {
        return Verdict::unjudged(
            "the table lacks 0.1 s, 1e-4 s or four steps that were taken whole",
        );
    };
    let found = order(&ladder);
    let open = own.iter().fold(0.0_f64, |worst, p| worst.max(p[1]));
    let parts = at(0.1, PARTS).unwrap_or(f64::NAN);
    Verdict::of(
        (found - 2.0).abs() < 0.1 && long < 0.1 && open < CLOSED,
        format!(
            "order {found:.3} of the deviation over steps from {:.4} to {:.4} s; {short:.2e} m at 1e-4 s, {long:.2e} m at 0.1 s, taken in up to \
             {parts} parts; followed round its curve the pivot opens by at most {open:.1e} m at any step",
            ladder[0][0],
            ladder[ladder.len() - 1][0],
        ),
    )
}

fn plot(table: &Table) -> Plot {
    Plot {
        title: "Largest deviation of the pivot of a pendulum".into(),
        axes: [STEP, "deviation [m]"].map(Into::into),
        logarithmic: [true, true],
        curves: DEVIATIONS
            .map(|name| Curve {
                name: name.into(),
                points: table.points(STEP, name),
            })
            .into(),
    }
}
