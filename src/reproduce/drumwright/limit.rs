//! Figure 6: a pendulum that falls on a stiff limit.

use super::{G, METHOD, PAPER, described, order, simulation};
use crate::claimed::in_words;
use crate::{Cancelled, Effort, Item, RunError, Standing, Subject, Table, Verdict, Watch, step};
use physics::figures::{Curve, Plot};
use physics::math::Vec3;
use physics::model::{JointId, Model, State};

/// The item.
pub const ITEM: Item = Item {
    paper: PAPER,
    figure: "6",
    claim: "a pendulum with a limit of k = 1e12 N m/rad and b = 0 at its lowest place is stable at every step; its impact is dead for h >= 1e-5 s and \
            elastic only where h is small; accuracy increases linearly as h decreases",
    place: "sect. 5.4, fig. 6",
    setup: "rod of 1 m and 1 kg by compliant; released level at 1e-5 and 1e-6 s, in full also at 1e-7 s, a second each, and at 1e-8 s until it has \
            come back; and at all of these and three halvings more from its exact motion ten steps and a half before the impact; what is judged is \
            the part of its energy that comes back",
    expected: Standing::Holds,
    timed: false,
    run,
    judge,
    plot,
    scene: Subject::Near(
        "pendulum",
        "it swings freely; what is run has a limit at its lowest place",
    ),
    claimed: in_words,
};

const STEP: &str = "h [s]";
/// Part of the energy that comes back from the impact, begun just before it.
const RETURNED: &str = "energy returned";
/// The same where the rod was released level.
const FROM_LEVEL: &str = "energy returned from level";
/// Largest energy on the way over that at the start, of what is exchanged.
const GAINED: &str = "energy gained";

/// Stiffness of the limit (N·m/rad).
const STIFFNESS: f64 = 1e12;
/// The steps of the paper, then halvings.
const STEPS: [f64; 7] = [1e-5, 1e-6, 1e-7, 1e-8, 5e-9, 2.5e-9, 1.25e-9];
/// Time from level to the lowest place: a quarter of a swing, and a little more (s).
const QUARTER: f64 = 0.484;

/// The rod at an angle from the lowest place, where the limit is.
fn mechanism(angle: f64) -> (Model, State) {
    described(&format!(
        r#"(version: 1,
            bodies: {{"rod": (mass: 1, inertia: ("1/12", "1/12", 1e-3), centre: (0, 0, -0.5))}},
            joints: {{"pivot": (kind: revolute, child: "rod", axis: (1, 0, 0), at: {angle:?},
                limits: [(lower: 0, compliance: (stiffness: {STIFFNESS:?}))])}})"#
    ))
}

/// Half the energy between level and hanging, twice: what the rod exchanges in a quarter of a swing (J).
const EXCHANGED: f64 = 0.5 * G;

/// Part of the energy that comes back, and the largest gain on the way, from the exact motion shortly before the impact.
fn impact(h: f64) -> Result<[f64; 2], RunError> {
    // `½ (m l²/3) ω² = m g (l/2) cos θ`, released level.
    let rate = (3.0 * G).sqrt();
    let angle = 10.5 * h * rate;
    let (model, mut state) = mechanism(angle);
    let spin = Vec3::x() * -(3.0 * G * angle.cos()).sqrt();
    let body = &mut state.bodies[0];
    body.velocity.angular = spin;
    body.velocity.linear = spin.cross(&body.position);
    let mut sim = simulation(&(model, state), METHOD, h)?;
    let first = sim.energy().total();
    // Half a swing on the limit, and as much again for what comes before and after.
    let swing = std::f64::consts::PI / (3.0 * STIFFNESS).sqrt();
    let most = 50 + (2.0 * swing / h) as u32;
    let mut gained = 0.0_f64;
    for _ in 0..most {
        step(&mut sim)?;
        gained = gained.max(sim.energy().total() - first);
        if sim.coordinates(JointId(0))[0] > angle {
            break;
        }
    }
    let left = sim.energy().total() + EXCHANGED;
    Ok([left / EXCHANGED, gained / EXCHANGED])
}

/// The same released level, over a time; takes moments of the motion too.
fn fall(
    h: f64,
    end: f64,
    moments: &mut Vec<[f64; 2]>,
    mut watch: impl FnMut(f64) -> Result<(), Cancelled>,
) -> Result<f64, RunError> {
    let mut sim = simulation(&mechanism(std::f64::consts::FRAC_PI_2), METHOD, h)?;
    let steps = (end / h).round() as u64;
    let every = (0.01 / h).round() as u64;
    for k in 0..steps {
        if k % every == 0 {
            moments.push([sim.state().time, sim.coordinates(JointId(0))[0]]);
            watch(k as f64 / steps as f64)?;
        }
        step(&mut sim)?;
    }
    moments.push([end, sim.coordinates(JointId(0))[0]]);
    Ok((sim.energy().total() + EXCHANGED) / EXCHANGED)
}

