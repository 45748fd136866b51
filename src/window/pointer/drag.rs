//! What the pointer holds: a press decides between orbit, pan, pull and turn, and keeps it until the release.
//!
//! A drag that begins in the view goes on over a panel, and one that begins in a panel never moves the camera.

use crate::camera::orbit::{Orbit, Viewport};
use crate::pointer::gizmo::geometry::Grab;
use physics::contact::{Hit, Ray};
use physics::math::{Pose, Quat, Vec3};
use physics::model::BodyId;
use physics::sim::{Drag, DragGoal};
use std::f64::consts::PI;

/// A button of the pointer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PointerButton {
    /// Left.
    Left,
    /// Right.
    Right,
    /// Middle.
    Middle,
}

/// Keys held while the pointer acts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Modifiers {
    /// Ctrl (Cmd on macOS).
    pub control: bool,
    /// Shift.
    pub shift: bool,
    /// Alt.
    pub alt: bool,
}

/// What a press took hold of.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum DragKind {
    /// Nothing.
    #[default]
    None,
    /// The camera's angles.
    Orbit,
    /// The camera's focus.
    Pan,
    /// A body at a point.
    Pull(Pull),
    /// A body's orientation.
    Turn(Turn),
    /// A handle of the selected body.
    Handle(Grab),
}

/// A point of a body on its way to the pointer.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pull {
    /// The body.
    pub body: BodyId,
    /// The grabbed point, body frame (m).
    pub point: Vec3,
    /// Where it should go, world frame (m).
    pub goal: Vec3,
    /// Whether it moves in the horizontal plane, not in that of the image.
    pub horizontal: bool,
    /// A point of that plane (m).
    anchor: Vec3,
}

/// A body on its way to an orientation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Turn {
    /// The body.
    pub body: BodyId,
    /// The grabbed point, body frame (m).
    pub point: Vec3,
    /// Where it should turn to.
    pub goal: Quat,
}

/// The pointer.
#[derive(Debug, Clone, Default)]
pub struct Pointer {
    /// Where it is in the window (points).
    pub at: [f64; 2],
    /// Keys held.
    pub modifiers: Modifiers,
    /// Whether the left button alone pulls a body, as with Ctrl.
    pub plain_pulls: bool,
    /// What it holds.
    pub drag_kind: DragKind,
    button: Option<PointerButton>,
    travelled: f64,
}

/// A pointer that moved less than this between press and release has clicked (points).
const CLICK: f64 = 4.0;

impl Pointer {
    /// Takes hold of what is under the pointer; `hit` is the shape there.
    pub fn press(&mut self, button: PointerButton, hit: Option<&Hit>, poses: &[Pose]) {
        if self.button.is_some() {
            return;
        }
        self.button = Some(button);
        self.travelled = 0.0;
        let Modifiers {
            control,
            shift,
            alt,
        } = self.modifiers;
        let body = hit.and_then(|h| Some((h.body?, h.point)));
        let pulls = control || (self.plain_pulls && button == PointerButton::Left);
        self.drag_kind = match (button, body) {
            (PointerButton::Middle, _) => DragKind::Pan,
            (_, Some((body, goal))) if pulls => {
                let pose = &poses[body.0];
                let point = pose.inverse_transform_point(&goal.into()).coords;
                if button == PointerButton::Left && !alt {
                    DragKind::Pull(Pull {
                        body,
                        point,
                        goal,
                        horizontal: shift,
                        anchor: goal,
                    })
                } else {
                    DragKind::Turn(Turn {
                        body,
                        point,
                        goal: pose.rotation,
                    })
                }
            }
            // Who means a body and misses it does not want another view.
            _ if control => DragKind::None,
            (PointerButton::Left, _) => DragKind::Orbit,
            (PointerButton::Right, _) => DragKind::Pan,
        };
    }

    /// Whether a press of the left button would pull a body.
    pub fn would_pull(&self) -> bool {
        self.modifiers.control || self.plain_pulls
    }

    /// Whether it has moved since the press by more than a click does.
    pub fn has_moved(&self) -> bool {
        self.travelled >= CLICK
    }

