//! Figure 2b: the energy of a chain of ten links over many steps.

use super::{PAPER, chain, settings, simulation, step};
use crate::claimed::in_words;
use crate::{Effort, Item, RunError, Standing, Subject, Table, Verdict, Watch};
use physics::figures::{Curve, Plot};

/// The item.
pub const ITEM: Item = Item {
    paper: PAPER,
    figure: "2b",
    claim: "RIQN does not artificially dissipate the energy of a 10-body chain in 10^6 steps of 1 ms, semi-implicit Euler does",
    place: "sect. 4.2, fig. 2b",
    setup: "10 links of 1.5 m, 1 kg and 1 kg m², 9.81 m/s², minimal-riqn at a tolerance of 1e-9 of the forces beside \
            joint-space-euler; 10^6 steps, quick 20 000; first angles and rates are spread evenly where the paper drew them",
    expected: Standing::Holds,
    timed: false,
    run,
    judge,
    plot,
    scene: Subject::Near(
        "chain:links=10,joint=revolute",
        "the chain of this program, straight at 45°; what is run is upright, with angles and rates spread over the joints",
    ),
    claimed: in_words,
};

const TIME: &str = "time [s]";
const RIQN: &str = "minimal-riqn [J]";
const EULER: &str = "joint-space-euler [J]";

/// Rows of the table.
const ROWS: u64 = 1000;

fn run(effort: Effort, watch: Watch) -> Result<Table, RunError> {
    let steps: u64 = match effort {
        Effort::Quick => 20_000,
        Effort::Full => 1_000_000,
    };
    let mechanism = chain(10, 9.81);
    let mut riqn = simulation(&mechanism, "minimal-riqn", settings(1e-9))?;
    let mut euler = simulation(&mechanism, "joint-space-euler", settings(1e-9))?;
    let mut table = Table::new([TIME, RIQN, EULER]);
    for row in 0..=ROWS {
        let sample = riqn.sample();
        let euler_error = euler.sample().energy_error;
        table
            .rows
            .push(vec![sample.time, sample.energy_error, euler_error]);
        if row < ROWS {
            for _ in 0..steps / ROWS {
                step(&mut riqn)?;
                step(&mut euler)?;
            }
        }
        watch(row as f64 / ROWS as f64, &table)?;
    }
    Ok(table)
}

/// Mean of the values.
fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

fn judge(table: &Table) -> Verdict {
    let [riqn, euler] = [RIQN, EULER].map(|name| table.column(name));
    let part = riqn.len() / 5;
    if part < 10 || euler.len() != riqn.len() {
        return Verdict::unjudged("the table has fewer than 50 rows");
    }
    // The mean of the last fifth less that of the first is what is lost or gained for good.
    let drift = |e: &[f64]| mean(&e[e.len() - part..]) - mean(&e[..part]);
    let swing = |e: &[f64]| e.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
    let [lost, eulers] = [drift(&riqn), drift(&euler)];
    // Without a trend the two means differ by less than the error swings.
    let kept = lost.abs() <= 0.5 * swing(&riqn);
    let apart = eulers.abs() > 3.0 * lost.abs();
    Verdict::of(
        kept && apart && swing(&riqn).is_finite(),
        format!(
            "energy error of RIQN at most {:.2e} J, its mean moves by {lost:.1e} J from the first fifth of the run to the \
             last; that of Euler by {eulers:.1e} J",
            swing(&riqn)
        ),
    )
}

fn plot(table: &Table) -> Plot {
    Plot {
        title: "Energy error of a 10-body chain".into(),
        axes: ["time [s]", "energy error [J]"].map(Into::into),
        logarithmic: [false, false],
        curves: [RIQN, EULER]
            .map(|name| Curve {
                name: name.into(),
                points: table.points(TIME, name),
            })
            .into(),
    }
}
