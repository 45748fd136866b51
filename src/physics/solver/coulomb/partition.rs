//! Which bodies and points are an island: those that points on two bodies join. The world joins nothing.

use super::lists::Lists;
use super::{Point, WORLD};

/// Bodies and points by island.
#[derive(Debug, Clone, Default)]
pub struct Partition {
    /// For every body another one of its island with a smaller or the same index.
    parent: Vec<u32>,
    /// For every body its island.
    island: Vec<u32>,
    count: usize,
    bodies: Lists,
    points: Lists,
}

/// The first body of an island.
fn root(parent: &mut [u32], mut body: u32) -> u32 {
    while parent[body as usize] != body {
        // Each step halves the way for those that come after.
        let above = parent[parent[body as usize] as usize];
        parent[body as usize] = above;
        body = above;
    }
    body
}

/// A body of a point.
fn body(point: &Point) -> Option<usize> {
    point.bodies.into_iter().find(|&b| b != WORLD)
}

impl Partition {
    /// Finds the islands of `count` bodies, by their first bodies; within one, bodies and points keep their order.
    pub fn make(&mut self, count: usize, points: &[Point]) {
        self.parent.clear();
        self.parent.extend(0..count as u32);
        for point in points {
            let [a, b] = point.bodies;
            if a != WORLD && b != WORLD {
                let a = root(&mut self.parent, a as u32);
                let b = root(&mut self.parent, b as u32);
                self.parent[a.max(b) as usize] = a.min(b);
            }
        }
        self.number(count);
        let island = &self.island;
        let own = |body: usize| island[body] as usize;
        let bodies = (0..count).map(|body| (own(body), body as u32));
        self.bodies.make(self.count, bodies);
        let points = points.iter().enumerate().filter(|(_, p)| !p.idle);
        let points = points.filter_map(|(k, p)| body(p).map(|body| (own(body), k as u32)));
        self.points.make(self.count, points);
    }

    /// Numbers the islands.
    fn number(&mut self, count: usize) {
        self.island.clear();
        self.count = 0;
        for body in 0..count {
            let root = root(&mut self.parent, body as u32) as usize;
            if root == body {
                self.island.push(self.count as u32);
                self.count += 1;
            } else {
                self.island.push(self.island[root]);
            }
        }
    }

    /// Number of islands.
    pub fn islands(&self) -> usize {
        self.count
    }

    /// Bodies and points of an island, in order; without points that are idle.
    pub fn island(&self, k: usize) -> (&[u32], &[u32]) {
        (self.bodies.of(k), self.points.of(k))
    }
}
