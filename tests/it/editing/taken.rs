//! Takes and the past hold bodies and joints that came and went.

use crate::editing::fixture::{Fixture, mass};
use driftless::math::Vec3;
use driftless::scene::Take;
use driftless::scene::editing::{Fresh, Section, add, delete};

#[test]
fn takes_and_the_past_hold_bodies_that_came_and_went() {
    let mut fixture = Fixture::open("double_pendulum");
    let scene = fixture.scene.clone();
    fixture.run(20);
    let (name, edit) = add(
        &fixture.scene.file,
        Fresh::Box,
        0.4,
        Vec3::new(1.0, 2.0, 3.0),
    );
    fixture.edit(&edit).unwrap();
    fixture.run(20);
    fixture
        .edit(&delete(&fixture.scene, Section::Bodies, "lower"))
        .unwrap();
    fixture.run(20);
    let end = fixture.state().digest();
    // The past, across both edits and back; the document follows.
    for (step, bodies, edits) in [(10, 2, 0), (30, 3, 1), (60, 2, 2), (5, 2, 0), (60, 2, 2)] {
        fixture
            .timeline
            .seek(&mut fixture.simulation, step)
            .expect("it was there");
        assert_eq!(fixture.simulation.model().bodies.len(), bodies);
        fixture
            .document
            .follow(&mut fixture.scene, &fixture.simulation)
            .unwrap();
        assert_eq!(fixture.document.names().len(), edits, "step {step}");
        assert_eq!(*fixture.simulation.model(), fixture.scene.model);
    }
    assert_eq!(fixture.state().digest(), end);
    // A take, through a file.
    let take = Take::of(&scene, &fixture.timeline);
    let bytes = take.write(Vec::new()).expect("memory takes everything");
    let text = String::from_utf8(bytes).expect("it is text");
    assert!(text.contains("take: 4,") && text.contains("Mechanism("));
    let again = Take::from_text("test.take", &text).unwrap_or_else(|e| panic!("{e}"));
    let mut replay = again.replay().expect("it begins as it did");
    while replay.advance().unwrap_or_else(|e| panic!("{e}")) {}
    assert_eq!(replay.simulation().state().digest(), end);
    // An edit at a past moment begins a branch; on the one that was left everything is as it was.
    fixture
        .timeline
        .seek(&mut fixture.simulation, 30)
        .expect("it was there");
    fixture
        .document
        .follow(&mut fixture.scene, &fixture.simulation)
        .unwrap();
    fixture.edit(&mass(&fixture.scene, &name, 7.0)).unwrap();
    fixture.run(5);
    let left = fixture
        .timeline
        .branches()
        .keys()
        .next()
        .copied()
        .expect("the first");
    fixture
        .timeline
        .visit(&mut fixture.simulation, left, 60)
        .expect("it was there");
    assert_eq!(fixture.state().digest(), end);
    assert!(
        fixture
            .document
            .follow(&mut fixture.scene, &fixture.simulation)
            .unwrap()
    );
    assert_eq!(fixture.document.undo_name(), Some("delete lower"));
}

#[test]
fn a_take_with_a_mechanism_that_does_not_fit_is_refused() {
    let mut fixture = Fixture::open("pendulum");
    let scene = fixture.scene.clone();
    fixture.run(3);
    let (_, edit) = add(
        &fixture.scene.file,
        Fresh::Sphere,
        0.4,
        Vec3::new(1.0, 2.0, 3.0),
    );
    fixture.edit(&edit).unwrap();
    fixture.run(3);
    let bytes = Take::of(&scene, &fixture.timeline)
        .write(Vec::new())
        .expect("memory");
    let text = String::from_utf8(bytes).expect("it is text");
    let line = text
        .lines()
        .find(|l| l.starts_with("Mechanism("))
        .expect("it is there");
    let at = line.find("reactions:").expect("the state has them");
    let broken = format!(
        "{}reactions:[],{}",
        &line[..at],
        &line[line.find("coupling_forces").unwrap()..]
    );
    let errors = Take::from_text("x.take", &text.replace(line, &broken)).unwrap_err();
    assert!(errors.0[0].path.contains("reactions"), "{errors}");
    let child = line.replacen("child:", "child:9", 1);
    if child != line {
        assert!(Take::from_text("x.take", &text.replace(line, &child)).is_err());
    }
}
