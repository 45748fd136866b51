//! Damping, PD drives and stiff springs of joint coordinates, evaluated inside an implicit step.
//!
//! Over an interval the coordinate goes from `q1` to `q2`, its rate is `(q2 - q1)/dt`, and damping and drives act at
//! `q1 + blend (q2 - q1)`. `share · dt` is the part of their impulse that belongs to the first knot. A stiff spring acts at
//! the middle, and each knot has half of its impulse: that is the discrete Lagrangian `dt V((q1 + q2)/2)`, which keeps
//! energy at every stiffness.
//!
//! The impulse is an unknown beside the motion and the law an equation. The motions that Newton's method goes through are
//! those it would go through with the impulse evaluated from the travel, but a travel is known to the rounding of the coordinate,
//! and a stiff law makes large impulses of that, although the balance of the bodies says exactly what the impulse is. It also
//! says which piece of its law a drive with a limit is on: where the force is at its limit nothing in the linear system says
//! that it would let go, and decided by the motion reached Newton's method goes to and fro between the two limits.

use super::elimination::Elimination;
use super::fronts::Six;
use super::links::Links;
use super::near::Poses;
use super::topology::{LoopConstraintKind, Topology, WORLD};
use crate::forces::{self, JointLaw};
use crate::joints::{self, Placement, Row, Stretch, row_on};
use crate::math::{Mat3, Vec3};
use crate::model::{BodyId, BodyState, Joint, JointSpring, Model, State};

/// How an interval is discretised.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Interval {
    /// Length (s), negative for a backward step.
    pub dt: f64,
    /// Time at its start (s).
    pub time: f64,
    /// Part of a velocity-dependent impulse that acts at the first knot; the rest acts at the second.
    pub share: f64,
    /// Where between the knots (0 to 1) laws of position are evaluated.
    pub blend: f64,
}

/// What acts on a coordinate.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum DriveLaw {
    /// Damping and PD drives, along the coordinate's rate.
    Rate,
    /// A stiff spring, along the coordinate's gradient.
    Spring(JointSpring),
}

impl DriveLaw {
    /// A spring of a joint, with its coordinate.
    fn spring(joint: &Joint, spring: usize) -> (usize, Self) {
        let spring = joint.springs[spring];
        (spring.coordinate, Self::Spring(spring))
    }
}

/// Child and parent of a joint.
fn ends_of(joint: &Joint) -> [Option<BodyId>; 2] {
    [Some(joint.child), joint.parent]
}

/// One coordinate that is driven, damped or held by a stiff spring.
#[derive(Debug, Clone)]
pub struct Drive {
    /// The joint.
    pub joint: usize,
    /// Its coordinate.
    pub coordinate: usize,
    /// What acts on it.
    pub law: DriveLaw,
    /// Link of the tree joint, or loop constraint.
    pub place: Place,
    /// Links of the child and of the parent.
    links: [usize; 2],
    /// Wrench per unit force on the child at `z1`.
    pub row: Row,
    /// Coordinate at `z1`, of a spring less its rest (m, rad).
    pub start: f64,
    /// All coordinates of the joint at `z1` (m, rad).
    pub from: [f64; 6],
    /// Rotation of the child in the parent's joint axes at `z1`.
    pub relative: Mat3,
    /// That of a spring from where it rests, as a vector (rad).
    pub turn: Vec3,
    /// Impulse at the first knot (N·s, N·m·s), an unknown that is found with the motion.
    pub impulse: f64,
    /// What the law says of it.
    pub asked: f64,
    /// Its last change.
    change: f64,
    /// The impulse at the second knot over it.
    ratio: f64,
    /// Minus the derivative of what the law says with respect to the coordinate at `z2`.
    pub slope: f64,
    /// Change of the coordinate by the step per unit of impulse at the first knot, were both bodies free.
    free: f64,
    /// Gradients of the coordinate at `z2`, on the child and on the parent, and by the free coordinates of the link.
    gradient: [Six; 2],
    travel: [f64; 6],
}

/// Where a drive enters the system.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// Added to the pivot of this link.
    Tree(usize),
    /// Row of this loop constraint.
    LoopConstraint(usize),
}

