//! Fields of the inspector for what has no place in the view: names, forces, couplings, materials, the world, words.

use crate::editing::panel::{inspector_of, type_number};
use crate::window::fixture::Fixture;
use bevy_egui::egui::accesskit::Role;
use bevy_egui::egui::{Event, Key, Modifiers};
use driftless::model::{BodyId, JointId};
use driftless::scene::editing::Section;
use driftless::scene::{self, AxesFile, SignalValue};
use driftless::window::commands::Command;
use driftless::window::commands::editing::EditCommand;
use driftless::window::state::selection::Selection;
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;

const SCENE: &str = r#"(
    version: 1,
    bodies: {
        "a": (mass: 1, shape: (sphere: (radius: 0.1)), position: (0, 0, 2)),
        "b": (mass: 1, shape: (sphere: (radius: 0.1)), position: (1, 0, 2)),
    },
    joints: {
        "first": (kind: revolute, child: "a", anchor: (0, 0, 2), in_world: true),
        "second": (kind: revolute, child: "b", anchor: (1, 0, 2), in_world: true),
    },
    couplings: { "mesh": (gear: ("first", "second"), ratio: 2) },
    wrenches: { "push": (body: "a") },
    world: [(half_space: ())],
    contact: (),
)"#;

fn open(selection: Option<Selection>) -> Harness<'static, Fixture> {
    let scene = scene::from_text("items", SCENE, &[]).unwrap_or_else(|e| panic!("{e}"));
    inspector_of(scene, selection)
}

fn file(harness: &Harness<'static, Fixture>) -> scene::SceneFile {
    assert!(
        harness.state().editor.refused.is_empty(),
        "{:?}",
        harness.state().editor.refused
    );
    harness.state().session.scene().file.clone()
}

/// Opens a part of the inspector and waits until it has slid open.
fn unfold(harness: &mut Harness<'static, Fixture>, title: &str) {
    harness.get_by_label(title).click();
    for _ in 0..30 {
        harness.step();
    }
}

/// Clicks the text field that is called so and replaces what it holds.
fn type_text(harness: &mut Harness<'static, Fixture>, name: &str, text: &str) {
    harness.get_by_role_and_label(Role::TextInput, name).click();
    harness.run();
    harness.key_press_modifiers(Modifiers::COMMAND, Key::A);
    harness.run();
    harness.event(Event::Text(text.into()));
    harness.run();
    harness.key_press(Key::Enter);
    harness.run();
    harness.run();
}

#[test]
fn a_name_is_typed_and_a_taken_one_is_refused_beside_it() {
    let mut harness = open(Some(Selection::body(BodyId(0))));
    let field = "Name of the body: everything that refers to it follows";
    type_text(&mut harness, field, "ball");
    let now = file(&harness);
    assert!(now.bodies.get("ball").is_some());
    assert_eq!(now.joints.get("first").unwrap().child, "ball");
    assert_eq!(now.wrenches.get("push").unwrap().body, "ball");
    type_text(&mut harness, field, "b");
    let refused = &harness.state().editor.refused;
    assert_eq!(refused[0].path, "bodies.ball.name");
    assert!(harness.query_all_by_label("refused").next().is_some());
}

#[test]
fn a_force_gets_another_body_point_axes_and_functions_of_time() {
    let mut harness = open(Some(Selection::item(Section::Wrenches, 0)));
    type_text(&mut harness, "force x", "3*sin(t)");
    type_text(&mut harness, "torque z", "0.5");
    type_number(&mut harness, "at y", "0.05");
    harness.get_by_value("of the world").click();
    harness.run();
    harness.get_by_label("of the body").click();
    harness.run();
    harness.run();
    let push = file(&harness).wrenches.get("push").cloned().unwrap();
    assert_eq!(push.force.0[0], SignalValue::Expression("3*sin(t)".into()));
    assert_eq!(push.torque.0[2], SignalValue::Constant(0.5));
    assert_eq!(push.point.unwrap().0.y, 0.05);
    assert_eq!(push.axes, AxesFile::Body);
    // What is no function of time is refused beside the force.
    type_text(&mut harness, "force y", "3*sin(");
    let refused = &harness.state().editor.refused;
    assert!(
        refused[0].path.starts_with("wrenches.push.force"),
        "{refused:?}"
    );
    assert!(harness.query_all_by_label("refused").next().is_some());
}

