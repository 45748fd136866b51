//! The table of panels is the only place that knows them: whatever has a row is drawn, found and reached.

use crate::window::accessible::{Place, controls, fixture, show};
use crate::window::fixture::{self, fixture as plain};
use crate::window::panels::toolbar;
use bevy_egui::egui::accesskit::Toggled;
use driftless::model::BodyId;
use driftless::window::commands::{Command, keys};
use driftless::window::palette::{choices, find};
use driftless::window::state::panels::{PANELS, PanelId};
use driftless::window::state::selection::Selection;
use driftless::window::state::workspace::Workspace;
use egui_kittest::kittest::{NodeT, Queryable};

#[test]
fn every_panel_of_the_table_is_drawn_found_and_has_a_key_or_none() {
    let fixture_of = || fixture("double_pendulum", Some(Selection::body(BodyId(0))));
    let shown = fixture_of();
    let all = choices(&shown.session, &shown.preferences, &shown.scene_list);
    for row in PANELS {
        let harness = show(Place::Panel(row.panel), fixture_of());
        let nothing = harness.query_by_label_contains("Nothing draws").is_some();
        assert!(!nothing, "{} is drawn", row.title);
        let asked = Command::TogglePanel(row.panel);
        let found = find(&all, row.words, &[]);
        assert_eq!(found[0].action, asked, "the palette finds {}", row.words);
        let binding = keys::binding(&asked).expect("it is in the table of keys");
        assert_eq!(binding.label, row.key.map_or("", |k| k.label));
        if let Some(key) = row.key {
            let pressed = keys::action(key.key, key.control, false, true);
            assert_eq!(pressed, Some(asked), "{}", key.label);
        }
        for held in row.holds {
            let shows = Command::ShowPanel(row.panel);
            assert_eq!(find(&all, held, &[])[0].action, shows, "{held}");
        }
    }
}

#[test]
fn every_panel_of_the_table_is_reached_from_the_toolbar_at_every_width() {
    for (width, menu) in [(1600.0, None), (1004.0, None), (500.0, Some("Panels ⏷"))] {
        for row in PANELS {
            let mut harness = fixture::show(plain("pendulum"), [width, 600.0], toolbar);
            let button = |harness: &egui_kittest::Harness<'static, fixture::Fixture>| {
                let found = controls(harness.root()).into_iter().find(|c| {
                    let label = c.accesskit_node().label().unwrap_or_default();
                    label == row.title || label == format!("+ {}", row.title.to_lowercase())
                });
                found.map(|c| c.rect().center())
            };
            let menu = menu.filter(|_| button(&harness).is_none());
            if let Some(menu) = menu {
                harness.get_by_label(menu).click();
                harness.run();
            }
            let at = button(&harness).unwrap_or_else(|| panic!("{} at {width}", row.title));
            harness.hover_at(at);
            harness.drag_at(at);
            harness.drop_at(at);
            harness.run();
            let wanted = [Command::TogglePanel(row.panel)];
            assert_eq!(harness.state().asked, wanted, "{} at {width}", row.title);
        }
    }
}

#[test]
fn the_buttons_of_panels_that_can_be_seen_are_lit() {
    let mut shown = plain("pendulum");
    shown.workspace.open(PanelId::Inspector);
    shown.workspace.open(PanelId::Layers);
    let wanted: Vec<bool> = PANELS
        .iter()
        .map(|row| shown.workspace.is_seen(row.panel))
        .collect();
    let harness = fixture::show(shown, [1280.0, 60.0], toolbar);
    for (row, seen) in PANELS.iter().zip(wanted) {
        let plus = format!("+ {}", row.title.to_lowercase());
        let button = harness
            .query_by_label(row.title)
            .or_else(|| harness.query_by_label(&plus));
        let button = button.unwrap_or_else(|| panic!("{} has a button", row.title));
        let lit = button.accesskit_node().toggled() == Some(Toggled::True);
        assert_eq!(lit, seen, "{}", row.title);
    }
}

#[test]
fn panels_of_one_dock_are_behind_each_other_and_what_is_behind_is_brought_forward() {
    let mut workspace = Workspace::default();
    assert_eq!(workspace.open, [PanelId::Plots]);
    workspace.toggle(PanelId::Layers);
    workspace.toggle(PanelId::Inspector);
    workspace.toggle(PanelId::Solver);
    assert!(workspace.is_seen(PanelId::Inspector) && workspace.is_seen(PanelId::Plots));
    assert!(workspace.is_open(PanelId::Layers) && !workspace.is_seen(PanelId::Layers));
    workspace.toggle(PanelId::Layers);
    let front = workspace.in_front_of(PanelId::Inspector);
    assert_eq!(
        front,
        Some(PanelId::Layers),
        "it was behind and comes forward"
    );
    workspace.toggle(PanelId::Layers);
    assert!(workspace.is_seen(PanelId::Inspector) && !workspace.is_open(PanelId::Layers));
    workspace.gallery = true;
    workspace.toggle(PanelId::Inspector);
    assert!(workspace.is_seen(PanelId::Inspector) && !workspace.gallery);
    workspace.toggle(PanelId::Inspector);
    assert_eq!(workspace.in_front_of(PanelId::Inspector), None);
    workspace.panels = false;
    workspace.show(PanelId::Record);
    assert!(workspace.panels && workspace.is_seen(PanelId::Record));
}

#[test]
fn a_reset_of_the_layout_is_found_by_its_words_and_puts_everything_back() {
    let shown = fixture("double_pendulum", None);
    let all = choices(&shown.session, &shown.preferences, &shown.scene_list);
    assert_eq!(
        find(&all, "reset layout", &[])[0].action,
        Command::ResetLayout
    );
    let mut workspace = Workspace::default();
    workspace.arrangement.widen(PanelId::Plots, 500.0);
    workspace.open(PanelId::Solver);
    workspace.gallery = true;
    workspace.reset_layout();
    assert_eq!(workspace, Workspace::default());
}
