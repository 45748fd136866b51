//! The past of the window's session: any moment shown is exactly what it was, in all that is drawn and told of it.

use crate::time::takes::input;
use driftless::diagnostics::Sample;
use driftless::math::Pose;
use driftless::model::{BodyId, State};
use driftless::sim::Outcomes;
use driftless::window::session::Session;
use driftless::window::session::contact_history::Touch;
use std::time::Duration;

const LONG: Duration = Duration::from_secs(60);

/// All that a moment shows; the wall's clock is not part of it.
#[derive(Debug, PartialEq)]
struct Shown {
    sample: Sample,
    poses: Vec<Pose>,
    state: State,
    outcomes: Outcomes,
    gravity: f64,
    method: &'static str,
}

fn shown(session: &Session) -> Shown {
    Shown {
        sample: Sample {
            step_seconds: 0.0,
            ..*session.sample()
        },
        poses: session.poses().to_vec(),
        state: session.state().clone(),
        outcomes: session.outcomes(),
        gravity: session.model().gravity.z,
        method: session.integrator().name,
    }
}

fn open(spec: &str) -> Session {
    let scene = driftless::scene::open(spec, &[]).expect("the scene opens");
    Session::new(scene).expect("its method runs it")
}

/// Runs with drags, an edit of the model and a change of method on the way; every moment as it is shown.
fn run(session: &mut Session, steps: u64) -> Vec<Shown> {
    let mut all = vec![shown(session)];
    for step in 1..=steps {
        if step == 30 {
            let mut model = session.model().clone();
            model.gravity *= 0.5;
            session.set_model(model).expect("it is sound");
        }
        if step == 45 {
            session.set_integrator("variational").expect("it exists");
        }
        session.input = input(step);
        assert!(session.step(), "{:?}", session.failure);
        all.push(shown(session));
    }
    session.input = Default::default();
    all
}

fn go(session: &mut Session, step: u64) {
    session.seek(step);
    assert!(session.travel(LONG));
    assert_eq!(session.goal(), None);
    assert_eq!(session.failure, None);
}

#[test]
fn a_visited_moment_shows_what_it_showed_and_time_goes_on_as_it_went() {
    for spec in ["double_pendulum", "box_stack"] {
        let mut session = open(spec);
        let all = run(&mut session, 80);
        let rows = session.history().rows().to_vec();
        for step in [0, 29, 30, 44, 45, 79, 12, 80] {
            go(&mut session, step);
            assert_eq!(shown(&session), all[step as usize], "{spec}, step {step}");
            assert_eq!(session.is_past(), step < 80);
            assert_eq!(session.history().rows(), rows, "the plots show all of it");
        }
        // Backwards, and forwards through the recorded drags, the edit and the change.
        for step in (20..80).rev() {
            assert!(session.step_back(LONG));
            assert_eq!(shown(&session), all[step], "{spec}, back at {step}");
        }
        for step in 21..=80 {
            assert!(session.step());
            assert_eq!(shown(&session), all[step], "{spec}, on at {step}");
        }
        let timeline = session.timeline().expect("it has a past");
        assert_eq!(timeline.branches().len(), 1, "looking changes nothing");
        assert!(session.step(), "and beyond the end it is new");
        assert_eq!(session.sample().step, 81);
        assert!(!session.is_past());
    }
}

#[test]
fn what_is_done_in_the_past_begins_a_branch_and_both_ways_can_be_visited() {
    let mut session = open("double_pendulum");
    let all = run(&mut session, 80);
    go(&mut session, 20);
    session.input = input(1);
    assert!(session.step());
    let pulled = shown(&session);
    assert_ne!(pulled, all[21]);
    session.input = Default::default();
    let first = session
        .timeline()
        .unwrap()
        .branches()
        .keys()
        .next()
        .copied();
    let first = first.expect("there is a first branch");
    let second = session.timeline().unwrap().current();
    assert_ne!(first, second);
    assert_eq!(session.history().rows().len(), 22, "its plots end here");
    assert!(!session.is_past());
    session.visit(first, 80);
    session.travel(LONG);
    assert_eq!(shown(&session), all[80]);
    session.visit(second, 21);
    session.travel(LONG);
    assert_eq!(shown(&session), pulled);
    assert!(!session.remove_branch(first), "the second begins on it");
    session.visit(first, 80);
    session.travel(LONG);
    assert!(session.remove_branch(second));
    assert_eq!(session.timeline().unwrap().branches().len(), 1);
}

