//! The person's pointing: pointer and keys become grips, camera movements and actions.

pub mod drag;
pub mod gizmo;
pub mod gizmo_ui;
pub mod snap;

use crate::camera::bounds;
use crate::camera::view::View;
use crate::commands::editing::EditCommand;
use crate::commands::{Command, CommandQueue, keys};
use crate::pointer::drag::{DragKind, Modifiers, Pointer, PointerButton};
use crate::schedule::AppSet;
use crate::session::Session;
use crate::state::highlight::Highlight;
use crate::state::preferences::Preferences;
use crate::state::selection::Selection;
use crate::state::tool::Tool;
use crate::state::tool::{Mode, under as point_under};
use crate::state::workspace::Workspace;
use bevy::ecs::system::SystemParam;
use bevy::input::ButtonState;
use bevy::input::keyboard::KeyboardInput;
use bevy::input::mouse::{MouseButtonInput, MouseScrollUnit, MouseWheel};
use bevy::prelude::*;
use bevy::window::WindowEvent;
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

/// The keys of the axes of the world.
const AXES: [KeyCode; 3] = [KeyCode::KeyX, KeyCode::KeyY, KeyCode::KeyZ];

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
            .add_message::<WindowEvent>()
            .add_systems(RunFixedMainLoop, (read, hold).chain().in_set(AppSet::Input));
    }
}

/// What pointer and keys act on.
#[derive(SystemParam)]
struct Pointed<'w> {
    session: Res<'w, Session>,
    highlight: Res<'w, Highlight>,
    preferences: Res<'w, Preferences>,
    workspace: Res<'w, Workspace>,
    tool: Res<'w, Tool>,
    time: Res<'w, Time<Real>>,
    pointing: ResMut<'w, Pointing>,
    view: ResMut<'w, View>,
    queue: ResMut<'w, CommandQueue>,
}

/// Follows keys, pointer, buttons and wheel in the order in which they came: in one slow frame Ctrl may be pressed,
/// a body taken and moved, and Ctrl released.
fn read(mut messages: MessageReader<WindowEvent>, mut target: Pointed) {
    for message in messages.read() {
        match message {
            WindowEvent::KeyboardInput(key) => target.key(key),
            WindowEvent::CursorMoved(moved) => target.follow(moved.position),
            WindowEvent::MouseButtonInput(button) => target.button(button),
            WindowEvent::MouseWheel(wheel) => target.scroll(wheel),
            WindowEvent::WindowFocused(focus) if !focus.focused => target.let_go(),
            _ => {}
        }
    }
}

