//! What the later papers hold against joint coordinates: tight tolerances on long chains.

use super::{PAPER, chain, settings, simulation, step};
use crate::claimed::in_words;
use crate::{Effort, Item, RunError, Standing, Subject, Table, Verdict, Watch};
use physics::figures::{Curve, Plot};

/// The item.
pub const ITEM: Item = Item {
    paper: PAPER,
    figure: "tolerance",
    claim: "methods in minimal coordinates do not converge to tight tolerances on chains of many links, maximal ones do",
    place: "Brüdigam2020 fig. 8, Brüdigam2023 fig. 10",
    setup: "steps of 1 ms of chains to 100 links at tolerances of 1e-6, 1e-8 and 1e-10 of the forces, 100 each, quick 20: the \
            part of them that stayed above the tolerance",
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

const LINKS: &str = "links";
const TOLERANCES: [f64; 3] = [1e-6, 1e-8, 1e-10];
/// Of orders 2 and 3 in joint coordinates, as the later papers compare, and in maximal ones.
const METHODS: [&str; 3] = ["minimal-riqn", "minimal-3", "variational-2"];

fn column(method: &str, tolerance: f64) -> String {
    format!("{method} at {tolerance:e}")
}

fn columns() -> impl Iterator<Item = (String, &'static str, f64)> {
    let pairs = METHODS.into_iter().flat_map(|m| TOLERANCES.map(|t| (m, t)));
    pairs.map(|(method, tolerance)| (column(method, tolerance), method, tolerance))
}

fn run(effort: Effort, watch: Watch) -> Result<Table, RunError> {
    let steps = match effort {
        Effort::Quick => 20,
        Effort::Full => 100,
    };
    let sizes = [10, 20, 50, 100];
    let names = columns().map(|c| c.0);
    let mut table = Table::new([LINKS.to_owned()].into_iter().chain(names));
    for (k, links) in sizes.into_iter().enumerate() {
        let mechanism = chain(links, 9.81);
        let mut row = vec![links as f64];
        for (_, method, tolerance) in columns() {
            watch(k as f64 / sizes.len() as f64, &table)?;
            let mut sim = simulation(&mechanism, method, settings(tolerance))?;
            let mut missed = 0;
            for _ in 0..steps {
                // A step that fails has not met its tolerance either, and leaves the state as it was.
                let met = step(&mut sim).is_ok() && sim.report().residual <= tolerance;
                missed += u32::from(!met);
            }
            row.push(f64::from(missed) / f64::from(steps));
        }
        table.rows.push(row);
        watch((k + 1) as f64 / sizes.len() as f64, &table)?;
    }
    Ok(table)
}

fn judge(table: &Table) -> Verdict {
    let most = |method: &str| {
        TOLERANCES.map(|t| {
            let parts = table.column(&column(method, t));
            parts.into_iter().fold(0.0, f64::max)
        })
    };
    if table.rows.is_empty() {
        return Verdict::unjudged("the table has no rows");
    }
    let [second, third, maximal] = METHODS.map(most);
    let percent = |parts: &[f64]| {
        let all = parts.iter().map(|part| format!("{:.0} %", 100.0 * part));
        all.collect::<Vec<_>>().join(", ")
    };
    let tolerances = TOLERANCES.map(|t| format!("{t:.0e}")).join(", ");
    Verdict::of(
        second.iter().chain(&third).any(|part| *part > 0.0)
            && maximal.iter().all(|part| *part == 0.0),
        format!(
            "of the steps at tolerances of {tolerances} at most {} of minimal-riqn and {} of minimal-3 stay above theirs, and {} of variational-2",
            percent(&second),
            percent(&third),
            percent(&maximal)
        ),
    )
}

fn plot(table: &Table) -> Plot {
    Plot {
        title: "Steps that stay above their tolerance".into(),
        axes: ["links", "part of the steps"].map(Into::into),
        logarithmic: [true, false],
        curves: columns()
            .map(|(name, ..)| Curve {
                points: table.points(LINKS, &name),
                name,
            })
            .collect(),
    }
}
