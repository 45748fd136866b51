//! How the camera of a film moves.

use crate::camera::bounds;
use crate::camera::framing;
use crate::camera::orbit::{Orbit, Viewport};
use crate::camera::view::{Axis, View};
use crate::session::Session;
use physics::math::{Pose, Vec3};
use physics::model::{BodyId, Model};
use std::f64::consts::{FRAC_PI_2, TAU};
use std::str::FromStr;

/// How a camera moves.
#[derive(Debug, Clone, PartialEq)]
pub enum CameraMove {
    /// The scene's own camera.
    Scene,
    /// Where the scene as it begins fills the picture, seen from the scene's camera.
    Framed,
    /// Three-quarter from above, where the mechanism at the first frame fills the picture: from the side of the world's
    /// axis that is nearest to the scene's camera.
    Corner,
    /// Along an axis of the world.
    Along(Axis),
    /// Round the scene's middle, so many times during the film.
    Around(f64),
    /// Beside a body, by its name, as far from it as at first.
    Follow(String),
    /// Through some views, evenly and smoothly, during the film.
    Through(Vec<Orbit>),
}

/// What `FromStr` accepts.
const EXPECTED: &str = "scene, framed, corner, front, side, top, orbit, orbit=TURNS or follow=BODY";

/// Angle beside the axis and elevation of [`CameraMove::Corner`] (rad), and how much of the picture is filled.
const CORNER: ([f64; 2], f64) = ([-0.5, 0.38], 0.86);

/// A camera that there is not.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("found the camera `{found}`, expected {expected}")]
pub struct UnknownCamera {
    /// What was asked for.
    pub found: String,
    /// What there is.
    pub expected: String,
}

impl FromStr for CameraMove {
    type Err = UnknownCamera;

    fn from_str(text: &str) -> Result<Self, UnknownCamera> {
        let wrong = || UnknownCamera {
            found: text.into(),
            expected: EXPECTED.into(),
        };
        Ok(match text.split_once('=') {
            None => match text {
                "scene" => Self::Scene,
                "framed" => Self::Framed,
                "corner" => Self::Corner,
                "front" => Self::Along(Axis::Front),
                "side" => Self::Along(Axis::Side),
                "top" => Self::Along(Axis::Top),
                "orbit" => Self::Around(1.0),
                _ => return Err(wrong()),
            },
            Some(("orbit", turns)) => match turns.parse::<f64>() {
                Ok(turns) if turns.is_finite() => Self::Around(turns),
                _ => return Err(wrong()),
            },
            Some(("follow", body)) if !body.is_empty() => Self::Follow(body.into()),
            Some(_) => return Err(wrong()),
        })
    }
}

/// Where the camera is at any time of a film.
#[derive(Debug, Clone, PartialEq)]
pub struct CameraPath {
    /// Where it is at first, unless it goes through views.
    first: Orbit,
    turns: f64,
    /// The body that it follows, and where that was at first (m).
    follows: Option<(BodyId, Vec3)>,
    through: Vec<Orbit>,
    /// What is framed at the first frame, in which view.
    frames: Option<(Model, Viewport)>,
}

impl CameraPath {
    /// The path of a camera in a scene as it begins, for pictures of such a size [pixels].
    pub fn new(
        plan: &CameraMove,
        session: &Session,
        size: [u32; 2],
    ) -> Result<Self, UnknownCamera> {
        let mut view = View::of(session);
        view.viewport = Viewport {
            corner: [0.0; 2],
            size: size.map(f64::from),
        };
        let mut path = Self {
            first: view.orbit,
            turns: 0.0,
            follows: None,
            through: Vec::new(),
            frames: None,
        };
        let frame = |view: &mut View| {
            let ball = bounds::scene(session.model(), session.poses());
            view.frame(ball);
            view.orbit
        };
        match plan {
            CameraMove::Scene => {}
            CameraMove::Framed => path.first = frame(&mut view),
            CameraMove::Corner => {
                let [aside, above] = CORNER.0;
                path.first.yaw = (path.first.yaw / FRAC_PI_2).round() * FRAC_PI_2 + aside;
                path.first.pitch = above;
                path.frames = Some((session.model().clone(), view.viewport));
                path.begin(session.poses());
            }
            CameraMove::Along(axis) => {
                view.look(*axis);
                path.first = frame(&mut view);
            }
            CameraMove::Around(turns) => path.turns = *turns,
            CameraMove::Follow(name) => {
                let bodies = &session.model().bodies;
                let body = bodies.iter().position(|b| b.name == *name);
                let body = body.ok_or_else(|| {
                    let names: Vec<&str> =
                        bodies.iter().take(12).map(|b| b.name.as_str()).collect();
                    let more = if bodies.len() > names.len() {
                        ", …"
                    } else {
                        ""
                    };
                    UnknownCamera {
                        found: format!("follow={name}"),
                        expected: format!(
                            "follow= and one of the bodies {}{more}",
                            names.join(", ")
                        ),
                    }
                })?;
                let at = session.poses()[body].translation.vector;
                path.follows = Some((BodyId(body), at));
            }
            CameraMove::Through(views) => path.through.clone_from(views),
        }
        Ok(path)
    }

    /// The first frame shows the bodies at the given poses.
    pub fn begin(&mut self, poses: &[Pose]) {
        if let Some((model, view)) = &self.frames {
            let balls = bounds::mechanism_and_stand(model, poses);
            self.first = framing::framed(self.first, view, &balls, CORNER.1);
        }
    }

    /// Where the camera is after a share of the film, with the bodies at the given poses.
    pub fn orbit(&self, share: f64, poses: &[Pose]) -> Orbit {
        let mut orbit = match self.through.as_slice() {
            [] => self.first,
            views => between(views, share),
        };
        orbit.yaw += TAU * self.turns * share;
        if let Some((body, at)) = self.follows {
            orbit.focus += poses[body.0].translation.vector - at;
        }
        orbit
    }
}

