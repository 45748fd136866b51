//! Lanes in the window, without a graphics card: they are those of the library, fed the same hand; they lead, meet, and
//! have settings of their own.

use crate::commands::cli::folder;
use crate::window::blind::{button, give, key, move_pointer, seen, session, tap};
use crate::window::lanes::{ask, assert_same, compared, comparing, lane, run, settle, specs};
use bevy::input::ButtonState;
use bevy::prelude::*;
use driftless::integrators::FrictionCone;
use driftless::sim::comparison::Workers;
use driftless::sim::{Comparison, Input, Snapshot};
use driftless::window::camera::view::View;
use driftless::window::commands::Command;
use driftless::window::commands::compare::{CompareCommand, LaneArrangement};
use driftless::window::compare::worker::hand_over;
use driftless::window::state::notices::Notices;
use std::time::Duration;

#[test]
fn four_lanes_under_a_drag_are_those_of_the_library_whichever_leads() {
    let others = [("variational", 0.5), ("heun", 1.0), ("rk4", 2.0)];
    let mut app = compared("double_pendulum", &others);
    assert_eq!(
        comparing(&app).lanes().len(),
        4,
        "the session's is the first"
    );
    let start: Snapshot = session(&app).snapshot();
    let mut library = Comparison::new(&start, specs(&app)).expect("they meet");
    give(&mut app, Command::TogglePlay);
    let mut inputs = vec![Input::default(); session(&app).sample().step as usize];
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
    assert_eq!(session(&app).state(), led, "the session leads");

    // Another leads: the session goes on from its state, with its method and step.
    settle(&app);
    give(&mut app, Command::TogglePlay);
    settle(&app);
    let steps = session(&app).state().step;
    let missed = steps - library.lanes()[0].state().expect("it runs").step;
    library.run(&vec![Input::default(); missed as usize], Workers::Serial);
    ask(&mut app, CompareCommand::Lead(2));
    (0..200).for_each(|_| {
        std::thread::sleep(Duration::from_millis(1));
        app.update();
    });
    let state = session(&app).state();
    let (time, step) = (state.time, state.step);
    let heun = library
        .lane(2)
        .and_then(|l| l.simulation())
        .expect("it runs");
    hand_over(heun, time, step, &Input::default()).expect("it lets go");
    assert!(library.lead(2));
    assert_eq!(comparing(&app).leader(), 2);
    assert_eq!(session(&app).integrator().name, "heun");
    let led = library.lanes()[2].state().expect("it runs");
    assert_eq!(session(&app).state(), led);
    assert_same(&app, &library);
    give(&mut app, Command::TogglePlay);
    let mut more = vec![Input::default(); (session(&app).state().step - led.step) as usize];
    more.extend(run(&mut app, 20));
    library.run(&more, Workers::Threads);
    assert_same(&app, &library);

    // All begin anew at its state.
    give(&mut app, Command::TogglePlay);
    settle(&app);
    let led = library.lanes()[2].state().expect("it runs").step;
    let missed = session(&app).state().step - led;
    library.run(&vec![Input::default(); missed as usize], Workers::Serial);
    ask(&mut app, CompareCommand::Synchronise);
    library.synchronise();
    assert_same(&app, &library);
    let time = session(&app).sample().time;
    assert!(library.lanes().iter().all(|l| l.figures().time == time));
}

#[test]
fn lanes_are_drawn_at_one_time_even_where_their_steps_are_longer() {
    let mut app = compared("double_pendulum", &[("variational-2", 5.0)]);
    give(&mut app, Command::TogglePlay);
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
    let hint = |app: &App| app.world().resource::<Notices>().status(None);
    tap(&mut app, KeyCode::KeyK);
    let said = hint(&app).expect("it says what to do");
    assert!(said.1.contains("+ compare"), "{}", said.1);
    for method in ["variational", "rk4"] {
        let spec = lane(&app, method, 1.0);
        ask(&mut app, CompareCommand::Add(spec));
    }
    settle(&app);
    give(&mut app, Command::TogglePlay);
    run(&mut app, 20);
    give(&mut app, Command::TogglePlay);
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
fn the_same_method_twice_parts_from_the_distance_that_was_asked_for() {
    let mut app = compared("double_pendulum", &[]);
    ask(&mut app, CompareCommand::Perturb);
    settle(&app);
    let start = Comparison::perturbed(
        &{
            // What the window hands to the lanes, before the method lets go of the state and takes it again.
            let fork = session(&app).fork().expect("it runs");
            fork.snapshot()
        },
        1e-9,
    );
    let mut library = start.expect("one step size");
    give(&mut app, Command::TogglePlay);
    let mut inputs = vec![Input::default(); session(&app).sample().step as usize];
    inputs.extend(run(&mut app, 250));
    library.run(&inputs, Workers::Threads);
    assert_same(&app, &library);
    let led = library.lanes()[0].state().expect("it runs");
    assert_eq!(session(&app).state(), led);
    let found = comparing(&app).growth().expect("a rate");
    // Released from high up the double pendulum is chaotic.
    assert!(found.rate > 0.3 && found.rate < 20.0, "{found:?}");
    let first = library.lanes()[1].distances()[0][1];
    assert!((first / 1e-9 - 1.0).abs() < 2e-6, "{first:e}");
}

#[test]
fn friction_and_tolerance_are_a_lanes_own_and_steps_that_never_meet_are_refused() {
    let mut app = compared("box_slope", &[]);
    let mut pyramid = lane(&app, "variational-2", 1.0);
    pyramid.settings.friction = FrictionCone::Linearised(4);
    pyramid.settings.tolerance = 1e-6;
    ask(&mut app, CompareCommand::Add(pyramid.clone()));
    settle(&app);
    assert_eq!(comparing(&app).lanes()[1].spec, pyramid);
    let never = lane(&app, "variational-2", std::f64::consts::FRAC_1_SQRT_2);
    ask(&mut app, CompareCommand::Add(never));
    assert_eq!(comparing(&app).lanes().len(), 2);
    let said = app
        .world()
        .resource::<Notices>()
        .status(None)
        .expect("it says why");
    assert!(said.1.contains("do not meet"), "{}", said.1);
    // How lanes are drawn changes nothing of what they do.
    ask(&mut app, CompareCommand::Draw(1, false));
    ask(&mut app, CompareCommand::Space(0.5));
    ask(
        &mut app,
        CompareCommand::Arrange(LaneArrangement::SideBySide),
    );
    assert!(!comparing(&app).lanes()[1].drawn);
    let csv = folder().join("window-lanes.csv");
    ask(&mut app, CompareCommand::Csv(Some(csv.clone())));
    settle(&app);
    app.update();
    let table = std::fs::read_to_string(csv).expect("the table is there");
    assert!(table.contains("friction linearised-4"), "{table}");
    ask(&mut app, CompareCommand::End);
    assert!(!comparing(&app).is_on() && session(&app).followed.is_none());
}
