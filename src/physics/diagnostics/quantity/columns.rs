//! What can be plotted and written: name, unit, meaning and value of every column.

use super::Moment;
use crate::joints::{self, Placement};
use crate::model::{ContactState, ContactStatus};

/// A column of an item of kind `T`: of the whole run, of a body, of a joint, of a pair that touches, of a limit.
pub struct Column<T> {
    /// Its name, as tables have it.
    pub name: &'static str,
    /// Unit of its values.
    pub unit: &'static str,
    /// What it is.
    pub meaning: &'static str,
    /// Its value at a moment; not a number where there is none.
    pub value: fn(&Moment, T) -> f64,
}

const fn column<T>(
    name: &'static str,
    unit: &'static str,
    meaning: &'static str,
    value: fn(&Moment, T) -> f64,
) -> Column<T> {
    Column {
        name,
        unit,
        meaning,
        value,
    }
}

/// Columns of the whole run, in the order of tables.
pub const RUN: [Column<()>; 28] = [
    column("step", "", "steps taken", |m, ()| m.sample.step as f64),
    column("time", "s", "simulated time", |m, ()| m.sample.time),
    column("kinetic_energy", "J", "kinetic energy", |m, ()| {
        m.sample.energy.kinetic
    }),
    column(
        "potential_energy",
        "J",
        "potential energy of gravity and springs",
        |m, ()| m.sample.energy.potential,
    ),
    column(
        "total_energy",
        "J",
        "kinetic and potential energy",
        |m, ()| m.sample.energy.total(),
    ),
    column("energy_error", "J", "what the method got wrong", |m, ()| {
        m.sample.energy_error
    }),
    column(
        "external_work",
        "J",
        "work of wrenches, actuators and the mouse",
        |m, ()| m.sample.external_work,
    ),
    column("dissipated", "J", "energy taken by dampers", |m, ()| {
        m.sample.dissipated
    }),
    column(
        "linear_momentum.x",
        "kg·m/s",
        "linear momentum",
        |m, ()| m.sample.momentum.linear.x,
    ),
    column(
        "linear_momentum.y",
        "kg·m/s",
        "linear momentum",
        |m, ()| m.sample.momentum.linear.y,
    ),
    column(
        "linear_momentum.z",
        "kg·m/s",
        "linear momentum",
        |m, ()| m.sample.momentum.linear.z,
    ),
    column(
        "angular_momentum.x",
        "kg·m²/s",
        "angular momentum about the world's origin",
        |m, ()| m.sample.momentum.angular.x,
    ),
    column(
        "angular_momentum.y",
        "kg·m²/s",
        "angular momentum about the world's origin",
        |m, ()| m.sample.momentum.angular.y,
    ),
    column(
        "angular_momentum.z",
        "kg·m²/s",
        "angular momentum about the world's origin",
        |m, ()| m.sample.momentum.angular.z,
    ),
    column("drift_position", "m", "largest joint gap", |m, ()| {
        m.sample.drift_position
    }),
    column(
        "drift_angle",
        "rad",
        "largest joint misalignment",
        |m, ()| m.sample.drift_angle,
    ),
    column(
        "iterations",
        "",
        "Newton iterations of the last step",
        |m, ()| f64::from(m.sample.iterations),
    ),
    column(
        "residual",
        "",
        "residual of the last step, relative to the forces handled",
        |m, ()| m.sample.residual,
    ),
    column("impact_loss", "J", "energy taken by impacts", |m, ()| {
        m.sample.contact_loss[0]
    }),
    column("friction_loss", "J", "energy taken by friction", |m, ()| {
        m.sample.contact_loss[1]
    }),
    column("contacts", "", "contact points with a force", |m, ()| {
        f64::from(m.sample.closed)
    }),
    column("penetration", "m", "deepest penetration", |m, ()| {
        m.sample.penetration
    }),
    column("min_gap", "m", "smallest gap", |m, ()| m.sample.min_gap),
    column(
        "complementarity",
        "N·m",
        "largest product of gap and normal force",
        |m, ()| m.sample.complementarity,
    ),
    column(
        "cone_violation",
        "N",
        "largest excess of a friction force over its cone",
        |m, ()| m.sample.cone_violation,
    ),
    column(
        "law_violation",
        "m/s",
        "largest violation of the contact laws",
        |m, ()| m.sample.law_violation,
    ),
    column(
        "correction",
        "J",
        "energy that changes of method, model and state brought",
        |m, ()| m.sample.correction,
    ),
    column("asleep", "", "bodies that sleep", |m, ()| {
        f64::from(m.sample.asleep)
    }),
];

/// Columns of a body that tables have; the rest of [`BODY`] is for plots.
pub const BODY_TABLE: usize = 13;

