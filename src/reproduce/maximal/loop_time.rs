//! Figure 5b of the earlier paper: time against the number of links of a closed chain.

use super::{OURS, PAPER_2020, TOLERANCE, closed_in_plane, growth, opened, time, with_balls};
use crate::claimed::linear;
use crate::runs::Case;
use crate::{Effort, Item, RunError, Standing, Subject, Table, Verdict, Watch};
use physics::figures::{Curve, Plot};

/// The item.
pub const ITEM: Item = Item {
    paper: PAPER_2020,
    figure: "5b",
    claim: "with a loop closed through all links time still grows linearly, and on ball joints the variational integrator outperforms \
            the explicit one",
    place: "sect. 5.2, fig. 5b",
    setup: "closed chains of 3 to 61 links; mean over 1000 steps of 10 ms, quick 50, of the least time of each in three runs; \
            variational at 1e-10 beside rk4 on accelerations, whose joints open, since the explicit method in joint coordinates here \
            knows no loops; all joints closed in full, and the last hinge in its plane alone, as in the paper's code, which leaves \
            out equations that are redundant",
    expected: Standing::Holds,
    timed: true,
    run,
    judge,
    plot,
    scene: Subject::Run("closed-chain:links=11"),
    claimed: |table| {
        linear(&table.points(LINKS, COLUMNS[0]), 11.0)
            .into_iter()
            .collect()
    },
};

const LINKS: &str = "links";
/// Ours with the loop closed as in the paper's code.
const PRINTED: &str = "variational, revolute, closed as printed [s]";
const COLUMNS: [&str; 4] = [
    "variational, revolute [s]",
    "variational, ball [s]",
    "rk4, revolute [s]",
    "rk4, ball [s]",
];

fn run(effort: Effort, watch: Watch) -> Result<Table, RunError> {
    let (sizes, steps): (&[usize], u32) = match effort {
        Effort::Quick => (&[3, 11, 21, 61], 50),
        Effort::Full => (&[3, 5, 11, 21, 31, 41, 51, 61], 1000),
    };
    let columns = [LINKS].into_iter().chain(COLUMNS).chain([PRINTED]);
    let mut table = Table::new(columns);
    for (k, &links) in sizes.iter().enumerate() {
        let hinged = opened(&format!("closed-chain:links={links}"));
        let balls = with_balls(hinged.clone());
        let mut row = vec![links as f64];
        for case in [OURS, Case::plain("rk4")] {
            for mechanism in [&hinged, &balls] {
                row.push(time(mechanism, &case, TOLERANCE, (steps, 3))?);
            }
        }
        let last = format!("joint_{}", links + 1);
        let printed = closed_in_plane(hinged, |name| name == last);
        row.push(time(&printed, &OURS, TOLERANCE, (steps, 3))?);
        table.rows.push(row);
        watch((k + 1) as f64 / sizes.len() as f64, &table)?;
    }
    Ok(table)
}

/// Exponents up to which growth from 11 links on is linear.
const LINEAR: f64 = 1.25;

fn judge(table: &Table) -> Verdict {
    let exponents = COLUMNS.map(|column| growth(table, LINKS, column, 11.0));
    let pairs = |column: [&str; 2]| {
        let [ours, theirs] = column.map(|name| table.points(LINKS, name));
        let matched = ours
            .iter()
            .filter_map(|[n, a]| theirs.iter().find(|p| p[0] == *n).map(|p| a / p[1]));
        matched.collect::<Vec<f64>>()
    };
    let [revolute, ball] = [[COLUMNS[0], COLUMNS[2]], [COLUMNS[1], COLUMNS[3]]].map(pairs);
    let whole = |k: usize| table.points(LINKS, COLUMNS[k]).len() == table.rows.len();
    if table.rows.len() < 3 || ball.is_empty() {
        return Verdict::unjudged("the table has fewer than three sizes");
    }
    let most = ball.iter().copied().fold(0.0, f64::max);
    let printed = pairs([PRINTED, COLUMNS[0]]);
    let growing = growth(table, LINKS, PRINTED, 11.0);
    let shown = |all: &[f64]| {
        let all = all.iter().map(|x| format!("{x:.2}"));
        all.collect::<Vec<_>>().join(", ")
    };
    let linear = exponents[..2].iter().all(|e| *e <= LINEAR);
    Verdict::of(
        linear && growing <= LINEAR && whole(0) && whole(1) && most < 1.0,
        format!(
            "exponents of the growth from 11 links on: variational {}, rk4 {}; variational takes {} times as long as rk4 on revolute \
             joints and {} times on ball joints; with the last hinge closed in its plane alone, as printed, {} of its time and an exponent \
             of {growing:.2}",
            shown(&exponents[..2]),
            shown(&exponents[2..]),
            shown(&revolute),
            shown(&ball),
            shown(&printed)
        ),
    )
}

fn plot(table: &Table) -> Plot {
    Plot {
        title: "Time of a step of a closed chain".into(),
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
