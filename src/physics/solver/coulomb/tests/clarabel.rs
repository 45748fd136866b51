//! Solutions beside those of clarabel, an interior point method on cones that shares neither equations nor method with ours.
//!
//! It is given motions and impulses together, and the balance of the bodies as equations:
//! ```text
//!   min ½ xᵀA x + Σ m (½ rᵀC r + rᵀ(u0 + s))      A x - Σ m Fᵀr = b,   |r_t| ≤ µ r_n
//! ```
//! where `A` is symmetric and `F = G`. Without friction it is the quadratic program of [Drumwright eq. 83 to 85]. With friction
//! Coulomb's law is no program at all; with the slip held at that of a solution, `s = µ |u_t|` along the normal, its
//! impulses must be the optimum of one [DeSaxce1998], and with `s = 0` it is the relaxation of [Anitescu2006].

use super::super::{Node, Options, Point, Problem};
use super::compliance::{dense, islands, layers, tight};
use super::laws::velocity;
use super::piles::Pile;
use crate::solver::WORLD;
use clarabel::algebra::CscMatrix;
use clarabel::solver::{
    DefaultSettings, DefaultSolver, IPSolver, NonnegativeConeT, SecondOrderConeT, SolverStatus,
    ZeroConeT,
};

/// Gaps of duality and residuals to ask for, the tightest first: rounding ends it at one of them. What is strictly convex is then
/// as near to the optimum as the root of twice the gap over the least mass, inertia or compliance of the problem.
const ENOUGH: [f64; 3] = [1e-12, 1e-11, 1e-10];
const SOLVED: &str = "clarabel solves it";

/// A sparse matrix as it is filled.
#[derive(Default)]
struct Triplets(Vec<usize>, Vec<usize>, Vec<f64>);

impl Triplets {
    fn add(&mut self, row: usize, column: usize, value: f64) {
        self.0.push(row);
        self.1.push(column);
        self.2.push(value);
    }

    fn matrix(self, rows: usize, columns: usize) -> CscMatrix<f64> {
        CscMatrix::new_from_triplets(rows, columns, self.0, self.1, self.2)
    }
}

/// Motions and impulses.
struct Optimum {
    motions: Vec<[f64; 6]>,
    impulses: Vec<[f64; 3]>,
}

/// The optimum with a shift along the normal of each point; `None` where clarabel ends without it.
fn optimum(nodes: &[Node], points: &[Point], shift: &[f64]) -> Option<Optimum> {
    let balance = 6 * nodes.len();
    let rows: usize = points.iter().map(|p| p.rows).sum();
    let (mut cost, mut law) = (Triplets::default(), Triplets::default());
    let (mut linear, mut right) = (vec![0.0; balance], vec![0.0; balance + rows]);
    for (k, node) in nodes.iter().enumerate() {
        for i in 0..6 {
            right[6 * k + i] = node.rhs[i];
            for j in 0..6 {
                assert_eq!(node.matrix[i][j], node.matrix[j][i], "it is a program");
                law.add(6 * k + i, 6 * k + j, node.matrix[i][j]);
                // The upper half says it all.
                if i <= j {
                    cost.add(6 * k + i, 6 * k + j, node.matrix[i][j]);
                }
            }
        }
    }
    let mut cones = vec![ZeroConeT(balance)];
    for (point, shift) in points.iter().zip(shift) {
        assert_eq!(point.force, point.gradient, "it is a program");
        let first = linear.len();
        cones.push(match point.rows {
            1 => NonnegativeConeT(1),
            rows => SecondOrderConeT(rows),
        });
        for r in 0..point.rows {
            let column = first + r;
            let (shift, friction) = match (r, point.rows) {
                (0, 3) => (*shift, point.friction),
                _ => (0.0, 1.0),
            };
            linear.push(point.mass * (point.free[r] + shift));
            cost.add(column, column, point.mass * point.compliance[r]);
            law.add(column, column, -friction);
            let sides = point.bodies.iter().enumerate();
            for (side, &body) in sides.filter(|(_, b)| **b != WORLD) {
                for (i, force) in point.force[side][r].iter().enumerate() {
                    law.add(6 * body + i, column, -point.mass * force);
                }
            }
        }
    }
    let all = linear.len();
    let (cost, law) = (cost.matrix(all, all), law.matrix(balance + rows, all));
    let attempt = |enough: f64| {
        let settings = DefaultSettings {
            verbose: false,
            max_threads: 1,
            tol_gap_abs: enough,
            tol_gap_rel: enough,
            tol_feas: enough,
            ..DefaultSettings::default()
        };
        let solver = DefaultSolver::new(&cost, &linear, &law, &right, &cones, settings);
        let mut solver = solver.expect("it is well formed");
        solver.solve();
        let solution = solver.solution;
        (solution.status == SolverStatus::Solved).then_some(solution.x)
    };
    let solution = ENOUGH.into_iter().find_map(attempt)?;
    let (motions, mut rest) = solution.split_at(balance);
    let impulses = points.iter().map(|point| {
        let (own, others) = rest.split_at(point.rows);
        rest = others;
        std::array::from_fn(|r| own.get(r).copied().unwrap_or(0.0))
    });
    Some(Optimum {
        impulses: impulses.collect(),
        motions: motions
            .chunks(6)
            .map(|x| std::array::from_fn(|k| x[k]))
            .collect(),
    })
}

