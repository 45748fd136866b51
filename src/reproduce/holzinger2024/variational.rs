//! What the paper lacks: variational methods of every order beside its methods.

use super::ladder::{Case, Ladder, time_to};
use super::{EP, HELD, PAPER, RV, explicit};
use crate::claimed::in_words;
use crate::{Effort, Item, RunError, Standing, Subject, Table, Verdict, Watch};
use physics::figures::Plot;

/// The item.
pub const ITEM: Item = Item {
    paper: PAPER,
    figure: "variational",
    claim: "none of the paper's: to how few seconds an error of 1e-4 m and of 1e-8 m of the heavy top can be had",
    place: "beside sect. 4.1.2",
    setup: "the heavy top on its joint, 1 s in steps of 1e-3 s halved 10 times, quick 6; variational methods in maximal and minimal coordinates beside \
            those of the paper; tolerance 1e-12 of the forces; reference rk67 with rv",
    expected: Standing::Unjudged,
    timed: true,
    run,
    judge,
    plot,
    scene: Subject::Run("heavy_top"),
    claimed: in_words,
};

const fn plain(name: &'static str) -> Case {
    Case {
        name,
        method: name,
        options: &[],
    }
}

const CASES: [Case; 11] = [
    plain("variational-2"),
    plain("variational-4"),
    plain("variational-6"),
    plain("variational-8"),
    plain("minimal-riqn"),
    plain("minimal-4"),
    plain("minimal-6"),
    EP,
    RV,
    explicit("RK44 RV", &[("tableau", "rk44")]),
    explicit("RK67 RV", &[("tableau", "rk67")]),
];

const LADDER: Ladder = Ladder {
    name: "variational",
    cases: &CASES,
    first: 1e-3,
    levels: [6, 10],
    tolerance: 1e-12,
    ..HELD
};

fn run(effort: Effort, watch: Watch) -> Result<Table, RunError> {
    LADDER.table(effort, watch)
}

fn judge(table: &Table) -> Verdict {
    let fastest = |error: f64| {
        let mut all: Vec<(f64, &str)> = CASES
            .iter()
            .filter_map(|c| {
                let (seconds, beyond) = time_to(table, c.name, error)?;
                (!beyond && seconds.is_finite()).then_some((seconds, c.name))
            })
            .collect();
        all.sort_by(|a, b| a.0.total_cmp(&b.0));
        let listed: Vec<String> = all
            .iter()
            .map(|(seconds, name)| format!("{name} {:.1} ms", 1e3 * seconds))
            .collect();
        format!("to {error:.0e} m: {}", listed.join(", "))
    };
    Verdict::unjudged(format!("{}; {}", fastest(1e-4), fastest(1e-8)))
}

fn plot(table: &Table) -> Plot {
    LADDER.work_precision(
        table,
        "Heavy top: variational methods beside those of the paper",
        "error of the centre of mass [m]",
    )
}
