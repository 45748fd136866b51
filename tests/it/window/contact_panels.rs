//! Contact in the panels: lists, coefficients, plots, layers, solvers, and methods that do without it.

use crate::window::fixture::{Fixture, Panel, fixture};
use crate::window::panels::{show, toolbar};
use driftless::integrators::{FrictionCone, OptionValue};
use driftless::math::Vec3;
use driftless::model::{BodyId, ContactKey, ContactState, ContactStatus};
use driftless::sim::Snapshot;
use driftless::sim::timeline::BranchId;
use driftless::window::commands::Command;
use driftless::window::commands::editing::EditCommand;
use driftless::window::editing::inspector::inspector_ui;
use driftless::window::layers::list_ui::layers_ui;
use driftless::window::plots::live_ui::plots_ui;
use driftless::window::session::Session;
use driftless::window::settings::settings_ui::settings_ui;
use driftless::window::state::layers::Layer;
use driftless::window::state::selection::Selection;
use egui_kittest::kittest::{NodeT, Queryable};

/// A stack at rest on its contacts, as far as the panels know: three points of the lowest box on the ground, one that
/// sticks, one that slides, one that is open, and one of the second box on the lowest.
fn touching(spec: &str) -> Fixture {
    let mut fixture = fixture(spec);
    let mut state = fixture.session.state().clone();
    let contact = |bodies: [Option<usize>; 2], k: u64, force: Vec3, status| ContactState {
        key: ContactKey {
            shapes: k,
            features: 0,
        },
        bodies: bodies.map(|b| b.map(BodyId)),
        point: Vec3::zeros(),
        normal: Vec3::z(),
        gap: 3.2e-12,
        force,
        slip: Vec3::new(0.25, 0.0, 0.0),
        friction: 0.5,
        status,
        rebound: 0.0,
        hit: false,
        turning: 0.0,
    };
    state.contacts = vec![
        contact(
            [Some(0), None],
            0,
            Vec3::new(3.0, 4.0, 12.5),
            ContactStatus::Sticking,
        ),
        contact(
            [Some(0), None],
            1,
            Vec3::new(1.0, 0.0, 2.0),
            ContactStatus::Sliding,
        ),
        contact([Some(0), None], 2, Vec3::zeros(), ContactStatus::Open),
        contact(
            [Some(1), Some(0)],
            3,
            Vec3::new(0.0, 0.0, 7.5),
            ContactStatus::Sticking,
        ),
    ];
    let moment = Snapshot {
        state: state.clone(),
        ..fixture.session.snapshot()
    };
    let scene = fixture.session.forked_scene();
    fixture.session = Session::at(scene, &moment).expect("it is closed");
    for k in 0..5u32 {
        let time = f64::from(k) * 0.01;
        fixture.session.contact_history.push(
            (BranchId(0), k.into()),
            time,
            state.bodies.len(),
            &state.contacts,
        );
    }
    fixture
}

const INSPECTOR: Panel = |ui, fixture| {
    inspector_ui(
        ui,
        &mut fixture.session,
        &fixture.highlight,
        &fixture.editor,
        &fixture.opener,
        &fixture.tool,
    )
};

#[test]
fn a_body_lists_its_contacts_strongest_first_and_leads_to_its_neighbours() {
    let mut fixture = touching("box_stack");
    fixture.highlight.selection = Some(Selection::body(BodyId(0)));
    let mut harness = show(fixture, INSPECTOR);
    // Normal forces as given above; friction of 3 and 4 N across is 5 N.
    let x = |label: &str| harness.get_by_label(label).rect().center().y;
    assert!(x("12.5 N") < x("7.50 N") && x("7.50 N") < x("2.00 N"));
    harness.get_by_label("5.00 N");
    assert_eq!(harness.query_all_by_label("world").count(), 3);
    assert_eq!(harness.query_all_by_label("3.2e−12 m").count(), 4);
    let second = harness.state().session.model().bodies[1].name.clone();
    harness
        .get_all_by_label(&second)
        .next()
        .expect("the neighbour is named")
        .click();
    harness.run();
    assert_eq!(
        harness.state().asked,
        [Command::Select(Some(Selection::body(BodyId(1))))]
    );
    harness.state_mut().highlight.selection = Some(Selection::body(BodyId(5)));
    harness.run();
    harness.get_by_label("It touches nothing.");
}

#[test]
fn a_coefficient_is_changed_live_and_reaches_the_simulation() {
    let mut fixture = touching("box_stack");
    fixture.highlight.selection = Some(Selection::body(BodyId(0)));
    let before = fixture.session.model().contact.clone().unwrap();
    let mut harness = show(fixture, INSPECTOR);
    let shown = format!("µ {:.3}", before.materials[0].friction);
    let field = harness.get_by_value(&shown);
    let (from, step) = (field.rect().center(), bevy_egui::egui::vec2(40.0, 0.0));
    harness.drag_at(from);
    harness.run();
    harness.hover_at(from + step);
    harness.run();
    harness.drop_at(from + step);
    harness.run();
    let Some(Command::Edit(EditCommand::Amend(edit))) = harness.state().asked.last().cloned()
    else {
        panic!("{:?}", harness.state().asked);
    };
    let session = &mut harness.state_mut().session;
    session.edit(&edit).expect("the edit is right");
    let after = session.model().contact.clone().unwrap();
    assert!(after.materials[0].friction > before.materials[0].friction);
    assert_eq!(
        session.document().undo_name(),
        Some("friction and restitution")
    );
}

