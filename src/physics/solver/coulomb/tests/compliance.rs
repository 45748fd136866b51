//! Points that give: the law with its compliance, the problem in full beside the sparse one, and an oracle that tries all
//! pieces of the quadratic program.

use super::super::{Dense, DensePoint, Node, Options, Point, Problem};
use super::piles::{Random, node, point, rows, times};
use crate::solver::WORLD;
use nalgebra::{DMatrix, DVector};

/// Four bodies in a row between two walls, pushed together, with points that give between them.
fn row(friction: f64, compliance: f64, seed: u64) -> (Vec<Node>, Vec<Point>) {
    let mut random = Random(seed);
    let nodes: Vec<Node> = (0..4)
        .map(|_| {
            let mass = random.between(0.5, 3.0);
            let mut body = node(mass, [0.1 * mass; 3], [0.0; 3]);
            body.rhs = std::array::from_fn(|_| random.between(-0.3, 0.3));
            body
        })
        .collect();
    let pairs = [[0, WORLD], [0, 1], [1, 2], [2, 3], [3, WORLD], [1, WORLD]];
    let mut points = Vec::new();
    for bodies in pairs {
        let normal = std::array::from_fn(|_| random.between(-1.0, 1.0));
        let size = super::piles::dot(normal, normal).sqrt();
        let normal = normal.map(|x| x / size);
        let arms: [[f64; 3]; 2] =
            std::array::from_fn(|_| std::array::from_fn(|_| random.between(-0.4, 0.4)));
        let on = [
            rows(normal, arms[0]),
            rows(normal, arms[1]).map(|r| r.map(|x| -x)),
        ];
        let mut own = point(bodies, on, &nodes, friction);
        own.compliance = [compliance, 0.3 * compliance, 0.3 * compliance];
        own.free = std::array::from_fn(|_| random.between(-0.4, 0.1));
        points.push(own);
    }
    (nodes, points)
}

/// Three islands of four bodies each, every other point of which is there twice.
pub fn islands(friction: f64, compliance: f64, seed: u64) -> (Vec<Node>, Vec<Point>) {
    let (mut nodes, mut points) = (Vec::new(), Vec::new());
    for k in 0..3 {
        let (own, between) = row(friction, compliance, 3 * seed + k);
        let at = nodes.len();
        nodes.extend(own);
        for (j, mut point) in between.into_iter().enumerate() {
            point.bodies = point.bodies.map(|b| if b == WORLD { b } else { at + b });
            points.extend(std::iter::repeat_n(point, 1 + j % 2));
        }
    }
    (nodes, points)
}

pub fn tight() -> Options {
    Options {
        tolerance: 1e-12,
        fine: 0.0,
        merging: 0.0,
        ..Options::default()
    }
}

/// Blocks of a matrix of points.
type Mobilities = Vec<Vec<[[f64; 3]; 3]>>;

/// Velocity of a row of one point by a unit impulse of a row of another, and velocities without any.
fn reduced(nodes: &[Node], points: &[Point]) -> (Mobilities, Vec<[f64; 3]>) {
    let inverse = |n: &Node| {
        let m = DMatrix::from_fn(6, 6, |r, c| n.matrix[r][c]);
        let inverse = m.try_inverse().expect("it has masses");
        let rows: [[f64; 6]; 6] = std::array::from_fn(|r| std::array::from_fn(|c| inverse[(r, c)]));
        rows
    };
    let inverses: Vec<_> = nodes.iter().map(inverse).collect();
    let dot = |a: &[f64; 6], b: &[f64; 6]| -> f64 { a.iter().zip(b).map(|(x, y)| x * y).sum() };
    let mut w = vec![vec![[[0.0; 3]; 3]; points.len()]; points.len()];
    let mut free: Vec<[f64; 3]> = points.iter().map(|p| p.free).collect();
    for (i, p) in points.iter().enumerate() {
        for (side, &body) in p.bodies.iter().enumerate().filter(|(_, b)| **b != WORLD) {
            let alone = times(&inverses[body], &nodes[body].rhs);
            for row in 0..p.rows {
                free[i][row] += dot(&p.gradient[side][row], &alone);
            }
            for (j, q) in points.iter().enumerate() {
                for (other, _) in q.bodies.iter().enumerate().filter(|(_, b)| **b == body) {
                    for c in 0..q.rows {
                        let reply = times(&inverses[body], &q.force[other][c]);
                        for r in 0..p.rows {
                            w[i][j][r][c] += dot(&p.gradient[side][r], &reply) * q.mass;
                        }
                    }
                }
            }
        }
        for r in 0..p.rows {
            w[i][i][r][r] += p.compliance[r];
        }
    }
    (w, free)
}

