//! Articulated-body inertias: linear systems in joint coordinates in linear time [Featherstone2008 ch. 7].
//!
//! The systems are `(Lᵀ H R + D) x = r`. `H` has one 6×6 block per link, `D` is diagonal, and `L` and `R` are the
//! Jacobians of all links at two configurations. With one configuration and the inertias of the bodies it is the mass
//! matrix; with the derivative of momenta it is that of a discrete equation of motion, which is not symmetric. What a
//! link passes on to its parent is `f = A t + z` for its motion `t`: its own block, with what its children pass on,
//! after each of its columns `l`, `r` is eliminated with
//! ```text
//!   u = A r,  w = Aᵀ l,  d = l·u + D:   A ← A - u wᵀ/d,   z ← z + u (r - l·z)/d
//! ```
//! Rows that close loops are eliminated [with them](super::fronts).

use super::{Fronts, LoopClosure, Tree, TreeMotion};
use crate::forces::Wrench;
use crate::math::rotation::skew;
use crate::math::{Mat3, Vec3};
use crate::model::{Model, Twist};
use crate::solver::WORLD;

/// What a wrench changes by with a motion, both at one point: 6×6 in blocks.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct SpatialBlock {
    /// Force by translation.
    pub force_linear: Mat3,
    /// Force by rotation.
    pub force_angular: Mat3,
    /// Torque by translation.
    pub torque_linear: Mat3,
    /// Torque by rotation.
    pub torque_angular: Mat3,
}

impl SpatialBlock {
    /// The inertia of a body about its centre of mass: mass (kg) and inertia (kg·m²).
    pub fn inertia(mass: f64, inertia: &Mat3) -> Self {
        Self {
            force_linear: Mat3::from_diagonal_element(mass),
            torque_angular: *inertia,
            ..Self::default()
        }
    }

    /// Adds a part of another block.
    pub fn add(&mut self, other: &Self, part: f64) {
        self.force_linear += other.force_linear * part;
        self.force_angular += other.force_angular * part;
        self.torque_linear += other.torque_linear * part;
        self.torque_angular += other.torque_angular * part;
    }

    /// The wrench of a motion.
    #[inline]
    pub fn apply(&self, motion: &Twist) -> Wrench {
        Wrench {
            force: self.force_linear * motion.linear + self.force_angular * motion.angular,
            torque: self.torque_linear * motion.linear + self.torque_angular * motion.angular,
        }
    }

    /// The same by the transposed block.
    #[inline]
    pub fn apply_transposed(&self, motion: &Twist) -> Wrench {
        let Twist { linear, angular } = motion;
        Wrench {
            force: self.force_linear.tr_mul(linear) + self.torque_linear.tr_mul(angular),
            torque: self.force_angular.tr_mul(linear) + self.torque_angular.tr_mul(angular),
        }
    }

    /// Subtracts `factor u wᵀ`.
    #[inline]
    pub(super) fn deflate(&mut self, u: &Wrench, w: &Wrench, factor: f64) {
        let (f, t) = (w.force * -factor, w.torque * -factor);
        self.force_linear.ger(1.0, &u.force, &f, 1.0);
        self.force_angular.ger(1.0, &u.force, &t, 1.0);
        self.torque_linear.ger(1.0, &u.torque, &f, 1.0);
        self.torque_angular.ger(1.0, &u.torque, &t, 1.0);
    }

    /// The block at another point: the wrench's point is `left` before its own (m), the motion's `right`.
    #[inline]
    pub fn shifted(&self, left: &Vec3, right: &Vec3) -> Self {
        let (lever, reach) = (skew(left), skew(right));
        let force_angular = self.force_angular - self.force_linear * reach;
        Self {
            force_linear: self.force_linear,
            force_angular,
            torque_linear: self.torque_linear + lever * self.force_linear,
            torque_angular: self.torque_angular - self.torque_linear * reach
                + lever * force_angular,
        }
    }
}

/// The Jacobians of all links at one configuration, link by link.
#[derive(Debug, Clone, Copy)]
pub struct Jacobian<'a> {
    /// Motion subspaces: what a link moves by at its centre of mass, by velocity.
    pub columns: &'a [Twist],
    /// From the centre of mass of the parent link to that of each link (m).
    pub arms: &'a [Vec3],
}

impl<'a> From<&'a TreeMotion> for Jacobian<'a> {
    fn from(motion: &'a TreeMotion) -> Self {
        Self {
            columns: motion.columns(),
            arms: motion.arms(),
        }
    }
}

impl Jacobian<'_> {
    /// Adds `Jᵀ f` of a wrench on one link about its centre of mass to the generalised forces.
    pub fn pull(&self, tree: &Tree, link: usize, wrench: &Wrench, out: &mut [f64]) {
        let (mut at, mut f) = (link, *wrench);
        loop {
            for k in tree.links()[at].velocities() {
                out[k] += power(&f, &self.columns[k]);
            }
            let up = tree.links()[at].parent;
            if up == WORLD {
                return;
            }
            f.torque += self.arms[at].cross(&f.force);
            at = up;
        }
    }
}

/// One eliminated column.
#[derive(Debug, Clone, Copy, Default)]
struct Pivot {
    left: Twist,
    right: Twist,
    u: Wrench,
    w: Wrench,
    over: f64,
}

/// The factors of one system; sized once, never grown.
#[derive(Debug, Clone)]
pub struct ArticulatedBodies {
    blocks: Vec<SpatialBlock>,
    pivots: Vec<Pivot>,
    left_arms: Vec<Vec3>,
    right_arms: Vec<Vec3>,
    wrenches: Vec<Wrench>,
    motions: Vec<Twist>,
    /// Rows that close loops, eliminated with the joints.
    fronts: Option<Fronts>,
}

