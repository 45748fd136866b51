//! A large island in parts that share no body, so that threads sweep them at the same time.
//!
//! Its graph is dissected as for an elimination [George1973]: bodies into two parts of about as many points, with few points
//! between them, and each part in the same way. What comes of that depends on the island alone, so that bits are the same
//! whatever the threads.

use super::Point;
use super::island::Visited;
use super::lists::Lists;
use crate::linalg::block_six::Row;
use crate::solver::{WORLD, worse};
use crate::threads;
use std::ops::Range;

/// A part has this many points on average at least: visited in some fifteen microseconds, many times what it takes to hand them to another thread. The
/// order of a sweep is another one in parts, worse where bodies are listed from below as in a pyramid: what is smaller is left alone.
const LEAST: usize = 384;

/// Parts of parts at most.
const DEEPEST: u32 = 5;

/// The weight of a half at most, as a part of both.
const HALF: f64 = 0.55;

/// How often bodies may change sides for fewer points between them.
const PASSES: u32 = 3;

/// A part: two parts and the points between them, or bodies that are not parted.
#[derive(Debug, Clone, Copy, Default)]
struct Part {
    /// Bodies.
    bodies: usize,
    /// Points on these and no others.
    points: usize,
    /// Those of them that are in no part of this one.
    own: usize,
    /// Points of its own that sweeps visit.
    active: usize,
}

/// How an island is dissected, and the room for it.
#[derive(Debug, Clone, Default)]
pub(super) struct Dissection {
    /// Bodies of the problem, part by part.
    pub bodies: Vec<u32>,
    /// Points of the problem, part by part, those between two parts after those of both.
    pub points: Vec<u32>,
    /// Each part after its own two parts, of which all have two or none.
    parts: Vec<Part>,
    /// Neighbours of every body; one is a neighbour by each point.
    neighbours: Lists,
    /// The part of every body: the whole is 1, those of `k` are `2 k` and `2 k + 1`.
    part: Vec<u32>,
    /// Bodies by part.
    order: Vec<u32>,
    /// Bodies as they are reached.
    queue: Vec<u32>,
    reached: Vec<bool>,
    /// Part of every point, by place.
    of_point: Vec<u32>,
}

/// Place of the part `height` above that of a leaf, which is told by its number.
fn place(leaf: u32, height: u32) -> u32 {
    let last = leaf | ((1 << height) - 1);
    2 * last - last.count_ones() + height
}

/// Parts of parts that so many points have.
fn depth(points: usize) -> u32 {
    let halvings = (points / LEAST).checked_ilog2().unwrap_or(0);
    halvings.min(DEEPEST)
}

impl Dissection {
    /// Dissects an island of bodies and points of a problem; tells for every body of the problem its place in the island.
    pub fn make(&mut self, all: &[Point], bodies: &[u32], points: &[u32], places: &mut [u32]) {
        let depth = depth(points.len());
        for (k, &body) in bodies.iter().enumerate() {
            places[body as usize] = k as u32;
        }
        self.bodies.clear();
        self.points.clear();
        self.parts.clear();
        if depth == 0 {
            self.bodies.extend_from_slice(bodies);
            self.points.extend_from_slice(points);
            self.parts.push(Part {
                bodies: bodies.len(),
                points: points.len(),
                own: points.len(),
                active: 0,
            });
            return;
        }
        self.link(bodies.len(), all, points, places);
        self.halve(0..bodies.len(), 1, depth);
        self.lay_out(depth, all, bodies, points, places);
    }

    /// Lists the neighbours of every body.
    fn link(&mut self, count: usize, all: &[Point], points: &[u32], places: &[u32]) {
        self.part.clear();
        self.part.resize(count, 1);
        self.order.clear();
        self.order.extend(0..count as u32);
        self.reached.clear();
        self.reached.resize(count, false);
        let pairs = points.iter().map(|&k| all[k as usize].bodies);
        let pairs = pairs
            .filter(|[a, b]| *a != WORLD && *b != WORLD && a != b)
            .map(|pair| pair.map(|b| places[b]));
        let both = pairs.flat_map(|[a, b]| [(a as usize, b), (b as usize, a)]);
        self.neighbours.make(count, both);
    }

    /// What a body counts: its points, and itself.
    fn weight(&self, body: u32) -> usize {
        self.neighbours.of(body as usize).len() + 1
    }

