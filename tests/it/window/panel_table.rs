//! The table of panels is the only place that knows them: whatever has a row is drawn, found and reached.

use crate::window::accessible::{Place, controls, desk, show};
use crate::window::desk::{self, desk as plain};
use crate::window::panels::toolbar;
use driftless::model::BodyId;
use driftless::window::commands::{Command, keys};
use driftless::window::palette::{choices, find};
use driftless::window::state::panels::{Dock, PANELS, PanelId};
use driftless::window::state::selection::Selection;
use driftless::window::state::workspace::Workspace;
use egui_kittest::kittest::{NodeT, Queryable};

#[test]
fn every_panel_of_the_table_is_drawn_found_and_has_a_key_or_none() {
    let desk_of = || desk("double_pendulum", Some(Selection::body(BodyId(0))));
    let shown = desk_of();
    let all = choices(&shown.session, &shown.preferences, &shown.scene_list);
    for row in PANELS {
        let harness = show(Place::Panel(row.panel), desk_of());
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
    for (width, menus) in [
        (1600.0, vec!["Tools ⏷"]),
        (500.0, vec!["Panels ⏷", "Tools ⏷"]),
    ] {
        for row in PANELS {
            let mut harness = desk::show(plain("pendulum"), [width, 600.0], toolbar);
            let button = |harness: &egui_kittest::Harness<'static, desk::Desk>| {
                let found = controls(harness.root()).into_iter().find(|c| {
                    let label = c.accesskit_node().label().unwrap_or_default();
                    label == row.title
                        || label == format!("☰ {}", row.title)
                        || label == row.meaning
                });
                found.map(|c| c.rect().center())
            };
            for menu in &menus {
                if button(&harness).is_none() {
                    harness.get_by_label_contains(menu).click();
                    harness.run();
                }
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
fn a_dock_shows_one_panel_and_what_is_behind_the_gallery_is_brought_forward() {
    let mut workspace = Workspace::default();
    assert_eq!(workspace.open, [PanelId::Plots]);
    workspace.toggle(PanelId::Layers);
    workspace.toggle(PanelId::Inspector);
    workspace.toggle(PanelId::Solver);
    assert_eq!(workspace.docked(Dock::Side), Some(PanelId::Inspector));
    assert!(!workspace.is_open(PanelId::Layers) && workspace.is_open(PanelId::Plots));
    workspace.gallery = true;
    workspace.toggle(PanelId::Inspector);
    assert!(workspace.is_open(PanelId::Inspector) && !workspace.gallery);
    workspace.toggle(PanelId::Inspector);
    assert_eq!(workspace.docked(Dock::Side), None);
    workspace.panels = false;
    workspace.show(PanelId::Record);
    assert!(workspace.panels && workspace.is_open(PanelId::Record));
}