pub fn dense(nodes: &[Node], points: &[Point]) -> Dense {
    let (w, free) = reduced(nodes, points);
    let mut dense = Dense::default();
    dense.begin(points.iter().zip(&free).map(|(p, free)| DensePoint {
        free: *free,
        ..DensePoint::of(p)
    }));
    for i in 0..points.len() {
        for j in 0..points.len() {
            for r in 0..points[i].rows {
                for c in 0..points[j].rows {
                    let (row, column) = (dense.first(i) + r, dense.first(j) + c);
                    *dense.element(row, column) = w[i][j][r][c];
                }
            }
        }
    }
    dense
}

/// Both solve to 1e-12, and what gives has one solution where friction is moderate: the difference is that of the tolerance
/// over the least eigenvalue, which is the compliance.
#[test]
fn the_problem_in_full_has_the_solution_of_the_sparse_one() {
    for seed in 1..12 {
        for (friction, compliance) in [(0.0, 0.01), (0.3, 0.1), (0.3, 1e-2)] {
            let (nodes, points) = row(friction, compliance, seed);
            let mut problem = Problem {
                bodies: nodes.clone(),
                points: points.clone(),
                ..Problem::default()
            };
            let reports = problem.solve(&tight());
            assert!(reports.iter().all(|r| !r.capped), "{seed} {friction}");
            let mut full = dense(&nodes, &points);
            assert!(!full.solve(&tight()).capped, "{seed} {friction}");
            for (a, b) in problem.points.iter().zip(&full.points) {
                for (x, y) in a.impulse.iter().zip(b.impulse) {
                    assert!(
                        (x - y).abs() < 1e-9,
                        "{seed}: {:?} {:?}",
                        a.impulse,
                        b.impulse
                    );
                }
            }
        }
    }
}

/// Without friction it is the strictly convex quadratic program of unilateral springs: the one choice of those that push for
/// which all push and none of the others is violated.
#[test]
fn springs_that_only_push_are_those_of_all_pieces_tried() {
    for seed in 1..40 {
        let (nodes, points) = row(0.0, 0.05, seed);
        let (w, free) = reduced(&nodes, &points);
        let n = points.len();
        let mut found = Vec::new();
        for choice in 0..1_u32 << n {
            let on: Vec<usize> = (0..n).filter(|k| choice >> k & 1 == 1).collect();
            let matrix = DMatrix::from_fn(on.len(), on.len(), |r, c| w[on[r]][on[c]][0][0]);
            let right = DVector::from_fn(on.len(), |r, _| -free[on[r]][0]);
            // Nothing pushes in the first choice.
            let part = if on.is_empty() {
                right
            } else {
                let solved = matrix.lu().solve(&right);
                solved.expect("what gives makes it definite")
            };
            let mut r = vec![0.0; n];
            on.iter().zip(part.iter()).for_each(|(&k, x)| r[k] = *x);
            let velocity =
                |k: usize| free[k][0] + (0..n).map(|j| w[k][j][0][0] * r[j]).sum::<f64>();
            if (0..n).all(|k| r[k] >= 0.0 && velocity(k) >= -1e-12) {
                found.push(r);
            }
        }
        assert_eq!(found.len(), 1, "there is one solution");
        let mut full = dense(&nodes, &points);
        full.solve(&tight());
        let mut problem = Problem {
            bodies: nodes.clone(),
            points: points.clone(),
            ..Problem::default()
        };
        problem.solve(&tight());
        let both = full.points.iter().zip(&problem.points);
        for ((point, sparse), r) in both.zip(&found[0]) {
            assert!((point.impulse[0] - r).abs() < 1e-10, "{seed}");
            assert!((sparse.impulse[0] - r).abs() < 1e-10, "{seed}");
        }
    }
}