fn spin(m: &Moment, k: usize, axis: usize) -> f64 {
    let turn = m.velocities[k].angular;
    m.state.bodies[k]
        .orientation
        .inverse_transform_vector(&turn)[axis]
}

/// Columns of a body.
pub const BODY: [Column<usize>; 25] = [
    column("x", "m", "centre of mass", |m, k| {
        m.state.bodies[k].position.x
    }),
    column("y", "m", "centre of mass", |m, k| {
        m.state.bodies[k].position.y
    }),
    column("z", "m", "centre of mass", |m, k| {
        m.state.bodies[k].position.z
    }),
    column("qw", "", "orientation world_from_body", |m, k| {
        m.state.bodies[k].orientation.w
    }),
    column("qx", "", "orientation world_from_body", |m, k| {
        m.state.bodies[k].orientation.i
    }),
    column("qy", "", "orientation world_from_body", |m, k| {
        m.state.bodies[k].orientation.j
    }),
    column("qz", "", "orientation world_from_body", |m, k| {
        m.state.bodies[k].orientation.k
    }),
    column("vx", "m/s", "velocity, world axes", |m, k| {
        m.velocities[k].linear.x
    }),
    column("vy", "m/s", "velocity, world axes", |m, k| {
        m.velocities[k].linear.y
    }),
    column("vz", "m/s", "velocity, world axes", |m, k| {
        m.velocities[k].linear.z
    }),
    column("wx_body", "rad/s", "angular velocity, body axes", |m, k| {
        spin(m, k, 0)
    }),
    column("wy_body", "rad/s", "angular velocity, body axes", |m, k| {
        spin(m, k, 1)
    }),
    column("wz_body", "rad/s", "angular velocity, body axes", |m, k| {
        spin(m, k, 2)
    }),
    column("speed", "m/s", "size of the velocity", |m, k| {
        m.velocities[k].linear.norm()
    }),
    column("spin", "rad/s", "size of the angular velocity", |m, k| {
        m.velocities[k].angular.norm()
    }),
    column("wx", "rad/s", "angular velocity, world axes", |m, k| {
        m.velocities[k].angular.x
    }),
    column("wy", "rad/s", "angular velocity, world axes", |m, k| {
        m.velocities[k].angular.y
    }),
    column("wz", "rad/s", "angular velocity, world axes", |m, k| {
        m.velocities[k].angular.z
    }),
    column("px", "kg·m/s", "momentum", |m, k| {
        m.state.bodies[k].momentum.x
    }),
    column("py", "kg·m/s", "momentum", |m, k| {
        m.state.bodies[k].momentum.y
    }),
    column("pz", "kg·m/s", "momentum", |m, k| {
        m.state.bodies[k].momentum.z
    }),
    column("kinetic", "J", "kinetic energy of the body", |m, k| {
        let orientation = &m.state.bodies[k].orientation;
        let energy = m.model.bodies[k].kinetic_energy(orientation, &m.velocities[k]);
        energy[0] + energy[1]
    }),
    column("contacts", "", "contact points with a force", |m, k| {
        touching(m, k)
            .filter(|c| c.status != ContactStatus::Open)
            .count() as f64
    }),
    column("contact_gap", "m", "smallest gap to anything", |m, k| {
        smallest(touching(m, k).map(|c| c.gap))
    }),
    column("contact_force", "N", "sum of the normal forces", |m, k| {
        touching(m, k).map(ContactState::normal_force).sum()
    }),
];

fn touching<'a>(m: &Moment<'a>, body: usize) -> impl Iterator<Item = &'a ContactState> {
    let touches = move |c: &&ContactState| c.bodies.iter().flatten().any(|b| b.0 == body);
    m.state.contacts.iter().filter(touches)
}

/// The smallest of all; not a number if there is none.
fn smallest(values: impl Iterator<Item = f64>) -> f64 {
    values.fold(f64::NAN, f64::min)
}

fn coordinate(m: &Moment, k: usize, c: usize) -> f64 {
    let joint = &m.model.joints[k];
    if c >= joint.kind.freedoms() {
        return f64::NAN;
    }
    let at = Placement::of(joint, &m.state.bodies);
    joints::coordinates(joint.kind, &at, m.state.angles[k])[c]
}

fn rate(m: &Moment, k: usize, c: usize) -> f64 {
    let joint = &m.model.joints[k];
    if c >= joint.kind.freedoms() {
        return f64::NAN;
    }
    let at = Placement::of(joint, &m.state.bodies);
    let parent = joint.parent.map(|p| m.velocities[p.0]).unwrap_or_default();
    joints::rates(joint.kind, &at, &parent, &m.velocities[joint.child.0])[c]
}

fn drift(m: &Moment, k: usize) -> joints::Drift {
    let joint = &m.model.joints[k];
    joints::drift(joint.kind, &Placement::of(joint, &m.state.bodies))
}

