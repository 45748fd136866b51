//! Which bodies and points are an island: those that points on two bodies join. The world joins nothing.

use super::{Point, WORLD};

/// Bodies and points by island.
#[derive(Debug, Clone, Default)]
pub struct Partition {
    /// For every body another one of its island with a smaller or the same index.
    parent: Vec<u32>,
    /// For every body its island.
    island: Vec<u32>,
    bodies: Vec<u32>,
    points: Vec<u32>,
    /// First of the bodies and of the points of every island, and their numbers.
    first: Vec<[u32; 2]>,
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
        for point in points.iter().filter(|point| !point.idle) {
            if let Some(body) = body(point) {
                self.first[self.island[body] as usize + 1][1] += 1;
            }
        }
        for k in 1..self.first.len() {
            for side in 0..2 {
                self.first[k][side] += self.first[k - 1][side];
            }
        }
        self.fill(count, points);
    }

    /// Numbers the islands and counts their bodies, each behind its place.
    fn number(&mut self, count: usize) {
        self.island.clear();
        self.first.clear();
        self.first.push([0; 2]);
        for body in 0..count {
            let root = root(&mut self.parent, body as u32) as usize;
            if root == body {
                self.island.push(self.first.len() as u32 - 1);
                self.first.push([0; 2]);
            } else {
                self.island.push(self.island[root]);
            }
            self.first[self.island[body] as usize + 1][0] += 1;
        }
    }

    /// Writes bodies and points to their places.
    fn fill(&mut self, count: usize, points: &[Point]) {
        let total = self.first.last().copied().unwrap_or_default();
        self.bodies.clear();
        self.bodies.resize(total[0] as usize, 0);
        self.points.clear();
        self.points.resize(total[1] as usize, 0);
        for body in 0..count {
            let next = &mut self.first[self.island[body] as usize][0];
            self.bodies[*next as usize] = body as u32;
            *next += 1;
        }
        for (k, point) in points.iter().enumerate().filter(|(_, p)| !p.idle) {
            if let Some(body) = body(point) {
                let next = &mut self.first[self.island[body] as usize][1];
                self.points[*next as usize] = k as u32;
                *next += 1;
            }
        }
        // Each place has moved to that of the next island.
        self.first.rotate_right(1);
        self.first[0] = [0; 2];
    }

    /// Number of islands.
    pub fn islands(&self) -> usize {
        self.first.len() - 1
    }

    /// Bodies and points of an island, in order; without points that are idle.
    pub fn island(&self, k: usize) -> (&[u32], &[u32]) {
        let ([body, point], [bodies_end, points_end]) = (self.first[k], self.first[k + 1]);
        (
            &self.bodies[body as usize..bodies_end as usize],
            &self.points[point as usize..points_end as usize],
        )
    }
}