    /// Parts the bodies in a range of the order, which are the part `part`, and their parts `depth` times.
    fn halve(&mut self, range: Range<usize>, part: u32, depth: u32) {
        if depth == 0 || range.is_empty() {
            return;
        }
        // From the farthest of all, bodies as far as each other lie in layers.
        let near = self.order[range.start];
        self.walk(range.clone(), part, near);
        let far = self.queue.last().copied().unwrap_or(near);
        self.walk(range.clone(), part, far);
        let total: usize = self.queue.iter().map(|&b| self.weight(b)).sum();
        let mut light = 0;
        for k in 0..self.queue.len() {
            let body = self.queue[k];
            let first = 2 * light < total;
            light += if first { self.weight(body) } else { 0 };
            self.part[body as usize] = 2 * part + u32::from(!first);
        }
        self.smooth(range.clone(), part, total, light);
        // Within a part bodies keep their order.
        self.queue.clear();
        let mut middle = range.start;
        for k in range.clone() {
            let body = self.order[k];
            if self.part[body as usize] == 2 * part {
                self.order[middle] = body;
                middle += 1;
            } else {
                self.queue.push(body);
            }
        }
        self.order[middle..range.end].copy_from_slice(&self.queue);
        self.halve(range.start..middle, 2 * part, depth - 1);
        self.halve(middle..range.end, 2 * part + 1, depth - 1);
    }

    /// Lists the bodies of a part in the order in which they are reached from one of them, neighbours of the first first.
    fn walk(&mut self, range: Range<usize>, part: u32, start: u32) {
        for k in range.clone() {
            self.reached[self.order[k] as usize] = false;
        }
        self.queue.clear();
        self.spread(start, part);
        // What is not reached from there follows.
        for k in range {
            self.spread(self.order[k], part);
        }
    }

    /// Lists what is reached from a body, unless it was.
    fn spread(&mut self, start: u32, part: u32) {
        let mut at = self.queue.len();
        if !std::mem::replace(&mut self.reached[start as usize], true) {
            self.queue.push(start);
        }
        while let Some(&body) = self.queue.get(at) {
            for &other in self.neighbours.of(body as usize) {
                let here = self.part[other as usize] == part;
                if here && !std::mem::replace(&mut self.reached[other as usize], true) {
                    self.queue.push(other);
                }
            }
            at += 1;
        }
    }

    /// Moves bodies to the other half where that leaves fewer points between both.
    fn smooth(&mut self, range: Range<usize>, part: u32, total: usize, mut light: usize) {
        let most = (HALF * total as f64) as usize;
        for _ in 0..PASSES {
            let mut moved = false;
            for k in range.clone() {
                let body = self.order[k];
                let own = self.part[body as usize];
                let (mut same, mut across) = (0, 0);
                for &other in self.neighbours.of(body as usize) {
                    same += usize::from(self.part[other as usize] == own);
                    across += usize::from(self.part[other as usize] == own ^ 1);
                }
                let weight = self.weight(body);
                let heavier = if own == 2 * part {
                    total - light
                } else {
                    light
                };
                if across > same && heavier + weight <= most {
                    light = if own == 2 * part {
                        light - weight
                    } else {
                        light + weight
                    };
                    self.part[body as usize] = own ^ 1;
                    moved = true;
                }
            }
            if !moved {
                return;
            }
        }
    }

    /// Lists bodies, points and parts.
    fn lay_out(
        &mut self,
        depth: u32,
        all: &[Point],
        bodies: &[u32],
        points: &[u32],
        places: &mut [u32],
    ) {
        let leaves = 1u32 << depth;
        for leaf in 0..leaves {
            for _ in 0..=leaf.trailing_ones() {
                self.parts.push(Part::default());
            }
        }
        for &k in &self.order {
            self.bodies.push(bodies[k as usize]);
            let leaf = self.part[k as usize] - leaves;
            self.parts[place(leaf, 0) as usize].bodies += 1;
        }
        self.of_point.clear();
        for &k in points {
            let [a, b] = all[k as usize].bodies.map(|b| {
                let place = (b != WORLD).then(|| places[b]);
                place.map(|k| self.part[k as usize] - leaves)
            });
            let (a, b) = (a.or(b).unwrap_or(0), b.or(a).unwrap_or(0));
            let height = (a ^ b).checked_ilog2().map_or(0, |high| high + 1);
            let part = place(a, height);
            self.of_point.push(part);
            self.parts[part as usize].own += 1;
        }
        self.sum(depth);
        // Where the next point of a part goes.
        let mut first = 0;
        for part in &mut self.parts {
            part.active = first;
            first += part.own;
        }
        self.points.resize(points.len(), 0);
        for (&k, &part) in points.iter().zip(&self.of_point) {
            let next = &mut self.parts[part as usize].active;
            self.points[*next] = k;
            *next += 1;
        }
        // Until a sweep has visited all.
        self.parts.iter_mut().for_each(|part| part.active = 0);
        for (k, &body) in self.bodies.iter().enumerate() {
            places[body as usize] = k as u32;
        }
    }

