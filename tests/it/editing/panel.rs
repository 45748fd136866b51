//! The inspector's fields, typed into and clicked without a window.

use crate::window::fixture::{self, Fixture, fixture};
use driftless::model::{BodyId, JointId};
use driftless::scene::{Amendment, Kind};
use driftless::window::commands::Command;
use driftless::window::commands::editing::EditCommand;
use driftless::window::editing::Question;
use driftless::window::editing::inspector::inspector_ui;
use driftless::window::editing::inspector::tools::edit_keys_ui;
use driftless::window::editing::question_ui::question_ui;
use driftless::window::session::Session;
use driftless::window::state::selection::Selection;
use driftless::window::theme::fonts::fonts;
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT, Queryable};

/// The inspector of a shipped scene, whose edits are carried out.
fn inspector(spec: &str, selection: Option<Selection>) -> Harness<'static, Fixture> {
    opened(fixture(spec), selection)
}

/// The inspector of any scene.
pub fn inspector_of(
    scene: driftless::scene::Scene,
    selection: Option<Selection>,
) -> Harness<'static, Fixture> {
    let session = Session::new(scene).expect("the scene runs");
    opened(fixture::showing(session), selection)
}

fn opened(mut fixture: Fixture, selection: Option<Selection>) -> Harness<'static, Fixture> {
    fixture.highlight.selection = selection;
    fixture::show(fixture, [420.0, 2400.0], |ui, fixture| {
        // Undo and redo stand in the toolbar.
        let mut asked = Vec::new();
        edit_keys_ui(ui, &fixture.session, &mut asked);
        asked.extend(inspector_ui(
            ui,
            &mut fixture.session,
            &fixture.highlight,
            &fixture.editor,
            &fixture.opener,
            &fixture.tool,
        ));
        for action in &asked {
            if let Command::Edit(EditCommand::Amend(edit)) = action {
                match fixture.session.edit(edit) {
                    Ok(()) => fixture.editor.refused.clear(),
                    Err(errors) => fixture.editor.refused = errors.0,
                }
            }
        }
        asked
    })
}

/// Clicks a number that is called so and types another.
pub fn type_number(harness: &mut Harness<'static, Fixture>, name: &str, text: &str) {
    let is_number =
        |n: &egui_kittest::Node| format!("{:?}", n.accesskit_node().role()) == "SpinButton";
    harness
        .get_all_by_label(name)
        .find(is_number)
        .unwrap_or_else(|| panic!("no number is called {name}"))
        .click();
    finish_typing(harness, text);
}

/// Types into the field that was just clicked, all of which is selected then.
fn finish_typing(harness: &mut Harness<'static, Fixture>, text: &str) {
    harness.run();
    harness.event(bevy_egui::egui::Event::Text(text.into()));
    harness.run();
    harness.key_press(bevy_egui::egui::Key::Enter);
    harness.run();
    harness.run();
}

#[test]
fn mass_and_inertia_are_typed_and_impossible_ones_are_refused_beside_the_field() {
    let mut harness = inspector("double_pendulum", Some(Selection::body(BodyId(1))));
    type_number(&mut harness, "mass", "5/2");
    let model = harness.state().session.model();
    assert_eq!(model.bodies[1].mass, 2.5, "an expression counts");
    type_number(&mut harness, "moments largest", "7");
    let error = &harness.state().editor.refused[0];
    assert_eq!(error.path, "bodies.lower.inertia");
    assert!(
        harness.query_all_by_label("refused").next().is_some(),
        "beside the field"
    );
    type_number(&mut harness, "moments largest", "0.084");
    assert!(harness.state().editor.refused.is_empty());
    let inertia = harness.state().session.model().bodies[1].inertia;
    assert!((inertia.symmetric_eigenvalues().max() - 0.084).abs() < 1e-12);
    let names = harness.state().session.document().names();
    assert_eq!(names.last(), Some(&"inertia of lower"));
}

#[test]
fn a_body_is_moved_turned_and_pushed_by_numbers() {
    let mut harness = inspector("t_handle", Some(Selection::body(BodyId(0))));
    type_number(&mut harness, "position x", "0.25");
    let state = harness.state().session.state();
    assert!((state.bodies[0].position.x - 0.25).abs() < 1e-12);
    type_number(&mut harness, "rotation z", "30");
    let state = harness.state().session.state();
    let (_, _, yaw) = state.bodies[0].orientation.euler_angles();
    assert!((yaw - 30f64.to_radians()).abs() < 1e-9);
    type_number(&mut harness, "velocity y", "-2");
    let id = BodyId(0);
    let speed = harness.state_mut().session.velocity(id).linear.y;
    assert!((speed + 2.0).abs() < 1e-9);
}

