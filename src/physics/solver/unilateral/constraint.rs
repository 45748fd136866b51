//! Unilateral nodes: a contact point, a bound of a joint coordinate, a cable.

use super::super::fronts::Six;
use super::super::links::Links;
use super::super::scale::Scale;
use super::super::topology::{Topology, WORLD};
use super::stops::{lever, size, stop_rows};
use crate::contact::{Located, Turn};
use crate::math::Vec3;
use crate::model::{BodyId, BodyState, ContactState, Model, Twist};

/// What a unilateral constraint stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum What {
    /// Contact point, by its index among those of the interval.
    Contact(usize),
    /// Bound of a joint coordinate.
    Limit {
        /// The joint.
        joint: usize,
        /// Index among the limits of the joint.
        limit: usize,
        /// Index among the limits of the state.
        entry: usize,
        /// The upper bound, not the lower.
        upper: bool,
    },
    /// A cable.
    Cable {
        /// Its index.
        cable: usize,
        /// Index among the limits of the state.
        entry: usize,
    },
}

/// One node: a normal row and, with friction, two tangential rows.
///
/// Impulses are in units of the effective mass `1/(n M⁻¹ nᵀ)`, so that they are velocities and all tolerances are
/// independent of masses. Angles of limits count at the length of their joint, so that gaps are lengths and velocities
/// speeds.
#[derive(Debug, Clone)]
pub struct Unilateral {
    /// What it stands for.
    pub what: What,
    /// The links it touches; [`WORLD`] where there is none.
    pub links: [usize; 2],
    /// Rows: 1 or 3.
    pub rows: usize,
    /// Wrench on each link per unit impulse of a row, at `z1`.
    pub force: [[Six; 3]; 2],
    /// Derivative of a row's velocity with respect to the motion of each link, at `z2` (1/s).
    pub gradient: [[Six; 3]; 2],
    /// What makes a joint coordinate a length (m): 1, or the length of the joint for an angle.
    pub lever: f64,
    /// Length with which gaps are compared (m).
    pub size: f64,
    /// Speed with which velocities are compared (m/s).
    pub speed: f64,
    /// Effective mass of the normal row (kg).
    pub mass: f64,
    /// Coefficient of friction.
    pub friction: f64,
    /// Speed of separation asked for (m/s).
    pub rebound: f64,
    /// Impulses over the effective mass [m/s]: normal, then tangential.
    pub impulse: [f64; 3],
    /// Velocities: gap at `z2` over the step less the rebound, then slip (m/s).
    pub velocity: [f64; 3],
    /// Velocities without any unilateral constraint; of unilateral constraints at a knot (m/s).
    pub free: [f64; 3],
    /// Gap at `z2` (m).
    pub gap: f64,
    /// Gap that the interval must leave at least (m): zero, or less where the unilateral constraint starts violated, so
    /// that it is put right little by little and not by a leap.
    pub floor: f64,
    /// Part of a violation that the interval is asked to mend (m).
    pub mended: f64,
    /// Gap at `z1` (m).
    pub first: f64,
    /// The velocity of its normal row is what the row at `z1` makes of the motion and of the gap there, instead of the gap at `z2`.
    pub linear: bool,
    /// Velocity by which it gives per unit of each of its impulses, where nothing else has a solution; zero for what is rigid.
    pub gives: f64,
    /// Change of the impulses by the last solve.
    pub change: [f64; 3],
    /// Normal and tangents at `z1`, world frame; for contacts.
    pub axes: [Vec3; 3],
    /// Energy that it took in the interval, by its normal and its tangential impulses, once that was judged (J).
    pub taken: Option<[f64; 2]>,
    /// Normal at `z2` and the middle between the nearest points there, world frame; for contacts.
    pub second: [Vec3; 2],
}

/// Both configurations of an interval, with the laws.
#[derive(Clone, Copy)]
pub struct Scene<'a> {
    /// The mechanism.
    pub model: &'a Model,
    /// Its graph.
    pub topology: &'a Topology,
    /// Its links.
    pub links: &'a Links,
    /// Contact points of the interval, with their gaps at `z1`.
    pub contacts: &'a [Located],
    /// Poses at `z1`.
    pub first: &'a [BodyState],
    /// Unwrapped angles to continue from.
    pub angles: &'a [[f64; 2]],
    /// Lengths of the mechanism and the speed of the interval.
    pub scale: &'a Scale,
    /// Step (s).
    pub dt: f64,
}

