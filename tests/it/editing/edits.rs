//! Scenes that are edited while they run: what is saved is what runs, what stays goes on, what is refused changes
//! nothing.

use crate::editing::desk::{Desk, mass};
use driftless::diagnostics::worst_drift;
use driftless::kinematics::Goal;
use driftless::math::{Quat, Vec3};
use driftless::model::{BodyId, Twist};
use driftless::scene::editing::{Link, Point, connect};
use driftless::scene::{self, Amendment, Edit, Kind, Scene, Tensor};
use driftless::sim::{Change, Input};

fn gravity(z: f64) -> Edit {
    Edit::merging("gravity", vec![Amendment::Gravity(Vec3::new(0.0, 0.0, z))])
}

fn comments(text: &str) -> usize {
    text.lines().filter(|l| l.contains("//")).count()
}

fn first_body(scene: &Scene) -> String {
    scene.model.bodies[0].name.clone()
}

#[test]
fn every_shipped_scene_is_saved_as_it_was_edited_and_runs_on_the_same_bits() {
    for shipped in scene::shipped() {
        let mut desk = Desk::open(shipped.name);
        let name = first_body(&desk.scene);
        let before = desk.scene.text.clone();
        let change = mass(&desk.scene, &name, 1.25 * desk.scene.model.bodies[0].mass);
        // A heavier body with the inertia that it had is refused where that inertia was just possible; never here.
        desk.edit(&change)
            .unwrap_or_else(|e| panic!("{}: {e}", shipped.name));
        desk.edit(&gravity(-5.0))
            .unwrap_or_else(|e| panic!("{}: {e}", shipped.name));
        let lost = desk.document.lost_comments().len();
        assert_eq!(comments(&desk.scene.text) + lost, comments(&before));
        let again = desk.reopened();
        let mut fresh = again.simulation().expect("it runs");
        for _ in 0..5 {
            fresh.step(&Input::default()).expect("it runs");
        }
        desk.run(5);
        assert_eq!(
            desk.state().digest(),
            fresh.state().digest(),
            "{}: the edited one goes the way of the saved one",
            shipped.name
        );
        assert!(desk.document.is_modified());
        desk.undo();
        desk.undo();
        assert_eq!(desk.scene.text, before, "{}", shipped.name);
        assert!(!desk.document.is_modified());
    }
}

#[test]
fn a_body_moved_at_the_start_starts_there_in_every_shipped_scene() {
    for shipped in scene::shipped() {
        let mut desk = Desk::open(shipped.name);
        if desk.scene.model.contact.is_some() || desk.scene.model.limit_count() > 0 {
            // Moved bodies would lie in each other, or beyond a limit, which is refused.
            continue;
        }
        let body = desk.scene.model.bodies.len() - 1;
        let name = desk.scene.model.bodies[body].name.clone();
        let was = desk.scene.state.bodies[body];
        let shift = Vec3::new(0.01, -0.013, 0.007);
        let moved = Edit::merging(
            format!("move {name}"),
            vec![Amendment::Move(name, Goal::Position(was.position + shift))],
        );
        let model = desk.scene.model.clone();
        let mut wanted = desk.scene.state.clone();
        let goal = Goal::Position(was.position + shift);
        driftless::kinematics::place(&model, &mut wanted, BodyId(body), goal)
            .expect("it stays closed");
        desk.edit(&moved)
            .unwrap_or_else(|e| panic!("{}: {e}", shipped.name));
        let reached = &desk.reopened().state;
        for (k, (a, b)) in reached.bodies.iter().zip(&wanted.bodies).enumerate() {
            // The file's numbers are exact; reading them composes and inverts poses, and closes joints to 1e-9.
            let apart = (a.position - b.position).norm() + a.orientation.angle_to(&b.orientation);
            assert!(apart < 1e-7, "{}, body {k}: {apart:e}", shipped.name);
        }
        desk.run(3);
    }
}

