//! Chains of rhombi of four links: figure 6 of the earlier paper, 9a of the later one.

use super::{
    OURS, PAPER_2020, PAPER_2023, STEP, TOLERANCE, growth, largest, opened, time, with_joints,
};
use crate::claimed::{in_words, linear};
use crate::runs::Case;
use crate::{Effort, Item, RunError, Standing, Subject, Table, Verdict, Watch, mean_time, step};
use physics::figures::{Curve, Plot};
use physics::integrators::LinearSolver;
use physics::model::{JointKind, Model, State};
use physics::sim::Simulation;

/// The item of the earlier paper.
pub const ITEM_2020: Item = Item {
    paper: PAPER_2020,
    figure: "6",
    claim: "chains of four-link segments run for 10 s with their loops closed, at a time that grows hardly faster than their number; the \
            explicit integrator cannot reliably simulate two segments or more",
    place: "sect. 5.2, fig. 6",
    setup: "1 to 10 segments of four boxes of 1 m, 1000 steps of 10 ms, quick 1 to 6 segments; all hinges closed in full, and \
            with one hinge of each segment that may slide along its axis, as in the paper's code; rk4 without stabilisation stands for the explicit integrator",
    expected: Standing::Holds,
    timed: true,
    run: |effort, watch| motions(effort, [&OURS, &Case::plain("rk4")], TOLERANCE, watch),
    judge: judge_2020,
    plot: plot_2020,
    scene: Subject::Run("four-bar-chain:segments=3"),
    claimed: |table| {
        linear(&table.points(SEGMENTS, TIME), 2.0)
            .into_iter()
            .collect()
    },
};

/// The item of the later paper.
pub const ITEM_2023: Item = Item {
    paper: PAPER_2023,
    figure: "9a",
    claim: "on chains of four-link segments time grows modestly with the reduced fill-in, and much less than with a dense solver",
    place: "sect. 5.2, fig. 9a",
    setup: "1 to 10 segments, mean over 100 steps of 10 ms, quick 3 and 1 to 6 segments, of the least time of each in three runs, dense \
            over 3; block LDU on the mechanism's graph, as the paper's, dense LU, and pairs of body and joint; block LDU with segments closed \
            as in the paper's code too; multiplications as the pattern of the factors has them",
    run: solvers,
    judge: judge_2023,
    plot: plot_2023,
    claimed: in_words,
    ..ITEM_2020
};

const SEGMENTS: &str = "segments";
const TIME: &str = "variational [s]";
const OPEN: &str = "variational: widest opening [m]";
const ERROR: &str = "variational: energy error over that of the start";
const FELL_SHORT: &str = "variational: steps that fell short";
const LOST: &str = "rk4: time to an opening of 1 cm [s]";
/// The same with segments closed as in the code of the papers.
const PRINTED: [&str; 4] = [
    "variational, closed as printed: widest opening [m]",
    "variational, closed as printed: energy error over that of the start",
    "variational, closed as printed: steps that fell short",
    "rk4, closed as printed: time to an opening of 1 cm [s]",
];

/// Steps of a run.
const STEPS: u64 = 1000;
/// Opening at which a joint is no joint any more (m).
const BROKEN: f64 = 0.01;

fn segments(effort: Effort) -> &'static [usize] {
    match effort {
        Effort::Quick => &[1, 2, 3, 6],
        Effort::Full => &[1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
    }
}

/// Closed in full, or as in the code of the papers.
fn mechanism(segments: usize, printed: bool) -> (Model, State) {
    let full = opened(&format!("four-bar-chain:segments={segments}"));
    if !printed {
        return full;
    }
    with_joints(full, JointKind::Cylindrical, |name| name.starts_with("ac_"))
}

