//! What is unbalanced when every joint takes what it can.

use super::super::links::{Link, Links};
use super::super::topology::WORLD;
use super::{Elimination, MinusScaled, ball, dot, gather_wrench, load, pass_wrench, store};
use crate::math::lanes::Lanes;
use crate::model::JointKind;

/// Largest imbalances of free coordinates; squares until the end.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Imbalance {
    /// Relative to what the link handles.
    pub relative: f64,
    /// Link with that imbalance.
    pub link: usize,
    /// As an impulse, torques over the arm (N·s).
    pub impulse: f64,
    /// The same over the mass of the body (m/s).
    pub speed: f64,
    /// Largest impulse that a link handles (N·s).
    pub handled: f64,
}

impl Imbalance {
    /// Takes the imbalance of a link and what its joint passes on, both squared.
    #[inline(always)]
    pub(super) fn take(&mut self, link: &Link, i: usize, square: f64, passed: f64) {
        let handled = link.least + passed;
        if handled > self.handled {
            self.handled = handled;
        }
        if square == 0.0 {
            return;
        }
        let ratio = square / handled;
        // What is not a number is worse than any other and stays.
        if ratio > self.relative || ratio.is_nan() {
            self.relative = ratio;
            self.link = i;
        }
        if square > self.impulse || square.is_nan() {
            self.impulse = square;
        }
        let speed = square / (link.mass * link.mass);
        if speed > self.speed || speed.is_nan() {
            self.speed = speed;
        }
    }

    fn rooted(self) -> Self {
        Self {
            relative: self.relative.sqrt(),
            link: self.link,
            impulse: self.impulse.sqrt(),
            speed: self.speed.sqrt(),
            handled: self.handled.sqrt(),
        }
    }
}

/// What a wrench at a link's centre of mass is as an impulse, squared: torques over the arm.
#[inline(always)]
pub(super) fn squared<L: Lanes>(link: &Link, b: (L, L)) -> f64 {
    b.0.dot(b.0) + b.1.dot(b.1) * (link.over_arm * link.over_arm)
}

/// Leaf to root: what is unbalanced on the free coordinates when every joint takes what it can.
/// Returns the largest imbalance; leaves each joint's wrench on the link, negated.
#[inline(always)]
pub fn imbalance<L: Lanes>(e: &Elimination, links: &mut Links) -> Imbalance {
    let mut worst = Imbalance::default();
    for i in (0..links.links.len()).rev() {
        let link = &links.links[i];
        let mut b = gather_wrench::<L>(link);
        if links.lean && link.kind == JointKind::Spherical {
            let b = ball::balance(links, i, b, &mut worst);
            let parent = link.parent;
            links.links[i].wrench = store(b);
            if parent != WORLD {
                pass_wrench(links, i, b);
            }
            continue;
        }
        let slides = link.kind.free_translations();
        let arm = link.over_arm * link.over_arm;
        let mut square = 0.0;
        for n in 0..link.freedoms {
            let k = link.first_column + n;
            let m = load::<L>(&links.columns1[k]);
            let mut r = dot(m, b);
            if e.driven {
                r += e.held[k];
            }
            let weighed = if n < slides { r * r } else { r * r * arm };
            if weighed > square || weighed.is_nan() {
                square = weighed;
            }
            // What no joint can take stays here: the imbalance is local, it does not add up along a chain.
            // About the anchor the free directions are unit vectors.
            if link.parent == WORLD {
                continue;
            }
            if n < slides {
                b.0 = b.0.fnma_scalar(r, m.0);
            } else {
                b.1 = b.1.fnma_scalar(r, m.1);
            }
        }
        let passed = if link.jointed { squared(link, b) } else { 0.0 };
        worst.take(link, i, square, passed);
        let parent = link.parent;
        links.links[i].wrench = store(b);
        if parent != WORLD {
            pass_wrench(links, i, b);
        }
    }
    worst.rooted()
}
