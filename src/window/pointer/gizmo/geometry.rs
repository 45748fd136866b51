//! Where handles are, which one is under the pointer, and what pulling one asks for.

use crate::camera::view::View;
use crate::pointer::snap::{self, to_multiple};
use physics::contact::Ray;
use physics::kinematics::Goal;
use physics::math::{Pose, Quat, Vec3, rotation};
use physics::model::BodyId;
use std::f64::consts::TAU;

/// A handle, by the axis of the world along or about which it acts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Handle {
    /// An arrow.
    Move(usize),
    /// A square, which moves across its axis.
    Slide(usize),
    /// A ring.
    Turn(usize),
}

/// A handle that is held.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Grab {
    /// The handle.
    pub handle: Handle,
    /// Its body.
    pub body: BodyId,
    /// Where the body is to go.
    pub goal: Goal,
    start: Pose,
    /// Where it was taken hold of (m).
    from: Vec3,
    /// Angle by which a ring was turned so far (rad).
    turned: f64,
    /// To multiples of what coordinates of the world snap (m).
    step: f64,
}

/// Length of an arrow on the screen (points).
const LENGTH: f64 = 92.0;
/// Where an arrow begins, as a fraction of its length: the centre stays free for other grips.
const BEGIN: f64 = 0.25;
/// Where a square begins and ends along both of its sides, as fractions of the length of an arrow.
const SQUARE: [f64; 2] = [0.36, 0.56];
/// Radius of a ring, as a fraction of the length of an arrow.
const RADIUS: f64 = 0.72;
/// How near the pointer has to be (points).
const NEAR: f64 = 7.0;
/// Corners of a ring.
const CORNERS: usize = 64;
/// Slope of the view to the plane of a square below which it is not there.
const SIDE: f64 = 0.15;
/// Slope of the view to the plane of a ring below which the ring is not turned: it is seen from the side.
const GRAZING: f64 = 0.05;

/// Length of the handles of a body that is there (m); none behind the camera.
pub fn reach(view: &View, centre: &Vec3) -> Option<f64> {
    let depth = (view.orbit.eye() - centre).dot(&view.orbit.back());
    let size = view.orbit.metres_per_point(depth, &view.viewport) * LENGTH;
    (depth > 0.0 && size.is_finite()).then_some(size)
}

/// The axis of the world of that number.
fn axis(k: usize) -> Vec3 {
    Vec3::ith(k, 1.0)
}

/// Both ends of an arrow (m).
pub fn arrow(centre: &Vec3, reach: f64, k: usize) -> [Vec3; 2] {
    [BEGIN, 1.0].map(|share| centre + axis(k) * (share * reach))
}

/// Corners of a square, which lies between two arrows (m); none where it is seen from the side.
pub fn square(view: &View, centre: &Vec3, reach: f64, k: usize) -> Option<[Vec3; 4]> {
    let sight = (centre - view.orbit.eye()).normalize();
    if sight.dot(&axis(k)).abs() < SIDE {
        return None;
    }
    let [from, to] = SQUARE.map(|share| share * reach);
    let (x, y) = (axis((k + 1) % 3), axis((k + 2) % 3));
    let corners = [[from, from], [to, from], [to, to], [from, to]];
    Some(corners.map(|[a, b]| centre + x * a + y * b))
}

/// Corners of a ring, closed (m), and whether each lies on the side of the camera.
pub fn ring(view: &View, centre: &Vec3, reach: f64, k: usize) -> Vec<(Vec3, bool)> {
    let (x, y) = rotation::complete(&axis(k));
    let back = view.orbit.back();
    let corner = |n: usize| {
        let (s, c) = (TAU * n as f64 / CORNERS as f64).sin_cos();
        let arm = x * c + y * s;
        (centre + arm * (RADIUS * reach), arm.dot(&back) > -0.05)
    };
    (0..=CORNERS).map(corner).collect()
}