/// Motions by two methods.
pub fn motions(
    effort: Effort,
    cases: [&Case; 2],
    tolerance: f64,
    watch: Watch,
) -> Result<Table, RunError> {
    let columns = [SEGMENTS, TIME, OPEN, ERROR, FELL_SHORT, LOST];
    let mut table = Table::new(columns.into_iter().chain(PRINTED));
    let all = segments(effort);
    for (k, &count) in all.iter().enumerate() {
        let full = mechanism(count, false);
        let time = time(&full, cases[0], tolerance, (100, 3))?;
        let mut row = vec![count as f64, time];
        row.extend(motion(&full, cases, tolerance)?);
        row.extend(motion(&mechanism(count, true), cases, tolerance)?);
        table.rows.push(row);
        watch((k + 1) as f64 / all.len() as f64, &table)?;
    }
    Ok(table)
}

/// Widest opening, largest energy error and steps that fell short by the first method, and the time to an opening by the second.
fn motion(
    mechanism: &(Model, State),
    cases: [&Case; 2],
    tolerance: f64,
) -> Result<[f64; 4], RunError> {
    let mut sim = cases[0].simulation(mechanism, STEP, tolerance)?;
    let [mut open, mut error] = [0.0_f64; 2];
    let swing = weight_times_length(&mechanism.0);
    for _ in 0..STEPS {
        // A step that fails is counted.
        let _ = step(&mut sim);
        let sample = sim.sample();
        open = open.max(sample.drift_position);
        error = error.max(sample.energy_error.abs() / swing);
    }
    let short = STEPS - sim.outcomes().converged;
    let mut rival = cases[1].simulation(mechanism, STEP, tolerance)?;
    let mut lost = f64::INFINITY;
    for _ in 0..STEPS {
        if step(&mut rival).is_err() || rival.sample().drift_position > BROKEN {
            lost = rival.state().time;
            break;
        }
    }
    Ok([open, error, short as f64, lost])
}

/// Weight of all bodies times a metre: what energies are measured by (J).
fn weight_times_length(model: &Model) -> f64 {
    model.bodies.iter().map(|b| b.mass).sum::<f64>() * model.gravity.norm()
}

/// Exponent of a modest growth, where that of dense solvers comes to 3.
const MODEST: f64 = 1.6;
/// Openings that are none: the tolerance times lengths of a metre, and rounding (m).
const CLOSED: f64 = 2.0 * TOLERANCE;

fn judge_2020(table: &Table) -> Verdict {
    let exponent = growth(table, SEGMENTS, TIME, 2.0);
    if table.rows.len() < 3 {
        return Verdict::unjudged("the table has fewer than three rows");
    }
    let [(full, said), (printed, as_printed)] =
        [[OPEN, ERROR, FELL_SHORT, LOST], PRINTED].map(|columns| moved(table, columns));
    Verdict::of(
        exponent <= MODEST && full && printed,
        format!(
            "time of variational grows with the segments to the power of {exponent:.2}; closed in full, {said}; closed as printed, {as_printed}"
        ),
    )
}

/// Whether ours runs and the rival does not, and what was measured.
fn moved(table: &Table, columns: [&str; 4]) -> (bool, String) {
    let [open, error, short, lost] = columns.map(|c| table.column(c));
    let counts = table.column(SEGMENTS);
    let survived = counts
        .iter()
        .zip(&lost)
        .filter(|(n, t)| **n >= 2.0 && t.is_infinite())
        .count();
    let latest = lost.iter().skip(1).copied().fold(0.0, f64::max);
    let holds = largest(&open) <= CLOSED
        && short.iter().all(|n| *n == 0.0)
        && error.iter().all(|e| *e < 0.1)
        && survived == 0;
    let said = format!(
        "joints open by at most {:.1e} m, energy error at most {:.1e} of weight times 1 m, {:.0} steps fell short, and rk4 opens joints of \
         two segments or more by 1 cm within {latest:.2} s, those of {survived} chains never",
        largest(&open),
        largest(&error),
        short.iter().sum::<f64>()
    );
    (holds, said)
}

