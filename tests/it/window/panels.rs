//! The panels, clicked and read without a window.

use crate::window::desk::{self, Desk, Panel, desk};
use driftless::app::panels;
use driftless::app::{Action, Comparing, EditWish, Entry, Layer, Selection, Side};
use driftless::integrators::{FrictionCone, OptionValue};
use driftless::math::Vec3;
use driftless::model::{BodyId, ContactKey, ContactState, ContactStatus, JointId};
use driftless::scene::Amendment;
use driftless::sim::timeline::BranchId;
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT, Queryable};

fn show(desk: Desk, panel: Panel) -> Harness<'static, Desk> {
    desk::show(desk, [1000.0, 700.0], panel)
}

fn toolbar(ui: &mut bevy_egui::egui::Ui, desk: &mut Desk) -> Vec<Action> {
    panels::toolbar_ui(ui, &desk.session, &desk.shell, &Comparing::default())
}

#[test]
fn the_toolbar_names_the_scene_and_opens_what_is_asked_for() {
    let mut harness = show(desk("double_pendulum"), toolbar);
    harness.get_by_label("Double pendulum");
    harness.get_by_label("Plots").click();
    harness.run();
    harness.get_by_label("Inspector").click();
    harness.run();
    let wanted = [Action::TogglePlots, Action::ToggleSide(Side::Inspector)];
    assert_eq!(harness.state().asked, wanted);
}

#[test]
fn an_integrator_is_chosen_and_one_that_cannot_run_the_scene_says_why() {
    let mut harness = show(desk("damped_pendulum"), toolbar);
    harness.get_by_value("variational-2").click();
    harness.run();
    let refused = harness.get_by_label("variational-4");
    assert!(refused.accesskit_node().is_disabled());
    assert!(
        harness.query_all_by_label_contains("damp").next().is_some(),
        "the reason is shown"
    );
    harness.get_by_label("heun").click();
    harness.run();
    assert_eq!(harness.state().asked, [Action::Integrator("heun")]);
}

#[test]
fn the_list_of_scenes_is_searched_and_opens_what_is_clicked() {
    let mut desk = desk("pendulum");
    let entry = |spec: &str, description: &str| Entry {
        spec: spec.into(),
        description: description.into(),
        ..Entry::default()
    };
    desk.shell.catalogue = vec![
        entry("four_bar", "a crank and a rocker"),
        entry("net", "knots"),
    ];
    desk.shell.recent = vec!["/some/where/mine.ron".into()];
    desk.shell.search = "rocker".into();
    let mut harness = show(desk, |ui, desk| {
        panels::browser_ui(ui, &desk.session, &mut desk.shell)
    });
    assert!(harness.query_by_label("net").is_none());
    harness.get_by_label("four_bar").click();
    harness.run();
    harness.get_by_label("mine.ron").click();
    harness.run();
    let wanted = [
        Action::Open("four_bar".into()),
        Action::Open("/some/where/mine.ron".into()),
    ];
    assert_eq!(harness.state().asked, wanted);
}

#[test]
fn the_inspector_shows_a_body_and_its_joint() {
    let mut moving = desk("double_pendulum");
    for _ in 0..50 {
        assert!(moving.session.step());
    }
    moving.shell.selection = Some(Selection::Body(BodyId(0)));
    let inspector: Panel = |ui, desk| panels::inspector_ui(ui, &mut desk.session, &desk.shell);
    let mut harness = show(moving, inspector);
    harness.get_by_value("1 kg");
    harness
        .get_all_by_label("elbow")
        .next()
        .expect("its joints are listed")
        .click();
    harness.run();
    assert_eq!(
        harness.state().asked,
        [Action::Select(Some(Selection::Joint(JointId(1))))]
    );
    harness.state_mut().shell.selection = Some(Selection::Joint(JointId(0)));
    harness.run();
    harness.get_by_value("revolute");
    harness.get_by_value("world");
    harness.get_by_value("upper");
    harness.get_by_label("redundant");
}

#[test]
fn gravity_is_changed_in_one_click() {
    let mut harness = show(desk("pendulum"), |ui, desk| {
        panels::settings_ui(ui, &desk.session, &desk.shell)
    });
    harness.get_by_label("Moon").click();
    harness.run();
    let [Action::Edit(EditWish::Amend(edit))] = &harness.state().asked[..] else {
        panic!("{:?}", harness.state().asked);
    };
    let moon = Vec3::new(0.0, 0.0, -1.62);
    assert_eq!(edit.amendments, [Amendment::Gravity(moon)]);
}

