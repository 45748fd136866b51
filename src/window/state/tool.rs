//! What the next clicks in the view are for: putting a body somewhere, or connecting two points.

use crate::camera::view::View;
use crate::session::Session;
use crate::session::events::SceneOpened;
use bevy::prelude::*;
use physics::contact::{Hit, Ray};
use physics::math::{Pose, Vec3};
use physics::model::BodyId;
use physics::scene::Kind;
use physics::scene::editing::{Fresh, Link, Point};

/// What the next click in the view is for.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum Mode {
    /// To select.
    #[default]
    Select,
    /// To put a body there.
    Place(Fresh),
    /// To connect two points.
    Attach {
        /// By what.
        link: Link,
        /// The first of them, once it was clicked.
        first: Option<LinkEnd>,
    },
    /// To join a body to the ground, where it is clicked.
    Ground(Kind),
}

/// What the pointer does in the view.
#[derive(Resource, Debug, Clone, PartialEq, Default)]
pub struct Tool {
    /// What the next click is for.
    pub mode: Mode,
    /// The axis of the world that was chosen for the joint that is being made, if one was.
    pub axis: Option<usize>,
    /// Whether handles are hidden.
    pub hides_handles: bool,
}

/// What was begun in the scene before is over.
pub(super) fn on_scene_opened(_: On<SceneOpened>, mut tool: ResMut<Tool>) {
    tool.mode = Mode::Select;
}

/// A point that goes with its body.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LinkEnd {
    /// The body; `None` is the world.
    pub body: Option<BodyId>,
    /// The point in the frame of the body at its centre of mass, or in the world (m).
    pub point: Vec3,
}

impl LinkEnd {
    /// A point as it is fixed to its body.
    pub fn of(point: &Point, poses: &[Pose]) -> Self {
        let fixed = |b: BodyId| {
            let pose = poses.get(b.0)?;
            Some(pose.inverse_transform_point(&point.at.into()).coords)
        };
        Self {
            body: point.body,
            point: point.body.and_then(fixed).unwrap_or(point.at),
        }
    }

    /// Where it is (m).
    pub fn at(&self, poses: &[Pose]) -> Vec3 {
        let pose = self.body.and_then(|b| poses.get(b.0));
        pose.map_or(self.point, |p| {
            (p * nalgebra::Point3::from(self.point)).coords
        })
    }
}

impl Mode {
    /// What a person has to do next, in words.
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::Select => None,
            Self::Place(fresh) => Some(format!(
                "Click where the {} goes. Esc cancels.",
                fresh.word()
            )),
            Self::Ground(kind) => Some(format!(
                "{} to the ground: click the body where it is held.{} Esc cancels.",
                link_word(Link::Joint(*kind)),
                axes_words(Link::Joint(*kind))
            )),
            Self::Attach { link, first } => {
                let what = link_word(*link);
                Some(match first {
                    None => format!(
                        "{what}: click the first point, on a body or on the ground. Esc cancels."
                    ),
                    Some(_) => format!(
                        "{what}: click the second point.{} Esc cancels.",
                        axes_words(*link)
                    ),
                })
            }
        }
    }
}

impl Tool {
    /// The kind of the joint that is being made.
    fn joint(&self) -> Option<Kind> {
        match self.mode {
            Mode::Ground(kind)
            | Mode::Attach {
                link: Link::Joint(kind),
                ..
            } => Some(kind),
            Mode::Select | Mode::Place(_) | Mode::Attach { .. } => None,
        }
    }

    /// Whether a joint is being made whose axis can be chosen.
    pub fn has_axis(&self) -> bool {
        self.joint().is_some_and(has_axis)
    }

    /// The axis of a new joint of a kind, in the world: the one that was chosen, or else that which suits the view.
    pub fn axis_of(&self, kind: Kind, view: &View) -> Option<Vec3> {
        let chosen = self.axis.filter(|_| has_axis(kind));
        chosen.map_or_else(|| axis(kind, view), |k| Some(Vec3::ith(k, 1.0)))
    }
}

/// Whether the axis of a joint of that kind matters.
fn has_axis(kind: Kind) -> bool {
    matches!(kind, Kind::Revolute | Kind::Prismatic)
}

/// The axis of a new joint of a kind, in the world, where none was chosen: a hinge turns across the view, a slider goes
/// along it, both along the nearest axis of the world. Others have no axis that matters.
fn axis(kind: Kind, view: &View) -> Option<Vec3> {
    let back = view.orbit.back();
    let wanted = match kind {
        Kind::Revolute => back,
        Kind::Prismatic => Vec3::z().cross(&back),
        _ => return None,
    };
    Some(Vec3::ith(wanted.iamax(), 1.0))
}

