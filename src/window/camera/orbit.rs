//! The camera: a point it looks at, two angles and a distance; rays and projections in double precision.

use physics::contact::Ray;
use physics::math::{Mat3, Vec3};
use std::f64::consts::{FRAC_PI_2, PI, TAU};

/// The rectangle of the window that the view fills [points, from the upper left corner].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Viewport {
    /// Left and upper edge.
    pub corner: [f64; 2],
    /// Width and height.
    pub size: [f64; 2],
}

impl Default for Viewport {
    fn default() -> Self {
        Self {
            corner: [0.0; 2],
            size: [1.0; 2],
        }
    }
}

impl Viewport {
    /// Whether a point of the window lies in it.
    pub fn contains(&self, at: [f64; 2]) -> bool {
        (0..2).all(|k| (0.0..self.size[k]).contains(&(at[k] - self.corner[k])))
    }

    /// Width over height.
    pub fn aspect(&self) -> f64 {
        self.size[0] / self.size[1].max(1.0)
    }
}

/// A camera that circles a point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Orbit {
    /// What it looks at (m).
    pub focus: Vec3,
    /// Angle about the vertical from the x axis to the camera (rad).
    pub yaw: f64,
    /// Elevation of the camera (rad).
    pub pitch: f64,
    /// From the focus to the camera (m).
    pub distance: f64,
    /// Vertical field of view (rad).
    pub field_of_view: f64,
}

/// The camera never quite reaches the vertical, where the horizon would turn over.
const STEEPEST: f64 = FRAC_PI_2 - 1e-3;
/// A view that is narrower sees as much from left to right as one of this shape [width over height].
const NARROWEST: f64 = 1.3;
/// Height above the floor that the camera keeps, as a fraction of its distance.
const CLEARANCE: f64 = 0.02;
/// Closest and farthest distance (m).
const REACH: (f64, f64) = (1e-3, 1e5);

impl Orbit {
    /// A camera at a point that looks at another.
    pub fn looking(eye: Vec3, target: Vec3, field_of_view: f64) -> Self {
        let back = eye - target;
        let distance = back.norm();
        if distance < REACH.0 {
            let mut still = Self::looking(
                target + Vec3::new(0.0, -REACH.0, 0.0) * 2.0,
                target,
                field_of_view,
            );
            still.distance = REACH.0;
            return still;
        }
        Self {
            focus: target,
            yaw: back.y.atan2(back.x),
            pitch: (back.z / distance).asin().clamp(-STEEPEST, STEEPEST),
            distance: distance.min(REACH.1),
            field_of_view,
        }
    }

    /// From the focus towards the camera.
    pub fn back(&self) -> Vec3 {
        let (s, c) = self.pitch.sin_cos();
        Vec3::new(c * self.yaw.cos(), c * self.yaw.sin(), s)
    }

    /// Where the camera is (m).
    pub fn eye(&self) -> Vec3 {
        self.focus + self.back() * self.distance
    }

    /// Right, up and back as columns.
    pub fn axes(&self) -> Mat3 {
        let back = self.back();
        let right = Vec3::new(-self.yaw.sin(), self.yaw.cos(), 0.0);
        Mat3::from_columns(&[right, back.cross(&right), back])
    }

    /// Vertical field of view in a view of some shape (rad). A narrow one sees more above and below instead of less on
    /// both sides.
    pub fn seen(&self, view: &Viewport) -> f64 {
        let widened = (NARROWEST / view.aspect()).max(1.0);
        2.0 * ((0.5 * self.field_of_view).tan() * widened).atan()
    }

    /// Metres per point at a depth in front of the camera.
    pub fn metres_per_point(&self, depth: f64, view: &Viewport) -> f64 {
        2.0 * depth * (0.5 * self.seen(view)).tan() / view.size[1].max(1.0)
    }

    /// The ray through a point of the window.
    pub fn ray(&self, view: &Viewport, at: [f64; 2]) -> Ray {
        let unit = self.metres_per_point(1.0, view);
        let x = (at[0] - view.corner[0] - 0.5 * view.size[0]) * unit;
        let y = (at[1] - view.corner[1] - 0.5 * view.size[1]) * unit;
        Ray {
            origin: self.eye(),
            direction: (self.axes() * Vec3::new(x, -y, -1.0)).normalize(),
        }
    }

    /// Where a point of the world is in the window; none if it is behind the camera.
    pub fn project(&self, view: &Viewport, point: &Vec3) -> Option<[f64; 2]> {
        let p = self.axes().transpose() * (point - self.eye());
        if p.z > -1e-9 * self.distance {
            return None;
        }
        let unit = self.metres_per_point(-p.z, view);
        Some([
            view.corner[0] + 0.5 * view.size[0] + p.x / unit,
            view.corner[1] + 0.5 * view.size[1] - p.y / unit,
        ])
    }

    /// Turns about the focus for a movement of the pointer (points).
    pub fn turn(&mut self, by: [f64; 2], view: &Viewport) {
        // The height of the view is half a turn.
        let unit = PI / view.size[1].max(1.0);
        self.yaw = (self.yaw - by[0] * unit).rem_euclid(TAU);
        self.pitch = (self.pitch + by[1] * unit).clamp(-STEEPEST, STEEPEST);
    }

    /// Shifts the focus so that it stays under the pointer (points).
    pub fn pan(&mut self, by: [f64; 2], view: &Viewport) {
        let unit = self.metres_per_point(self.distance, view);
        self.focus += self.axes() * Vec3::new(-by[0] * unit, by[1] * unit, 0.0);
    }