/// All drives of a mechanism.
pub fn collect(model: &Model, topology: &Topology) -> Vec<Drive> {
    let drive = |joint, (coordinate, law), place| Drive {
        joint,
        coordinate,
        law,
        place,
        links: ends_of(&model.joints[joint]).map(|b| b.map_or(WORLD, |b| topology.links[b.0])),
        row: Row::default(),
        start: 0.0,
        from: [0.0; 6],
        relative: Mat3::identity(),
        turn: Vec3::zeros(),
        impulse: 0.0,
        asked: 0.0,
        change: 0.0,
        ratio: 0.0,
        slope: 0.0,
        free: 0.0,
        gradient: [[0.0; 6]; 2],
        travel: [0.0; 6],
    };
    let tree = topology
        .joints
        .iter()
        .enumerate()
        .filter_map(|(link, t)| Some((link, t.as_ref()?.joint)));
    let in_tree = tree.flat_map(|(link, j)| {
        let joint = &model.joints[j];
        let laws = (0..joint.kind.freedoms())
            .filter(move |&c| forces::has_law(joint, c))
            .map(|c| (c, DriveLaw::Rate));
        let springs = topology.stiff.of_joint(j);
        laws.chain(springs.map(move |k| DriveLaw::spring(joint, k)))
            .map(move |what| drive(j, what, Place::Tree(link)))
    });
    let closed = topology
        .loop_constraints
        .iter()
        .enumerate()
        .filter_map(|(k, c)| match c.kind {
            LoopConstraintKind::Law { joint, coordinate } => {
                let what = (coordinate, DriveLaw::Rate);
                Some(drive(joint, what, Place::LoopConstraint(k)))
            }
            LoopConstraintKind::Spring { joint, spring } => {
                let what = DriveLaw::spring(&model.joints[joint], spring);
                Some(drive(joint, what, Place::LoopConstraint(k)))
            }
            _ => None,
        });
    in_tree.chain(closed).collect()
}

/// Takes the first knot of a step of `dt` (s).
pub fn begin(drives: &mut [Drive], model: &Model, state: &State, links: &Links, dt: f64) {
    for drive in drives {
        let joint = &model.joints[drive.joint];
        let at = Placement::of(joint, &state.bodies);
        drive.begin(joint, &at, state.angles[drive.joint]);
        drive.weigh(&at, links, dt);
    }
}

impl Drive {
    /// Takes the first knot.
    fn begin(&mut self, joint: &Joint, at: &Placement, reference: [f64; 2]) {
        match &self.law {
            DriveLaw::Rate => {
                self.from = joints::coordinates(joint.kind, at, reference);
                self.start = self.from[self.coordinate];
                self.relative = joints::relative_rotation(at);
            }
            DriveLaw::Spring(spring) => {
                let stretch = Stretch::of(joint.kind, spring, at, reference);
                (self.start, self.turn) = (stretch.value, stretch.turn());
            }
        }
        self.row = self.row_at(joint, at);
        self.restart();
    }

    /// Sets out again without an impulse.
    pub fn restart(&mut self) {
        (self.impulse, self.change) = (0.0, 0.0);
    }

    /// Takes how far its bodies would follow it over a step of `dt` (s) were they free.
    fn weigh(&mut self, at: &Placement, links: &Links, dt: f64) {
        let ends = self.links.iter().zip([true, false]);
        let moved = ends.filter(|(link, _)| **link != WORLD);
        let mobility =
            moved.map(|(&l, child)| links.links[l].mobility(&row_on(&self.row, at, child)));
        self.free = dt * mobility.sum::<f64>();
    }

    /// What the law says of its impulse beside it, once the bodies have moved by that.
    pub fn error(&self) -> f64 {
        (self.asked - self.impulse) / (1.0 + stiffness(self.slope, self.free))
    }

    /// Changes the impulse by what a motion of the coordinate says, which is a fraction of the linear system's solution.
    fn follow(&mut self, moved: f64, fraction: f64) {
        self.change = fraction * (self.asked - self.impulse) - self.slope * moved;
        self.impulse += self.change;
    }

    /// Takes back part of the last change of the impulse.
    pub fn backtrack(&mut self, fraction: f64) {
        self.impulse -= fraction * self.change;
    }

    /// Wrench per unit force on the child, of a spring on the branch of the rotation that is nearest to that at `z1`.
    pub fn row_at(&self, joint: &Joint, at: &Placement) -> Row {
        match &self.law {
            DriveLaw::Rate => joints::rate_row(joint.kind, at, self.coordinate),
            DriveLaw::Spring(spring) => {
                // Full turns of an angle do not change its gradient.
                let stretch = Stretch::of(joint.kind, spring, at, [0.0; 2]);
                stretch.near(&self.turn).row()
            }
        }
    }