#[test]
fn the_status_line_shows_an_error_and_lets_it_go() {
    let mut desk = desk("four_bar");
    desk.shell.notices.scene = Some("line 3, column 5: mass is -1".into());
    let status: Panel = |ui, desk| panels::status_ui(ui, &desk.session, &desk.shell);
    let mut harness = show(desk, status);
    harness.get_by_label("line 3, column 5: mass is -1");
    harness.get_by_label("Clear this message").click();
    harness.run();
    assert_eq!(harness.state().asked, [Action::ClearNotices]);
    harness.state_mut().shell.notices.scene = None;
    harness.run();
    // A plane loop in space: three of its equations say nothing new.
    harness.get_by_label_contains("3 redundant");
}

#[test]
fn the_plots_show_every_figure_with_its_unit_and_save_their_data() {
    let mut desk = desk("double_pendulum");
    for _ in 0..400 {
        assert!(desk.session.step());
    }
    let plots: Panel = |ui, desk| panels::plots_ui(ui, &desk.session, &mut desk.shell);
    let mut harness = show(desk, plots);
    for title in [
        "Energy",
        "Energy error",
        "Joint drift",
        "Newton iterations",
        "Final residual",
        "Residual by iteration",
    ] {
        harness.get_by_label(title);
    }
    for unit in ["kinetic", "potential", "total"] {
        let shown = harness.get_by_label_contains(unit);
        let text = shown
            .accesskit_node()
            .value()
            .or(shown.accesskit_node().label())
            .unwrap_or_default();
        assert!(text.ends_with(" J"), "{text}");
    }
    harness.get_by_label("CSV").click();
    harness.run();
    harness.get_by_label("Follow").click();
    harness.run();
    assert_eq!(
        harness.state().asked,
        [Action::ExportCsv(None), Action::FollowTime]
    );
}

#[test]
fn every_task_of_the_help_is_listed() {
    let help: Panel = |ui, _| {
        assert!(panels::help_ui(ui.ctx(), true));
        Vec::new()
    };
    let harness = show(desk("pendulum"), help);
    for task in ["Grab", "Look", "Run", "Scenes", "Show", "Keep"] {
        harness.get_by_label(task);
    }
    harness.get_by_label("Ctrl + left drag");
}

/// A stack at rest on its contacts, as far as the panels know: three points of the lowest box on the ground, one that
/// sticks, one that slides, one that is open, and one of the second box on the lowest.
fn touching(spec: &str) -> Desk {
    let mut desk = desk(spec);
    let mut state = desk.session.simulation.state().clone();
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
    for k in 0..5u32 {
        let time = f64::from(k) * 0.01;
        desk.session.touches.push(
            (BranchId(0), k.into()),
            time,
            state.bodies.len(),
            &state.contacts,
        );
    }
    desk.session.simulation.load(state).expect("it is closed");
    desk
}

const INSPECTOR: Panel = |ui, desk| panels::inspector_ui(ui, &mut desk.session, &desk.shell);

#[test]
fn a_body_lists_its_contacts_strongest_first_and_leads_to_its_neighbours() {
    let mut desk = touching("box_stack");
    desk.shell.selection = Some(Selection::Body(BodyId(0)));
    let mut harness = show(desk, INSPECTOR);
    // Normal forces as given above; friction of 3 and 4 N across is 5 N.
    let x = |label: &str| harness.get_by_label(label).rect().center().y;
    assert!(x("12.5 N") < x("7.50 N") && x("7.50 N") < x("2.00 N"));
    harness.get_by_label("5.00 N");
    assert_eq!(harness.query_all_by_label("world").count(), 3);
    assert_eq!(harness.query_all_by_label("3.2e−12 m").count(), 4);
    let second = harness.state().session.simulation.model().bodies[1]
        .name
        .clone();
    harness
        .get_all_by_label(&second)
        .next()
        .expect("the neighbour is named")
        .click();
    harness.run();
    assert_eq!(
        harness.state().asked,
        [Action::Select(Some(Selection::Body(BodyId(1))))]
    );
    harness.state_mut().shell.selection = Some(Selection::Body(BodyId(5)));
    harness.run();
    harness.get_by_label("It touches nothing.");
}

