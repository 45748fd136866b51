//! Figure 4d of the earlier paper: how Newton's method converges in a step.

use super::{OURS, PAPER_2020, STEP, chain, chain_of_cylinders};
use crate::claimed::points;
use crate::runs::Case;
use crate::{Effort, Item, RunError, Standing, Subject, Table, Verdict, Watch, step};
use physics::figures::{Curve, Plot};

/// The item.
pub const ITEM: Item = Item {
    paper: PAPER_2020,
    figure: "4d",
    claim: "Newton's method converges quadratically: each iteration doubles the accuracy, for 1, 10 and 100 links",
    place: "sect. 5.1, fig. 4d",
    setup: "the first step of 10 ms of hinged chains, straight at 45°, tolerance 1e-12, from the velocities of the start; the error \
            is the larger of unbalanced forces and open joints, relative to what they are measured by; with the inertia that the paper's code \
            gives its cylinders, and with the right one",
    expected: Standing::Holds,
    timed: false,
    run,
    judge,
    plot,
    scene: Subject::Run("chain:links=10,joint=revolute,inertia=paper"),
    claimed,
};

const ITERATION: &str = "iteration";
const LINKS: [usize; 3] = [1, 10, 100];
/// Smallest tolerance that settings take: what is below is rounding.
const TIGHTEST: f64 = 1e-12;

fn column(links: usize) -> String {
    format!("{links} links")
}

/// With the right inertia.
fn right(links: usize) -> String {
    format!("{links} links, right inertia")
}

fn run(_: Effort, watch: Watch) -> Result<Table, RunError> {
    steps(&OURS, watch)
}

/// First steps by a method.
pub fn steps(case: &Case, watch: Watch) -> Result<Table, RunError> {
    let columns = LINKS.map(column).into_iter().chain(LINKS.map(right));
    let mut table = Table::new([ITERATION.to_owned()].into_iter().chain(columns));
    let mut histories = Vec::new();
    let printed = LINKS.map(|links| chain(links, "revolute"));
    let right = LINKS.map(|links| chain_of_cylinders(links, "revolute"));
    for (k, mechanism) in printed.iter().chain(&right).enumerate() {
        let mut sim = case.simulation(mechanism, STEP, TIGHTEST)?;
        step(&mut sim)?;
        let history = &sim.report().history;
        let errors = history.iter().map(|i| i.residual.max(i.constraint));
        histories.push(errors.collect::<Vec<f64>>());
        watch((k + 1) as f64 / 6.0, &table)?;
    }
    let longest = histories.iter().map(Vec::len).max().unwrap_or(0);
    for k in 0..longest {
        let errors = histories
            .iter()
            .map(|h| h.get(k).copied().unwrap_or(f64::NAN));
        table
            .rows
            .push([k as f64].into_iter().chain(errors).collect());
    }
    Ok(table)
}

/// Errors between which the order shows: those above are far from the solution, what follows those below is rounding.
const SHOWS: std::ops::Range<f64> = 1e-8..0.1;

fn judge(table: &Table) -> Verdict {
    let mut orders = Vec::new();
    for name in LINKS.map(column).into_iter().chain(LINKS.map(right)) {
        let errors = table.points(ITERATION, &name);
        let pairs = errors.windows(2).map(|w| [w[0][1], w[1][1]]);
        let mut orders_of = pairs
            .filter(|p| SHOWS.contains(&p[0]))
            .map(|p| p[1].max(TIGHTEST * 1e-4).ln() / p[0].ln());
        let Some(order) = orders_of.next_back() else {
            return Verdict::unjudged(format!("no iteration of {name} shows an order"));
        };
        orders.push((order, errors.len() - 1, name));
    }
    let shown: Vec<String> = orders
        .iter()
        .map(|(order, count, name)| format!("{order:.1} at {name} in {count} iterations"))
        .collect();
    Verdict::of(
        orders.iter().all(|(order, _, _)| *order >= 1.8),
        format!(
            "the last iteration above rounding multiplies the digits by {}",
            shown.join(", ")
        ),
    )
}

/// Twice the digits in each iteration, from the first error of ten links that has one.
fn claimed(table: &Table) -> Vec<Curve> {
    let found = table.points(ITERATION, &column(LINKS[1]));
    let late = found.iter().skip_while(|p| p[1] > 0.1);
    let Some([first, error]) = late.clone().next().copied() else {
        return Vec::new();
    };
    let law: Vec<[f64; 2]> = late
        .map(|p| [p[0], error.powf((p[0] - first).exp2())])
        .collect();
    vec![points("paper: twice the digits", &law)]
}

fn plot(table: &Table) -> Plot {
    Plot {
        title: "Error by iteration of the first step of a chain".into(),
        axes: ["iteration", "relative error"].map(Into::into),
        logarithmic: [false, true],
        curves: LINKS
            .map(|links| Curve {
                name: column(links),
                points: table.points(ITERATION, &column(links)),
            })
            .into(),
    }
}