/// Columns of a joint. A coordinate's unit is that of a translation or of a rotation, see
/// [`Quantity::unit`](super::Quantity::unit).
pub const JOINT: [Column<usize>; 22] = [
    column("q0", "m, rad", "first coordinate", |m, k| {
        coordinate(m, k, 0)
    }),
    column("q1", "m, rad", "second coordinate", |m, k| {
        coordinate(m, k, 1)
    }),
    column("q2", "m, rad", "third coordinate", |m, k| {
        coordinate(m, k, 2)
    }),
    column("q3", "m, rad", "fourth coordinate", |m, k| {
        coordinate(m, k, 3)
    }),
    column("q4", "m, rad", "fifth coordinate", |m, k| {
        coordinate(m, k, 4)
    }),
    column("q5", "m, rad", "sixth coordinate", |m, k| {
        coordinate(m, k, 5)
    }),
    column(
        "rate0",
        "m/s, rad/s",
        "rate of the first coordinate",
        |m, k| rate(m, k, 0),
    ),
    column(
        "rate1",
        "m/s, rad/s",
        "rate of the second coordinate",
        |m, k| rate(m, k, 1),
    ),
    column(
        "rate2",
        "m/s, rad/s",
        "rate of the third coordinate",
        |m, k| rate(m, k, 2),
    ),
    column(
        "rate3",
        "m/s, rad/s",
        "rate of the fourth coordinate",
        |m, k| rate(m, k, 3),
    ),
    column(
        "rate4",
        "m/s, rad/s",
        "rate of the fifth coordinate",
        |m, k| rate(m, k, 4),
    ),
    column(
        "rate5",
        "m/s, rad/s",
        "rate of the sixth coordinate",
        |m, k| rate(m, k, 5),
    ),
    column("fx", "N", "reaction on the child, world axes", |m, k| {
        m.state.reactions[k].force.x
    }),
    column("fy", "N", "reaction on the child, world axes", |m, k| {
        m.state.reactions[k].force.y
    }),
    column("fz", "N", "reaction on the child, world axes", |m, k| {
        m.state.reactions[k].force.z
    }),
    column("tx", "N·m", "reaction torque on the child", |m, k| {
        m.state.reactions[k].torque.x
    }),
    column("ty", "N·m", "reaction torque on the child", |m, k| {
        m.state.reactions[k].torque.y
    }),
    column("tz", "N·m", "reaction torque on the child", |m, k| {
        m.state.reactions[k].torque.z
    }),
    column("reaction", "N", "size of the reaction force", |m, k| {
        m.state.reactions[k].force.norm()
    }),
    column(
        "reaction_torque",
        "N·m",
        "size of the reaction torque",
        |m, k| m.state.reactions[k].torque.norm(),
    ),
    column("drift_position", "m", "gap of the joint", |m, k| {
        drift(m, k).position
    }),
    column("drift_angle", "rad", "misalignment of the joint", |m, k| {
        drift(m, k).angle
    }),
];

/// First column of [`JOINT`] that is neither coordinate nor rate.
pub const JOINT_RATES: [usize; 2] = [6, 12];

/// A pair of bodies that may touch; no second body is the world.
pub type Pair = [Option<usize>; 2];

fn between<'a>(m: &Moment<'a>, pair: Pair) -> impl Iterator<Item = &'a ContactState> {
    let same = move |c: &&ContactState| {
        let bodies = c.bodies.map(|b| b.map(|b| b.0));
        bodies == pair || bodies == [pair[1], pair[0]]
    };
    m.state.contacts.iter().filter(same)
}

/// Columns of a pair of bodies that may touch.
pub const PAIR: [Column<Pair>; 5] = [
    column("gap", "m", "smallest gap of the pair", |m, p| {
        smallest(between(m, p).map(|c| c.gap))
    }),
    column("normal_force", "N", "sum of the normal forces", |m, p| {
        between(m, p).map(ContactState::normal_force).sum()
    }),
    column(
        "friction_force",
        "N",
        "sum of the sizes of the friction forces",
        |m, p| between(m, p).map(|c| c.friction_force().norm()).sum(),
    ),
    column("slip", "m/s", "fastest slip", |m, p| {
        between(m, p).map(|c| c.slip.norm()).fold(0.0, f64::max)
    }),
    column("points", "", "contact points with a force", |m, p| {
        between(m, p)
            .filter(|c| c.status != ContactStatus::Open)
            .count() as f64
    }),
];

/// Columns of a joint limit or cable, by its place among the limits of the state.
pub const STOP: [Column<usize>; 2] = [
    column("gap", "m, rad", "distance from the limit", |m, k| {
        m.state.limits[k].gap
    }),
    column("force", "N, N·m", "force of the limit", |m, k| {
        m.state.limits[k].force
    }),
];
