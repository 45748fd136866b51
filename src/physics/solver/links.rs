//! What a step knows of every link: constants, the first configuration `z1`, the second `z2`, and right-hand sides.
//!
//! | symbol | code | unit | frame |
//! |---|---|---|---|
//! | `x` | `centre1`, `centre2` | m | world |
//! | `v` | `velocity` | m/s | world |
//! | `u = dt/2 ω` | `half_angle_sine` | rad | world; the same at both ends of the interval |
//! | `R J Rᵀ` at `z1` | `inertia` (columns) | kg·m² | world |
//! | `x_i - x_parent`, of what hangs on the world `x_i` less its anchor there | `offset1`, `offset2` | m | world |
//! | null space of the joint rows | `columns1` (forces), `columns2` (motions) | m, - | world, at the centre of mass |
//!
//! Vectors fixed to a body that a joint needs at both ends (arms to anchors, joint axes) are `tracked`: once per
//! step they are turned into the world, once per iteration by the interval's rotation.

use super::scale::Scale;
use super::topology::{Topology, WORLD};
use super::turned;
use crate::math::lanes::V4;
use crate::math::{Mat3, Vec3};
use crate::model::{BodyState, JointKind, Model, Twist};

/// A wrench or a motion about a centre of mass: linear and angular part.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Spatial {
    /// Force or displacement.
    pub linear: V4,
    /// Torque or rotation.
    pub angular: V4,
}

impl Spatial {
    /// A motion as a velocity.
    pub fn twist(&self) -> Twist {
        Twist {
            linear: self.linear.to3(),
            angular: self.angular.to3(),
        }
    }
}

/// Joint axes that a kind needs, of the parent's and of the child's frame.
fn needed_axes(kind: JointKind) -> ([bool; 3], [bool; 3]) {
    let mut parent = [false; 3];
    let mut child = [false; 3];
    match kind.constrained_translations() {
        // Held in all directions or in none, any basis serves.
        0 | 3 => {}
        2 => parent[2] = true,
        _ => parent = [true; 3],
    }
    match kind.constrained_rotations() {
        3 => {
            parent[0] = true;
            parent[1] = true;
            child[0] = true;
            child[2] = true;
        }
        2 => {
            parent[2] = true;
            child[2] = true;
        }
        1 => {
            parent[2] = true;
            child[0] = true;
        }
        _ => {}
    }
    (parent, child)
}

/// Place of a vector among the tracked ones that does not exist.
const ABSENT: usize = usize::MAX;

