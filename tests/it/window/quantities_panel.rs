//! Plots that a person builds, and the list of layers, clicked without a window.

use crate::window::fixture::{Fixture, Panel, fixture, showing};
use bevy_egui::egui::{Ui, vec2};
use driftless::diagnostics::{Quantity, TIME};
use driftless::model::BodyId;
use driftless::window::commands::Command;
use driftless::window::layers::list_ui::layers_ui;
use driftless::window::plots::custom::quantities_ui;
use driftless::window::session::Session;
use driftless::window::state::layers::Layer;
use driftless::window::state::selection::Selection;
use driftless::window::theme::fonts::fonts;
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;

fn show(fixture: Fixture, panel: Panel) -> Harness<'static, Fixture> {
    let draw = move |ui: &mut Ui, fixture: &mut Fixture| {
        let asked = panel(ui, fixture);
        fixture.asked.extend(asked);
        fixture.session.traces.follow(&fixture.custom_plots.charts);
    };
    let mut harness = Harness::builder()
        .with_size(vec2(1200.0, 420.0))
        .build_ui_state(draw, fixture);
    harness.ctx.set_fonts(fonts());
    harness.run();
    harness
}

fn plots(ui: &mut Ui, fixture: &mut Fixture) -> Vec<Command> {
    quantities_ui(
        ui,
        &fixture.session,
        &mut fixture.look,
        &fixture.highlight,
        &mut fixture.custom_plots,
    )
}

#[test]
fn a_quantity_is_searched_for_and_plotted_over_time() {
    let mut harness = show(fixture("double_pendulum"), plots);
    harness.get_by_label_contains("Nothing is plotted yet");
    harness.get_by_label("+ over time").click();
    harness.run();
    harness.state_mut().custom_plots.search = "total energy".into();
    harness.run();
    harness.get_by_label("total_energy").click();
    harness.run();
    let chart = &harness.state().custom_plots.charts[0];
    assert_eq!((chart.x, chart.curves.len()), (TIME, 1));
    let energy = chart.curves[0];
    let model = harness.state().session.model().clone();
    assert_eq!(energy.name(&model), "total_energy");
    for _ in 0..30 {
        assert!(harness.state_mut().session.step());
    }
    harness.run();
    let curve = harness.state().session.traces.curve(TIME, energy);
    assert_eq!(curve.len(), 30);
    let sample = harness.state().session.sample();
    assert_eq!(curve[29], [sample.time, sample.energy.total()]);
}

#[test]
fn a_phase_portrait_becomes_a_poincare_section() {
    let mut harness = show(fixture("pendulum"), plots);
    harness.get_by_label("+ phase portrait").click();
    harness.run();
    assert!(harness.state().custom_plots.charts[0].section.is_none());
    harness.get_by_label("only where").click();
    harness.run();
    harness.get_by_label("rises through").click();
    harness.run();
    let chart = harness.state().custom_plots.charts[0].clone();
    let section = chart.section.expect("it is one now");
    assert!(!section.rising);
    assert_eq!(section.of, chart.curves[0]);
    // The rate of a pendulum falls through zero where it turns round on the far side.
    for _ in 0..600 {
        assert!(harness.state_mut().session.step());
    }
    let points = harness.state().session.traces.section(&chart, 0);
    let curve = harness
        .state()
        .session
        .traces
        .curve(chart.x, chart.curves[0]);
    let farthest = curve.iter().map(|p| p[0]).fold(f64::MIN, f64::max);
    assert!(!points.is_empty());
    for point in points {
        // The angle is stationary there.
        assert!(
            (point[0] - farthest).abs() < 1e-3 * farthest.abs(),
            "{point:?} {farthest}"
        );
    }
    // The pencil ends the change and begins it again.
    for open in [false, true] {
        harness.get_by_label("✏").click();
        harness.run();
        assert_eq!(harness.state().custom_plots.edited.is_some(), open);
    }
}

#[test]
fn plots_of_a_scene_are_shown_when_it_opens() {
    const FILE: &str = r#"(version: 1, bodies: {"bob": (shape: (sphere: (radius: 0.1)))},
        charts: [(title: "height", curves: ["bob.z"])])"#;
    let scene = driftless::scene::from_text("bob", FILE, &[]).unwrap();
    let session = Session::new(scene).unwrap();
    let harness = show(showing(session), plots);
    harness.get_by_label("height");
    let model = harness.state().session.model();
    let z = Quantity::named("bob.z", model).unwrap();
    assert_eq!(harness.state().custom_plots.charts[0].curves, [z]);
}

#[test]
fn layers_are_shown_enlarged_and_given_trails() {
    let layers: Panel =
        |ui, fixture| layers_ui(ui, &fixture.session, &fixture.look, &fixture.highlight);
    let mut fixture = fixture("double_pendulum");
    fixture.highlight.selection = Some(Selection::body(BodyId(1)));
    for layer in [Layer::Velocities, Layer::Trails] {
        fixture.look.layers.style_mut(layer).shown = true;
    }
    let name = fixture.session.model().bodies[1].name.clone();
    let mut harness = show(fixture, layers);
    harness.get_by_label("Reactions").click();
    harness.run();
    harness.get_by_label("auto").click();
    harness.run();
    harness.get_by_label(&format!("+ {name}")).click();
    harness.run();
    let asked = &harness.state().asked;
    assert_eq!(asked[0], Command::ToggleLayer(Layer::Reactions));
    assert!(
        matches!(asked[1], Command::LayerStyle(Layer::Velocities, style) if style.auto),
        "{asked:?}"
    );
    let Command::TrailPoints(points) = &asked[2] else {
        panic!("{asked:?}");
    };
    assert_eq!(
        points.iter().map(|p| p.body).collect::<Vec<_>>(),
        [BodyId(1)]
    );
}
