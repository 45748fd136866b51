//! The claim of the title: stable whatever the step, the stiffness and the damping.

use super::{METHOD, PAPER, described, simulation};
use crate::claimed::in_words;
use crate::{Effort, Item, RunError, Standing, Subject, Table, Verdict, Watch, step};
use physics::figures::{Curve, Plot};
use physics::model::{Model, State};

/// The item.
pub const ITEM: Item = Item {
    paper: PAPER,
    figure: "stability",
    claim: "the method is absolutely stable: no step, stiffness or damping makes the energy grow, and no step fails",
    place: "abstract, sect. 3.2, 4.3",
    setup: "two rods of 1 m and 1 kg on a hinge and on each other, with springs, dampers and limits on both hinges, and a ball at their end that meets \
            the ground; all of joints, springs, limits and contacts of one stiffness from 0 to 1e15 and one damping from 0 to 1e12, steps from 1e-6 to 1 s, \
            200 each, quick 60, by compliant; falling, where springs and weight exchange energy, and spinning at 1 rad/s without weight and springs, where \
            nothing but constraints can give energy",
    expected: Standing::Holds,
    timed: false,
    run,
    judge,
    plot,
    scene: Subject::Near(
        "double_pendulum",
        "two rods without springs, limits or ground; what is run has all of them, in hundreds of kinds",
    ),
    claimed: in_words,
};

const STEP: &str = "h [s]";
const STIFFNESS: &str = "k";
const DAMPING: &str = "b";
const GRAVITY: &str = "gravity [m/s²]";
const GAINED: &str = "energy gained over what there is";
const LATE: &str = "energy gained in the second half";
const FAILED: &str = "failed steps";

const STEPS: [f64; 7] = [1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 0.1, 1.0];
const STIFFNESSES: [f64; 6] = [0.0, 1.0, 1e4, 1e8, 1e12, 1e15];
const DAMPINGS: [f64; 4] = [0.0, 1.0, 1e6, 1e12];

/// What falls may gain on the way, of what there is.
const FALLING: f64 = 1e-3;
/// What turns without weight may gain, of what there is, in steps of a second, in which it turns by a radian. It goes by the square of
/// the step: directions in which joints hold are those of the start of a step.
const TURNING: f64 = 0.1;
/// What it may gain later that it did not gain at first, of that: what is left is no growth.
const LATER: f64 = 0.01;
/// Steps in which a run has turned several times, so that it shows what comes later (s).
const LONG: f64 = 0.1;
/// What rounding may leave.
const ROUNDING: f64 = 1e-9;

/// Two rods and a ball.
fn mechanism(k: f64, b: f64, gravity: f64) -> (Model, State) {
    let own = format!(
        "compliance: (stiffness: {k:?}, damping: {b:?}, stiffness_rotation: {k:?}, damping_rotation: {b:?})"
    );
    let one = format!("compliance: (stiffness: {k:?}, damping: {b:?})");
    // Springs on joints, which are no constraints, are forces at the start of the step while they are slow: what they exchange
    // with motions is seen where weight does so too.
    let along = |rest: f64| {
        let springs = if gravity > 0.0 {
            format!("springs: [(stiffness: {k:?}, rest: {rest:?})],")
        } else {
            String::new()
        };
        format!(
            "kind: revolute, axis: (1, 0, 0), at: {rest:?}, damping: {b:?}, {springs} limits: [(lower: -1.5, upper: 2, {one})], {own}"
        )
    };
    let (hip, knee) = (along(1.2), along(0.3));
    let motion = if gravity > 0.0 {
        String::new()
    } else {
        ", angular_velocity: (1, 0, 0)".into()
    };
    let rod = r#"mass: 1, inertia: ("1/12", "1/12", 1e-2), centre: (0, 0, -0.5)"#;
    let text = format!(
        r#"(version: 1, gravity: (0, 0, {:?}),
            bodies: {{
                "upper": ({rod}{motion}),
                "lower": ({rod}{motion}, shape: (sphere: (radius: 0.1), at: (0, 0, -1))),
            }},
            joints: {{
                "hip": (child: "upper", anchor: (0, 0, 1.5), {hip}),
                "knee": (parent: "upper", child: "lower", anchor: (0, 0, -1), {knee}),
            }},
            world: [(half_space: ())],
            contact: (materials: {{"all": ()}}, pairs: [(materials: ("all", "all"), friction: 0.5, {one})]))"#,
        -gravity
    );
    described(&text)
}

