//! Figure 4c of the earlier paper: a Newton step by the sparse factorisation and by a dense one.

use super::{OURS, PAPER_2020, STEP, TOLERANCE, chain, growth};
use crate::claimed::{linear, power};
use crate::{Effort, Item, RunError, Standing, Subject, Table, Verdict, Watch, mean_time};
use physics::figures::{Curve, Plot};
use physics::integrators::LinearSolver;
use physics::sim::Simulation;

/// The item.
pub const ITEM: Item = Item {
    paper: PAPER_2020,
    figure: "4c",
    claim: "a Newton step takes linear time by the sparse factorisation and cubic time by a dense one",
    place: "sect. 5.1, fig. 4c",
    setup: "hinged chains of 1 to 40 links, where the paper ends at 10; time of a step over its factorisations, the least of each step \
            in five runs of 20, quick of 5; multiplications as the pattern of the factors has them",
    expected: Standing::Holds,
    timed: true,
    run,
    judge,
    plot,
    scene: Subject::Run("chain:links=10,joint=revolute,inertia=paper"),
    claimed,
};

const LINKS: &str = "links";
const SPARSE: &str = "block LDU [s]";
const DENSE: &str = "dense LU [s]";
const PAIRS: &str = "pairs of body and joint [s]";
const SPARSE_WORK: &str = "multiplications of block LDU";
const DENSE_WORK: &str = "multiplications of dense LU";

fn run(effort: Effort, watch: Watch) -> Result<Table, RunError> {
    let (steps, repeats) = match effort {
        Effort::Quick => (5, 5),
        Effort::Full => (20, 5),
    };
    let sizes = [1, 2, 5, 10, 20, 40];
    let mut table = Table::new([LINKS, SPARSE, DENSE, PAIRS, SPARSE_WORK, DENSE_WORK]);
    for (k, links) in sizes.into_iter().enumerate() {
        let (model, state) = chain(links, "revolute");
        let mut row = vec![links as f64];
        for linear_solver in [
            LinearSolver::BlockLdu,
            LinearSolver::Dense,
            LinearSolver::Articulated,
        ] {
            let mut settings = OURS.settings(STEP, TOLERANCE)?;
            settings.linear_solver = linear_solver;
            let mut sim = Simulation::new(model.clone(), state.clone(), OURS.method, settings)?;
            row.push(newton_step(&mut sim, steps, repeats)?);
        }
        let work = OURS
            .simulation(&(model, state), STEP, TOLERANCE)?
            .structure()
            .operations;
        row.extend([work.block_ldu, work.dense].map(|n| n as f64));
        table.rows.push(row);
        watch((k + 1) as f64 / sizes.len() as f64, &table)?;
    }
    Ok(table)
}

/// Mean time of a Newton step [s]: of the steps after the first over the factorisations that they take.
fn newton_step(sim: &mut Simulation, steps: u32, repeats: u32) -> Result<f64, RunError> {
    let mut factorisations = 0;
    for k in 0..=steps {
        super::super::step(sim)?;
        if k > 0 {
            factorisations += sim.report().factorisations;
        }
    }
    let time = mean_time(sim, steps, repeats)?;
    Ok(time * f64::from(steps) / f64::from(factorisations))
}

/// Exponents that are linear and cubic growth between 10 and 40 links: what does not grow with the links, and what caches do, is
/// a part of the times, and their multiplications tell exactly.
const LINEAR: f64 = 1.5;
const CUBIC: f64 = 2.0;

fn judge(table: &Table) -> Verdict {
    let exponent = |column: &str| growth(table, LINKS, column, 10.0);
    let [sparse, dense] = [SPARSE, DENSE].map(exponent);
    let [sparse_work, dense_work] = [SPARSE_WORK, DENSE_WORK].map(exponent);
    let at = |column: &str| table.at(LINKS, 40.0, column);
    let (Some(fast), Some(slow)) = (at(SPARSE), at(DENSE)) else {
        return Verdict::unjudged("the table lacks 40 links");
    };
    Verdict::of(
        sparse <= LINEAR && dense >= CUBIC && sparse_work < 1.1 && dense_work > 2.9 && fast < slow,
        format!(
            "from 10 links on the time of a Newton step grows with their number to the power of {sparse:.2}, dense {dense:.2}; its \
             multiplications {sparse_work:.2} and {dense_work:.2}; at 40 links dense takes {:.0} times as long",
            slow / fast
        ),
    )
}

fn claimed(table: &Table) -> Vec<Curve> {
    let sparse = linear(&table.points(LINKS, SPARSE), 10.0);
    let dense = power("paper: cubic", &table.points(LINKS, DENSE), 10.0, 3.0);
    sparse.into_iter().chain(dense).collect()
}

fn plot(table: &Table) -> Plot {
    Plot {
        title: "Time of a Newton step of a chain".into(),
        axes: [LINKS, "time [s]"].map(Into::into),
        logarithmic: [true, true],
        curves: [SPARSE, DENSE, PAIRS]
            .map(|name| Curve {
                name: name.into(),
                points: table.points(LINKS, name),
            })
            .into(),
    }
}