    /// Evaluates the law with the second knot; returns the row there.
    pub fn evaluate(
        &mut self,
        joint: &Joint,
        at: &Placement,
        reference: [f64; 2],
        interval: &Interval,
    ) -> Row {
        match &self.law {
            DriveLaw::Rate => {
                let end = joints::coordinates_from(joint.kind, at, reference, &self.from);
                let end = end[self.coordinate];
                self.drive(joint, at, end, interval);
                joints::rate_row(joint.kind, at, self.coordinate)
            }
            DriveLaw::Spring(spring) => {
                let stretch = Stretch::of(joint.kind, spring, at, reference).near(&self.turn);
                let half = 0.5 * interval.dt * spring.stiffness;
                self.asked = -half * 0.5 * (self.start + stretch.value);
                (self.slope, self.ratio) = (0.5 * half, 1.0);
                stretch.row()
            }
        }
    }

    /// Damping and PD drives with the coordinate at the second knot.
    fn drive(&mut self, joint: &Joint, at: &Placement, end: f64, interval: &Interval) {
        let first = joint.kind.free_translations();
        let travel = if joint.kind.free_rotations() == 3 && self.coordinate >= first {
            // The law's rate is an angular velocity, not the derivative of the rotation vector.
            let turn = joints::turn_between(&self.relative, &joints::relative_rotation(at));
            turn[self.coordinate - first]
        } else {
            end - self.start
        };
        let course = Course {
            start: self.start,
            change: end - self.start,
            travel,
            impulse: self.impulse,
            free: self.free,
        };
        (self.asked, self.slope) = course.law(joint, self.coordinate, interval);
        self.ratio = (1.0 - interval.share) / interval.share;
    }
}

/// How a driven coordinate goes through an interval, as far as it is known.
#[derive(Debug, Clone, Copy)]
pub struct Course {
    /// Coordinate at the first knot (m, rad).
    pub start: f64,
    /// Its change (m, rad).
    pub change: f64,
    /// What is over the interval its rate (m, rad): of a free rotation not its change.
    pub travel: f64,
    /// Impulse at the first knot found so far (N·s, N·m·s).
    pub impulse: f64,
    /// Travel that a unit of it gives free bodies.
    pub free: f64,
}

impl Course {
    /// Impulse at the first knot that damping and PD drives ask for, and minus its derivative with respect to the coordinate
    /// at the second. Which drives are at their limits is decided by where the impulse found so far goes.
    pub fn law(&self, joint: &Joint, coordinate: usize, interval: &Interval) -> (f64, f64) {
        let Interval {
            dt,
            time,
            share,
            blend,
        } = *interval;
        let slope = |law: &JointLaw| -share * (dt * blend * law.d_coordinate + law.d_rate);
        let now = [self.start + blend * self.change, self.travel / dt];
        let time = time + blend * dt;
        let law = forces::joint_law_towards(joint, coordinate, now, time, |open| {
            // What the travel would still change by, were the bodies free and the drive without a limit.
            let missing = share * dt * open.force - self.impulse;
            let left = self.free * missing / (1.0 + stiffness(slope(open), self.free));
            [blend * left, left / dt]
        });
        (share * dt * law.force, slope(&law))
    }
}

/// What an impulse of a slope changes by when it moves free bodies, over what moved them: `dt c µ` of a damper.
fn stiffness(slope: f64, free: f64) -> f64 {
    (slope * free).abs()
}

/// Both ends of an interval.
pub struct Knots<'a> {
    /// Poses at the first knot.
    pub first: &'a [BodyState],
    /// Poses at the second knot.
    pub second: Poses<'a>,
    /// Unwrapped angles to continue from.
    pub angles: &'a [[f64; 2]],
}

