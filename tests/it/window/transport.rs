//! The transport bar and the other panels that show time, clicked and read without a window.

use crate::window::fixture::{self, Fixture, Panel};
use bevy_egui::egui::{Event, Modifiers, PointerButton, Pos2, Shape, pos2, vec2};
use driftless::model::Drag;
use driftless::sim::DragGoal;
use driftless::window::commands::Command;
use driftless::window::commands::playback::PlaybackCommand;
use driftless::window::playback::transport_ui::transport_ui;
use driftless::window::plots::live_ui::plots_ui;
use driftless::window::session::Session;
use driftless::window::session::marks::Mark;
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT, Queryable};
use std::time::Duration;

/// A double pendulum after three seconds.
pub fn fixture() -> Fixture {
    let mut fixture = fixture::fixture("double_pendulum");
    (0..300).for_each(|_| assert!(fixture.session.step()));
    fixture
}

/// Visits a step of the past and waits until it is there.
pub fn go(session: &mut Session, step: u64) {
    session.seek(step);
    session.travel(Duration::from_secs(60));
}

/// Pulls for a step, which begins a branch in the past.
pub fn pull(session: &mut Session) {
    session.input.drag = Some(Drag {
        body: driftless::model::BodyId(1),
        point: Default::default(),
        goal: DragGoal::Pull([0.5, 0.0, 1.0].into()),
    });
    assert!(session.step());
    session.input = Default::default();
}

/// A panel as wide as the transport bar.
pub fn show(fixture: Fixture, height: f32, panel: Panel) -> Harness<'static, Fixture> {
    fixture::show(fixture, vec2(1260.0, height), panel)
}

const TRANSPORT: Panel = |ui, fixture| transport_ui(ui, &fixture.session, &fixture.playback);

fn transport(fixture: Fixture) -> Harness<'static, Fixture> {
    show(fixture, 42.0, TRANSPORT)
}

/// Room for the menus, too.
pub fn menus(fixture: Fixture) -> Harness<'static, Fixture> {
    show(fixture, 500.0, TRANSPORT)
}

fn press(harness: &mut Harness<'static, Fixture>, at: Pos2, modifiers: Modifiers) {
    harness.event(Event::PointerMoved(at));
    harness.run();
    harness.event_modifiers(
        Event::PointerButton {
            pos: at,
            button: PointerButton::Primary,
            pressed: true,
            modifiers,
        },
        modifiers,
    );
    harness.step();
}

#[test]
fn the_buttons_play_step_and_jump_in_both_directions() {
    let mut fixture = fixture();
    go(&mut fixture.session, 120);
    for _ in 0..100 {
        fixture.playback.end_frame(0.01, 0.02);
    }
    let mut harness = transport(fixture);
    harness.get_by_label_contains("0.50");
    harness.get_by_label("1.200 s of 3.000 s");
    let time = Command::Time;
    let wanted = [
        ("To the first moment", time(PlaybackCommand::Start)),
        ("One step back", time(PlaybackCommand::By(-1))),
        ("Play backwards", time(PlaybackCommand::Backwards)),
        ("Pause", Command::TogglePlay),
        ("One step", Command::Step(1)),
        ("To the last moment", time(PlaybackCommand::End)),
        ("Faster", Command::ChangeSpeed(1)),
        ("Slower", Command::ChangeSpeed(-1)),
    ];
    for (label, _) in &wanted {
        harness.get_by_label(label).click();
        harness.run();
    }
    let wanted: Vec<Command> = wanted.into_iter().map(|(_, action)| action).collect();
    assert_eq!(harness.state().asked, wanted);
    harness.state_mut().playback.rewind();
    harness.run();
    harness.get_by_label("Pause the play backwards");
    harness.get_by_label("Play");
}

#[test]
fn at_an_end_of_time_nothing_beyond_it_is_offered() {
    let mut harness = transport(fixture());
    let disabled = |harness: &Harness<'static, Fixture>, label: &str| {
        harness.get_by_label(label).accesskit_node().is_disabled()
    };
    assert!(disabled(&harness, "To the last moment"));
    assert!(!disabled(&harness, "One step back"));
    harness.get_by_label("3.000 s");
    go(&mut harness.state_mut().session, 0);
    harness.run();
    for label in ["To the first moment", "One step back", "Play backwards"] {
        assert!(disabled(&harness, label), "{label}");
    }
    assert!(!disabled(&harness, "To the last moment"));
}

