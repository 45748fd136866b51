//! Redundant and contradictory constraints: which of them carries how much.

use super::{G, METHOD, PAPER, joint, simulation, steps};
use crate::claimed::of_plot;
use crate::{Effort, Item, RunError, Standing, Subject, Table, Verdict, Watch};
use physics::figures::{Curve, Plot};
use physics::math::{Mat3, Vec3};
use physics::model::{Body, BodyId, Compliance, JointKind, Model, ModelParts, State};

/// The item.
pub const ITEM: Item = Item {
    paper: PAPER,
    figure: "redundant",
    claim: "redundant constraints need no care, inconsistent ones are of no concern: there is one solution, and forces are distributed among the constraints",
    place: "sect. 1, 2.3.1, 4.3",
    setup: "a body of 2 kg that three joints hold whole, at one place and at places up to 0.01 m apart, as stiff as can be, all of 1e8 N/m and of 1e8, 2e8 \
            and 5e8 N/m, each with 1e5 N s/m, by compliant in steps of 0.01 s, 10 s; forces beside those of springs in balance",
    expected: Standing::Holds,
    timed: false,
    run,
    judge,
    plot,
    scene: Subject::None("one body that three joints hold: nothing moves"),
    claimed: |table| of_plot(plot(table), &BALANCE),
};

const CASE: &str = "case";
const JOINT: &str = "joint";
const FORCE: [&str; 2] = ["force along x [N]", "force along z [N]"];
const BALANCE: [&str; 2] = ["in balance along x [N]", "in balance along z [N]"];
const PLACE: [&str; 2] = ["place along x [m]", "in balance [m]"];

const MASS: f64 = 2.0;
/// Places along x at which the joints hold the body (m).
const PLACES: [[f64; 3]; 2] = [[0.0; 3], [0.0, 0.01, 0.004]];
/// Their stiffness (N/m).
const STIFFNESS: [[f64; 3]; 3] = [[f64::INFINITY; 3], [1e8; 3], [1e8, 2e8, 5e8]];
/// Steps (s).
const DT: f64 = 0.01;

fn mechanism(places: &[f64; 3], stiffness: &[f64; 3]) -> (Model, State) {
    let held = |k: usize| {
        let anchors = [Vec3::x() * places[k], Vec3::zeros()];
        let mut joint = joint(JointKind::Fixed, &format!("hold_{k}"), BodyId(0), anchors);
        if stiffness[k].is_finite() {
            let own = Compliance {
                stiffness: stiffness[k],
                damping: 1e5,
            };
            joint.compliance = [own, own];
        }
        joint
    };
    let parts = ModelParts {
        bodies: vec![Body::new("body", MASS, Mat3::identity())],
        joints: (0..3).map(held).collect(),
        gravity: Vec3::z() * -G,
        ..ModelParts::default()
    };
    let model = Model::new(parts).expect("joints may contradict each other");
    let state = State::at_rest(&model);
    (model, state)
}

/// Stiffness that counts: what is as stiff as can be is so by the same number, whatever it is.
fn weights(stiffness: &[f64; 3]) -> [f64; 3] {
    if stiffness[0].is_finite() {
        *stiffness
    } else {
        [1.0; 3]
    }
}

fn run(_: Effort, watch: Watch) -> Result<Table, RunError> {
    let columns = [CASE, JOINT].into_iter().chain(FORCE).chain(BALANCE);
    let mut table = Table::new(columns.chain(PLACE));
    let cases = PLACES
        .iter()
        .flat_map(|p| STIFFNESS.iter().map(move |s| (p, s)));
    for (case, (places, stiffness)) in cases.enumerate() {
        let mut sim = simulation(&mechanism(places, stiffness), METHOD, DT)?;
        steps(&mut sim, (10.0 / DT) as u64)?;
        let state = sim.state();
        let weights = weights(stiffness);
        let sum: f64 = weights.iter().sum();
        let meet = weights.iter().zip(places).map(|(w, x)| w * x).sum::<f64>() / sum;
        let compliance = if stiffness[0].is_finite() {
            1.0
        } else {
            f64::NAN
        };
        for k in 0..3 {
            let force = state.reactions[k].force;
            let along = compliance * weights[k] * (places[k] - meet);
            let weight = MASS * G * weights[k] / sum;
            let place = state.bodies[0].position.x;
            let row = [
                case as f64,
                k as f64,
                force.x,
                force.z,
                along,
                weight,
                place,
                meet,
            ];
            table.rows.push(row.into());
        }
        watch(
            (case + 1) as f64 / (PLACES.len() * STIFFNESS.len()) as f64,
            &table,
        )?;
    }
    Ok(table)
}

fn judge(table: &Table) -> Verdict {
    let [forces, balances] = [FORCE, BALANCE].map(|names| names.map(|name| table.column(name)));
    let [place, meet] = PLACE.map(|name| table.column(name));
    if place.len() != 3 * PLACES.len() * STIFFNESS.len() {
        return Verdict::unjudged("the table lacks cases");
    }
    // Shares are judged of the largest force of the case; what contradicts as stiffly as can be has forces without a law.
    let [mut share, mut sum, mut apart, mut largest] = [0.0_f64; 4];
    for first in (0..place.len()).step_by(3) {
        let rows = first..first + 3;
        let size = rows
            .clone()
            .fold(MASS * G, |s, k| s.max(forces[0][k].abs()));
        largest = largest.max(size);
        for k in rows.clone() {
            for (force, balance) in forces.iter().zip(&balances) {
                if balance[k].is_finite() {
                    share = share.max((force[k] - balance[k]).abs() / size);
                }
            }
            apart = apart.max((place[k] - meet[k]).abs());
        }
        let total = rows.map(|k| forces[0][k]).sum::<f64>();
        sum = sum.max(total.abs() / size);
    }
    Verdict::of(
        share < 1e-4 && sum < 1e-4 && apart < 1e-7,
        format!(
            "no step fails; the body is at most {apart:.1e} m from where springs of the same stiffness balance; shares of the load are at most {share:.1e} \
             of the largest force off theirs, and what contradicts itself sums to {sum:.1e} of it; forces go up to {largest:.1e} N"
        ),
    )
}

fn plot(table: &Table) -> Plot {
    let columns = [FORCE[0], BALANCE[0], FORCE[1], BALANCE[1]];
    let numbers = (0..table.rows.len()).map(|k| k as f64);
    let curve = |name: &str| Curve {
        name: name.into(),
        points: numbers
            .clone()
            .zip(table.column(name))
            .map(|(x, y)| [x, y.abs()])
            .filter(|p| p[1] > 0.0)
            .collect(),
    };
    Plot {
        title: "What each of three joints carries, case by case".into(),
        axes: ["joint, three a case", "magnitude of the force [N]"].map(Into::into),
        logarithmic: [false, true],
        curves: columns.into_iter().map(curve).collect(),
    }
}
