//! The solver's picture and the profiler, pointed at and clicked without a window.

use crate::window::fixture::{Fixture, fixture};
use bevy_egui::egui::{Event, Pos2, Ui, pos2, vec2};
use driftless::integrators::LinearSolver;
use driftless::window::commands::Command;
use driftless::window::editing::inspector::inspector_ui;
use driftless::window::session::Session;
use driftless::window::solver::profiler_ui::profiler_ui;
use driftless::window::solver::solver_ui;
use driftless::window::state::highlight::Highlight;
use driftless::window::state::panels::PanelId;
use driftless::window::state::selection::Selection;
use driftless::window::theme::fonts::fonts;
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;

fn show(fixture: Fixture) -> Harness<'static, Fixture> {
    let draw = |ui: &mut Ui, fixture: &mut Fixture| {
        let asked = solver_ui(
            ui,
            &fixture.session,
            &mut fixture.highlight,
            &mut fixture.solver_view,
        );
        fixture.asked.extend(asked);
    };
    let mut harness = Harness::builder()
        .with_size(vec2(1200.0, 300.0))
        .build_ui_state(draw, fixture);
    harness.ctx.set_fonts(fonts());
    harness.run();
    harness
}

/// Middle of the tile of that name.
fn middle(harness: &Harness<Fixture>, tile: &str) -> Pos2 {
    let rect = harness.get_by_label(tile).rect();
    rect.center()
}

/// Moves the pointer over a tile until `found` holds.
fn search(
    harness: &mut Harness<Fixture>,
    tile: &str,
    found: impl Fn(&Highlight) -> bool,
) -> Option<Pos2> {
    let rect = harness.get_by_label(tile).rect();
    for row in 1..24 {
        for column in 1..24 {
            let at =
                rect.min + vec2(rect.width() * column as f32, rect.height() * row as f32) / 24.0;
            harness.input_mut().events.push(Event::PointerMoved(at));
            harness.run_steps(2);
            if found(&harness.state().highlight) {
                return Some(at);
            }
        }
    }
    None
}

fn click(harness: &mut Harness<Fixture>, at: Pos2) {
    for pressed in [true, false] {
        harness.input_mut().events.push(Event::PointerButton {
            pos: at,
            button: bevy_egui::egui::PointerButton::Primary,
            pressed,
            modifiers: Default::default(),
        });
    }
    harness.run_steps(2);
}

#[test]
fn pointing_at_a_block_lights_what_it_couples_and_a_click_selects_it() {
    let mut harness = show(fixture("double_pendulum"));
    for tile in [
        "Graph of the mechanism",
        "Matrix before ordering",
        "Matrix as it is eliminated",
    ] {
        let both = |highlight: &Highlight| {
            let some = |joint: bool| {
                highlight
                    .pointed
                    .iter()
                    .any(|s| s.as_joint().is_some() == joint)
            };
            some(true) && some(false)
        };
        let at = match tile {
            "Graph of the mechanism" => search(&mut harness, tile, |s| s.pointed.len() == 1),
            _ => search(&mut harness, tile, both),
        };
        let at = at.unwrap_or_else(|| panic!("{tile} lights nothing"));
        let first = harness.state().highlight.pointed[0];
        click(&mut harness, at);
        assert_eq!(
            harness.state().asked,
            [Command::Select(Some(first))],
            "{tile}"
        );
        harness.state_mut().asked.clear();
    }
    // Away from everything nothing is lit any more.
    harness
        .input_mut()
        .events
        .push(Event::PointerMoved(pos2(2.0, 2.0)));
    harness.run_steps(3);
    assert!(harness.state().highlight.pointed.is_empty());
}

#[test]
fn the_picture_says_what_the_solver_in_use_does() {
    let mut harness = show(fixture("four-bar-chain:segments=10"));
    harness.get_by_label("pair elimination");
    let multiplications = |session: &Session| session.plan().expect("it says").operations;
    let before = multiplications(&harness.state().session);
    for (solver, words) in [
        (LinearSolver::BlockLdu, "block LDU"),
        (LinearSolver::Dense, "dense LU"),
    ] {
        let session = &mut harness.state_mut().session;
        let mut settings = *session.settings();
        settings.linear_solver = solver;
        session.set_settings(settings).unwrap();
        harness.run();
        harness.get_by_label(words);
        assert!(multiplications(&harness.state().session) > before);
    }
    let _ = middle(&harness, "Matrix as it is eliminated");
}