/// One link.
#[derive(Debug, Clone)]
pub struct Link {
    /// Index of the body.
    pub body: usize,
    /// Parent link or [`WORLD`].
    pub parent: usize,
    /// Kind of the tree joint; floating for a free root.
    pub kind: JointKind,
    /// The link is the joint's parent body.
    pub reversed: bool,
    /// Free of all joints, loop constraints and drives: only contact and the mouse can turn it but its own momentum.
    pub alone: bool,
    /// Axis of a [wheel](super::wheels), body axes.
    pub wheel: Option<Vec3>,
    /// Whether a joint, a unilateral constraint or the mouse takes part in this interval.
    pub held: bool,
    /// Goes in which its own momentum turned it in this interval; 0 where something else takes part.
    pub goes: u32,
    /// Sum of the half-angle sines of the goes.
    pub swing: V4,
    /// Has tracked vectors: there is a joint that holds something.
    pub jointed: bool,
    /// Number of free coordinates.
    pub freedoms: usize,
    /// Some link has this one as parent.
    pub has_children: bool,
    /// The first child, in elimination order, of its parent.
    pub opens_parent: bool,
    /// Where the elimination keeps what the children leave.
    pub room: usize,
    /// First of the columns in [`Links::columns1`].
    pub first_column: usize,
    /// Tracked vectors fixed to the link: `own.0..own.1`, the arm to the anchor first.
    pub own: (usize, usize),
    /// Tracked vectors fixed to the parent link or the world, the arm first.
    pub up: (usize, usize),
    /// Tracked places of the axes of the joint's parent frame.
    pub parent_axes: [usize; 3],
    /// Tracked places of the axes of the joint's child frame.
    pub child_axes: [usize; 3],
    /// Mass (kg).
    pub mass: f64,
    /// Radius of gyration (m).
    pub gyration: f64,
    /// One over the length at which torques about the joint count as forces: radius of gyration and arm (1/m).
    pub over_arm: f64,
    /// One over the length with which the gap of the joint is compared (1/m).
    pub over_length: f64,
    /// Where the joint holds on the world [m]: what hangs on the world is placed from there, so that the distance to
    /// the origin makes no rounding.
    pub ground: V4,
    /// Square of the impulse that the link handles in the interval whatever its joint passes on [(N·s)²].
    pub least: f64,
    /// Centre of mass at `z1` and `z2`.
    pub centre1: V4,
    /// Centre of mass at `z2`.
    pub centre2: V4,
    /// Columns of the rotation: body to world at `z1` while placing, then of the interval.
    pub rotation: [V4; 3],
    /// World inertia at `z1`.
    pub inertia: [V4; 3],
    /// Momentum that the interval should have, without tree joints (kg·m/s, kg·m²/s).
    pub target: Spatial,
    /// Velocity of the interval.
    pub velocity: V4,
    /// `dt/2` times the angular velocity of the interval.
    pub half_angle_sine: V4,
    /// Angular momentum of the interval.
    pub angular_momentum: V4,
    /// `x - x_parent` at `z1`, or from the anchor on the world.
    pub offset1: V4,
    /// `x - x_parent` at `z2`.
    pub offset2: V4,
    /// Motion by which the joint is open: `-lift` closes it.
    pub lift: Spatial,
    /// Unbalanced impulse of the link by itself.
    pub rhs: Spatial,
    /// Unbalanced impulse accumulated from the subtree, at the link's centre of mass.
    pub wrench: Spatial,
    /// Motion found by the last solve.
    pub motion: Spatial,
    /// Change of `velocity` and `half_angle_sine` that the last solve asked for.
    pub change: Spatial,
}

impl Link {
    /// World inertia at `z1` (kg·m²).
    pub fn inertia(&self) -> Mat3 {
        let [a, b, c] = &self.inertia;
        Mat3::from_columns(&[a.to3(), b.to3(), c.to3()])
    }
}

/// All links and the arenas they point into.
#[derive(Debug, Clone)]
pub struct Links {
    /// Parents before children.
    pub links: Vec<Link>,
    /// Body inertia by columns, body axes.
    pub inertia_body: Vec<[V4; 3]>,
    /// Tracked vectors in the frame they are fixed to.
    pub local: Vec<V4>,
    /// Tracked vectors at `z1`.
    pub at1: Vec<V4>,
    /// Tracked vectors at `z2`.
    pub at2: Vec<V4>,
    /// Null space of the joint rows at `z1`: directions in which no joint impulse acts.
    pub columns1: Vec<Spatial>,
    /// Null space of the joint rows at `z2`: free motions.
    pub columns2: Vec<Spatial>,
    /// A tree without drives: ball joints are eliminated by their own short way and need no columns.
    pub lean: bool,
    /// Rooms that an elimination needs at a time.
    pub rooms: usize,
    /// Inverse world inertia of every link at `z1`, if they were [found](Self::invert_inertias) where the links are placed.
    inverses: Vec<Mat3>,
}

impl Link {
    /// Leaves its body, which stands at the first knot, at the second: its pose, its velocity in the interval of which one over
    /// the length is given, and its momenta with the `kick` of half of gravity (m/s).
    pub fn leave(&self, body: &mut BodyState, kick: &Vec3, over: f64) {
        let (v, u) = (self.velocity.to3(), self.half_angle_sine.to3());
        body.position = self.centre2.to3();
        body.orientation = turned(&body.orientation, &u);
        let swing = if self.goes > 0 { self.swing.to3() } else { u };
        body.velocity = Twist {
            linear: v,
            angular: swing * (2.0 * over),
        };
        body.momentum = (v + kick) * self.mass;
        // That of a free body is what it had, to the last bit.
        body.angular_momentum = self.angular_momentum.to3();
    }

