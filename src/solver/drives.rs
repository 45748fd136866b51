//! Damping and PD drives of joint coordinates, evaluated inside an implicit step.
//!
//! Over an interval the coordinate goes from `q1` to `q2`, its rate is `(q2 - q1)/dt`, and the law acts at
//! `q1 + blend (q2 - q1)`. `share · dt` is the part of its impulse that belongs to the first knot.

use super::elimination::Elimination;
use super::fronts::Six;
use super::links::Links;
use super::near::Poses;
use super::topology::{LoopConstraintKind, Topology};
use crate::forces;
use crate::joints::{self, Placement, Row, row_on};
use crate::math::{Mat3, Vec3};
use crate::model::{BodyState, Joint, Model};

/// How an interval is discretised.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Interval {
    /// Length [s], negative for a backward step.
    pub dt: f64,
    /// Time at its start [s].
    pub time: f64,
    /// Part of a velocity-dependent impulse that acts at the first knot; the rest acts at the second.
    pub share: f64,
    /// Where between the knots (0 to 1) laws of position are evaluated.
    pub blend: f64,
}

/// One driven or damped coordinate.
#[derive(Debug, Clone)]
pub struct Drive {
    /// The joint.
    pub joint: usize,
    /// Its coordinate.
    pub coordinate: usize,
    /// Link of the tree joint, or loop constraint.
    pub place: Place,
    /// Wrench per unit force on the child at `z1`.
    pub row: Row,
    /// Coordinate at `z1` [m, rad].
    pub start: f64,
    /// Rotation of the child in the parent's joint axes at `z1`.
    pub relative: Mat3,
    /// Whole impulse over the interval [N·s, N·m·s].
    pub impulse: f64,
    /// Minus the derivative of the impulse at the first knot with respect to the coordinate at `z2`.
    pub slope: f64,
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
    let drive = |joint, coordinate, place| Drive {
        joint,
        coordinate,
        place,
        row: Row::default(),
        start: 0.0,
        relative: Mat3::identity(),
        impulse: 0.0,
        slope: 0.0,
    };
    let tree = topology
        .joints
        .iter()
        .enumerate()
        .filter_map(|(link, t)| Some((link, t.as_ref()?.joint)));
    let in_tree = tree.flat_map(|(link, j)| {
        let joint = &model.joints[j];
        (0..joint.kind.freedoms())
            .filter(move |&c| forces::has_law(joint, c))
            .map(move |c| drive(j, c, Place::Tree(link)))
    });
    let closed = topology
        .loop_constraints
        .iter()
        .enumerate()
        .filter_map(|(k, c)| match c.kind {
            LoopConstraintKind::Law { joint, coordinate } => {
                Some(drive(joint, coordinate, Place::LoopConstraint(k)))
            }
            _ => None,
        });
    in_tree.chain(closed).collect()
}

impl Drive {
    /// Takes the first knot.
    pub fn begin(&mut self, joint: &Joint, at: &Placement, reference: [f64; 2]) {
        self.row = joints::rate_row(joint.kind, at, self.coordinate);
        self.start = joints::coordinates(joint.kind, at, reference)[self.coordinate];
        self.relative = joints::relative_rotation(at);
    }

    /// Evaluates the law with the second knot; returns the row there.
    pub fn evaluate(
        &mut self,
        joint: &Joint,
        at: &Placement,
        reference: [f64; 2],
        interval: &Interval,
    ) -> Row {
        let end = joints::coordinates(joint.kind, at, reference)[self.coordinate];
        let first = joint.kind.free_translations();
        let travel = if joint.kind.free_rotations() == 3 && self.coordinate >= first {
            // The law's rate is an angular velocity, not the derivative of the rotation vector.
            let turn = joints::turn_between(&self.relative, &joints::relative_rotation(at));
            turn[self.coordinate - first]
        } else {
            end - self.start
        };
        let Interval {
            dt,
            time,
            share,
            blend,
        } = *interval;
        let law = forces::joint_law(
            joint,
            self.coordinate,
            self.start + blend * (end - self.start),
            travel / dt,
            time + blend * dt,
        );
        self.impulse = dt * law.force;
        self.slope = -share * (dt * blend * law.d_coordinate + law.d_rate);
        joints::rate_row(joint.kind, at, self.coordinate)
    }
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
        let impulse = interval.share * drive.impulse;
        for k in 0..link.freedoms {
            let lever = project(&row1, &links.columns1[link.first_column + k]);
            elimination.push[link.first_column + k] += lever * impulse;
            for j in 0..link.freedoms {
                let travel = project(&row2, &links.columns2[link.first_column + j]);
                elimination.stiffness[6 * link.first_column + link.freedoms * k + j] +=
                    lever * drive.slope * travel;
            }
        }
    }
}

/// Takes the drives of the tree, whose links carry them along with the constraints, out of the reactions: `rate` of their
/// impulses are forces at the first knot [1/s].
pub fn leave_out(drives: &[Drive], links: &Links, reactions: &mut [Row], rate: f64) {
    for drive in drives {
        match drive.place {
            Place::Tree(link) if links.links[link].jointed => {
                let reaction = &mut reactions[drive.joint];
                reaction.force -= drive.row.force * (rate * drive.impulse);
                reaction.torque -= drive.row.torque * (rate * drive.impulse);
            }
            _ => {}
        }
    }
}

/// Adds `part` of every drive's impulse to the momenta at the second knot.
pub fn deposit(drives: &[Drive], model: &Model, bodies: &mut [BodyState], part: f64) {
    for drive in drives {
        let joint = &model.joints[drive.joint];
        let at = Placement::of(joint, bodies);
        let row = joints::rate_row(joint.kind, &at, drive.coordinate);
        let impulse = part * drive.impulse;
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
