//! Figures of papers in the window: cards, runs beside the frames, plots that grow, verdicts, and the scene left to the user.

use crate::window::accessible::controls;
use crate::window::blind::{arrive, give, session, window};
use crate::window::fixture::{self, Fixture, fixture};
use bevy::prelude::App;
use bevy_egui::egui::{self, Key};
use driftless::reproduce::{ITEMS, Standing, UNRUN};
use driftless::window::commands::Command;
use driftless::window::commands::papers::{Effort, PapersCommand};
use driftless::window::papers::Papers;
use driftless::window::papers::cards_ui::papers_ui;
use driftless::window::papers::panel_ui::panel_ui;
use driftless::window::papers::run::{RunState, Status};
use driftless::window::session::playback::Playback;
use driftless::window::state::workspace::Workspace;
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT, Queryable};
use std::time::{Duration, Instant};

/// As long as a quick run of a figure may take on a busy machine.
const PATIENCE: Duration = Duration::from_secs(240);

/// The place of a figure.
fn place(name: &str) -> usize {
    let found = ITEMS.iter().position(|item| item.name() == name);
    found.expect("the figure is run")
}

fn cards(fixture: Fixture, width: f32) -> Harness<'static, Fixture> {
    fixture::show(fixture, [width, 9000.0], |ui, d| {
        papers_ui(ui, &mut d.papers)
    })
}

fn figure(fixture: Fixture, width: f32) -> Harness<'static, Fixture> {
    fixture::show(fixture, [width, 900.0], |ui, d| panel_ui(ui, &d.papers))
}

fn type_in(harness: &mut Harness<'static, Fixture>, text: &str) {
    harness.event(egui::Event::Text(text.into()));
    harness.run();
}

fn papers(app: &App) -> &Papers {
    app.world().resource::<Papers>()
}

fn ask(app: &mut App, asked: PapersCommand) {
    give(app, Command::Papers(asked));
    // What it asks for in turn is done in the next frame.
    app.update();
}

/// Hears of a run until something is seen.
fn until(papers: &mut Papers, place: usize, seen: impl Fn(&RunState) -> bool) {
    let start = Instant::now();
    while !papers.record(place).is_some_and(&seen) {
        assert!(start.elapsed() < PATIENCE, "{:?}", papers.record(place));
        std::thread::sleep(Duration::from_millis(2));
        papers.hear();
    }
}

fn points(record: &RunState) -> usize {
    record.drawn.plot.curves[0].points.len()
}

#[test]
fn a_card_says_what_is_claimed_and_runs_its_figure() {
    let mut harness = cards(fixture("pendulum"), 716.0);
    for (k, item) in ITEMS.iter().enumerate() {
        let said = format!("{}, not run yet; expected: {}", item.title(), item.expected);
        let all = harness.query_all_by_label_contains(&said);
        assert!(all.count() > 0, "{k}: {said}");
    }
    harness
        .get_by_label_contains("bruedigam2023, figure 12a: ")
        .click();
    harness.run();
    let run = Command::Papers(PapersCommand::Run(place("bruedigam2023/12a")));
    assert_eq!(harness.state().asked, std::slice::from_ref(&run));
    for unrun in UNRUN {
        let card = harness.get_by_label_contains(unrun.title);
        assert!(
            card.accesskit_node()
                .label()
                .unwrap()
                .ends_with("needs robots")
        );
        card.click();
        harness.run();
    }
    harness.get_by_label("Full").click();
    harness.run();
    let full = Command::Papers(PapersCommand::Effort(Effort::Full));
    assert_eq!(harness.state().asked, [run, full]);
}

#[test]
fn a_search_leaves_what_it_finds_and_enter_runs_the_first() {
    let mut harness = cards(fixture("pendulum"), 716.0);
    harness.get_by_label("Search the figures").focus();
    harness.run();
    type_in(&mut harness, "2023 singular configurations");
    assert!(harness.query_by_label_contains("figure 7a").is_none());
    harness.key_press(Key::Enter);
    harness.run();
    let run = Command::Papers(PapersCommand::Run(place("bruedigam2023/12a")));
    assert_eq!(harness.state().asked, [run]);
    harness.get_by_label("Search the figures").focus();
    harness.run();
    type_in(&mut harness, " nowhere");
    harness.get_by_label_contains("No figure is called that");
}

#[test]
fn the_plot_grows_beside_the_papers_claim_and_a_cancelled_one_stays() {
    let place = place("bruedigam2023/12a");
    let mut fixture = fixture("pendulum");
    fixture.papers.begin(&fixture.jobs, place);
    until(&mut fixture.papers, place, |r| points(r) > 0);
    let record = fixture.papers.record(place).unwrap().clone();
    assert!(matches!(record.status, Status::Running(part) if part < 1.0));
    assert_eq!(record.drawn.claimed.len(), 1);
    // The exact motion is known to its end, ours as far as it has come.
    assert_eq!(record.drawn.claimed[0].points.len(), 1000);
    assert!(points(&record) < 1000);
    until(&mut fixture.papers, place, |r| points(r) > points(&record));
    let mut harness = figure(fixture, 372.0);
    harness.get_by_label("bruedigam2023, figure 12a");
    harness.get_by_label_contains("In steps of 10 ms the variational integrator follows");
    harness.get_by_label("How far the run has come");
    harness.get_by_label_contains("- - exact: height of the corner [m]");
    harness.get_by_label_contains("— variational: height of the corner [m]");
    harness.get_by_label("Cancel").click();
    harness.run();
    let cancel = Command::Papers(PapersCommand::Cancel);
    assert_eq!(harness.state().asked, [cancel]);
    harness.get_by_label_contains("Open this scene").click();
    harness.run();
    harness.get_by_label("and end the run").click();
    harness.run();
    let open = Command::Papers(PapersCommand::OpenScene(true));
    assert_eq!(harness.state().asked[1], open);
}

