//! Bodies that come to lie in each other on their way from one configuration to another.
//!
//! A surface has no inside: which of its features a solid meets is told while it lies in them by less than
//! [some part](super::narrow) of its size, and what went farther is on another side. So a solid that moves against a surface by
//! more is looked at on its way, in strides of less than that.
//!
//! Convex solids that fly through each other have a contact [where they met](super::passage). Of those that turn by as much none would
//! say what happens on the way, along which it turns as well; they too are looked at, where they are not apart.

use super::nearest::{Clearance, ITERATIONS, clearance};
use super::passage::{Motion, Passages};
use super::polyhedron::{Face, Polyhedron};
use super::question::{THICK, scale, size};
use super::solid::Solid;
use super::watch::clearance_at;
use crate::math::Vec3;
use crate::model::{BodyId, BodyState, ContactRules};

/// Strides, in [scales](scale): what a feature enters by in one of them is found at its end.
const STRIDE: f64 = 0.02;

/// The same of balls, in their sizes: they are found as long as their middles are before a surface.
const STRIDE_OF_BALLS: f64 = 0.25;

/// How deep solids may lie in each other on their way, in scales: what turns about an edge comes to that along a straight line.
const DEEP: f64 = 0.02;

/// Turn of two convex solids, in sizes of the smaller, from which they are looked at on their way.
pub(super) const TURN: f64 = 0.5;

/// How deep they may lie in each other on their way, in such sizes.
const DEEP_IN_CONVEX: f64 = 0.1;

/// How near solids that are not apart are, in such sizes.
const TOUCHING: f64 = 1e-3;

/// Strides at once where no face of the surface is as near.
const AHEAD: usize = 16;

/// Two bodies that lie in each other on their way.
#[derive(Debug, Clone, Copy)]
pub struct Overlap {
    /// The bodies; `None` is the world.
    pub bodies: [Option<BodyId>; 2],
    /// How deep at least (m).
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

/// How far two solids may move against each other between two looks (m).
fn stride(pair: [&Solid; 2]) -> f64 {
    let ball = pair.iter().find(|solid| solid.polyhedron.is_ball());
    ball.map_or(STRIDE * scale(pair), |ball| STRIDE_OF_BALLS * ball.size)
}

impl Passages {
    /// The first pair of solids that lie in each other on their way, and not where it begins: of those with a surface also where it
    /// ends.
    pub fn midway(
        &mut self,
        (solids, rules): (&[Solid], &ContactRules),
        [first, second]: [&[BodyState]; 2],
    ) -> Option<Overlap> {
        let motion = Motion { first, second };
        let turning = self.is_turning(motion);
        if !turning && self.least_midway.is_infinite() {
            return None;
        }
        if self.measure(motion) <= self.least_midway && !turning {
            return None;
        }
        let pairs = self.pairs(solids, motion);
        (0..pairs).find_map(|n| {
            let numbers = self.pair(n)?;
            let pair = numbers.map(|k| &solids[k]);
            let (met, deep) = match pair.iter().all(|solid| solid.convex) {
                true => (
                    self.turn_through(pair, numbers, motion, rules),
                    DEEP_IN_CONVEX,
                ),
                false => (self.meet(pair, numbers, motion, rules), DEEP),
            };
            met.then(|| Overlap {
                bodies: pair.map(|solid| solid.body),
                depth: deep * scale(pair),
            })
        })
    }

    /// Whether two convex solids turn through each other.
    fn turn_through(
        &mut self,
        pair: [&Solid; 2],
        numbers: [usize; 2],
        motion: Motion,
        rules: &ContactRules,
    ) -> bool {
        let [x, y] = pair;
        let size = size(pair);
        let turn = motion.turn(x) + motion.turn(y);
        if x.is_half_space()
            || y.is_half_space()
            || turn <= TURN * size
            || !motion.swept(x).meets(&motion.swept(y))
        {
            return false;
        }
        let bound = motion.bound(pair);
        let deep = DEEP_IN_CONVEX * size;
        let mut part = 0.0;
        while part < 1.0 {
            let states = pair.map(|s| s.body.map(|b| motion.at(b, part)));
            let ahead = match clearance_at(pair, &states) {
                Clearance::AtLeast(distance, _) if distance > TOUCHING * size => distance,
                _ => {
                    self.place(pair, motion, part);
                    if self.depth(pair, numbers, rules) > deep {
                        self.place(pair, motion, 0.0);
                        return self.depth(pair, numbers, rules) <= deep;
                    }
                    0.5 * deep
                }
            };
            part += ahead / bound;
        }
        false
    }

    fn meet(
        &mut self,
        pair: [&Solid; 2],
        numbers: [usize; 2],
        motion: Motion,
        rules: &ContactRules,
    ) -> bool {
        let [x, y] = pair;
        let stride = stride(pair);
        let bound = motion.bound(pair);
        if bound <= stride || !motion.swept(x).meets(&motion.swept(y)) {
            return false;
        }
        let strides = (bound / stride).ceil() as usize;
        let mut k = 1;
        while k <= strides {
            self.place(pair, motion, k as f64 / strides as f64);
            if self.are_apart(pair, AHEAD as f64 * stride) {
                k += AHEAD;
                continue;
            }
            if self.lie_deep(pair, numbers, rules) {
                self.place(pair, motion, 0.0);
                return !self.lie_deep(pair, numbers, rules);
            }
            k += 1;
        }
        false
    }