#[test]
fn a_coupling_changes_its_number_and_its_kind() {
    let mut harness = open(Some(Selection::item(Section::Couplings, 0)));
    type_number(&mut harness, "ratio", "-3");
    let mesh = |h: &Harness<'static, Fixture>| file(h).couplings.get("mesh").cloned().unwrap();
    assert_eq!(mesh(&harness).ratio.unwrap().0, -3.0);
    harness.get_by_value("gear").click();
    harness.run();
    // No joint of this scene slides.
    assert!(harness.query_by_label("rack and pinion").is_none());
    harness.get_by_label("linear relation").click();
    harness.run();
    harness.run();
    harness.get_by_label("+ term").click();
    harness.run();
    harness.run();
    let terms = mesh(&harness).terms;
    assert_eq!((terms.len(), mesh(&harness).gear), (2, None));
    assert_eq!(harness.state().session.model().couplings[0].terms.len(), 2);
}

#[test]
fn materials_pairs_and_bodies_that_never_touch() {
    let mut harness = open(None);
    let press = |harness: &mut Harness<'static, Fixture>, label: &str| {
        harness.get_by_label(label).click();
        harness.run();
        harness.run();
    };
    unfold(&mut harness, "Materials and pairs");
    type_number(
        &mut harness,
        "Coefficient of Coulomb friction, static and sliding",
        "0.7",
    );
    press(&mut harness, "+ material");
    press(&mut harness, "+ pair");
    press(&mut harness, "+ never touch");
    press(&mut harness, "also where a joint connects them");
    let contact = file(&harness).contact.unwrap();
    let materials: Vec<&str> = contact.materials.names().collect();
    assert_eq!(materials, ["default", "material"]);
    assert_eq!(
        contact
            .materials
            .get("default")
            .unwrap()
            .friction
            .unwrap()
            .0,
        0.7
    );
    let pair = ("default".to_owned(), "material".to_owned());
    assert_eq!(contact.pairs[0].materials, pair);
    assert_eq!(contact.apart, [("a".to_owned(), "b".to_owned())]);
    assert!(contact.joined);
    let field = "Name of the material";
    type_text(&mut harness, field, "ice");
    let contact = file(&harness).contact.unwrap();
    assert_eq!(contact.pairs[0].materials.1, "ice");
    let meaning = "Take this material away; what is made of it is made of the first one";
    harness
        .get_all_by_label(meaning)
        .last()
        .expect("there are two")
        .click();
    harness.run();
    harness.run();
    let contact = file(&harness).contact.unwrap();
    assert!(contact.materials.len() == 1 && contact.pairs.is_empty());
}

#[test]
fn the_world_gets_shapes_and_the_scene_its_words() {
    let mut harness = open(None);
    unfold(&mut harness, "World (1)");
    harness.get_by_label("Add to the world").click();
    harness.run();
    harness.get_by_label("box").click();
    harness.run();
    harness.run();
    assert_eq!(file(&harness).world.len(), 2);
    assert_eq!(harness.state().session.model().world_shapes.len(), 2);
    unfold(&mut harness, "box 2");
    type_number(&mut harness, "centre z", "0.25");
    assert_eq!(file(&harness).world[1].at.unwrap().0.z, 0.25);
    type_text(&mut harness, "title", "Two balls");
    harness.get_by_label("speed").click();
    harness.run();
    harness.run();
    let now = file(&harness);
    assert_eq!(
        (now.title.as_str(), now.speed.unwrap().0),
        ("Two balls", 1.0)
    );
    harness.get_by_label("Open with this view").click();
    harness.run();
    assert_eq!(
        harness.state().asked.last(),
        Some(&Command::Edit(EditCommand::KeepCamera))
    );
}

#[test]
fn a_joint_given_in_the_world_gets_the_frames_of_its_bodies_and_a_start() {
    let mut harness = open(Some(Selection::joint(JointId(0))));
    let before = harness.state().session.scene().state.clone();
    harness.get_by_label("frames of the bodies").click();
    harness.run();
    harness.run();
    let first = |h: &Harness<'static, Fixture>| file(h).joints.get("first").cloned().unwrap();
    assert!(!first(&harness).in_world && first(&harness).child_anchor.is_none());
    assert_eq!(harness.state().session.scene().state, before);
    type_number(&mut harness, "rates 1", "3");
    assert_eq!(first(&harness).rates.unwrap().0, [3.0]);
}

#[test]
fn a_body_gets_a_colour_and_a_density_in_the_place_of_its_mass() {
    let mut harness = open(Some(Selection::body(BodyId(0))));
    harness.get_by_value("automatic").click();
    harness.run();
    harness.get_by_label("teal").click();
    harness.run();
    harness.run();
    // That of the body comes before those of its shapes.
    let mut densities = harness.get_all_by_label("density");
    densities.next().expect("it has one").click();
    drop(densities);
    harness.run();
    harness.run();
    let a = file(&harness).bodies.get("a").cloned().unwrap();
    assert_eq!(a.colour, Some(scene::ColourValue::Text("teal".into())));
    assert_eq!(a.density.unwrap().0, 1000.0);
}