fn plot_2020(table: &Table) -> Plot {
    Plot {
        title: "Time of a step of a chain of four-link segments".into(),
        axes: [SEGMENTS, "time of a step [s]"].map(Into::into),
        logarithmic: [false, false],
        curves: vec![Curve {
            name: TIME.into(),
            points: table.points(SEGMENTS, TIME),
        }],
    }
}

const SOLVERS: [(&str, LinearSolver); 3] = [
    ("block LDU [s]", LinearSolver::BlockLdu),
    ("dense LU [s]", LinearSolver::Dense),
    ("pairs of body and joint [s]", LinearSolver::Articulated),
];

const SOLVER_PRINTED: &str = "block LDU, closed as printed [s]";
/// Multiplications of block LDU, of dense LU, and of block LDU closed as printed.
const WORK: [&str; 3] = [
    "multiplications of block LDU",
    "multiplications of dense LU",
    "multiplications of block LDU, closed as printed",
];

fn solvers(effort: Effort, watch: Watch) -> Result<Table, RunError> {
    let columns = [SEGMENTS].into_iter().chain(SOLVERS.map(|s| s.0));
    let mut table = Table::new(columns.chain([SOLVER_PRINTED]).chain(WORK));
    let steps = match effort {
        Effort::Quick => 3,
        Effort::Full => 100,
    };
    let all = segments(effort);
    for (k, &count) in all.iter().enumerate() {
        let [full, printed] = [false, true].map(|printed| mechanism(count, printed));
        let mut row = vec![count as f64];
        let mut work = Vec::new();
        let runs = SOLVERS.iter().map(|s| (&full, s.1));
        for ((model, state), linear_solver) in runs.chain([(&printed, LinearSolver::BlockLdu)]) {
            let mut settings = OURS.settings(STEP, TOLERANCE)?;
            settings.linear_solver = linear_solver;
            let mut sim = Simulation::new(model.clone(), state.clone(), OURS.method, settings)?;
            let steps = if linear_solver == LinearSolver::Dense {
                3
            } else {
                steps
            };
            row.push(mean_time(&mut sim, steps, 3)?);
            work.push(sim.structure().operations);
        }
        let work = [work[0].block_ldu, work[0].dense, work[3].block_ldu];
        row.extend(work.map(|n| n as f64));
        table.rows.push(row);
        watch((k + 1) as f64 / all.len() as f64, &table)?;
    }
    Ok(table)
}

fn judge_2023(table: &Table) -> Verdict {
    let Some(last) = table
        .rows
        .last()
        .filter(|row| row.len() == 8 && row[0] >= 4.0)
    else {
        return Verdict::unjudged("the table lacks four segments or more");
    };
    let [sparse, dense, pairs] = SOLVERS.map(|s| growth(table, SEGMENTS, s.0, 2.0));
    let [work, dense_work, printed_work] = WORK.map(|c| growth(table, SEGMENTS, c, 2.0));
    Verdict::of(
        sparse <= MODEST
            && dense >= sparse + 0.5
            && last[2] > last[1]
            && work.max(printed_work) <= MODEST
            && dense_work >= work + 0.5,
        format!(
            "time of a step grows with the segments from 2 on to the power of {sparse:.2} by block LDU, {dense:.2} dense, {pairs:.2} by \
             pairs, multiplications by {work:.2} and {dense_work:.2}; at {} segments dense takes {:.0} times as long as block LDU; closed \
             as printed, block LDU takes {:.2} of the time and {:.2} of the multiplications",
            last[0],
            last[2] / last[1],
            last[4] / last[1],
            last[7] / last[5],
        ),
    )
}

fn plot_2023(table: &Table) -> Plot {
    Plot {
        title: "Time of a step of a chain of four-link segments".into(),
        axes: [SEGMENTS, "time of a step [s]"].map(Into::into),
        logarithmic: [false, true],
        curves: SOLVERS
            .map(|(name, _)| Curve {
                name: name.into(),
                points: table.points(SEGMENTS, name),
            })
            .into(),
    }
}