#[test]
fn the_bar_moves_to_the_time_under_the_pointer() {
    let mut harness = transport(fixture());
    let bar = harness.get_by_label("Time").rect();
    let at = |share: f32| pos2(bar.left() + share * bar.width(), bar.center().y);
    for share in [0.25, 0.5, 0.0, 1.0] {
        press(&mut harness, at(share), Modifiers::NONE);
        harness.event(Event::PointerButton {
            pos: at(share),
            button: PointerButton::Primary,
            pressed: false,
            modifiers: Modifiers::NONE,
        });
        harness.run();
        let Some(Command::Time(PlaybackCommand::Seek(step))) =
            harness.state().asked.last().cloned()
        else {
            panic!("{share}: {:?}", harness.state().asked);
        };
        // The knob stays within the bar, so that a share of it is not quite that share of time.
        let wanted = 300.0 * share;
        assert!((step as f32 - wanted).abs() < 5.0, "{step} for {wanted}");
        go(&mut harness.state_mut().session, step);
        harness.run();
    }
    assert_eq!(harness.state().session.sample().step, 300);
}

#[test]
fn a_failed_step_stays_marked_on_the_way() {
    let mut fixture = fixture();
    let right = *fixture.session.settings();
    let mut coarse = right;
    // No step that long has a solution that the method accepts.
    (coarse.dt, coarse.max_iterations) = (1.0, 1);
    fixture.session.set_settings(coarse).expect("it is allowed");
    let failed = !fixture.session.step();
    let way = fixture.session.way();
    let wanted = if failed { Mark::Failed } else { Mark::Relaxed };
    assert_eq!(fixture.session.marks().on(&way), [([301, 301], wanted)]);
    // It is drawn, too.
    transport(fixture);
}

#[test]
fn shift_in_a_plot_and_the_times_below_it_move_through_time() {
    let mut fixture = fixture();
    fixture.look.plot_view.follow = false;
    fixture.look.plot_view.range = [0.0, 3.0];
    fixture.look.charts = vec![driftless::scene::Plot::Energy];
    let mut harness = show(fixture, 300.0, |ui, fixture| {
        plots_ui(ui, &fixture.session, &mut fixture.look, &fixture.highlight)
    });
    // The middle of the plot, whatever the room for the marks of its vertical axis.
    let middle = pos2(640.0, 150.0);
    press(&mut harness, middle, Modifiers::SHIFT);
    let sought = |asked: &[Command]| match asked.last() {
        Some(Command::Time(PlaybackCommand::Seek(step))) => *step,
        other => panic!("{other:?}"),
    };
    let inside = sought(&harness.state().asked);
    assert!((130..170).contains(&inside), "{inside}");
    assert_eq!(harness.state().look.plot_view.range, [0.0, 3.0]);
    harness.event(Event::PointerButton {
        pos: middle,
        button: PointerButton::Primary,
        pressed: false,
        modifiers: Modifiers::NONE,
    });
    harness.run();
    harness.state_mut().asked.clear();
    // The line through the plot stands where the pointer was.
    go(&mut harness.state_mut().session, inside);
    harness.run();
    let upright = |shape: &Shape| {
        let ends = match shape {
            Shape::LineSegment { points, .. } => points.as_slice(),
            Shape::Path(path) => path.points.as_slice(),
            _ => &[],
        };
        matches!(ends, [a, b] if (a.x - b.x).abs() < 0.1 && (a.y - b.y).abs() > 50.0 && (a.x - middle.x).abs() < 5.0)
    };
    let lines = |harness: &Harness<'static, Fixture>| {
        let shapes = &harness.output().shapes;
        shapes.iter().filter(|s| upright(&s.shape)).count()
    };
    let with = lines(&harness);
    go(&mut harness.state_mut().session, 0);
    harness.run();
    // Lines of the grid stay where they are.
    assert_eq!(lines(&harness) + 1, with);
    // The times are the last line.
    press(&mut harness, pos2(640.0, 286.0), Modifiers::NONE);
    assert_eq!(sought(&harness.state().asked), inside);
}
