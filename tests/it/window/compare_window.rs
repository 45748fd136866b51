//! Lanes in the window, without a graphics card: they are those of the library, fed the same hand; they lead, meet,
//! fail alone, and follow the session wherever it goes.

use crate::commands::cli::folder;
use crate::window::blind::{
    button, key, move_pointer, open, pacing, seen, session, tap, window, wish,
};
use bevy::input::ButtonState;
use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use driftless::app::compare::{Arrangement, CompareWish, Sheet, hand_over};
use driftless::app::{Action, Comparing, EditWish, Pacing, Shell, View};
use driftless::integrators::{FrictionCone, Settings};
use driftless::scene::{Amendment, Edit};
use driftless::sim::comparison::{Figures, LaneSpec, Workers};
use driftless::sim::{Comparison, Input, Snapshot};
use std::time::{Duration, Instant};

/// Longest wait for a thread beside the window.
pub const PATIENCE: Duration = Duration::from_secs(60);

pub fn comparing(app: &App) -> &Comparing {
    app.world().resource::<Comparing>()
}

pub fn ask(app: &mut App, asked: CompareWish) {
    wish(app, Action::Compare(asked));
}

/// A lane with the session's settings but for the step.
pub fn lane(app: &App, integrator: &str, steps: f64) -> LaneSpec {
    let settings = *session(app).simulation.settings();
    LaneSpec {
        integrator: integrator.into(),
        settings: Settings {
            dt: settings.dt * steps,
            ..settings
        },
        perturbation: 0.0,
    }
}

/// Waits until the lanes have done what they were told.
pub fn settle(app: &App) {
    let start = Instant::now();
    while !comparing(app).wait(Duration::from_millis(50)) {
        assert!(start.elapsed() < PATIENCE, "the lanes do not come to rest");
    }
}

/// The window on a scene with lanes, all at its first state; time stands still.
pub fn compared(spec: &str, lanes: &[(&str, f64)]) -> App {
    let mut app = window(spec, 2);
    wish(&mut app, Action::TogglePlay);
    wish(&mut app, Action::Reset);
    for (integrator, steps) in lanes {
        let spec = lane(&app, integrator, *steps);
        ask(&mut app, CompareWish::Add(spec));
    }
    app.update();
    settle(&app);
    app
}

/// Runs frames and returns what acted in the steps that they took.
fn run(app: &mut App, frames: usize) -> Vec<Input> {
    let mut inputs = Vec::new();
    for _ in 0..frames {
        let before = session(app).simulation.state().step;
        app.update();
        let steps = session(app).simulation.state().step - before;
        inputs.extend(vec![session(app).input.clone(); steps as usize]);
    }
    inputs
}

fn specs(app: &App) -> Vec<LaneSpec> {
    let lanes = comparing(app).lanes();
    lanes.iter().map(|l| l.spec.clone()).collect()
}

/// Figures but for wall times.
fn timeless(figures: Figures) -> Figures {
    Figures {
        step_seconds: 0.0,
        ..figures
    }
}

/// The lanes of the window are those of the library to the last bit.
fn assert_same(app: &App, library: &Comparison) {
    settle(app);
    let comparing = comparing(app);
    let sheet = comparing.sheet().expect("lanes run");
    for (k, (choice, lane)) in comparing.lanes().iter().zip(library.lanes()).enumerate() {
        let shown = sheet.lane(choice.id).expect("it is on the board");
        assert_eq!(
            timeless(shown.figures),
            timeless(lane.figures()),
            "lane {k}"
        );
        assert_eq!(shown.distances, lane.distances(), "lane {k}");
        let rows = |h: &driftless::sim::History| -> Vec<_> {
            h.rows()
                .iter()
                .map(|r| (r.time, r.energy_error, r.drift_position, r.iterations))
                .collect()
        };
        assert_eq!(rows(&shown.history), rows(lane.history()), "lane {k}");
        let state = lane.state().expect("it could begin");
        assert_eq!(shown.reached(), Some(state.time));
        let poses = shown.poses_at(f64::MAX).expect("it has poses");
        for (pose, body) in poses.iter().zip(&state.bodies) {
            assert_eq!(pose.translation.vector, body.position, "lane {k}");
        }
    }
}