#[test]
fn a_joint_changes_its_kind_and_gets_springs_limits_and_drives() {
    let mut harness = inspector("double_pendulum", Some(Selection::joint(JointId(1))));
    type_number(&mut harness, "damping (turning)", "0.3");
    let joint = |h: &Harness<'static, Fixture>| h.state().session.model().joints[1].clone();
    assert_eq!(joint(&harness).damping_rotation, 0.3);
    for (plus, count) in [
        ("Add a spring", [1, 0, 0]),
        ("Keep a coordinate within a range", [1, 1, 0]),
        ("Drive a coordinate", [1, 1, 1]),
    ] {
        harness.get_by_label_contains(plus).click();
        harness.run();
        harness.run();
        let j = joint(&harness);
        let now = [j.springs.len(), j.limits.len(), j.actuators.len()];
        assert_eq!(now, count, "{:?}", harness.state().editor.refused);
    }
    type_number(&mut harness, "stiffness", "12.5");
    assert_eq!(joint(&harness).springs[0].stiffness, 12.5);
    let mut harness = inspector("double_pendulum", Some(Selection::joint(JointId(1))));
    harness.get_by_value("revolute").click();
    harness.run();
    harness.get_by_label("spherical").click();
    harness.run();
    harness.run();
    let file = harness
        .state()
        .session
        .scene()
        .file
        .joints
        .get("elbow")
        .cloned()
        .unwrap();
    assert_eq!(file.kind, Kind::Spherical);
    assert_eq!(joint(&harness).kind.freedoms(), 3);
}

#[test]
fn sizes_of_shapes_and_the_parameters_of_a_generator_are_changed() {
    let mut harness = inspector("box_stack", Some(Selection::body(BodyId(0))));
    type_number(&mut harness, "edges x", "0.4");
    let asked = harness.state().asked.last().cloned();
    let Some(Command::Edit(EditCommand::Amend(edit))) = asked else {
        panic!("{asked:?}");
    };
    let [Amendment::Body(_, Some(body))] = &edit.amendments[..] else {
        panic!("{edit:?}");
    };
    let shape = body
        .shape
        .as_ref()
        .or(body.shapes.first())
        .expect("it has one");
    assert_eq!(shape.cuboid.as_ref().expect("a box").size.0.x, 0.4);
    let mut harness = inspector("chain:links=3", None);
    harness.get_by_value("3").click();
    finish_typing(&mut harness, "6");
    let asked = harness.state().asked.last().cloned();
    let Some(Command::Edit(EditCommand::Rebuild(spec))) = asked else {
        panic!("{asked:?}");
    };
    assert!(spec.starts_with("chain:links=6,joint=revolute,"), "{spec}");
}

#[test]
fn undo_is_named_after_what_it_takes_back() {
    let mut harness = inspector("pendulum", None);
    let idle = harness.get_by_label("Nothing to undo");
    assert!(idle.accesskit_node().is_disabled());
    type_number(&mut harness, "gravity z", "-1");
    let undo = harness.get_by_label("Undo: gravity of the scene");
    assert!(!undo.accesskit_node().is_disabled());
    undo.click();
    harness.run();
    assert_eq!(
        harness.state().asked.last(),
        Some(&Command::Edit(EditCommand::Undo))
    );
    assert_eq!(
        harness.state().session.document().undo_name(),
        Some("gravity of the scene")
    );
}

#[test]
fn the_bar_asks_where_to_save_and_says_what_is_lost() {
    let path = std::env::temp_dir().join("driftless-no-such-scene.ron");
    let question = Question::Save {
        path: path.display().to_string(),
        lost: vec!["// The arm.".into(), "// The hand.".into()],
    };
    let draw = |ui: &mut bevy_egui::egui::Ui, state: &mut (Question, Vec<Command>)| {
        let asked = question_ui(ui, &mut state.0);
        state.1.extend(asked);
    };
    let mut harness = Harness::builder().build_ui_state(draw, (question, Vec::new()));
    harness.ctx.set_fonts(fonts());
    harness.run();
    assert!(
        harness
            .query_by_label_contains("// The arm. and 1 more")
            .is_some()
    );
    harness.get_by_label("Save").click();
    harness.run();
    assert_eq!(harness.state().1, [Command::Edit(EditCommand::Write(path))]);
}
