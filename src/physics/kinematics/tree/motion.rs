//! Forward kinematics of a tree: poses, velocities, motion subspaces, Jacobians and their derivatives
//! [Featherstone2008 ch. 4, 5].
//!
//! | symbol | code | unit | frame |
//! |---|---|---|---|
//! | `V_i = X V_p + S_i v_i` | `twists` | m/s, rad/s | world, at the centre of mass |
//! | `S_i`, 6 × freedoms | `columns` | -, m | world, at the link's centre of mass |
//! | `Ṡ_i` | `column_rates` | 1/s, m/s | likewise |
//! | `J̇_i v = X J̇_p v + (ω_p × (ẋ_i - ẋ_p), 0) + Ṡ_i v_i` | `biases` | m/s², rad/s² | likewise |
//!
//! `X` shifts a motion of the parent link to the link's centre of mass, `(a + α × (x_i - x_p), α)`. All recursions
//! run once over the links, parents first (or last, for forces).

use super::articulated::power;
use super::{Tree, TreeLink};
use crate::forces::Wrench;
use crate::math::{Mat3, Quat, Vec3};
use crate::model::{BodyState, Row, Twist};

/// The world as a link: it does not move.
const STILL: Twist = Twist {
    linear: Vec3::new(0.0, 0.0, 0.0),
    angular: Vec3::new(0.0, 0.0, 0.0),
};

/// Where a link's joint is, world axes.
#[derive(Debug, Clone, Copy, Default)]
pub struct JointPlace {
    /// Axes of the joint's parent frame as columns.
    pub axes: Mat3,
    /// The x axis of the joint's child frame.
    pub cross: Vec3,
    /// From the child's centre of mass to its anchor (m).
    child_arm: Vec3,
    /// From the joint's child anchor to the link's centre of mass (m).
    pub arm: Vec3,
}

/// The motion of a [`Tree`], all quantities by link; sized once, never grown.
#[derive(Debug, Clone)]
pub struct TreeMotion {
    positions: Vec<Vec3>,
    orientations: Vec<Quat>,
    twists: Vec<Twist>,
    biases: Vec<Twist>,
    places: Vec<JointPlace>,
    arms: Vec<Vec3>,
    columns: Vec<Twist>,
    column_rates: Vec<Twist>,
    /// Wrenches gathered from the leaves.
    gathered: Vec<Wrench>,
    gathered_rates: Vec<Wrench>,
}

impl TreeMotion {
    /// Workspace for a tree.
    pub fn new(tree: &Tree) -> Self {
        let links = tree.links.len();
        Self {
            positions: vec![Vec3::zeros(); links],
            orientations: vec![Quat::identity(); links],
            twists: vec![STILL; links],
            biases: vec![STILL; links],
            places: vec![JointPlace::default(); links],
            arms: vec![Vec3::zeros(); links],
            columns: vec![STILL; tree.freedoms],
            column_rates: vec![STILL; tree.freedoms],
            gathered: vec![Wrench::default(); links],
            gathered_rates: vec![Wrench::default(); links],
        }
    }

