//! Figures 1 to 3: a mass on a spring and a damper by explicit, semi-implicit and implicit Euler.

use super::scheme::{Case, Scheme};
use super::{PAPER, slope_of};
use crate::claimed::in_words;
use crate::{Effort, Item, RunError, Standing, Subject, Table, Verdict, Watch};
use physics::figures::{Curve, Plot};

/// Figure 1.
pub const EXPLICIT: Item = Item {
    figure: "1",
    claim: "explicit Euler at h = 1e-5 s and k = 1e6 N/m is unstable with b = 1, stable with 2e5 and unstable with 2.1e5 N s/m",
    place: "sect. 3.1.1, fig. 1",
    setup: "explicit-euler on 1 kg on a spring and a damper at 1 m/s, 1e5 steps; growth a step beside the eigenvalues of eq. 10",
    run: |effort, watch| EXPLICIT_CASES.run(effort, watch),
    judge: |table| EXPLICIT_CASES.judge(table),
    plot: |table| EXPLICIT_CASES.plot(table),
    ..BASE
};

/// Figure 2.
pub const SEMI_IMPLICIT: Item = Item {
    figure: "2",
    claim: "semi-implicit Euler at h = 1e-3 s and b = 1 N s/m is stable with k = 1e6 and unstable with 1e7 N/m",
    place: "sect. 3.1.2, fig. 2",
    setup: "semi-implicit-euler, whose damper is at the start of the step where eq. 12 has it at the end, beside the recursion of eq. 11 and 12 \
            itself, on 1 kg on a spring and a damper at 1 m/s, 1e5 steps; growth a step beside the eigenvalues of each",
    run: |effort, watch| SEMI_IMPLICIT_CASES.run(effort, watch),
    judge: |table| SEMI_IMPLICIT_CASES.judge(table),
    plot: |table| SEMI_IMPLICIT_CASES.plot(table),
    ..BASE
};

/// Figure 3.
pub const IMPLICIT: Item = Item {
    figure: "3",
    claim: "implicit Euler with k = 1e6 N/m and b = 0 is stable at h = 1e-5 s and 1e-2 s, and loses amplitude that should stay",
    place: "sect. 3.1.3, fig. 3",
    setup: "compliant on 1 kg that a joint holds with that stiffness, at 1 m/s, 1e5 steps; growth a step beside the eigenvalues of eq. 13 and 14",
    run: |effort, watch| IMPLICIT_CASES.run(effort, watch),
    judge: |table| IMPLICIT_CASES.judge(table),
    plot: |table| IMPLICIT_CASES.plot(table),
    ..BASE
};

const BASE: Item = Item {
    paper: PAPER,
    figure: "",
    claim: "",
    place: "",
    setup: "",
    expected: Standing::Holds,
    timed: false,
    run: |_, _| Ok(Table::default()),
    judge: |_| Verdict::unjudged("there is nothing"),
    plot: |table| EXPLICIT_CASES.plot(table),
    scene: Subject::Near(
        "mass_spring_damper",
        "another stiffness and damper, by the program's own method",
    ),
    claimed: in_words,
};

const fn case(h: f64, k: f64, b: f64) -> Case {
    Case { h, k, b }
}

const EXPLICIT_CASES: Cases = Cases {
    title: "Mass, spring and damper by explicit Euler",
    cases: &[
        (Scheme::Explicit, case(1e-5, 1e6, 1.0), false),
        (Scheme::Explicit, case(1e-5, 1e6, 2e5), true),
        (Scheme::Explicit, case(1e-5, 1e6, 2.1e5), false),
    ],
};

const SEMI_IMPLICIT_CASES: Cases = Cases {
    title: "Mass, spring and damper by semi-implicit Euler",
    cases: &[
        (Scheme::Symplectic, case(1e-3, 1e6, 1.0), true),
        (Scheme::Symplectic, case(1e-3, 1e7, 1.0), false),
        (Scheme::SemiImplicit, case(1e-3, 1e6, 1.0), true),
        (Scheme::SemiImplicit, case(1e-3, 1e7, 1.0), false),
    ],
};

