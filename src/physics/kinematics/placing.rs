//! Moving one body of a state to where it is wanted; the joints pull the rest along.

use super::AssemblyError;
use super::assembly::{close, project};
use crate::math::{Mat3, Quat, Vec3};
use crate::model::{Body, BodyId, BodyState, LimitState, Model, State};
use crate::solver::{LinearSolver, MechanismSolver};

/// Where a body is wanted, world frame.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Goal {
    /// Its centre of mass there (m); it turns as its joints ask.
    Position(Vec3),
    /// A point of it, in its frame (m), at a point of the world (m); it shifts and turns as it would, were it pulled
    /// there.
    Point {
        /// The point of the body.
        point: Vec3,
        /// Where it should be.
        to: Vec3,
    },
    /// In this orientation; it shifts as its joints ask.
    Orientation(Quat),
}

/// How much heavier the body is than it is, while the joints are closed: the others give way to it.
const WEIGHT: f64 = 1e4;

/// Rounds of moving the body and closing the joints at most.
const ROUNDS: usize = 60;

/// Longest way in one round, as a fraction of the size of the body's surroundings.
const STRIDE: f64 = 0.25;

/// The share of that way below which it ends, where longer ways lead no nearer.
const FINEST: f64 = 1e-2;

/// Largest rotation in one round (rad).
const TURN: f64 = 0.3;

/// Progress below which a round was the last, as a fraction of the size [rad where the goal is an orientation].
const SETTLED: f64 = 1e-12;

/// Moves a body towards a goal as far as the joints allow. The others follow by the least mass-weighted displacement;
/// velocities are put on the constraints of the new configuration. On an error the state is as it was.
pub fn place(
    model: &Model,
    state: &mut State,
    body: BodyId,
    goal: Goal,
) -> Result<(), AssemblyError> {
    let mut heavy = model.clone();
    heavy.bodies[body.0].mass *= WEIGHT;
    heavy.bodies[body.0].inertia *= WEIGHT;
    let mut solver = MechanismSolver::new(&heavy, LinearSolver::default());
    let mut trial = state.clone();
    let size = size(model, body);
    let mut left = f64::INFINITY;
    let mut share = 1.0;
    for _ in 0..ROUNDS {
        let before = trial.bodies.clone();
        let moved = &mut trial.bodies[body.0];
        step_towards(&heavy.bodies[body.0], moved, goal, size, share);
        close(&heavy, &mut trial, &mut solver)?;
        let now = distance(&trial, body, goal, size);
        let gained = left - now;
        if now < left {
            left = now;
        } else {
            // No nearer: the way was too long for what the joints leave, or that is used up.
            trial.bodies = before;
            crate::joints::refresh_angles(model, &trial.bodies, &mut trial.angles);
        }
        if left <= SETTLED {
            break;
        }
        if gained <= SETTLED {
            share *= 0.25;
            if share < FINEST {
                break;
            }
        }
    }
    let mut solver = MechanismSolver::new(model, LinearSolver::default());
    project(model, &mut trial, &mut solver);
    // Contacts and stops are those of the place that was left.
    trial.contacts.clear();
    trial.limits.fill(LimitState::default());
    *state = trial;
    Ok(())
}

/// Takes the body a share of the longest way towards its goal, as if it were free.
fn step_towards(body: &Body, at: &mut BodyState, goal: Goal, size: f64, share: f64) {
    let (stride, most) = (share * STRIDE * size, share * TURN);
    match goal {
        Goal::Point { point, to } => {
            let lever = at.orientation * point;
            let way = to - (at.position + lever);
            let way = way * (stride / way.norm()).min(1.0);
            // The displacement by an impulse at the point. What the joints leave of it, which is the nearest to it in
            // the metric of the masses, never takes the point farther than the goal.
            let turn = at.orientation.to_rotation_matrix();
            let inverse = body.inertia.try_inverse().unwrap_or_default();
            let inverse = turn * inverse * turn.transpose();
            let arm = lever.cross_matrix();
            let mobility = Mat3::identity() / body.mass - arm * inverse * arm;
            let impulse = mobility.try_inverse().unwrap_or_default() * way;
            at.position += impulse / body.mass;
            let turned = Quat::from_scaled_axis(inverse * lever.cross(&impulse));
            at.orientation = turned * at.orientation;
        }
        Goal::Position(to) => {
            let way = to - at.position;
            let share = (stride / way.norm()).min(1.0);
            at.position = if share < 1.0 {
                at.position + way * share
            } else {
                to
            };
        }
        Goal::Orientation(to) => {
            let turn = (to * at.orientation.inverse()).scaled_axis();
            let share = (most / turn.norm()).min(1.0);
            at.orientation = if share < 1.0 {
                Quat::from_scaled_axis(turn * share) * at.orientation
            } else {
                to
            };
        }
    }
}

