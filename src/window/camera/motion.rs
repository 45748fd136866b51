//! Views that were kept under a name, and cameras that move by themselves.

use crate::camera::orbit::Orbit;
use crate::camera::path::between;
use bevy::prelude::*;
use physics::math::{Pose, Vec3};
use physics::model::BodyId;
use serde::{Deserialize, Serialize};
use std::f64::consts::TAU;

/// Time of one turn about the scene (s).
const TURN: f64 = 24.0;
/// Time of a flight to a view that was kept (s).
const FLIGHT: f64 = 0.45;

/// A number of twelve digits.
fn short(x: f64) -> f64 {
    format!("{x:.11e}").parse().unwrap_or(x)
}

/// How the camera moves while nobody moves it.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum CameraMode {
    /// Not at all.
    #[default]
    Still,
    /// Round what it looks at.
    Turning,
    /// Beside a body, as far from it as it was.
    Following(BodyId),
}

/// What moves the camera.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct CameraMotion {
    /// While nobody moves it.
    pub mode: CameraMode,
    /// Where the body that is followed was in the last frame (m).
    last: Option<Vec3>,
    /// A flight from one view to another, and how long it has lasted (s).
    flight: Option<([Orbit; 2], f64)>,
}

impl CameraMotion {
    /// Begins or ends a way of moving.
    pub fn toggle(&mut self, mode: CameraMode) {
        let mode = if self.mode == mode {
            CameraMode::Still
        } else {
            mode
        };
        *self = Self {
            mode,
            ..Self::default()
        };
    }

    /// Begins a flight.
    pub fn fly(&mut self, from: Orbit, to: Orbit) {
        *self = Self {
            flight: Some(([from, to], 0.0)),
            ..Self::default()
        };
    }

    /// Moves a camera for some seconds.
    pub fn advance(&mut self, orbit: &mut Orbit, poses: &[Pose], seconds: f64) {
        if let Some((ends, lasted)) = &mut self.flight {
            *lasted += seconds;
            let share = (*lasted / FLIGHT).min(1.0);
            // Slowly away, slowly there.
            *orbit = between(ends, share * share * (3.0 - 2.0 * share));
            if share >= 1.0 {
                self.flight = None;
            }
        }
        match self.mode {
            CameraMode::Still => {}
            CameraMode::Turning => orbit.yaw = (orbit.yaw + TAU * seconds / TURN).rem_euclid(TAU),
            CameraMode::Following(body) => {
                let now = poses.get(body.0).map(|pose| pose.translation.vector);
                if let (Some(last), Some(now)) = (self.last, now) {
                    orbit.focus += now - last;
                }
                self.last = now;
            }
        }
    }
}

/// A view with a name.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NamedView {
    /// What it is called.
    pub name: String,
    /// What the camera looks at (m).
    pub focus: [f64; 3],
    /// Angle about the vertical from the x axis to the camera (rad).
    pub yaw: f64,
    /// Elevation of the camera (rad).
    pub pitch: f64,
    /// From the focus to the camera (m).
    pub distance: f64,
    /// Vertical field of view (rad).
    pub field_of_view: f64,
}

impl NamedView {
    /// Keeps where a camera is, to twelve digits: that many come back from a file as they were.
    pub fn new(name: String, orbit: &Orbit) -> Self {
        let Orbit {
            focus,
            yaw,
            pitch,
            distance,
            field_of_view,
        } = *orbit;
        Self {
            name,
            focus: focus.map(short).into(),
            yaw: short(yaw),
            pitch: short(pitch),
            distance: short(distance),
            field_of_view: short(field_of_view),
        }
    }

    /// Where the camera was.
    pub fn orbit(&self) -> Orbit {
        Orbit {
            focus: Vec3::from(self.focus),
            yaw: self.yaw,
            pitch: self.pitch,
            distance: self.distance,
            field_of_view: self.field_of_view,
        }
    }

    /// Whether a camera can be there.
    pub fn is_possible(&self) -> bool {
        let numbers = [self.yaw, self.pitch, self.distance, self.field_of_view];
        let all = self.focus.iter().chain(&numbers);
        let bounded = all.clone().all(|x| x.is_finite());
        bounded
            && self.distance > 0.0
            && self.pitch.abs() < std::f64::consts::FRAC_PI_2
            && (0.01..3.0).contains(&self.field_of_view)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn orbit(yaw: f64) -> Orbit {
        Orbit {
            focus: Vec3::new(yaw, 0.0, 1.0),
            yaw,
            pitch: 0.3,
            distance: 2.0 + yaw,
            field_of_view: 0.7,
        }
    }

    #[test]
    fn a_view_comes_back_as_it_was_kept() {
        let seen = orbit(1.0 / 3.0);
        let kept = NamedView::new("side".into(), &seen);
        // Twelve digits of numbers of the order of one.
        assert!((kept.orbit().eye() - seen.eye()).norm() < 1e-10);
        let text = serde_json::to_string(&kept).unwrap();
        let read: NamedView = serde_json::from_str(&text).unwrap();
        assert_eq!(read, kept);
        assert!(read.is_possible());
        for wrong in [f64::NAN, f64::INFINITY] {
            let impossible = NamedView {
                distance: wrong,
                ..kept.clone()
            };
            assert!(!impossible.is_possible());
        }
    }

    #[test]
    fn a_flight_ends_exactly_at_the_view_and_is_on_its_way_before() {
        let mut motion = CameraMotion::default();
        let mut now = orbit(0.2);
        motion.fly(now, orbit(1.2));
        motion.advance(&mut now, &[], 0.5 * FLIGHT);
        assert!((now.yaw - 0.7).abs() < 1e-9, "half way: {}", now.yaw);
        motion.advance(&mut now, &[], 10.0);
        assert!((now.eye() - orbit(1.2).eye()).norm() < 1e-12);
        now.yaw = 3.0;
        motion.advance(&mut now, &[], 1.0);
        assert_eq!(now.yaw, 3.0, "it is over");
    }

    #[test]
    fn one_turn_comes_back_and_a_follower_keeps_its_distance() {
        let mut motion = CameraMotion::default();
        motion.toggle(CameraMode::Turning);
        let mut now = orbit(0.2);
        for _ in 0..240 {
            motion.advance(&mut now, &[], TURN / 240.0);
        }
        assert!((now.eye() - orbit(0.2).eye()).norm() < 1e-12);
        motion.toggle(CameraMode::Turning);
        assert_eq!(motion.mode, CameraMode::Still);
        motion.toggle(CameraMode::Following(BodyId(0)));
        let at = |x: f64| [Pose::translation(x, 0.0, 0.0)];
        motion.advance(&mut now, &at(5.0), 0.1);
        assert_eq!(now.focus, orbit(0.2).focus, "nothing jumps at first");
        motion.advance(&mut now, &at(5.5), 0.1);
        assert!((now.focus.x - orbit(0.2).focus.x - 0.5).abs() < 1e-15);
    }
}