/// The handle under the pointer of a body at a pose: arrows before squares and these before rings, the nearest of each.
pub fn pick(view: &View, pose: &Pose, at: [f64; 2]) -> Option<Handle> {
    let centre = pose.translation.vector;
    let reach = reach(view, &centre)?;
    let seen = |p: &Vec3| view.orbit.project(&view.viewport, p);
    let near = |a: &Vec3, b: &Vec3| Some(distance(seen(a)?, seen(b)?, at));
    let nearest = |found: Vec<(f64, Handle)>| {
        let within = found.into_iter().filter(|f| f.0 < NEAR);
        within.min_by(|a, b| a.0.total_cmp(&b.0)).map(|f| f.1)
    };
    let arrows = (0..3).filter_map(|k| {
        let [a, b] = arrow(&centre, reach, k);
        // An arrow that points at the camera cannot be pulled along.
        let sight = (centre - view.orbit.eye()).normalize();
        let facing = sight.dot(&axis(k)).abs() > 0.98;
        (!facing).then_some((near(&a, &b)?, Handle::Move(k)))
    });
    let found = nearest(arrows.collect());
    let squares = || {
        (0..3).find_map(|k| {
            let corners = square(view, &centre, reach, k)?.map(|p| seen(&p));
            let [Some(a), Some(b), Some(c), Some(d)] = corners else {
                return None;
            };
            inside([a, b, c, d], at).then_some(Handle::Slide(k))
        })
    };
    found.or_else(squares).or_else(|| {
        let rings = (0..3).filter_map(|k| {
            let corners = ring(view, &centre, reach, k);
            let sides = corners.windows(2).filter(|w| w[0].1 && w[1].1);
            let near = sides.filter_map(|w| near(&w[0].0, &w[1].0));
            Some((near.min_by(f64::total_cmp)?, Handle::Turn(k)))
        });
        nearest(rings.collect())
    })
}

/// Whether a point lies in a convex quadrangle, on the screen.
fn inside(corners: [[f64; 2]; 4], p: [f64; 2]) -> bool {
    let side = |k: usize| {
        let (a, b) = (corners[k], corners[(k + 1) % 4]);
        (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0])
    };
    let sides = [0, 1, 2, 3].map(side);
    sides.iter().all(|s| *s > 0.0) || sides.iter().all(|s| *s < 0.0)
}

/// Distance of a point from a segment, on the screen (points).
fn distance(a: [f64; 2], b: [f64; 2], p: [f64; 2]) -> f64 {
    let (ab, ap) = ([b[0] - a[0], b[1] - a[1]], [p[0] - a[0], p[1] - a[1]]);
    let length = ab[0] * ab[0] + ab[1] * ab[1];
    let share = if length > 0.0 {
        ((ab[0] * ap[0] + ab[1] * ap[1]) / length).clamp(0.0, 1.0)
    } else {
        0.0
    };
    (ap[0] - share * ab[0]).hypot(ap[1] - share * ab[1])
}

impl Grab {
    /// Takes hold of a handle of a body where the ray meets it; coordinates of the world can snap to multiples of a
    /// step (m).
    pub fn new(handle: Handle, body: BodyId, pose: &Pose, ray: &Ray, step: f64) -> Option<Self> {
        Some(Self {
            handle,
            body,
            goal: match handle {
                Handle::Move(_) | Handle::Slide(_) => Goal::Position(pose.translation.vector),
                Handle::Turn(_) => Goal::Orientation(pose.rotation),
            },
            start: *pose,
            from: meet(handle, &pose.translation.vector, ray)?,
            turned: 0.0,
            step,
        })
    }

    /// Whether the handle was pulled at all.
    pub fn has_moved(&self) -> bool {
        match self.goal {
            Goal::Position(p) => p != self.start.translation.vector,
            Goal::Point { point, to } => to != (self.start * nalgebra::Point3::from(point)).coords,
            Goal::Orientation(q) => q != self.start.rotation,
        }
    }

    /// Lets the goal follow the pointer; where the handle is seen from its end it stays. With `snaps` it goes to round
    /// coordinates, or by round angles.
    pub fn follow(&mut self, ray: &Ray, snaps: bool) {
        let centre = self.start.translation.vector;
        let Some(now) = meet(self.handle, &centre, ray) else {
            return;
        };
        let round = |x: f64, step: f64| if snaps { to_multiple(x, step) } else { x };
        match self.handle {
            Handle::Move(k) => {
                let mut goal = centre + now - self.from;
                goal[k] = round(goal[k], self.step);
                self.goal = Goal::Position(goal);
            }
            Handle::Slide(k) => {
                let mut goal = centre + now - self.from;
                for other in [(k + 1) % 3, (k + 2) % 3] {
                    goal[other] = round(goal[other], self.step);
                }
                self.goal = Goal::Position(goal);
            }
            Handle::Turn(k) => {
                let angle = |at: &Vec3| {
                    let (x, y) = rotation::complete(&axis(k));
                    let arm = at - centre;
                    arm.dot(&y).atan2(arm.dot(&x))
                };
                // The branch nearest to what was turned so far, so that a ring can be turned round and round.
                let turned = angle(&now) - angle(&self.from);
                self.turned = turned + TAU * ((self.turned - turned) / TAU).round();
                let by = round(self.turned, snap::ANGLE);
                let turn = Quat::from_scaled_axis(axis(k) * by);
                self.goal = Goal::Orientation(turn * self.start.rotation);
            }
        }
    }
}