    /// Puts the links where the coordinates `q` say, at rest.
    pub fn place(&mut self, tree: &Tree, q: &[f64]) {
        for (i, link) in tree.links.iter().enumerate() {
            let (centre, turn) = match tree.up(i) {
                Some(up) => (self.positions[up], self.orientations[up]),
                None => (Vec3::zeros(), Quat::identity()),
            };
            let (to, from) = (&link.parent_frame, &link.child_frame);
            let (relative, slide) = (link.turn(q), link.slide(q));
            let place = &mut self.places[i];
            let (axes, child_axes, anchor);
            if link.reversed() {
                // The parent link is the joint's child: from its frame back to the joint's parent.
                child_axes = turn * from.orientation;
                anchor = centre + turn * from.anchor;
                axes = child_axes * relative.inverse();
                self.orientations[i] = axes * to.orientation.inverse();
                let origin = anchor - axes * slide;
                self.positions[i] = origin - self.orientations[i] * to.anchor;
                place.child_arm = anchor - centre;
            } else {
                axes = turn * to.orientation;
                anchor = centre + turn * to.anchor + axes * slide;
                child_axes = axes * relative;
                self.orientations[i] = child_axes * from.orientation.inverse();
                place.child_arm = self.orientations[i] * from.anchor;
                self.positions[i] = anchor - place.child_arm;
            }
            place.axes = axes.to_rotation_matrix().into_inner();
            place.cross = child_axes * Vec3::x();
            place.arm = self.positions[i] - anchor;
            self.arms[i] = match tree.up(i) {
                Some(_) => self.positions[i] - centre,
                None => Vec3::zeros(),
            };
            self.twists[i] = STILL;
            let sign = sign(link);
            for (k, slot) in self.columns[link.velocities()].iter_mut().enumerate() {
                *slot = match axis(link, k, place) {
                    Axis::Slide(t) => Twist {
                        linear: t * sign,
                        angular: Vec3::zeros(),
                    },
                    Axis::Turn(a) => Twist {
                        linear: a.cross(&place.arm) * sign,
                        angular: a * sign,
                    },
                };
            }
        }
        self.column_rates.fill(STILL);
        self.biases.fill(STILL);
    }

    /// Moves the links, where [`place`](Self::place) has put them, with the generalised velocities `v`.
    pub fn drive(&mut self, tree: &Tree, v: &[f64]) {
        for (i, link) in tree.links.iter().enumerate() {
            let up = tree.up(i);
            let above = up.map_or(STILL, |up| self.twists[up]);
            let mut twist = self.carried(up, i, &above);
            for k in link.velocities() {
                add(&mut twist, &self.columns[k], v[k]);
            }
            self.twists[i] = twist;
            // Of the joint's parent and child one is the link, the other its parent link.
            let (parent, child, centre) = if link.reversed() {
                (twist, above, above.linear)
            } else {
                (above, twist, twist.linear)
            };
            let place = &self.places[i];
            let anchor = centre + child.angular.cross(&place.child_arm);
            let arm_rate = twist.linear - anchor;
            let sign = sign(link);
            let mut bias = self.carried(up, i, &up.map_or(STILL, |up| self.biases[up]));
            bias.linear += above.angular.cross(&(twist.linear - above.linear));
            for (k, at) in link.velocities().enumerate() {
                let rate = match axis(link, k, place) {
                    Axis::Slide(t) => Twist {
                        linear: parent.angular.cross(&t) * sign,
                        angular: Vec3::zeros(),
                    },
                    Axis::Turn(a) => {
                        let carrier = if is_cross(link, k) { &child } else { &parent };
                        let a_rate = carrier.angular.cross(&a);
                        Twist {
                            linear: (a_rate.cross(&place.arm) + a.cross(&arm_rate)) * sign,
                            angular: a_rate * sign,
                        }
                    }
                };
                add(&mut bias, &rate, v[at]);
                self.column_rates[at] = rate;
            }
            // The world's twist is zero, and what hangs on it has no centripetal part from above.
            self.biases[i] = bias;
        }
    }

    /// A motion of the parent link (or the world) at the centre of mass of link `i`.
    fn carried(&self, up: Option<usize>, i: usize, above: &Twist) -> Twist {
        match up {
            Some(up) => shifted(above, &(self.positions[i] - self.positions[up])),
            None => STILL,
        }
    }

    /// Leaves poses and velocities in the states of the bodies; momenta are left alone.
    pub fn write(&self, tree: &Tree, bodies: &mut [BodyState]) {
        for (i, link) in tree.links.iter().enumerate() {
            let body = &mut bodies[link.body];
            body.position = self.positions[i];
            body.orientation = self.orientations[i];
            body.velocity = self.twists[i];
        }
    }

