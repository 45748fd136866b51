//! Pendulums of many links at tight tolerances: figures 8a to 8c of the earlier paper, 10a to 10c of the later one.

use super::{OURS, PAPER_2020, PAPER_2023, STEP, chain, chain_of_cylinders, growth, largest, time};
use crate::claimed::linear;
use crate::runs::Case;
use crate::{Effort, Item, RunError, Standing, Subject, Table, Verdict, Watch, step};
use physics::figures::{Curve, Plot};
use physics::model::{Model, State};

/// The items of the earlier paper.
pub const ITEM_8A: Item = Item {
    paper: PAPER_2020,
    figure: "8a",
    claim: "at a tolerance of 1e-6 the maximal integrator converges for any number of links, in linear time; the minimal ones of second \
            and third order fail with more links",
    place: "sect. 5.2, fig. 8a",
    setup: "hinged chains of 2 to 100 links, straight at 45°, 1000 steps of 10 ms, quick 100 and to 50 links, a run ended where 50 steps \
            have failed; variational beside minimal-riqn and minimal-3, with minimal-newton, which solves the equation of minimal-riqn by \
            its exact derivative; the tolerance is relative to the forces that a body handles, where the paper's is absolute, so that \
            1e-12 is run too; 100 iterations a step as in the paper; with the inertia that the paper's code gives its cylinders, and with the \
            right one",
    expected: Standing::Differs,
    timed: true,
    run: |effort, watch| run(1e-6, effort, watch),
    judge,
    plot,
    scene: Subject::Run("chain:links=50,joint=revolute,inertia=paper"),
    claimed: |table| {
        linear(&table.points(LINKS, &seconds(&CASES[0])), 10.0)
            .into_iter()
            .collect()
    },
};
/// See [`ITEM_8A`].
pub const ITEM_8B: Item = Item {
    figure: "8b",
    claim: "the same at a tolerance of 1e-8",
    place: "sect. 5.2, fig. 8b",
    run: |effort, watch| run(1e-8, effort, watch),
    ..ITEM_8A
};
/// See [`ITEM_8A`].
pub const ITEM_8C: Item = Item {
    figure: "8c",
    claim: "the same at a tolerance of 1e-10",
    place: "sect. 5.2, fig. 8c",
    run: |effort, watch| run(1e-10, effort, watch),
    ..ITEM_8A
};

/// The items of the later paper.
pub const ITEM_10A: Item = Item {
    paper: PAPER_2023,
    figure: "10a",
    place: "sect. 5.3, fig. 10a",
    ..ITEM_8A
};
/// See [`ITEM_10A`].
pub const ITEM_10B: Item = Item {
    paper: PAPER_2023,
    figure: "10b",
    place: "sect. 5.3, fig. 10b",
    ..ITEM_8B
};
/// See [`ITEM_10A`].
pub const ITEM_10C: Item = Item {
    paper: PAPER_2023,
    figure: "10c",
    place: "sect. 5.3, fig. 10c",
    ..ITEM_8C
};

const LINKS: &str = "links";
/// Ours, those of second and third order in joint coordinates, and the second by exact derivatives.
const CASES: [Case; 4] = [
    OURS,
    Case::plain("minimal-riqn"),
    Case::plain("minimal-3"),
    Case::plain("minimal-newton"),
];

/// Those that are also asked for the tightest tolerance that there is: ours, and both that solve the second equation.
const FLOORS: [Case; 3] = [CASES[0], CASES[1], CASES[3]];
const TIGHTEST: f64 = 1e-12;

fn missed(case: &Case) -> String {
    format!("{}: part of the steps that failed", case.name)
}

fn iterations(case: &Case) -> String {
    format!("{}: iterations of a step", case.name)
}

fn seconds(case: &Case) -> String {
    format!("{}: time of a step [s]", case.name)
}

fn right(case: &Case) -> String {
    format!("{}, right inertia: part that failed", case.name)
}

fn floor(case: &Case) -> String {
    format!("{}: part that failed at 1e-12", case.name)
}

