//! The person's pointing: pointer and keys become grips, camera movements and actions.

pub mod drag;
pub mod gizmo;
pub mod gizmo_ui;

use crate::camera::bounds;
use crate::camera::view::View;
use crate::commands::editing::EditCommand;
use crate::commands::{Command, CommandQueue, keys};
use crate::pointer::drag::{Button, Grip, Modifiers, Pointer};
use crate::schedule::AppSet;
use crate::session::Session;
use crate::state::highlight::Highlight;
use crate::state::preferences::Preferences;
use crate::state::selection::Selection;
use crate::state::tool::Tool;
use crate::state::tool::{Mode, under as point_under};
use crate::state::workspace::Workspace;
use bevy::input::ButtonState;
use bevy::input::keyboard::KeyboardInput;
use bevy::input::mouse::{MouseButtonInput, MouseScrollUnit, MouseWheel};
use bevy::prelude::*;
use bevy::window::{CursorMoved, WindowFocused};
use physics::contact::{Hit, cast};
use std::f64::consts::TAU;
use std::time::Duration;

/// Longest time between the clicks of a double click.
const DOUBLE: Duration = Duration::from_millis(400);
/// Factor of the distance for one notch of the wheel.
const NOTCH: f64 = 0.88;
/// Scrolled points that count as one notch.
const NOTCH_POINTS: f64 = 50.0;
/// Most notches that are taken at once.
const MOST_NOTCHES: f64 = 4.0;

/// Distances from the pointer at which a body is looked for that it misses (points), near to far.
const RINGS: [f64; 3] = [5.0, 10.0, 15.0];
/// Directions in which it is looked for: at the widest ring they are 6 points apart.
const SPOKES: i32 = 16;

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
pub struct Pointing {
    /// The pointer.
    pub pointer: Pointer,
    /// The handle under the pointer, or held.
    pub handle: Option<gizmo::geometry::Handle>,
    last_click: Option<(Duration, Option<Selection>)>,
    /// Whether a body has been pulled or turned since the start.
    pulled: bool,
}

/// Reads pointer and keys.
pub struct PointerPlugin;

impl Plugin for PointerPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<Pointing>()
            .init_resource::<CommandQueue>()
            .add_message::<CursorMoved>()
            .add_message::<WindowFocused>()
            .add_systems(
                RunFixedMainLoop,
                (press_keys, follow, scroll, press_buttons, hold)
                    .chain()
                    .in_set(AppSet::Input),
            );
    }
}

