//! An impulse from outside that depends on the motion sought.

use super::MechanismSolver;
use crate::math::lanes::V4;
use crate::math::{Mat3, Vec3};

/// Impulse on a body over an interval, and minus its derivative with respect to the motion of `z2`.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Load {
    /// The body.
    pub body: usize,
    /// Impulse about the centre of mass: linear (N·s) and angular (N·m·s), world axes.
    pub impulse: [Vec3; 2],
    /// Blocks `[linear, angular] × [displacement, rotation]`.
    pub slope: [[Mat3; 2]; 2],
}

impl Load {
    /// A part of it.
    pub fn scaled(&self, part: f64) -> Self {
        Self {
            body: self.body,
            impulse: self.impulse.map(|i| i * part),
            slope: self.slope.map(|row| row.map(|block| block * part)),
        }
    }

    /// Adds another impulse on the same body.
    pub fn add(&mut self, other: &Self) {
        for row in 0..2 {
            self.impulse[row] += other.impulse[row];
            for column in 0..2 {
                self.slope[row][column] += other.slope[row][column];
            }
        }
    }
}

impl MechanismSolver {
    /// Puts a load into the right-hand side and the matrix of the next solve; without one there is none.
    pub(super) fn put(&mut self, load: Option<&Load>) {
        self.elimination.extra = load.map(|load| {
            let index = self.topology.links[load.body];
            let rhs = &mut self.links.links[index].rhs;
            let mut block = [V4::ZERO; 12];
            for k in 0..3 {
                rhs.linear.0[k] += load.impulse[0][k];
                rhs.angular.0[k] += load.impulse[1][k];
                for (row, column, base) in [(0, 0, 0), (1, 0, 3), (0, 1, 6), (1, 1, 9)] {
                    block[base + k] = V4::from3(&load.slope[row][column].column(k).into_owned());
                }
            }
            (index, block)
        });
    }
}
