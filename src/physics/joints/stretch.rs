//! What a spring on a joint coordinate is stretched by.
//!
//! For displacements and angles that is the coordinate less its rest. A component of a rotation vector jumps from `π` to
//! `-π` at half a turn, and the energy of a spring that rests elsewhere than at 0 would jump with it: every turn would give
//! or take some. Springs on free rotations are therefore stretched by that component of the rotation from the orientation
//! in which they rest, `log(R exp(rest e)ᵀ)`, whose square is the same on both sides.

use super::coordinates::{coordinates, nearest_turn, rotation_row, turn_between};
use super::curvature::{PairSlope, coordinate_curvature, rotation_curvature};
use super::placement::Placement;
use super::{coordinate_row, relative_rotation};
use crate::math::{Quat, Vec3};
use crate::model::{JointKind, JointSpring, Row};

/// A spring of a joint at one configuration.
#[derive(Debug, Clone, Copy)]
pub struct Stretch<'a> {
    kind: JointKind,
    at: &'a Placement,
    coordinate: usize,
    /// Coordinate less its rest (m, rad).
    pub value: f64,
    /// Of free rotations, the component and the rotation vector from where the spring rests (rad).
    turn: Option<(usize, Vec3)>,
}

impl<'a> Stretch<'a> {
    /// Of a spring of a joint of some kind; `reference` are unwrapped angles less than half a turn away.
    pub fn of(
        kind: JointKind,
        spring: &JointSpring,
        at: &'a Placement,
        reference: [f64; 2],
    ) -> Self {
        let coordinate = spring.coordinate;
        let component = coordinate.checked_sub(kind.free_translations());
        let turn = component.filter(|_| kind.free_rotations() == 3).map(|k| {
            let rest = Quat::from_scaled_axis(Vec3::ith(k, spring.rest)).to_rotation_matrix();
            (k, turn_between(rest.matrix(), &relative_rotation(at)))
        });
        let value = match turn {
            Some((k, vector)) => vector[k],
            None => coordinates(kind, at, reference)[coordinate] - spring.rest,
        };
        Self {
            kind,
            at,
            coordinate,
            value,
            turn,
        }
    }

    /// The same on the branch of free rotations that is nearest to a [turn](Self::turn), so that it goes on past half a
    /// turn.
    pub fn near(self, turn: &Vec3) -> Self {
        let Some((k, vector)) = self.turn else {
            return self;
        };
        let vector = nearest_turn(&vector, turn);
        Self {
            value: vector[k],
            turn: Some((k, vector)),
            ..self
        }
    }

    /// Rotation vector from where a spring on a free rotation rests (rad); zero for others.
    pub fn turn(&self) -> Vec3 {
        self.turn.map_or_else(Vec3::zeros, |(_, vector)| vector)
    }

    /// Its gradient: the wrench on the child per unit force.
    pub fn row(&self) -> Row {
        match &self.turn {
            Some((k, vector)) => rotation_row(self.at, vector, *k),
            None => coordinate_row(self.kind, self.at, self.coordinate),
        }
    }

    /// Slope of the wrenches of `magnitude` times the [row](Self::row).
    pub fn curvature(&self, magnitude: f64) -> PairSlope {
        match &self.turn {
            Some((k, vector)) => rotation_curvature(self.at, vector, *k, magnitude),
            None => coordinate_curvature(self.kind, self.at, self.coordinate, magnitude),
        }
    }
}