fn run(tolerance: f64, effort: Effort, watch: Watch) -> Result<Table, RunError> {
    let (sizes, steps): (&[usize], u32) = match effort {
        Effort::Quick => (&[2, 10, 20, 50], 100),
        Effort::Full => (&[2, 5, 10, 20, 30, 40, 50, 60, 80, 100], 1000),
    };
    let columns = CASES
        .iter()
        .flat_map(|c| [missed(c), iterations(c), seconds(c)]);
    let columns = columns
        .chain(FLOORS.iter().map(floor))
        .chain(CASES.iter().map(right));
    let mut table = Table::new([LINKS.to_owned()].into_iter().chain(columns));
    for (k, &links) in sizes.iter().enumerate() {
        let mechanism = chain(links, "revolute");
        let mut row = vec![links as f64];
        let part = k as f64 / sizes.len() as f64;
        for case in &CASES {
            watch(part, &table)?;
            row.extend(steps_of(&mechanism, case, tolerance, steps)?);
            row.push(time(&mechanism, case, tolerance, (20, 3))?);
        }
        for case in &FLOORS {
            watch(part, &table)?;
            row.push(steps_of(&mechanism, case, TIGHTEST, steps)?[0]);
        }
        let right = chain_of_cylinders(links, "revolute");
        for case in &CASES {
            watch(part, &table)?;
            row.push(steps_of(&right, case, tolerance, steps)?[0]);
        }
        table.rows.push(row);
        watch((k + 1) as f64 / sizes.len() as f64, &table)?;
    }
    Ok(table)
}

/// Steps that fail at which a run is ended.
const ENOUGH: u32 = 50;

/// Part of the steps that did not meet the tolerance, and mean iterations of a step.
pub fn steps_of(
    mechanism: &(Model, State),
    case: &Case,
    tolerance: f64,
    steps: u32,
) -> Result<[f64; 2], RunError> {
    let mut sim = case.simulation(mechanism, STEP, tolerance)?;
    let [mut taken, mut failed, mut iterations] = [0_u32; 3];
    while taken < steps && failed < ENOUGH {
        // A step that fails leaves the state as it was; one that was cut into shorter ones has not converged as a step.
        let met = step(&mut sim).is_ok()
            && sim.report().residual <= tolerance
            && sim.report().substeps == 0;
        failed += u32::from(!met);
        iterations += sim.report().iterations;
        taken += 1;
    }
    Ok([failed, iterations].map(|n| f64::from(n) / f64::from(taken)))
}

/// Exponent up to which growth of the time is linear from 10 links on.
const LINEAR: f64 = 1.3;

fn judge(table: &Table) -> Verdict {
    let parts = CASES.map(|case| table.points(LINKS, &missed(&case)));
    let floors = FLOORS.map(|case| table.points(LINKS, &floor(&case)));
    let rights = CASES.map(|case| table.points(LINKS, &right(&case)));
    let all = parts.iter().chain(&floors).chain(&rights);
    if table.rows.len() < 3 || all.into_iter().any(Vec::is_empty) {
        return Verdict::unjudged("the table has fewer than three sizes");
    }
    let said = |points: &[[f64; 2]]| {
        let first = points.iter().find(|p| p[1] > 0.0);
        let most = points.iter().map(|p| p[1]).fold(0.0, f64::max);
        first.map_or("none".to_owned(), |p| {
            format!("up to {:.0} % from {} links on", 100.0 * most, p[0])
        })
    };
    let failing = |points: &[[f64; 2]]| points.iter().any(|p| p[1] > 0.0);
    let exponent = growth(table, LINKS, &seconds(&CASES[0]), 10.0);
    let most = CASES.map(|case| largest(&table.column(&iterations(&case))));
    let [ours, second, third, exact] = &parts;
    let [our_floor, second_floor, exact_floor] = &floors;
    Verdict::of(
        !failing(ours)
            && !failing(&rights[0])
            && failing(second)
            && failing(third)
            && exponent <= LINEAR,
        format!(
            "steps that fail: variational {}, minimal-riqn {}, minimal-3 {}, minimal-newton {}, with up to {:.1}, {:.1}, {:.1} and {:.1} \
             iterations on the mean; at 1e-12 variational {}, minimal-riqn {}, minimal-newton {}: there rounding in the recursion shows; \
             with the right inertia of cylinders variational {}, minimal-riqn {}, minimal-3 {}, minimal-newton {}; the time of variational grows with the links to the power of {exponent:.2}",
            said(ours),
            said(second),
            said(third),
            said(exact),
            most[0],
            most[1],
            most[2],
            most[3],
            said(our_floor),
            said(second_floor),
            said(exact_floor),
            said(&rights[0]),
            said(&rights[1]),
            said(&rights[2]),
            said(&rights[3]),
        ),
    )
}

fn plot(table: &Table) -> Plot {
    Plot {
        title: "Time of a step of a pendulum of many links".into(),
        axes: [LINKS, "time of a step [s]"].map(Into::into),
        logarithmic: [true, true],
        curves: CASES
            .map(|case| Curve {
                name: case.name.into(),
                points: table.points(LINKS, &seconds(&case)),
            })
            .into(),
    }
}
