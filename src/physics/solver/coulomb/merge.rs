//! Points of one pair of bodies that are nearly the same are solved as one.
//!
//! Where two points have the same rows to a few thousandths and gaps that differ a little, both close only by a
//! rotation that nothing wants: Newton's method ends halfway, and sweeps move the force over at the rate of the gap.

use super::island::{Fixed, Island};
use crate::linalg::block_six::six;
use crate::math::Vec3;
use crate::solver::worse;

/// Which points were merged.
#[derive(Debug, Clone, Default)]
pub(super) struct Merge {
    /// Places in the problem of points that are solved as another one.
    gone: Vec<usize>,
    /// Points by pair of bodies.
    order: Vec<u32>,
    /// Whether a point of the island goes.
    goes: Vec<bool>,
}

impl Merge {
    /// Forgets what was merged.
    pub fn clear(&mut self) {
        self.gone.clear();
    }

    /// Places in the problem of points that are solved as another one.
    pub fn gone(&self) -> impl Iterator<Item = usize> {
        self.gone.iter().copied()
    }
}

impl Island {
    /// Merges points of one pair of bodies whose normal rows, those of forces and those of velocities, differ by less
    /// than `part` of their mobility. The one that closes first stays, with the impulses of both.
    pub(super) fn merge(&mut self, part: f64) {
        if part <= 0.0 {
            return;
        }
        let mut merge = std::mem::take(&mut self.merge);
        merge.goes.clear();
        merge.goes.resize(self.points.len(), false);
        merge.order.clear();
        merge.order.extend(0..self.points.len() as u32);
        // Those that close first come first; ties by their places.
        merge.order.sort_unstable_by(|&a, &b| {
            let key = |k: u32| {
                (
                    self.points[k as usize].bodies,
                    self.points[k as usize].free.0[0],
                )
            };
            let ((one, first), (other, second)) = (key(a), key(b));
            one.cmp(&other)
                .then(first.total_cmp(&second))
                .then(a.cmp(&b))
        });
        for i in 0..merge.order.len() {
            let kept = merge.order[i] as usize;
            if merge.goes[kept] {
                continue;
            }
            for j in i + 1..merge.order.len() {
                let other = merge.order[j] as usize;
                if self.points[other].bodies != self.points[kept].bodies {
                    break;
                }
                if !merge.goes[other] && self.are_alike(kept, other, part) {
                    self.take_over(kept, other);
                    merge.goes[other] = true;
                    merge.gone.push(self.fixed[other].index);
                }
            }
        }
        self.dissection.forget(&merge.goes);
        let mut goes = merge.goes.iter();
        self.points.retain(|_| !goes.next().is_some_and(|&g| g));
        let mut goes = merge.goes.iter();
        self.fixed.retain(|_| !goes.next().is_some_and(|&g| g));
        self.merge = merge;
    }

    /// Whether two points of one pair have nearly the same normal rows, measured by what the bodies answer.
    fn are_alike(&self, a: usize, b: usize, part: f64) -> bool {
        let (one, other) = (&self.fixed[a], &self.fixed[b]);
        if one.rows != other.rows {
            return false;
        }
        let over = [a, b].map(|k| self.points[k].local.over);
        if !over.iter().all(|&over| over > 0.0) {
            return false;
        }
        // Mobilities along both rows without the effective mass, and without what gives.
        let size = |k: usize, fixed: &Fixed| {
            (1.0 / self.points[k].local.over - fixed.compliance[0]) / fixed.mass
        };
        let bound = part * part * (size(a, one) + size(b, other));
        let (m, n) = (1.0 / one.mass, 1.0 / other.mass);
        // Forces have the effective mass in them.
        let of_forces = ([&one.force, &other.force], [m, n]);
        let of_velocities = ([&one.gradient, &other.gradient], [1.0; 2]);
        for (rows, [p, q]) in [of_forces, of_velocities] {
            let mut apart = 0.0;
            for side in 0..2 {
                let body = &self.bodies[self.points[a].bodies[side] as usize];
                let [x, y] = rows.map(|rows| six(&rows[side][0]));
                apart += body.answer(&std::array::from_fn(|k| x[k] * p - y[k] * q));
                if apart > bound || apart.is_nan() {
                    return false;
                }
            }
        }
        true
    }

    /// Gives a point the impulses of another one; those along tangents as a vector, since tangents may differ.
    fn take_over(&mut self, kept: usize, other: usize) {
        let (to, from) = (&self.fixed[kept], &self.fixed[other]);
        let side = to.own_side();
        let scale = 1.0 / to.mass;
        let push = |row: usize| {
            let [x, y, z, ..] = six(&from.force[side][row]);
            // The effective mass is in the rows.
            Vec3::new(x, y, z) * self.points[other].impulse[row]
        };
        let all = push(1) + push(2);
        let mut sum = self.points[kept].impulse;
        sum[0] += self.points[other].impulse[0] * from.mass * scale;
        for row in 1..to.rows {
            let [x, y, z, ..] = six(&to.force[side][row]);
            let direction = Vec3::new(x, y, z) * scale;
            sum[row] += direction.dot(&all) * scale;
        }
        let largest = sum.iter().fold(0.0, |m, x: &f64| worse(m, x.abs()));
        if largest.is_finite() {
            self.points[kept].impulse = sum;
        }
    }
}