    /// Kinetic energy in the interval before the first knot, where the body is as `before` says, and twice that of what
    /// forces add to its momentum from there to the interval to come (J).
    ///
    /// A body that nothing but contact turns has the spin of its momentum, of which forces at the knot give half: the
    /// inertia at the knot times the angular velocity of an interval is another as soon as the body turns far in it.
    ///
    /// `inverse` is that of the [inertia](Self::inertia).
    pub fn energies(&self, inverse: &Mat3, before: &BodyState) -> [f64; 2] {
        let Twist { linear, angular } = before.velocity;
        let kick = self.target.linear.to3() - linear * self.mass;
        let (spin, rate, part) = if self.alone {
            let spin = before.angular_momentum;
            (spin, None, 2.0)
        } else {
            (self.inertia() * angular, Some(angular), 1.0)
        };
        let turn = (self.target.angular.to3() - spin) * part;
        let rate = rate.unwrap_or_else(|| inverse * spin);
        [
            0.5 * (self.mass * linear.norm_squared() + rate.dot(&spin)),
            kick.norm_squared() / self.mass + turn.dot(&(inverse * turn)),
        ]
    }

    /// Velocity along a wrench per unit impulse of it, the body free, with the inertia at `z1` (1/kg, 1/(kg·m²)).
    pub fn mobility(&self, [fx, fy, fz, tx, ty, tz]: &[f64; 6]) -> f64 {
        let (force, torque) = (Vec3::new(*fx, *fy, *fz), Vec3::new(*tx, *ty, *tz));
        force.norm_squared() / self.mass + torque.dot(&(self.inverse_inertia() * torque))
    }

    /// Inverse of the [inertia](Self::inertia) [1/(kg·m²)].
    fn inverse_inertia(&self) -> Mat3 {
        // A body's inertia is positive definite: the model is checked.
        self.inertia().try_inverse().unwrap_or_default()
    }
}

impl Links {
    /// Gathers the constants of a model.
    pub fn new(model: &Model, topology: &Topology, scale: &Scale) -> Self {
        let mut all = Self {
            links: Vec::with_capacity(topology.bodies.len()),
            inertia_body: Vec::new(),
            local: Vec::new(),
            at1: Vec::new(),
            at2: Vec::new(),
            columns1: Vec::new(),
            columns2: Vec::new(),
            lean: false,
            rooms: 0,
            inverses: Vec::new(),
        };
        for link in 0..topology.bodies.len() {
            all.push(model, topology, scale, link);
        }
        all.arrange();
        all.at1 = all.local.clone();
        all.at2 = all.local.clone();
        all
    }

    /// Finds the inverse inertias of all links, to be read more than once where these are placed.
    pub fn invert_inertias(&mut self) {
        self.inverses.clear();
        self.inverses
            .extend(self.links.iter().map(Link::inverse_inertia));
    }

    /// Forgets them: the links are placed elsewhere.
    pub fn forget_inverses(&mut self) {
        self.inverses.clear();
    }

    /// Inverse world inertia of a link at `z1` [1/(kg·m²)].
    pub fn inverse_inertia(&self, link: usize) -> Mat3 {
        let found = self.inverses.get(link).copied();
        found.unwrap_or_else(|| self.links[link].inverse_inertia())
    }

    /// Says which link opens its parent's account, and shares out the rooms for it: a room is free again once its
    /// link is eliminated, so that a chain of any length needs one and stays in the processor's cache.
    fn arrange(&mut self) {
        let mut opened = vec![false; self.links.len()];
        let mut free = Vec::new();
        for link in (0..self.links.len()).rev() {
            if self.links[link].has_children {
                free.push(self.links[link].room);
            }
            let parent = self.links[link].parent;
            if parent == WORLD || std::mem::replace(&mut opened[parent], true) {
                continue;
            }
            self.links[link].opens_parent = true;
            self.links[parent].has_children = true;
            self.links[parent].room = free.pop().unwrap_or_else(|| {
                self.rooms += 1;
                self.rooms - 1
            });
        }
    }