#[test]
fn contacts_are_in_the_picture_while_they_exist() {
    let mut stack = fixture("box-stack:boxes=2");
    for _ in 0..20 {
        assert!(stack.session.step());
    }
    let mut harness = show(stack);
    harness.get_by_label("block LDU with contacts");
    let contact = |s: &Highlight| match s.pointed[..] {
        [selected] => selected.as_contact(),
        _ => None,
    };
    let at = search(&mut harness, "Graph of the mechanism", |s| {
        contact(s).is_some()
    });
    let at = at.expect("a contact can be pointed at");
    let key = contact(&harness.state().highlight).unwrap();
    let contacts = &harness.state().session.state().contacts;
    assert!(contacts.iter().any(|c| c.key == key));
    click(&mut harness, at);
    let chosen = Some(Selection::Contact(key));
    assert_eq!(harness.state().asked, [Command::Select(chosen)]);

    // The inspector tells what is known of it, and of which bodies it is.
    let Fixture { session, .. } = fixture("box-stack:boxes=2");
    let mut fixture = harness.into_state();
    fixture.highlight.selection = chosen;
    fixture.asked.clear();
    let contacts = &fixture.session.state().contacts;
    let found = contacts.iter().find(|c| c.key == key).unwrap();
    let body = found.bodies.into_iter().flatten().next().unwrap();
    let name = fixture.session.model().bodies[body.0].name.clone();
    let inspector = |ui: &mut Ui, fixture: &mut Fixture| {
        let asked = inspector_ui(
            ui,
            &mut fixture.session,
            &fixture.highlight,
            &fixture.editor,
            &fixture.opener,
            &fixture.tool,
        );
        fixture.asked.extend(asked);
    };
    let mut harness = Harness::builder()
        .with_size(vec2(300.0, 900.0))
        .build_ui_state(inspector, fixture);
    harness.ctx.set_fonts(fonts());
    harness.run();
    harness.get_by_label("normal force");
    let named = harness.get_all_by_label(&name).next();
    named.expect("above the list of all bodies").click();
    harness.run();
    let asked = &harness.state().asked;
    assert_eq!(*asked, [Command::Select(Some(Selection::body(body)))]);
    // At the first moment the boxes are apart.
    harness.state_mut().session = session;
    harness.run();
    harness.get_by_label_contains("far from each other");
}

#[test]
fn a_thousand_bodies_are_drawn_and_can_be_enlarged() {
    let mut harness = show(fixture("chain:links=1000"));
    let at = middle(&harness, "Matrix as it is eliminated");
    // Before, a cell is less than a pixel; after, it is large enough to be pointed at.
    harness.input_mut().events.push(Event::PointerMoved(at));
    harness.run_steps(2);
    for _ in 0..40 {
        harness.input_mut().events.push(Event::MouseWheel {
            unit: bevy_egui::egui::MouseWheelUnit::Point,
            delta: vec2(0.0, 100.0),
            modifiers: Default::default(),
            phase: bevy_egui::egui::TouchPhase::Move,
        });
        harness.run_steps(3);
    }
    let lit = &harness.state().highlight.pointed;
    assert!(!lit.is_empty() && lit.len() <= 4, "{lit:?}");
}

#[test]
fn the_profiler_asks_for_time_and_then_lists_its_phases() {
    let mut fixture = fixture("arch");
    fixture.workspace.open(PanelId::Profiler);
    let draw = |ui: &mut Ui, fixture: &mut Fixture| profiler_ui(ui, &fixture.session);
    let mut harness = Harness::builder()
        .with_size(vec2(1000.0, 300.0))
        .build_ui_state(draw, fixture);
    harness.ctx.set_fonts(fonts());
    harness.run();
    harness.get_by_label_contains("Let time run");
    let session = &mut harness.state_mut().session;
    session.set_profiling(true);
    for _ in 0..5 {
        assert!(session.step());
    }
    harness.run();
    for phase in [
        "detect", "evaluate", "assemble", "factor", "solve", "account", "measure",
    ] {
        harness.get_by_label(phase);
    }
    harness.get_by_label_contains("last 5 steps");
    harness.get_by_label("History of phases");
}