#[test]
fn four_lanes_under_a_drag_are_those_of_the_library_whichever_leads() {
    let others = [("variational", 0.5), ("heun", 1.0), ("rk4", 2.0)];
    let mut app = compared("double_pendulum", &others);
    assert_eq!(
        comparing(&app).lanes().len(),
        4,
        "the session's is the first"
    );
    let start: Snapshot = session(&app).simulation.snapshot();
    let mut library = Comparison::new(&start, specs(&app)).expect("they meet");
    wish(&mut app, Action::TogglePlay);
    let mut inputs = vec![Input::default(); session(&app).sample.step as usize];
    inputs.extend(run(&mut app, 10));
    // The hand pulls a body for a while.
    let at = seen(&app, 1);
    move_pointer(&mut app, at);
    key(&mut app, KeyCode::ControlLeft, ButtonState::Pressed);
    inputs.extend(run(&mut app, 1));
    button(&mut app, MouseButton::Left, ButtonState::Pressed);
    inputs.extend(run(&mut app, 1));
    move_pointer(&mut app, [at[0] - 90.0, at[1] + 60.0]);
    inputs.extend(run(&mut app, 40));
    assert!(session(&app).input.drag.is_some(), "the body is held");
    button(&mut app, MouseButton::Left, ButtonState::Released);
    key(&mut app, KeyCode::ControlLeft, ButtonState::Released);
    inputs.extend(run(&mut app, 40));
    assert!(inputs.iter().filter(|i| i.drag.is_some()).count() > 50);
    for input in &inputs {
        library.run(std::slice::from_ref(input), Workers::Serial);
    }
    assert_same(&app, &library);
    let apart = library.lanes()[2].figures().distance[0];
    assert!(apart > 1e-6, "heun goes its own way: {apart}");
    let led = library.lanes()[0].state().expect("it runs");
    assert_eq!(session(&app).simulation.state(), led, "the session leads");

    // Another leads: the session goes on from its state, with its method and step.
    settle(&app);
    wish(&mut app, Action::TogglePlay);
    settle(&app);
    let steps = session(&app).simulation.state().step;
    let missed = steps - library.lanes()[0].state().expect("it runs").step;
    library.run(&vec![Input::default(); missed as usize], Workers::Serial);
    ask(&mut app, CompareWish::Lead(2));
    (0..200).for_each(|_| {
        std::thread::sleep(Duration::from_millis(1));
        app.update();
    });
    let state = session(&app).simulation.state();
    let (time, step) = (state.time, state.step);
    let heun = library
        .lane(2)
        .and_then(|l| l.simulation())
        .expect("it runs");
    hand_over(heun, time, step, &Input::default()).expect("it lets go");
    assert!(library.lead(2));
    assert_eq!(comparing(&app).leader(), 2);
    assert_eq!(session(&app).simulation.integrator().name, "heun");
    let led = library.lanes()[2].state().expect("it runs");
    assert_eq!(session(&app).simulation.state(), led);
    assert_same(&app, &library);
    wish(&mut app, Action::TogglePlay);
    let mut more =
        vec![Input::default(); (session(&app).simulation.state().step - led.step) as usize];
    more.extend(run(&mut app, 20));
    library.run(&more, Workers::Threads);
    assert_same(&app, &library);

    // All begin anew at its state.
    wish(&mut app, Action::TogglePlay);
    settle(&app);
    let led = library.lanes()[2].state().expect("it runs").step;
    let missed = session(&app).simulation.state().step - led;
    library.run(&vec![Input::default(); missed as usize], Workers::Serial);
    ask(&mut app, CompareWish::Synchronise);
    library.synchronise();
    assert_same(&app, &library);
    let time = session(&app).sample.time;
    assert!(library.lanes().iter().all(|l| l.figures().time == time));
}