    /// Takes hold of a handle.
    pub fn take(&mut self, handle: Grab) {
        if self.button.is_none() {
            self.button = Some(PointerButton::Left);
            self.travelled = 0.0;
            self.drag_kind = DragKind::Handle(handle);
        }
    }

    /// Follows the pointer.
    pub fn travel(&mut self, to: [f64; 2], camera: &mut Orbit, view: &Viewport) {
        let by = [to[0] - self.at[0], to[1] - self.at[1]];
        self.at = to;
        self.travelled += by[0].hypot(by[1]);
        match &mut self.drag_kind {
            DragKind::None => {}
            DragKind::Orbit => camera.turn(by, view),
            DragKind::Pan => camera.pan(by, view),
            DragKind::Pull(_) => self.aim(camera, view),
            DragKind::Handle(grab) => grab.follow(&camera.ray(view, to), self.modifiers.shift),
            DragKind::Turn(turn) => {
                // As with the camera, the height of the view is half a turn.
                let unit = PI / view.size[1].max(1.0);
                let axes = camera.axes();
                let swing = (axes.column(0) * by[1] + axes.column(1) * by[0]) * unit;
                turn.goal = Quat::from_scaled_axis(swing) * turn.goal;
            }
        }
    }

    /// Puts the goal of a pull under the pointer; called when the pointer, a key or the camera has moved.
    pub fn aim(&mut self, camera: &Orbit, view: &Viewport) {
        let DragKind::Pull(pull) = &mut self.drag_kind else {
            return;
        };
        if pull.horizontal != self.modifiers.shift {
            pull.horizontal = self.modifiers.shift;
            pull.anchor = pull.goal;
        }
        let normal = if pull.horizontal {
            Vec3::z()
        } else {
            camera.back()
        };
        if let Some(goal) = on_plane(
            &camera.ray(view, self.at),
            &pull.anchor,
            &normal,
            camera.distance,
        ) {
            pull.goal = goal;
        }
    }

    /// Lets go. True if the pointer has hardly moved since the press: a click.
    pub fn release(&mut self, button: PointerButton) -> bool {
        if self.button != Some(button) {
            return false;
        }
        self.button = None;
        self.drag_kind = DragKind::None;
        button == PointerButton::Left && !self.has_moved()
    }

    /// Lets go of everything, whatever is pressed.
    pub fn drop_all(&mut self) {
        self.button = None;
        self.drag_kind = DragKind::None;
    }

    /// What the simulation should do about it.
    pub fn drag(&self) -> Option<Drag> {
        match self.drag_kind {
            DragKind::Pull(p) => Some(Drag {
                body: p.body,
                point: p.point,
                goal: DragGoal::Pull(p.goal),
            }),
            DragKind::Turn(t) => Some(Drag {
                body: t.body,
                point: t.point,
                goal: DragGoal::Turn(t.goal),
            }),
            DragKind::None | DragKind::Orbit | DragKind::Pan | DragKind::Handle(_) => None,
        }
    }
}

/// Where a ray meets a plane; none where it would be behind the camera or absurdly far.
fn on_plane(ray: &Ray, anchor: &Vec3, normal: &Vec3, scale: f64) -> Option<Vec3> {
    let slope = ray.direction.dot(normal);
    let distance = (anchor - ray.origin).dot(normal) / slope;
    (distance > 0.0 && distance < 10.0 * scale).then(|| ray.at(distance))
}

#[cfg(test)]
mod tests {
    use super::*;

    const VIEW: Viewport = Viewport {
        corner: [0.0, 0.0],
        size: [800.0, 600.0],
    };

    fn held(control: bool, button: PointerButton) -> (Pointer, Orbit, Vec3) {
        let camera = Orbit::looking(Vec3::new(0.0, -5.0, 1.0), Vec3::zeros(), 0.7);
        let point = Vec3::new(0.3, 0.1, 0.2);
        let hit = Hit {
            body: Some(BodyId(0)),
            distance: 5.0,
            point,
        };
        let mut pointer = Pointer {
            at: camera.project(&VIEW, &point).unwrap(),
            modifiers: Modifiers {
                control,
                ..Modifiers::default()
            },
            ..Pointer::default()
        };
        let pose = Pose::from_parts(
            Vec3::new(0.3, 0.0, 0.0).into(),
            Quat::from_euler_angles(0.1, 0.2, 0.3),
        );
        pointer.press(button, Some(&hit), &[pose]);
        (pointer, camera, point)
    }