/// Follows the keys in the order in which they were pressed, so that a chord within one slow frame counts.
fn press_keys(
    mut messages: MessageReader<KeyboardInput>,
    mut pointing: ResMut<Pointing>,
    view: Res<View>,
    workspace: Res<Workspace>,
    preferences: Res<Preferences>,
    mut queue: ResMut<CommandQueue>,
) {
    let single = preferences.single_keys;
    for message in messages.read() {
        let pressed = message.state == ButtonState::Pressed;
        let held = &mut pointing.pointer.modifiers;
        match message.key_code {
            KeyCode::ShiftLeft | KeyCode::ShiftRight => held.shift = pressed,
            KeyCode::AltLeft | KeyCode::AltRight => held.alt = pressed,
            code if CONTROL.contains(&code) => held.control = pressed,
            _ => {}
        }
        let Modifiers { control, shift, .. } = *held;
        // What is typed into a field is not a command, but a shortcut with Ctrl is.
        let text = TEXT.contains(&message.key_code);
        let typing = view.typing || workspace.palette || queue.0.contains(&Command::ShowPalette);
        let free = !typing || (control && !text) || message.key_code == KeyCode::Escape;
        let wanted = !message.repeat || repeats(message.key_code);
        if pressed && free && wanted {
            queue
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
fn follow(
    mut moves: MessageReader<CursorMoved>,
    mut pointing: ResMut<Pointing>,
    mut view: ResMut<View>,
) {
    for moved in moves.read() {
        let to = interface_point(moved.position, &view);
        let view = &mut *view;
        pointing.pointer.travel(to, &mut view.orbit, &view.viewport);
    }
}

/// A position in the window in points of the interface.
fn interface_point(at: Vec2, view: &View) -> [f64; 2] {
    [at.x, at.y].map(|x| f64::from(x / view.points))
}

/// A wheel zooms towards the pointer. Two fingers on a touch pad, which tell points, pan; with Ctrl they zoom.
fn scroll(mut wheel: MessageReader<MouseWheel>, pointing: Res<Pointing>, mut view: ResMut<View>) {
    for turned in wheel.read() {
        let at = pointing.pointer.at;
        if !view.owns(at) {
            continue;
        }
        let [x, y] = [turned.x, turned.y].map(f64::from);
        let view = &mut *view;
        let at = view.local(at);
        let notches = match turned.unit {
            MouseScrollUnit::Line => y,
            MouseScrollUnit::Pixel if pointing.pointer.modifiers.control => y / NOTCH_POINTS,
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
pub(crate) fn under(pointer: &Pointer, view: &View, session: &Session) -> Option<Hit> {
    // What linked views show is not what would be taken hold of.
    if !view.viewport.contains(pointer.at) {
        return None;
    }
    let ray = view.orbit.ray(&view.viewport, pointer.at);
    cast(session.model(), &view.poses, &ray)
}

/// The body that a pull would take: that under the pointer, or with Ctrl the nearest to it on the screen, since thin rods
/// are hard to meet. Without Ctrl what is beside a body turns the camera.
fn in_reach(pointer: &Pointer, view: &View, session: &Session) -> Option<Hit> {
    let is_body = |hit: &Hit| hit.body.is_some();
    let met = under(pointer, view, session).filter(is_body);
    if met.is_some() || !pointer.modifiers.control || !view.viewport.contains(pointer.at) {
        return met;
    }
    let model = session.model();
    let around = RINGS.into_iter().flat_map(|radius| {
        (0..SPOKES).map(move |k| {
            let (s, c) = (TAU * f64::from(k) / f64::from(SPOKES)).sin_cos();
            [pointer.at[0] + radius * c, pointer.at[1] + radius * s]
        })
    });
    let mut around = around.filter(|at| view.viewport.contains(*at));
    around.find_map(|at| {
        cast(model, &view.poses, &view.orbit.ray(&view.viewport, at)).filter(is_body)
    })
}

fn press_buttons(
    mut messages: MessageReader<MouseButtonInput>,
    time: Res<Time<Real>>,
    session: Res<Session>,
    highlight: Res<Highlight>,
    preferences: Res<Preferences>,
    tool: Res<Tool>,
    mut pointing: ResMut<Pointing>,
    mut view: ResMut<View>,
    mut queue: ResMut<CommandQueue>,
) {
    for message in messages.read() {
        let button = match message.button {
            MouseButton::Left => Button::Left,
            MouseButton::Right => Button::Right,
            MouseButton::Middle => Button::Middle,
            MouseButton::Back | MouseButton::Forward | MouseButton::Other(_) => continue,
        };
        let pointing = &mut *pointing;
        match message.state {
            ButtonState::Pressed if view.owns(pointing.pointer.at) => {
                let free = button == Button::Left && !pointing.pointer.modifiers.control;
                let handle = gizmo::under(&session, &highlight, &tool, &view, pointing.pointer.at);
                if let Some((_, grab)) = handle.filter(|_| free) {
                    pointing.pointer.take(grab);
                    continue;
                }
                pointing.pointer.plain_pulls = preferences.plain_pulls;
                let hit = in_reach(&pointing.pointer, &view, &session);
                pointing.pointer.press(button, hit.as_ref(), &view.poses);
            }
            ButtonState::Pressed => {}
            ButtonState::Released => {
                let held = pointing.pointer.drag().is_some()
                    || matches!(pointing.pointer.grip, Grip::Handle(_));
                if pointing.pointer.release(button) && !held {
                    click(
                        pointing,
                        time.elapsed(),
                        &session,
                        &tool,
                        &mut view,
                        &mut queue,
                    );
                }
            }
        }
    }
}

/// Selects what was clicked; a second click centres it.
fn click(
    pointing: &mut Pointing,
    now: Duration,
    session: &Session,
    tool: &Tool,
    view: &mut View,
    queue: &mut CommandQueue,
) {
    let hit = under(&pointing.pointer, view, session);
    if tool.mode != Mode::Select {
        let ray = view.orbit.ray(&view.viewport, pointing.pointer.at);
        let point = point_under(hit, &ray, view);
        queue.0.push(Command::Edit(EditCommand::Click(point)));
        return;
    }
    let selection = hit.and_then(|h| h.body).map(Selection::body);
    let again = pointing
        .last_click
        .is_some_and(|(then, what)| what == selection && now.saturating_sub(then) < DOUBLE);
    pointing.last_click = Some((now, selection));
    queue.0.push(Command::Select(selection));
    if let Some(body) = hit.and_then(|h| h.body).filter(|_| again) {
        let ball = bounds::body(&session.model().bodies[body.0], &view.poses[body.0]);
        view.orbit.focus = ball.centre;
    }
}

/// Tells the simulation what is held, and the view what could be.
fn hold(
    mut lost: MessageReader<WindowFocused>,
    mut pointing: ResMut<Pointing>,
    view: Res<View>,
    mut session: ResMut<Session>,
    mut highlight: ResMut<Highlight>,
    preferences: Res<Preferences>,
    tool: Res<Tool>,
) {
    if lost.read().any(|m| !m.focused) {
        pointing.pointer.drop_all();
        pointing.pointer.modifiers = Modifiers::default();
    }
    pointing.pointer.plain_pulls = preferences.plain_pulls;
    pointing.pointer.aim(&view.orbit, &view.viewport);
    session.input.drag = pointing.pointer.drag();
    pointing.pulled |= pointing.pointer.drag().is_some();
    let pointer = &pointing.pointer;
    let free = pointer.grip == Grip::None && view.owns(pointer.at);
    let near = in_reach(pointer, &view, &session);
    let near = near.and_then(|hit| hit.body).filter(|_| free);
    let reached = near.filter(|_| pointer.would_pull());
    if highlight.in_reach != reached {
        highlight.in_reach = reached;
    }
    highlight.can_pull = pointer.drag().is_some() || reached.is_some();
    highlight.invites = near.is_some() && !pointing.pulled;
    let handle = match pointer.grip {
        Grip::Handle(grab) => Some(grab.handle),
        _ if free => gizmo::under(&session, &highlight, &tool, &view, pointer.at).map(|h| h.0),
        _ => None,
    };
    pointing.handle = handle;
}