    /// Where the joint of a link is.
    pub fn joint_place(&self, link: usize) -> &JointPlace {
        &self.places[link]
    }

    /// From the centre of mass of the parent link to that of each link (m), world axes; zero for roots.
    pub fn arms(&self) -> &[Vec3] {
        &self.arms
    }

    /// Orientation `world_from_body` of a link.
    pub fn orientation(&self, link: usize) -> &Quat {
        &self.orientations[link]
    }

    /// The reaction on the child of a link's joint, at the child's anchor, of a wrench that the joint passes on to the link
    /// about its centre of mass (N, N·m), or of impulses in their units.
    pub fn joint_reaction(&self, tree: &Tree, link: usize, passed: &Wrench) -> Row {
        let sign = sign(&tree.links[link]);
        let force = passed.force * sign;
        let torque = passed.torque * sign + self.places[link].arm.cross(&force);
        Row { force, torque }
    }

    /// Whether the links are where the bodies are, to the last bit.
    pub fn is_at(&self, tree: &Tree, bodies: &[BodyState]) -> bool {
        let poses = self.positions.iter().zip(&self.orientations);
        tree.links
            .iter()
            .zip(poses)
            .all(|(link, (position, orientation))| {
                let body = &bodies[link.body];
                body.position == *position && body.orientation.coords == orientation.coords
            })
    }

    /// Velocity of a link at its centre of mass.
    pub fn twist(&self, link: usize) -> &Twist {
        &self.twists[link]
    }

    /// `J̇ v`: what a link accelerates by at its centre of mass when the generalised velocities are steady.
    pub fn bias(&self, link: usize) -> &Twist {
        &self.biases[link]
    }

    /// Columns of all motion subspaces `S`, one per velocity: what a link moves by relative to its parent link.
    pub fn columns(&self) -> &[Twist] {
        &self.columns
    }

    /// Time derivatives of [`columns`](Self::columns), `Ṡ`, at the velocities of [`drive`](Self::drive).
    pub fn column_rates(&self) -> &[Twist] {
        &self.column_rates
    }

    /// `J v` of all links: the motions at their centres of mass for any generalised velocities `v`.
    pub fn push(&self, tree: &Tree, v: &[f64], out: &mut [Twist]) {
        for (i, link) in tree.links.iter().enumerate() {
            let up = tree.up(i);
            let mut twist = self.carried(up, i, &up.map_or(STILL, |up| out[up]));
            for k in link.velocities() {
                add(&mut twist, &self.columns[k], v[k]);
            }
            out[i] = twist;
        }
    }

    /// `J v̇ + J̇ v` of all links: their accelerations for generalised accelerations `v̇`.
    pub fn accelerations(&self, tree: &Tree, v_rate: &[f64], out: &mut [Twist]) {
        self.push(tree, v_rate, out);
        for (a, bias) in out.iter_mut().zip(&self.biases) {
            add(a, bias, 1.0);
        }
    }

    /// `Jᵀ f` of all links: the generalised forces (N, N·m) of wrenches about their centres of mass, by link.
    pub fn pull(&mut self, tree: &Tree, wrenches: &[Wrench], out: &mut [f64]) {
        self.gathered.copy_from_slice(wrenches);
        for (i, link) in tree.links.iter().enumerate().rev() {
            let here = self.gathered[i];
            for k in link.velocities() {
                out[k] = power(&here, &self.columns[k]);
            }
            if let Some(up) = tree.up(i) {
                let arm = self.positions[i] - self.positions[up];
                self.gathered[up].push(&here.force, &arm);
                self.gathered[up].torque += here.torque;
            }
        }
    }

