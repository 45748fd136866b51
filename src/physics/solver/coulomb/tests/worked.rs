//! Problems with known solutions: closed forms, and active sets tried one by one.

use super::super::{Node, Options, Point, Problem};
use super::laws::{imbalance, velocity, violation};
use super::piles::{DT, Random, V, node, point, rows, times};
use crate::solver::WORLD;
use proptest::prelude::*;

const GRAVITY: f64 = 9.81;

const UP: V = [0.0, 0.0, 1.0];

fn exact() -> Options {
    Options {
        tolerance: 1e-12,
        merging: 0.0,
        ..Options::default()
    }
}

/// A cube of 1 m, falling for a step.
fn cube(mass: f64, motion: [f64; 6]) -> Node {
    let mut node = node(mass, [mass / 6.0; 3], [0.0; 3]);
    let mut free = motion;
    free[2] -= GRAVITY * DT;
    node.rhs = times(&node.matrix, &free);
    node
}

/// Four corners of a cube that touch what is below it, a body or the world.
fn corners(problem: &mut Problem, upper: usize, lower: usize, friction: f64) {
    for (x, y) in [(0.5, 0.5), (-0.5, 0.5), (-0.5, -0.5), (0.5, -0.5)] {
        let back = if lower == WORLD {
            [[0.0; 6]; 3]
        } else {
            rows(UP, [x, y, 0.5]).map(|r| r.map(|x| -x))
        };
        let sides = [rows(UP, [x, y, -0.5]), back];
        problem
            .points
            .push(point([upper, lower], sides, &problem.bodies, friction));
    }
}

/// Impulse between the lower and upper bodies along the normal (N·s).
fn pressed(points: &[Point]) -> f64 {
    points.iter().map(|p| p.mass * p.impulse[0]).sum()
}

proptest! {
    /// A cube on four corners with a horizontal velocity: it loses µ g Δt of it, or all. Its points are redundant;
    /// their sum is determined. Ten times the tolerance of the law, which is wide where the cube just stops: the law has
    /// a kink there.
    #[test]
    fn a_sliding_cube_loses_what_friction_takes(
        speed in 0.0..0.2f64, angle in 0.0..6.3f64, friction in 0.05..0.9f64,
    ) {
        let mut problem = Problem::default();
        problem.bodies.push(cube(2.0, [speed * angle.cos(), speed * angle.sin(), 0.0, 0.0, 0.0, 0.0]));
        corners(&mut problem, 0, WORLD, friction);
        // Slower than it tips over.
        prop_assume!(friction < 0.8);
        let report = problem.solve(&Options { tolerance: 1e-9, ..exact() })[0];
        prop_assert!(!report.capped, "{report:?}");
        let left = (speed - friction * GRAVITY * DT).max(0.0);
        let x = problem.bodies[0].motion;
        prop_assert!((x[0] - left * angle.cos()).abs() < 1e-8);
        prop_assert!((x[1] - left * angle.sin()).abs() < 1e-8);
        prop_assert!(x[2..].iter().all(|x| x.abs() < 1e-8));
        prop_assert!((pressed(&problem.points) - 2.0 * GRAVITY * DT).abs() < 1e-8);
    }

    /// Two cubes, one on the other, of masses up to a million to one: each point's pair carries what lies above, and
    /// nothing moves. Velocities are known to the rounding of the impulses below, which are those of the heavier over the
    /// lighter; impulses are masses times that.
    #[test]
    fn a_stack_carries_what_lies_above(decades in -6.0..6.0f64, friction in prop_oneof![Just(0.0), 0.1..3.0f64]) {
        let masses = [1.0, 10f64.powf(decades)];
        let mut problem = Problem::default();
        for mass in masses {
            problem.bodies.push(cube(mass, [0.0; 6]));
        }
        corners(&mut problem, 0, WORLD, friction);
        corners(&mut problem, 1, 0, friction);
        let tolerance = 1e-12 * (1.0 + masses[1]);
        let report = problem.solve(&Options { tolerance, ..exact() })[0];
        prop_assert!(!report.capped, "{report:?}");
        prop_assert!(imbalance(&problem) < 1e-13);
        let all = (masses[0] + masses[1]) * GRAVITY * DT;
        prop_assert!((pressed(&problem.points[..4]) - all).abs() < 1e3 * tolerance * all);
        let above = masses[1] * GRAVITY * DT;
        prop_assert!((pressed(&problem.points[4..]) - above).abs() < 1e3 * tolerance * all);
        for body in &problem.bodies {
            prop_assert!(body.motion.iter().all(|x| x.abs() < 100.0 * tolerance));
        }
    }

    /// A ball between two planes at right angles, without friction: each plane carries the weight's part along its
    /// normal.
    #[test]
    fn a_wedge_shares_the_weight_by_its_angles(angle in 0.2..1.3f64) {
        let mut problem = Problem::default();
        problem.bodies.push(cube(3.0, [0.0; 6]));
        let normals = [[angle.sin(), 0.0, angle.cos()], [-angle.cos(), 0.0, angle.sin()]];
        for normal in normals {
            let sides = [rows(normal, normal.map(|x| -0.5 * x)), [[0.0; 6]; 3]];
            problem.points.push(point([0, WORLD], sides, &problem.bodies, 0.0));
        }
        problem.solve(&exact());
        for (point, normal) in problem.points.iter().zip(normals) {
            // Rounding of an impulse of 0.3 N·s.
            prop_assert!((point.mass * point.impulse[0] - 3.0 * GRAVITY * DT * normal[2]).abs() < 1e-12);
        }
    }

    /// Random points without friction against all active sets: for symmetric positive bodies motions are those of one
    /// convex problem and unique, found by trying each set of closed points. Rounding of matrices with conditions
    /// below 1e4.
    #[test]
    fn without_friction_the_solution_is_that_of_its_active_set(seed in any::<u64>(), count in 1usize..7) {
        let mut random = Random(seed);
        let mut problem = Problem::default();
        for _ in 0..3 {
            let motion = std::array::from_fn(|_| random.between(-1.0, 1.0));
            problem.bodies.push(cube(random.between(0.5, 2.0), motion));
        }
        for k in 0..count {
            let direction: V = std::array::from_fn(|_| random.between(-1.0, 1.0));
            let normal = super::piles::scaled(direction, 1.0 / super::piles::dot(direction, direction).sqrt());
            let mut arm = || -> V { std::array::from_fn(|_| random.between(-0.5, 0.5)) };
            let (here, there) = (rows(normal, arm()), rows(normal, arm()).map(|r| r.map(|x| -x)));
            let (bodies, back) = if k % 2 == 0 { ([k % 3, (k + 1) % 3], there) } else { ([k % 3, WORLD], [[0.0; 6]; 3]) };
            let mut point = point(bodies, [here, back], &problem.bodies, 0.0);
            point.free[0] = random.between(-0.5, 0.2);
            problem.points.push(point);
        }
        let Some(wanted) = enumerated(&problem) else {
            // No set is regular and feasible where points contradict each other.
            return Err(TestCaseError::reject("contradiction"));
        };
        let report = problem.solve(&exact());
        prop_assert!(report.iter().all(|r| !r.capped), "{report:?}");
        prop_assert!(violation(&problem) < 1e-11);
        for (body, x) in problem.bodies.iter().zip(wanted) {
            for k in 0..6 {
                prop_assert!((body.motion[k] - x[k]).abs() < 1e-8, "{body:?} {x:?}");
            }
        }
    }
}