    /// Adds up what parts have.
    fn sum(&mut self, depth: u32) {
        for leaf in 0..1 << depth {
            for height in 0..=u32::trailing_ones(leaf) {
                let at = place(leaf, height) as usize;
                let mut part = Part {
                    points: self.parts[at].own,
                    ..self.parts[at]
                };
                if height > 0 {
                    let below = [at - (1 << height), at - 1].map(|k| self.parts[k]);
                    part.bodies = below.iter().map(|b| b.bodies).sum();
                    part.points += below.iter().map(|b| b.points).sum::<usize>();
                }
                self.parts[at] = part;
            }
        }
    }

    /// Points that go, by their places, are gone.
    pub fn forget(&mut self, goes: &[bool]) {
        let mut first = 0;
        for part in &mut self.parts {
            let behind = first + part.own;
            part.own -= goes[first..behind].iter().filter(|&&g| g).count();
            first = behind;
        }
        let leaves = self.parts.len().div_ceil(2);
        self.sum(leaves.ilog2());
    }

    /// What is worked on in all of the island, given its points, a number for each, and motions of its bodies.
    pub fn work<'a>(
        &'a mut self,
        points: &'a mut [Visited],
        active: &'a mut [u32],
        x: &'a mut [Row],
    ) -> Work<'a> {
        Work {
            parts: &mut self.parts,
            first: 0,
            points,
            active,
            x,
        }
    }

    /// Points that sweeps visit.
    pub fn active(&self) -> usize {
        self.parts.iter().map(|part| part.active).sum()
    }
}

/// What is worked on in a part.
pub(super) struct Work<'a> {
    /// Those of the part, itself last.
    parts: &'a mut [Part],
    /// Place of its first body.
    first: u32,
    /// Its points.
    points: &'a mut [Visited],
    /// Room for its points that sweeps visit, by place in what is their part's own.
    active: &'a mut [u32],
    /// Motions of its bodies.
    x: &'a mut [Row],
}

/// What is worked on by one thread: points that are a part's own.
pub(super) struct Own<'a> {
    /// Place of the first body of the part.
    pub first: u32,
    /// The points.
    pub points: &'a mut [Visited],
    /// Room for those that sweeps visit, by place.
    pub active: &'a mut [u32],
    /// How many these are.
    pub count: &'a mut usize,
    /// Motions of the bodies of the part.
    pub x: &'a mut [Row],
}

impl Work<'_> {
    /// Works on the parts of a part at the same time, and then on the points between them; returns the largest of what comes of it.
    pub fn run(self, act: &(impl Fn(Own<'_>) -> f64 + Sync)) -> f64 {
        let Self {
            parts,
            first,
            points,
            active,
            x,
        } = self;
        let Some((part, below)) = parts.split_last_mut() else {
            return 0.0;
        };
        let (inner, points) = points.split_at_mut(part.points - part.own);
        let (inner_active, active) = active.split_at_mut(part.points - part.own);
        let mut largest = 0.0;
        if !below.is_empty() {
            let (left, right) = below.split_at_mut(below.len() / 2);
            let size = left[left.len() - 1];
            let (left_points, right_points) = inner.split_at_mut(size.points);
            let (left_active, right_active) = inner_active.split_at_mut(size.points);
            let (left_x, right_x) = x.split_at_mut(size.bodies);
            let left = Work {
                parts: left,
                first,
                points: left_points,
                active: left_active,
                x: left_x,
            };
            let right = Work {
                parts: right,
                first: first + size.bodies as u32,
                points: right_points,
                active: right_active,
                x: right_x,
            };
            let (one, other) = threads::join(|| left.run(act), || right.run(act));
            largest = worse(one, other);
        }
        let own = act(Own {
            first,
            points,
            active,
            count: &mut part.active,
            x,
        });
        worse(largest, own)
    }
}
