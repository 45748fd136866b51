//! How the links move from one knot to the next when the joint coordinates move by an increment.
//!
//! The recursion of the displacements [Lee2016 eq. 19] in world axes, with the increment `δ` of the coordinates as the
//! unknown instead of the coordinates themselves. A link turns by `R_i = R_p E_i(δ)` about its joint, and its centre of
//! mass moves by
//! ```text
//!   d_i = d_p + (R_p - I) r + slides + (R_i - I) a
//! ```
//! with `r` from the parent link's centre of mass to the joint and `a` from there to the link's. Nothing is the difference of
//! two poses: displacements keep their digits however small the step is and however far away the mechanism, so that a
//! tight tolerance can be met by long chains.

use crate::forces::Line;
use crate::kinematics::{Jacobian, JointPlace, Tree, TreeLink, TreeMotion};
use crate::math::{Quat, Vec3, rotation};
use crate::model::Twist;
use crate::solver::WORLD;

/// Rounding errors of a residual relative to the momenta that it sums up.
const ROUNDING: f64 = 64.0 * f64::EPSILON;

/// The motion of all links over an interval, sized once.
#[derive(Debug, Clone)]
pub struct Displacement {
    /// Turn of each link, world axes.
    pub turns: Vec<Quat>,
    /// Displacement of each centre of mass (m).
    pub shifts: Vec<Vec3>,
    columns: Vec<Twist>,
    arms: Vec<Vec3>,
    /// How far each link is moved and turned by the increments of all joints from the world to it, were none to undo what another does
    /// (m, rad).
    pub sizes: Vec<[f64; 2]>,
}

/// `(R - I) a`, without cancellation.
#[inline]
fn carried(turn: &Quat, a: &Vec3) -> Vec3 {
    let u = turn.imag();
    let across = u.cross(a);
    (across * turn.scalar() + u.cross(&across)) * 2.0
}

/// Sum of the slides of a link's joint for an increment, world axes of the first knot (m).
#[inline]
fn slide(link: &TreeLink, place: &JointPlace, delta: &[f64]) -> Vec3 {
    let mut slide = Vec3::zeros();
    for (&axis, &by) in crate::joints::free_translations(link.kind)
        .iter()
        .zip(delta)
    {
        slide += place.axes.column(axis) * by;
    }
    slide
}

/// Turn of the joint's child against its parent for an increment, world axes of the first knot.
#[inline]
fn swing(link: &TreeLink, place: &JointPlace, delta: &[f64]) -> Quat {
    let turns = &delta[link.kind.free_translations()..];
    let about = |axis: Vec3, angle: f64| {
        let (sine, cosine) = (0.5 * angle).sin_cos();
        let axis = axis * sine;
        Quat::new_unchecked(nalgebra::Quaternion::new(cosine, axis.x, axis.y, axis.z))
    };
    let hinge = || place.axes.column(2).into_owned();
    match *turns {
        [angle] => about(hinge(), angle),
        [first, second] => about(hinge(), first) * about(place.cross, second),
        [x, y, z] => rotation::exp(&(place.axes * Vec3::new(x, y, z))),
        _ => Quat::identity(),
    }
}

impl Displacement {
    /// Room for a tree.
    pub fn new(tree: &Tree) -> Self {
        let links = tree.links().len();
        Self {
            turns: vec![Quat::identity(); links],
            shifts: vec![Vec3::zeros(); links],
            columns: vec![Twist::default(); tree.freedoms()],
            arms: vec![Vec3::zeros(); links],
            sizes: vec![[0.0; 2]; links],
        }
    }

    /// Moves the links from where `from` has placed them by the increment `delta`.
    pub fn advance(&mut self, tree: &Tree, from: &TreeMotion, delta: &[f64]) {
        for (i, link) in tree.links().iter().enumerate() {
            let place = from.joint_place(i);
            let delta = &delta[link.velocities()];
            let (swing, slide) = (swing(link, place, delta), slide(link, place, delta));
            let (mut turn, mut shift) = (Quat::identity(), Vec3::zeros());
            if link.parent != WORLD {
                turn = self.turns[link.parent];
                let reach = from.arms()[i] - place.arm;
                shift = self.shifts[link.parent] + carried(&turn, &reach);
            }
            if link.reversed() {
                let own = turn * swing.inverse();
                // The slide is fixed to the link, which is the joint's parent.
                self.shifts[i] = shift + carried(&own, &place.arm) - own * slide;
                self.turns[i] = own;
            } else {
                let own = turn * swing;
                self.shifts[i] = shift + turn * slide + carried(&own, &place.arm);
                self.turns[i] = own;
            }
        }
    }