#[test]
fn lanes_are_drawn_at_one_time_even_where_their_steps_are_longer() {
    let mut app = compared("double_pendulum", &[("variational-2", 5.0)]);
    wish(&mut app, Action::TogglePlay);
    for _ in 0..40 {
        app.update();
        settle(&app);
        let comparing = comparing(&app);
        let sheet = comparing.sheet().expect("lanes run");
        let ids: Vec<u64> = comparing.lanes().iter().map(|l| l.id).collect();
        let (Some(first), Some(second)) = (comparing.poses(ids[0]), comparing.poses(ids[1])) else {
            continue;
        };
        // What is drawn of the leader is what it was at some time; the other lane is drawn at that same time.
        let shown = sheet.lane(ids[0]).expect("it is there");
        let drawn = first[1].translation.vector;
        let at = |t: f64| shown.poses_at(t).expect("poses")[1].translation.vector;
        let end = shown.reached().expect("a time");
        let times = (0..=600).map(|k| end - 1e-4 * f64::from(k));
        let nearest = times
            .min_by(|a, b| (at(*a) - drawn).norm().total_cmp(&(at(*b) - drawn).norm()))
            .expect("times");
        let other = sheet.lane(ids[1]).expect("it is there");
        let [a, b] = [nearest - 1e-4, nearest + 1e-4]
            .map(|t| other.poses_at(t).expect("poses")[1].translation.vector);
        let found = second[1].translation.vector;
        // It moves at less than 10 m/s, and the time is found to a tenth of a millisecond.
        assert!(
            (found - a).norm() < 3e-3 && (found - b).norm() < 3e-3,
            "{nearest}"
        );
        let view = app.world().resource::<View>();
        assert_eq!(view.poses[1], first[1], "the leader is drawn solid");
    }
}

#[test]
fn keys_have_the_next_lane_lead_and_bring_all_together() {
    let mut app = compared("double_pendulum", &[]);
    let hint = |app: &App| app.world().resource::<Shell>().status(None);
    tap(&mut app, KeyCode::KeyK);
    let said = hint(&app).expect("it says what to do");
    assert!(said.1.contains("+ compare"), "{}", said.1);
    for method in ["variational", "rk4"] {
        let spec = lane(&app, method, 1.0);
        ask(&mut app, CompareWish::Add(spec));
    }
    settle(&app);
    wish(&mut app, Action::TogglePlay);
    run(&mut app, 20);
    wish(&mut app, Action::TogglePlay);
    let wait = |app: &mut App| {
        (0..200).for_each(|_| {
            std::thread::sleep(Duration::from_millis(1));
            app.update();
        });
    };
    for leader in [1, 2, 0] {
        tap(&mut app, KeyCode::KeyK);
        wait(&mut app);
        assert_eq!(comparing(&app).leader(), leader, "one after the other");
    }
    let apart = |app: &App| {
        settle(app);
        let sheet = comparing(app).sheet().expect("lanes run");
        let far = sheet.lanes.iter().map(|l| l.figures.distance[0]);
        far.fold(0.0, f64::max)
    };
    assert!(apart(&app) > 0.0);
    key(&mut app, KeyCode::ShiftLeft, ButtonState::Pressed);
    tap(&mut app, KeyCode::KeyK);
    key(&mut app, KeyCode::ShiftLeft, ButtonState::Released);
    wait(&mut app);
    assert_eq!(apart(&app), 0.0, "all are where the leader is");
}