#[test]
fn a_setting_changed_in_the_past_holds_from_there_on() {
    let mut session = open("double_pendulum");
    let all = run(&mut session, 60);
    go(&mut session, 10);
    session.set_integrator("heun").expect("it exists");
    assert!(!session.is_past(), "it is the end of a new branch");
    assert!(session.step());
    assert_eq!(session.integrator().name, "heun");
    assert_ne!(shown(&session).state, all[11].state);
    session.visit(session.way()[0].0, 60);
    session.travel(LONG);
    assert_eq!(shown(&session), all[60]);
}

#[test]
fn a_reset_starts_again_with_what_is_in_force_and_without_the_old_drags() {
    let mut session = open("double_pendulum");
    let all = run(&mut session, 60);
    session.reset();
    assert_eq!(session.sample().step, 0);
    let now = shown(&session);
    assert_eq!((now.gravity, now.method), (all[60].gravity, "variational"));
    // The state is that of the scene, as far as another method's account of its momenta is the same.
    for (now, then) in now.poses.iter().zip(&all[0].poses) {
        assert_eq!(now, then);
    }
    for _ in 0..40 {
        assert!(session.step());
        assert_eq!(session.sample().external_work, 0.0, "nobody pulls");
    }
    // Once more, to the same bits.
    let again = shown(&session);
    session.reset();
    (0..40).for_each(|_| assert!(session.step()));
    assert_eq!(shown(&session), again);
}

#[test]
fn a_reset_with_nothing_changed_keeps_the_run_and_leaves_it_where_it_was_disturbed() {
    let mut session = open("double_pendulum");
    for step in 1..=60 {
        session.input.drag = (step > 30).then(|| input(1).drag).flatten();
        assert!(session.step());
    }
    session.input = Default::default();
    session.reset();
    assert!(session.is_past(), "the run is still there");
    let branches = |session: &Session| session.timeline().unwrap().branches().len();
    for step in 1..=60 {
        assert!(session.step());
        assert_eq!(session.sample().external_work, 0.0, "nobody pulls");
        assert_eq!(branches(&session), if step > 30 { 2 } else { 1 });
    }
}

#[test]
fn moving_does_not_take_more_time_than_there_is_and_arrives_in_the_end() {
    let mut session = open("four_bar_chain");
    (0..400).for_each(|_| assert!(session.step()));
    // No moment but the first stays in memory.
    session.set_budget(0);
    session.seek(399);
    // Whoever has no time gets no further than a step that happens to be there.
    for _ in 0..3 {
        session.travel(Duration::ZERO);
        assert_eq!(session.goal(), Some(399), "it is not all done at once");
    }
    session.travel(LONG);
    assert_eq!((session.sample().step, session.goal()), (399, None));
}

#[test]
fn what_was_touched_is_that_of_the_way_that_time_went() {
    let mut session = open("box_drop");
    (0..100).for_each(|_| assert!(session.step()));
    let force = |session: &Session| {
        let way = session.way();
        let of = |t: &Touch| f64::from(t.force);
        session
            .contact_history
            .series(&way, BodyId(0), [0.0, 10.0], 10_000, of)
    };
    let whole = force(&session);
    assert_eq!(whole.len(), 100);
    go(&mut session, 40);
    assert_eq!(force(&session), whole, "also what lies ahead");
    let mut model = session.model().clone();
    model.gravity *= 0.1;
    session.set_model(model).expect("it is sound");
    assert_eq!(force(&session), whole[..40]);
    assert!(session.step());
    assert_eq!(force(&session)[..40], whole[..40]);
    assert_eq!(force(&session).len(), 41);
}