/// The view after a share of the way through some, by a curve that passes through each and has no kinks
/// (Catmull and Rom 1974).
pub fn between(views: &[Orbit], share: f64) -> Orbit {
    let last = views.len() - 1;
    let at = share.clamp(0.0, 1.0) * last as f64;
    let k = (at.floor() as usize).min(last.saturating_sub(1));
    let s = at - k as f64;
    let near = |offset: isize| {
        let index = (k as isize + offset).clamp(0, last as isize);
        &views[index as usize]
    };
    let four = [near(-1), near(0), near(1), near(2)];
    let curve = |p: [f64; 4]| {
        let [a, b, c, d] = p;
        b + 0.5 * s * (c - a + s * (2.0 * a - 5.0 * b + 4.0 * c - d + s * (3.0 * (b - c) + d - a)))
    };
    // The shorter way round from each view to the next.
    let mut yaw = four.map(|v| v.yaw);
    for (from, to) in [(1, 0), (1, 2), (2, 3)] {
        yaw[to] = yaw[from] + (yaw[to] - yaw[from] + 0.5 * TAU).rem_euclid(TAU) - 0.5 * TAU;
    }
    Orbit {
        focus: Vec3::from_fn(|axis, _| curve(four.map(|v| v.focus[axis]))),
        yaw: curve(yaw),
        pitch: curve(four.map(|v| v.pitch)),
        // By its logarithm, so that it is never negative and zooming is even.
        distance: curve(four.map(|v| v.distance.ln())).exp(),
        field_of_view: curve(four.map(|v| v.field_of_view)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn session() -> Session {
        Session::new(physics::scene::open("double_pendulum", &[]).unwrap()).unwrap()
    }

    fn path(text: &str) -> Result<CameraPath, UnknownCamera> {
        CameraPath::new(&text.parse()?, &session(), [1280, 720])
    }

    #[test]
    fn cameras_have_names_and_wrong_ones_are_answered_with_the_right() {
        for name in [
            "scene",
            "framed",
            "corner",
            "front",
            "side",
            "top",
            "orbit",
            "orbit=-0.5",
        ] {
            assert!(path(name).is_ok(), "{name}");
        }
        for (name, part) in [
            ("round", "orbit=TURNS"),
            ("orbit=x", "orbit=TURNS"),
            ("follow=", "follow=BODY"),
            ("follow=nobody", "one of the bodies"),
        ] {
            let said = path(name).unwrap_err().to_string();
            assert!(said.contains(part), "{name}: {said}");
        }
    }

    #[test]
    fn the_corner_fills_the_picture_with_the_mechanism_as_it_is_at_the_first_frame() {
        let mut session = session();
        let mut camera = path("corner").unwrap();
        for _ in 0..120 {
            assert!(session.step());
        }
        let poses = session.poses();
        camera.begin(poses);
        let orbit = camera.orbit(0.0, poses);
        let view = Viewport {
            corner: [0.0; 2],
            size: [1280.0, 720.0],
        };
        let balls = bounds::mechanism_and_stand(session.model(), poses);
        let seen = framing::Extent::of(&orbit, &view, &balls).unwrap();
        assert!(seen.is_inside() && (seen.share() - CORNER.1).abs() < 1e-6);
        // It moves in the plane across the x axis, and is seen from that side.
        assert!(orbit.back().x > 0.7 && orbit.back().z > 0.3);
    }

    #[test]
    fn an_orbit_ends_where_it_began_and_a_follower_keeps_its_distance() {
        let session = session();
        let poses = session.poses();
        let around = path("orbit").unwrap();
        let [first, half, last] = [0.0, 0.5, 1.0].map(|s| around.orbit(s, poses).eye());
        assert!((first - last).norm() < 1e-12 * first.norm());
        let focus = around.orbit(0.0, poses).focus;
        assert!(((first - focus).xy() + (half - focus).xy()).norm() < 1e-12 * first.norm());

        let name = &session.model().bodies[1].name;
        let follower = path(&format!("follow={name}")).unwrap();
        let mut moved = poses.to_vec();
        moved[1].translation.vector += Vec3::new(1.0, 2.0, -0.5);
        let shift = follower.orbit(0.3, &moved).eye() - follower.orbit(0.3, poses).eye();
        assert!((shift - Vec3::new(1.0, 2.0, -0.5)).norm() < 1e-12);
    }

    #[test]
    fn a_path_meets_its_views_and_turns_the_shorter_way() {
        let view = |yaw: f64, distance: f64| Orbit {
            focus: Vec3::new(distance, 0.0, yaw),
            yaw,
            pitch: 0.1 * yaw,
            distance,
            field_of_view: 0.7,
        };
        let views = [view(0.1, 2.0), view(6.2, 4.0), view(5.0, 1.0)];
        for (k, wanted) in views.iter().enumerate() {
            let found = between(&views, k as f64 / 2.0);
            assert!((found.eye() - wanted.eye()).norm() < 1e-12, "{k}");
        }
        // From 0.1 to 6.2 it is 0.18 backwards.
        let quarter = between(&views, 0.25).yaw.rem_euclid(TAU);
        assert!(!(0.35..=6.0).contains(&quarter), "{quarter}");
        let steps: Vec<Orbit> = (0..=1000)
            .map(|k| between(&views, k as f64 / 1000.0))
            .collect();
        let jumps = steps.windows(2).map(|p| (p[1].eye() - p[0].eye()).norm());
        assert!(jumps.fold(0.0, f64::max) < 0.05, "no kink and no jump");
        assert_eq!(between(&views[..1], 0.7), views[0]);
    }
}