/// Two unit vectors that complete a unit normal to a right-handed basis.
pub fn tangents(n: &Vec3) -> [Vec3; 2] {
    // Across the axis that the normal is farthest from.
    let axis = n.iamin();
    let first = n.cross(&Vec3::ith(axis, 1.0)).normalize();
    [first, n.cross(&first)]
}

/// Part of a violation that one interval mends, and the fastest that it does, relative to the speed of a fall from the
/// height of the unilateral constraint's size, or to the speed of the step where that is faster.
const MENDING: (f64, f64) = (0.2, 0.3);

/// The fastest that a violation is mended where nothing falls, in sizes of the unilateral constraint a second: there is no other
/// measure of what is slow.
const WEIGHTLESS: f64 = 0.5;

/// Violations below this are rounding, relative to the size of the unilateral constraint.
const ROUNDING: f64 = 1e-9;

/// Largest violation of a contact law that is left where contacts are solved live, relative to the speed of the step.
pub const LEFT: f64 = 1e-3;

/// What an interval of `dt` mends of a gap (m) of something of a size (m), at the speed of the step, with gravity: rounding
/// at once, and what laws that are solved live leave in an interval, so that it does not add up; else a part at a bounded speed.
pub fn mending(gap: f64, size: f64, speed: f64, gravity: f64, scale: &Scale, dt: f64) -> f64 {
    if gap >= -scale.gap(ROUNDING, size) {
        return (-gap).max(0.0);
    }
    let fall = (gravity * size).sqrt();
    let fastest = if fall > 0.0 {
        MENDING.1 * fall.max(speed)
    } else {
        WEIGHTLESS * size
    };
    let left = LEFT * scale.speed * dt.abs();
    (MENDING.0 * -gap)
        .max(left)
        .min(-gap)
        .min(fastest * dt.abs())
}

pub(super) fn six(force: &Vec3, torque: &Vec3) -> Six {
    [force.x, force.y, force.z, torque.x, torque.y, torque.z]
}

impl Unilateral {
    /// A unilateral constraint at `z1`, without impulse.
    pub fn new(what: What, scene: &Scene) -> Self {
        let mut unilateral = Self::empty(what);
        unilateral.begin(scene);
        unilateral
    }

    /// Takes rows and mass of what it stands for at `z1`, as long as it is [empty](Self::empty).
    pub fn begin(&mut self, scene: &Scene) {
        let what = self.what;
        let gap = match what {
            What::Contact(k) => self.place_contact(&scene.contacts[k], scene),
            _ => {
                let bodies = self.bodies(scene.model);
                self.links = bodies.map(|b| b.map_or(WORLD, |b| scene.topology.links[b.0]));
                let (gap, rows) = Self::stop_rows(what, scene, scene.first);
                self.force = rows;
                gap
            }
        };
        self.lever = lever(what, scene);
        self.size = size(what, scene.model, scene.contacts, scene.scale);
        self.speed = scene.scale.speed;
        self.mass = self.effective_mass(scene.links);
        self.first = gap;
        self.mended = self.mending(gap, scene);
        self.floor = (gap + self.mended).min(0.0);
    }

    /// What is mended by `z2` of a gap at `z1` (m).
    fn mending(&self, gap: f64, scene: &Scene) -> f64 {
        let gravity = scene.model.gravity.norm();
        mending(gap, self.size, self.speed, gravity, scene.scale, scene.dt)
    }

    /// One that stands for something, without rows.
    pub fn empty(what: What) -> Self {
        Self {
            what,
            links: [WORLD; 2],
            rows: 1,
            force: [[[0.0; 6]; 3]; 2],
            gradient: [[[0.0; 6]; 3]; 2],
            lever: 1.0,
            size: 1.0,
            speed: 0.0,
            mass: 1.0,
            friction: 0.0,
            rebound: 0.0,
            impulse: [0.0; 3],
            velocity: [0.0; 3],
            free: [0.0; 3],
            gap: 0.0,
            floor: 0.0,
            mended: 0.0,
            first: 0.0,
            linear: false,
            gives: 0.0,
            change: [0.0; 3],
            axes: [Vec3::zeros(); 3],
            taken: None,
            second: [Vec3::zeros(); 2],
        }
    }

