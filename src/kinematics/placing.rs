//! Moving one body of a state to where it is wanted; the joints pull the rest along.

use super::AssemblyError;
use super::assembly::{close, project};
use crate::math::{Quat, Vec3};
use crate::model::{BodyId, LimitState, Model, State};
use crate::solver::{LinearSolver, MechanismSolver};

/// Where a body is wanted, world frame.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Goal {
    /// Its centre of mass there [m]; it turns as its joints ask.
    Position(Vec3),
    /// In this orientation; it shifts as its joints ask.
    Orientation(Quat),
}

/// How much heavier the body is than it is, while the joints are closed: the others give way to it.
const WEIGHT: f64 = 1e4;

/// Rounds of moving the body and closing the joints at most.
const ROUNDS: usize = 60;

/// Longest way in one round, as a fraction of the size of the body's surroundings.
const STRIDE: f64 = 0.25;

/// Largest rotation in one round [rad].
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
    for _ in 0..ROUNDS {
        let before = trial.bodies.clone();
        step_towards(&mut trial, body, goal, size);
        close(&heavy, &mut trial, &mut solver)?;
        let now = distance(&trial, body, goal, size);
        if now >= left {
            // No nearer: what the joints leave is used up.
            trial.bodies = before;
            crate::joints::refresh_angles(model, &trial.bodies, &mut trial.angles);
            break;
        }
        let gained = left - now;
        left = now;
        if now <= SETTLED || gained <= SETTLED {
            break;
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

/// Takes the body a limited way towards its goal, as if it were free.
fn step_towards(state: &mut State, body: BodyId, goal: Goal, size: f64) {
    let at = &mut state.bodies[body.0];
    match goal {
        Goal::Position(to) => {
            let way = to - at.position;
            let share = (STRIDE * size / way.norm()).min(1.0);
            at.position = if share < 1.0 {
                at.position + way * share
            } else {
                to
            };
        }
        Goal::Orientation(to) => {
            let turn = (to * at.orientation.inverse()).scaled_axis();
            let share = (TURN / turn.norm()).min(1.0);
            at.orientation = if share < 1.0 {
                Quat::from_scaled_axis(turn * share) * at.orientation
            } else {
                to
            };
        }
    }
}

/// What is left to the goal: a length as a fraction of the size, or an angle [rad].
fn distance(state: &State, body: BodyId, goal: Goal, size: f64) -> f64 {
    let at = &state.bodies[body.0];
    match goal {
        Goal::Position(to) => (to - at.position).norm() / size,
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
        let frame = |z| JointFrame {
            anchor: Vec3::new(0.0, 0.0, z),
            orientation: Quat::rotation_between(&Vec3::z(), &Vec3::x()).expect("they differ"),
        };
        let body = |k| Body::new(format!("link_{k}"), 1.0, Mat3::identity() / 12.0);
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
        };
        let model = Model::new(ModelParts {
            bodies: (0..links).map(body).collect(),
            joints: (0..links).map(joint).collect(),
            ..ModelParts::default()
        })
        .expect("it is sound");
        let mut state = State::at_rest(&model);
        for (k, body) in state.bodies.iter_mut().enumerate() {
            body.position.z = -0.5 - k as f64;
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
}
