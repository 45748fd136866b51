//! Bodies and joints that come and go while a scene runs, a scene that begins as it is now, and its settings.

use crate::editing::fixture::Fixture;
use driftless::diagnostics::worst_drift;
use driftless::math::Vec3;
use driftless::model::BodyId;
use driftless::scene::editing::{Fresh, Link, Point, Section, add, connect, delete, duplicate};
use driftless::scene::{self, Amendment, Edit, Kind, Number};

#[test]
fn bodies_come_and_go_and_what_was_attached_goes_along() {
    let mut fixture = Fixture::open("double_pendulum");
    fixture.run(30);
    let (name, edit) = add(
        &fixture.scene.file,
        Fresh::Box,
        0.4,
        Vec3::new(1.0, 2.0, 3.0),
    );
    fixture.edit(&edit).unwrap();
    let new = fixture.simulation.model().body(&name).expect("it is there");
    assert_eq!(
        fixture.state().bodies[new.0].position,
        Vec3::new(1.0, 2.0, 3.0)
    );
    let ends = [
        Point {
            body: Some(BodyId(1)),
            at: fixture.state().bodies[1].position,
        },
        Point {
            body: Some(new),
            at: Vec3::new(1.0, 2.0, 3.2),
        },
    ];
    let (spring, edit) = connect(&fixture.scene, fixture.state(), Link::Spring, ends).unwrap();
    fixture.edit(&edit).unwrap();
    let scene::AttachmentFile { point, .. } = &fixture.scene.file.springs.get(&spring).unwrap().to;
    assert!((point.expect("it is given").0 - Vec3::new(0.0, 0.0, 0.2)).norm() < 1e-12);
    let (copy, edit) = duplicate(&fixture.scene, fixture.state(), Section::Bodies, &name).unwrap();
    fixture.edit(&edit).unwrap();
    assert_eq!((name.as_str(), copy.as_str()), ("box", "box_2"));
    fixture.run(30);
    fixture.reopened();
    let upper = fixture.state().bodies[0];
    fixture
        .edit(&delete(&fixture.scene, Section::Bodies, &name))
        .unwrap();
    assert!(
        fixture.simulation.model().forces.is_empty(),
        "the spring is gone"
    );
    assert_eq!(fixture.state().bodies[0].position, upper.position);
    // The first link goes: the second stays where it starts and falls.
    fixture
        .edit(&delete(&fixture.scene, Section::Bodies, "upper"))
        .unwrap();
    assert!(fixture.simulation.model().joints.is_empty());
    let scene = fixture.reopened();
    assert!(
        scene.state.bodies[0].position.norm() > 0.5,
        "it starts where it did"
    );
    fixture.run(30);
    for _ in 0..5 {
        fixture.undo();
    }
    assert_eq!(fixture.simulation.model().bodies.len(), 2);
    fixture.run(10);
    assert!(
        delete(&fixture.scene, Section::Joints, "elbow")
            .amendments
            .len()
            >= 2
    );
    fixture
        .edit(&delete(&fixture.scene, Section::Joints, "elbow"))
        .unwrap();
    fixture.run(10);
}

#[test]
fn a_joint_between_two_points_brings_them_together() {
    let mut fixture = Fixture::open("double_pendulum");
    fixture.run(20);
    let (name, edit) = add(
        &fixture.scene.file,
        Fresh::Sphere,
        0.2,
        Vec3::new(0.0, 0.5, 0.5),
    );
    fixture.edit(&edit).unwrap();
    let ball = fixture.simulation.model().body(&name).unwrap();
    let tip = fixture.state().bodies[1];
    let ends = [
        Point {
            body: Some(BodyId(1)),
            at: tip.position + tip.orientation * Vec3::new(0.0, 0.0, -0.5),
        },
        Point {
            body: Some(ball),
            at: Vec3::new(0.0, 0.5, 0.6),
        },
    ];
    let (_, edit) = connect(
        &fixture.scene,
        fixture.state(),
        Link::Joint(Kind::Spherical),
        ends,
    )
    .unwrap();
    fixture.edit(&edit).unwrap_or_else(|e| panic!("{e}"));
    assert!(
        worst_drift(fixture.simulation.model(), fixture.state())
            .position
            .0
            < 1e-9
    );
    fixture.run(50);
    assert!(
        worst_drift(fixture.simulation.model(), fixture.state())
            .position
            .0
            < 1e-8
    );
    fixture.reopened();
    assert_eq!(
        connect(
            &fixture.scene,
            fixture.state(),
            Link::Spring,
            [ends[0], ends[0]]
        ),
        None
    );
}

#[test]
fn the_scene_can_begin_as_it_is_now() {
    for name in [
        "double_pendulum",
        "four_bar",
        "slider_crank",
        "stewart_platform",
        "t_handle",
        "gear_pair",
    ] {
        let mut fixture = Fixture::open(name);
        fixture.run(37);
        let now = fixture.simulation.state_at_knot();
        let edit = Edit::new("begin here", vec![Amendment::Begin]);
        fixture
            .edit(&edit)
            .unwrap_or_else(|e| panic!("{name}: {e}"));
        assert_eq!(fixture.state().step, 37, "what runs goes on");
        let again = fixture.text_opened();
        for (a, b) in again.state.bodies.iter().zip(&now.bodies) {
            // Reading closes joints to 1e-9 and projects velocities accordingly.
            assert!((a.position - b.position).norm() < 1e-8, "{name}");
            assert!(a.orientation.angle_to(&b.orientation) < 1e-7, "{name}");
            assert!(
                (a.velocity.linear - b.velocity.linear).norm() < 1e-5,
                "{name}"
            );
            assert!(
                (a.velocity.angular - b.velocity.angular).norm() < 1e-5,
                "{name}"
            );
        }
        fixture.run(5);
    }
}

#[test]
fn settings_are_edits_that_need_no_saving() {
    let mut fixture = Fixture::open("pendulum");
    let mut file = fixture.scene.file.integrator.clone();
    file.method = Some("rk4".into());
    file.dt = Some(Number(0.002));
    fixture
        .edit(&Edit::new(
            "rk4",
            vec![Amendment::Integrator(Box::new(file.clone()))],
        ))
        .unwrap();
    assert_eq!(fixture.simulation.integrator().name, "rk4");
    assert_eq!(fixture.simulation.settings().dt, 0.002);
    assert!(!fixture.document.is_modified());
    file.dt = Some(Number(7.0));
    let refused = Edit::new("dt", vec![Amendment::Integrator(Box::new(file))]);
    assert_eq!(
        fixture.edit(&refused).unwrap_err().0[0].path,
        "integrator.dt"
    );
    fixture.run(10);
    fixture.undo();
    assert_eq!(fixture.simulation.integrator().name, "variational-2");
    // A damper that the method in use cannot treat is refused with the reason.
    let mut file = fixture.scene.file.integrator.clone();
    file.method = Some("variational-4".into());
    fixture
        .edit(&Edit::new(
            "v4",
            vec![Amendment::Integrator(Box::new(file))],
        ))
        .unwrap();
    let (name, joint) = fixture
        .scene
        .file
        .joints
        .iter()
        .next()
        .map(|(n, j)| (n.to_owned(), j.clone()))
        .unwrap();
    let damped = scene::JointFile {
        damping: Some(Number(0.1)),
        ..joint
    };
    let edit = Edit::new(
        "damping",
        vec![Amendment::Joint(name, Some(Box::new(damped)))],
    );
    let errors = fixture.edit(&edit).unwrap_err();
    assert_eq!(errors.0[0].path, "integrator.method");
    assert!(errors.0[0].found.contains("variational-4"), "{errors}");
}
