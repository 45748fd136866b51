//! Edits of large scenes, which are compiled in the background: what the window does meanwhile, and what comes of them.

use crate::window::blind::{give, session, window};
use bevy::prelude::*;
use driftless::math::Vec3;
use driftless::model::BodyId;
use driftless::scene::{Amendment, Edit, Number};
use driftless::window::commands::editing::EditCommand;
use driftless::window::commands::playback::PlaybackCommand;
use driftless::window::commands::{Command, CommandQueue};
use driftless::window::editing::EditorState;
use driftless::window::jobs::Jobs;
use driftless::window::session::Session;
use driftless::window::session::compiling::{Asked, MANY};
use driftless::window::state::highlight::Highlight;
use driftless::window::state::notices::Notices;
use driftless::window::state::selection::Selection;
use std::time::{Duration, Instant};

/// A scene whose edits are compiled in the background.
pub const LARGE: &str = "chain:links=300";

/// The window on it, after some steps.
pub fn large() -> App {
    let mut app = window(LARGE, 1);
    let start = Instant::now();
    while session(&app).state().step < 4 {
        assert!(start.elapsed() < Duration::from_secs(600), "it runs");
        app.update();
    }
    give(&mut app, Command::TogglePlay);
    assert!(session(&app).model().bodies.len() >= MANY);
    app
}

/// Waits until nothing is compiled any more, and one frame more.
pub fn settle(app: &mut App) {
    let start = Instant::now();
    while session(app).compiling().is_some() || session(app).document_lags() {
        assert!(
            start.elapsed() < Duration::from_secs(600),
            "it does not end"
        );
        app.update();
    }
    app.update();
}

pub fn mass(session: &Session, body: usize, mass: f64) -> Edit {
    let body = &session.model().bodies[body];
    let mut file = session.scene().file.bodies.get(&body.name).unwrap().clone();
    file.mass = Some(Number(mass));
    let name = body.name.clone();
    let what = format!("mass of {name}");
    Edit::merging(what, vec![Amendment::Body(name, Some(Box::new(file)))])
}

pub fn gravity(z: f64) -> Edit {
    Edit::new("gravity", vec![Amendment::Gravity(Vec3::new(0.0, 0.0, z))])
}

pub fn ask(app: &mut App, command: EditCommand) {
    give(app, Command::Edit(command));
}

pub fn amend(app: &mut App, edit: Edit) {
    ask(app, EditCommand::Amend(Box::new(edit)));
}

/// Asks for several things in one frame.
pub fn ask_at_once(app: &mut App, commands: Vec<Command>) {
    let mut queue = app.world_mut().resource_mut::<CommandQueue>();
    queue.0.extend(commands);
    app.update();
}

/// An edit as a command.
fn amending(edit: Edit) -> Command {
    Command::Edit(EditCommand::Amend(Box::new(edit)))
}

/// Everything by which a change of the scene would be seen.
fn seen(app: &App) -> (u64, u64, String, u64) {
    let s = session(app);
    let text = s.scene().text.clone();
    (
        s.state().digest(),
        s.document().revision(),
        text,
        s.appearance(),
    )
}

#[test]
fn an_edit_is_compiled_beside_the_window_to_the_bits_of_one_at_once() {
    let mut app = large();
    for (what, edit) in [
        ("model", mass(session(&app), 7, 2.0)),
        ("mechanism", Edit::new("start", vec![Amendment::Begin])),
        ("gravity", gravity(-3.0)),
    ] {
        let mut alone =
            Session::at(session(&app).forked_scene(), &session(&app).snapshot()).unwrap();
        alone.edit(&edit).expect("it is right");
        let before = seen(&app);
        amend(&mut app, edit.clone());
        // The frame in which it was asked for has neither read nor compiled anything.
        let asked = Some(&Asked::Edit(Box::new(edit)));
        assert_eq!(session(&app).compiling(), asked, "{what}");
        assert_eq!(seen(&app), before, "{what}");
        settle(&mut app);
        let now = session(&app);
        assert_eq!(now.scene().text, alone.scene().text, "{what}");
        assert_eq!(*now.model(), *alone.model(), "{what}");
        assert_eq!(now.state().digest(), alone.state().digest(), "{what}");
        // Both go on alike.
        let mut session = app.world_mut().resource_mut::<Session>();
        for step in 0..5 {
            assert!(session.step() && alone.step());
            let bits = [session.state().digest(), alone.state().digest()];
            assert_eq!(bits[0], bits[1], "{what}: step {step}");
        }
    }
}