#[test]
fn an_edit_on_the_way_keeps_the_motion_and_undo_keeps_it_too() {
    let mut desk = Desk::open("double_pendulum");
    desk.run(50);
    let before = desk.simulation.state_at_knot();
    desk.edit(&mass(&desk.scene, "lower", 3.0)).unwrap();
    assert!(matches!(desk.done[..], [Change::Model(_)]));
    for (a, b) in before.bodies.iter().zip(&desk.state().bodies) {
        assert_eq!((a.position, a.orientation), (b.position, b.orientation));
        assert_eq!(a.velocity, b.velocity);
    }
    assert_eq!(desk.simulation.model().bodies[1].mass, 3.0);
    desk.run(30);
    let here = desk.state().bodies[1].position;
    assert_eq!(desk.document.undo_name(), Some("mass of lower"));
    desk.undo();
    assert_eq!(desk.state().bodies[1].position, here, "the motion goes on");
    assert_eq!(desk.simulation.model().bodies[1].mass, 1.0);
    assert_eq!(
        (desk.document.undo_name(), desk.document.redo_name()),
        (None, Some("mass of lower"))
    );
    desk.redo();
    assert_eq!(desk.simulation.model().bodies[1].mass, 3.0);
    assert_eq!(desk.simulation.sample().step, 80);
}

#[test]
fn a_shape_that_shifts_the_centre_of_mass_leaves_the_frame_where_it_is() {
    let mut desk = Desk::open("double_pendulum");
    desk.run(40);
    let frame = |desk: &Desk| {
        let (at, body) = (&desk.state().bodies[1], &desk.simulation.model().bodies[1]);
        let arm = at.orientation * body.origin;
        (
            at.position + arm,
            at.velocity.linear + at.velocity.angular.cross(&arm),
        )
    };
    // Velocities at the knot, as the edit takes them over.
    let knot = desk.simulation.state_at_knot();
    desk.simulation.load(knot).expect("it is closed");
    let before = frame(&desk);
    let mut data = desk.scene.file.bodies.get("lower").cloned().unwrap();
    data.centre = Some(scene::Vector(Vec3::new(0.0, 0.0, -0.3)));
    let edit = Edit::new(
        "centre",
        vec![Amendment::Body("lower".into(), Some(Box::new(data)))],
    );
    desk.edit(&edit).unwrap();
    let after = frame(&desk);
    // The projection onto the joints moves by what they were open: rounding.
    assert!((after.0 - before.0).norm() < 1e-9 && (after.1 - before.1).norm() < 1e-6);
    assert!(
        worst_drift(desk.simulation.model(), desk.state())
            .position
            .0
            < 1e-9
    );
}

#[test]
fn what_is_refused_changes_nothing_and_says_where_it_is() {
    let mut desk = Desk::open("double_pendulum");
    desk.run(10);
    let before = (desk.scene.text.clone(), desk.state().clone());
    let mut data = desk.scene.file.bodies.get("upper").cloned().unwrap();
    data.inertia = Some(Tensor([1.0, 1.0, 3.0, 0.0, 0.0, 0.0]));
    let edit = Edit::new(
        "inertia",
        vec![Amendment::Body("upper".into(), Some(Box::new(data)))],
    );
    let errors = desk.edit(&edit).unwrap_err().0;
    assert_eq!(errors[0].path, "bodies.upper.inertia");
    assert!(
        errors[0].expected.contains("sum of the others"),
        "{:?}",
        errors[0]
    );
    let errors = desk.edit(&mass(&desk.scene, "upper", -1.0)).unwrap_err().0;
    assert_eq!(errors[0].path, "bodies.upper.mass");
    assert!(errors[0].line.is_some(), "at its place in the text");
    for bad in [f64::NAN, f64::INFINITY] {
        assert!(desk.edit(&mass(&desk.scene, "upper", bad)).is_err());
        assert!(desk.edit(&gravity(bad)).is_err());
    }
    // Two hinges of one link, one of them out of reach.
    let ends = [
        Point {
            body: None,
            at: Vec3::new(0.0, 30.0, 0.0),
        },
        Point {
            body: Some(BodyId(1)),
            at: desk.state().bodies[1].position,
        },
    ];
    let (_, edit) = connect(
        &desk.scene,
        desk.state(),
        Link::Joint(Kind::Spherical),
        ends,
    )
    .unwrap();
    let errors = desk.edit(&edit).unwrap_err().0;
    assert!(errors[0].found.contains("cannot be closed"), "{errors:?}");
    assert_eq!(before, (desk.scene.text.clone(), desk.state().clone()));
    assert!(desk.done.is_empty() && desk.document.undo_name().is_none());
}