/// Adds the tree's drives to the pivots: generalised impulses and what they change with the motion.
pub fn load_tree(
    drives: &mut [Drive],
    model: &Model,
    links: &Links,
    knots: &Knots,
    interval: &Interval,
    elimination: &mut Elimination,
) {
    elimination.push.fill(0.0);
    elimination.held.fill(0.0);
    elimination.stiffness.fill(0.0);
    for drive in drives {
        let Place::Tree(index) = drive.place else {
            continue;
        };
        let link = &links.links[index];
        let joint = &model.joints[drive.joint];
        let at1 = Placement::of(joint, knots.first);
        let at2 = Placement::about(joint, knots.second.bodies, &knots.second.origin);
        let end = drive.evaluate(joint, &at2, knots.angles[drive.joint], interval);
        let row2 = row_on(&end, &at2, !link.reversed);
        let row1 = row_on(&drive.row, &at1, !link.reversed);
        drive.gradient = [true, false].map(|child| row_on(&end, &at2, child));
        for k in 0..link.freedoms {
            let lever = project(&row1, &links.columns1[link.first_column + k]);
            drive.travel[k] = project(&row2, &links.columns2[link.first_column + k]);
            elimination.push[link.first_column + k] += lever * drive.asked;
            elimination.held[link.first_column + k] += lever * drive.impulse;
            for j in 0..link.freedoms {
                let travel = project(&row2, &links.columns2[link.first_column + j]);
                elimination.stiffness[6 * link.first_column + link.freedoms * k + j] +=
                    lever * drive.slope * travel;
            }
        }
    }
}

/// Changes the impulses of the tree's drives by the free coordinates that the last elimination found.
pub fn follow(drives: &mut [Drive], links: &Links, elimination: &Elimination) {
    for drive in drives {
        let Place::Tree(index) = drive.place else {
            continue;
        };
        let link = &links.links[index];
        let found = &elimination.found[link.first_column..link.first_column + link.freedoms];
        let moved = found.iter().zip(&drive.travel).map(|(y, by)| y * by).sum();
        drive.follow(moved, 1.0);
    }
}

/// The same by the motions of the links, a fraction of those that were found by other means.
pub fn follow_motions(drives: &mut [Drive], links: &Links, fraction: f64) {
    for drive in drives {
        if !matches!(drive.place, Place::Tree(_)) {
            continue;
        }
        let ends = drive.links.iter().zip(&drive.gradient);
        let moved = ends.filter(|(link, _)| **link != WORLD);
        let moved = moved.map(|(&l, gradient)| project(gradient, &links.links[l].motion));
        let moved = moved.sum();
        drive.follow(moved, fraction);
    }
}

/// Takes the drives of the tree, whose links carry them along with the constraints, out of the reactions, `over` times
/// impulses at the first knot (1/s).
pub fn leave_out(drives: &[Drive], links: &Links, reactions: &mut [Row], over: f64) {
    for drive in drives {
        match drive.place {
            Place::Tree(link) if links.links[link].jointed => {
                let reaction = &mut reactions[drive.joint];
                reaction.force -= drive.row.force * (over * drive.impulse);
                reaction.torque -= drive.row.torque * (over * drive.impulse);
            }
            _ => {}
        }
    }
}

/// Adds the drives' impulses at the second knot to the momenta there; `of_loop` is the impulse found at the first knot
/// for a loop constraint.
pub fn deposit(
    drives: &[Drive],
    model: &Model,
    bodies: &mut [BodyState],
    of_loop: impl Fn(usize) -> f64,
) {
    for drive in drives {
        let first = match drive.place {
            Place::LoopConstraint(c) => of_loop(c),
            Place::Tree(_) => drive.impulse,
        };
        let impulse = first * drive.ratio;
        if impulse == 0.0 {
            continue;
        }
        let joint = &model.joints[drive.joint];
        let at = Placement::of(joint, bodies);
        let row = drive.row_at(joint, &at);
        push_momentum(
            &mut bodies[joint.child.0],
            &row_on(&row, &at, true),
            impulse,
        );
        if let Some(parent) = joint.parent {
            push_momentum(&mut bodies[parent.0], &row_on(&row, &at, false), impulse);
        }
    }
}

/// Adds a wrench impulse to a body's momentum.
pub fn push_momentum(body: &mut BodyState, row: &Six, impulse: f64) {
    let [fx, fy, fz, tx, ty, tz] = *row;
    body.momentum += Vec3::new(fx, fy, fz) * impulse;
    body.angular_momentum += Vec3::new(tx, ty, tz) * impulse;
}

fn project(row: &Six, column: &super::links::Spatial) -> f64 {
    super::fronts::six(column)
        .iter()
        .zip(row)
        .map(|(a, b)| a * b)
        .sum()
}