#[test]
fn a_coefficient_is_changed_live_and_reaches_the_simulation() {
    let mut desk = touching("box_stack");
    desk.shell.selection = Some(Selection::Body(BodyId(0)));
    let before = desk.session.simulation.model().contact.clone().unwrap();
    let mut harness = show(desk, INSPECTOR);
    let shown = format!("µ {:.3}", before.materials[0].friction);
    let field = harness.get_by_value(&shown);
    let (from, step) = (field.rect().center(), bevy_egui::egui::vec2(40.0, 0.0));
    harness.drag_at(from);
    harness.run();
    harness.hover_at(from + step);
    harness.run();
    harness.drop_at(from + step);
    harness.run();
    let Some(Action::Edit(EditWish::Amend(edit))) = harness.state().asked.last().cloned() else {
        panic!("{:?}", harness.state().asked);
    };
    let session = &mut harness.state_mut().session;
    session.edit(&edit).expect("the edit is right");
    let after = session.simulation.model().contact.clone().unwrap();
    assert!(after.materials[0].friction > before.materials[0].friction);
    assert_eq!(
        session.document.undo_name(),
        Some("friction and restitution")
    );
}

#[test]
fn plots_of_the_selected_body_say_what_to_do_and_then_show_its_contacts() {
    let mut desk = touching("box_stack");
    desk.shell.charts = vec![
        driftless::scene::Plot::BodyGap,
        driftless::scene::Plot::BodyForce,
        driftless::scene::Plot::Contacts,
        driftless::scene::Plot::Complementarity,
        driftless::scene::Plot::Losses,
    ];
    let plots: Panel = |ui, desk| panels::plots_ui(ui, &desk.session, &mut desk.shell);
    let mut harness = show(desk, plots);
    let empty = "Select a body to see its contacts.";
    assert_eq!(harness.query_all_by_label(empty).count(), 2);
    for title in ["Gap", "Normal force", "Contacts", "Complementarity"] {
        harness.get_by_label(title);
    }
    harness.state_mut().shell.selection = Some(Selection::Body(BodyId(0)));
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
    let mut plain = desk("pendulum");
    plain.shell.charts = vec![driftless::scene::Plot::Penetration];
    let plots: Panel = |ui, desk| panels::plots_ui(ui, &desk.session, &mut desk.shell);
    show(plain, plots).get_by_label(none);
    let layers: Panel = |ui, desk| panels::layers_ui(ui, &desk.session, &desk.shell);
    let harness = show(desk("pendulum"), layers);
    harness.get_by_label(none);
    assert!(harness.query_by_label("Friction cones").is_none());
    let settings: Panel = |ui, desk| panels::settings_ui(ui, &desk.session, &desk.shell);
    let harness = show(desk("pendulum"), settings);
    assert!(harness.query_by_label("friction cone").is_none());
}

#[test]
fn layers_of_contact_are_switched_and_the_cone_and_solver_chosen_in_the_settings() {
    let layers: Panel = |ui, desk| panels::layers_ui(ui, &desk.session, &desk.shell);
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
    assert_eq!(harness.state().asked, layers.map(Action::ToggleLayer));
    harness.state_mut().asked.clear();
    harness.get_by_label("Forces on both bodies").click();
    harness.run();
    assert!(
        matches!(harness.state().asked[..], [Action::BothForces(true)]),
        "{:?}",
        harness.state().asked
    );
    let settings: Panel = |ui, desk| panels::settings_ui(ui, &desk.session, &desk.shell);
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
    let [Action::Settings(cone), Action::Settings(solver)] = asked[..] else {
        panic!("{asked:?}");
    };
    assert_eq!(cone.friction, FrictionCone::Linearised(8));
    let chosen: Vec<_> = solver.options.chosen().collect();
    assert_eq!(chosen, [("contact_solver", OptionValue::Word("newton"))]);
}

#[test]
fn a_method_that_refuses_contact_offers_the_nearest_that_does_not() {
    let mut harness = show(desk("box_drop"), toolbar);
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
    harness
        .get_all_by_label("Take variational instead")
        .next()
        .expect("it is offered")
        .click();
    harness.run();
    assert_eq!(harness.state().asked, [Action::Integrator("variational")]);
}

#[test]
fn a_warning_is_shown_until_an_error_takes_its_place() {
    let mut desk = desk("box_drop");
    desk.shell.notices.warn("a step was relaxed");
    let status: Panel = |ui, desk| panels::status_ui(ui, &desk.session, &desk.shell);
    let mut harness = show(desk, status);
    harness.get_by_label("a step was relaxed");
    harness.state_mut().session.failure = Some("the step does not converge".into());
    harness.run();
    harness.get_by_label("the step does not converge");
    assert!(harness.query_by_label("a step was relaxed").is_none());
}
