//! Projection of a scene's first state onto the constraints, in position and in velocity.

use crate::joints::{self, Placement};
use crate::math::Quat;
use crate::model::{BodyState, Joint, Model, State, Twist};
use crate::quantity::quantity;
use crate::solver::{Errors, LinearSolver, MechanismSolver};
use std::fmt;

/// Joint errors, relative to the length of the joint or in radians, above which a first state is refused.
pub(super) const CLOSED: f64 = 1e-9;

/// Gauss-Newton steps at most.
const STEPS: usize = 100;

/// Largest rotation of a body in one Gauss-Newton step (rad).
const TURN: f64 = 0.3;

/// How far a scene's first state was moved to satisfy the constraints.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Assembly {
    /// Largest displacement of a centre of mass (m).
    pub moved_position: f64,
    /// Largest rotation of a body (rad).
    pub moved_angle: f64,
    /// Largest change of a velocity (m/s).
    pub changed_velocity: f64,
    /// Largest change of an angular velocity (rad/s).
    pub changed_angular_velocity: f64,
    /// Constraint equations that others already imply at this configuration.
    pub redundant: usize,
}

/// How far a joint is open.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Gap {
    /// Distance of its anchors in the directions in which it holds them together (m).
    pub distance: f64,
    /// Angle about the axes about which it holds them (rad).
    pub angle: f64,
    /// Sum of the distances of all joints (m): no placing of the bodies has less than what is missing.
    pub total: f64,
    /// The larger of distance and angle, relative to the length of the joint or in radians; of a coupling what it lacks.
    pub relative: f64,
}

impl Gap {
    fn of(model: &Model, state: &State, errors: &Errors) -> Self {
        let drift = |joint: &Joint| joints::drift(joint.kind, &Placement::of(joint, &state.bodies));
        let own = errors.joint.map(|j| drift(&model.joints[j]));
        let own = own.unwrap_or_default();
        Self {
            distance: own.position,
            angle: own.angle,
            total: model.joints.iter().map(|j| drift(j).position).sum(),
            relative: errors.constraint,
        }
    }
}

impl fmt::Display for Gap {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let shown = |x: f64| x > CLOSED || x.is_nan();
        match (shown(self.distance), shown(self.angle)) {
            (true, false) => write!(f, "{} open", quantity(self.distance, "m")),
            (false, true) => write!(f, "{} out of line", quantity(self.angle, "rad")),
            (true, true) => {
                let [distance, angle] = [(self.distance, "m"), (self.angle, "rad")];
                let [distance, angle] = [distance, angle].map(|(x, unit)| quantity(x, unit));
                write!(f, "{distance} open and {angle} out of line")
            }
            (false, false) => write!(f, "{:.3e} of its size left", self.relative),
        }?;
        if self.total > 1.01 * self.distance {
            write!(f, " ({} in all joints)", quantity(self.total, "m"))?;
        }
        Ok(())
    }
}

/// Why a first state cannot be put on the constraints.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum AssemblyError {
    /// The joints cannot all be closed.
    #[error("joint `{joint}` cannot be closed: {gap} at best; check its anchors and axes")]
    CannotClose {
        /// Name of the worst joint; empty where it is a coupling.
        joint: String,
        /// By how much it stays open.
        gap: Gap,
    },
}

/// Moves the bodies onto the constraints (least mass-weighted displacement) and the velocities onto the
/// tangent space (mass-weighted projection); sets momenta and unwrapped angles.
pub fn assemble(model: &Model, state: &mut State) -> Result<Assembly, AssemblyError> {
    let given = state.bodies.clone();
    let mut solver = MechanismSolver::new(model, LinearSolver::default());
    let redundant = close(model, state, &mut solver)?;
    project(model, state, &mut solver);
    let mut assembly = Assembly {
        redundant,
        ..Assembly::default()
    };
    for (before, after) in given.iter().zip(&state.bodies) {
        let raise = |worst: &mut f64, x: f64| *worst = worst.max(x);
        raise(
            &mut assembly.moved_position,
            (after.position - before.position).norm(),
        );
        raise(
            &mut assembly.moved_angle,
            after.orientation.angle_to(&before.orientation),
        );
        raise(
            &mut assembly.changed_velocity,
            (after.velocity.linear - before.velocity.linear).norm(),
        );
        let spin = after.velocity.angular - before.velocity.angular;
        raise(&mut assembly.changed_angular_velocity, spin.norm());
    }
    Ok(assembly)
}

