//! The matrix against differences, the action against its variations, cost against links.

use super::super::tests::mechanisms::mechanism;
use super::*;
use crate::model::State;
use crate::model::specimen::Numbers;

const H: f64 = 0.05;

/// An interval of a random mechanism at a trial off its solution.
fn trial(seed: u64, loops: usize) -> (Model, State, Interval) {
    let (model, state) = mechanism(seed, 7, loops);
    let mut numbers = Numbers(seed + 99);
    let mut interval = Interval::new(&model);
    let input = Input::default();
    interval.begin(&model, &state.bodies, &around(&state, &input), H);
    for (k, body) in model.bodies.iter().enumerate() {
        let motion = &mut interval.motions[k];
        motion.shift += numbers.vector() * 0.05;
        motion.turn += numbers.vector() * 0.05;
        motion.travel += numbers.vector() * 0.05;
        motion.spin += numbers.vector() * 0.05;
        assert!(body.mass > 0.0);
    }
    for row in 0..interval.hidden.len() {
        interval.multipliers[row] = 0.1 * numbers.unit();
        interval.hidden[row] = 0.1 * numbers.unit();
    }
    (model, state, interval)
}

fn around<'a>(state: &'a State, input: &'a Input) -> Surroundings<'a> {
    Surroundings {
        angles: &state.angles,
        time: 0.3,
        input,
    }
}

/// What is open, in the rows of the matrix.
fn opened(interval: &mut Interval, model: &Model, state: &State) -> Vec<f64> {
    let input = Input::default();
    let found = interval.evaluate(model, &state.bodies, &around(state, &input));
    let open = found.expect("an easy turn").clone();
    let size = interval.system.dense().nrows();
    let mut all = vec![0.0; size];
    for body in 0..model.bodies.len() {
        let first = interval.system.place_of_body(body);
        let (a, b) = (&open.balance[body], &open.motion[body]);
        for (k, part) in [a.force, a.torque, b.force, b.torque].iter().enumerate() {
            for i in 0..3 {
                all[first + 3 * k + i] = part[i];
            }
        }
    }
    for row in 0..model.equations() {
        let [at, hidden] = interval.system.places_of_row(row);
        all[at] = open.positions[row];
        all[hidden] = open.velocities[row];
    }
    all
}

/// Central differences with steps of 1e-5: truncation 1e-10 times third derivatives of order 10, rounding 1e-16/1e-5 times what
/// is open, of order 10.
#[test]
fn the_matrix_is_the_derivative_of_what_is_open() {
    const STEP: f64 = 1e-5;
    for (seed, loops) in [(1, 0), (2, 2), (5, 3)] {
        let (model, state, mut interval) = trial(seed, loops);
        opened(&mut interval, &model, &state);
        let input = Input::default();
        interval.linearise(&model, &state.bodies, &around(&state, &input));
        let matrix = interval.system.dense();
        let compare = |column: usize, change: &dyn Fn(&mut Interval, f64)| {
            let sides = [STEP, -STEP].map(|by| {
                let mut moved = interval.clone();
                change(&mut moved, by);
                opened(&mut moved, &model, &state)
            });
            for row in 0..matrix.nrows() {
                let difference = (sides[0][row] - sides[1][row]) / (2.0 * STEP);
                let found = matrix[(row, column)];
                assert!(
                    (found - difference).abs() < 1e-7,
                    "seed {seed}, ({row}, {column}): {found} {difference}"
                );
            }
        };
        let columns = interval.system.clone();
        for body in 0..model.bodies.len() {
            let first = columns.place_of_body(body);
            for i in 0..3 {
                compare(first + i, &|x, by| x.motions[body].shift[i] += by);
                compare(first + 3 + i, &|x, by| x.motions[body].turn[i] += by);
                compare(first + 6 + i, &|x, by| x.motions[body].travel[i] += by);
                compare(first + 9 + i, &|x, by| x.motions[body].spin[i] += by);
            }
        }
        for row in 0..model.equations() {
            let [at, hidden] = columns.places_of_row(row);
            compare(at, &|x, by| x.multipliers[row] += by);
            compare(hidden, &|x, by| x.hidden[row] += by);
        }
    }
}

/// Solves an interval from a state; what is open afterwards is rounding.
fn solved(model: &Model, state: &State) -> Interval {
    let input = Input::default();
    let mut interval = Interval::new(model);
    interval.begin(model, &state.bodies, &around(state, &input), H);
    for _ in 0..12 {
        let found = interval.evaluate(model, &state.bodies, &around(state, &input));
        assert!(found.is_ok());
        interval.linearise(model, &state.bodies, &around(state, &input));
        interval.solve(model, 0.0);
    }
    let found = interval.evaluate(model, &state.bodies, &around(state, &input));
    let open = found.expect("an easy turn");
    for (row, (g, rate)) in open.positions.iter().zip(&open.velocities).enumerate() {
        assert!(
            g.abs() < 1e-12 && rate.abs() < 1e-12,
            "row {row}: {g} {rate}"
        );
    }
    interval
}