#[test]
fn a_lane_that_fails_or_cannot_begin_stands_still_alone() {
    let mut app = compared("t_handle", &[("variational-2", 100.0), ("rk4", 1.0)]);
    wish(&mut app, Action::TogglePlay);
    run(&mut app, 60);
    settle(&app);
    let failure = |app: &App, place: usize| {
        let comparing = comparing(app);
        let sheet = comparing.sheet().expect("lanes run");
        let shown = sheet
            .lane(comparing.lanes()[place].id)
            .expect("it is there");
        (shown.failure.clone(), shown.figures.time)
    };
    let (failed, time) = failure(&app, 1);
    let failed = failed.expect("such a spin is too fast for it");
    assert!(failed.error.contains("spins at"), "{}", failed.error);
    assert_eq!(time, 0.0);
    for place in [0, 2] {
        let (failure, time) = failure(&app, place);
        assert_eq!(failure, None);
        assert!(time > 0.5, "the others go on: {time}");
    }
    assert!(pacing(&app).playing);
    // It can be taken out while the others run.
    ask(&mut app, CompareWish::Remove(1));
    settle(&app);
    assert_eq!(comparing(&app).lanes().len(), 2);
    let (gone_on, _) = failure(&app, 1);
    assert_eq!(gone_on, None);
    assert!(failure(&app, 1).1 > 0.5, "no lane began anew");

    // A method that cannot run a scene is a lane with the reason, and cannot lead.
    let mut app = compared("box_drop", &[("rk4", 1.0), ("variational", 1.0)]);
    wish(&mut app, Action::TogglePlay);
    run(&mut app, 5);
    settle(&app);
    let reason = failure(&app, 1).0.expect("it knows no contact").error;
    assert!(reason.contains("does not know contact"), "{reason}");
    ask(&mut app, CompareWish::Lead(1));
    (0..100).for_each(|_| {
        std::thread::sleep(Duration::from_millis(1));
        app.update();
    });
    assert_eq!(comparing(&app).leader(), 0);
    let said = app.world().resource::<Shell>().status(None);
    assert!(said.is_some_and(|s| s.1.contains("cannot lead")));
    assert!(session(&app).sample.time > 0.1, "time goes on");
}

#[test]
fn lanes_follow_the_session_back_and_through_edits_and_end_with_the_scene() {
    let mut app = compared("double_pendulum", &[("heun", 1.0)]);
    wish(&mut app, Action::TogglePlay);
    run(&mut app, 30);
    let reached = |app: &App, place: usize| {
        settle(app);
        let comparing = comparing(app);
        let sheet: std::sync::MutexGuard<'_, Sheet> = comparing.sheet().expect("lanes run");
        let shown = sheet
            .lane(comparing.lanes()[place].id)
            .expect("it is there");
        (shown.history.rows()[0].time, shown.figures)
    };
    assert!(reached(&app, 1).1.distance[0] > 0.0);
    wish(&mut app, Action::TogglePlay);
    wish(&mut app, Action::Reset);
    (0..3).for_each(|_| app.update());
    let (began, figures) = reached(&app, 1);
    assert_eq!(
        (began, figures.distance),
        (0.0, [0.0; 2]),
        "back with the session"
    );

    wish(&mut app, Action::TogglePlay);
    run(&mut app, 30);
    let moon = Amendment::Gravity(driftless::math::Vec3::new(0.0, 0.0, -1.62));
    let edit = Edit::new("gravity", vec![moon]);
    wish(&mut app, Action::Edit(EditWish::Amend(Box::new(edit))));
    run(&mut app, 10);
    let (began, figures) = reached(&app, 1);
    assert!(began > 0.5, "they begin anew where the edit was made");
    assert_eq!(
        figures.time,
        session(&app).sample.time,
        "and go on from there"
    );
    // On the Moon a pendulum's potential energy is a sixth: both lanes have the edited model.
    let last = |place: usize| {
        let comparing = comparing(&app);
        let sheet = comparing.sheet().expect("lanes run");
        let rows = sheet
            .lane(comparing.lanes()[place].id)
            .expect("there")
            .history
            .rows()
            .to_vec();
        rows[rows.len() - 1].energy
    };
    let [a, b] = [0, 1].map(last);
    assert!((a.potential - b.potential).abs() < 1e-2 * a.potential.abs());

    // The toolbar's method is the leader's.
    wish(&mut app, Action::Integrator("variational"));
    run(&mut app, 5);
    settle(&app);
    assert_eq!(comparing(&app).lanes()[0].spec.integrator, "variational");

    open(&mut app, "pendulum");
    app.update();
    assert!(!comparing(&app).is_on());
    let hint = app
        .world()
        .resource::<Shell>()
        .status(None)
        .expect("it says so");
    assert!(hint.1.contains("Comparing has ended"), "{}", hint.1);
    run(&mut app, 5);
    assert!(session(&app).sample.step > 0);
}