    #[test]
    fn a_pulled_point_stays_under_the_pointer_at_its_depth() {
        let (mut pointer, mut camera, point) = held(true, PointerButton::Left);
        pointer.travel([250.0, 180.0], &mut camera, &VIEW);
        let Some(Drag {
            body: BodyId(0),
            goal: DragGoal::Pull(goal),
            ..
        }) = pointer.drag()
        else {
            panic!("{:?}", pointer.drag_kind);
        };
        let seen = camera.project(&VIEW, &goal).unwrap();
        assert!((seen[0] - 250.0).abs() < 1e-9 && (seen[1] - 180.0).abs() < 1e-9);
        assert!((goal - point).dot(&camera.back()).abs() < 1e-12);
        // Shift: from now on at the height reached.
        pointer.modifiers.shift = true;
        pointer.travel([300.0, 400.0], &mut camera, &VIEW);
        let DragKind::Pull(pull) = pointer.drag_kind else {
            panic!()
        };
        assert!((pull.goal.z - goal.z).abs() < 1e-12 && (pull.goal - goal).norm() > 0.1);
        assert!(!pointer.release(PointerButton::Left), "a drag is no click");
        assert_eq!(pointer.drag(), None);
    }

    #[test]
    fn without_control_the_camera_moves_and_the_body_does_not() {
        let (mut pointer, mut camera, _) = held(false, PointerButton::Left);
        let before = camera;
        pointer.travel([100.0, 100.0], &mut camera, &VIEW);
        assert_eq!(pointer.drag(), None);
        assert!(camera.yaw != before.yaw && camera.focus == before.focus);
        let (mut pointer, mut camera, _) = held(false, PointerButton::Left);
        pointer.travel([pointer.at[0] + 1.0, pointer.at[1]], &mut camera, &VIEW);
        assert!(
            pointer.release(PointerButton::Left),
            "a small movement is a click"
        );
    }

    #[test]
    fn with_control_nothing_but_a_body_is_taken_and_an_option_lets_a_plain_drag_pull() {
        let mut camera = Orbit::looking(Vec3::new(0.0, -5.0, 1.0), Vec3::zeros(), 0.7);
        let before = camera;
        for button in [PointerButton::Left, PointerButton::Right] {
            let mut pointer = Pointer::default();
            pointer.modifiers.control = true;
            pointer.press(button, None, &[]);
            pointer.travel([90.0, 40.0], &mut camera, &VIEW);
            assert_eq!((pointer.drag_kind, camera), (DragKind::None, before));
            pointer.release(button);
        }
        let hit = Hit {
            body: Some(BodyId(0)),
            distance: 5.0,
            point: Vec3::zeros(),
        };
        let mut pointer = Pointer {
            plain_pulls: true,
            ..Pointer::default()
        };
        pointer.press(PointerButton::Left, Some(&hit), &[Pose::identity()]);
        assert!(matches!(pointer.drag_kind, DragKind::Pull(_)));
        pointer.release(PointerButton::Left);
        pointer.press(PointerButton::Left, None, &[]);
        assert_eq!(
            pointer.drag_kind,
            DragKind::Orbit,
            "beside a body it turns the camera"
        );
    }

    #[test]
    fn a_turn_follows_the_pointer_about_the_axes_of_the_image() {
        let (mut pointer, mut camera, _) = held(true, PointerButton::Right);
        let DragKind::Turn(before) = pointer.drag_kind else {
            panic!()
        };
        pointer.travel([pointer.at[0] + 150.0, pointer.at[1]], &mut camera, &VIEW);
        let Some(Drag {
            goal: DragGoal::Turn(goal),
            ..
        }) = pointer.drag()
        else {
            panic!()
        };
        let turned = goal * before.goal.inverse();
        // A quarter of the view's height is a quarter of a half turn, about the image's vertical.
        assert!((turned.angle() - 0.25 * PI).abs() < 1e-12);
        assert!((turned.axis().unwrap().dot(&camera.axes().column(1)) - 1.0).abs() < 1e-12);
    }
}
