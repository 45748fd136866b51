//! Soft beside rigid: the method and `variational-2` on the same scenes.

use super::{METHOD, PAPER, as_published, simulation};
use crate::claimed::in_words;
use crate::{Effort, Item, RunError, Standing, Subject, Table, Verdict, Watch, mean_time, step};
use physics::figures::{Curve, Plot};
use physics::integrators::Outcome;
use physics::model::{Model, State};
use physics::scene;

/// The item.
pub const ITEM: Item = Item {
    paper: PAPER,
    figure: "rigid",
    claim: "the approach should be competitive, if not much faster, and more robust than approaches that model constraints as rigid",
    place: "sect. 7",
    setup: "compliant beside variational-2, both as they are, steps of 0.01 s: cube dropped from 0.4 m (2 s), block on a slope of 15° with µ = 0.375 \
            (2 s), 20 spheres on one another (2 s), closed chain of 9 links (2 s), 40 balls into a pit (1.5 s, quick 0.5 s); competitive is no more than one \
            and a half times the time of a step, the mean of the least of each in three runs",
    expected: Standing::Differs,
    timed: true,
    run,
    judge,
    plot,
    scene: Subject::Run("sphere-stack:spheres=20"),
    claimed: in_words,
};

/// Scenes, what they are called, and their durations, quick and in full (s).
const SCENES: [(&str, &str, [f64; 2]); 5] = [
    ("drop:height=0.4", "drop", [2.0; 2]),
    ("slope:degrees=15,mu=0.375", "slope", [2.0; 2]),
    ("sphere-stack:spheres=20", "stack", [2.0; 2]),
    ("closed-chain", "closed chain", [2.0; 2]),
    ("pit:bodies=40,kind=spheres,width=2", "pit", [0.5, 1.5]),
];

/// The rigid method, then the soft one.
const METHODS: [&str; 2] = ["variational-2", METHOD];

const SCENE: &str = "scene";
const DT: f64 = 0.01;
/// What is competitive.
const COMPETITIVE: f64 = 1.5;
/// Runs of which the least time of each step counts.
const REPEATS: u32 = 3;

/// What is measured of a method, by columns.
const MEASURES: [&str; 6] = [
    "steps that failed or fell short",
    "deepest penetration [m]",
    "penetration at the end [m]",
    "drift of joints [m]",
    "energy error [J]",
    "time of a step [s]",
];

/// Time of the step of the paper, which follows nothing round its curve.
const PUBLISHED: &str = "compliant as published: time of a step [s]";

fn column(method: &str, measure: usize) -> String {
    format!("{method}: {}", MEASURES[measure])
}

/// What a method makes of a scene.
fn measured(mechanism: &(Model, State), method: &str, steps: u32) -> Result<[f64; 6], RunError> {
    let mut sim = simulation(mechanism, method, DT)?;
    let [mut short, mut deepest, mut drift, mut error] = [0.0_f64; 4];
    for _ in 0..steps {
        if step(&mut sim).is_err() {
            // A motion that cannot go on leaves the rest undone.
            short += f64::from(steps) - sim.state().step as f64;
            return Ok([short, deepest, f64::NAN, drift, error, f64::NAN]);
        }
        let outcome = sim.report().outcome;
        short += f64::from(u8::from(outcome != Outcome::Converged));
        let sample = sim.sample();
        deepest = deepest.max(sample.penetration);
        drift = drift.max(sample.drift_position);
        error = error.max(sample.energy_error.abs());
    }
    let end = sim.sample().penetration.max(0.0);
    let time = mean_time(&mut sim, steps - 1, REPEATS)?;
    Ok([short, deepest.max(0.0), end, drift, error, time])
}

fn run(effort: Effort, watch: Watch) -> Result<Table, RunError> {
    let measures = || {
        METHODS
            .into_iter()
            .flat_map(|m| (0..MEASURES.len()).map(move |k| column(m, k)))
    };
    let columns = [SCENE.to_owned()].into_iter().chain(measures());
    let mut table = Table::new(columns.chain([PUBLISHED.to_owned()]));
    for (k, (spec, _, durations)) in SCENES.into_iter().enumerate() {
        let duration = durations[usize::from(effort == Effort::Full)];
        let scene = scene::open(spec, &[]).expect("a scene of the program opens");
        let mechanism = (scene.model, scene.state);
        let steps = (duration / DT).round() as u32;
        let mut row = vec![k as f64];
        for method in METHODS {
            row.extend(measured(&mechanism, method, steps)?);
        }
        let mut published = as_published(&mechanism, DT)?;
        row.push(mean_time(&mut published, steps - 1, REPEATS)?);
        table.rows.push(row);
        watch((k + 1) as f64 / SCENES.len() as f64, &table)?;
    }
    Ok(table)
}

fn judge(table: &Table) -> Verdict {
    let of = |method: usize, measure| table.column(&column(METHODS[method], measure));
    let [rigid, soft] = [0, 1].map(|m| [0, 1, 2, 3, 4, 5].map(|k| of(m, k)));
    if rigid[0].len() != SCENES.len() {
        return Verdict::unjudged("the table lacks a scene");
    }
    let mut good = true;
    let mut said = Vec::new();
    for (k, (_, name, _)) in SCENES.into_iter().enumerate() {
        let ratio = soft[5][k] / rigid[5][k];
        good &= soft[0][k] <= rigid[0][k] && ratio <= COMPETITIVE;
        let both = |measure: usize, name: &str| {
            format!("{name} {:.0e}/{:.0e}", rigid[measure][k], soft[measure][k])
        };
        said.push(format!(
            "{name}: short {}/{}, {}, {}, {}, {}, time {:.0}/{:.0} µs, {:.0} as published",
            rigid[0][k],
            soft[0][k],
            both(1, "deepest"),
            both(2, "at the end"),
            both(3, "drift"),
            both(4, "energy"),
            1e6 * rigid[5][k],
            1e6 * soft[5][k],
            1e6 * table.at(SCENE, k as f64, PUBLISHED).unwrap_or(f64::NAN),
        ));
    }
    Verdict::of(
        good,
        format!(
            "rigid/soft, steps that fall short, penetration and drift [m], energy error [J]; the step as published is without corrections for curves: {}",
            said.join("; ")
        ),
    )
}

fn plot(table: &Table) -> Plot {
    let curves = METHODS.map(|method| Curve {
        name: method.into(),
        points: table.points(SCENE, &column(method, 5)),
    });
    let names = SCENES.map(|(_, name, _)| name).join(", ");
    Plot {
        title: format!("Time of a step: {names}"),
        axes: ["scene, from 0", MEASURES[5]].map(Into::into),
        logarithmic: [false, true],
        curves: curves.into(),
    }
}
