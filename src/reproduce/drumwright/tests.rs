//! Verdicts: what is measured quickly is as expected, and what is not as it should be falls.

use super::scheme::{Case, Scheme};
use super::*;
use crate::trials::{Break, falls, quick};
use crate::{Standing, Table};
use nalgebra::Matrix2;

#[test]
fn figures_1_to_3_hold_and_fall_where_nothing_grows_or_shrinks() {
    for item in [
        oscillator::EXPLICIT,
        oscillator::SEMI_IMPLICIT,
        oscillator::IMPLICIT,
    ] {
        falls(&item, &[("plicit Euler", |_| 1.0)]);
    }
}

#[test]
fn the_map_holds_and_falls_by_one_case_beside_the_eigenvalues() {
    let table = quick(&map::ITEM);
    let judge = map::ITEM.judge;
    assert_eq!(judge(&table).standing, Standing::Holds);
    for scheme in Scheme::ALL {
        let name = format!("{} is stable", scheme.name().replace(',', ":"));
        let mut table = table.clone();
        let column = table.columns.iter().position(|c| *c == name);
        let column = column.expect("the scheme has a column");
        // The stiffest and most damped case, which is far from every border.
        let last = table.rows.len() - 1;
        let found = &mut table.rows[last][column];
        *found = if *found < 0.0 { 1.0 } else { -1.0 };
        assert_eq!(judge(&table).standing, Standing::Differs, "{name}");
    }
}

#[test]
fn the_deviation_of_the_pendulum_is_judged_by_its_order() {
    let breaks: [Break; 2] = [
        ("published [m]", f64::sqrt),
        ("deviation [m]", |d| d + 1e-6),
    ];
    falls(&pendulum::ITEM, &breaks);
}

#[test]
fn energy_that_is_kept_would_be_found_kept() {
    falls(&pendulum_energy::ITEM, &[("[J]", |_| 1e-13)]);
}

#[test]
fn impacts_on_the_limit_are_judged_by_what_comes_back() {
    let breaks: [Break; 3] = [
        ("energy returned", |part| 0.5 * part),
        ("from level", |part| part + 0.1),
        ("energy gained", |_| 0.01),
    ];
    falls(&limit::ITEM, &breaks);
}

#[test]
fn distances_on_the_slope_and_creep_are_judged() {
    falls(
        &slope::ITEM,
        &[("distance [m]", |d| 1.02 * d), ("creep", |_| 1e-9)],
    );
}

#[test]
fn a_gain_of_energy_or_a_failed_step_is_no_stability() {
    falls(
        &stability::ITEM,
        &[("energy gained", |e| e + 0.2), ("failed", |_| 1.0)],
    );
}

#[test]
fn shares_of_the_load_are_judged() {
    let breaks: [Break; 2] = [
        ("force along x", |f| 1.1 * f),
        ("place along x", |x| x + 1e-4),
    ];
    falls(&contradiction::ITEM, &breaks);
}

/// Times are made up: a verdict must not hang on what else the machine does.
#[test]
fn a_stack_whose_time_grows_by_the_square_or_that_leans_falls() {
    let columns = "spheres,time of a step [s],farthest aside [m],farthest from its height [m],fastest at the end [m/s]";
    let judged = |power: i32, aside: f64| {
        let rows = [20, 50, 100].map(|n| {
            let time = 1e-6 * f64::from(n).powi(power);
            format!("{n},{time:?},{aside:?},1e-7,1e-9")
        });
        let text = format!("{columns}\n{}", rows.join("\n"));
        (stack::ITEM.judge)(&Table::from_text(&text).expect("a table")).standing
    };
    assert_eq!(judged(1, 0.0), Standing::Holds);
    assert_eq!(judged(2, 0.0), Standing::Differs);
    assert_eq!(judged(1, 0.01), Standing::Differs);
}

#[test]
fn soft_beside_rigid_is_judged_by_time_and_by_steps_that_fall_short() {
    let judged = |time: f64, short: f64| {
        let mut table = Table::new(["scene"]);
        for method in ["variational-2", METHOD] {
            for measure in [
                "steps that failed or fell short",
                "deepest penetration [m]",
                "penetration at the end [m]",
                "drift of joints [m]",
                "energy error [J]",
                "time of a step [s]",
            ] {
                table.columns.push(format!("{method}: {measure}"));
            }
        }
        for k in 0..5 {
            let soft = [short, 0.0, 0.0, 0.0, 0.0, time];
            let rigid = [0.0, 0.0, 0.0, 0.0, 0.0, 1.0];
            let row = [f64::from(k)].into_iter().chain(rigid).chain(soft);
            table.rows.push(row.collect());
        }
        (rigid::ITEM.judge)(&table).standing
    };
    assert_eq!(judged(1.2, 0.0), Standing::Holds);
    assert_eq!(judged(2.0, 0.0), Standing::Differs);
    assert_eq!(judged(1.2, 1.0), Standing::Differs);
}

/// Eigenvalues of the iterations as the paper writes them, found by a library.
#[test]
fn growth_is_the_largest_magnitude_of_an_eigenvalue() {
    for a in [1e-3, 0.3, 3.9, 50.0] {
        for b in [0.0, 1e-3, 0.7, 2.1, 40.0] {
            for scheme in Scheme::ALL {
                let (damped, all) = (1.0 + b, 1.0 + a + b);
                let [to_x, to_w] = match scheme {
                    Scheme::Explicit => [-a, 1.0 - b],
                    Scheme::Symplectic => [-a, 1.0 - b],
                    Scheme::SemiImplicit => [-a / damped, 1.0 / damped],
                    Scheme::Implicit => [-a / all, 1.0 / all],
                };
                let matrix = if scheme == Scheme::Explicit {
                    Matrix2::new(1.0, 1.0, to_x, to_w)
                } else {
                    Matrix2::new(1.0 + to_x, to_w, to_x, to_w)
                };
                let eigenvalues = matrix.complex_eigenvalues();
                let largest = eigenvalues.iter().map(|e| e.norm()).fold(0.0, f64::max);
                let found = scheme.growth([a, b]).exp();
                // A pair that meets is known to the root of rounding.
                assert!(
                    (found - largest).abs() < 1e-7,
                    "{scheme:?} {a} {b}: {found} {largest}"
                );
            }
        }
    }
}

/// The methods of the program are the schemes that they stand for: the same recursion, step by step.
#[test]
fn motions_are_those_of_the_schemes() {
    let case = Case {
        h: 0.01,
        k: 400.0,
        b: 3.0,
    };
    let Case { h, k, b } = case;
    for scheme in Scheme::ALL {
        let mut motion = case.motion(scheme).expect("it runs");
        let [mut x, mut v] = [0.0_f64, 1.0];
        for _ in 0..20 {
            motion.step();
            let before = v;
            v = match scheme {
                Scheme::Explicit | Scheme::Symplectic => v - h * (b * v + k * x),
                Scheme::SemiImplicit => (v - h * k * x) / (1.0 + h * b),
                Scheme::Implicit => (v - h * k * x) / (1.0 + h * b + h * h * k),
            };
            x += h * if scheme == Scheme::Explicit {
                before
            } else {
                v
            };
            let size = v.hypot(k.sqrt() * x);
            assert!((motion.size() - size).abs() < 1e-12, "{scheme:?}");
        }
        assert!(!motion.is_lost());
    }
}
