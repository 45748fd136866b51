//! The stability map of section 3: at which stiffness, damping and step each of the Euler schemes is stable.

use super::PAPER;
use super::scheme::{Case, Scheme};
use crate::claimed::in_words;
use crate::{Effort, Item, RunError, Standing, Subject, Table, Verdict, Watch};
use physics::figures::{Curve, Plot};

/// The item.
pub const ITEM: Item = Item {
    paper: PAPER,
    figure: "map",
    claim: "explicit Euler is not stable under the targeted stiffness, damping and steps; semi-implicit Euler is stable at any damping, \
            not at any stiffness; implicit Euler is at both",
    place: "sect. 3, beside figs. 1 to 3",
    setup: "1 kg on a spring and a damper by explicit-euler, semi-implicit-euler, the recursion of eq. 11 and 12, and compliant, \
            at steps of 1e-5, 1e-3 and 0.1 s, quick 1e-3 s alone; h² k/m from 0.01 to 1e4 and h b/m from 0.01 to 1e4, four points a decade, quick two; \
            until the motion has grown or shrunk a million times; beside the magnitude of the eigenvalues",
    expected: Standing::Holds,
    timed: false,
    run,
    judge,
    plot,
    scene: Subject::Near(
        "mass_spring_damper",
        "another stiffness and damper, by the program's own method",
    ),
    claimed: in_words,
};

const STEP: &str = "h [s]";
const STIFFNESS: &str = "k [N/m]";
const DAMPING: &str = "b [N s/m]";

/// Change of size at which a motion is decided.
const DECIDED: f64 = 1e6;

/// Steps after which one is not.
const STEPS: u32 = 20_000;

/// Decades of both numbers, from this one on.
const DECADES: [i32; 2] = [-2, 4];

/// Points a decade of a border that is drawn by eigenvalues.
const FINE: i32 = 40;

/// A column of 1 where a scheme was stable, -1 where it was not, 0 where no step decided it.
fn column(scheme: Scheme) -> String {
    format!("{} is stable", scheme.name().replace(',', ":"))
}

/// Values of one of the numbers, by this part of the way from one to the next: borders of schemes are where both are the same, or
/// one of them twice or four times.
fn values(per_decade: i32, part: f64) -> impl Iterator<Item = f64> + Clone {
    let [first, last] = DECADES.map(|d| d * per_decade);
    (first..last).map(move |k| 10_f64.powf((f64::from(k) + part) / f64::from(per_decade)))
}

fn run(effort: Effort, watch: Watch) -> Result<Table, RunError> {
    let (steps, per_decade): (&[f64], i32) = match effort {
        Effort::Quick => (&[1e-3], 2),
        Effort::Full => (&[1e-5, 1e-3, 0.1], 4),
    };
    let names = Scheme::ALL.map(column);
    let own = [STEP, STIFFNESS, DAMPING].map(str::to_owned);
    let mut table = Table::new(own.into_iter().chain(names));
    let all = steps.len() * values(per_decade, 0.0).count().pow(2);
    for &h in steps {
        for b in values(per_decade, 0.3) {
            for a in values(per_decade, 0.7) {
                let case = Case {
                    h,
                    k: a / (h * h),
                    b: b / h,
                };
                let mut row = vec![h, case.k, case.b];
                for scheme in Scheme::ALL {
                    row.push(stands(&case, scheme)?);
                }
                table.rows.push(row);
                watch(table.rows.len() as f64 / all as f64, &table)?;
            }
        }
    }
    Ok(table)
}

/// Runs a motion until it is decided.
fn stands(case: &Case, scheme: Scheme) -> Result<f64, RunError> {
    let mut motion = case.motion(scheme)?;
    for _ in 0..STEPS {
        motion.step();
        let size = motion.size();
        if motion.is_lost() || size > DECIDED {
            return Ok(-1.0);
        }
        if size < 1.0 / DECIDED {
            return Ok(1.0);
        }
    }
    Ok(0.0)
}

