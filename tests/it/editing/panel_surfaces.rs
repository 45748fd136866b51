//! Fields of the inspector for surfaces that give: springs, round elastic bodies, foundations on faces.

use crate::editing::panel::{inspector_of, type_number};
use crate::window::fixture::Fixture;
use driftless::model::BodyId;
use driftless::scene;
use driftless::window::state::selection::Selection;
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;

const SCENE: &str = r#"(
    version: 1,
    bodies: { "crate": (mass: 20, shape: (box: (size: (1, 1, 0.5))), position: (0, 0, 0.25)) },
    world: [(half_space: ())],
    contact: (materials: { "steel": () }),
)"#;

fn open(selection: Option<Selection>) -> Harness<'static, Fixture> {
    let scene = scene::from_text("surfaces", SCENE, &[]).unwrap_or_else(|e| panic!("{e}"));
    inspector_of(scene, selection)
}

fn press(harness: &mut Harness<'static, Fixture>, label: &str) {
    harness.get_by_label(label).click();
    // What unfolds takes a while.
    for _ in 0..30 {
        harness.step();
    }
}

fn choose(harness: &mut Harness<'static, Fixture>, now: &str, then: &str) {
    harness.get_by_value(now).click();
    harness.run();
    press(harness, then);
}

fn steel(harness: &Harness<'static, Fixture>) -> scene::MaterialFile {
    let contact = harness.state().session.scene().file.contact.clone();
    contact.unwrap().materials.get("steel").cloned().unwrap()
}

#[test]
fn a_material_becomes_a_spring_then_elastic_then_rigid_again() {
    let mut harness = open(None);
    press(&mut harness, "Materials and pairs");
    choose(&mut harness, "rigid", "spring");
    type_number(&mut harness, "Damping of what gives", "25");
    let spring = steel(&harness).compliance.unwrap();
    assert_eq!((spring.stiffness.unwrap().0, spring.damping.0), (1e5, 25.0));
    choose(&mut harness, "spring", "Hertz");
    type_number(&mut harness, "Young's modulus", "7e10");
    let now = steel(&harness);
    let hertz = now.hertz.unwrap();
    assert_eq!((hertz.modulus.0, hertz.radius.unwrap().0), (7e10, 0.01));
    assert!(now.compliance.is_none());
    choose(&mut harness, "Hertz", "rigid");
    assert_eq!(steel(&harness).hertz, None);
}

#[test]
fn a_face_gets_a_foundation_that_carries_the_body() {
    let mut harness = open(Some(Selection::body(BodyId(0))));
    press(&mut harness, "+ foundation");
    choose(&mut harness, "-x", "-z");
    type_number(&mut harness, "elements first", "4");
    type_number(&mut harness, "depth", "0.1");
    let fixture = harness.state();
    assert!(fixture.editor.refused.is_empty());
    let model = fixture.session.model();
    let foundation = &model.bodies[0].shapes[0].foundations[0];
    assert_eq!(foundation.elements, [4, 10]);
    assert_eq!((foundation.face.axis, foundation.face.upper), (2, false));
    assert_eq!((foundation.extent, foundation.depth), ([1.0, 1.0], 0.1));
    // What is no layer is refused beside its field, and the scene stays.
    type_number(&mut harness, "depth", "-1");
    let fixture = harness.state();
    assert!(!fixture.editor.refused.is_empty());
    assert!(harness.query_all_by_label("refused").next().is_some());
    let foundation = &fixture.session.model().bodies[0].shapes[0].foundations[0];
    assert_eq!(foundation.depth, 0.1);
}

#[test]
fn the_ground_gets_a_foundation_of_an_extent() {
    let mut harness = open(None);
    press(&mut harness, "World (1)");
    press(&mut harness, "ground 1");
    press(&mut harness, "+ foundation");
    type_number(&mut harness, "extent second", "2.5");
    let ground = harness.state().session.scene().file.world[0].clone();
    let (first, second) = ground.foundations[0].extent.unwrap();
    assert_eq!((first.0, second.0), (1.0, 2.5));
    assert_eq!(ground.foundations[0].face, None);
    // It has one face, and that has one.
    assert!(harness.query_by_label("+ foundation").is_none());
    press(
        &mut harness,
        "Take this foundation away: the face is what its material is",
    );
    let ground = &harness.state().session.scene().file.world[0];
    assert!(ground.foundations.is_empty());
}