    /// Arm from the centre of mass of link `i` to its joint's child anchor at `z1` (m); zero without a joint.
    pub fn anchor_arm(&self, i: usize) -> crate::math::Vec3 {
        let link = &self.links[i];
        match (link.jointed, link.reversed) {
            (false, _) => crate::math::Vec3::zeros(),
            (true, false) => self.at1[link.own.0].to3(),
            (true, true) => self.at1[link.up.0].to3() - link.offset1.to3(),
        }
    }

    fn push(&mut self, model: &Model, topology: &Topology, scale: &Scale, link: usize) {
        let body = topology.bodies[link];
        let tree = topology.joints[link];
        let joint = tree.map(|t| &model.joints[t.joint]);
        let kind = joint.map_or(JointKind::Floating, |j| j.kind);
        let reversed = tree.is_some_and(|t| t.reversed);
        let jointed = kind.constraints() > 0;
        let mut entry = Link {
            body,
            parent: topology.parents[link],
            kind,
            reversed,
            alone: false,
            wheel: None,
            held: true,
            goes: 0,
            swing: V4::ZERO,
            jointed,
            freedoms: kind.freedoms(),
            has_children: false,
            opens_parent: false,
            room: 0,
            first_column: self.columns1.len(),
            own: (self.local.len(), self.local.len()),
            up: (self.local.len(), self.local.len()),
            parent_axes: [ABSENT; 3],
            child_axes: [ABSENT; 3],
            mass: model.bodies[body].mass,
            gyration: model.bodies[body].gyration(),
            over_arm: 0.0,
            over_length: 0.0,
            ground: V4::ZERO,
            least: 0.0,
            centre1: V4::ZERO,
            centre2: V4::ZERO,
            rotation: [V4::ZERO; 3],
            inertia: [V4::ZERO; 3],
            target: Spatial::default(),
            velocity: V4::ZERO,
            half_angle_sine: V4::ZERO,
            angular_momentum: V4::ZERO,
            offset1: V4::ZERO,
            offset2: V4::ZERO,
            lift: Spatial::default(),
            rhs: Spatial::default(),
            wrench: Spatial::default(),
            motion: Spatial::default(),
            change: Spatial::default(),
        };
        let mut arm = 0.0;
        if let (Some(joint), true) = (joint, jointed) {
            entry.over_length = 1.0 / scale.joint(tree.map_or(0, |t| t.joint));
            let (parent_axes, child_axes) = needed_axes(kind);
            let sides = [
                (&joint.parent_frame, parent_axes),
                (&joint.child_frame, child_axes),
            ];
            // The link's own side first, then the side fixed to its parent link.
            for own in [true, false] {
                let child_side = own != reversed;
                let (frame, needed) = sides[usize::from(child_side)];
                let first = self.local.len();
                if own {
                    arm = frame.anchor.norm();
                }
                if own || entry.parent != WORLD {
                    self.local.push(V4::from3(&frame.anchor));
                } else {
                    entry.ground = V4::from3(&frame.anchor);
                    self.local.push(V4::ZERO);
                }
                for k in (0..3).filter(|&k| needed[k]) {
                    let slots = if child_side {
                        &mut entry.child_axes
                    } else {
                        &mut entry.parent_axes
                    };
                    slots[k] = self.local.len();
                    self.local.push(V4::from3(
                        &(frame.orientation * crate::math::Vec3::ith(k, 1.0)),
                    ));
                }
                *(if own { &mut entry.own } else { &mut entry.up }) = (first, self.local.len());
            }
        }
        entry.over_arm = 1.0 / entry.gyration.hypot(arm);
        let columns = self.columns1.len() + entry.freedoms;
        self.columns1.resize(columns, Spatial::default());
        self.columns2.resize(columns, Spatial::default());
        let inertia = &model.bodies[body].inertia;
        self.inertia_body.push(std::array::from_fn(|k| {
            V4::from3(&inertia.column(k).into_owned())
        }));
        self.links.push(entry);
    }
}
