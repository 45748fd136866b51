//! The energy of a double pendulum over an hour: figure 4a of the earlier paper, 7b of the later one.

use super::{G, OURS, PAPER_2020, PAPER_2023, STEP, TOLERANCE, described, largest};
use crate::claimed::in_words;
use crate::runs::Case;
use crate::{Effort, Item, RunError, Standing, Subject, Table, Verdict, Watch, step};
use physics::figures::{Curve, Plot};
use physics::model::{Model, State};
use std::f64::consts::FRAC_PI_2;

/// The item of the earlier paper.
pub const ITEM_2020: Item = Item {
    paper: PAPER_2020,
    figure: "4a",
    claim: "the energy error of the variational integrator stays bounded over an hour in steps of 10 ms, that of Heun's method grows",
    place: "sect. 5.1, fig. 4a",
    setup: "cubes of 0.1 m and 1 kg at the ends of massless arms of 1 m, the first level and the second hanging, as in the paper's \
            code; 3600 s, quick 1200 s; variational at 1e-10 beside heun on the same bodies with its joints closed after every step, and \
            Heun's method on points in two angles as the paper ran it",
    expected: Standing::Holds,
    timed: false,
    run: |effort, watch| run(SECOND_HANGS, effort, watch),
    judge,
    plot,
    scene: Subject::Near(
        "double_pendulum",
        "two slender links; what is run has cubes of 0.1 m at the ends of massless arms, the first of them level",
    ),
    claimed: in_words,
};

/// The item of the later paper.
pub const ITEM_2023: Item = Item {
    paper: PAPER_2023,
    figure: "7b",
    place: "sect. 5.1, fig. 7b",
    setup: "as figure 4a of the earlier paper, both arms level, as in the later paper's code",
    run: |effort, watch| run(SECOND_LEVEL, effort, watch),
    ..ITEM_2020
};

/// Angle of the second arm to the first (degrees).
pub const SECOND_HANGS: f64 = -90.0;
const SECOND_LEVEL: f64 = 0.0;

const TIME: &str = "time [s]";
const KEPT: &str = "variational [J]";
const GROWS: &str = "Heun [J]";
const PRINTED: &str = "Heun on points, as printed [J]";

/// The rival.
pub const HEUN: Case = Case {
    name: "Heun",
    method: "heun",
    options: &[("stabilisation", "projection")],
};

/// Rows of the table.
const ROWS: u64 = 1000;

/// The double pendulum, its first arm level and its second at an angle to it.
pub fn double_pendulum(second: f64) -> (Model, State) {
    let cube = r#"(mass: 1, inertia: ("0.01/6", "0.01/6", "0.01/6"), centre: (0, 0, -1))"#;
    described(&format!(
        r#"(version: 1, bodies: {{"upper": {cube}, "lower": {cube}}},
            joints: {{"shoulder": (kind: revolute, child: "upper", axis: (1, 0, 0), at: "90 deg"),
                "elbow": (kind: revolute, parent: "upper", child: "lower", anchor: (0, 0, -1), axis: (1, 0, 0), at: "{second} deg")}})"#
    ))
}

fn run(second: f64, effort: Effort, watch: Watch) -> Result<Table, RunError> {
    let duration = match effort {
        Effort::Quick => 1200.0,
        Effort::Full => 3600.0,
    };
    compared(second, duration, [&OURS, &HEUN], watch)
}

/// Steps between two looks at the energy, of which a row has the largest error.
const LOOK: u64 = 4;

