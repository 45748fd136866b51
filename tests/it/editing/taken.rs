//! Takes and the past hold bodies and joints that came and went.

use crate::editing::desk::{Desk, mass};
use driftless::math::Vec3;
use driftless::scene::Take;
use driftless::scene::editing::{Fresh, Section, add, delete};

#[test]
fn takes_and_the_past_hold_bodies_that_came_and_went() {
    let mut desk = Desk::open("double_pendulum");
    let scene = desk.scene.clone();
    desk.run(20);
    let (name, edit) = add(&desk.scene.file, Fresh::Box, 0.4, Vec3::new(1.0, 2.0, 3.0));
    desk.edit(&edit).unwrap();
    desk.run(20);
    desk.edit(&delete(&desk.scene, Section::Bodies, "lower"))
        .unwrap();
    desk.run(20);
    let end = desk.state().digest();
    // The past, across both edits and back; the document follows.
    for (step, bodies, edits) in [(10, 2, 0), (30, 3, 1), (60, 2, 2), (5, 2, 0), (60, 2, 2)] {
        desk.timeline
            .seek(&mut desk.simulation, step)
            .expect("it was there");
        assert_eq!(desk.simulation.model().bodies.len(), bodies);
        desk.document
            .follow(&mut desk.scene, &desk.simulation)
            .unwrap();
        assert_eq!(desk.document.names().len(), edits, "step {step}");
        assert_eq!(*desk.simulation.model(), desk.scene.model);
    }
    assert_eq!(desk.state().digest(), end);
    // A take, through a file.
    let take = Take::of(&scene, &desk.timeline);
    let bytes = take.write(Vec::new()).expect("memory takes everything");
    let text = String::from_utf8(bytes).expect("it is text");
    assert!(text.contains("take: 4,") && text.contains("Mechanism("));
    let again = Take::from_text("test.take", &text).unwrap_or_else(|e| panic!("{e}"));
    let mut replay = again.replay().expect("it begins as it did");
    while replay.advance().unwrap_or_else(|e| panic!("{e}")) {}
    assert_eq!(replay.simulation().state().digest(), end);
    // An edit at a past moment begins a branch; on the one that was left everything is as it was.
    desk.timeline
        .seek(&mut desk.simulation, 30)
        .expect("it was there");
    desk.document
        .follow(&mut desk.scene, &desk.simulation)
        .unwrap();
    desk.edit(&mass(&desk.scene, &name, 7.0)).unwrap();
    desk.run(5);
    let left = desk
        .timeline
        .branches()
        .keys()
        .next()
        .copied()
        .expect("the first");
    desk.timeline
        .visit(&mut desk.simulation, left, 60)
        .expect("it was there");
    assert_eq!(desk.state().digest(), end);
    assert!(
        desk.document
            .follow(&mut desk.scene, &desk.simulation)
            .unwrap()
    );
    assert_eq!(desk.document.undo_name(), Some("delete lower"));
}

#[test]
fn a_take_with_a_mechanism_that_does_not_fit_is_refused() {
    let mut desk = Desk::open("pendulum");
    let scene = desk.scene.clone();
    desk.run(3);
    let (_, edit) = add(
        &desk.scene.file,
        Fresh::Sphere,
        0.4,
        Vec3::new(1.0, 2.0, 3.0),
    );
    desk.edit(&edit).unwrap();
    desk.run(3);
    let bytes = Take::of(&scene, &desk.timeline)
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