#[test]
fn plots_of_the_selected_body_say_what_to_do_and_then_show_its_contacts() {
    let mut fixture = touching("box_stack");
    fixture.look.charts = vec![
        driftless::scene::Plot::BodyGap,
        driftless::scene::Plot::BodyForce,
        driftless::scene::Plot::Contacts,
        driftless::scene::Plot::Complementarity,
        driftless::scene::Plot::Losses,
    ];
    let plots: Panel =
        |ui, fixture| plots_ui(ui, &fixture.session, &mut fixture.look, &fixture.highlight);
    let mut harness = show(fixture, plots);
    let empty = "Select a body to see its contacts.";
    assert_eq!(harness.query_all_by_label(empty).count(), 2);
    for title in ["Gap", "Normal force", "Contacts", "Complementarity [N·m]"] {
        harness.get_by_label(title);
    }
    harness.state_mut().highlight.selection = Some(Selection::body(BodyId(0)));
    harness.run();
    assert_eq!(harness.query_all_by_label(empty).count(), 0);
    harness.get_by_label("gap 3.2e−12 m");
    harness.get_by_label("penetration 0 m");
    // 12.5 N, 2 N and the 7.5 N of the box above.
    harness.get_by_label("total 22.0 N");
    for unit in ["impacts", "friction", "dampers"] {
        harness.get_by_label(&format!("{unit} 0 J"));
    }
}

#[test]
fn a_scene_without_contact_says_so_where_contact_is_plotted_and_shown() {
    let none = "This scene has no contact.";
    let mut plain = fixture("pendulum");
    plain.look.charts = vec![driftless::scene::Plot::Penetration];
    let plots: Panel =
        |ui, fixture| plots_ui(ui, &fixture.session, &mut fixture.look, &fixture.highlight);
    show(plain, plots).get_by_label(none);
    let layers: Panel =
        |ui, fixture| layers_ui(ui, &fixture.session, &fixture.look, &fixture.highlight);
    let harness = show(fixture("pendulum"), layers);
    harness.get_by_label(none);
    assert!(harness.query_by_label("Friction cones").is_none());
    let settings: Panel = |ui, fixture| {
        settings_ui(
            ui,
            &fixture.session,
            &fixture.workspace,
            &fixture.preferences,
        )
    };
    let harness = show(fixture("pendulum"), settings);
    assert!(harness.query_by_label("friction cone").is_none());
}

#[test]
fn layers_of_contact_are_switched_and_the_cone_and_solver_chosen_in_the_settings() {
    let layers: Panel =
        |ui, fixture| layers_ui(ui, &fixture.session, &fixture.look, &fixture.highlight);
    let mut harness = show(touching("box_stack"), layers);
    for label in [
        "Contact points",
        "Contact normals",
        "Contact forces",
        "Friction cones",
    ] {
        harness.get_by_label(label).click();
        harness.run();
    }
    let layers = [
        Layer::ContactPoints,
        Layer::ContactNormals,
        Layer::ContactForces,
        Layer::FrictionCones,
    ];
    assert_eq!(harness.state().asked, layers.map(Command::ToggleLayer));
    harness.state_mut().asked.clear();
    harness.get_by_label("Forces on both bodies").click();
    harness.run();
    assert!(
        matches!(harness.state().asked[..], [Command::BothForces(true)]),
        "{:?}",
        harness.state().asked
    );
    let settings: Panel = |ui, fixture| {
        settings_ui(
            ui,
            &fixture.session,
            &fixture.workspace,
            &fixture.preferences,
        )
    };
    let mut harness = show(touching("box_stack"), settings);
    harness.get_by_value("exact").click();
    harness.run();
    harness.get_by_label("linearised, 8 edges").click();
    harness.run();
    harness.get_by_value("hybrid").click();
    harness.run();
    harness.get_by_label("newton").click();
    harness.run();
    let asked: Vec<_> = harness.state().asked.iter().collect();
    let [Command::Settings(cone), Command::Settings(solver)] = asked[..] else {
        panic!("{asked:?}");
    };
    assert_eq!(cone.friction, FrictionCone::Linearised(8));
    let chosen: Vec<_> = solver.options.chosen().collect();
    assert_eq!(chosen, [("contact_solver", OptionValue::Word("newton"))]);
}

#[test]
fn a_method_that_refuses_contact_offers_the_nearest_that_does_not() {
    let mut harness = show(fixture("box_drop"), toolbar);
    harness.get_by_value("variational-2").click();
    harness.run();
    assert!(harness.get_by_label("heun").accesskit_node().is_disabled());
    assert!(
        harness
            .query_all_by_label("heun does not know contact")
            .next()
            .is_some(),
        "the reason is shown"
    );
    // Of the methods with contact, `variational` is of the order of the Euler methods.
    // The list is longer than the window.
    for click in [false, true] {
        let mut offers = harness.get_all_by_label("Take variational instead");
        let offer = offers.next().expect("it is offered");
        if click {
            offer.click();
        } else {
            offer.scroll_to_me();
        }
        drop(offers);
        harness.run();
    }
    assert_eq!(harness.state().asked, [Command::Integrator("variational")]);
}
