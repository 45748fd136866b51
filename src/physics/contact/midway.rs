//! What bodies lie in on their way from one configuration to another, and are not where it ends.
//!
//! A surface has no inside: which of its features a solid meets is told while it lies in them by less than
//! [some part](super::narrow) of its size, and what went farther is on another side. So a solid that moves against a surface by
//! more is looked at on its way, in strides of less than that.

use super::detect::compare;
use super::passage::{Motion, Passages};
use super::question::{Question, size};
use super::solid::Solid;
use crate::model::{BodyId, BodyState, ContactRules};

/// Thicknesses of a surface that are as much as the size of a solid.
const THICK: f64 = 10.0;

/// Strides, in [scales](scale): what a feature enters by in one of them is found at its end.
const STRIDE: f64 = 0.02;

/// The same of balls, in their sizes: they are found as long as their middles are before a surface.
const STRIDE_OF_BALLS: f64 = 0.25;

/// How much deeper than where the way begins solids lie in each other, in scales: what turns about an edge comes to that
/// along a straight line.
const DEEPER: f64 = 0.02;

/// Strides at once where no face of the surface is as near.
const AHEAD: usize = 16;

/// Two bodies that lie in each other on their way.
#[derive(Debug, Clone, Copy)]
pub struct Overlap {
    /// The bodies; `None` is the world.
    pub bodies: [Option<BodyId>; 2],
    /// How deep (m).
    pub depth: f64,
}

/// The shortest stride of any solid against a surface (m): infinite where there are no surfaces.
pub(super) fn least(solids: &[Solid]) -> f64 {
    if solids.iter().all(|solid| solid.convex) {
        return f64::INFINITY;
    }
    let thickness = solids.iter().map(|solid| solid.thickness);
    let thinnest = THICK * thickness.fold(f64::INFINITY, f64::min);
    let strides = solids.iter().map(|solid| {
        if solid.polyhedron.is_ball() {
            STRIDE_OF_BALLS * solid.size
        } else {
            STRIDE * solid.size.min(thinnest)
        }
    });
    strides.fold(f64::INFINITY, f64::min)
}

/// The size of the smaller of two solids, or how thin a surface is (m).
fn scale(pair: [&Solid; 2]) -> f64 {
    let thickness = pair.map(|solid| THICK * solid.thickness);
    size(pair).min(thickness[0]).min(thickness[1])
}

/// How far two solids may move against each other between two looks (m).
fn stride(pair: [&Solid; 2]) -> f64 {
    let ball = pair.iter().find(|solid| solid.polyhedron.is_ball());
    ball.map_or(STRIDE * scale(pair), |ball| STRIDE_OF_BALLS * ball.size)
}

impl Passages {
    /// The first pair of a surface and a solid that lie deeper in each other on their way than where it begins.
    pub fn midway(
        &mut self,
        (solids, rules): (&[Solid], &ContactRules),
        [first, second]: [&[BodyState]; 2],
    ) -> Option<Overlap> {
        let motion = Motion { first, second };
        if self.least_midway.is_infinite() || self.measure(motion) <= self.least_midway {
            return None;
        }
        let pairs = self.pairs(solids, motion);
        (0..pairs).find_map(|n| {
            let numbers = self.pair(n)?;
            let pair = numbers.map(|k| &solids[k]);
            if pair.iter().all(|solid| solid.convex) {
                return None;
            }
            let depth = self.deeper(pair, numbers, motion, rules)?;
            let bodies = pair.map(|solid| solid.body);
            Some(Overlap { bodies, depth })
        })
    }

    /// How deep two solids lie in each other on their way (m), once that is more than where it begins.
    fn deeper(
        &mut self,
        pair: [&Solid; 2],
        numbers: [usize; 2],
        motion: Motion,
        rules: &ContactRules,
    ) -> Option<f64> {
        let [x, y] = pair;
        let (stride, deeper) = (stride(pair), DEEPER * scale(pair));
        let way = motion.of(x.body) - motion.of(y.body);
        let bound = way.norm() + motion.turn(x) + motion.turn(y);
        if bound <= stride || !motion.swept(x).meets(&motion.swept(y)) {
            return None;
        }
        let strides = (bound / stride).ceil() as usize;
        self.between.clear();
        self.between.extend_from_slice(motion.first);
        let mut before = None;
        let mut k = 1;
        while k < strides {
            for body in pair.iter().filter_map(|s| s.body) {
                self.between[body.0] = motion.at(body, k as f64 / strides as f64);
            }
            if self.are_apart(pair, AHEAD as f64 * stride) {
                k += AHEAD;
                continue;
            }
            let depth = self.depth(pair, numbers, rules);
            if depth > deeper {
                let first = *before.get_or_insert_with(|| {
                    for body in pair.iter().filter_map(|s| s.body) {
                        self.between[body.0] = motion.first[body.0];
                    }
                    self.depth(pair, numbers, rules)
                });
                if depth > first + deeper {
                    return Some(depth);
                }
            }
            k += 1;
        }
        None
    }

    /// How deep features of two solids lie in each other between both ends of the way (m).
    fn depth(&mut self, pair: [&Solid; 2], numbers: [usize; 2], rules: &ContactRules) -> f64 {
        let question = Question {
            numbers,
            poses: pair.map(|solid| solid.pose(&self.between)),
            near: 0.0,
            motion: None,
        };
        self.compared.clear();
        let room = (&mut self.narrow, rules);
        compare(room, pair, &question, 0.0, &mut self.compared);
        let gaps = self.compared.iter().map(|c| c.gap(&self.between).distance);
        gaps.fold(0.0, |deepest, gap| deepest.max(-gap))
    }

    /// Whether no face of a surface is within `near` (m) of the bounds of the other solid.
    fn are_apart(&mut self, [x, y]: [&Solid; 2], near: f64) -> bool {
        let (surface, other) = if y.convex { (x, y) } else { (y, x) };
        let pose = surface.pose(&self.between).inverse() * other.pose(&self.between);
        let bounds = other.bounds.seen_from(&pose, near);
        if !bounds.meets(&surface.bounds) {
            return true;
        }
        surface.features_within(&bounds, &mut self.near);
        self.near.faces.is_empty()
    }
}