#[test]
fn choosing_one_plays_its_scene_and_ends_with_the_verdict_of_the_command_line() {
    let mut app = window("pendulum", 1);
    let place = place("bruedigam2020/4d");
    ask(&mut app, PapersCommand::Show);
    assert!(papers(&app).tab && app.world().resource::<Workspace>().gallery);
    app.world_mut().resource_mut::<Playback>().play(false);
    ask(&mut app, PapersCommand::Run(place));
    assert!(!app.world().resource::<Workspace>().gallery);
    arrive(&mut app);
    let scene = ITEMS[place].scene.scene().expect("a chain");
    assert_eq!(session(&app).scene().name, scene);
    assert!(app.world().resource::<Playback>().playing);
    let start = Instant::now();
    while papers(&app).is_running(place) {
        assert!(start.elapsed() < PATIENCE, "it does not end");
        app.update();
        std::thread::sleep(Duration::from_millis(2));
    }
    let record = papers(&app).record(place).unwrap().clone();
    let table = (ITEMS[place].run)(Effort::Quick, &mut |_, _| Ok(())).unwrap();
    let verdict = (ITEMS[place].judge)(&table);
    assert_eq!(verdict.standing, Standing::Holds);
    assert_eq!(record.status, Status::Judged(verdict.clone()));
    // It is remembered: its card says so, and shows it again.
    let papers = app.world_mut().remove_resource::<Papers>().unwrap();
    let mut fixture = fixture::fixture("pendulum");
    fixture.papers = papers;
    let mut harness = figure(fixture, 372.0);
    harness.get_by_label("Holds.");
    // As a sentence: without its first letter.
    harness.get_by_label_contains(&verdict.why[1..]);
    let mut again = fixture::fixture("pendulum");
    std::mem::swap(&mut again.papers, &mut harness.state_mut().papers);
    let mut harness = cards(again, 716.0);
    harness.get_by_label_contains("claims that hold: 1, that differ: 0");
    harness
        .get_by_label_contains("bruedigam2020, figure 4d: ")
        .click();
    harness.run();
    let look = Command::Papers(PapersCommand::Look(place));
    assert_eq!(harness.state().asked, [look]);
}

#[test]
fn its_scene_is_left_to_the_user_with_the_run_going_on_or_ended() {
    let mut app = window("pendulum", 1);
    // An hour of simulated time, which is not done before the test is.
    let place = place("bruedigam2020/4a");
    ask(&mut app, PapersCommand::Effort(Effort::Full));
    ask(&mut app, PapersCommand::Run(place));
    arrive(&mut app);
    assert_eq!(session(&app).scene().name, "double_pendulum");
    let step = session(&app).sample().step;
    ask(&mut app, PapersCommand::OpenScene(false));
    assert!(papers(&app).shown().is_none() && papers(&app).is_running(place));
    assert!(
        session(&app).sample().step > step,
        "it was not opened again"
    );
    // Another scene in between: this one is opened again.
    crate::window::blind::open(&mut app, "pendulum");
    ask(&mut app, PapersCommand::Look(place));
    ask(&mut app, PapersCommand::OpenScene(true));
    arrive(&mut app);
    assert_eq!(session(&app).scene().name, "double_pendulum");
    assert!(!papers(&app).is_running(place));
    let status = &papers(&app).record(place).unwrap().status;
    assert_eq!(*status, Status::Cancelled);
    // One without a scene leaves the open one alone.
    let graph = self::place("bruedigam2023/9b");
    ask(&mut app, PapersCommand::Run(graph));
    assert_eq!(session(&app).scene().name, "double_pendulum");
    assert!(papers(&app).is_running(graph));
    // A run is known before it tells anything, and was ended if it was then.
    ask(&mut app, PapersCommand::Cancel);
    assert!(!papers(&app).is_running(graph));
    let status = &papers(&app).record(graph).unwrap().status;
    assert_eq!(*status, Status::Cancelled);
}

#[test]
fn nothing_overlaps_or_leaves_a_narrow_panel() {
    let mut problems = Vec::new();
    for (name, width, panel) in [
        ("figure", 280.0, figure as fn(Fixture, f32) -> _),
        ("figure", 460.0, figure),
        ("cards", 460.0, cards),
        ("cards", 780.0, cards),
    ] {
        let mut fixture = fixture("pendulum");
        fixture.papers.look(place("bruedigam2023/12a"));
        let harness: Harness<Fixture> = panel(fixture, width);
        let shown = controls(harness.root());
        assert!(shown.len() > 2, "{name} at {width}");
        for (k, a) in shown.iter().enumerate() {
            let said = a.accesskit_node().label().unwrap_or_default();
            if a.rect().left() < -0.5 || a.rect().right() > width + 0.5 {
                problems.push(format!("{name} at {width}: `{said}` {}", a.rect()));
            }
            for b in &shown[k + 1..] {
                let common = a.rect().intersect(b.rect());
                if common.width() > 1.0 && common.height() > 1.0 {
                    let other = b.accesskit_node().label().unwrap_or_default();
                    problems.push(format!("{name} at {width}: `{said}` on `{other}`"));
                }
            }
        }
    }
    assert!(problems.is_empty(), "{problems:#?}");
}