#[test]
fn the_same_method_twice_parts_from_the_distance_that_was_asked_for() {
    let mut app = compared("double_pendulum", &[]);
    ask(&mut app, CompareWish::Perturb(1e-9));
    settle(&app);
    let start = Comparison::perturbed(
        &{
            // What the window hands to the lanes, before the method lets go of the state and takes it again.
            let twin = session(&app).twin().expect("it runs");
            twin.simulation.snapshot()
        },
        1e-9,
    );
    let mut library = start.expect("one step size");
    wish(&mut app, Action::TogglePlay);
    let mut inputs = vec![Input::default(); session(&app).sample.step as usize];
    inputs.extend(run(&mut app, 250));
    library.run(&inputs, Workers::Threads);
    assert_same(&app, &library);
    let led = library.lanes()[0].state().expect("it runs");
    assert_eq!(session(&app).simulation.state(), led);
    let found = comparing(&app).growth().expect("a rate");
    // Released from high up the double pendulum is chaotic.
    assert!(found.rate > 0.3 && found.rate < 20.0, "{found:?}");
    let first = library.lanes()[1].distances()[0][1];
    assert!((first / 1e-9 - 1.0).abs() < 2e-6, "{first:e}");
}

#[test]
fn lanes_that_are_too_heavy_hold_time_up_and_the_frame_ends() {
    let mut app = compared("chain:links=300", &[("variational-2", 0.01)]);
    app.insert_resource(TimeUpdateStrategy::FixedTimesteps(500));
    wish(&mut app, Action::TogglePlay);
    let mut late = false;
    for _ in 0..4 {
        let start = Instant::now();
        app.update();
        // Steps may take 0.12 s of a frame, lanes included; the rest is room for a slow machine.
        assert!(
            start.elapsed() < Duration::from_secs(2),
            "{:?}",
            start.elapsed()
        );
        late |= app.world().resource::<Pacing>().late;
    }
    assert!(late, "and it says so");
    let sheet_time = {
        let comparing = comparing(&app);
        let sheet = comparing.sheet().expect("lanes run");
        sheet.lane(comparing.lanes()[1].id).map(|l| l.figures.time)
    };
    let behind = session(&app).sample.time - sheet_time.unwrap_or(0.0);
    assert!(behind < 5.0, "the session does not run away: {behind}");
}

#[test]
fn friction_and_tolerance_are_a_lanes_own_and_steps_that_never_meet_are_refused() {
    let mut app = compared("box_slope", &[]);
    let mut pyramid = lane(&app, "variational-2", 1.0);
    pyramid.settings.friction = FrictionCone::Linearised(4);
    pyramid.settings.tolerance = 1e-6;
    ask(&mut app, CompareWish::Add(pyramid.clone()));
    settle(&app);
    assert_eq!(comparing(&app).lanes()[1].spec, pyramid);
    let never = lane(&app, "variational-2", std::f64::consts::FRAC_1_SQRT_2);
    ask(&mut app, CompareWish::Add(never));
    assert_eq!(comparing(&app).lanes().len(), 2);
    let said = app
        .world()
        .resource::<Shell>()
        .status(None)
        .expect("it says why");
    assert!(said.1.contains("do not meet"), "{}", said.1);
    // How lanes are drawn changes nothing of what they do.
    ask(&mut app, CompareWish::Draw(1, false));
    ask(&mut app, CompareWish::Space(0.5));
    ask(&mut app, CompareWish::Arrange(Arrangement::SideBySide));
    assert!(!comparing(&app).lanes()[1].drawn);
    let csv = folder().join("window-lanes.csv");
    ask(&mut app, CompareWish::Csv(Some(csv.clone())));
    settle(&app);
    app.update();
    let table = std::fs::read_to_string(csv).expect("the table is there");
    assert!(table.contains("friction linearised-4"), "{table}");
    ask(&mut app, CompareWish::End);
    assert!(!comparing(&app).is_on() && session(&app).followed.is_none());
}
