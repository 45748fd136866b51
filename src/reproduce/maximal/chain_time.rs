//! Time against the number of links of a pendulum: figure 5a of the earlier paper, 8a of the later one.

use super::{
    OURS, PAPER_2020, PAPER_2023, STEP, TOLERANCE, chain, chain_of_cylinders, growth, time,
};
use crate::claimed::linear;
use crate::runs::Case;
use crate::{Effort, Item, RunError, Standing, Subject, Table, Verdict, Watch, step};
use physics::figures::{Curve, Plot};
use physics::model::{Model, State};

/// The item of the earlier paper.
pub const ITEM_2020: Item = Item {
    paper: PAPER_2020,
    figure: "5a",
    claim: "time grows linearly with the links; the explicit integrator in minimal coordinates is faster on revolute joints, the \
            variational one on ball joints, and that faster than on revolute joints itself",
    place: "sect. 5.2, fig. 5a",
    setup: "chains of 1 to 100 links of 1 m and 1 kg, with the inertia that the paper's code gives its cylinders, variational on hinges \
            with the right one too, straight at 45°; \
            mean over 1000 steps of 10 ms, quick 50, of the least time of each in three runs; variational at 1e-10 beside \
            joint-space-rk4, four stages of articulated bodies, where the paper's comparison has the method of Munthe-Kaas in \
            RigidBodyDynamics.jl",
    expected: Standing::Differs,
    timed: true,
    run,
    judge: judge_2020,
    plot,
    scene: Subject::Run("chain:links=20,joint=revolute,inertia=paper"),
    claimed: |table| {
        linear(&table.points(LINKS, COLUMNS[0]), 10.0)
            .into_iter()
            .collect()
    },
};

/// The item of the later paper.
pub const ITEM_2023: Item = Item {
    paper: PAPER_2023,
    figure: "8a",
    claim: "despite more coordinates times are comparable: minimal coordinates are faster on revolute joints and slower on spherical \
            ones, and both grow linearly",
    place: "sect. 5.2, fig. 8a",
    judge: judge_2023,
    ..ITEM_2020
};

const LINKS: &str = "links";
/// Ours and the rival on revolute and on ball joints.
const COLUMNS: [&str; 4] = [
    "variational, revolute [s]",
    "variational, ball [s]",
    "joint-space-rk4, revolute [s]",
    "joint-space-rk4, ball [s]",
];

/// One evaluation of the accelerations a step, and Newton's iterations of ours.
const EVALUATION: &str = "joint-space-euler, revolute [s]";
const ITERATIONS: &str = "variational, revolute: iterations of a step";

/// The same with the right inertia of cylinders.
const RIGHT: [&str; 2] = [
    "variational, revolute, right inertia [s]",
    "variational, revolute, right inertia: iterations of a step",
];

fn run(effort: Effort, watch: Watch) -> Result<Table, RunError> {
    let (sizes, steps): (&[usize], u32) = match effort {
        Effort::Quick => (&[1, 2, 5, 10, 20, 50, 100], 50),
        Effort::Full => (&[1, 2, 5, 10, 20, 40, 60, 80, 100], 1000),
    };
    let columns = [LINKS].into_iter().chain(COLUMNS);
    let columns = columns.chain([EVALUATION, ITERATIONS]).chain(RIGHT);
    let mut table = Table::new(columns);
    for (k, &links) in sizes.iter().enumerate() {
        let mut row = vec![links as f64];
        for case in [OURS, Case::plain("joint-space-rk4")] {
            for joint in ["revolute", "spherical"] {
                let mechanism = chain(links, joint);
                row.push(time(&mechanism, &case, TOLERANCE, (steps, 3))?);
            }
        }
        let hinged = chain(links, "revolute");
        let euler = Case::plain("joint-space-euler");
        row.push(time(&hinged, &euler, TOLERANCE, (steps, 3))?);
        row.push(iterations(&hinged, steps)?);
        let right = chain_of_cylinders(links, "revolute");
        row.push(time(&right, &OURS, TOLERANCE, (steps, 3))?);
        row.push(iterations(&right, steps)?);
        table.rows.push(row);
        watch((k + 1) as f64 / sizes.len() as f64, &table)?;
    }
    Ok(table)
}