    /// `Jᵀ p` and `J̇ᵀ p + Jᵀ f` of all links at the velocities of [`drive`](Self::drive): generalised momenta and their rates
    /// for momenta `p` and forces `f` about the centres of mass, by link.
    pub fn pull_rates(
        &mut self,
        tree: &Tree,
        [momenta, forces]: [&[Wrench]; 2],
        [out, rates]: [&mut [f64]; 2],
    ) {
        self.gathered.copy_from_slice(momenta);
        self.gathered_rates.copy_from_slice(forces);
        for (i, link) in tree.links.iter().enumerate().rev() {
            let (here, rate) = (self.gathered[i], self.gathered_rates[i]);
            for k in link.velocities() {
                out[k] = power(&here, &self.columns[k]);
                rates[k] = power(&here, &self.column_rates[k]) + power(&rate, &self.columns[k]);
            }
            if let Some(up) = tree.up(i) {
                let arm = self.positions[i] - self.positions[up];
                let arm_rate = self.twists[i].linear - self.twists[up].linear;
                self.gathered[up].push(&here.force, &arm);
                self.gathered[up].torque += here.torque;
                let above = &mut self.gathered_rates[up];
                above.push(&rate.force, &arm);
                above.torque += rate.torque + arm_rate.cross(&here.force);
            }
        }
    }

    /// The Jacobian of a link, 6 × [`freedoms`](Tree::freedoms): one motion of its centre of mass per velocity, zero
    /// where the link does not depend on it.
    pub fn jacobian(&self, tree: &Tree, link: usize, out: &mut [Twist]) {
        out.fill(STILL);
        let mut above = Some(link);
        while let Some(j) = above {
            let arm = self.positions[link] - self.positions[j];
            for k in tree.links[j].velocities() {
                out[k] = shifted(&self.columns[k], &arm);
            }
            above = tree.up(j);
        }
    }

    /// Time derivative of [`jacobian`](Self::jacobian) at the velocities of [`drive`](Self::drive); for velocities
    /// that are one unit and zeros otherwise it is the derivative with respect to one coordinate.
    pub fn jacobian_rate(&self, tree: &Tree, link: usize, out: &mut [Twist]) {
        out.fill(STILL);
        let mut above = Some(link);
        while let Some(j) = above {
            let arm = self.positions[link] - self.positions[j];
            let arm_rate = self.twists[link].linear - self.twists[j].linear;
            for k in tree.links[j].velocities() {
                let mut rate = shifted(&self.column_rates[k], &arm);
                rate.linear += self.columns[k].angular.cross(&arm_rate);
                out[k] = rate;
            }
            above = tree.up(j);
        }
    }
}

/// Direction of one velocity, from the joint's parent to its child.
enum Axis {
    Slide(Vec3),
    Turn(Vec3),
}

/// Whether velocity `k` turns about the child's x axis: the second angle of a universal joint.
fn is_cross(link: &TreeLink, k: usize) -> bool {
    link.kind.free_rotations() == 2 && k == link.kind.free_translations() + 1
}

fn axis(link: &TreeLink, k: usize, place: &JointPlace) -> Axis {
    let column = |c: usize| place.axes.column(c).into_owned();
    let free = crate::joints::free_translations(link.kind);
    match free.get(k) {
        Some(&t) => Axis::Slide(column(t)),
        None if is_cross(link, k) => Axis::Turn(place.cross),
        None if link.kind.free_rotations() == 3 => Axis::Turn(column(k - free.len())),
        None => Axis::Turn(column(2)),
    }
}

/// A link that is its joint's parent moves against the joint's rates.
fn sign(link: &TreeLink) -> f64 {
    if link.reversed() { -1.0 } else { 1.0 }
}

/// The motion of a rigid body at a point further by `arm` (m).
fn shifted(motion: &Twist, arm: &Vec3) -> Twist {
    Twist {
        linear: motion.linear + motion.angular.cross(arm),
        angular: motion.angular,
    }
}

fn add(to: &mut Twist, motion: &Twist, factor: f64) {
    to.linear += motion.linear * factor;
    to.angular += motion.angular * factor;
}