impl ArticulatedBodies {
    /// Room for a tree.
    pub fn new(tree: &Tree) -> Self {
        let links = tree.links().len();
        Self {
            blocks: vec![SpatialBlock::default(); links],
            pivots: vec![Pivot::default(); tree.freedoms()],
            left_arms: vec![Vec3::zeros(); links],
            right_arms: vec![Vec3::zeros(); links],
            wrenches: vec![Wrench::default(); links],
            motions: vec![Twist::default(); links],
            fronts: None,
        }
    }

    /// Room for a tree with rows beside it that close loops.
    pub fn closed(tree: &Tree, closings: &[LoopClosure]) -> Self {
        let fronts = (!closings.is_empty()).then(|| Fronts::new(tree, closings));
        Self {
            fronts,
            ..Self::new(tree)
        }
    }

    /// The rows that close loops, to be set before the matrix is factored.
    pub fn fronts(&mut self) -> Option<&mut Fronts> {
        self.fronts.as_mut()
    }

    /// Factors `Lᵀ H R + D`. A pivot of zero leaves numbers that are not finite in what is solved.
    pub fn factor(
        &mut self,
        tree: &Tree,
        [left, right]: [Jacobian; 2],
        block: impl Fn(usize) -> SpatialBlock,
        diagonal: &[f64],
    ) {
        self.left_arms.copy_from_slice(left.arms);
        self.right_arms.copy_from_slice(right.arms);
        for (i, own) in self.blocks.iter_mut().enumerate() {
            *own = block(i);
        }
        for (i, link) in tree.links().iter().enumerate().rev() {
            let mut a = self.blocks[i];
            for (n, k) in link.velocities().enumerate() {
                let (l, r) = (left.columns[k], right.columns[k]);
                let u = a.apply(&r);
                let w = a.apply_transposed(&l);
                let over = 1.0 / (power(&u, &l) + diagonal[k]);
                a.deflate(&u, &w, over);
                if let Some(fronts) = &mut self.fronts {
                    fronts.cross(i, n, [&l, &r], [&u, &w], over);
                }
                self.pivots[k] = Pivot {
                    left: l,
                    right: r,
                    u,
                    w,
                    over,
                };
            }
            if let Some(fronts) = &mut self.fronts {
                let arms = [&self.left_arms[i], &self.right_arms[i]];
                fronts.end((i, link.parent), &mut a, arms);
            }
            if link.parent != WORLD {
                let passed = a.shifted(&self.left_arms[i], &self.right_arms[i]);
                self.blocks[link.parent].add(&passed, 1.0);
            }
        }
        if let Some(fronts) = &mut self.fronts {
            fronts.finish();
        }
    }

    /// Factors the mass matrix of the bodies where `motion` has placed them, with `D`.
    pub fn factor_mass(
        &mut self,
        tree: &Tree,
        model: &Model,
        motion: &TreeMotion,
        diagonal: &[f64],
    ) {
        let block = |i: usize| {
            let body = &model.bodies[tree.links()[i].body];
            let turn = motion.orientation(i).to_rotation_matrix();
            SpatialBlock::inertia(body.mass, &(turn * body.inertia * turn.inverse()))
        };
        self.factor(tree, [Jacobian::from(motion); 2], block, diagonal);
    }

    /// Solves for `x` in the place of the right-hand side, and behind it for the impulses of the rows that close loops.
    pub fn solve(&mut self, tree: &Tree, x: &mut [f64]) {
        let (x, rows) = x.split_at_mut(tree.freedoms());
        self.wrenches.fill(Wrench::default());
        if let Some(fronts) = &mut self.fronts {
            fronts.ask();
        }
        for (i, link) in tree.links().iter().enumerate().rev() {
            let mut z = self.wrenches[i];
            for (n, k) in link.velocities().enumerate() {
                let pivot = &self.pivots[k];
                x[k] -= power(&z, &pivot.left);
                let push = x[k] * pivot.over;
                z.force += pivot.u.force * push;
                z.torque += pivot.u.torque * push;
                if let Some(fronts) = &mut self.fronts {
                    fronts.answer(i, n, push);
                }
            }
            if let Some(fronts) = &mut self.fronts {
                fronts.carry((i, link.parent), &mut z, rows);
            }
            if link.parent != WORLD {
                let above = &mut self.wrenches[link.parent];
                above.push(&z.force, &self.left_arms[i]);
                above.torque += z.torque;
            }
        }
        if let Some(fronts) = &mut self.fronts {
            fronts.carry_to_world(rows);
        }
        for (i, link) in tree.links().iter().enumerate() {
            let mut motion = Twist::default();
            if link.parent != WORLD {
                let above = &self.motions[link.parent];
                motion.linear = above.linear + above.angular.cross(&self.right_arms[i]);
                motion.angular = above.angular;
            }
            if let Some(fronts) = &self.fronts {
                fronts.follow(i, &motion, rows);
            }
            for (n, k) in link.velocities().enumerate().rev() {
                let pivot = &self.pivots[k];
                if let Some(fronts) = &self.fronts {
                    x[k] += fronts.pushed(i, n, rows);
                }
                x[k] = (x[k] - power(&pivot.w, &motion)) * pivot.over;
                motion.linear += pivot.right.linear * x[k];
                motion.angular += pivot.right.angular * x[k];
            }
            self.motions[i] = motion;
        }
    }

    /// The motions `R x` of all links of the last solution, at their centres of mass.
    pub fn motions(&self) -> &[Twist] {
        &self.motions
    }
}

/// Power of a wrench in a motion at the same point.
#[inline]
pub(super) fn power(wrench: &Wrench, motion: &Twist) -> f64 {
    wrench.force.dot(&motion.linear) + wrench.torque.dot(&motion.angular)
}
