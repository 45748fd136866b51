//! Every control of every panel says under the pointer what it does, and names only keys that work.

use crate::window::accessible::{controls, desks, fixture, places, show};
use crate::window::fixture::{self, Fixture, Panel};
use crate::window::lanes;
use bevy_egui::egui::{self, accesskit::Role};
use driftless::window::compare::panel::lanes::compare_ui;
use driftless::window::compare::panel::table::lane_table_ui;
use driftless::window::layout::toolbar::toolbar_ui;
use driftless::window::ui;
use egui_kittest::Harness;
use egui_kittest::kittest::NodeT;
use std::collections::BTreeSet;

/// Texts that are shown now, tooltips included.
fn texts<S>(harness: &Harness<'static, S>) -> usize {
    let mut count = 0;
    let mut pending = vec![harness.root()];
    while let Some(node) = pending.pop() {
        pending.extend(node.children());
        count += usize::from(node.accesskit_node().role() == Role::Label);
    }
    count
}

#[test]
fn every_control_says_under_the_pointer_what_it_does() {
    let mut problems = BTreeSet::new();
    for (name, place) in places() {
        // The palette shows what an entry does; its keys stand at its right. The help has nothing but the cross of its
        // frame.
        if name == "palette" || name == "help" {
            continue;
        }
        for fixture in desks() {
            let mut harness = show(place, fixture);
            harness.ctx.all_styles_mut(|style| {
                style.interaction.tooltip_delay = 0.0;
                style.interaction.show_tooltips_only_when_still = false;
            });
            harness.run_steps(2);
            let before = texts(&harness);
            let places: Vec<(String, egui::Pos2)> = controls(harness.root())
                .iter()
                .map(|c| {
                    (
                        c.accesskit_node().label().unwrap_or_default(),
                        c.rect().center(),
                    )
                })
                .filter(|(_, at)| at.y < 3000.0)
                .collect();
            for (label, at) in places {
                harness.hover_at(at);
                harness.run_steps(3);
                if texts(&harness) <= before {
                    problems.insert(format!("{name}: `{label}`"));
                }
                harness.hover_at(egui::pos2(1299.0, 2999.0));
                harness.run_steps(2);
            }
        }
    }
    assert!(problems.is_empty(), "{problems:#?}");
}

/// What is said under the pointer about controls with these names.
fn hints(fixture: Fixture, panel: Panel, names: &[&str]) -> String {
    use egui_kittest::kittest::Queryable;
    let mut harness = fixture::show(fixture, [1280.0, 900.0], panel);
    harness.ctx.all_styles_mut(|style| {
        style.interaction.tooltip_delay = 0.0;
        style.interaction.show_tooltips_only_when_still = false;
    });
    let mut said = String::new();
    harness.run_steps(2);
    for wanted in names {
        let control = harness.get_all_by_label(wanted).next();
        control.expect("it is there").hover();
        harness.run_steps(3);
        let mut pending = vec![harness.root()];
        while let Some(node) = pending.pop() {
            pending.extend(node.children());
            let node = node.accesskit_node();
            if node.role() == Role::Label {
                said += &node.value().or_else(|| node.label()).unwrap_or_default();
            }
        }
    }
    said
}

#[test]
fn tooltips_name_only_keys_that_work() {
    let toolbar = |single: bool| {
        let panel: Panel = match single {
            true => |ui, d| {
                ui::set_single_keys(ui.ctx(), true);
                toolbar_ui(
                    ui,
                    &d.session,
                    &d.look,
                    &d.workspace,
                    &d.recording,
                    &d.comparing,
                )
            },
            false => |ui, d| {
                ui::set_single_keys(ui.ctx(), false);
                toolbar_ui(
                    ui,
                    &d.session,
                    &d.look,
                    &d.workspace,
                    &d.recording,
                    &d.comparing,
                )
            },
        };
        hints(fixture("pendulum", None), panel, &["Inspector", "Plots"])
    };
    let with = toolbar(true);
    assert!(with.contains("(I)") && with.contains("(F4)"), "{with}");
    let without = toolbar(false);
    assert!(
        !without.contains("(I)") && without.contains("(F4)"),
        "{without}"
    );
}

#[test]
fn the_buttons_of_lanes_name_their_keys() {
    let lanes = || {
        let app = lanes::compared("pendulum", &[("heun", 1.0), ("rk4", 1.0)]);
        fixture::fixture_of(app)
    };
    let table: Panel = |ui, d| lane_table_ui(ui, &d.comparing, false);
    let panel: Panel = |ui, d| compare_ui(ui, &d.session, &d.comparing);
    let said = hints(lanes(), table, &["Synchronise", "Make reference"]);
    assert!(
        said.contains("(Shift + K)") && said.contains("(K)"),
        "{said}"
    );
    let tall = hints(lanes(), panel, &["Synchronise"]);
    assert!(tall.contains("(Shift + K)"), "{tall}");
}
