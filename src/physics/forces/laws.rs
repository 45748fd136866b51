//! Forces that depend on velocity, as values with derivatives.

use super::Wrench;
use super::knot::end_about;
use crate::math::{Mat3, Vec3};
use crate::model::{Actuator, BodyId, BodyState, Force, Joint, Model, Twist};

/// A generalised force on one joint coordinate and its derivatives; it acts along
/// [`rate_row`](crate::joints::rate_row).
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct JointLaw {
    /// Force [N or N·m].
    pub force: f64,
    /// Its derivative with respect to the coordinate [N/m or N·m/rad].
    pub d_coordinate: f64,
    /// Its derivative with respect to the rate [N·s/m or N·m·s/rad].
    pub d_rate: f64,
}

/// Force of damping and PD actuators on one coordinate of a joint, for a coordinate `q` [m or rad] and its
/// `rate` [m/s or rad/s] at `time` (s).
///
/// A PD actuator's command and law are clipped together to its limit; a clipped force has no derivative.
/// For free rotation `q` is the component of the rotation vector and `rate` that of the angular velocity, so
/// `d_coordinate` is exact in the first order of the rotation only.
pub fn joint_law(joint: &Joint, coordinate: usize, q: f64, rate: f64, time: f64) -> JointLaw {
    law_by(joint, coordinate, [q, rate], time, Some([0.0; 2]))
}

/// The same with those actuators clipped that would be at their limits were the coordinate and its rate changed by what
/// `change` makes of the law without limits, as Newton's method has to decide it; the others may pass their limits.
pub fn joint_law_towards(
    joint: &Joint,
    coordinate: usize,
    now: [f64; 2],
    time: f64,
    change: impl FnOnce(&JointLaw) -> [f64; 2],
) -> JointLaw {
    let open = law_by(joint, coordinate, now, time, None);
    let has_limit =
        |a: &Actuator| a.coordinate == coordinate && a.pd.is_some() && a.limit.is_finite();
    if !joint.actuators.iter().any(has_limit) {
        return open;
    }
    law_by(joint, coordinate, now, time, Some(change(&open)))
}

/// A joint's law with those actuators clipped that would be at their limits after a `change`; with none clipped without.
fn law_by(
    joint: &Joint,
    coordinate: usize,
    [q, rate]: [f64; 2],
    time: f64,
    change: Option<[f64; 2]>,
) -> JointLaw {
    let damping = damping(joint, coordinate);
    let mut law = JointLaw {
        force: -damping * rate,
        d_coordinate: 0.0,
        d_rate: -damping,
    };
    for actuator in joint
        .actuators
        .iter()
        .filter(|a| a.coordinate == coordinate)
    {
        let Some(pd) = &actuator.pd else { continue };
        let [target, target_rate] = pd.wanted(time);
        let force = actuator.command.at(time)
            + pd.stiffness * (target - q)
            + pd.damping * (target_rate - rate);
        let expected = change.map(|[q, rate]| force - pd.stiffness * q - pd.damping * rate);
        match expected {
            Some(expected) if expected.abs() > actuator.limit => {
                law.force += actuator.limit.copysign(expected);
            }
            _ => {
                law.force += force;
                law.d_coordinate -= pd.stiffness;
                law.d_rate -= pd.damping;
            }
        }
    }
    law
}

/// Viscous damping of one coordinate [N·s/m or N·m·s/rad].
pub(super) fn damping(joint: &Joint, coordinate: usize) -> f64 {
    if coordinate < joint.kind.free_translations() {
        joint.damping_translation
    } else {
        joint.damping_rotation
    }
}

/// Whether [`joint_law`] can be anything but zero on one coordinate of the joint.
pub fn has_law(joint: &Joint, coordinate: usize) -> bool {
    damping(joint, coordinate) > 0.0
        || joint
            .actuators
            .iter()
            .any(|a| a.pd.is_some() && a.coordinate == coordinate)
}

/// Whether [`joint_law`] can be anything but zero on any coordinate of the joint.
pub fn has_joint_law(joint: &Joint) -> bool {
    (joint.damping_translation > 0.0 && joint.kind.free_translations() > 0)
        || (joint.damping_rotation > 0.0 && joint.kind.free_rotations() > 0)
        || joint.actuators.iter().any(|a| a.pd.is_some())
}

