//! What the figures of the heavy top and of the rotor are judged by alike.

use super::ladder::{Of, mean, ratio, shown_step};
use super::{EP, IMPLICIT, RV, RXYZ, shown};
use crate::{Table, Verdict};

/// One parametrisation over another with each of the tableaus.
fn explicit(table: &Table, coordinates: [&str; 2], of: Of) -> [Option<f64>; 3] {
    ["RK44", "DOPRI5", "RK67"].map(|t| {
        let names = coordinates.map(|c| format!("{t} {c}"));
        ratio(table, names.each_ref().map(String::as_str), of)
    })
}

/// Explicit: the group beats Cardan angles; implicit: Euler parameters beat the group.
pub fn convergence(table: &Table) -> Verdict {
    let explicit = explicit(table, ["Rxyz", "RV"], Of::Error);
    let implicit = ratio(table, [RV.name, EP.name], Of::Error);
    let (Some(worst), Some(implicit)) = (explicit.into_iter().flatten().reduce(f64::min), implicit)
    else {
        return Verdict::unjudged("no step was met by both");
    };
    let steps = IMPLICIT.map(|name| shown_step(table, name));
    Verdict::of(
        worst > 1.0 && implicit > 1.0,
        format!(
            "errors of Rxyz over RV at the same step: RK44 {}, DOPRI5 {}, RK67 {}; of RV over EP with generalised-alpha {implicit:.2}; \
             largest steps met: Rxyz {}, EP {}, RV {}",
            shown(explicit[0]),
            shown(explicit[1]),
            shown(explicit[2]),
            steps[0],
            steps[1],
            steps[2],
        ),
    )
}

/// The group needs the fewest iterations.
pub fn iterations(table: &Table) -> Verdict {
    let means = IMPLICIT.map(|name| mean(table, name, Of::Iterations));
    let [Some(rxyz), Some(ep), Some(rv)] = means else {
        return Verdict::unjudged("a method met no step");
    };
    let same = [RXYZ.name, EP.name].map(|other| ratio(table, [other, RV.name], Of::Iterations));
    Verdict::of(
        same.iter().flatten().all(|r| *r > 1.0),
        format!(
            "mean iterations: Rxyz {rxyz:.2}, EP {ep:.2}, RV {rv:.2}; at the same steps Rxyz over RV {}, EP over RV {}",
            shown(same[0]),
            shown(same[1])
        ),
    )
}

/// The group takes no more time.
pub fn time(table: &Table) -> Verdict {
    let explicit = explicit(table, ["RV", "Rxyz"], Of::Time);
    let implicit = [RXYZ.name, EP.name].map(|other| ratio(table, [RV.name, other], Of::Time));
    let all: Vec<f64> = explicit.into_iter().chain(implicit).flatten().collect();
    if all.is_empty() {
        return Verdict::unjudged("no step was met by both");
    }
    // Time varies by a tenth from run to run where a machine has other work.
    Verdict::of(
        all.iter().all(|r| *r < 1.15),
        format!(
            "time of RV over Rxyz: RK44 {}, DOPRI5 {}, RK67 {}, generalised-alpha {}; over EP with generalised-alpha {}",
            shown(explicit[0]),
            shown(explicit[1]),
            shown(explicit[2]),
            shown(implicit[0]),
            shown(implicit[1])
        ),
    )
}