/// What is left to the goal: a length as a fraction of the size, or an angle (rad).
fn distance(state: &State, body: BodyId, goal: Goal, size: f64) -> f64 {
    let at = &state.bodies[body.0];
    match goal {
        Goal::Position(to) => (to - at.position).norm() / size,
        Goal::Point { point, to } => (to - at.position - at.orientation * point).norm() / size,
        Goal::Orientation(to) => at.orientation.angle_to(&to),
    }
}

/// A length by which the joints of the body can be told apart [m]: that of its longest lever, or of its gyration.
fn size(model: &Model, body: BodyId) -> f64 {
    let levers = model.joints.iter().map(|j| {
        if j.child == body {
            j.child_frame.anchor.norm()
        } else if j.parent == Some(body) {
            j.parent_frame.anchor.norm()
        } else {
            0.0
        }
    });
    let Some(data) = model.bodies.get(body.0) else {
        return 1.0;
    };
    let gyration = (data.inertia.trace() / data.mass).sqrt();
    levers.fold(gyration, f64::max)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostics::worst_drift;
    use crate::kinematics::assemble;
    use crate::math::{Mat3, Pose};
    use crate::model::{Body, Joint, JointFrame, JointKind, ModelParts};

    /// Links of 1 m that hang from the origin by hinges about x.
    fn chain(links: usize) -> (Model, State) {
        chain_of(links, 1.0, 1.0)
    }

    /// The same with links of this length (m) and mass (kg).
    fn chain_of(links: usize, length: f64, mass: f64) -> (Model, State) {
        let frame = |z| JointFrame {
            anchor: Vec3::new(0.0, 0.0, z * length),
            orientation: Quat::rotation_between(&Vec3::z(), &Vec3::x()).expect("they differ"),
        };
        let inertia = Mat3::identity() * (mass * length * length / 12.0);
        let body = |k| Body::new(format!("link_{k}"), mass, inertia);
        let joint = |k: usize| Joint {
            name: format!("hinge_{k}"),
            kind: JointKind::Revolute,
            parent: k.checked_sub(1).map(BodyId),
            child: BodyId(k),
            parent_frame: frame(if k == 0 { 0.0 } else { -0.5 }),
            child_frame: frame(0.5),
            damping_translation: 0.0,
            damping_rotation: 0.0,
            springs: Vec::new(),
            actuators: Vec::new(),
            limits: Vec::new(),
            compliance: Default::default(),
        };
        let model = Model::new(ModelParts {
            bodies: (0..links).map(body).collect(),
            joints: (0..links).map(joint).collect(),
            ..ModelParts::default()
        })
        .expect("it is sound");
        let mut state = State::at_rest(&model);
        for (k, body) in state.bodies.iter_mut().enumerate() {
            body.position.z = (-0.5 - k as f64) * length;
        }
        assemble(&model, &mut state).expect("it hangs");
        (model, state)
    }

    #[test]
    fn a_link_within_reach_gets_where_it_is_wanted_and_the_others_follow() {
        let (model, mut state) = chain(4);
        let goal = Vec3::new(0.0, 1.4, -2.0);
        place(&model, &mut state, BodyId(3), Goal::Position(goal)).expect("it is within reach");
        // The rounds converge linearly, so that what is left is small and not rounding.
        assert!((state.bodies[3].position - goal).norm() < 1e-6);
        let drift = worst_drift(&model, &state);
        assert!(drift.position.0 < 1e-9 && drift.angle.0 < 1e-9);
        assert!(state.bodies[0].position.y.abs() > 0.01, "the first follows");
    }

    #[test]
    fn a_link_that_cannot_get_there_gets_as_near_as_its_joints_allow() {
        let (model, mut state) = chain(1);
        let goal = Vec3::new(0.0, 3.0, 0.0);
        place(&model, &mut state, BodyId(0), Goal::Position(goal)).expect("it stays closed");
        // The centre stays on a circle of 0.5 m about the hinge: nearest to the goal is (0, 0.5, 0).
        let nearest = Vec3::new(0.0, 0.5, 0.0);
        assert!(
            (state.bodies[0].position - nearest).norm() < 1e-3,
            "{}",
            state.bodies[0].position
        );
        assert!(worst_drift(&model, &state).position.0 < 1e-9);
    }

    /// A point of the last link, at its lower end and beside its axis.
    #[test]
    fn a_point_of_a_link_gets_where_it_is_pulled_or_as_near_as_the_joints_allow() {
        let seen = |state: &State, link: usize, point: &Vec3| {
            state.bodies[link].position + state.bodies[link].orientation * point
        };
        for (links, point) in [
            (2, Vec3::new(0.0, 0.0, -0.5)),
            (3, Vec3::new(0.0, 0.1, -0.2)),
        ] {
            let (model, mut state) = chain(links);
            let to = Vec3::new(0.0, 0.9, -0.8);
            place(
                &model,
                &mut state,
                BodyId(links - 1),
                Goal::Point { point, to },
            )
            .expect("it is within reach");
            // The rounds converge linearly; a round less than 1e-12 of the size was the last.
            let left = (seen(&state, links - 1, &point) - to).norm();
            assert!(left < 1e-4, "{links}: {left}");
            let drift = worst_drift(&model, &state);
            assert!(drift.position.0 < 1e-9 && drift.angle.0 < 1e-9);
        }
        // One link of 1 m on its hinge: its end stays on the circle, below the goal.
        let (model, mut state) = chain(1);
        let (point, to) = (Vec3::new(0.0, 0.0, -0.5), Vec3::new(0.0, 3.0, -3.0));
        place(&model, &mut state, BodyId(0), Goal::Point { point, to }).expect("it stays closed");
        let nearest = Vec3::new(0.0, 1.0, -1.0).normalize();
        let end = seen(&state, 0, &point);
        // Along the circle the distance changes little there, and with it what a round gains.
        assert!((end - to).norm() - (nearest - to).norm() < 1e-4, "{end}");
    }

    #[test]
    fn a_turn_swings_the_link_about_its_hinge_and_velocities_stay_on_the_joints() {
        let (model, mut state) = chain(2);
        state.bodies[1].velocity.linear = Vec3::new(0.0, 1.0, 0.0);
        assemble(&model, &mut state).expect("it is closed");
        let goal = Quat::from_scaled_axis(Vec3::x() * 0.7);
        place(&model, &mut state, BodyId(0), Goal::Orientation(goal)).expect("it can turn");
        assert!(state.bodies[0].orientation.angle_to(&goal) < 1e-6);
        // About the hinge at the origin, the centre goes to R(0.7) (0, 0, -0.5).
        let at =
            Pose::from_parts(Vec3::zeros().into(), goal) * nalgebra::Point3::new(0.0, 0.0, -0.5);
        assert!((state.bodies[0].position - at.coords).norm() < 1e-6);
        let body = &state.bodies[0];
        let arm = body.orientation * Vec3::new(0.0, 0.0, 0.5);
        let hinge = body.velocity.linear + body.velocity.angular.cross(&arm);
        assert!(hinge.norm() < 1e-9, "the hinge stands still: {hinge}");
    }

    /// Lengths and masses in other units: the same chain gets to the same place.
    #[test]
    fn a_chain_gets_where_it_is_wanted_whatever_its_size_and_its_mass() {
        for (length, mass) in [(1.0, 1e9), (1.0, 1e-9), (1e5, 1.0), (1e-5, 1.0)] {
            let (model, mut state) = chain_of(4, length, mass);
            let goal = Vec3::new(0.0, 1.4, -2.0) * length;
            place(&model, &mut state, BodyId(3), Goal::Position(goal)).expect("it is in reach");
            let left = (state.bodies[3].position - goal).norm() / length;
            assert!(left < 1e-6, "{length} m, {mass} kg: {left:e}");
        }
    }

    /// Others a thousand times heavier follow a link all the same, whatever the unit of mass.
    #[test]
    fn a_light_link_takes_heavy_ones_along() {
        for unit in [1.0, 1e9] {
            let (mut model, mut state) = chain_of(4, 1.0, unit);
            for body in &mut model.bodies[..3] {
                body.mass *= 1e3;
                body.inertia *= 1e3;
            }
            let goal = Vec3::new(0.0, 1.4, -2.0);
            place(&model, &mut state, BodyId(3), Goal::Position(goal)).expect("it is in reach");
            let left = (state.bodies[3].position - goal).norm();
            assert!(left < 1e-6, "{unit} kg: {left:e}");
        }
    }

    #[test]
    fn a_free_body_gets_where_it_is_wanted_to_the_last_bit() {
        let parts = ModelParts {
            bodies: vec![Body::new("free", 1.0, Mat3::identity())],
            ..ModelParts::default()
        };
        let model = Model::new(parts).expect("a free body is a model");
        let mut numbers = crate::model::specimen::Numbers(1);
        for k in 0..20 {
            let mut state = State::at_rest(&model);
            state.bodies[0].position = numbers.vector();
            state.bodies[0].orientation = numbers.rotation();
            // Near and far: at once and in several rounds.
            let reach = [0.1, 3.0][k % 2];
            let goal = state.bodies[0].position + numbers.vector() * reach;
            place(&model, &mut state, BodyId(0), Goal::Position(goal)).expect("it is free");
            assert_eq!(state.bodies[0].position, goal);
            // Near the origin, from where the way to it is as long as it is far: their difference rounds.
            state.bodies[0].position = Vec3::repeat(0.2);
            let goal = numbers.vector() * 1e-5;
            place(&model, &mut state, BodyId(0), Goal::Position(goal)).expect("it is free");
            assert_eq!(state.bodies[0].position, goal);
            let turn = Quat::from_scaled_axis(numbers.vector() * (0.5 * reach));
            let goal = turn * state.bodies[0].orientation;
            place(&model, &mut state, BodyId(0), Goal::Orientation(goal)).expect("it is free");
            assert_eq!(state.bodies[0].orientation, goal);
        }
    }

    /// Two cranks of 1 m on hinges 0.2 m apart, tied by a rod of 0.9 m: where the first goes, the second is never far
    /// behind or ahead, and its angle counts on from where it was. Turned at once and not little by little, the joints
    /// lost count of a whole turn.
    #[test]
    fn a_crank_takes_the_other_one_along_by_the_way_that_it_turns() {
        let (a, b, d) = (Vec3::zeros(), Vec3::y(), Vec3::x() * 0.2);
        // The end of the second, 0.9 m from that of the first and 1.1 m from its own hinge.
        let apart = (d - b).norm();
        let along = (0.81 - 1.21 + apart * apart) / (2.0 * apart);
        let way = (d - b) / apart;
        let c = b + way * along + Vec3::z().cross(&way) * (0.81 - along * along).sqrt();
        let links = [[a, b], [b, c], [d, c]];
        let centre = |k: usize| (links[k][0] + links[k][1]) * 0.5;
        let mut parts = ModelParts::default();
        for (k, [from, to]) in links.into_iter().enumerate() {
            let moment = (to - from).norm_squared() / 12.0;
            let inertia = Mat3::identity() * moment;
            parts
                .bodies
                .push(Body::new(format!("link {k}"), 1.0, inertia));
        }
        let hinges = [(None, 0, a), (Some(0), 1, b), (Some(1), 2, c), (None, 2, d)];
        for (k, (parent, child, at)) in hinges.into_iter().enumerate() {
            let frame = |anchor| JointFrame {
                anchor,
                orientation: Quat::identity(),
            };
            parts.joints.push(Joint {
                name: format!("hinge {k}"),
                kind: JointKind::Revolute,
                parent: parent.map(BodyId),
                child: BodyId(child),
                parent_frame: frame(at - parent.map_or(Vec3::zeros(), centre)),
                child_frame: frame(at - centre(child)),
                damping_translation: 0.0,
                damping_rotation: 0.0,
                springs: Vec::new(),
                actuators: Vec::new(),
                limits: Vec::new(),
                compliance: Default::default(),
            });
        }
        let model = Model::new(parts).expect("two cranks and a rod are a model");
        for turn in [3.0, -3.0] {
            let mut state = State::at_rest(&model);
            for (k, body) in state.bodies.iter_mut().enumerate() {
                body.position = centre(k);
            }
            assemble(&model, &mut state).expect("it is closed");
            let goal = Quat::from_scaled_axis(Vec3::z() * turn);
            place(&model, &mut state, BodyId(0), Goal::Orientation(goal)).expect("it turns round");
            let [first, second] = [state.angles[0][0], state.angles[3][0]];
            // Its hinge takes most of every round back, so that the last of sixty leaves a ten-thousandth.
            assert!((first - turn).abs() < 1e-3, "{first} of {turn} rad");
            // The rod is nearly as long as the cranks and the hinges are near each other: half a radian at most.
            assert!((second - first).abs() < 0.6, "{second} against {first} rad");
        }
    }

    /// Of a body with a lever to its own joint and one to that of the next, and of one whose lever is shorter than it is
    /// wide.
    #[test]
    fn the_size_of_a_body_is_its_longest_lever_or_its_gyration() {
        let (mut model, _) = chain(3);
        // Three moments of 1/12 kg m² make 0.25 m², the square of 0.5 m; so long are the levers as well.
        model.joints[1].child_frame.anchor = Vec3::new(0.0, 3.0, 4.0);
        model.joints[2].parent_frame.anchor = Vec3::new(0.0, 6.0, 8.0);
        model.joints[2].child_frame.anchor = Vec3::zeros();
        // Rounding of a root.
        let sizes = [0, 1, 2].map(|k| size(&model, BodyId(k)));
        for (found, wanted) in sizes.into_iter().zip([0.5, 10.0, 0.5]) {
            assert!((found - wanted).abs() < 1e-15, "{found} of {wanted} m");
        }
        model.joints[1].child_frame.anchor = Vec3::new(0.0, 9.0, 12.0);
        assert_eq!(size(&model, BodyId(1)), 15.0);
        // Four times the mass at the same moments: half as wide.
        model.bodies[2].mass = 4.0;
        assert!((size(&model, BodyId(2)) - 0.25).abs() < 1e-15);
    }
}