    /// Takes rows and mass of a contact at a knot, as long as it is [empty](Self::empty).
    pub fn begin_at_knot(
        &mut self,
        contact: &ContactState,
        topology: &Topology,
        links: &Links,
        bodies: &[BodyState],
        scale: &Scale,
    ) {
        self.rebound = contact.rebound;
        self.size = scale.smaller(contact.bodies);
        self.speed = scale.speed;
        // What an impact rubs is known when it is complete.
        let friction = if contact.hit { 0.0 } else { contact.friction };
        let surface = (contact.normal, friction);
        self.push_at(&contact.point, surface, contact.bodies, topology, bodies);
        self.mass = self.effective_mass(links);
    }

    /// Fills in the wrenches of forces at a point, along the normal there and, with friction, two tangents.
    fn push_at(
        &mut self,
        point: &Vec3,
        (normal, friction): (Vec3, f64),
        on: [Option<BodyId>; 2],
        topology: &Topology,
        bodies: &[BodyState],
    ) {
        let [t1, t2] = tangents(&normal);
        self.axes = [normal, t1, t2];
        self.friction = friction;
        self.rows = if friction > 0.0 { 3 } else { 1 };
        for (side, sign) in [(0, 1.0), (1, -1.0)] {
            let Some(body) = on[side] else { continue };
            self.links[side] = topology.links[body.0];
            let arm = point - bodies[body.0].position;
            for row in 0..self.rows {
                let push = self.axes[row] * sign;
                self.force[side][row] = six(&push, &arm.cross(&push));
            }
        }
    }

    /// The bodies of a limit: child and parent, or the ends of a cable.
    fn bodies(&self, model: &Model) -> [Option<BodyId>; 2] {
        match self.what {
            What::Contact(_) => [None; 2],
            What::Limit { joint, .. } => {
                let joint = &model.joints[joint];
                [Some(joint.child), joint.parent]
            }
            What::Cable { cable, .. } => model.cables[cable].ends.map(|e| e.body),
        }
    }

    /// Takes the rows of a contact at `z1`; returns its gap there (m).
    fn place_contact(&mut self, contact: &Located, scene: &Scene) -> f64 {
        let gap = &contact.here;
        let surface = (gap.normal, contact.friction);
        let (on, topology) = (contact.bodies, scene.topology);
        // Both bodies feel the force at one point, so that a gap makes no torque out of nothing.
        self.push_at(&gap.middle(), surface, on, topology, scene.first);
        gap.distance
    }

    /// Gap of a limit (m), an angle at the length of its joint, and its gradient by side.
    fn stop_rows(what: What, scene: &Scene, bodies: &[BodyState]) -> (f64, [[Six; 3]; 2]) {
        stop_rows(what, scene.model, bodies, scene.angles, lever(what, scene))
    }

    /// Gap at a configuration (m), an angle at the length of its joint.
    pub fn gap_of(what: What, scene: &Scene, bodies: &[BodyState]) -> f64 {
        match what {
            What::Contact(k) => scene.contacts[k].gap(bodies).distance,
            _ => Self::stop_rows(what, scene, bodies).0,
        }
    }

    /// Moves the unilateral constraint to `z2`: gap, velocities and gradients.
    pub fn advance(&mut self, scene: &Scene, second: &[BodyState]) {
        let over = 1.0 / scene.dt;
        match self.what {
            What::Contact(k) => {
                let contact = &scene.contacts[k];
                let gap = contact.gap(second);
                self.gap = gap.distance;
                self.second = [gap.normal, gap.middle()];
                for (side, sign) in [(0, over), (1, -over)] {
                    let Some(body) = contact.bodies[side] else {
                        continue;
                    };
                    let push = gap.normal * sign;
                    let arm = gap.points[side] - second[body.0].position;
                    self.gradient[side][0] = six(&push, &arm.cross(&push));
                }
            }
            _ => {
                let (gap, rows) = Self::stop_rows(self.what, scene, second);
                self.gap = gap;
                self.gradient = rows.map(|r| r.map(|row| row.map(|x| x * over)));
            }
        }
        self.velocity[0] = match self.linear {
            true => self.approach(scene) + (self.first - self.floor) * over,
            false => (self.gap - self.floor) * over,
        } - self.rebound;
        if let (What::Contact(k), 3) = (self.what, self.rows) {
            self.slide(&scene.contacts[k], scene, second);
        }
    }