/// How the axis of what connects two points is chosen, in words.
fn axes_words(link: Link) -> &'static str {
    match link {
        Link::Joint(kind) if has_axis(kind) => " X, Y and Z choose the axis.",
        _ => "",
    }
}

/// What connects two points, in words.
pub fn link_word(link: Link) -> &'static str {
    match link {
        Link::Spring => "Spring",
        Link::Cable => "Cable",
        Link::Joint(Kind::Revolute) => "Hinge",
        Link::Joint(Kind::Fixed) => "Weld",
        Link::Joint(Kind::Prismatic) => "Slider",
        Link::Joint(Kind::Universal) => "Universal joint",
        Link::Joint(Kind::Spherical) => "Ball joint",
        Link::Joint(_) => "Joint",
    }
}

/// The point under the pointer: of a body or of the world; where nothing is, on the ground or at the depth of the
/// focus.
pub fn under(hit: Option<Hit>, ray: &Ray, view: &View) -> Point {
    if let Some(hit) = hit {
        return Point {
            body: hit.body,
            at: hit.point,
        };
    }
    let to_ground = -ray.origin.z / ray.direction.z;
    let near = 4.0 * view.orbit.distance;
    let back = view.orbit.back();
    let to_focus = (view.orbit.focus - ray.origin).dot(&back) / ray.direction.dot(&back);
    let distance = if (0.0..near).contains(&to_ground) {
        to_ground
    } else {
        to_focus
    };
    Point {
        body: None,
        at: ray.at(distance),
    }
}

/// Size of a new body that suits the scene (m).
pub fn size(session: &Session, view: &View) -> f64 {
    let model = session.model();
    let reaches = model.bodies.iter().flat_map(|b| &b.shapes);
    let mut reaches: Vec<f64> = reaches.map(|s| s.geometry.reach()).collect();
    reaches.retain(|r| r.is_finite() && *r > 0.0);
    reaches.sort_by(f64::total_cmp);
    let median = reaches.get(reaches.len() / 2).copied();
    // About as large as the others, and visible from where one looks.
    let seen = 0.1 * view.orbit.distance;
    median.map_or(seen, |r| r.clamp(0.3 * seen, 2.0 * seen))
}

#[cfg(test)]
mod tests {
    use super::*;
    use physics::math::Quat;

    #[test]
    fn a_hinge_turns_across_the_view_and_a_slider_goes_along_it() {
        let scene = physics::scene::open("pendulum", &[]).unwrap();
        let mut view = View::of(&Session::new(scene).unwrap());
        for (eye, hinge, slider) in [
            (Vec3::new(0.3, -4.0, 1.5), Vec3::y(), Vec3::x()),
            (Vec3::new(4.0, 0.5, 1.5), Vec3::x(), Vec3::y()),
            (Vec3::new(0.3, -0.4, 5.0), Vec3::z(), Vec3::x()),
        ] {
            view.orbit = crate::camera::orbit::Orbit::looking(eye, Vec3::zeros(), 0.7);
            assert_eq!(axis(Kind::Revolute, &view), Some(hinge), "{eye}");
            assert_eq!(axis(Kind::Prismatic, &view), Some(slider), "{eye}");
            assert_eq!(axis(Kind::Spherical, &view), None);
            let tool = Tool {
                axis: Some(2),
                ..Tool::default()
            };
            assert_eq!(tool.axis_of(Kind::Revolute, &view), Some(Vec3::z()));
            assert_eq!(tool.axis_of(Kind::Spherical, &view), None);
        }
    }

    #[test]
    fn an_end_goes_with_its_body() {
        let pose = |x: f64| {
            Pose::from_parts(
                Vec3::new(x, 0.0, 0.0).into(),
                Quat::from_scaled_axis(Vec3::z() * x),
            )
        };
        let point = Point {
            body: Some(BodyId(0)),
            at: Vec3::new(1.0, 2.0, 3.0),
        };
        let end = LinkEnd::of(&point, &[pose(0.5)]);
        assert!((end.at(&[pose(0.5)]) - point.at).norm() < 1e-15);
        assert!((end.at(&[pose(1.5)]) - point.at).norm() > 0.5);
        let world = Point {
            body: None,
            ..point
        };
        assert_eq!(LinkEnd::of(&world, &[]).at(&[]), point.at);
    }
}