    /// Whether two solids lie deeper in each other than they may on their way.
    fn lie_deep(&mut self, pair: [&Solid; 2], numbers: [usize; 2], rules: &ContactRules) -> bool {
        let deep = DEEP * scale(pair);
        match pair {
            [x, y] if x.convex => self.is_cut(x, y, deep),
            [x, y] if y.convex => self.is_cut(y, x, deep),
            _ => self.depth(pair, numbers, rules) > deep,
        }
    }

    /// Whether a triangle of a surface cuts a convex solid that is smaller by a depth (m) all around.
    fn is_cut(&mut self, solid: &Solid, surface: &Solid, depth: f64) -> bool {
        let poses = [solid, surface].map(|solid| solid.pose(&self.between));
        let pose = poses[1].inverse() * poses[0];
        let bounds = solid.bounds.seen_from(&pose, 0.0);
        surface.features_within(&bounds, &mut self.near);
        solid.polyhedron.place(&pose, &mut self.placed);
        let (inner, outer) = (&mut self.placed, &surface.polyhedron);
        let sharp = inner.radius == 0.0 && !inner.is_curved();
        if !sharp {
            inner.shrink(depth);
        }
        let room = &mut self.polygons;
        self.near.faces.iter().any(|&k| {
            let face = &outer.faces[k];
            let corners = outer.sides[face.sides.clone()].iter().map(|side| side.at);
            match sharp {
                true => is_within(inner, depth, corners, room),
                false => inner.meets(face, corners),
            }
        })
    }

    /// How deep features of two solids lie in each other between both ends of the way (m).
    fn depth(&mut self, pair: [&Solid; 2], numbers: [usize; 2], rules: &ContactRules) -> f64 {
        self.compare((pair, numbers), rules, 0.0, 0.0);
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

/// Whether part of a polygon lies deeper in a solid of faces than a depth (m); `polygons` is room.
fn is_within(
    solid: &Polyhedron,
    depth: f64,
    corners: impl Iterator<Item = Vec3>,
    [polygon, rest]: &mut [Vec<Vec3>; 2],
) -> bool {
    polygon.clear();
    polygon.extend(corners);
    for face in &solid.faces {
        rest.clear();
        for (k, to) in polygon.iter().enumerate() {
            let from = polygon[(k + polygon.len() - 1) % polygon.len()];
            let heights = [&from, to].map(|p| face.height(p) + depth);
            if (heights[0] <= 0.0) != (heights[1] <= 0.0) {
                rest.push(from + (to - from) * (heights[0] / (heights[0] - heights[1])));
            }
            if heights[1] <= 0.0 {
                rest.push(*to);
            }
        }
        std::mem::swap(polygon, rest);
        if polygon.is_empty() {
            return false;
        }
    }
    true
}

impl Polyhedron {
    /// Takes off a depth (m) all around a rounded solid, a cylinder, a cone or an ellipsoid; of the last a little less between its axes.
    fn shrink(&mut self, depth: f64) {
        if self.radius > 0.0 {
            self.radius -= depth;
            return;
        }
        for ellipsoid in &mut self.ellipsoids {
            ellipsoid.radii.add_scalar_mut(-depth);
        }
        if let ([base], [tip]) = (self.rims.as_mut_slice(), self.corners.as_mut_slice()) {
            // The cone is similar, about the middle of the largest ball in it.
            let height = (tip.at - base.at).norm();
            let ball = base.radius * height / (base.radius + base.radius.hypot(height));
            let kept = 1.0 - depth / ball;
            let middle = base.at - base.axis * ball;
            base.radius *= kept;
            for at in [&mut base.at, &mut tip.at] {
                *at = middle + (*at - middle) * kept;
            }
            return;
        }
        for rim in &mut self.rims {
            rim.radius -= depth;
            rim.at -= rim.axis * depth;
        }
    }

    /// Whether it meets a face with these corners.
    fn meets(&self, face: &Face, corners: impl Iterator<Item = Vec3> + Clone) -> bool {
        let normal = face.normal;
        let corner = |v: &Vec3| {
            let heights = corners.clone().map(|at| (at.dot(v), at));
            heights
                .max_by(|a, b| a.0.total_cmp(&b.0))
                .map_or(face.at, |(_, at)| at)
        };
        let between = |v: &Vec3| [self.farthest(&-v), corner(v)];
        face.height(&self.farthest(&normal)) > -self.radius
            && face.height(&self.farthest(&-normal)) < self.radius
            && matches!(
                clearance(between, &normal, self.radius, 0.0, ITERATIONS),
                Clearance::AtMost(_)
            )
    }
}
