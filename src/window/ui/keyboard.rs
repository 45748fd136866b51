//! What is typed, for the interface.

use bevy::input::keyboard::{Key, KeyboardInput};
use bevy::prelude::*;
use bevy::window::WindowEvent;
use bevy_egui::EguiClipboard;
use bevy_egui::egui::{self, Event};
use bevy_egui::helpers::{bevy_to_egui_key, bevy_to_egui_physical_key};
use bevy_egui::input::{EguiInputEvent, ModifierKeysState, WindowToEguiContextMap};

/// Tells the interface of every key with the modifiers that were held at that moment. The interface's own system reads
/// the modifiers once per frame: in a slow frame, Ctrl + A whose Ctrl is already up again would type an "a".
pub fn read(
    mut messages: MessageReader<WindowEvent>,
    mut held: Local<ModifierKeysState>,
    contexts: Res<WindowToEguiContextMap>,
    mut clipboard: ResMut<EguiClipboard>,
    mut events: MessageWriter<EguiInputEvent>,
) {
    for message in messages.read() {
        match message {
            WindowEvent::KeyboardInput(key) => {
                hold(&mut held, key);
                let told = told(&held, key, || clipboard.get_text());
                for &context in contexts
                    .window_to_contexts
                    .get(&key.window)
                    .into_iter()
                    .flatten()
                {
                    let told = told.iter().cloned();
                    events.write_batch(told.map(|event| EguiInputEvent { context, event }));
                }
            }
            WindowEvent::KeyboardFocusLost(_) => *held = ModifierKeysState::default(),
            _ => {}
        }
    }
}

/// Follows the modifiers.
fn hold(held: &mut ModifierKeysState, message: &KeyboardInput) {
    let modifier = match message.logical_key {
        Key::Shift => &mut held.shift,
        Key::Control => &mut held.ctrl,
        Key::Alt => &mut held.alt,
        Key::Super | Key::Meta => &mut held.win,
        _ => return,
    };
    *modifier = message.state.is_pressed();
}

/// What a key means to the interface.
fn told(
    held: &ModifierKeysState,
    message: &KeyboardInput,
    pasted: impl FnOnce() -> Option<String>,
) -> Vec<Event> {
    let mut told = Vec::new();
    let pressed = message.state.is_pressed();
    if pressed && held.text_input_is_allowed() {
        told.extend(text(&message.logical_key).map(Event::Text));
    }
    let physical_key = bevy_to_egui_physical_key(&message.key_code);
    // Where letters are not Latin, shortcuts go by the place of a key.
    let Some(key) = bevy_to_egui_key(&message.logical_key).or(physical_key) else {
        return told;
    };
    let modifiers = held.to_egui_modifiers();
    told.push(Event::Key {
        key,
        physical_key,
        pressed,
        // The interface finds repetitions itself.
        repeat: false,
        modifiers,
    });
    if pressed && modifiers.command {
        told.extend(match key {
            egui::Key::C => Some(Event::Copy),
            egui::Key::X => Some(Event::Cut),
            egui::Key::V => pasted().map(Event::Text),
            _ => None,
        });
    }
    told
}

/// The text that a key types.
fn text(key: &Key) -> Option<String> {
    match key {
        Key::Character(typed) if !typed.contains(char::is_control) => Some(typed.to_string()),
        Key::Space => Some(" ".to_owned()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bevy::input::ButtonState::{self, Pressed, Released};
    use bevy::input::keyboard::KeyboardFocusLost;

    /// A window with an interface, and what it is told in a frame.
    fn interface() -> (App, Entity) {
        let mut app = App::new();
        app.add_plugins(MinimalPlugins)
            .add_message::<WindowEvent>()
            .add_message::<EguiInputEvent>()
            .init_resource::<WindowToEguiContextMap>()
            .init_resource::<EguiClipboard>()
            .add_systems(PreUpdate, read);
        let [window, context] = [(); 2].map(|()| app.world_mut().spawn_empty().id());
        let mut map = app.world_mut().resource_mut::<WindowToEguiContextMap>();
        map.window_to_contexts
            .insert(window, [context].into_iter().collect());
        (app, window)
    }

    fn key(window: Entity, logical: Key, key_code: KeyCode, state: ButtonState) -> WindowEvent {
        WindowEvent::KeyboardInput(KeyboardInput {
            key_code,
            logical_key: logical,
            state,
            text: None,
            repeat: false,
            window,
        })
    }

    fn frame(app: &mut App, events: impl IntoIterator<Item = WindowEvent>) -> Vec<Event> {
        app.world_mut().write_message_batch(events);
        app.update();
        let mut told = app.world_mut().resource_mut::<Messages<EguiInputEvent>>();
        told.drain().map(|told| told.event).collect()
    }

    fn typed<'a>(told: &'a [Event]) -> Vec<&'a str> {
        let text = |event: &'a Event| match event {
            Event::Text(text) => Some(text.as_str()),
            _ => None,
        };
        told.iter().filter_map(text).collect()
    }

    #[test]
    fn a_shortcut_within_one_frame_types_nothing_and_what_follows_it_is_typed() {
        let (mut app, window) = interface();
        let control = |state| key(window, Key::Control, KeyCode::ControlLeft, state);
        let a = |state| key(window, Key::Character("a".into()), KeyCode::KeyA, state);
        let told = frame(
            &mut app,
            [
                control(Pressed),
                a(Pressed),
                a(Released),
                control(Released),
                a(Pressed),
            ],
        );
        assert_eq!(typed(&told), ["a"]);
        let presses = told.iter().filter_map(|event| match event {
            Event::Key {
                key: egui::Key::A,
                pressed: true,
                modifiers,
                ..
            } => Some(modifiers.command),
            _ => None,
        });
        assert_eq!(
            presses.collect::<Vec<_>>(),
            [cfg!(not(target_os = "macos")), false]
        );
    }

    #[test]
    fn a_modifier_is_held_over_frames_until_the_keyboard_goes_elsewhere() {
        let (mut app, window) = interface();
        let a = || key(window, Key::Character("a".into()), KeyCode::KeyA, Pressed);
        frame(
            &mut app,
            [key(window, Key::Super, KeyCode::SuperLeft, Pressed)],
        );
        assert!(typed(&frame(&mut app, [a()])).is_empty());
        let lost = WindowEvent::KeyboardFocusLost(KeyboardFocusLost);
        assert_eq!(typed(&frame(&mut app, [lost, a()])), ["a"]);
    }

    #[test]
    fn space_is_typed_and_control_characters_are_not() {
        let (mut app, window) = interface();
        let told = frame(
            &mut app,
            [
                key(window, Key::Space, KeyCode::Space, Pressed),
                key(
                    window,
                    Key::Character("\u{8}".into()),
                    KeyCode::Backspace,
                    Pressed,
                ),
            ],
        );
        assert_eq!(typed(&told), [" "]);
    }
}
