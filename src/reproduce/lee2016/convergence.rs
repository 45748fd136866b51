//! Figure 4a: the residual by iteration from the zero guess.

use super::{PAPER, chain, settings, simulation, step};
use crate::claimed::in_words;
use crate::{Effort, Item, RunError, Standing, Subject, Table, Verdict, Watch};
use physics::figures::{Curve, Plot};
use physics::integrators::{self, LinearSolver, Settings};

/// The item.
pub const ITEM: Item = Item {
    paper: PAPER,
    figure: "4a",
    claim: "from the zero guess Newton's method converges quadratically and RIQN linearly",
    place: "sect. 4.4, fig. 4a",
    setup: "the first step of 1 ms of a chain of 50 links, tolerance 1e-8 of the forces",
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

const ITERATION: &str = "iteration";
const NEWTON: &str = "minimal-newton";
const RIQN: &str = "minimal-riqn";
const BROYDEN: &str = "minimal-broyden";

fn run(_: Effort, watch: Watch) -> Result<Table, RunError> {
    let mechanism = chain(50, 9.81);
    let mut table = Table::new([ITERATION, NEWTON, RIQN, BROYDEN]);
    let mut histories = Vec::new();
    for (k, method) in [NEWTON, RIQN, BROYDEN].into_iter().enumerate() {
        let mut settings = Settings {
            linear_solver: LinearSolver::Dense,
            ..settings(1e-8)
        };
        if let Ok(info) = integrators::find(method) {
            let zero = settings.options.set(info.options, "guess", &"zero".into());
            zero.expect("the methods in joint coordinates have the option");
        }
        let mut sim = simulation(&mechanism, method, settings)?;
        step(&mut sim)?;
        let history = sim.report().history.iter().map(|i| i.residual);
        histories.push(history.collect::<Vec<f64>>());
        watch((k + 1) as f64 / 3.0, &table)?;
    }
    let longest = histories.iter().map(Vec::len).max().unwrap_or(0);
    for k in 0..longest {
        let residuals = histories
            .iter()
            .map(|h| h.get(k).copied().unwrap_or(f64::NAN));
        table
            .rows
            .push([k as f64].into_iter().chain(residuals).collect());
    }
    Ok(table)
}

/// Residual below which it measures the imbalance: above, the imbalance itself is most of the forces that it is relative to.
const SMALL: f64 = 0.5;

/// Pairs of small residuals that follow each other.
fn pairs(table: &Table, method: &str) -> Vec<[f64; 2]> {
    let residuals = table.points(ITERATION, method);
    let pairs = residuals.windows(2).map(|w| [w[0][1], w[1][1]]);
    pairs.filter(|pair| pair[0] < SMALL).collect()
}

fn judge(table: &Table) -> Verdict {
    let [newton, riqn] = [NEWTON, RIQN].map(|method| pairs(table, method));
    if newton.is_empty() || riqn.len() < 2 {
        return Verdict::unjudged("the table has too few iterations");
    }
    // Quadratic: about twice as many digits after an iteration as before it. Linear: each iteration gains about as many.
    let digits = |residual: f64| -residual.log10();
    let doubled = newton.iter().map(|[a, b]| digits(*b) / digits(*a));
    let order = doubled.fold(0.0, f64::max);
    let gains: Vec<f64> = riqn.iter().map(|[a, b]| digits(*b) - digits(*a)).collect();
    let least = gains.iter().copied().fold(f64::INFINITY, f64::min);
    let most = gains.iter().copied().fold(0.0, f64::max);
    let linear = least > 0.0 && most < 3.0 * least && riqn.len() > newton.len();
    let words: Vec<String> = gains.iter().map(|g| format!("{g:.1}")).collect();
    Verdict::of(
        order > 1.8 && linear,
        format!(
            "an iteration of Newton's method multiplies the digits by up to {order:.1}; those of RIQN gain {} digits",
            words.join(", ")
        ),
    )
}

fn plot(table: &Table) -> Plot {
    Plot {
        title: "Residual by iteration, 50 links, zero guess".into(),
        axes: ["iteration", "residual relative to the forces"].map(Into::into),
        logarithmic: [false, true],
        curves: [NEWTON, RIQN, BROYDEN]
            .map(|name| Curve {
                name: name.into(),
                points: table.points(ITERATION, name),
            })
            .into(),
    }
}