#[test]
fn the_window_goes_on_and_time_waits_until_the_edit_is_there() {
    let mut app = large();
    give(&mut app, Command::TogglePlay);
    app.update();
    amend(&mut app, gravity(-1.0));
    let (step, frames) = (session(&app).state().step, 3);
    for _ in 0..frames {
        if session(&app).compiling().is_some() {
            assert_eq!(session(&app).state().step, step, "time waits");
            let other = Command::Select(Some(Selection::body(BodyId(3))));
            give(&mut app, other);
        }
    }
    settle(&mut app);
    let selected = app.world().resource::<Highlight>().selection;
    assert_eq!(selected, Some(Selection::body(BodyId(3))));
    assert_eq!(session(&app).model().gravity.z, -1.0);
    let start = Instant::now();
    while session(&app).state().step == step {
        assert!(start.elapsed() < Duration::from_secs(600), "time goes on");
        app.update();
    }
}

#[test]
fn later_edits_queue_in_order_and_a_drag_leaves_only_its_last_value() {
    let mut app = large();
    let revision = session(&app).document().revision();
    let masses = [2.0, 3.0, 4.0].map(|value| amending(mass(session(&app), 5, value)));
    let mut asked = vec![amending(gravity(-1.0))];
    asked.extend(masses);
    asked.extend([EditCommand::Undo, EditCommand::Redo].map(Command::Edit));
    asked.push(amending(gravity(-2.0)));
    ask_at_once(&mut app, asked);
    settle(&mut app);
    let now = session(&app);
    let name = format!("mass of {}", now.model().bodies[5].name);
    assert_eq!(now.document().names(), ["gravity", &name, "gravity"]);
    assert_eq!(now.model().bodies[5].mass, 4.0);
    assert_eq!(now.model().gravity.z, -2.0);
    // Two edits, the last value of the drag, undo and redo: five versions were gone to, not seven.
    assert_eq!(now.document().revision() - revision, 5);
}

#[test]
fn what_was_asked_of_an_item_that_has_changed_since_is_not_lost_in_silence() {
    let mut app = large();
    let first = mass(session(&app), 5, 2.0);
    let mut second = mass(session(&app), 5, 1.0);
    second.group = None;
    ask_at_once(&mut app, vec![amending(first), amending(second)]);
    settle(&mut app);
    assert_eq!(session(&app).model().bodies[5].mass, 2.0, "the first stays");
    let said = app.world().resource::<Notices>().setting.clone();
    assert!(said.is_some_and(|s| s.contains("Enter it again")));
}

#[test]
fn an_edit_that_is_refused_leaves_everything_as_it_was_and_the_next_is_carried_out() {
    let mut app = large();
    let before = seen(&app);
    let wrong = mass(session(&app), 5, -1.0);
    amend(&mut app, wrong);
    settle(&mut app);
    assert_eq!(seen(&app), before);
    let refused = &app.world().resource::<EditorState>().refused;
    assert!(!refused.is_empty());
    let wrong = mass(session(&app), 5, -1.0);
    ask_at_once(&mut app, vec![amending(wrong), amending(gravity(-4.0))]);
    settle(&mut app);
    assert_eq!(session(&app).document().names(), ["gravity"]);
}

#[test]
fn an_edit_that_is_cancelled_leaves_everything_as_it_was() {
    let mut app = large();
    let before = seen(&app);
    amend(&mut app, gravity(-1.0));
    let job = app.world().resource::<Jobs>().list()[0].clone();
    assert_eq!(job.what, "Applying gravity");
    give(&mut app, Command::CancelJob(job.id));
    settle(&mut app);
    assert_eq!(seen(&app), before);
    assert!(app.world().resource::<Jobs>().list().is_empty());
}

#[test]
fn an_edit_during_which_time_was_moved_takes_effect_where_it_was_moved_to() {
    let mut app = large();
    let end = session(&app).state().step;
    let back = Command::Time(PlaybackCommand::By(-2));
    ask_at_once(&mut app, vec![amending(gravity(-1.0)), back]);
    settle(&mut app);
    assert_eq!(session(&app).state().step, end - 2);
    assert_eq!(session(&app).model().gravity.z, -1.0);
    let branches = session(&app).timeline().unwrap().branches().len();
    assert_eq!(branches, 2, "an edit of the past begins a branch");
}
