//! How much of a view something fills, and the camera that makes it fill as much as it should.

use crate::camera::orbit::{Orbit, Viewport};
use physics::math::Vec3;

/// Rounds until a camera has settled.
const ROUNDS: usize = 200;

/// Part of the way to the middle that a round goes, and the power of the distance's: nearer balls look larger, so that whole
/// ways overshoot and swing.
const PART: (f64, f64) = (0.5, 0.3);

/// What is seen of something, as parts of the view's width and height; 0 is its middle, a half its edge.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Extent {
    /// Left and right edge.
    pub across: [f64; 2],
    /// Lower and upper edge.
    pub upright: [f64; 2],
}

impl Extent {
    /// What is seen of balls, each given by centre and radius (m); none if all are behind the camera.
    pub fn of(orbit: &Orbit, view: &Viewport, balls: &[(Vec3, f64)]) -> Option<Self> {
        let none = [f64::INFINITY, -f64::INFINITY];
        let (mut across, mut upright) = (none, none);
        let hold = |edges: &mut [f64; 2], at: f64, reach: f64| {
            *edges = [edges[0].min(at - reach), edges[1].max(at + reach)];
        };
        for (centre, radius) in balls {
            let Some([x, y]) = orbit.project(view, centre) else {
                continue;
            };
            let depth = (orbit.eye() - centre).dot(&orbit.back());
            let reach = radius / orbit.metres_per_point(depth, view);
            let [width, height] = view.size;
            let x = (x - view.corner[0]) / width - 0.5;
            let y = 0.5 - (y - view.corner[1]) / height;
            hold(&mut across, x, reach / width);
            hold(&mut upright, y, reach / height);
        }
        (across[0] <= across[1]).then_some(Self { across, upright })
    }

    /// The larger of the parts of width and height that are filled.
    pub fn share(&self) -> f64 {
        let size = |[low, high]: [f64; 2]| high - low;
        size(self.across).max(size(self.upright))
    }

    /// Whether all of it is in the view.
    pub fn is_inside(&self) -> bool {
        let ends = self.across.iter().chain(&self.upright);
        ends.map(|x| x.abs()).fold(0.0, f64::max) < 0.5
    }
}

/// The camera that looks from the same side at the middle of what is seen of balls, from where they fill a share of the
/// view's width or height.
pub fn framed(mut orbit: Orbit, view: &Viewport, balls: &[(Vec3, f64)], share: f64) -> Orbit {
    let Some((first, _)) = balls.first() else {
        return orbit;
    };
    // From where all of it is in front of the camera, and at the depth that is looked at.
    let (low, high) = balls
        .iter()
        .fold((*first, *first), |(low, high), (at, radius)| {
            (
                low.inf(&at.add_scalar(-radius)),
                high.sup(&at.add_scalar(*radius)),
            )
        });
    orbit.focus = 0.5 * (low + high);
    orbit.distance = (high - low).norm() / (0.5 * orbit.field_of_view).tan();
    for _ in 0..ROUNDS {
        let Some(now) = Extent::of(&orbit, view, balls) else {
            break;
        };
        let unit = orbit.metres_per_point(orbit.distance, view);
        let middle = |[low, high]: [f64; 2], size: f64| PART.0 * 0.5 * (low + high) * size * unit;
        let aside = middle(now.across, view.size[0]);
        let above = middle(now.upright, view.size[1]);
        orbit.focus += orbit.axes() * Vec3::new(aside, above, 0.0);
        orbit.distance *= (now.share() / share).powf(PART.1).clamp(0.7, 1.5);
    }
    orbit
}

#[cfg(test)]
mod tests {
    use super::*;

    const VIEW: Viewport = Viewport {
        corner: [10.0, 20.0],
        size: [800.0, 500.0],
    };

    #[test]
    fn what_is_framed_fills_its_share_in_the_middle_of_the_view() {
        let balls = [
            (Vec3::new(0.3, -0.2, 1.0), 0.1),
            (Vec3::new(2.0, 0.5, 1.8), 0.0),
            (Vec3::new(-1.0, 0.1, 0.2), 0.4),
        ];
        let first = Orbit::looking(Vec3::new(30.0, -12.0, 9.0), Vec3::new(4.0, 4.0, 4.0), 0.7);
        for share in [0.3, 0.66, 0.9] {
            let orbit = framed(first, &VIEW, &balls, share);
            let seen = Extent::of(&orbit, &VIEW, &balls).unwrap();
            assert!((seen.share() - share).abs() < 1e-6, "{seen:?}");
            for [low, high] in [seen.across, seen.upright] {
                assert!((low + high).abs() < 1e-6, "{seen:?}");
            }
            assert!(seen.is_inside());
            assert_eq!((orbit.yaw, orbit.pitch), (first.yaw, first.pitch));
            // Wherever the camera was before.
            let beyond = Orbit {
                focus: first.focus - 100.0 * first.back(),
                ..first
            };
            let again = framed(beyond, &VIEW, &balls, share);
            assert!((again.eye() - orbit.eye()).norm() < 1e-6);
        }
        assert_eq!(Extent::of(&first, &VIEW, &[]), None);
    }
}
