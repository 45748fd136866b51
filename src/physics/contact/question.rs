//! What is asked of a pair of solids, on a grid far below all lengths told apart: where the answer depends on nothing else it can
//! be remembered.

use super::solid::Solid;
use crate::math::{Pose, Quat, Vec3};
use crate::model::BodyState;

/// Distance of contacts, in sizes of the smaller solid, from which on solids may pass over a face during the step that
/// they are not over at its start.
const FAST: f64 = 0.5;

/// Grid of positions, in sizes of the smaller solid, and of the numbers of an orientation, on which pairs are
/// compared: far below all lengths that the narrow phase tells apart (the least is 1e-10 sizes), far above the
/// rounding by which resting bodies tremble.
const GRAIN: f64 = 1.0 / (1_u64 << 38) as f64;

/// Thicknesses of a surface that are as much as the size of a solid.
pub(super) const THICK: f64 = 10.0;

/// All that the contacts of a pair depend on, but for what is constant.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Question {
    /// Numbers of the solids.
    pub numbers: [usize; 2],
    /// Their poses on the [grid](on_grid).
    pub poses: [Pose; 2],
    /// Distance within which contacts are looked for (m).
    pub near: f64,
    /// Direction in which the first moves against the second, if it is fast.
    pub motion: Option<Vec3>,
}

/// Smallest extent of two solids (m).
pub(super) fn size(solids: [&Solid; 2]) -> f64 {
    solids[0].size.min(solids[1].size)
}

/// The size of the smaller of two solids, or what a surface that is thin is worth (m).
pub(super) fn scale(pair: [&Solid; 2]) -> f64 {
    let thickness = pair.map(|solid| THICK * solid.thickness);
    size(pair).min(thickness[0]).min(thickness[1])
}

/// Distance within which contacts of a pair are looked for (m).
pub(super) fn prediction(pair: [&Solid; 2], reach: &[f64]) -> f64 {
    let moved = pair.map(|s| s.body.map_or(0.0, |b| reach[b.0]));
    rounded_up(moved[0] + moved[1] + super::margin(size(pair)))
}

/// What is to be found for a pair.
pub(super) fn ask(
    pair: [&Solid; 2],
    numbers: [usize; 2],
    near: f64,
    bodies: &[BodyState],
) -> Question {
    let size = size(pair);
    let velocity = pair.map(|s| {
        s.body
            .map_or_else(Vec3::zeros, |b| bodies[b.0].velocity.linear)
    });
    Question {
        numbers,
        poses: pair.map(|s| on_grid(&s.pose(bodies), size)),
        near,
        motion: match near > FAST * size {
            true => (velocity[0] - velocity[1]).try_normalize(0.0),
            false => None,
        },
    }
}

/// The pose on the grid for a pair whose smaller solid has the given size (m).
fn on_grid(pose: &Pose, size: f64) -> Pose {
    if !size.is_finite() {
        return *pose;
    }
    let grain = GRAIN * size;
    let at = pose.translation.vector.map(|x| whole(x / grain) * grain);
    let turn = pose.rotation.coords.map(|x| whole(x / GRAIN) * GRAIN);
    Pose::from_parts(at.into(), Quat::new_normalize(turn.into()))
}

/// The nearest whole number: there are no others near this constant. What is larger is rounded as its own digits are.
fn whole(number: f64) -> f64 {
    const NO_FRACTIONS: f64 = 1.5 * (1_u64 << 52) as f64;
    (number + NO_FRACTIONS) - NO_FRACTIONS
}

/// A positive number with four digits of its binary fraction, at most a sixteenth larger.
fn rounded_up(number: f64) -> f64 {
    const REST: u64 = (1 << 48) - 1;
    f64::from_bits((number.to_bits() + REST) & !REST)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_are_rounded_up_by_a_sixteenth_at_most() {
        for number in [1e-12, 0.3, 1.0, 1.062_5, 7.77e3] {
            let rounded = rounded_up(number);
            assert!(rounded >= number && rounded <= number * 1.0625, "{number}");
            assert_eq!(rounded_up(rounded), rounded);
        }
        assert_eq!(rounded_up(0.0), 0.0);
        assert_eq!(rounded_up(f64::INFINITY), f64::INFINITY);
    }

    #[test]
    fn a_pose_that_trembles_is_the_same_on_the_grid() {
        let turn = Quat::from_euler_angles(0.3, -1.2, 0.7);
        let at = Vec3::new(0.25, -3.0, 1e-3);
        let pose = |at: Vec3| on_grid(&Pose::from_parts(at.into(), turn), 0.5);
        let there = pose(at);
        // A tremble of rounding, and less than half a grain from where it is on the grid.
        assert_eq!(pose(there.translation.vector + Vec3::repeat(1e-14)), there);
        assert!((there.translation.vector - at).amax() <= 0.5 * GRAIN * 0.5);
        assert!(there.rotation.angle_to(&turn) < 4.0 * GRAIN);
    }
}
