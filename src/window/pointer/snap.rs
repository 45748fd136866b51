//! Snapping: points that the pointer nearly meets, round coordinates and angles.

use crate::camera::view::View;
use crate::pointer::Pointer;
use crate::scene3d::layers::scale::round_up;
use physics::math::Vec3;
use physics::model::{BodyId, Geometry, Model, Shape};
use physics::scene::editing::Point;

/// How near the pointer has to be to a point of a body for that to be taken (points).
const NEAR: f64 = 12.0;
/// Steps of positions are at least so long on the screen (points).
const STEP: f64 = 8.0;
/// Steps of angles (rad).
pub const ANGLE: f64 = std::f64::consts::PI / 12.0;

/// The nearest multiple of a step.
pub fn to_multiple(x: f64, step: f64) -> f64 {
    step * (x / step).round()
}

/// The step of positions at a point: 1, 2 or 5 times a power of ten (m), as it suits how large that is on the screen.
pub fn step_at(view: &View, point: &Vec3) -> f64 {
    let depth = (view.orbit.eye() - point).dot(&view.orbit.back());
    let size = view.orbit.metres_per_point(depth, &view.viewport);
    round_up(STEP * size.abs().max(f64::MIN_POSITIVE))
}

/// The point that a click means: of a body its centre, the ends and faces of its shapes and its joints, where one of them is
/// near the pointer; with Shift held, of the world one with round coordinates.
pub fn snapped(point: Point, pointer: &Pointer, model: &Model, view: &View) -> Point {
    let Some(body) = point.body else {
        return match pointer.modifiers.shift {
            true => round(point, view),
            false => point,
        };
    };
    let Some(pose) = view.poses.get(body.0) else {
        return point;
    };
    let distance = |at: &Vec3| {
        let [x, y] = view.orbit.project(&view.viewport, at)?;
        Some((x - pointer.at[0]).hypot(y - pointer.at[1]))
    };
    let there = marked(model, body)
        .into_iter()
        .map(|p| (pose * nalgebra::Point3::from(p)).coords);
    let near = there.filter_map(|at| Some((distance(&at)?, at)));
    let nearest = near
        .filter(|n| n.0 < NEAR)
        .min_by(|a, b| a.0.total_cmp(&b.0));
    let at = nearest.map_or(point.at, |n| n.1);
    Point { at, ..point }
}

/// A point on the ground at round coordinates, at the height where it is.
fn round(point: Point, view: &View) -> Point {
    let step = step_at(view, &point.at);
    let [x, y] = [point.at.x, point.at.y].map(|c| to_multiple(c, step));
    Point {
        at: Vec3::new(x, y, point.at.z),
        ..point
    }
}

/// Points of a body that are worth meeting, body frame (m).
fn marked(model: &Model, body: BodyId) -> Vec<Vec3> {
    let mut points = vec![Vec3::zeros()];
    points.extend(model.bodies[body.0].shapes.iter().flat_map(ends));
    for joint in &model.joints {
        if joint.child == body {
            points.push(joint.child_frame.anchor);
        }
        if joint.parent == Some(body) {
            points.push(joint.parent_frame.anchor);
        }
    }
    points
}

/// The centre of a shape, and those of its faces or ends, body frame (m).
fn ends(shape: &Shape) -> Vec<Vec3> {
    let mut points = vec![Vec3::zeros()];
    let mut both = |end: Vec3| points.extend([end, -end]);
    match &shape.geometry {
        Geometry::Box { size } => (0..3).for_each(|k| both(Vec3::ith(k, 0.5 * size[k]))),
        Geometry::Cylinder { length, .. } | Geometry::Capsule { length, .. } => {
            both(Vec3::z() * (0.5 * length));
        }
        Geometry::Cone { length, .. } => {
            points.extend([0.75, -0.25].map(|share| Vec3::z() * (share * length)));
        }
        _ => {}
    }
    points
        .iter()
        .map(|p| (shape.pose * nalgebra::Point3::from(*p)).coords)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::Session;

    /// A scene, its view, and the pointer at a point of the world.
    fn at(spec: &str, point: Vec3, off: [f64; 2], shift: bool) -> (Session, View, Pointer) {
        let session = Session::new(physics::scene::open(spec, &[]).unwrap()).unwrap();
        let mut view = View::of(&session);
        view.viewport.size = [1000.0, 800.0];
        view.stand(&session);
        let [x, y] = view.orbit.project(&view.viewport, &point).unwrap();
        let mut pointer = Pointer::default();
        pointer.at = [x + off[0], y + off[1]];
        pointer.modifiers.shift = shift;
        (session, view, pointer)
    }

    #[test]
    fn a_point_of_a_body_that_is_nearly_met_is_taken_and_another_is_left() {
        let session = Session::new(physics::scene::open("pendulum", &[]).unwrap()).unwrap();
        let model = session.model();
        let anchor =
            session.poses()[0] * nalgebra::Point3::from(model.joints[0].child_frame.anchor);
        for (off, met) in [([5.0, -4.0], true), ([40.0, 30.0], false)] {
            let (session, view, pointer) = at("pendulum", anchor.coords, off, false);
            // Where the rod is hit is not where it ends.
            let hit = Point {
                body: Some(BodyId(0)),
                at: anchor.coords + Vec3::new(0.013, 0.02, -0.017),
            };
            let found = snapped(hit, &pointer, session.model(), &view);
            assert_eq!(found.body, hit.body);
            assert_eq!((found.at - anchor.coords).norm() < 1e-12, met, "{found:?}");
            assert_eq!(found == hit, !met);
        }
    }

    #[test]
    fn with_shift_a_point_of_the_ground_has_round_coordinates() {
        let ground = Point {
            body: None,
            at: Vec3::new(0.123_456, -0.345_678, 0.0),
        };
        for shift in [false, true] {
            let (session, view, pointer) = at("pendulum", ground.at, [0.0; 2], shift);
            let found = snapped(ground, &pointer, session.model(), &view);
            let step = step_at(&view, &ground.at);
            assert!((found.at - ground.at).norm() < step);
            let is_round = |x: f64| (x / step - (x / step).round()).abs() < 1e-9;
            assert_eq!(
                is_round(found.at.x) && is_round(found.at.y),
                shift,
                "{found:?}"
            );
        }
    }
}