/// Cases of a table with what was found of a scheme.
fn found(table: &Table, scheme: Scheme) -> Vec<(Case, f64)> {
    let [h, k, b] = [STEP, STIFFNESS, DAMPING].map(|name| table.column(name));
    let found = table.column(&column(scheme));
    let cases = h.into_iter().zip(k).zip(b);
    let cases = cases.map(|((h, k), b)| Case { h, k, b });
    cases.zip(found).collect()
}

fn judge(table: &Table) -> Verdict {
    let mut good = true;
    let mut said = Vec::new();
    for scheme in Scheme::ALL {
        let cases = found(table, scheme);
        if cases.is_empty() {
            return Verdict::unjudged("the table has no cases");
        }
        // A motion that changes by less than this in a step is not decided by the steps it is given.
        let slow = 2.0 * DECIDED.ln() / f64::from(STEPS);
        let wrong = cases.iter().filter(|(case, found)| {
            let law = scheme.growth(case.numbers());
            match *found {
                0.0 => law.abs() > slow,
                found => (found < 0.0) != (law > 0.0),
            }
        });
        let wrong = wrong.count();
        let unstable = cases.iter().filter(|c| c.1 < 0.0).count();
        good &= wrong == 0 && (unstable == 0) == (scheme == Scheme::Implicit);
        said.push(format!(
            "{} unstable at {unstable} of {}, {wrong} beside its eigenvalues",
            scheme.name(),
            cases.len()
        ));
    }
    Verdict::of(good, said.join("; "))
}

/// Where a scheme begins to be unstable as the stiffness grows, over the damping, both as numbers of the step: between the stiffest case
/// that was stable and the next.
fn border(cases: &[(Case, f64)]) -> Vec<[f64; 2]> {
    let mut columns: Vec<(f64, Vec<(f64, f64)>)> = Vec::new();
    for (case, found) in cases {
        let [a, b] = case.numbers();
        match columns.iter_mut().find(|c| (c.0 / b - 1.0).abs() < 1e-9) {
            Some(column) => column.1.push((a, *found)),
            None => columns.push((b, vec![(a, *found)])),
        }
    }
    columns.sort_by(|p, q| p.0.total_cmp(&q.0));
    let between = |(b, column): (f64, Vec<(f64, f64)>)| {
        let stable = column.iter().filter(|c| c.1 > 0.0).map(|c| c.0);
        let low = stable.reduce(f64::max)?;
        let above = column
            .iter()
            .filter(|c| c.1 < 0.0 && c.0 > low)
            .map(|c| c.0);
        Some([b, (low * above.reduce(f64::min)?).sqrt()])
    };
    columns.into_iter().filter_map(between).collect()
}

/// The same by the eigenvalues.
fn border_of(scheme: Scheme) -> Vec<[f64; 2]> {
    let fine = values(FINE, 0.0);
    let at = |b: f64| {
        let mut above = fine.clone().skip_while(|a| scheme.growth([*a, b]) >= 0.0);
        above.next()?;
        above.find(|a| scheme.growth([*a, b]) > 0.0).map(|a| [b, a])
    };
    fine.clone().filter_map(at).collect()
}

fn plot(table: &Table) -> Plot {
    let curves = Scheme::ALL.into_iter().flat_map(|scheme| {
        let run = border(&found(table, scheme));
        let law = border_of(scheme);
        [("run", run), ("eigenvalues", law)].map(|(of, points)| Curve {
            name: format!("{}: {of}", scheme.name()),
            points,
        })
    });
    // Implicit Euler has no border.
    let curves = curves.filter(|curve| !curve.points.is_empty());
    Plot {
        title: "Stable below: a mass on a spring and a damper; implicit Euler is stable everywhere"
            .into(),
        axes: ["h b/m", "h² k/m"].map(Into::into),
        logarithmic: [true, true],
        curves: curves.collect(),
    }
}
