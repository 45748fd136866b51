//! Gallery and command palette, clicked and typed into without a window.

use crate::window::fixture::{self, Fixture};
use bevy_egui::egui::{self, Key};
use driftless::window::commands::Command;
use driftless::window::palette::palette_ui::palette_ui;
use driftless::window::scenes::Entry;
use driftless::window::scenes::gallery_ui::gallery_ui;
use driftless::window::session::Session;
use driftless::window::state::layers::Layer;
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;

/// A fixture that knows three scenes and a file.
fn fixture() -> Fixture {
    let entry = |spec: &str, title: &str, group: &str, description: &str| Entry {
        spec: spec.into(),
        title: title.into(),
        group: group.into(),
        description: description.into(),
        generated: false,
    };
    let mut fixture = fixture::fixture("double_pendulum");
    fixture.scene_list.catalogue = vec![
        entry("double_pendulum", "Double pendulum", "Pendulums", "Chaotic"),
        entry("arch", "Arch", "Stacks", "Stands by friction alone"),
        entry(
            "dominoes",
            "Dominoes",
            "Stacks",
            "One falls after the other",
        ),
    ];
    fixture.preferences.recent = vec!["/some/where/mine.ron".into()];
    fixture
}

fn gallery(fixture: Fixture) -> Harness<'static, Fixture> {
    fixture::show(fixture, [716.0, 4000.0], |ui, fixture| {
        gallery_ui(
            ui,
            &fixture.session,
            &fixture.preferences,
            &fixture.scene_list,
            &mut fixture.gallery,
        )
    })
}

/// The palette, which remembers what it was used for.
fn palette(fixture: Fixture) -> Harness<'static, Fixture> {
    fixture::show(fixture, [1280.0, 720.0], |ui, fixture| {
        let ctx = ui.ctx().clone();
        let found = palette_ui(
            &ctx,
            &fixture.session,
            fixture.look.dark,
            &fixture.preferences,
            &fixture.scene_list,
            &mut fixture.palette,
        );
        let (name, action) = found.unzip();
        name.iter().for_each(|n| fixture.preferences.note(n));
        action.into_iter().collect()
    })
}

fn type_in(harness: &mut Harness<'static, Fixture>, text: &str) {
    harness.event(egui::Event::Text(text.into()));
    harness.run();
}

#[test]
fn a_card_opens_its_scene_and_a_search_leaves_what_it_finds() {
    let mut harness = gallery(fixture());
    for group in ["Recent files", "Pendulums", "Stacks", "With parameters"] {
        harness.get_by_label(group);
    }
    harness.get_by_label("Arch").click();
    harness.run();
    assert_eq!(harness.state().asked, [Command::Open("arch".into())]);
    harness.get_by_label("Search the gallery").focus();
    harness.run();
    type_in(&mut harness, "falls other");
    assert!(harness.query_by_label("Arch").is_none());
    assert!(harness.query_by_label("Recent files").is_none());
    harness.get_by_label("Dominoes");
    harness.key_press(Key::Enter);
    harness.run();
    assert_eq!(harness.state().asked[1], Command::Open("dominoes".into()));
    harness.get_by_label("Search the gallery").focus();
    harness.run();
    type_in(&mut harness, " nowhere");
    harness.get_by_label_contains("No scene is called that");
}

#[test]
fn recent_files_generators_and_the_way_out_are_there() {
    let mut harness = gallery(fixture());
    harness.get_by_label("mine.ron").click();
    harness.run();
    harness.get_by_label("Show at start").click();
    harness.run();
    harness.get_by_label("Close").click();
    harness.run();
    harness.get_by_label("Chain").click();
    harness.run();
    let wanted = [
        Command::Open("/some/where/mine.ron".into()),
        Command::ToggleGalleryAtStart,
        Command::ToggleGallery,
        Command::Open("chain:".into()),
    ];
    assert_eq!(harness.state().asked, wanted);
    harness.get_by_label_contains("Esc returns to Double pendulum");
}

#[test]
fn a_parameter_is_typed_and_a_word_chosen_and_both_are_asked_for() {
    let mut harness = gallery(fixture());
    harness.get_by_label("links of chain").click();
    harness.run();
    // A click on a number selects it, so that typing replaces it.
    type_in(&mut harness, "7");
    harness.key_press(Key::Enter);
    harness.run();
    harness.get_by_label("joint of chain").click();
    harness.run();
    harness.get_by_label("spherical").click();
    harness.run();
    harness.get_by_label("Chain").click();
    harness.run();
    let wanted = Command::Open("chain:links=7,joint=spherical".into());
    assert_eq!(harness.state().asked.last(), Some(&wanted));
}

#[test]
fn nothing_in_the_gallery_is_wider_than_it() {
    let harness = gallery(fixture());
    let width = 716.0 + 0.5;
    let mut pending = vec![harness.root()];
    while let Some(node) = pending.pop() {
        use egui_kittest::kittest::NodeT;
        if node.accesskit_node().label().is_some() {
            let rect = node.rect();
            assert!(
                rect.right() <= width && rect.left() >= -0.5,
                "{node:?} {rect}"
            );
        }
        pending.extend(node.children());
    }
}

#[test]
fn the_palette_finds_by_parts_of_words_and_enter_does_the_first() {
    let mut harness = palette(fixture());
    type_in(&mut harness, "shdw");
    harness.key_press(Key::Enter);
    harness.run();
    assert_eq!(
        harness.state().asked,
        [Command::ToggleLayer(Layer::Shadows)]
    );
    assert_eq!(harness.state().preferences.done, ["Layers: Shadows"]);
}

#[test]
fn what_cannot_be_done_here_is_listed_and_does_nothing() {
    // A box on a slope: chains in joint coordinates have no contact.
    let mut fixture = fixture();
    fixture.session = Session::new(driftless::scene::open("box_slope", &[]).unwrap()).unwrap();
    let mut harness = palette(fixture);
    type_in(&mut harness, "integrator minimal-3");
    harness.key_press(Key::Enter);
    harness.run();
    assert_eq!(harness.state().asked, []);
}

#[test]
fn arrows_choose_and_a_click_does() {
    let mut harness = palette(fixture());
    type_in(&mut harness, "scene do");
    // Double pendulum and Dominoes answer, in an order of their own.
    harness.key_press(Key::ArrowDown);
    harness.run();
    harness.key_press(Key::Enter);
    harness.run();
    let Some(Command::Open(second)) = harness.state().asked.first().cloned() else {
        panic!("{:?}", harness.state().asked);
    };
    harness.key_press(Key::ArrowUp);
    harness.run();
    harness.key_press(Key::Enter);
    harness.run();
    let Command::Open(first) = harness.state().asked[1].clone() else {
        panic!("{:?}", harness.state().asked);
    };
    let mut both = [first, second];
    both.sort();
    assert_eq!(both, ["dominoes", "double_pendulum"]);
    harness.get_by_label("Scene: Dominoes").click();
    harness.run();
    assert_eq!(harness.state().asked[2], Command::Open("dominoes".into()));
    harness.get_by_label("Search everything").focus();
    harness.run();
    type_in(&mut harness, "qqq");
    harness.get_by_label("Nothing is called that.");
}