/// Where the ray meets a handle: the nearest point of the axis of an arrow, or a point of the plane of a square or a ring.
fn meet(handle: Handle, centre: &Vec3, ray: &Ray) -> Option<Vec3> {
    match handle {
        Handle::Move(k) => {
            let a = axis(k);
            let w = centre - ray.origin;
            let slope = a.dot(&ray.direction);
            let denominator = 1.0 - slope * slope;
            let way = (ray.direction.dot(&w) * slope - a.dot(&w)) / denominator;
            (denominator > 1e-4).then(|| centre + a * way)
        }
        Handle::Slide(k) | Handle::Turn(k) => {
            let a = axis(k);
            let slope = ray.direction.dot(&a);
            let distance = (centre - ray.origin).dot(&a) / slope;
            (slope.abs() >= GRAZING && distance > 0.0).then(|| ray.at(distance))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::camera::bounds::Ball;
    use crate::camera::motion::CameraMotion;
    use crate::camera::orbit::{Orbit, Viewport};

    fn view() -> View {
        View {
            orbit: Orbit::looking(Vec3::new(3.0, -4.0, 2.0), Vec3::zeros(), 0.7),
            motion: CameraMotion::default(),
            viewport: Viewport {
                corner: [0.0; 2],
                size: [1000.0, 800.0],
            },
            linked: Vec::new(),
            floor: None,
            points: 1.0,
            ball: Ball {
                centre: Vec3::zeros(),
                radius: 1.0,
            },
            time: 0.0,
            poses: Vec::new(),
            floating: Vec::new(),
            typing: false,
        }
    }

    fn pose() -> Pose {
        Pose::from_parts(
            Vec3::new(0.2, 0.1, -0.3).into(),
            Quat::from_euler_angles(0.3, 0.2, 0.1),
        )
    }

    #[test]
    fn handles_are_picked_where_they_are_drawn_whatever_the_distance() {
        for zoom in [1.0, 30.0] {
            let mut view = view();
            view.orbit.distance *= zoom;
            let centre = pose().translation.vector;
            let reach = reach(&view, &centre).unwrap();
            for k in 0..3 {
                let tip = arrow(&centre, reach, k)[1];
                let at = view.orbit.project(&view.viewport, &tip).unwrap();
                assert_eq!(pick(&view, &pose(), at), Some(Handle::Move(k)));
                // A corner in front, away from where rings and arrows cross.
                let corners = ring(&view, &centre, reach, k);
                let on = corners.iter().filter(|c| c.1).filter_map(|c| {
                    let at = view.orbit.project(&view.viewport, &c.0)?;
                    pick(&view, &pose(), at)
                });
                let own = on.filter(|h| *h == Handle::Turn(k)).count();
                assert!(own > CORNERS / 6, "axis {k}: {own}");
            }
            assert_eq!(pick(&view, &pose(), [5.0, 5.0]), None);
        }
    }

    #[test]
    fn an_arrow_moves_along_its_axis_and_stays_under_the_pointer() {
        let view = view();
        let centre = pose().translation.vector;
        let ray = |p: &Vec3| {
            let at = view.orbit.project(&view.viewport, p).unwrap();
            view.orbit.ray(&view.viewport, at)
        };
        for k in 0..3 {
            let held = centre + axis(k) * 0.4;
            let mut grab =
                Grab::new(Handle::Move(k), BodyId(0), &pose(), &ray(&held), 0.1).unwrap();
            assert!(!grab.has_moved());
            grab.follow(&ray(&(held + axis(k) * 0.25)), false);
            let Goal::Position(goal) = grab.goal else {
                panic!("an arrow moves")
            };
            assert!((goal - centre - axis(k) * 0.25).norm() < 1e-9);
        }
    }

    #[test]
    fn a_square_slides_across_its_axis_and_stays_under_the_pointer() {
        let view = view();
        let centre = pose().translation.vector;
        let reach = reach(&view, &centre).unwrap();
        for k in 0..3 {
            let corners = square(&view, &centre, reach, k).expect("it is seen");
            let middle = corners.iter().sum::<Vec3>() / 4.0;
            let seen = |p: &Vec3| view.orbit.project(&view.viewport, p).unwrap();
            let ray = |p: &Vec3| view.orbit.ray(&view.viewport, seen(p));
            // An arrow may cross it on the screen.
            let within = corners.map(|c| middle + 0.8 * (c - middle));
            let mut picked = within.iter().map(|p| pick(&view, &pose(), seen(p)));
            assert!(picked.any(|handle| handle == Some(Handle::Slide(k))), "{k}");
            let mut grab =
                Grab::new(Handle::Slide(k), BodyId(0), &pose(), &ray(&middle), 0.1).unwrap();
            let way = axis((k + 1) % 3) * 0.21 - axis((k + 2) % 3) * 0.13;
            grab.follow(&ray(&(middle + way)), false);
            let Goal::Position(goal) = grab.goal else {
                panic!("a square moves")
            };
            assert!((goal - centre - way).norm() < 1e-9);
        }
        // One that is seen from the side is not there.
        let mut flat = view.clone();
        flat.orbit = Orbit::looking(centre + Vec3::new(4.0, 0.0, 0.0), centre, 0.7);
        assert!(square(&flat, &centre, reach, 2).is_none());
        assert!(square(&flat, &centre, reach, 0).is_some());
    }

    #[test]
    fn what_snaps_goes_to_round_coordinates_and_by_round_angles() {
        let view = view();
        let centre = pose().translation.vector;
        let ray = |p: &Vec3| {
            let at = view.orbit.project(&view.viewport, p).unwrap();
            view.orbit.ray(&view.viewport, at)
        };
        let mut grab = Grab::new(Handle::Move(0), BodyId(0), &pose(), &ray(&centre), 0.05).unwrap();
        grab.follow(&ray(&(centre + axis(0) * 0.137)), true);
        let Goal::Position(goal) = grab.goal else {
            panic!("an arrow moves")
        };
        assert!((goal - Vec3::new(0.35, centre.y, centre.z)).norm() < 1e-12);
        let (x, y) = rotation::complete(&axis(2));
        let arm = |angle: f64| ray(&(centre + (x * angle.cos() + y * angle.sin()) * 0.5));
        let mut grab = Grab::new(Handle::Turn(2), BodyId(0), &pose(), &arm(0.1), 0.05).unwrap();
        grab.follow(&arm(0.1 + 1.1 * snap::ANGLE), true);
        let Goal::Orientation(goal) = grab.goal else {
            panic!("a ring turns")
        };
        let turned = goal * pose().rotation.inverse();
        assert!((turned.angle() - snap::ANGLE).abs() < 1e-12);
    }

    #[test]
    fn a_ring_turns_by_the_angle_of_the_pointer_and_round_and_round() {
        let view = view();
        let centre = pose().translation.vector;
        for k in 0..3 {
            let (x, y) = rotation::complete(&axis(k));
            let ray = |angle: f64| {
                let p = centre + (x * angle.cos() + y * angle.sin()) * 0.5;
                let at = view.orbit.project(&view.viewport, &p).unwrap();
                view.orbit.ray(&view.viewport, at)
            };
            let mut grab = Grab::new(Handle::Turn(k), BodyId(0), &pose(), &ray(0.3), 0.1).unwrap();
            for n in 1..=40 {
                grab.follow(&ray(0.3 + 0.2 * f64::from(n)), false);
            }
            // Eight radians: once round and on.
            assert!((grab.turned - 8.0).abs() < 1e-9);
            let Goal::Orientation(goal) = grab.goal else {
                panic!("a ring turns")
            };
            let expected = Quat::from_scaled_axis(axis(k) * 8.0) * pose().rotation;
            assert!(goal.angle_to(&expected) < 1e-9);
        }
    }
}
