//! Scenes that are edited while they run: what is saved is what runs, what stays goes on, what is refused changes
//! nothing.

use crate::editing::fixture::{Fixture, mass};
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
        let mut fixture = Fixture::open(shipped.name);
        let name = first_body(&fixture.scene);
        let before = fixture.scene.text.clone();
        let change = mass(
            &fixture.scene,
            &name,
            1.25 * fixture.scene.model.bodies[0].mass,
        );
        // A heavier body with the inertia that it had is refused where that inertia was just possible; never here.
        fixture
            .edit(&change)
            .unwrap_or_else(|e| panic!("{}: {e}", shipped.name));
        fixture
            .edit(&gravity(-5.0))
            .unwrap_or_else(|e| panic!("{}: {e}", shipped.name));
        let lost = fixture.document.lost_comments().len();
        assert_eq!(comments(&fixture.scene.text) + lost, comments(&before));
        let again = fixture.reopened();
        let mut fresh = again.simulation().expect("it runs");
        for _ in 0..5 {
            fresh.step(&Input::default()).expect("it runs");
        }
        fixture.run(5);
        assert_eq!(
            fixture.state().digest(),
            fresh.state().digest(),
            "{}: the edited one goes the way of the saved one",
            shipped.name
        );
        assert!(fixture.document.is_modified());
        fixture.undo();
        fixture.undo();
        assert_eq!(fixture.scene.text, before, "{}", shipped.name);
        assert!(!fixture.document.is_modified());
    }
}

#[test]
fn a_body_moved_at_the_start_starts_there_in_every_shipped_scene() {
    for shipped in scene::shipped() {
        let mut fixture = Fixture::open(shipped.name);
        if fixture.scene.model.contact.is_some() || fixture.scene.model.limit_count() > 0 {
            // Moved bodies would lie in each other, or beyond a limit, which is refused.
            continue;
        }
        let body = fixture.scene.model.bodies.len() - 1;
        let name = fixture.scene.model.bodies[body].name.clone();
        let was = fixture.scene.state.bodies[body];
        let shift = Vec3::new(0.01, -0.013, 0.007);
        let moved = Edit::merging(
            format!("move {name}"),
            vec![Amendment::Move(name, Goal::Position(was.position + shift))],
        );
        let model = fixture.scene.model.clone();
        let mut wanted = fixture.scene.state.clone();
        let goal = Goal::Position(was.position + shift);
        driftless::kinematics::place(&model, &mut wanted, BodyId(body), goal)
            .expect("it stays closed");
        fixture
            .edit(&moved)
            .unwrap_or_else(|e| panic!("{}: {e}", shipped.name));
        let reached = &fixture.reopened().state;
        for (k, (a, b)) in reached.bodies.iter().zip(&wanted.bodies).enumerate() {
            // The file's numbers are exact; reading them composes and inverts poses, and closes joints to 1e-9.
            let apart = (a.position - b.position).norm() + a.orientation.angle_to(&b.orientation);
            assert!(apart < 1e-7, "{}, body {k}: {apart:e}", shipped.name);
        }
        fixture.run(3);
    }
}

#[test]
fn an_edit_on_the_way_keeps_the_motion_and_undo_keeps_it_too() {
    let mut fixture = Fixture::open("double_pendulum");
    fixture.run(50);
    let before = fixture.simulation.state_at_knot();
    fixture.edit(&mass(&fixture.scene, "lower", 3.0)).unwrap();
    assert!(matches!(fixture.done[..], [Change::Model(_)]));
    for (a, b) in before.bodies.iter().zip(&fixture.state().bodies) {
        assert_eq!((a.position, a.orientation), (b.position, b.orientation));
        assert_eq!(a.velocity, b.velocity);
    }
    assert_eq!(fixture.simulation.model().bodies[1].mass, 3.0);
    fixture.run(30);
    let here = fixture.state().bodies[1].position;
    assert_eq!(fixture.document.undo_name(), Some("mass of lower"));
    fixture.undo();
    assert_eq!(
        fixture.state().bodies[1].position,
        here,
        "the motion goes on"
    );
    assert_eq!(fixture.simulation.model().bodies[1].mass, 1.0);
    assert_eq!(
        (fixture.document.undo_name(), fixture.document.redo_name()),
        (None, Some("mass of lower"))
    );
    fixture.redo();
    assert_eq!(fixture.simulation.model().bodies[1].mass, 3.0);
    assert_eq!(fixture.simulation.sample().step, 80);
}

#[test]
fn a_shape_that_shifts_the_centre_of_mass_leaves_the_frame_where_it_is() {
    let mut fixture = Fixture::open("double_pendulum");
    fixture.run(40);
    let frame = |fixture: &Fixture| {
        let (at, body) = (
            &fixture.state().bodies[1],
            &fixture.simulation.model().bodies[1],
        );
        let arm = at.orientation * body.origin;
        (
            at.position + arm,
            at.velocity.linear + at.velocity.angular.cross(&arm),
        )
    };
    // Velocities at the knot, as the edit takes them over.
    let knot = fixture.simulation.state_at_knot();
    fixture.simulation.load(knot).expect("it is closed");
    let before = frame(&fixture);
    let mut data = fixture.scene.file.bodies.get("lower").cloned().unwrap();
    data.centre = Some(scene::Vector(Vec3::new(0.0, 0.0, -0.3)));
    let edit = Edit::new(
        "centre",
        vec![Amendment::Body("lower".into(), Some(Box::new(data)))],
    );
    fixture.edit(&edit).unwrap();
    let after = frame(&fixture);
    // The projection onto the joints moves by what they were open: rounding.
    assert!((after.0 - before.0).norm() < 1e-9 && (after.1 - before.1).norm() < 1e-6);
    assert!(
        worst_drift(fixture.simulation.model(), fixture.state())
            .position
            .0
            < 1e-9
    );
}