impl Pointed<'_> {
    /// A key went down or up.
    fn key(&mut self, message: &KeyboardInput) {
        let pressed = message.state == ButtonState::Pressed;
        let held = &mut self.pointing.pointer.modifiers;
        match message.key_code {
            KeyCode::ShiftLeft | KeyCode::ShiftRight => held.shift = pressed,
            KeyCode::AltLeft | KeyCode::AltRight => held.alt = pressed,
            code if CONTROL.contains(&code) => held.control = pressed,
            _ => {}
        }
        let Modifiers { control, shift, .. } = *held;
        // While a joint is being made, these choose its axis.
        if pressed
            && !control
            && !self.view.typing
            && self.tool.has_axis()
            && let Some(axis) = AXES.iter().position(|key| *key == message.key_code)
        {
            let chosen = EditCommand::ChooseAxis(axis);
            return self.queue.0.push(Command::Edit(chosen));
        }
        // What is typed into a field is not a command, but a shortcut with Ctrl is.
        let text = TEXT.contains(&message.key_code);
        let queue = &mut self.queue.0;
        let palette = self.workspace.palette || queue.contains(&Command::ShowPalette);
        let typing = self.view.typing || palette;
        let free = !typing || (control && !text) || message.key_code == KeyCode::Escape;
        let wanted = !message.repeat || repeats(message.key_code);
        if pressed && free && wanted {
            let single = self.preferences.single_keys;
            queue.extend(keys::action(message.key_code, control, shift, single));
        }
    }

    /// The pointer moved.
    fn follow(&mut self, to: Vec2) {
        let view = &mut *self.view;
        let to = [to.x, to.y].map(|x| f64::from(x / view.points));
        let pointer = &mut self.pointing.pointer;
        pointer.travel(to, &mut view.orbit, &view.viewport);
    }

    /// A wheel zooms towards the pointer. Two fingers on a touch pad, which tell points, pan; with Ctrl they zoom.
    fn scroll(&mut self, turned: &MouseWheel) {
        let Pointer { at, modifiers, .. } = self.pointing.pointer;
        if !self.view.owns(at) {
            return;
        }
        let [x, y] = [turned.x, turned.y].map(f64::from);
        let view = &mut *self.view;
        let notches = match turned.unit {
            MouseScrollUnit::Line => y,
            MouseScrollUnit::Pixel if modifiers.control => y / NOTCH_POINTS,
            MouseScrollUnit::Pixel => {
                let points = f64::from(view.points);
                return view.orbit.pan([x / points, y / points], &view.viewport);
            }
        };
        // A flick of the fingers sends many notches at once.
        let factor = NOTCH.powf(notches.clamp(-MOST_NOTCHES, MOST_NOTCHES));
        let at = view.local(at);
        view.orbit.zoom(factor, &view.viewport, at);
    }

    /// A button of the pointer went down or up.
    fn button(&mut self, message: &MouseButtonInput) {
        let button = match message.button {
            MouseButton::Left => PointerButton::Left,
            MouseButton::Right => PointerButton::Right,
            MouseButton::Middle => PointerButton::Middle,
            MouseButton::Back | MouseButton::Forward | MouseButton::Other(_) => return,
        };
        match message.state {
            ButtonState::Pressed if self.view.owns(self.pointing.pointer.at) => self.press(button),
            ButtonState::Pressed => {}
            ButtonState::Released => {
                let pointer = &mut self.pointing.pointer;
                let held =
                    pointer.drag().is_some() || matches!(pointer.drag_kind, DragKind::Handle(_));
                if pointer.release(button) && !held {
                    self.click();
                }
            }
        }
    }

    /// Takes hold of what is under the pointer.
    fn press(&mut self, button: PointerButton) {
        let pointer = &mut self.pointing.pointer;
        let (session, view, tool) = (&self.session, &self.view, &self.tool);
        let free = button == PointerButton::Left && !pointer.modifiers.control;
        let handle = gizmo::under(session, &self.highlight, tool, view, pointer.at);
        if let Some((_, grab)) = handle.filter(|_| free) {
            return pointer.take(grab);
        }
        pointer.plain_pulls = self.preferences.plain_pulls;
        let hit = in_reach(pointer, view, session);
        pointer.press(button, hit.as_ref(), &view.poses);
    }

    /// Selects what was clicked; a second click centres it.
    fn click(&mut self) {
        let (session, view) = (&self.session, &mut *self.view);
        let pointing = &mut *self.pointing;
        let hit = under(&pointing.pointer, view, session);
        if self.tool.mode != Mode::Select {
            let ray = view.orbit.ray(&view.viewport, pointing.pointer.at);
            let point = point_under(hit, &ray, view);
            let point = snap::snapped(point, &pointing.pointer, session.model(), view);
            self.queue.0.push(Command::Edit(EditCommand::Click(point)));
            return;
        }
        let body = hit.and_then(|h| h.body);
        let selection = body.map(Selection::body);
        let now = self.time.elapsed();
        let again = pointing
            .last_click
            .is_some_and(|(then, what)| what == selection && now.saturating_sub(then) < DOUBLE);
        pointing.last_click = Some((now, selection));
        self.queue.0.push(Command::Select(selection));
        if let Some(body) = body.filter(|_| again) {
            let ball = bounds::body(&session.model().bodies[body.0], &view.poses[body.0]);
            view.orbit.focus = ball.centre;
        }
    }

    /// The window is not before the person any more: what goes up now is not told.
    fn let_go(&mut self) {
        self.pointing.pointer.drop_all();
        self.pointing.pointer.modifiers = Modifiers::default();
    }
}

/// Whether holding a key repeats what it does.
fn repeats(key: KeyCode) -> bool {
    matches!(key, KeyCode::ArrowLeft | KeyCode::ArrowRight)
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

/// Tells the simulation what is held, and the view what could be.
fn hold(
    mut pointing: ResMut<Pointing>,
    view: Res<View>,
    mut session: ResMut<Session>,
    mut highlight: ResMut<Highlight>,
    preferences: Res<Preferences>,
    tool: Res<Tool>,
) {
    pointing.pointer.plain_pulls = preferences.plain_pulls;
    pointing.pointer.aim(&view.orbit, &view.viewport);
    session.input.drag = pointing.pointer.drag();
    pointing.pulled |= pointing.pointer.drag().is_some();
    let pointer = &pointing.pointer;
    let free = pointer.drag_kind == DragKind::None && view.owns(pointer.at);
    let near = in_reach(pointer, &view, &session);
    let near = near.and_then(|hit| hit.body).filter(|_| free);
    let reached = near.filter(|_| pointer.would_pull());
    if highlight.in_reach != reached {
        highlight.in_reach = reached;
    }
    highlight.can_pull = pointer.drag().is_some() || reached.is_some();
    highlight.invites = near.is_some() && !pointing.pulled && tool.mode == Mode::Select;
    let handle = match pointer.drag_kind {
        DragKind::Handle(grab) => Some(grab.handle),
        _ if free => gizmo::under(&session, &highlight, &tool, &view, pointer.at).map(|h| h.0),
        _ => None,
    };
    pointing.handle = handle;
}