/// Whether any force of the model, the mouse apart, depends on velocity.
pub fn has_velocity_laws(model: &Model) -> bool {
    model.joints.iter().any(has_joint_law)
        || model
            .forces
            .iter()
            .any(|f| matches!(f, Force::Spring { damping, .. } if *damping > 0.0))
}

/// The line between the ends of a spring at one configuration.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Line {
    /// Bodies of the two ends; `None` is the world.
    pub bodies: [Option<BodyId>; 2],
    /// Arms from the centres of mass to the ends, world axes (m).
    pub arms: [Vec3; 2],
    /// From the first end to the second, world axes (m).
    pub span: Vec3,
}

impl Line {
    /// The line of a spring element with positions of bodies relative to a point of the world (m); `None` for other
    /// elements.
    pub fn about(force: &Force, bodies: &[BodyState], origin: &Vec3) -> Option<Self> {
        let Force::Spring { ends, .. } = force else {
            return None;
        };
        let [(a, arm_a), (b, arm_b)] = [0, 1].map(|k| end_about(&ends[k], bodies, origin));
        Some(Self {
            bodies: [ends[0].body, ends[1].body],
            arms: [arm_a, arm_b],
            span: b - a,
        })
    }
}

/// Tension of a spring over the line between its ends (N), which pulls the first end along it and the second against it,
/// and its derivative with respect to the line (N/m); zero and undirected where the ends meet.
pub fn line_tension(stiffness: f64, rest: f64, span: &Vec3) -> (Vec3, Mat3) {
    let length = span.norm();
    if length == 0.0 {
        return (Vec3::zeros(), Mat3::identity() * stiffness);
    }
    let n = span / length;
    let along = n * n.transpose() * (stiffness * rest / length);
    let share = stiffness * (1.0 - rest / length);
    (span * share, Mat3::identity() * share + along)
}

/// A damper between two points at one configuration: tension `coefficient · rate of length` along the line.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LineDamper {
    /// Bodies of the two ends; `None` is the world.
    pub bodies: [Option<BodyId>; 2],
    /// Arms from the centres of mass to the ends, world axes (m).
    pub arms: [Vec3; 2],
    /// Unit vector from the first end to the second, world axes.
    pub direction: Vec3,
    /// (N·s/m).
    pub coefficient: f64,
}

impl LineDamper {
    /// The damper of a spring element at the poses of `bodies`; `None` if it has none or its ends meet, where
    /// the line has no direction.
    pub fn of(force: &Force, bodies: &[BodyState]) -> Option<Self> {
        Self::about(force, bodies, &Vec3::zeros())
    }

    /// The same with positions of bodies relative to a point of the world (m).
    pub fn about(force: &Force, bodies: &[BodyState], origin: &Vec3) -> Option<Self> {
        let Force::Spring { damping, .. } = force else {
            return None;
        };
        if *damping == 0.0 {
            return None;
        }
        let Line { bodies, arms, span } = Line::about(force, bodies, origin)?;
        Some(Self {
            bodies,
            arms,
            direction: span.try_normalize(0.0)?,
            coefficient: *damping,
        })
    }

    /// Rate at which the line lengthens (m/s). Its derivative with respect to the velocity of the second end
    /// is `direction`, of the first `-direction`.
    pub fn rate(&self, twists: &[Twist]) -> f64 {
        let velocity = |k: usize| {
            self.bodies[k].map_or_else(Vec3::zeros, |b| {
                twists[b.0].linear + twists[b.0].angular.cross(&self.arms[k])
            })
        };
        self.direction.dot(&(velocity(1) - velocity(0)))
    }

    /// Adds the damper's force for a rate of lengthening (m/s).
    pub fn apply(&self, rate: f64, out: &mut [Wrench]) {
        let tension = self.direction * (self.coefficient * rate);
        if let Some(body) = self.bodies[0] {
            out[body.0].push(&tension, &self.arms[0]);
        }
        if let Some(body) = self.bodies[1] {
            out[body.0].push(&-tension, &self.arms[1]);
        }
    }
}
