//! Right-hand sides through fronts that are eliminated.

use super::super::elimination::Elimination;
use super::super::links::{Links, Spatial};
use super::super::topology::Topology;
use super::{Fronts, Room, dot, six};
use crate::linalg::lu;

impl Room {
    /// Solves for the right-hand sides of the ended block.
    fn solve_ended(&mut self) {
        lu::solve(
            &self.lu,
            self.ended,
            &self.order,
            |i| self.gamma[i],
            &mut self.x_gamma,
        );
    }
}

impl Fronts {
    /// Takes right-hand sides of zero in the place of those that were eliminated: nothing is open.
    pub fn close(&mut self) {
        for room in self.rooms.iter_mut().chain(&mut self.ground) {
            room.gamma.fill(0.0);
        }
    }

    /// Changes the right-hand side of `link` by the loop constraints that end there, once they are eliminated.
    pub fn press_at(&mut self, link: usize, b: &mut Spatial) {
        let room = &mut self.rooms[link];
        let (n, e) = (room.rows, room.ended);
        if e == 0 {
            return;
        }
        room.solve_ended();
        for i in 0..e {
            let (h, x) = (&room.h[i], room.x_gamma[i]);
            for r in 0..3 {
                b.linear.0[r] += h[r] * x;
                b.angular.0[r] += h[3 + r] * x;
            }
            for f in e..n {
                room.gamma[f] -= room.w[f * n + i] * x;
            }
        }
    }

    /// Passes the right-hand sides of the other loop constraints on from `link`, once its pair is eliminated.
    pub fn press_on(&mut self, link: usize, links: &Links, e: &Elimination, topology: &Topology) {
        let target = &topology.fronts[link].target;
        if target.is_empty() {
            return;
        }
        let it = &links.links[link];
        let drive = &e.drive[it.first_column..][..it.freedoms];
        let (from, to) = self.upwards(link, links, topology);
        for (f, &t) in target.iter().enumerate() {
            let passed = &mut from.gamma[from.ended + f];
            for (kn, y) in from.reach[it.freedoms * f..].iter().zip(drive) {
                *passed -= kn * y;
            }
            to.gamma[t] += *passed;
        }
    }

    /// Solves for the loop constraints that end at the world, by the factors at hand.
    pub fn press_on_ground(&mut self) {
        for room in &mut self.ground {
            room.solve_ended();
            for (i, &g) in room.global.iter().enumerate() {
                self.change[g] = room.x_gamma[i];
            }
        }
    }

    /// Adds to `drive` what the loop constraints passed on by `link` do to its free coordinates.
    pub fn drive(&self, link: usize, first_column: usize, freedoms: usize, drive: &mut [f64]) {
        let room = &self.rooms[link];
        let p = room.rows - room.ended;
        for k in 0..freedoms {
            for j in 0..p {
                drive[first_column + k] +=
                    room.lever[k * p + j] * self.change[room.global[room.ended + j]];
            }
        }
    }

    /// Finds the multipliers of the loop constraints that end at `link`, once its motion is known.
    pub fn resolve(&mut self, link: usize, motion: &Spatial) {
        let room = &self.rooms[link];
        let p = room.rows - room.ended;
        let motion = six(motion);
        for i in 0..room.ended {
            let passed: f64 = (0..p)
                .map(|j| room.x_f[i * p + j] * self.change[room.global[room.ended + j]])
                .sum();
            self.change[room.global[i]] = room.x_gamma[i] - dot(&room.x_k[i], &motion) - passed;
        }
    }
}
