//! Figure 3: time against the number of links.

use super::{PAPER, chain, mean_time, settings, simulation};
use crate::claimed::points;
use crate::{Effort, Item, RunError, Standing, Subject, Table, Verdict, Watch};
use physics::figures::{Curve, Plot};
use physics::integrators::{LinearSolver, Settings};
use physics::model::{Model, State};

/// The item.
pub const ITEM: Item = Item {
    paper: PAPER,
    figure: "3",
    claim: "for the same root finder the recursion is 15 times faster than SVI at 10 DOF and 32 times at 100; with the \
            recursion RIQN is 3.8 times faster than Newton's method at 10 DOF and 53 times at 100",
    place: "sect. 4.3, fig. 3; sect. 5",
    setup: "chains without gravity, tolerance 1e-9 of the forces, dense Jacobians for Newton's method as in the paper; mean \
            over 1000 steps, where the paper ran 10 000, quick 20, of the least time of each in five runs; a tenth of them where \
            Jacobians are dense",
    expected: Standing::Differs,
    timed: true,
    run,
    judge,
    plot,
    scene: Subject::Near(
        "chain:links=10,joint=revolute",
        "the chain of this program, straight at 45°; what is run is upright, with angles and rates spread over the joints",
    ),
    claimed,
};

const LINKS: &str = "links";

/// Methods by column: name, linear solver, most links.
const METHODS: [(&str, &str, LinearSolver, usize); 6] = [
    (
        "SVI, Newton [s]",
        "minimal-svi-newton",
        LinearSolver::Dense,
        100,
    ),
    (
        "DRNEA, Newton [s]",
        "minimal-newton",
        LinearSolver::Dense,
        100,
    ),
    (
        "DRNEA, Newton by articulated bodies [s]",
        "minimal-newton",
        LinearSolver::Articulated,
        1000,
    ),
    (
        "DRNEA, Broyden [s]",
        "minimal-broyden",
        LinearSolver::Articulated,
        1000,
    ),
    (
        "DRNEA, RIQN [s]",
        "minimal-riqn",
        LinearSolver::Articulated,
        1000,
    ),
    (
        "maximal coordinates [s]",
        "variational-2",
        LinearSolver::Articulated,
        1000,
    ),
];

/// Repeated runs, of which the least time of every step counts.
const REPEATS: u32 = 5;

fn run(effort: Effort, watch: Watch) -> Result<Table, RunError> {
    let (sizes, steps): (&[usize], u32) = match effort {
        Effort::Quick => (&[10, 20, 50, 100], 20),
        Effort::Full => (&[10, 20, 50, 100, 200, 500, 1000], 1000),
    };
    let names = METHODS.iter().map(|m| m.0);
    let mut table = Table::new([LINKS].into_iter().chain(names));
    for (k, &links) in sizes.iter().enumerate() {
        let mechanism = chain(links, 0.0);
        let mut row = vec![links as f64];
        for (_, method, solver, most) in METHODS {
            // Cubic costs take hours otherwise.
            let steps = if solver == LinearSolver::Dense {
                steps / 10
            } else {
                steps
            };
            row.push(if links <= most {
                time(&mechanism, method, solver, steps.max(10))?
            } else {
                f64::NAN
            });
        }
        table.rows.push(row);
        watch((k + 1) as f64 / sizes.len() as f64, &table)?;
    }
    Ok(table)
}

/// Mean time of a step (s).
fn time(
    mechanism: &(Model, State),
    method: &str,
    linear_solver: LinearSolver,
    steps: u32,
) -> Result<f64, RunError> {
    let settings = Settings {
        linear_solver,
        ..settings(1e-9)
    };
    mean_time(
        &mut simulation(mechanism, method, settings)?,
        steps,
        REPEATS,
    )
}

fn judge(table: &Table) -> Verdict {
    let ratio = |links: f64, slow: usize, fast: usize| {
        let at = |k: usize| table.at(LINKS, links, METHODS[k].0);
        Some(at(slow)? / at(fast)?)
    };
    let found = [
        ratio(10.0, 0, 1),
        ratio(100.0, 0, 1),
        ratio(10.0, 1, 4),
        ratio(100.0, 1, 4),
        ratio(100.0, 2, 4),
    ];
    let [Some(a), Some(b), Some(c), Some(d), Some(sparse)] = found else {
        return Verdict::unjudged("the table lacks 10 or 100 links");
    };
    let growth = match (
        table.at(LINKS, 10.0, METHODS[4].0),
        table.at(LINKS, 1000.0, METHODS[4].0),
    ) {
        (Some(few), Some(many)) => {
            let per_link = (many / 1000.0) / (few / 10.0);
            format!("; RIQN's time per link at 1000 links is {per_link:.2} of that at 10")
        }
        _ => String::new(),
    };
    Verdict::of(
        a >= 15.0 && b >= 32.0 && c >= 3.8 && d >= 53.0,
        format!(
            "SVI to DRNEA with Newton's method {a:.1} at 10 links and {b:.1} at 100; Newton to RIQN with DRNEA {c:.1} at 10 \
             and {d:.1} at 100, {sparse:.1} where Newton's system is solved by articulated bodies as well: the gain is that of \
             linear time over cubic, and begins where the dense rival's system outweighs its recursion{growth}"
        ),
    )
}

/// Times of SVI by the paper's factors over the recursion, measured here.
fn claimed(table: &Table) -> Vec<Curve> {
    let factor = |[links, factor]: [f64; 2]| {
        let recursion = table.at(LINKS, links, METHODS[1].0)?;
        Some([links, factor * recursion])
    };
    let svi: Vec<[f64; 2]> = [[10.0, 15.0], [100.0, 32.0]]
        .into_iter()
        .filter_map(factor)
        .collect();
    vec![points("paper: SVI, 15 and 32 times DRNEA", &svi)]
}

fn plot(table: &Table) -> Plot {
    Plot {
        title: "Time of a step of a chain".into(),
        axes: ["links", "time of a step [s]"].map(Into::into),
        logarithmic: [true, true],
        curves: METHODS
            .map(|(name, ..)| Curve {
                name: name.into(),
                points: table.points(LINKS, name),
            })
            .into(),
    }
}