    /// Sums up the sizes of what the joints do to the links, to whose last digits displacements round.
    pub fn sizes(&mut self, tree: &Tree, from: &TreeMotion, delta: &[f64]) {
        for (i, link) in tree.links().iter().enumerate() {
            let place = from.joint_place(i);
            let (mut far, mut wide) = (0.0, 0.0);
            if link.parent != WORLD {
                [far, wide] = self.sizes[link.parent];
                far += wide * (from.arms()[i] - place.arm).norm();
            }
            let (slides, turns) = delta[link.velocities()].split_at(link.kind.free_translations());
            far += slides.iter().map(|d| d.abs()).sum::<f64>();
            wide += turns.iter().map(|d| d.abs()).sum::<f64>();
            self.sizes[i] = [far + wide * place.arm.norm(), wide];
        }
    }

    /// Whether the residual of every joint is no more than what its sum rounds to. `spread` holds the sizes of what acts on each
    /// link, (N·s) and about its centre of mass (N·m·s), and is gathered from the leaves as the residual was.
    pub fn is_rounding(
        &self,
        tree: &Tree,
        from: &TreeMotion,
        spread: &mut [[f64; 2]],
        residual: &[f64],
    ) -> bool {
        for (i, link) in tree.links().iter().enumerate().rev() {
            let [linear, angular] = spread[i];
            let about = angular + from.joint_place(i).arm.norm() * linear;
            let slides = link.kind.free_translations();
            for (n, k) in link.velocities().enumerate() {
                let size = if n < slides { linear } else { about };
                let left = residual[k].abs();
                if left > ROUNDING * size || left.is_nan() {
                    return false;
                }
            }
            if link.parent != WORLD {
                let above = &mut spread[link.parent];
                above[0] += linear;
                above[1] += angular + from.arms()[i].norm() * linear;
            }
        }
        true
    }

    /// How far a point of a link has gone, at this arm from its centre of mass at the first knot (m).
    pub fn shift_of(&self, link: usize, arm: &Vec3) -> Vec3 {
        self.shifts[link] + carried(&self.turns[link], arm)
    }

    /// How much a line between points of bodies has changed (m).
    pub fn change_of(&self, tree: &Tree, line: &Line) -> Vec3 {
        let [a, b] = [0, 1].map(|end| {
            let body = line.bodies[end];
            body.map_or_else(Vec3::zeros, |b| {
                self.shift_of(tree.link_of(b.0), &line.arms[end])
            })
        });
        b - a
    }

    /// Takes the motion subspaces where [`advance`](Self::advance) has moved the links to.
    pub fn bend(&mut self, tree: &Tree, from: &TreeMotion, delta: &[f64]) {
        for (i, link) in tree.links().iter().enumerate() {
            let place = from.joint_place(i);
            let above = match link.parent {
                WORLD => Quat::identity(),
                up => self.turns[up],
            };
            let own = self.turns[i];
            self.arms[i] = match link.parent {
                WORLD => Vec3::zeros(),
                up => from.arms()[i] + (self.shifts[i] - self.shifts[up]),
            };
            // Axes are fixed to the joint's parent, but the cross axis, which is fixed to its child.
            let (parent, child, sign) = if link.reversed() {
                (own, above, -1.0)
            } else {
                (above, own, 1.0)
            };
            let mut arm = own * place.arm;
            if link.reversed() {
                arm -= own * slide(link, place, &delta[link.velocities()]);
            }
            let slides = crate::joints::free_translations(link.kind);
            for (n, k) in link.velocities().enumerate() {
                self.columns[k] = match slides.get(n) {
                    Some(&axis) => Twist {
                        linear: parent * place.axes.column(axis) * sign,
                        angular: Vec3::zeros(),
                    },
                    None => {
                        let turn = n - slides.len();
                        let axis = match link.kind.free_rotations() {
                            3 => parent * place.axes.column(turn),
                            2 if turn == 1 => child * place.cross,
                            _ => parent * place.axes.column(2),
                        };
                        Twist {
                            linear: axis.cross(&arm) * sign,
                            angular: axis * sign,
                        }
                    }
                };
            }
        }
    }

    /// The Jacobians at the second knot, as [`bend`](Self::bend) left them.
    pub fn jacobian(&self) -> Jacobian<'_> {
        Jacobian {
            columns: &self.columns,
            arms: &self.arms,
        }
    }

    /// The widest turn of a link from knot to knot and the link: the square of the sine of half its angle, 1 and more beyond
    /// half a turn.
    pub fn widest(&self) -> (f64, usize) {
        let squares = self.turns.iter().map(|turn| {
            let square = turn.imag().norm_squared();
            // Beyond half a turn the scalar is negative.
            if turn.scalar() < 0.0 {
                2.0 - square
            } else {
                square
            }
        });
        let wider = |a: (f64, usize), (i, square): (usize, f64)| {
            if square > a.0 || square.is_nan() {
                (square, i)
            } else {
                a
            }
        };
        squares.enumerate().fold((0.0, 0), wider)
    }
}