#[test]
fn what_is_refused_changes_nothing_and_says_where_it_is() {
    let mut fixture = Fixture::open("double_pendulum");
    fixture.run(10);
    let before = (fixture.scene.text.clone(), fixture.state().clone());
    let mut data = fixture.scene.file.bodies.get("upper").cloned().unwrap();
    data.inertia = Some(Tensor([1.0, 1.0, 3.0, 0.0, 0.0, 0.0]));
    let edit = Edit::new(
        "inertia",
        vec![Amendment::Body("upper".into(), Some(Box::new(data)))],
    );
    let errors = fixture.edit(&edit).unwrap_err().0;
    assert_eq!(errors[0].path, "bodies.upper.inertia");
    assert!(
        errors[0].expected.contains("sum of the others"),
        "{:?}",
        errors[0]
    );
    let errors = fixture
        .edit(&mass(&fixture.scene, "upper", -1.0))
        .unwrap_err()
        .0;
    assert_eq!(errors[0].path, "bodies.upper.mass");
    assert!(errors[0].line.is_some(), "at its place in the text");
    for bad in [f64::NAN, f64::INFINITY] {
        assert!(fixture.edit(&mass(&fixture.scene, "upper", bad)).is_err());
        assert!(fixture.edit(&gravity(bad)).is_err());
    }
    // Two hinges of one link, one of them out of reach.
    let ends = [
        Point {
            body: None,
            at: Vec3::new(0.0, 30.0, 0.0),
        },
        Point {
            body: Some(BodyId(1)),
            at: fixture.state().bodies[1].position,
        },
    ];
    let (_, edit) = connect(
        &fixture.scene,
        fixture.state(),
        Link::Joint(Kind::Spherical),
        ends,
    )
    .unwrap();
    let errors = fixture.edit(&edit).unwrap_err().0;
    assert!(errors[0].found.contains("cannot be closed"), "{errors:?}");
    assert_eq!(
        before,
        (fixture.scene.text.clone(), fixture.state().clone())
    );
    assert!(fixture.done.is_empty() && fixture.document.undo_name().is_none());
}

#[test]
fn edits_of_one_drag_are_one_to_undo() {
    let mut fixture = Fixture::open("pendulum");
    let start = fixture.scene.text.clone();
    for k in 1..=10 {
        fixture.edit(&gravity(-f64::from(k))).unwrap();
    }
    fixture.document.seal();
    for k in 1..=300 {
        fixture.edit(&gravity(-20.0 - f64::from(k))).unwrap();
        fixture.document.seal();
    }
    assert_eq!(fixture.document.names().len(), 301);
    for _ in 0..300 {
        fixture.undo();
    }
    assert_eq!(fixture.simulation.model().gravity.z, -10.0);
    fixture.undo();
    assert_eq!(fixture.scene.text, start);
    fixture.redo();
    assert_eq!(fixture.simulation.model().gravity.z, -10.0);
}

#[test]
fn a_move_on_the_way_pulls_the_joints_along_and_undo_brings_the_poses_back() {
    let mut fixture = Fixture::open("four_bar");
    fixture.run(60);
    let text = fixture.scene.text.clone();
    let before = fixture.simulation.state_at_knot();
    let turn = Quat::from_scaled_axis(Vec3::x() * 0.3);
    let goal = turn * before.bodies[0].orientation;
    let edit = Edit::new(
        "turn crank",
        vec![Amendment::Move("crank".into(), Goal::Orientation(goal))],
    );
    let error = fixture.simulation.sample().energy_error;
    fixture.edit(&edit).unwrap();
    // Energy came with the edit, not with the method: up to the rounding of some tens of joules.
    assert!((fixture.simulation.sample().energy_error - error).abs() < 1e-12);
    assert_eq!(
        fixture.scene.text, text,
        "where the scene starts is another matter"
    );
    assert!(fixture.state().bodies[0].orientation.angle_to(&goal) < 1e-6);
    let drift = worst_drift(fixture.simulation.model(), fixture.state());
    assert!(drift.position.0 < 1e-9 && drift.angle.0 < 1e-9);
    assert!((fixture.state().bodies[1].position - before.bodies[1].position).norm() > 0.01);
    assert_eq!(fixture.state().step, 60);
    fixture.run(20);
    fixture.undo();
    assert_eq!(fixture.state().step, 80, "time goes on");
    for (a, b) in fixture.state().bodies.iter().zip(&before.bodies) {
        assert_eq!((a.position, a.orientation), (b.position, b.orientation));
    }
    fixture.run(20);
}

#[test]
fn a_push_gives_a_velocity_that_the_joints_allow() {
    for steps in [0, 25] {
        let mut fixture = Fixture::open("pendulum");
        fixture.run(steps);
        let name = first_body(&fixture.scene);
        let twist = Twist {
            linear: Vec3::zeros(),
            angular: Vec3::new(4.0, 0.0, 0.0),
        };
        let edit = Edit::new("push", vec![Amendment::Push(name, twist)]);
        fixture.edit(&edit).unwrap_or_else(|e| panic!("{e}"));
        let spin = fixture.simulation.velocities()[0].angular;
        assert!(spin.x > 0.5 && spin.yz().norm() < 1e-9, "{spin}");
        let drift = worst_drift(fixture.simulation.model(), fixture.state());
        assert!(drift.position.0 < 1e-9);
        fixture.reopened();
    }
}
