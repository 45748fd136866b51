//! All root finders end at the same root, each at the rate that is its own.

use super::super::options::Guess;
use super::super::roots::{Attempt, RootFinder, Roots};
use super::*;
use crate::integrators::StepReport;

const ALL: [RootFinder; 5] = [
    RootFinder::Riqn,
    RootFinder::Newton,
    RootFinder::Broyden,
    RootFinder::Secant,
    RootFinder::SviNewton,
];

/// The increment that a finder ends at, and what it reported.
fn found(s: &Specimen, finder: RootFinder, guess: Guess, dense: bool) -> (Vec<f64>, StepReport) {
    let mut e = s.equation(MeanVelocity::Screw);
    let mut roots = Roots::new(&s.model, &e, finder, dense);
    let mut report = StepReport::default();
    let attempt = Attempt {
        finder,
        guess,
        tolerance: 1e-11,
        // The secant method learns some two hundred unknowns.
        limit: 1000,
        rho: crate::linalg::proximal::RHO,
    };
    let result = roots.find(&mut e, &s.context(), &attempt, &mut report);
    let rates: Vec<f64> = report.history.iter().map(|h| h.residual).collect();
    result.unwrap_or_else(|f| panic!("{finder:?} {guess:?}: {f:?} {rates:?}"));
    (roots.delta, report)
}

#[test]
fn all_finders_from_all_guesses_end_at_the_same_root() {
    for seed in 0..24 {
        let s = specimen(seed, seed % 2 == 1);
        let oracle = found(&s, RootFinder::Newton, Guess::ForwardDynamics, true).0;
        for finder in ALL {
            for guess in [Guess::Zero, Guess::Velocity, Guess::ForwardDynamics] {
                let (delta, _) = found(&s, finder, guess, false);
                let apart = largest(delta.iter().zip(&oracle).map(|(a, b)| a - b));
                // Unbalanced to 1e-11 of what is handled; the lightest parts move by 1e3 times as much.
                assert!(apart < 1e-8, "seed {seed}, {finder:?}, {guess:?}: {apart}");
            }
        }
    }
}

#[test]
fn newton_is_quadratic_and_riqn_linear_from_the_zero_guess() {
    let s = specimen(2, false);
    let residuals = |finder| -> Vec<f64> {
        let (_, report) = found(&s, finder, Guess::Zero, false);
        report.history.iter().map(|h| h.residual).collect()
    };
    let newton = residuals(RootFinder::Newton);
    let riqn = residuals(RootFinder::Riqn);
    println!("{newton:?}\n{riqn:?}");
    assert!(newton.len() < riqn.len());
    // Orders of magnitude gained by the iterations: with Newton's method each gains about twice what the one before did,
    // until rounding; with RIQN each about the same.
    let gains = |r: &[f64]| -> Vec<f64> { r.windows(2).map(|w| (w[0] / w[1]).log10()).collect() };
    let newton = gains(&newton);
    assert!(newton[2] > 1.6 * newton[1], "{newton:?}");
    let riqn = gains(&riqn);
    let (least, most) = riqn[1..]
        .iter()
        .fold((f64::INFINITY, 0.0_f64), |(a, b), g| (a.min(*g), b.max(*g)));
    assert!(least > 0.1 && most < 4.0 * least, "{riqn:?}");
}

/// The increments of a chain of balls shrink by a factor of four from link to link: those of the far links are far below
/// the rounding of an angle of order 1, and must be resolved all the same.
#[test]
fn long_chains_of_balls_are_solved_to_tight_tolerances() {
    let scene = crate::scene::open("chain:links=100,joint=spherical,angle=30", &[]);
    let scene = scene.expect("a parametric scene opens");
    let specimen = Specimen {
        model: scene.model,
        state: scene.state,
        input: Input::default(),
        numbers: Numbers(1),
    };
    for finder in [RootFinder::Riqn, RootFinder::Newton, RootFinder::Broyden] {
        let (_, report) = found(&specimen, finder, Guess::Zero, false);
        assert!(report.iterations <= 8, "{finder:?}: {report:?}");
    }
}