/// Closes all joints by Gauss-Newton with halving; returns the number of redundant equations.
pub(super) fn close(
    model: &Model,
    state: &mut State,
    solver: &mut MechanismSolver,
) -> Result<usize, AssemblyError> {
    let mut motion = Vec::new();
    joints::refresh_angles(model, &state.bodies, &mut state.angles);
    let (mut errors, _) = solver.close(model, state, &mut motion);
    let mut best = state.bodies.clone();
    // Where the joints were least open, for what is said if they cannot be closed.
    let (mut least, mut nearest) = (errors.constraint, state.bodies.clone());
    for _ in 0..STEPS {
        if errors.constraint == 0.0 {
            break;
        }
        if errors.constraint < least {
            least = errors.constraint;
            nearest.clone_from(&state.bodies);
        }
        best.clone_from(&state.bodies);
        let turn = motion.iter().map(|m| m.angular.norm()).fold(0.0, f64::max);
        let mut fraction = if turn > TURN { TURN / turn } else { 1.0 };
        let before = errors.constraint;
        let step = std::mem::take(&mut motion);
        loop {
            displace(&mut state.bodies, &best, &step, fraction);
            joints::refresh_angles(model, &state.bodies, &mut state.angles);
            (errors, _) = solver.close(model, state, &mut motion);
            // A step cut short to stay near may raise the largest error for a while.
            if errors.constraint < before * 1.5 || fraction < 1e-3 {
                break;
            }
            fraction *= 0.5;
        }
        if before < CLOSED && errors.constraint >= before {
            // At rounding level: the state before was as good.
            state.bodies.clone_from(&best);
            joints::refresh_angles(model, &state.bodies, &mut state.angles);
            break;
        }
    }
    let (errors, redundant) = solver.close(model, state, &mut motion);
    if errors.constraint > CLOSED || errors.constraint.is_nan() {
        state.bodies = nearest;
        let (errors, _) = solver.close(model, state, &mut motion);
        let joint = errors
            .joint
            .map_or_else(String::new, |j| model.joints[j].name.clone());
        let gap = Gap::of(model, state, &errors);
        // Far from the origin positions are stored to fewer digits than a short joint is closed to.
        let stored = state.bodies.iter().map(|b| b.position.amax());
        let rounding = 4.0 * f64::EPSILON * stored.fold(0.0, f64::max);
        if errors.joint.is_some() && gap.distance <= rounding && gap.angle <= CLOSED {
            joints::refresh_angles(model, &state.bodies, &mut state.angles);
            return Ok(redundant);
        }
        return Err(AssemblyError::CannotClose { joint, gap });
    }
    Ok(redundant)
}

fn displace(bodies: &mut [BodyState], from: &[BodyState], motion: &[Twist], fraction: f64) {
    for ((body, from), motion) in bodies.iter_mut().zip(from).zip(motion) {
        body.position = from.position + motion.linear * fraction;
        body.orientation = Quat::from_scaled_axis(motion.angular * fraction) * from.orientation;
    }
}

/// Projects the velocities and sets the momenta.
pub(super) fn project(model: &Model, state: &mut State, solver: &mut MechanismSolver) {
    let mut twists = Vec::new();
    set_momenta(model, &mut state.bodies);
    solver.project(model, state, &mut twists);
    for (body, twist) in state.bodies.iter_mut().zip(&twists) {
        body.velocity = *twist;
    }
    set_momenta(model, &mut state.bodies);
}