/// Plates on one another, the lowest on the ground, and upright springs under each, `side` by `side`.
pub fn layers(plates: usize, side: usize, seed: u64) -> (Vec<Node>, Vec<Point>) {
    let mut random = Random(seed);
    let plate = node(2.0, [0.3; 3], [0.0; 3]);
    let mut nodes = vec![plate; plates];
    for body in &mut nodes {
        body.rhs = std::array::from_fn(|_| random.between(-0.2, 0.2));
        body.rhs[2] = -0.3;
    }
    let mut points = Vec::new();
    for k in 0..side * side {
        let at = |k: usize| (k as f64 + 0.5) / side as f64 - 0.5;
        let arm = [at(k % side), at(k / side), 0.0];
        let on = rows([0.0, 0.0, 1.0], arm);
        for upper in 0..plates {
            let lower = upper.checked_sub(1).unwrap_or(WORLD);
            let sides = [on, on.map(|r| r.map(|x| -x))];
            let mut own = point([upper, lower], sides, &nodes, 0.0);
            own.compliance[0] = 1e-2 * (side * side) as f64;
            own.free = [random.between(0.0, 0.05), 0.0, 0.0];
            points.push(own);
        }
    }
    (nodes, points)
}

/// A layer of upright springs under a plate and a plate on it: the reduction to the motions of the bodies finds what the problem
/// in full does, without a sweep, and in a few steps however many springs there are.
#[test]
fn layers_of_springs_take_a_few_steps_however_many_there_are() {
    for (side, seed) in [(3, 1), (6, 2), (10, 3), (30, 4)] {
        let (nodes, points) = layers(2, side, seed);
        let mut problem = Problem {
            bodies: nodes.clone(),
            points: points.clone(),
            ..Problem::default()
        };
        let report = problem.solve(&tight())[0];
        assert!(!report.capped && report.sweeps == 0, "{report:?}");
        assert!(report.factorisations <= 8, "{report:?}");
        let pushes = problem.points.iter().filter(|p| p.impulse[0] > 0.0).count();
        assert!(
            pushes > 0 && pushes < points.len(),
            "some are open: {pushes}"
        );
        // In full their cost is the cube of their number.
        if side > 6 {
            continue;
        }
        let mut full = dense(&nodes, &points);
        full.solve(&tight());
        for (a, b) in problem.points.iter().zip(&full.points) {
            assert!((a.impulse[0] - b.impulse[0]).abs() < 1e-9, "{side}");
        }
    }
}

/// A rod askew between two rough walls that are too near to each other.
fn wedge(gives: f64) -> Problem {
    let mut problem = Problem::default();
    problem.bodies.push(node(1.0, [0.01, 0.08, 0.08], [0.0; 3]));
    for side in [1.0, -1.0] {
        let sides = [
            rows([-side, 0.0, 0.0], [0.4 * side, 0.0, 0.3 * side]),
            [[0.0; 6]; 3],
        ];
        let mut point = point([0, WORLD], sides, &problem.bodies, 2.0);
        point.free[0] = -1e-5;
        point.compliance = [gives; 3];
        problem.points.push(point);
    }
    problem
}

/// Nothing parts it from both: its impulses grow as long as it is let, and less long where impulses of that size have no use. What
/// gives has a solution, with the impulses that make it give by what it is too long.
#[test]
fn what_contradicts_itself_presses_until_it_is_given_up_and_what_gives_does_not() {
    let solve = |gives: f64, endless: f64| {
        let mut problem = wedge(gives);
        let options = Options {
            tolerance: 1e-7,
            endless,
            ..Options::default()
        };
        let report = problem.solve(&options)[0];
        let pressed = problem.points.iter().map(|p| p.impulse[0] * p.mass);
        (report, pressed.fold(0.0, f64::max))
    };
    let (long, pressed) = solve(0.0, f64::INFINITY);
    assert!(long.capped && pressed > 1e3, "{long:?} {pressed} N s");
    let (short, pressed) = solve(0.0, 1e3);
    assert!(short.capped && pressed > 1e3, "{short:?} {pressed} N s");
    assert!(10 * short.factorisations < long.factorisations);
    // As many as without a bound, where it is not reached.
    let (same, _) = solve(0.0, f64::MAX);
    assert_eq!(same, long);
    let (solved, pressed) = solve(1e-6, 1e3);
    assert!(
        !solved.capped && (1.0..20.0).contains(&pressed),
        "{solved:?} {pressed} N s"
    );
}