    /// Slip at a contact (m/s), with its gradients.
    fn slide(&mut self, contact: &Located, scene: &Scene, second: &[BodyState]) {
        let over = 1.0 / scene.dt;
        self.velocity[1..].fill(0.0);
        for (side, sign) in [(0, 1.0), (1, -1.0)] {
            let (Some(body), link) = (contact.bodies[side], self.links[side]) else {
                continue;
            };
            let link = &scene.links.links[link];
            let (v, turn) = (link.velocity.to3(), Turn::of(link.half_angle_sine.to3()));
            let brought = contact.side(side, [&scene.first[body.0], &second[body.0]], scene.dt);
            for row in 1..3 {
                let along = self.axes[row] * sign;
                let (way, change) = brought.turned(&along, &turn);
                self.velocity[row] += along.dot(&v) + way * over;
                self.gradient[side][row] = six(&(along * over), &(change * over));
            }
        }
    }

    /// Velocity of the normal row as it is at `z1`, with its gradient.
    fn approach(&mut self, scene: &Scene) -> f64 {
        let over = 1.0 / scene.dt;
        let mut sum = 0.0;
        for (side, &link) in self.links.iter().enumerate() {
            if link == WORLD {
                continue;
            }
            let link = &scene.links.links[link];
            let (v, turn) = (link.velocity.to3(), Turn::of(link.half_angle_sine.to3()));
            let [fx, fy, fz, tx, ty, tz] = self.force[side][0];
            let (push, torque) = (Vec3::new(fx, fy, fz), Vec3::new(tx, ty, tz));
            sum += push.dot(&v) + 2.0 * over * torque.dot(&turn.sine);
            self.gradient[side][0] = six(&(push * over), &(turn.changes(&torque) * over));
        }
        sum
    }

    /// Velocities of the rows at the given velocities of links, with the rows at `z1`; those of rows that there are not are
    /// zero.
    pub fn rates(&self, twist: impl Fn(usize) -> Twist) -> [f64; 3] {
        let mut sums = [0.0; 3];
        for (side, &link) in self.links.iter().enumerate() {
            if link != WORLD {
                let Twist {
                    linear: v,
                    angular: w,
                } = twist(link);
                for (sum, force) in sums.iter_mut().zip(&self.force[side][..self.rows]) {
                    let [fx, fy, fz, tx, ty, tz] = force;
                    *sum += fx * v.x + fy * v.y + fz * v.z + tx * w.x + ty * w.y + tz * w.z;
                }
            }
        }
        sums
    }

    /// A speed of the bodies as one of the unilateral constraint's normal row [m/s, rad/s]: that of the same energy,
    /// for the lighter body.
    pub fn pace(&self, links: &Links, speed: f64) -> f64 {
        let there = self.links.iter().filter(|&&link| link != WORLD);
        let masses = there.map(|&link| links.links[link].mass);
        speed * (masses.fold(f64::INFINITY, f64::min) / self.mass).sqrt()
    }

    /// `1/(n M⁻¹ nᵀ)` of the bodies by themselves.
    fn effective_mass(&self, links: &Links) -> f64 {
        let mut sum = 0.0;
        for (side, &link) in self.links.iter().enumerate() {
            if link == WORLD {
                continue;
            }
            let [fx, fy, fz, tx, ty, tz] = self.force[side][0];
            let (push, torque) = (Vec3::new(fx, fy, fz), Vec3::new(tx, ty, tz));
            let turn = links.inverse_inertia(link) * torque;
            sum += push.norm_squared() / links.links[link].mass + torque.dot(&turn);
        }
        if sum > 0.0 { 1.0 / sum } else { 1.0 }
    }
}