/// Motions of the first set of closed points whose impulses do not pull and whose open points part.
fn enumerated(problem: &Problem) -> Option<Vec<[f64; 6]>> {
    let count = problem.points.len();
    'sets: for set in 0..1usize << count {
        let closed: Vec<&Point> = (0..count)
            .filter(|k| set >> k & 1 == 1)
            .map(|k| &problem.points[k])
            .collect();
        let mobility = |a: &Point, b: &Point| {
            let mut sum = 0.0;
            for (i, body) in a.bodies.iter().enumerate().filter(|(_, b)| **b != WORLD) {
                for (j, _) in b
                    .bodies
                    .iter()
                    .enumerate()
                    .filter(|(_, other)| *other == body)
                {
                    for k in 0..6 {
                        let mass = problem.bodies[*body].matrix[k][k];
                        sum += a.gradient[i][0][k] * b.force[j][0][k] / mass;
                    }
                }
            }
            sum
        };
        let n = closed.len();
        let w = nalgebra::DMatrix::from_fn(n, n, |i, j| mobility(closed[i], closed[j]));
        let mut nodes = problem.bodies.clone();
        let diagonal = |node: &Node, k: usize| node.rhs[k] / node.matrix[k][k];
        for node in &mut nodes {
            node.motion = std::array::from_fn(|k| diagonal(node, k));
        }
        let u = nalgebra::DVector::from_fn(n, |i, _| -velocity(closed[i], &nodes)[0]);
        let solved = if n == 0 {
            Some(u.clone())
        } else {
            w.lu().solve(&u)
        };
        let Some(r) = solved else { continue };
        for (point, r) in closed.iter().zip(r.iter()) {
            if *r < 0.0 {
                continue 'sets;
            }
            for (side, &body) in point
                .bodies
                .iter()
                .enumerate()
                .filter(|(_, b)| **b != WORLD)
            {
                for k in 0..6 {
                    nodes[body].motion[k] += point.force[side][0][k] * r / nodes[body].matrix[k][k];
                }
            }
        }
        if problem
            .points
            .iter()
            .all(|p| velocity(p, &nodes)[0] > -1e-10)
        {
            return Some(nodes.iter().map(|n| n.motion).collect());
        }
    }
    None
}