const TIME: &str = "time [s]";

/// Angle of the motion at a step.
fn angle(h: f64) -> String {
    format!("angle at {h:e} s [rad]")
}

fn run(effort: Effort, watch: Watch) -> Result<Table, RunError> {
    let ends: &[(f64, f64)] = match effort {
        Effort::Quick => &[(1e-5, 1.0), (1e-6, 1.0)],
        Effort::Full => &[(1e-5, 1.0), (1e-6, 1.0), (1e-7, 1.0), (1e-8, QUARTER)],
    };
    let own = [STEP, RETURNED, FROM_LEVEL, GAINED, TIME].map(str::to_owned);
    let angles = ends.iter().map(|(h, _)| angle(*h));
    let mut table = Table::new(own.into_iter().chain(angles));
    let width = table.columns.len();
    // Rows of steps come first, then those of moments.
    for h in STEPS {
        let [returned, gained] = impact(h)?;
        let mut row = vec![f64::NAN; width];
        row[..4].copy_from_slice(&[h, returned, f64::NAN, gained]);
        table.rows.push(row);
    }
    let all: f64 = ends.iter().map(|(h, end)| end / h).sum();
    let mut done = 0.0;
    for (k, (h, end)) in ends.iter().enumerate() {
        let mut moments = Vec::new();
        let part = end / h / all;
        let returned = fall(*h, *end, &mut moments, |of| watch(done + part * of, &table))?;
        table.rows[k][2] = returned;
        for [time, angle] in moments {
            let mut row = vec![f64::NAN; width];
            row[4] = time;
            row[5 + k] = angle;
            table.rows.push(row);
        }
        done += part;
        watch(done, &table)?;
    }
    Ok(table)
}

fn judge(table: &Table) -> Verdict {
    let returned = table.points(STEP, RETURNED);
    let level = table.points(STEP, FROM_LEVEL);
    let gained = table.column(GAINED).into_iter().fold(0.0, f64::max);
    let at = |points: &[[f64; 2]], h: f64| points.iter().find(|p| p[0] == h).map(|p| p[1]);
    let found = [1e-5, 1e-6, 1e-7, 1e-8].map(|h| at(&returned, h));
    let [Some(dead), Some(a), Some(b), Some(c)] = found else {
        return Verdict::unjudged("the table lacks a step of the paper");
    };
    if level.is_empty() {
        return Verdict::unjudged("the table has no motion from level");
    }
    // What does not come back.
    let lost = returned.iter().filter(|p| p[0] <= 1e-8);
    let lost: Vec<[f64; 2]> = lost.map(|[h, part]| [*h, 1.0 - part]).collect();
    let order = order(&lost);
    let same = level.iter().all(|[h, part]| {
        let other = at(&returned, *h).unwrap_or(f64::NAN);
        // In long steps what comes back hangs on where in its step the impact is.
        (part - other).abs() < 0.05
    });
    Verdict::of(
        dead.abs() < 0.01
            && level[0][1].abs() < 0.01
            && a < b
            && b < c
            && c > 0.9
            && (order - 1.0).abs() < 0.1
            && gained < 1e-3
            && same,
        format!(
            "of the energy {:.2} %, {:.1} %, {:.1} % and {:.1} % come back at 1e-5, 1e-6, 1e-7 and 1e-8 s (released level: {}); order {order:.3} of what \
             is lost below; the energy grows by {gained:.1e} of itself at most",
            100.0 * dead,
            100.0 * a,
            100.0 * b,
            100.0 * c,
            level
                .iter()
                .map(|[h, part]| format!("{:.1} % at {h:e} s", 100.0 * part))
                .collect::<Vec<_>>()
                .join(", "),
        ),
    )
}

fn plot(table: &Table) -> Plot {
    let names = table
        .columns
        .iter()
        .filter(|name| name.starts_with("angle"));
    Plot {
        title: "Pendulum with a limit at its lowest place".into(),
        axes: [TIME, "angle [rad]"].map(Into::into),
        logarithmic: [false, false],
        curves: names
            .map(|name| Curve {
                name: name.clone(),
                points: table.points(TIME, name),
            })
            .collect(),
    }
}