/// Mean iterations of a step of ours.
fn iterations(mechanism: &(Model, State), steps: u32) -> Result<f64, RunError> {
    let mut ours = OURS.simulation(mechanism, STEP, TOLERANCE)?;
    let mut iterations = 0;
    for _ in 0..steps {
        step(&mut ours)?;
        iterations += ours.report().iterations;
    }
    Ok(f64::from(iterations) / f64::from(steps))
}

/// Exponents up to which growth from 10 links on is linear: more links leave the nearest caches.
const LINEAR: f64 = 1.25;
/// Times between which two methods are comparable.
const COMPARABLE: f64 = 10.0;

/// What both papers look at.
struct Found {
    /// Exponents of the columns.
    exponents: [f64; 4],
    /// Columns at the most links (s).
    at_most: [f64; 4],
    /// Time of an evaluation of the accelerations (s), and Newton's iterations, there.
    evaluation: f64,
    iterations: f64,
    links: f64,
    /// Time (s) and iterations with the right inertia.
    right: [f64; 2],
}

impl Found {
    fn of(table: &Table) -> Option<Self> {
        let last = table
            .rows
            .iter()
            .rev()
            .find(|row| row.len() == 9 && row.iter().all(|x| x.is_finite()))?;
        let exponents = COLUMNS.map(|column| growth(table, LINKS, column, 10.0));
        Some(Self {
            exponents,
            at_most: [last[1], last[2], last[3], last[4]],
            evaluation: last[5],
            iterations: last[6],
            links: last[0],
            right: [last[7], last[8]],
        })
        .filter(|found| found.links >= 20.0)
    }

    fn is_linear(&self) -> bool {
        self.exponents.iter().all(|e| *e <= LINEAR)
    }

    /// Time of ours over that of the rival on revolute and on ball joints.
    fn over(&self) -> [f64; 2] {
        [0, 1].map(|k| self.at_most[k] / self.at_most[k + 2])
    }

    fn said(&self) -> String {
        let [revolute, ball] = self.over();
        let exponents = self.exponents.map(|e| format!("{e:.2}")).join(", ");
        format!(
            "exponents of the growth from 10 links on {exponents}; at {} links variational takes {revolute:.1} times as long as \
             joint-space-rk4 on revolute joints and {ball:.1} times on ball joints, and {:.2} of its time on revolute joints where \
             they are balls: a step takes {:.1} iterations of Newton's method at {:.2} µs a link each, and a single evaluation of \
             accelerations in joint coordinates {:.2} µs a link; with the right inertia of cylinders {:.2} of the time and {:.1} iterations",
            self.links,
            self.at_most[1] / self.at_most[0],
            self.iterations,
            1e6 * self.at_most[0] / self.iterations / self.links,
            1e6 * self.evaluation / self.links,
            self.right[0] / self.at_most[0],
            self.right[1],
        )
    }
}

fn judge_2020(table: &Table) -> Verdict {
    let Some(found) = Found::of(table) else {
        return Verdict::unjudged("the table has no row of 20 links or more that is whole");
    };
    let [revolute, ball] = found.over();
    let holds =
        found.is_linear() && revolute > 1.0 && ball < 1.0 && found.at_most[1] < found.at_most[0];
    Verdict::of(holds, found.said())
}

fn judge_2023(table: &Table) -> Verdict {
    let Some(found) = Found::of(table) else {
        return Verdict::unjudged("the table has no row of 20 links or more that is whole");
    };
    let [revolute, ball] = found.over();
    let comparable = [revolute, ball]
        .iter()
        .all(|r| (1.0 / COMPARABLE..COMPARABLE).contains(r));
    let holds = found.is_linear() && comparable && revolute > 1.0 && ball < 1.0;
    Verdict::of(holds, found.said())
}

fn plot(table: &Table) -> Plot {
    Plot {
        title: "Time of a step of a pendulum of many links".into(),
        axes: [LINKS, "time of a step [s]"].map(Into::into),
        logarithmic: [true, true],
        curves: COLUMNS
            .map(|name| Curve {
                name: name.into(),
                points: table.points(LINKS, name),
            })
            .into(),
    }
}
