//! Chains to 10 000 links and loops to 1000 segments.

use super::BEYOND;
use crate::claimed::linear;
use crate::maximal::{OURS, TOLERANCE, growth, largest, opened};
use crate::{Effort, Item, RunError, Standing, Subject, Table, Verdict, Watch, mean_time, step};
use physics::figures::{Curve, Plot};
use physics::model::{Model, State};
use physics::sim::Simulation;

/// Chains.
pub const CHAINS: Item = Item {
    paper: BEYOND,
    figure: "chains",
    claim: "chains of 10 000 links run with their joints closed, at multiplications in proportion to the links and a time of a step that \
            grows little faster",
    place: "[Brüdigam2023] fig. 8a goes to 100 links",
    setup: "hinged chains of 100 to 10 000 links with the inertia of solid cylinders, straight at 45°, 100 steps, quick 10, of 10 ms over a \
            hundredth of the links, in which a wave of tension runs along about as many of them; variational at 1e-10; time of a step, \
            and of an iteration of Newton's method, the least of each step in three runs, or processor time where those are long; multiplications are counted up to 1200 bodies",
    expected: Standing::Holds,
    timed: true,
    run: |effort, watch| run(&chain, &[100, 300, 1000, 3000, 10_000], effort, watch),
    judge,
    plot: |table| plot(table, "chains"),
    scene: Subject::Run("chain:links=100,joint=revolute,inertia=cylinder"),
    claimed: |table| {
        linear(&table.points(SIZE, TIME), 100.0)
            .into_iter()
            .collect()
    },
};

/// Loops.
pub const LOOPS: Item = Item {
    figure: "loops",
    claim: "chains of 1000 closed segments of four links run with their joints closed, at multiplications in proportion to the segments and a \
            time of a step that grows little faster",
    place: "[Brüdigam2023] fig. 9a goes to 10 segments",
    setup: "10 to 1000 segments of four boxes of 1 m, 100 steps, quick 10, of 10 ms over a tenth of the segments; all hinges closed in full, \
            three rows of each segment redundant; variational at 1e-10; times as for the chains",
    run: |effort, watch| run(&segments, &[10, 30, 100, 300, 1000], effort, watch),
    plot: |table| plot(table, "chains of four-link segments"),
    scene: Subject::Run("four-bar-chain:segments=30"),
    claimed: |table| {
        linear(&table.points(SIZE, TIME), 10.0)
            .into_iter()
            .collect()
    },
    ..CHAINS
};

const SIZE: &str = "bodies";
const TIME: &str = "time of a step [s]";
const ITERATION: &str = "time of an iteration [s]";
const WORK: &str = "multiplications of an elimination";
const ITERATIONS: &str = "iterations of a step";
const OPEN: &str = "widest opening over the length";
const SHORT: &str = "steps that fell short";

/// A mechanism of a size, its step (s) and its length (m).
pub type Sized = (Model, State, f64, f64);

/// A chain of so many links.
pub fn chain(links: usize) -> Sized {
    let (model, state) = opened(&format!(
        "chain:links={links},joint=revolute,inertia=cylinder"
    ));
    (model, state, 1.0 / links as f64, links as f64)
}

/// A chain of so many segments.
pub fn segments(segments: usize) -> Sized {
    let (model, state) = opened(&format!("four-bar-chain:segments={segments}"));
    (model, state, 0.1 / segments as f64, 2.0 * segments as f64)
}

fn run(
    of: &dyn Fn(usize) -> Sized,
    sizes: &[usize],
    effort: Effort,
    watch: Watch,
) -> Result<Table, RunError> {
    let steps = match effort {
        Effort::Quick => 10,
        Effort::Full => 100,
    };
    let mut table = Table::new([SIZE, TIME, ITERATION, WORK, ITERATIONS, OPEN, SHORT]);
    let total: usize = sizes.iter().sum();
    let mut done = 0;
    for &size in sizes {
        let row = measured(of(size), TOLERANCE, steps)?;
        table.rows.push(row);
        done += size;
        watch(done as f64 / total as f64, &table)?;
    }
    Ok(table)
}

/// Bodies up to which multiplications are counted: what the order of elimination saves is counted with them, at the cost of a dense
/// elimination.
const COUNTED: usize = 1200;

