//! Figure 4b: iterations of a step.

use super::{PAPER, chain, settings, simulation, step};
use crate::claimed::in_words;
use crate::{Effort, Item, RunError, Standing, Subject, Table, Verdict, Watch};
use physics::figures::{Curve, Plot};

/// The item.
pub const ITEM: Item = Item {
    paper: PAPER,
    figure: "4b",
    claim: "Newton's method needs fewer iterations per step than RIQN",
    place: "sect. 4.4, fig. 4b",
    setup: "a chain of 50 links, 1000 steps of 1 ms, quick 100, tolerance 1e-8 of the forces, guess of forward dynamics",
    expected: Standing::Holds,
    timed: false,
    run,
    judge,
    plot,
    scene: Subject::Near(
        "chain:links=50,joint=revolute",
        "the chain of this program, straight at 45°; what is run is upright, with angles and rates spread over the joints",
    ),
    claimed: in_words,
};

const STEP: &str = "step";
const NEWTON: &str = "minimal-newton";
const RIQN: &str = "minimal-riqn";

fn run(effort: Effort, watch: Watch) -> Result<Table, RunError> {
    let steps = match effort {
        Effort::Quick => 100,
        Effort::Full => 1000,
    };
    let mechanism = chain(50, 9.81);
    let mut newton = simulation(&mechanism, NEWTON, settings(1e-8))?;
    let mut riqn = simulation(&mechanism, RIQN, settings(1e-8))?;
    let mut table = Table::new([STEP, NEWTON, RIQN]);
    for k in 1..=steps {
        step(&mut newton)?;
        step(&mut riqn)?;
        let [a, b] = [&newton, &riqn].map(|sim| f64::from(sim.report().iterations));
        table.rows.push(vec![f64::from(k), a, b]);
        watch(f64::from(k) / f64::from(steps), &table)?;
    }
    Ok(table)
}

fn judge(table: &Table) -> Verdict {
    let mean = |name: &str| {
        let counts = table.column(name);
        counts.iter().sum::<f64>() / counts.len() as f64
    };
    let [newton, riqn] = [NEWTON, RIQN].map(mean);
    if !(newton.is_finite() && riqn.is_finite()) {
        return Verdict::unjudged("the table has no steps");
    }
    let why = format!("{newton:.2} iterations a step of Newton's method, {riqn:.2} of RIQN");
    Verdict::of(newton < riqn, why)
}

fn plot(table: &Table) -> Plot {
    Plot {
        title: "Iterations of a step, 50 links".into(),
        axes: ["step", "iterations"].map(Into::into),
        logarithmic: [false, false],
        curves: [NEWTON, RIQN]
            .map(|name| Curve {
                name: name.into(),
                points: table.points(STEP, name),
            })
            .into(),
    }
}
