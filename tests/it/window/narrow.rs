//! Bars in windows of every width: nothing overlaps, nothing leaves the window, and what is not shown is in a menu.

use crate::window::accessible::controls;
use crate::window::fixture::{self, Panel, fixture};
use crate::window::panels::toolbar;
use driftless::window::commands::Command;
use driftless::window::playback::transport_ui::transport_ui;
use driftless::window::state::panels::PanelId;
use egui_kittest::kittest::{NodeT, Queryable};

/// Widths in points: a window of 800 pixels at a scale of 200 %, and so on up to a large screen.
const WIDTHS: [f32; 12] = [
    400.0, 480.0, 533.0, 640.0, 800.0, 853.0, 980.0, 1024.0, 1040.0, 1280.0, 1600.0, 2560.0,
];

fn assert_nothing_overlaps(name: &str, panel: Panel) {
    let mut problems = Vec::new();
    for width in WIDTHS {
        // A long name.
        let mut fixture = fixture("double_four_bar");
        // A long clock, as after a while.
        for _ in 0..30 {
            fixture.session.step();
        }
        let harness = fixture::show(fixture, [width, 60.0], panel);
        let shown = controls(harness.root());
        for (k, a) in shown.iter().enumerate() {
            let said = a.accesskit_node().label().unwrap_or_default();
            let (left, right) = (a.rect().left(), a.rect().right());
            if left < -0.5 || right > width + 0.5 {
                problems.push(format!(
                    "{name} at {width}: `{said}` from {left} to {right}"
                ));
            }
            for b in &shown[k + 1..] {
                let common = a.rect().intersect(b.rect());
                // Neighbours may share an edge.
                if common.width() > 1.0 && common.height() > 1.0 {
                    let other = b.accesskit_node().label().unwrap_or_default();
                    problems.push(format!("{name} at {width}: `{said}` on `{other}`"));
                }
            }
        }
    }
    assert!(problems.is_empty(), "{problems:#?}");
}

#[test]
fn the_toolbar_fits_into_every_width() {
    assert_nothing_overlaps("toolbar", toolbar);
}

#[test]
fn the_transport_bar_fits_into_every_width() {
    assert_nothing_overlaps("transport", |ui, fixture| {
        transport_ui(ui, &fixture.session, &fixture.playback)
    });
}

#[test]
fn what_the_toolbar_has_no_room_for_is_in_its_menu() {
    let mut harness = fixture::show(fixture("double_pendulum"), [500.0, 600.0], toolbar);
    harness.get_by_label("Panels ⏷").click();
    harness.run();
    harness.get_by_label("Step size");
    harness.get_by_label("Inspector").click();
    harness.run();
    let wanted = [Command::TogglePanel(PanelId::Inspector)];
    assert_eq!(harness.state().asked, wanted);
}