/// Both constraints hold at the end, whatever closes loops: rounding of 1e-16 in numbers of order 1, refined three times.
#[test]
fn positions_and_velocities_meet_the_constraints_at_the_end() {
    for (seed, loops) in [(1, 0), (2, 2), (3, 0), (5, 3)] {
        let (model, state) = mechanism(seed, 7, loops);
        let mut interval = solved(&model, &state);
        let input = Input::default();
        let mut ends = state.bodies.clone();
        interval.finish(&model, &state.bodies, &around(&state, &input), &mut ends);
        let twists: Vec<_> = ends.iter().map(|b| b.velocity).collect();
        let moment = Moment {
            bodies: &ends,
            twists: &twists,
            angles: &state.angles,
            time: 0.0,
            input: &input,
        };
        let mut equations = EquationsOfMotion::new(&model);
        equations.evaluate(&model, &moment);
        for rate in equations.rates() {
            assert!(rate.abs() < 1e-10, "seed {seed}: {rate}");
        }
    }
}

/// The action without potential at poses: what `V`, `p` and the second multiplier make stationary is
/// `½ |P ξ|² / h` with the part `P ξ` of the motion that the constraints at its end allow, and its derivative by the end is
/// the momentum there. Central differences with steps of 1e-5, as above.
#[test]
fn momenta_at_the_end_are_the_derivatives_of_the_action() {
    const STEP: f64 = 1e-5;
    for seed in [1, 3] {
        let (mut model, state) = mechanism(seed, 7, 0);
        let mut parts = model.parts();
        parts.forces.clear();
        parts.gravity = Vec3::zeros();
        for joint in &mut parts.joints {
            joint.springs.clear();
            joint.actuators.clear();
            (joint.damping_rotation, joint.damping_translation) = (0.0, 0.0);
        }
        model = Model::new(parts).expect("a mechanism without forces");
        let mut interval = solved(&model, &state);
        let input = Input::default();
        let mut ends = state.bodies.clone();
        interval.finish(&model, &state.bodies, &around(&state, &input), &mut ends);
        let action = |ends: &[BodyState]| {
            // Projected by the masses: momenta of the motion, with impulses of the joints at the end.
            let mut interval = interval.clone();
            let mut still = ends.to_vec();
            for (k, end) in still.iter_mut().enumerate() {
                let from = &state.bodies[k];
                let turn = (from.orientation.inverse() * end.orientation).into_inner();
                let u = turn.imag() * turn.w.signum();
                end.momentum = (end.position - from.position) * model.bodies[k].mass / H;
                end.angular_momentum = end.orientation * (model.bodies[k].inertia * u * (2.0 / H));
            }
            interval.read(&model, &around(&state, &input), &mut still);
            let kinetic = |(body, end): (&crate::model::Body, &BodyState)| {
                let spin = end
                    .orientation
                    .inverse_transform_vector(&end.velocity.angular);
                body.mass * end.velocity.linear.norm_squared() + spin.dot(&(body.inertia * spin))
            };
            0.5 * H * model.bodies.iter().zip(&still).map(kinetic).sum::<f64>()
        };
        for body in 0..model.bodies.len() {
            for axis in 0..3 {
                let unit = Vec3::ith(axis, 1.0);
                let along = |by: f64| {
                    let mut moved = ends.clone();
                    moved[body].position += unit * by;
                    action(&moved)
                };
                let about = |by: f64| {
                    let mut moved = ends.clone();
                    moved[body].orientation =
                        Quat::from_scaled_axis(unit * by) * moved[body].orientation;
                    action(&moved)
                };
                let slope = |f: &dyn Fn(f64) -> f64| (f(STEP) - f(-STEP)) / (2.0 * STEP);
                let found = [ends[body].momentum[axis], ends[body].angular_momentum[axis]];
                let wanted = [slope(&along), slope(&about)];
                for k in 0..2 {
                    assert!(
                        (found[k] - wanted[k]).abs() < 1e-6,
                        "seed {seed}, body {body}, axis {axis}: {found:?} {wanted:?}"
                    );
                }
            }
        }
    }
}

/// Every further link of a chain costs the same multiplications: twice as many are added for twice the links, to the share
/// of the two ends.
#[test]
fn cost_is_linear_in_the_links_of_a_chain() {
    let operations = |links: usize| {
        let scene = crate::scene::open(format!("chain:links={links}"), &[]).expect("a chain");
        System::new(&scene.model).operations() as f64
    };
    let [few, more, many] = [24, 48, 96].map(operations);
    let added = (many - more) / (more - few);
    assert!((added - 2.0).abs() < 0.02, "{few} {more} {many}");
}