fn run(effort: Effort, watch: Watch) -> Result<Table, RunError> {
    let steps = match effort {
        Effort::Quick => 60,
        Effort::Full => 200,
    };
    let mut table = Table::new([STEP, STIFFNESS, DAMPING, GRAVITY, GAINED, LATE, FAILED]);
    let all = 2 * STEPS.len() * STIFFNESSES.len() * DAMPINGS.len();
    for gravity in [9.81, 0.0] {
        for h in STEPS {
            for k in STIFFNESSES {
                for b in DAMPINGS {
                    let [gained, late, failed] = go(h, k, b, gravity, steps)?;
                    let row = vec![h, k, b, gravity, gained, late, failed];
                    table.rows.push(row);
                    watch(table.rows.len() as f64 / all as f64, &table)?;
                }
            }
        }
    }
    Ok(table)
}

/// Largest energy over the first, of what there is; how much of that came in the second half; failed steps.
fn go(h: f64, k: f64, b: f64, gravity: f64, steps: u32) -> Result<[f64; 3], RunError> {
    let mut sim = simulation(&mechanism(k, b, gravity), METHOD, h)?;
    let energy = sim.energy();
    let first = energy.total();
    // What moves, and what the rods have over the place where they would hang: together 1.4 kg m.
    let size = energy.kinetic + 1.4 * gravity;
    let mut halves = [0.0_f64; 2];
    for n in 0..steps {
        let now = match step(&mut sim) {
            Ok(()) => (sim.energy().total() - first) / size,
            Err(_) => f64::NAN,
        };
        if !now.is_finite() {
            return Ok([f64::INFINITY, f64::INFINITY, 1.0]);
        }
        let half = &mut halves[usize::from(2 * n >= steps)];
        *half = half.max(now);
    }
    let [early, late] = halves;
    Ok([early.max(late), (late - early).max(0.0), 0.0])
}

fn judge(table: &Table) -> Verdict {
    let [h, gravity, gained, late, failed] =
        [STEP, GRAVITY, GAINED, LATE, FAILED].map(|name| table.column(name));
    let worst = |falls: bool| {
        let rows = (0..gained.len()).filter(|k| (gravity[*k] > 0.0) == falls);
        rows.max_by(|a, b| gained[*a].total_cmp(&gained[*b]))
    };
    let (Some(falling), Some(turning)) = (worst(true), worst(false)) else {
        return Verdict::unjudged("the table lacks the half with or without weight");
    };
    let bounded = (0..gained.len()).all(|k| {
        if gravity[k] > 0.0 {
            gained[k] < FALLING
        } else {
            let most = TURNING * h[k] * h[k];
            let grows = h[k] >= LONG && late[k] > LATER * most;
            gained[k] < most + ROUNDING && !grows
        }
    });
    let lost = failed.iter().sum::<f64>();
    let at = |k: usize| {
        let [h, s, b] = [STEP, STIFFNESS, DAMPING].map(|name| table.column(name)[k]);
        format!(
            "{:.1e} of what there is (h = {h:e}, k = {s:e}, b = {b:e})",
            gained[k]
        )
    };
    let turned = (0..late.len()).filter(|k| h[*k] >= LONG && gravity[*k] == 0.0);
    let latest = turned.map(|k| late[k]).fold(0.0, f64::max);
    Verdict::of(
        lost == 0.0 && bounded,
        format!(
            "{} cases, {lost} of them with a failed step; falling, energy rises by at most {}; spinning without weight by {}, since gradients are those of \
             the start of a step in which all turns by a radian, by the square of the step, and in the second half of the run by no more than {latest:.0e}",
            gained.len(),
            at(falling),
            at(turning)
        ),
    )
}

fn plot(table: &Table) -> Plot {
    let [h, gravity, gained] = [STEP, GRAVITY, GAINED].map(|name| table.column(name));
    let worst = |falls: bool, step: f64| {
        let rows = (0..h.len()).filter(|k| h[*k] == step && (gravity[*k] > 0.0) == falls);
        rows.map(|k| gained[k]).fold(1e-16, f64::max)
    };
    let curve = |(name, falls): (&str, bool)| Curve {
        name: name.into(),
        points: STEPS.into_iter().map(|s| [s, worst(falls, s)]).collect(),
    };
    Plot {
        title: "Largest gain of energy over all stiffnesses and dampings".into(),
        axes: [STEP, GAINED].map(Into::into),
        logarithmic: [true, true],
        curves: [("with weight", true), ("without weight", false)]
            .map(curve)
            .into(),
    }
}
