//! A hand at the real window: keys, words, the pointer, and where the pendulum and the controls are that it goes to.

use crate::window::display::xdotool;
use crate::window::fixture::{self, showing};
use bevy::prelude::World;
use bevy_egui::egui;
use driftless::model::BodyId;
use driftless::window::camera::orbit::Viewport;
use driftless::window::camera::view::View;
use driftless::window::layout::tiles::tiles_ui;
use driftless::window::playback::transport_ui::transport_ui;
use driftless::window::session::Session;
use driftless::window::session::playback::Playback;
use driftless::window::state::arrangement::Arrangement;
use driftless::window::state::panels::PanelId;
use driftless::window::state::selection::Selection;
use driftless::window::theme::apply;
use driftless::window::theme::fonts::fonts;
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT, Queryable};
use std::thread::sleep;
use std::time::Duration;

/// Between two looks.
pub const PAUSE: Duration = Duration::from_millis(300);

/// Presses keys one after the other.
pub fn press(keys: &[&str]) {
    for key in keys {
        xdotool(&["key", key]);
        sleep(PAUSE);
    }
}

/// Types a text.
pub fn write(text: &str) {
    xdotool(&["type", "--delay", "120", text]);
    sleep(PAUSE);
}

/// Does something by the palette.
pub fn find(words: &str) {
    press(&["ctrl+k"]);
    sleep(Duration::from_secs(2));
    write(words);
    sleep(Duration::from_secs(1));
    press(&["Return"]);
}

/// Moves the pointer to a place in the window [points].
pub fn point(window: &str, at: [f64; 2]) {
    let [x, y] = at.map(|v| format!("{v:.0}"));
    xdotool(&["mousemove", "--window", window, &x, &y]);
    sleep(PAUSE);
}

/// Clicks at a place in the window [points].
pub fn click(window: &str, at: [f64; 2]) {
    point(window, at);
    xdotool(&["click", "1"]);
    sleep(PAUSE);
}

/// Where the rod of the pendulum is at its start once the panels are hidden and the view fills the window.
pub fn bob() -> [f64; 2] {
    let scene = driftless::scene::open("pendulum", &[]).expect("the scene is right");
    let session = Session::new(scene).expect("the scene runs");
    let full = Viewport {
        corner: [0.0; 2],
        size: [1280.0, 720.0],
    };
    let camera = View::of(&session).orbit;
    let bob = session.poses()[0].translation.vector;
    camera.project(&full, &bob).expect("in view")
}

/// Where the scrub bar is in the window [points]: the same bar, laid out without a window.
pub fn scrub_bar() -> egui::Rect {
    let scene = driftless::scene::open("pendulum", &[]).expect("the scene is right");
    let session = Session::new(scene).expect("the scene runs");
    let draw = move |ui: &mut egui::Ui| {
        drop(transport_ui(ui, &session, &Playback::default()));
    };
    let mut harness = Harness::builder()
        .with_size(egui::vec2(1260.0, 42.0))
        .with_pixels_per_point(1.0)
        .build_ui(draw);
    harness.ctx.set_fonts(fonts());
    harness.run_steps(3);
    let bar = harness.get_by_label("Time").rect();
    // The bar of the window begins ten points from the left, above the status line.
    bar.translate(egui::vec2(10.0, 720.0 - 26.0 - 42.0))
}

/// Where the field of the selected rod's mass is in the window [points]: the same panels in the same tiles, laid out
/// without a window.
pub fn mass_field(arrangement: Arrangement) -> [f64; 2] {
    let scene = driftless::scene::open("pendulum", &[]).expect("the scene is right");
    let session = Session::new(scene).expect("the scene runs");
    let mut shown = showing(session);
    shown.highlight.selection = Some(Selection::body(BodyId(0)));
    shown.workspace.open(PanelId::Inspector);
    shown.workspace.arrangement = arrangement;
    let draw = |ui: &mut egui::Ui, (world, worn): &mut (World, bool)| {
        if !std::mem::replace(worn, true) {
            ui.ctx().set_fonts(fonts());
            apply(ui.ctx(), true);
        }
        // Between toolbar and transport bar.
        let inside = egui::Rect::from_min_max(egui::pos2(0.0, 38.0), egui::pos2(1280.0, 652.0));
        ui.scope_builder(egui::UiBuilder::new().max_rect(inside), |ui| {
            tiles_ui(world, ui);
        });
    };
    let mut harness = Harness::builder()
        .with_size(egui::vec2(1280.0, 720.0))
        .with_pixels_per_point(1.0)
        .build_ui_state(draw, (fixture::world(shown), false));
    harness.run_steps(5);
    let is_number =
        |n: &egui_kittest::Node| format!("{:?}", n.accesskit_node().role()) == "SpinButton";
    let mut called = harness.get_all_by_label("mass");
    let at = called.find(is_number).expect("it has a field").rect();
    [at.center().x, at.center().y].map(f64::from)
}