/// Energy errors of two methods, by the largest between two rows.
pub fn compared(
    second: f64,
    duration: f64,
    cases: [&Case; 2],
    watch: Watch,
) -> Result<Table, RunError> {
    let mechanism = double_pendulum(second);
    let [mut ours, mut heun] = [
        cases[0].simulation(&mechanism, STEP, TOLERANCE)?,
        cases[1].simulation(&mechanism, STEP, TOLERANCE)?,
    ];
    let between = (duration / STEP / (LOOK * ROWS) as f64).round() as u64;
    let mut points = [FRAC_PI_2, FRAC_PI_2 + second.to_radians(), 0.0, 0.0];
    let first = energy_of_points(points);
    let mut table = Table::new([TIME, KEPT, GROWS, PRINTED]);
    for row in 0..ROWS {
        let mut worst = [0.0_f64; 2];
        let mut of_points = 0.0_f64;
        for _ in 0..between {
            for (sim, worst) in [&mut ours, &mut heun].into_iter().zip(&mut worst) {
                for _ in 0..LOOK {
                    step(sim)?;
                }
                let error = sim.sample().energy_error;
                if error.abs() > worst.abs() {
                    *worst = error;
                }
            }
            for _ in 0..LOOK {
                points = heun_on_points(points);
            }
            let error = energy_of_points(points) - first;
            if error.abs() > of_points.abs() {
                of_points = error;
            }
        }
        let time = ours.state().time;
        table.rows.push(vec![time, worst[0], worst[1], of_points]);
        watch((row + 1) as f64 / ROWS as f64, &table)?;
    }
    Ok(table)
}

/// Energy of two points of 1 kg on massless arms of 1 m, by the angles of the arms from hanging and their rates (J).
fn energy_of_points([a, b, p, q]: [f64; 4]) -> f64 {
    p * p + 0.5 * q * q + p * q * (a - b).cos() - G * (2.0 * a.cos() + b.cos())
}

/// Rates of angles and angular velocities: `2 a'' + c b'' = -s q² - 2 g sin a` and `c a'' + b'' = s p² - g sin b`, with sine and
/// cosine of the difference of the angles.
fn rates_of_points([a, b, p, q]: [f64; 4]) -> [f64; 4] {
    let (s, c) = (a - b).sin_cos();
    let upper = -s * q * q - 2.0 * G * a.sin();
    let lower = s * p * p - G * b.sin();
    let over = 2.0 - c * c;
    [
        p,
        q,
        (upper - c * lower) / over,
        (2.0 * lower - c * upper) / over,
    ]
}

/// A step of Heun's method.
fn heun_on_points(x: [f64; 4]) -> [f64; 4] {
    let k = rates_of_points(x);
    let l = rates_of_points([0, 1, 2, 3].map(|i| x[i] + STEP * k[i]));
    [0, 1, 2, 3].map(|i| x[i] + 0.5 * STEP * (k[i] + l[i]))
}

/// How much larger errors of the last tenth are than those of the first where they are bounded, and where they grow.
const BOUNDED: f64 = 1.2;
const GROWN: f64 = 2.0;

fn judge(table: &Table) -> Verdict {
    let tenth = table.rows.len() / 10;
    if tenth < 10 || table.columns.len() != 4 {
        return Verdict::unjudged("the table has fewer than 100 rows");
    }
    let ends = |name: &str| {
        let all = table.column(name);
        [largest(&all[..tenth]), largest(&all[all.len() - tenth..])]
    };
    let [ours, heun, printed] = [KEPT, GROWS, PRINTED].map(ends);
    let all = largest(&table.column(KEPT));
    let bounded = ours[1] <= BOUNDED * ours[0] && all <= BOUNDED * ours[0];
    Verdict::of(
        bounded && heun[1] >= GROWN * heun[0] && printed[1] >= GROWN * printed[0],
        format!(
            "largest energy error in the first and in the last tenth of the run: variational {:.3} and {:.3} J, at most {all:.3} J \
             between; Heun {:.3} and {:.3} J, on points as printed {:.3} and {:.3} J",
            ours[0], ours[1], heun[0], heun[1], printed[0], printed[1]
        ),
    )
}

fn plot(table: &Table) -> Plot {
    Plot {
        title: "Energy error of a double pendulum".into(),
        axes: ["time [s]", "energy error [J]"].map(Into::into),
        logarithmic: [false, false],
        curves: [KEPT, GROWS, PRINTED]
            .map(|name| Curve {
                name: name.into(),
                points: table.points(TIME, name),
            })
            .into(),
    }
}