/// Momenta of the velocities at a knot.
pub fn set_momenta(model: &Model, bodies: &mut [BodyState]) {
    for (body, state) in model.bodies.iter().zip(bodies) {
        state.momentum = state.velocity.linear * body.mass;
        let spin = state
            .orientation
            .inverse_transform_vector(&state.velocity.angular);
        state.angular_momentum = state.orientation * (body.inertia * spin);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::{Mat3, Vec3};
    use crate::model::specimen::Numbers;
    use crate::model::{Body, BodyId, Joint, JointFrame, JointKind, ModelParts};

    /// A joint whose frames are those of its bodies, shifted.
    fn joint(
        name: &str,
        kind: JointKind,
        [parent, child]: [Option<BodyId>; 2],
        [at, on]: [Vec3; 2],
    ) -> Joint {
        let frame = |anchor| JointFrame {
            anchor,
            orientation: Quat::identity(),
        };
        Joint {
            name: name.into(),
            kind,
            parent,
            child: child.expect("there is a child"),
            parent_frame: frame(at),
            child_frame: frame(on),
            damping_translation: 0.0,
            damping_rotation: 0.0,
            springs: vec![],
            actuators: vec![],
            limits: vec![],
            compliance: Default::default(),
        }
    }

    fn model(bodies: usize, joints: Vec<Joint>) -> Model {
        let body = |k| Body::new(format!("body {k}"), 2.0, Mat3::identity());
        Model::new(ModelParts {
            bodies: (0..bodies).map(body).collect(),
            joints,
            ..ModelParts::default()
        })
        .expect("the parts are a model")
    }

    /// A body that slides along z and turns about it, at its own centre: from beside the axis it goes there, and loses
    /// what of its velocities is across it.
    #[test]
    fn what_assembling_changes_is_told() {
        let ends = [None, Some(BodyId(0))];
        let slide = joint("slide", JointKind::Cylindrical, ends, [Vec3::zeros(); 2]);
        let model = model(1, vec![slide]);
        let mut state = State::at_rest(&model);
        let body = &mut state.bodies[0];
        body.position = Vec3::new(0.3, 0.4, 5.0);
        body.orientation = Quat::from_scaled_axis(Vec3::y() * 0.2);
        body.velocity.linear = Vec3::new(1.0, 0.0, 2.0);
        body.velocity.angular = Vec3::new(0.0, 3.0, 4.0);
        let found = assemble(&model, &mut state).expect("it slides");
        let pairs = [
            (found.moved_position, 0.5),
            (found.moved_angle, 0.2),
            (found.changed_velocity, 1.0),
            (found.changed_angular_velocity, 3.0),
        ];
        for (found, wanted) in pairs {
            // The joint is closed to rounding of numbers of order 1.
            assert!((found - wanted).abs() < 1e-12, "{found} of {wanted}");
        }
        assert_eq!(found.redundant, 0);
    }

    /// A rod of 1 m between hinges 3 m apart.
    #[test]
    fn joints_that_cannot_be_closed_are_refused_by_name() {
        let ends = [None, Some(BodyId(0))];
        let half = Vec3::x() * 0.5;
        let joints = vec![
            joint("near", JointKind::Spherical, ends, [Vec3::zeros(), -half]),
            joint("far", JointKind::Spherical, ends, [Vec3::x() * 3.0, half]),
        ];
        let model = model(1, joints);
        let mut state = State::at_rest(&model);
        state.bodies[0].position = half;
        let refused = assemble(&model, &mut state);
        let Err(AssemblyError::CannotClose { joint, gap }) = refused else {
            panic!("{refused:?}")
        };
        // Relative to a length of a metre or so.
        assert!(
            ["near", "far"].contains(&joint.as_str()) && gap.relative > 0.5,
            "{joint}: {gap}"
        );
        // One joint is closed, and the two metres that are missing are at the other, to the digits that are shown.
        assert!((gap.distance - 2.0).abs() < 5e-3, "{gap}");
        assert_eq!(gap.to_string(), "2.00 m open");
    }

    /// Trees of all kinds of joints, from any poses: whatever is open, a tree can be closed.
    #[test]
    fn trees_of_all_joints_can_be_closed_from_anywhere() {
        for seed in 0..40 {
            let mut numbers = Numbers(seed);
            let parts = numbers.forest(&JointKind::ALL);
            let model = Model::new(parts).expect("the forest is a model");
            let mut state = State::at_rest(&model);
            for body in &mut state.bodies {
                body.position = numbers.vector() * 3.0;
                body.orientation = numbers.rotation();
            }
            let closed = assemble(&model, &mut state);
            assert!(closed.is_ok(), "{seed}: {closed:?}");
            let drift = crate::diagnostics::worst_drift(&model, &state);
            // Joint errors of a billionth, relative to lengths of a metre.
            assert!(
                drift.position.0 < 1e-8 && drift.angle.0 < 1e-8,
                "{seed}: {drift:?}"
            );
        }
    }

    /// The angular momentum of mass points that a body consists of, turned.
    #[test]
    fn momenta_are_those_of_mass_points() {
        let points = [
            (0.5, Vec3::new(1.0, 2.0, 0.5)),
            (0.25, Vec3::new(-2.0, 1.0, 1.0)),
            (0.75, Vec3::new(0.5, -1.0, -2.0)),
        ];
        // In pairs about the centre, so that it is the centre of mass.
        let points = points.iter().flat_map(|&(m, r)| [(m, r), (m, -r)]);
        let points: Vec<(f64, Vec3)> = points.collect();
        let inertia = points.iter().fold(Mat3::zeros(), |sum, (m, r)| {
            sum + (Mat3::identity() * r.norm_squared() - r * r.transpose()) * *m
        });
        let mut model = model(1, vec![]);
        let mass = points.iter().map(|p| p.0).sum();
        model.bodies[0] = Body::new("points", mass, inertia);
        let mut state = State::at_rest(&model);
        let body = &mut state.bodies[0];
        body.orientation = Quat::from_scaled_axis(Vec3::new(0.7, -1.1, 0.4));
        body.velocity.linear = Vec3::new(1.0, -2.0, 3.0);
        body.velocity.angular = Vec3::new(-0.5, 1.5, 2.0);
        set_momenta(&model, &mut state.bodies);
        let body = &state.bodies[0];
        let (mut linear, mut angular) = (Vec3::zeros(), Vec3::zeros());
        for (m, r) in points {
            let arm = body.orientation * r;
            let p = (body.velocity.linear + body.velocity.angular.cross(&arm)) * m;
            linear += p;
            angular += arm.cross(&p);
        }
        // Sums of numbers of order 10.
        assert!((body.momentum - linear).norm() < 1e-13);
        assert!((body.angular_momentum - angular).norm() < 1e-13);
    }
}