#[test]
fn edits_of_one_drag_are_one_to_undo() {
    let mut desk = Desk::open("pendulum");
    let start = desk.scene.text.clone();
    for k in 1..=10 {
        desk.edit(&gravity(-f64::from(k))).unwrap();
    }
    desk.document.seal();
    for k in 1..=300 {
        desk.edit(&gravity(-20.0 - f64::from(k))).unwrap();
        desk.document.seal();
    }
    assert_eq!(desk.document.names().len(), 301);
    for _ in 0..300 {
        desk.undo();
    }
    assert_eq!(desk.simulation.model().gravity.z, -10.0);
    desk.undo();
    assert_eq!(desk.scene.text, start);
    desk.redo();
    assert_eq!(desk.simulation.model().gravity.z, -10.0);
}

#[test]
fn a_move_on_the_way_pulls_the_joints_along_and_undo_brings_the_poses_back() {
    let mut desk = Desk::open("four_bar");
    desk.run(60);
    let text = desk.scene.text.clone();
    let before = desk.simulation.state_at_knot();
    let turn = Quat::from_scaled_axis(Vec3::x() * 0.3);
    let goal = turn * before.bodies[0].orientation;
    let edit = Edit::new(
        "turn crank",
        vec![Amendment::Move("crank".into(), Goal::Orientation(goal))],
    );
    let error = desk.simulation.sample().energy_error;
    desk.edit(&edit).unwrap();
    // Energy came with the edit, not with the method: up to the rounding of some tens of joules.
    assert!((desk.simulation.sample().energy_error - error).abs() < 1e-12);
    assert_eq!(
        desk.scene.text, text,
        "where the scene starts is another matter"
    );
    assert!(desk.state().bodies[0].orientation.angle_to(&goal) < 1e-6);
    let drift = worst_drift(desk.simulation.model(), desk.state());
    assert!(drift.position.0 < 1e-9 && drift.angle.0 < 1e-9);
    assert!((desk.state().bodies[1].position - before.bodies[1].position).norm() > 0.01);
    assert_eq!(desk.state().step, 60);
    desk.run(20);
    desk.undo();
    assert_eq!(desk.state().step, 80, "time goes on");
    for (a, b) in desk.state().bodies.iter().zip(&before.bodies) {
        assert_eq!((a.position, a.orientation), (b.position, b.orientation));
    }
    desk.run(20);
}

#[test]
fn a_push_gives_a_velocity_that_the_joints_allow() {
    for steps in [0, 25] {
        let mut desk = Desk::open("pendulum");
        desk.run(steps);
        let name = first_body(&desk.scene);
        let twist = Twist {
            linear: Vec3::zeros(),
            angular: Vec3::new(4.0, 0.0, 0.0),
        };
        let edit = Edit::new("push", vec![Amendment::Push(name, twist)]);
        desk.edit(&edit).unwrap_or_else(|e| panic!("{e}"));
        let spin = desk.simulation.velocities()[0].angular;
        assert!(spin.x > 0.5 && spin.yz().norm() < 1e-9, "{spin}");
        let drift = worst_drift(desk.simulation.model(), desk.state());
        assert!(drift.position.0 < 1e-9);
        desk.reopened();
    }
}