    /// Raises the camera, by its angle as far as that goes and by its focus from there on, until it is above a floor at
    /// that height (m).
    pub fn keep_above(&mut self, floor: f64) {
        let least = floor + CLEARANCE * self.distance;
        if self.eye().z >= least {
            return;
        }
        self.pitch = ((least - self.focus.z) / self.distance)
            .clamp(-1.0, 1.0)
            .asin()
            .clamp(-STEEPEST, STEEPEST);
        self.focus.z += (least - self.eye().z).max(0.0);
    }

    /// Scales the distance, keeping what is under the pointer in its place.
    pub fn zoom(&mut self, factor: f64, view: &Viewport, at: [f64; 2]) {
        let ray = self.ray(view, at);
        let reached = (self.distance * factor).clamp(REACH.0, REACH.1);
        // The point of the focal plane under the pointer.
        let depth = self.distance / -ray.direction.dot(&self.back());
        let fixed = ray.at(depth);
        self.focus = fixed + (self.focus - fixed) * (reached / self.distance);
        self.distance = reached;
    }

    /// Brings a ball into view without turning.
    pub fn frame(&mut self, centre: Vec3, radius: f64, view: &Viewport) {
        let half = 0.5 * self.seen(view);
        let narrow = half.min((half.tan() * view.aspect()).atan());
        self.focus = centre;
        self.distance = (1.15 * radius / narrow.sin()).clamp(REACH.0, REACH.1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const VIEW: Viewport = Viewport {
        corner: [100.0, 40.0],
        size: [800.0, 600.0],
    };

    fn camera() -> Orbit {
        Orbit::looking(Vec3::new(3.0, -4.0, 2.0), Vec3::new(0.5, 0.2, -0.3), 0.7)
    }

    #[test]
    fn a_ray_goes_through_what_it_points_at() {
        let camera = camera();
        assert!((camera.eye() - Vec3::new(3.0, -4.0, 2.0)).norm() < 1e-12);
        for point in [
            Vec3::new(0.5, 0.2, -0.3),
            Vec3::new(0.1, 1.0, 0.4),
            Vec3::new(-1.0, 0.0, 0.0),
        ] {
            let at = camera.project(&VIEW, &point).unwrap();
            let ray = camera.ray(&VIEW, at);
            let distance = (point - ray.origin).norm();
            assert!((ray.at(distance) - point).norm() < 1e-12, "{point}");
        }
        let centre = camera.project(&VIEW, &camera.focus).unwrap();
        assert!((centre[0] - 500.0).abs() < 1e-9 && (centre[1] - 340.0).abs() < 1e-9);
        assert_eq!(camera.project(&VIEW, &(camera.eye() + camera.back())), None);
    }

    #[test]
    fn a_narrow_view_cuts_nothing_off_at_the_sides() {
        let camera = camera();
        let shares = |width: f64| {
            let view = Viewport {
                corner: [0.0; 2],
                size: [width, 600.0],
            };
            let edge = camera.focus + camera.axes().column(0) * 0.9;
            camera.project(&view, &edge).unwrap()[0] / width
        };
        let [upright, square, wide] = [300.0, 600.0, 600.0 * NARROWEST].map(shares);
        assert!((upright - wide).abs() < 1e-12 && (square - wide).abs() < 1e-12);
        // From there on a wider view sees more on both sides.
        assert!(shares(1200.0) < wide);
    }

    #[test]
    fn zoom_keeps_the_point_under_the_pointer_and_pan_carries_it_along() {
        let mut camera = camera();
        let at = [220.0, 130.0];
        let ray = camera.ray(&VIEW, at);
        let fixed = ray.at(camera.distance / -ray.direction.dot(&camera.back()));
        camera.zoom(0.4, &VIEW, at);
        let after = camera.project(&VIEW, &fixed).unwrap();
        assert!((after[0] - at[0]).abs() < 1e-9 && (after[1] - at[1]).abs() < 1e-9);
        let focus = camera.focus;
        camera.pan([30.0, -20.0], &VIEW);
        let moved = camera.project(&VIEW, &focus).unwrap();
        assert!((moved[0] - 530.0).abs() < 1e-9 && (moved[1] - 320.0).abs() < 1e-9);
    }

    #[test]
    fn a_camera_that_is_kept_above_the_floor_turns_up_and_only_then_moves_up() {
        let mut camera = camera();
        let above = camera;
        camera.keep_above(-1.0);
        assert_eq!(camera, above, "it was above");
        // From any direction and distance, the focus above the floor: it stays where it is.
        for (pitch, distance) in [(-1.5, 0.5), (-0.7, 3.0), (-0.1, 400.0)] {
            camera = Orbit {
                pitch,
                distance,
                ..above
            };
            camera.keep_above(-0.4);
            assert!(camera.eye().z > -0.4, "{pitch} {distance}");
            assert_eq!((camera.focus, camera.yaw), (above.focus, above.yaw));
        }
        // What it looks at is deeper below the floor than the camera is far: the focus rises.
        camera = Orbit {
            distance: 0.5,
            ..above
        };
        camera.focus.z = -7.0;
        camera.keep_above(-0.4);
        assert!(camera.eye().z > -0.4 && camera.focus.z > -7.0);
    }

    #[test]
    fn a_framed_ball_fits_and_the_camera_never_turns_over() {
        let mut camera = camera();
        camera.turn([0.0, 1e6], &VIEW);
        assert!(camera.back().z < 1.0 && camera.axes().determinant() > 0.999);
        camera.frame(Vec3::new(1.0, 2.0, 3.0), 2.0, &VIEW);
        let axes = camera.axes();
        for k in 0..2 {
            let rim = camera.focus + axes.column(k) * 2.0;
            assert!(VIEW.contains(camera.project(&VIEW, &rim).unwrap()));
        }
    }
}
