//! Where the scene is seen from, and in which part of the window.

use crate::camera::bounds;
use crate::camera::bounds::Ball;
use crate::camera::motion::{CameraMode, CameraMotion};
use crate::camera::orbit::{Orbit, Viewport};
use crate::session::Session;
use crate::session::events::ModelEdited;
use crate::theme::lighting;
use bevy::prelude::*;
use physics::math::{Pose, Vec3};
use std::f64::consts::FRAC_PI_2;

/// The view.
#[derive(Resource, Debug, Clone)]
pub struct View {
    /// The camera.
    pub orbit: Orbit,
    /// What moves it while nobody does.
    pub motion: CameraMotion,
    /// The part of the window that it fills [points of the interface].
    pub viewport: Viewport,
    /// Other parts of the window, each as large, that show other motions from the same place.
    pub linked: Vec<Viewport>,
    /// Points of the window per point of the interface.
    pub points: f32,
    /// Height of the floor that the camera stays above (m); none where it may go below.
    pub floor: Option<f64>,
    /// The ball that holds the scene as it was opened.
    pub ball: Ball,
    /// Simulated time at which they are drawn (s).
    pub time: f64,
    /// Poses of the bodies as they are drawn.
    pub poses: Vec<Pose>,
    /// Floating parts of the interface, which keep the pointer for themselves: left, top, right, bottom.
    pub floating: Vec<[f64; 4]>,
    /// Whether the interface takes the keys.
    pub typing: bool,
}

impl View {
    /// The view of a scene as it opens.
    pub fn of(session: &Session) -> Self {
        let orbit = scene_orbit(session);
        let height = floor(session);
        Self {
            // A scene that is to be seen from below says so by its camera.
            floor: (orbit.eye().z >= height).then_some(height),
            orbit,
            motion: CameraMotion::default(),
            viewport: Viewport {
                corner: [0.0; 2],
                size: [1280.0, 720.0],
            },
            linked: Vec::new(),
            time: session.sample().time,
            points: 1.0,
            ball: bounds::scene(session.model(), session.poses()),
            poses: session.poses().to_vec(),
            floating: Vec::new(),
            typing: false,
        }
    }

    /// Looks at a scene that was just opened.
    pub fn open(&mut self, session: &Session) {
        let Self {
            orbit,
            floor,
            ball,
            poses,
            ..
        } = Self::of(session);
        (self.orbit, self.floor, self.ball, self.poses) = (orbit, floor, ball, poses);
        self.motion = CameraMotion::default();
    }

    /// Lets the camera go below the floor, or keeps it above again.
    pub fn toggle_below(&mut self, session: &Session) {
        self.floor = match self.floor {
            Some(_) => None,
            None => Some(floor(session)),
        };
    }

    /// Shows the bodies where they are at the moment that the session has reached.
    pub fn stand_in(world: &mut World) {
        world.resource_scope(|world, mut view: Mut<Self>| {
            view.stand(world.resource::<Session>());
        });
    }

    /// Shows the bodies where they are at the moment that a session has reached.
    pub fn stand(&mut self, session: &Session) {
        self.time = session.sample().time;
        self.poses.clear();
        self.poses.extend_from_slice(session.poses());
    }

    /// Whether a point of the window belongs to the view, not to the interface.
    pub fn owns(&self, at: [f64; 2]) -> bool {
        let inside =
            |r: &[f64; 4]| (r[0]..=r[2]).contains(&at[0]) && (r[1]..=r[3]).contains(&at[1]);
        let mut seen = std::iter::once(&self.viewport).chain(&self.linked);
        seen.any(|v| v.contains(at)) && !self.floating.iter().any(inside)
    }

    /// The point of the view itself that a point in a linked part of the window corresponds to.
    pub fn local(&self, at: [f64; 2]) -> [f64; 2] {
        let own = self.viewport.corner;
        match self.linked.iter().find(|v| v.contains(at)) {
            Some(other) => [0, 1].map(|k| at[k] - other.corner[k] + own[k]),
            None => at,
        }
    }

    /// Brings the whole scene into view.
    pub fn frame_all(&mut self, session: &Session) {
        let ball = bounds::scene(session.model(), &self.poses);
        self.orbit.frame(ball.centre, ball.radius, &self.viewport);
    }

    /// Brings a ball into view.
    pub fn frame(&mut self, ball: Ball) {
        self.orbit.frame(ball.centre, ball.radius, &self.viewport);
    }

    /// Looks along an axis.
    pub fn look(&mut self, axis: Axis) {
        let back = match axis {
            Axis::Front => -Vec3::y(),
            Axis::Side => Vec3::x(),
            // From above, the x axis points to the right.
            Axis::Top => {
                self.orbit.yaw = -FRAC_PI_2;
                self.orbit.pitch = FRAC_PI_2 - 1e-3;
                return;
            }
        };
        let Orbit {
            focus,
            distance,
            field_of_view,
            ..
        } = self.orbit;
        self.orbit = Orbit::looking(focus + back * distance, focus, field_of_view);
    }
}

/// The camera that a scene asks for.
pub fn scene_orbit(session: &Session) -> Orbit {
    let camera = &session.scene().view.camera;
    Orbit::looking(
        camera.eye,
        camera.target,
        f64::from(lighting::FIELD_OF_VIEW),
    )
}

/// Height of the floor as it is drawn (m).
fn floor(session: &Session) -> f64 {
    bounds::drawn_floor(session.model(), session.poses())
}

/// A view along an axis.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Axis {
    /// Looking along y.
    Front,
    /// Looking along -x.
    Side,
    /// Looking down.
    Top,
}

/// The camera stays with the body that it follows, by name.
pub fn on_model_edited(edited: On<ModelEdited>, mut view: ResMut<View>) {
    if let CameraMode::Following(body) = view.motion.mode {
        match edited.body(body) {
            Some(now) => view.motion.mode = CameraMode::Following(now),
            None => view.motion = CameraMotion::default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_point_in_a_linked_view_stands_for_the_same_point_of_the_view_itself() {
        let scene = physics::scene::open("pendulum", &[]).unwrap();
        let mut view = View::of(&Session::new(scene).unwrap());
        let size = [300.0, 200.0];
        let corner = [10.0, 40.0];
        view.viewport = Viewport { corner, size };
        assert!(!view.owns([350.0, 60.0]));
        let corner = [312.0, 40.0];
        view.linked = vec![Viewport { corner, size }];
        assert!(view.owns([350.0, 60.0]) && view.owns([20.0, 60.0]));
        assert_eq!(view.local([350.0, 60.0]), [48.0, 60.0]);
        assert_eq!(view.local([20.0, 60.0]), [20.0, 60.0]);
        view.floating = vec![[340.0, 50.0, 400.0, 90.0]];
        assert!(!view.owns([350.0, 60.0]));
    }
}