const IMPLICIT_CASES: Cases = Cases {
    title: "Mass and spring by implicit Euler",
    cases: &[
        (Scheme::Implicit, case(1e-5, 1e6, 0.0), true),
        (Scheme::Implicit, case(1e-2, 1e6, 0.0), true),
    ],
};

const COUNT: &str = "steps";

/// Steps of a motion.
const STEPS: u32 = 100_000;

/// Rows a decade of steps.
const PER_DECADE: i32 = 20;

/// How far a measured growth may be from that of the eigenvalues, relative to it: what the swing of the energy within a period
/// leaves of a line through the logarithms of all points.
const NEAR: f64 = 0.05;

/// Sizes between which the growth is measured: far from where numbers end.
const USABLE: std::ops::Range<f64> = 1e-200..1e150;

/// Motions of one figure, each with whether the paper finds it stable.
struct Cases {
    title: &'static str,
    cases: &'static [(Scheme, Case, bool)],
}

impl Cases {
    fn name((scheme, Case { h, k, b }, _): &(Scheme, Case, bool)) -> String {
        // The names are those of columns of a file, which commas part.
        let scheme = scheme.name().replace(',', ":");
        format!("{scheme}: h {h:.0e} k {k:.0e} b {b} [m/s]")
    }

    fn run(&self, _: Effort, watch: Watch) -> Result<Table, RunError> {
        let names = self.cases.iter().map(Self::name);
        let mut table = Table::new([COUNT.to_owned()].into_iter().chain(names));
        let marks = (0..).map(|k| 10_f64.powf(f64::from(k) / f64::from(PER_DECADE)).round());
        let mut marks: Vec<f64> = marks.take_while(|n| *n <= f64::from(STEPS)).collect();
        marks.dedup();
        let row = |n| {
            let mut row = vec![f64::NAN; 1 + self.cases.len()];
            row[0] = n;
            row
        };
        table.rows = marks.into_iter().map(row).collect();
        for (k, (scheme, case, _)) in self.cases.iter().enumerate() {
            let mut motion = case.motion(*scheme)?;
            let mut done = 0.0;
            for row in &mut table.rows {
                // What has died away is not followed into the least of numbers.
                while done < row[0] && motion.size() > USABLE.start {
                    motion.step();
                    done += 1.0;
                }
                if done >= row[0] {
                    row[1 + k] = motion.size();
                }
            }
            watch((k + 1) as f64 / self.cases.len() as f64, &table)?;
        }
        Ok(table)
    }

    fn judge(&self, table: &Table) -> Verdict {
        let mut good = true;
        let mut found = Vec::new();
        for one @ (scheme, case, stable) in self.cases {
            let points = table.points(COUNT, &Self::name(one));
            let usable = points.into_iter().filter(|p| USABLE.contains(&p[1]));
            let logarithms: Vec<[f64; 2]> = usable.map(|[n, size]| [n, size.ln()]).collect();
            if logarithms.len() < 4 {
                return Verdict::unjudged("a motion has fewer than four points");
            }
            let (measured, law) = (slope_of(&logarithms), scheme.growth(case.numbers()));
            good &= (measured - law).abs() <= NEAR * law.abs() && (law < 0.0) == *stable;
            found.push(format!(
                "{} ({measured:.3e} a step, eigenvalues {law:.3e})",
                if measured < 0.0 { "stable" } else { "unstable" },
            ));
        }
        Verdict::of(
            good,
            format!("in the order of the claim: {}", found.join(", ")),
        )
    }

    fn plot(&self, table: &Table) -> Plot {
        let curves = self.cases.iter().map(|one| {
            let points = table.points(COUNT, &Self::name(one));
            Curve {
                name: Self::name(one),
                // What has left the picture tells no more of how it left.
                points: points
                    .into_iter()
                    .filter(|p| (1e-12..1e12).contains(&p[1]))
                    .collect(),
            }
        });
        Plot {
            title: self.title.into(),
            axes: [COUNT, "speed of the same energy [m/s]"].map(Into::into),
            logarithmic: [true, true],
            curves: curves.collect(),
        }
    }
}
