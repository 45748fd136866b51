//! The person's hands: pointer and keys become grips, camera movements and actions.

use super::actions::{Action, Selection};
use super::editing::{EditWish, Mode, handles, point_under};
use super::extent;
use super::grip::{Button, Grip, Modifiers, Pointer};
use super::keys;
use super::session::Session;
use super::shell::Shell;
use super::view::View;
use crate::contact::{Hit, cast};
use bevy::input::ButtonState;
use bevy::input::keyboard::KeyboardInput;
use bevy::input::mouse::{MouseButtonInput, MouseScrollUnit, MouseWheel};
use bevy::prelude::*;
use bevy::window::{CursorMoved, WindowFocused};
use std::time::Duration;

/// Longest time between the clicks of a double click.
const DOUBLE: Duration = Duration::from_millis(400);
/// Factor of the distance for one notch of the wheel.
const NOTCH: f64 = 0.88;
/// Scrolled points that count as one notch.
const NOTCH_POINTS: f64 = 50.0;
/// Most notches that are taken at once.
const MOST_NOTCHES: f64 = 4.0;

/// The keys that stand for Ctrl: on macOS that is Cmd, where Ctrl + click is a right click.
const CONTROL: [KeyCode; 2] = if cfg!(target_os = "macos") {
    [KeyCode::SuperLeft, KeyCode::SuperRight]
} else {
    [KeyCode::ControlLeft, KeyCode::ControlRight]
};

/// Keys that act on a text with Ctrl while one is typed: Ctrl + Z undoes typing, not the last edit.
const TEXT: [KeyCode; 3] = [KeyCode::KeyZ, KeyCode::KeyY, KeyCode::KeyD];

/// Pointer and clicks.
#[derive(Resource, Default)]
pub struct Hands {
    /// The pointer.
    pub pointer: Pointer,
    last_click: Option<(Duration, Option<Selection>)>,
    /// Whether a body has been pulled or turned since the start.
    pulled: bool,
}

/// Wishes of this frame, in the order in which they were made.
#[derive(Resource, Default)]
pub struct Wishes(pub Vec<Action>);

/// Reads pointer and keys.
pub struct HandsPlugin;

impl Plugin for HandsPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<Hands>()
            .init_resource::<Wishes>()
            .add_message::<CursorMoved>()
            .add_message::<WindowFocused>()
            .add_systems(
                RunFixedMainLoop,
                (press_keys, follow, scroll, press_buttons, hold)
                    .chain()
                    .in_set(RunFixedMainLoopSystems::BeforeFixedMainLoop)
                    .in_set(super::AppSet::Input),
            );
    }
}

/// Follows the keys in the order in which they were pressed, so that a chord within one slow frame counts.
fn press_keys(
    mut messages: MessageReader<KeyboardInput>,
    mut hands: ResMut<Hands>,
    view: Res<View>,
    shell: Res<Shell>,
    mut wishes: ResMut<Wishes>,
) {
    let single = shell.habits.single_keys;
    for message in messages.read() {
        let pressed = message.state == ButtonState::Pressed;
        let held = &mut hands.pointer.modifiers;
        match message.key_code {
            KeyCode::ShiftLeft | KeyCode::ShiftRight => held.shift = pressed,
            KeyCode::AltLeft | KeyCode::AltRight => held.alt = pressed,
            code if CONTROL.contains(&code) => held.control = pressed,
            _ => {}
        }
        let Modifiers { control, shift, .. } = *held;
        // What is typed into a field is not a command, but a shortcut with Ctrl is.
        let text = TEXT.contains(&message.key_code);
        let free = !view.typing || (control && !text) || message.key_code == KeyCode::Escape;
        let wanted = !message.repeat || repeats(message.key_code);
        if pressed && free && wanted {
            wishes
                .0
                .extend(keys::action(message.key_code, control, shift, single));
        }
    }
}

/// Whether holding a key repeats what it does.
fn repeats(key: KeyCode) -> bool {
    matches!(key, KeyCode::ArrowLeft | KeyCode::ArrowRight)
}

/// Follows the pointer.
fn follow(mut moves: MessageReader<CursorMoved>, mut hands: ResMut<Hands>, mut view: ResMut<View>) {
    for moved in moves.read() {
        let to = interface_point(moved.position, &view);
        let view = &mut *view;
        hands.pointer.travel(to, &mut view.orbit, &view.viewport);
    }
}

/// A position in the window in points of the interface.
fn interface_point(at: Vec2, view: &View) -> [f64; 2] {
    [at.x, at.y].map(|x| f64::from(x / view.points))
}