/// The largest difference of a number.
fn apart<const N: usize>(a: impl Iterator<Item = [f64; N]>, b: &[[f64; N]]) -> f64 {
    let each = a.zip(b).flat_map(|(a, b)| a.into_iter().zip(*b));
    each.map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

/// A problem and its solution.
fn solved(nodes: &[Node], points: &[Point], options: &Options) -> Problem {
    let mut problem = Problem {
        bodies: nodes.to_vec(),
        points: points.to_vec(),
        ..Problem::default()
    };
    let reports = problem.solve(options);
    assert!(reports.iter().all(|r| !r.capped), "{reports:?}");
    problem
}

/// Differences of motions and impulses from the optimum with the slip of a solution, if clarabel finds it, and its slips.
fn beside(problem: &Problem) -> Option<([f64; 2], Vec<f64>)> {
    let slip = |p: &Point| {
        let [_, x, y] = velocity(p, &problem.bodies);
        let given = [1, 2].map(|r| p.compliance[r] * p.impulse[r]);
        (x + given[0]).hypot(y + given[1])
    };
    let slips: Vec<f64> = problem.points.iter().map(slip).collect();
    let shift: Vec<f64> = slips
        .iter()
        .zip(&problem.points)
        .map(|(s, p)| p.friction * s)
        .collect();
    let best = optimum(&problem.bodies, &problem.points, &shift)?;
    let motions = apart(problem.bodies.iter().map(|b| b.motion), &best.motions);
    let impulses = apart(problem.points.iter().map(|p| p.impulse), &best.impulses);
    Some(([motions, impulses], slips))
}

/// What friction is solved to nearly always.
fn rough() -> Options {
    Options {
        tolerance: 1e-10,
        ..tight()
    }
}

/// Whether some points of problems are open, some slide and some stick.
#[derive(Default)]
struct Seen([bool; 3]);

impl Seen {
    fn note(&mut self, problem: &Problem, slips: &[f64]) {
        for (point, slip) in problem.points.iter().zip(slips) {
            let moves = if *slip > 1e-6 { 1 } else { 2 };
            let which = if point.impulse[0] > 0.0 { moves } else { 0 };
            self.0[which] = true;
        }
    }
}

/// Gaps of 1e-12 J leave 6e-6 of motions with inertias of 0.05 kg m². Our impulses are exact to our tolerance of 1e-12 over the
/// compliance, which is all that tells points apart that are there twice; ten times that is room for several.
#[test]
fn without_friction_it_is_the_optimum_of_the_quadratic_program() {
    let mut seen = Seen::default();
    for compliance in [1e-8, 1e-6, 1e-4, 1e-2, 1.0] {
        let near = 1e-5 + 1e-11 / compliance;
        for seed in 1..20 {
            let (nodes, points) = islands(0.0, compliance, seed);
            let problem = solved(&nodes, &points, &tight());
            assert_eq!(problem.reports().len(), 3);
            let ([motions, impulses], slips) = beside(&problem).expect(SOLVED);
            assert!(motions < 1e-5, "{compliance} {seed}: {motions:e}");
            assert!(impulses < near, "{compliance} {seed}: {impulses:e}");
            let mut full = dense(&nodes, &points);
            assert!(!full.solve(&tight()).capped, "{compliance} {seed}");
            for (a, b) in full.points.iter().zip(&problem.points) {
                let impulses = (a.impulse[0] - b.impulse[0]).abs();
                assert!(impulses < near, "{compliance} {seed}: {impulses:e}");
            }
            seen.note(&problem, &slips);
        }
    }
    assert!(seen.0[0] && (seen.0[1] || seen.0[2]), "open and closed");
}

/// Gaps of 1e-10 J leave 6e-5 of motions. Without the shift by the slip the optimum is another one: the relaxation opens what
/// slides.
#[test]
fn with_friction_it_is_the_optimum_with_the_slip_that_it_has() {
    let mut seen = Seen::default();
    for friction in [0.1, 0.3, 0.8] {
        for compliance in [1e-6, 1e-4, 1e-2, 1.0] {
            let mut relaxed: f64 = 0.0;
            for seed in 1..20 {
                let (nodes, points) = islands(friction, compliance, seed);
                let problem = solved(&nodes, &points, &rough());
                let ([motions, impulses], slips) = beside(&problem).expect(SOLVED);
                assert!(
                    motions < 1e-4,
                    "{friction} {compliance} {seed}: {motions:e}"
                );
                let near = 1e-4 + 1e-10 / compliance;
                assert!(
                    impulses < near,
                    "{friction} {compliance} {seed}: {impulses:e}"
                );
                seen.note(&problem, &slips);
                if seed < 4 {
                    let other = optimum(&nodes, &points, &vec![0.0; points.len()]);
                    let ours = problem.bodies.iter().map(|b| b.motion);
                    relaxed = relaxed.max(apart(ours, &other.expect(SOLVED).motions));
                }
            }
            assert!(relaxed > 1e-2, "{friction} {compliance}: {relaxed:e}");
        }
    }
    assert_eq!(seen.0, [true; 3], "open, sliding, sticking");
}

/// Spheres fall, meet and come to rest, in islands with more constraints than motions, whose impulses nothing determines where
/// nothing gives. Relative gaps of 1e-11 of some 50 J leave 2e-4 of motions with inertias of 0.03 kg m². Few steps that jam are
/// left at their cap, and not compared, nor is what clarabel ends without.
#[test]
fn piles_are_the_optimum_with_the_slip_that_they_have() {
    for (friction, gives) in [(0.0, 0.0), (0.5, 0.0), (0.5, 1e-3)] {
        let (mut compared, mut most) = (0, 0);
        for seed in 1..4 {
            let mut pile = Pile::new(20, friction, 3.0, seed);
            for step in 1..=60 {
                pile.fill();
                for body in &mut pile.problem.bodies {
                    // A program has no gyroscopic part, which is skew.
                    for (i, row) in body.matrix.iter_mut().enumerate() {
                        let others = row.iter_mut().enumerate().filter(|(j, _)| *j != i);
                        others.for_each(|(_, x)| *x = 0.0);
                    }
                }
                let points = pile.problem.points.iter_mut();
                points.for_each(|p| p.compliance = [gives; 3]);
                let reports = pile.problem.solve(&rough());
                let kept = reports.iter().all(|r| !r.capped);
                let islands = reports.len();
                let found = (kept && step % 10 == 0).then(|| beside(&pile.problem));
                if let Some(([motions, impulses], _)) = found.flatten() {
                    most = most.max(islands);
                    assert!(motions < 2e-4, "{friction} {gives} {step}: {motions:e}");
                    let determined = gives == 0.0 || impulses < 1e-3;
                    assert!(determined, "{friction} {step}: {impulses:e}");
                    compared += 1;
                }
                pile.follow();
            }
        }
        assert!(compared >= 14 && most > 3, "{compared} of 18, {most}");
    }
}

/// One to two hundred elements of a foundation, which the reduction to the motions of the bodies solves. Gaps of 1e-12 J leave
/// 3e-6 of motions with inertias of 0.3 kg m², and 1e-5 of impulses with compliances of 1e-2.
#[test]
fn layers_of_springs_are_the_optimum_of_the_quadratic_program() {
    let mut seen = Seen::default();
    for (plates, side) in [(1, 1), (1, 2), (1, 5), (1, 14), (2, 3), (2, 10), (4, 7)] {
        for seed in 1..10 {
            let (nodes, points) = layers(plates, side, seed);
            let problem = solved(&nodes, &points, &tight());
            assert_eq!(problem.reports()[0].sweeps, 0, "{plates} {side} {seed}");
            let ([motions, impulses], slips) = beside(&problem).expect(SOLVED);
            let worst = motions.max(impulses);
            assert!(worst < 1e-5, "{plates} {side} {seed}: {worst:e}");
            seen.note(&problem, &slips);
        }
    }
    assert!(seen.0[0] && (seen.0[1] || seen.0[2]), "open and closed");
}