/// Runs of a mechanism, of which the least time of each step counts.
const REPEATS: u32 = 3;

/// Processor time of this thread so far (s), where the system tells it.
fn processor_time() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    let nanoseconds: f64 = text.split_whitespace().next()?.parse().ok()?;
    Some(1e-9 * nanoseconds)
}

/// Processor time of all runs from which on it is exact beside the ticks by which systems count it (s).
const COUNTABLE: f64 = 0.1;

/// Mean time of a step [s]: of the least time of each, or of processor time where runs are so long that others have a part of every
/// step.
fn time(sim: &mut Simulation, steps: u32) -> Result<f64, RunError> {
    let before = processor_time();
    let least = mean_time(sim, steps, REPEATS)?;
    let used = processor_time()
        .zip(before)
        .map(|(after, before)| after - before);
    // The first step of each run is not counted among the times.
    let taken = f64::from(REPEATS * (steps + 1));
    Ok(match used {
        Some(used) if used > COUNTABLE => least.min(used / taken),
        _ => least,
    })
}

/// A row of the table.
pub fn measured(
    (model, state, dt, length): Sized,
    tolerance: f64,
    steps: u32,
) -> Result<Vec<f64>, RunError> {
    let bodies = model.bodies.len();
    let settings = OURS.settings(dt, tolerance)?;
    let mut sim = Simulation::new(model, state, OURS.method, settings)?;
    let mut open = 0.0_f64;
    let [mut iterations, mut short] = [0; 2];
    // The first step makes room.
    step(&mut sim)?;
    for _ in 0..steps {
        step(&mut sim)?;
        let report = sim.report();
        iterations += report.iterations;
        short += u32::from(report.residual > tolerance || report.substeps > 0);
        open = open.max(sim.sample().drift_position);
    }
    let time = time(&mut sim, steps)?;
    let work = if bodies <= COUNTED {
        sim.structure().operations.articulated as f64
    } else {
        f64::NAN
    };
    let each = f64::from(iterations) / f64::from(steps);
    Ok(vec![
        bodies as f64,
        time,
        time / each,
        work,
        each,
        open / length,
        f64::from(short),
    ])
}

/// Exponent up to which the time of a step grows little faster than systems, which leave one cache after the other.
const LITTLE: f64 = 1.4;
/// That of multiplications, which are counted.
const PROPORTIONAL: f64 = 1.02;
/// Openings that are none: the tolerance and rounding, over lengths of the mechanism.
const CLOSED: f64 = 2.0 * TOLERANCE;

fn judge(table: &Table) -> Verdict {
    let Some(last) = table.rows.last().filter(|row| row.len() == 7) else {
        return Verdict::unjudged("the table has no rows");
    };
    if last[0] < 4000.0 {
        return Verdict::unjudged("the table ends before 4000 bodies");
    }
    let exponent = |column: &str| growth(table, SIZE, column, 0.0);
    let [time, iteration, work] = [TIME, ITERATION, WORK].map(exponent);
    let [open, short] = [OPEN, SHORT].map(|c| largest(&table.column(c)));
    let iterations = table.column(ITERATIONS);
    Verdict::of(
        time <= LITTLE && work <= PROPORTIONAL && open <= CLOSED && short == 0.0,
        format!(
            "multiplications grow with the bodies to the power of {work:.3}, the time of an iteration {iteration:.2}, of a step {time:.2}; at \
             {} bodies an iteration takes {:.2} µs a body, at {} {:.2}, with {:.1} and {:.1} iterations a step; joints open by at most \
             {open:.0e} of the length; {short:.0} steps fell short",
            table.rows[0][0],
            1e6 * table.rows[0][2] / table.rows[0][0],
            last[0],
            1e6 * last[2] / last[0],
            iterations[0],
            iterations[iterations.len() - 1],
        ),
    )
}

fn plot(table: &Table, of: &str) -> Plot {
    Plot {
        title: format!("Time of a step of long {of}"),
        axes: [SIZE, "time [s]"].map(Into::into),
        logarithmic: [true, true],
        curves: [TIME, ITERATION]
            .map(|name| Curve {
                name: name.into(),
                points: table.points(SIZE, name),
            })
            .into(),
    }
}
