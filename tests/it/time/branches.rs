//! What is done at a past moment begins a branch, unless it goes on as before; bookmarks and takes lead along them.

use crate::time::takes::input;
use crate::time::timeline::{open, run, shown};
use driftless::model::Model;
use driftless::scene::{self, Take};
use driftless::sim::timeline::{BUDGET, BranchId, MOST_BRANCHES};
use driftless::sim::{Change, Input, Simulation, Timeline};
use std::sync::Arc;

#[test]
fn going_on_as_before_follows_and_going_on_differently_branches() {
    let (mut sim, mut timeline) = open("box_stack", BUDGET);
    let first = run(&mut sim, &mut timeline, 90);
    timeline.seek(&mut sim, 20).expect("it was there");
    for step in 21..=25 {
        timeline.step(&mut sim, &input(step)).expect("it succeeds");
        assert_eq!(shown(&sim, &timeline).state, first[step as usize].state);
    }
    assert_eq!(timeline.branches().len(), 1, "nothing differed");
    assert_eq!(timeline.span(), [0, 90]);

    // Another hand, and the future is another.
    let still = Input::default();
    timeline.seek(&mut sim, 5).expect("it was there");
    let mut second = Vec::new();
    for _ in 0..60 {
        timeline.step(&mut sim, &still).expect("it succeeds");
        second.push(shown(&sim, &timeline));
    }
    assert_eq!(timeline.branches().len(), 2);
    assert_eq!(timeline.span(), [0, 65]);
    assert_eq!(timeline.history().rows().len(), 66, "the plots follow");
    let root = BranchId(0);
    let new = timeline.current();
    assert_eq!(timeline.branches()[&new].parent, Some(root));
    assert_ne!(second[20].state, first[26].state);

    // Both ways are there, to the bit.
    assert!(timeline.visit(&mut sim, root, 70).expect("it was there"));
    assert_eq!(shown(&sim, &timeline), first[70]);
    assert_eq!(timeline.history().rows().len(), 91);
    assert!(timeline.visit(&mut sim, new, 40).expect("it was there"));
    assert_eq!(shown(&sim, &timeline), second[34]);
    timeline.seek(&mut sim, 3).expect("it was there");
    assert_eq!(shown(&sim, &timeline), first[3]);
    // A branch from a branch; the way that it left cannot be forgotten, the others can.
    timeline.seek(&mut sim, 50).expect("it was there");
    timeline.step(&mut sim, &input(3)).expect("it succeeds");
    assert_eq!(timeline.branches()[&timeline.current()].parent, Some(new));
    assert!(!timeline.remove(new) && !timeline.remove(timeline.current()));
    assert!(timeline.visit(&mut sim, root, 80).expect("it was there"));
    assert_eq!(shown(&sim, &timeline), first[80]);
    assert!(timeline.remove(BranchId(2)) && timeline.remove(new));
    assert_eq!(timeline.branches().len(), 1);
}

#[test]
fn a_change_in_the_past_begins_a_branch_and_a_change_at_the_end_stays() {
    let (mut sim, mut timeline) = open("double_pendulum", BUDGET);
    let first = run(&mut sim, &mut timeline, 70);
    let lighter = |sim: &Simulation| {
        let mut parts = sim.model().parts();
        parts.bodies[0].mass *= 0.5;
        Change::Model(Arc::new(Model::new(parts).expect("it is sound")))
    };
    // At the end: it is made again when one comes back.
    let edit = lighter(&sim);
    timeline.change(&mut sim, edit).expect("it is allowed");
    let edited = sim.snapshot();
    timeline.seek(&mut sim, 40).expect("it was there");
    assert_eq!(
        sim.model().bodies[0].mass,
        2.0 * edited.model.bodies[0].mass
    );
    timeline.seek(&mut sim, 70).expect("it was there");
    assert_eq!(sim.state(), &edited.state);
    assert_eq!(sim.model(), &*edited.model);
    assert_eq!(timeline.branches().len(), 1);
    timeline.step(&mut sim, &input(71)).expect("it succeeds");

    // In the past: a branch at once, so that looking elsewhere does not lose it.
    timeline.seek(&mut sim, 10).expect("it was there");
    let edit = lighter(&sim);
    timeline.change(&mut sim, edit).expect("it is allowed");
    let edited = sim.snapshot();
    let branch = timeline.current();
    assert_eq!(timeline.span(), [0, 10]);
    timeline
        .visit(&mut sim, BranchId(0), 60)
        .expect("it was there");
    assert_eq!(shown(&sim, &timeline), first[60]);
    timeline.visit(&mut sim, branch, 99).expect("it was there");
    assert_eq!(sim.snapshot().state, edited.state);
    assert_eq!(sim.model(), &*edited.model);
    timeline.step(&mut sim, &input(11)).expect("it succeeds");
    assert_eq!(timeline.span(), [0, 11]);
}

#[test]
fn bookmarks_lead_back_and_old_branches_go() {
    let (mut sim, mut timeline) = open("double_pendulum", 0);
    let first = run(&mut sim, &mut timeline, 40);
    timeline.seek(&mut sim, 33).expect("it was there");
    timeline.bookmark("the turn");
    let mark = timeline.bookmarks()[0].clone();
    assert_eq!((mark.step, mark.time), (33, first[33].state.time));
    // More branches than are kept.
    for k in 0..MOST_BRANCHES as u64 + 5 {
        timeline
            .visit(&mut sim, BranchId(0), 2 + k % 3)
            .expect("it was there");
        let mut other = input(1);
        other.drag.as_mut().expect("a drag").point.x += 1e-3 * (k + 1) as f64;
        timeline.step(&mut sim, &other).expect("it succeeds");
    }
    assert_eq!(timeline.branches().len(), MOST_BRANCHES);
    assert!(
        timeline
            .visit(&mut sim, mark.branch, mark.step)
            .expect("it was there")
    );
    assert_eq!(shown(&sim, &timeline), first[33]);
    timeline.remove_bookmark(0);
    assert!(timeline.bookmarks().is_empty());
    assert!(
        !timeline
            .visit(&mut sim, BranchId(3), 3)
            .expect("nothing happens"),
        "this one was dropped"
    );
}

#[test]
fn the_current_way_is_a_take() {
    let scene = scene::open("box_stack", &[]).expect("it opens");
    let mut sim = scene.simulation().expect("it runs");
    let mut timeline = Timeline::new(&mut sim, 100_000);
    run(&mut sim, &mut timeline, 70);
    timeline.seek(&mut sim, 60).expect("it was there");
    for step in 0..50 {
        timeline
            .step(&mut sim, &input(step + 3))
            .expect("it succeeds");
    }
    let bytes = Take::of(&scene, &timeline)
        .write(Vec::new())
        .expect("memory takes everything");
    let take =
        Take::from_text("test.take", &crate::commands::cli::text(&bytes)).expect("it is read");
    assert_eq!(take.log.last(), 110);
    assert_eq!(take.log.changes(30).count(), 1);
    let mut replay = take.replay().expect("it runs");
    while replay.advance().expect("the same bits") {}
    assert_eq!(replay.simulation().state(), sim.state());
    assert_eq!(replay.simulation().model(), sim.model());
}