/// A wheel zooms towards the pointer. Two fingers on a touch pad, which tell points, pan; with Ctrl they zoom.
fn scroll(mut wheel: MessageReader<MouseWheel>, hands: Res<Hands>, mut view: ResMut<View>) {
    for turned in wheel.read() {
        let at = hands.pointer.at;
        if !view.owns(at) {
            continue;
        }
        let [x, y] = [turned.x, turned.y].map(f64::from);
        let view = &mut *view;
        let at = view.local(at);
        let notches = match turned.unit {
            MouseScrollUnit::Line => y,
            MouseScrollUnit::Pixel if hands.pointer.modifiers.control => y / NOTCH_POINTS,
            MouseScrollUnit::Pixel => {
                let points = f64::from(view.points);
                view.orbit.pan([x / points, y / points], &view.viewport);
                continue;
            }
        };
        // A flick of the fingers sends many notches at once.
        let factor = NOTCH.powf(notches.clamp(-MOST_NOTCHES, MOST_NOTCHES));
        view.orbit.zoom(factor, &view.viewport, at);
    }
}

/// What is under the pointer.
fn under(pointer: &Pointer, view: &View, session: &Session) -> Option<Hit> {
    // What linked views show is not what would be taken hold of.
    if !view.viewport.contains(pointer.at) {
        return None;
    }
    let ray = view.orbit.ray(&view.viewport, pointer.at);
    cast(session.simulation.model(), &view.poses, &ray)
}

fn press_buttons(
    mut messages: MessageReader<MouseButtonInput>,
    time: Res<Time<Real>>,
    session: Res<Session>,
    shell: Res<Shell>,
    mut hands: ResMut<Hands>,
    mut view: ResMut<View>,
    mut wishes: ResMut<Wishes>,
) {
    for message in messages.read() {
        let button = match message.button {
            MouseButton::Left => Button::Left,
            MouseButton::Right => Button::Right,
            MouseButton::Middle => Button::Middle,
            MouseButton::Back | MouseButton::Forward | MouseButton::Other(_) => continue,
        };
        let hands = &mut *hands;
        match message.state {
            ButtonState::Pressed if view.owns(hands.pointer.at) => {
                let free = button == Button::Left && !hands.pointer.modifiers.control;
                let handle = handles::under(&session, &shell, &view, hands.pointer.at);
                if let Some((_, grab)) = handle.filter(|_| free) {
                    hands.pointer.take(grab);
                    continue;
                }
                let hit = under(&hands.pointer, &view, &session);
                hands.pointer.press(button, hit.as_ref(), &view.poses);
            }
            ButtonState::Pressed => {}
            ButtonState::Released => {
                let held =
                    hands.pointer.drag().is_some() || matches!(hands.pointer.grip, Grip::Handle(_));
                if hands.pointer.release(button) && !held {
                    click(
                        hands,
                        time.elapsed(),
                        &session,
                        &shell,
                        &mut view,
                        &mut wishes,
                    );
                }
            }
        }
    }
}

/// Selects what was clicked; a second click centres it.
fn click(
    hands: &mut Hands,
    now: Duration,
    session: &Session,
    shell: &Shell,
    view: &mut View,
    wishes: &mut Wishes,
) {
    let hit = under(&hands.pointer, view, session);
    if shell.desk.mode != Mode::Select {
        let ray = view.orbit.ray(&view.viewport, hands.pointer.at);
        let point = point_under(hit, &ray, view);
        wishes.0.push(Action::Edit(EditWish::Click(point)));
        return;
    }
    let selection = hit.and_then(|h| h.body).map(Selection::Body);
    let again = hands
        .last_click
        .is_some_and(|(then, what)| what == selection && now.saturating_sub(then) < DOUBLE);
    hands.last_click = Some((now, selection));
    wishes.0.push(Action::Select(selection));
    if let Some(Selection::Body(body)) = selection.filter(|_| again) {
        let ball = extent::body(
            &session.simulation.model().bodies[body.0],
            &view.poses[body.0],
        );
        view.orbit.focus = ball.centre;
    }
}

/// Tells the simulation what is held, and the shell what could be.
fn hold(
    mut lost: MessageReader<WindowFocused>,
    mut hands: ResMut<Hands>,
    view: Res<View>,
    mut session: ResMut<Session>,
    mut shell: ResMut<Shell>,
) {
    if lost.read().any(|m| !m.focused) {
        hands.pointer.drop_all();
        hands.pointer.modifiers = Modifiers::default();
    }
    hands.pointer.aim(&view.orbit, &view.viewport);
    session.input.drag = hands.pointer.drag();
    hands.pulled |= hands.pointer.drag().is_some();
    let pointer = &hands.pointer;
    let free = pointer.grip == Grip::None && view.owns(pointer.at);
    let over = free && under(pointer, &view, &session).is_some_and(|h| h.body.is_some());
    shell.can_pull = pointer.drag().is_some() || (over && pointer.modifiers.control);
    shell.invites = over && !hands.pulled;
    let handle = match pointer.grip {
        Grip::Handle(grab) => Some(grab.handle),
        _ if free => handles::under(&session, &shell, &view, pointer.at).map(|h| h.0),
        _ => None,
    };
    if shell.desk.handle != handle {
        shell.desk.handle = handle;
    }
}
