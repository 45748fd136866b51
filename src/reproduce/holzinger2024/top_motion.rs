//! Figure 2: the motion of the heavy top without constraints.

use super::ladder::{Ending, opened, run};
use super::{PAPER, RV, TOP};
use crate::claimed::points;
use crate::{Effort, Item, RunError, Standing, Subject, Table, Verdict, Watch};
use physics::figures::{Curve, Plot};
use physics::math::Vec3;

/// The item.
pub const ITEM: Item = Item {
    paper: PAPER,
    figure: "2",
    claim: "the centre of mass moves as a reference solution does, off by about 1e-5 m after a second",
    place: "sect. 4.1.1, fig. 2",
    setup: "generalised-alpha with rv in steps of 1e-5 s, beside positions of an independent computation of nine decimals at 0.1, 0.2 and \
            1 s where the paper has those of a commercial program",
    expected: Standing::Holds,
    timed: false,
    run: record,
    judge,
    plot,
    scene: Subject::Run("heavy_top_free"),
    claimed,
};

const TIME: &str = "time [s]";
const AXES: [&str; 3] = ["x [m]", "y [m]", "z [m]"];
/// Step (s).
const DT: f64 = 1e-5;

/// Centre of mass of the same top on a joint, by a method and program that share nothing with ours.
const KNOWN: [(f64, [f64; 3]); 3] = [
    (0.1, [0.421296659, 0.894571974, -0.149164701]),
    (0.2, [0.605550561, 0.598957682, -0.523983027]),
    (1.0, [0.173343964, 0.640088592, -0.748490791]),
];

fn record(_: Effort, watch: Watch) -> Result<Table, RunError> {
    let scene = opened(TOP.scene);
    let mut table = Table::new([TIME].into_iter().chain(AXES));
    for k in 1..=20 {
        let end = 0.05 * f64::from(k);
        let steps = (end / DT).round() as u32;
        // Each from the start: the record is short, and a row is a run that anyone can repeat.
        let Ending { sim, .. } = run(&scene, &RV, (end, steps), TOP.tolerance)?;
        let tip = sim.state().bodies[0].orientation * Vec3::y();
        table.rows.push(vec![end, tip.x, tip.y, tip.z]);
        watch(f64::from(k) / 20.0, &table)?;
    }
    Ok(table)
}

fn judge(table: &Table) -> Verdict {
    let off = |(time, known): (f64, [f64; 3])| {
        let times = table.column(TIME);
        let row = times.iter().position(|t| (t - time).abs() < 1e-9)?;
        let found = AXES.map(|axis| table.column(axis)[row]);
        Some((Vec3::from(found) - Vec3::from(known)).norm())
    };
    let [Some(a), Some(b), Some(c)] = KNOWN.map(off) else {
        return Verdict::unjudged("the table lacks 0.1, 0.2 or 1 s");
    };
    Verdict::of(
        c < 3e-5,
        format!("off by {a:.1e} m at 0.1 s, {b:.1e} m at 0.2 s, {c:.1e} m at 1 s"),
    )
}

/// The reference solution of the paper's library.
fn claimed(_: &Table) -> Vec<Curve> {
    let axis = |k: usize| KNOWN.map(|(time, at)| [time, at[k]]);
    vec![
        points("reference, x [m]", &axis(0)),
        points("reference, y [m]", &axis(1)),
        points("reference, z [m]", &axis(2)),
    ]
}

fn plot(table: &Table) -> Plot {
    Plot {
        title: "Centre of mass of the heavy top".into(),
        axes: [TIME, "position [m]"].map(Into::into),
        logarithmic: [false, false],
        curves: AXES
            .map(|axis| Curve {
                name: axis.into(),
                points: table.points(TIME, axis),
            })
            .into(),
    }
}
