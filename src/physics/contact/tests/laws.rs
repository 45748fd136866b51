//! Who touches whom.

use super::*;
use crate::contact::Feature;
use crate::model::{BodyId, Joint, JointFrame, JointKind};

fn stack() -> ModelParts {
    let model = scene(&[ball(0.5), ball(0.5)], &[Geometry::HalfSpace]);
    ModelParts {
        bodies: model.bodies,
        world_shapes: model.world_shapes,
        contact: model.contact,
        ..ModelParts::default()
    }
}

/// Number of contacts of two balls on each other on the ground.
fn touching(parts: ModelParts) -> usize {
    let bodies = [at([0.0, 0.0, 0.5], [0.0; 3]), at([0.0, 0.0, 1.5], [0.0; 3])];
    found(&Model::new(parts).unwrap(), &bodies, 0.01).len()
}

fn joint(parent: Option<usize>, child: usize) -> Joint {
    let frame = JointFrame {
        anchor: Vec3::zeros(),
        orientation: Quat::identity(),
    };
    Joint {
        name: format!("joint of {child}"),
        kind: JointKind::Floating,
        parent: parent.map(BodyId),
        child: BodyId(child),
        parent_frame: frame,
        child_frame: frame,
        damping_translation: 0.0,
        damping_rotation: 0.0,
        springs: Vec::new(),
        actuators: Vec::new(),
        limits: Vec::new(),
        compliance: Default::default(),
    }
}

#[test]
fn bodies_that_are_joined_or_kept_apart_do_not_touch() {
    assert_eq!(touching(stack()), 2);
    let mut joined = stack();
    joined.joints = vec![joint(Some(1), 0)];
    assert_eq!(touching(joined.clone()), 1);
    joined.contact.as_mut().unwrap().joined = true;
    assert_eq!(touching(joined), 2);
    let mut apart = stack();
    apart.contact.as_mut().unwrap().apart = vec![[BodyId(1), BodyId(0)]];
    assert_eq!(touching(apart), 1);
    let mut hinged = stack();
    hinged.joints = vec![joint(None, 0)];
    assert_eq!(touching(hinged), 2);
}

#[test]
fn shapes_touch_only_groups_they_meet() {
    let mut parts = stack();
    parts.bodies[0].shapes[0].touch.member = 2;
    parts.world_shapes[0].touch.meets = 1;
    assert_eq!(touching(parts), 1);
    let mut drawn = stack();
    drawn.bodies[1].shapes[0].touch.member = 0;
    assert_eq!(touching(drawn), 1);
}

#[test]
fn without_rules_nothing_touches() {
    let mut parts = stack();
    parts.contact = None;
    assert_eq!(touching(parts), 0);
}

#[test]
fn shapes_of_one_body_do_not_touch_and_each_meets_the_world() {
    let mut parts = stack();
    let extra = parts.bodies[1].shapes[0].clone();
    parts.bodies[0].shapes.push(extra);
    parts.bodies.truncate(1);
    let model = Model::new(parts).unwrap();
    let contacts = found(&model, &[at([0.0, 0.0, 0.5], [0.0; 3])], 0.0);
    assert_eq!(contacts.len(), 2);
}

#[test]
fn a_thousand_bodies_meet_their_neighbours() {
    // Balls of diameter 1 on a cubic grid of pitch 1: every ball touches its neighbours along the axes.
    let model = scene(&vec![ball(0.5); 1000], &[]);
    let bodies: Vec<BodyState> = (0..1000)
        .map(|k| {
            at(
                [(k % 10) as f64, (k / 10 % 10) as f64, (k / 100) as f64],
                [0.0; 3],
            )
        })
        .collect();
    assert_eq!(found(&model, &bodies, 0.001).len(), 3 * 10 * 10 * 9);
}

#[test]
fn one_detector_gives_the_same_whatever_it_saw_before() {
    let model = scene(&[cube(1.0), cube(1.0)], &[Geometry::HalfSpace]);
    let apart = [at([0.0, 0.0, 0.5], [0.0; 3]), at([5.0, 0.0, 0.5], [0.0; 3])];
    let stacked = [
        at([0.0, 0.0, 0.5], [0.0; 3]),
        at([0.2, 0.1, 1.5], [0.0, 0.0, 0.3]),
    ];
    let mut detector = Detector::new(&model);
    for bodies in [&apart, &stacked, &apart, &stacked] {
        let out = detector.detect(&model, bodies, &[0.01; 2]).iter();
        let contacts: Vec<_> = out.map(|located| located.contact).collect();
        assert_eq!(contacts, found(&model, bodies, 0.01));
    }
}

#[test]
fn a_fast_cube_meets_the_wall_before_it() {
    let wall = Geometry::Box {
        size: Vec3::new(0.05, 2.0, 2.0),
    };
    let model = scene(&[cube(0.1)], &[wall]);
    let mut bodies = [at([-0.9, 0.01, 0.02], [0.3, 0.2, 0.1])];
    bodies[0].velocity.linear = Vec3::x() * 100.0;
    let contacts = found(&model, &bodies, 1.0);
    assert!(contacts.len() >= 8, "{contacts:#?}");
    // Whatever the wall's side, the contacts are those of the side from which it comes.
    for contact in &contacts {
        let gap = contact.gap(&bodies);
        assert!(gap.distance > 0.0);
        assert!((gap.normal + Vec3::x()).norm() < 1e-12, "{gap:?}");
    }
    // On the other side of the wall the same contacts are broken.
    bodies[0].position.x += 1.0;
    assert!(least(&contacts, &bodies) < 0.0);
}

#[test]
fn a_fast_ball_meets_the_part_of_the_wall_for_which_it_heads() {
    let wall = || Geometry::Box {
        size: Vec3::new(0.05, 2.0, 2.0),
    };
    let model = scene(&[ball(0.05)], &[wall()]);
    // From beside the wall obliquely onto it, and past it.
    let mut bodies = [at([-0.5, 1.3, 0.0], [0.0; 3])];
    let faces = |bodies: &[BodyState]| {
        let contacts = found(&model, bodies, 1.0);
        let face = |c: &&Contact| matches!(c.features[1], Feature::Plane { .. });
        contacts.iter().filter(face).count()
    };
    bodies[0].velocity.linear = Vec3::new(70.0, -70.0, 0.0);
    assert_eq!(faces(&bodies), 1);
    bodies[0].velocity.linear = Vec3::new(70.0, 0.0, 0.0);
    assert_eq!(faces(&bodies), 0);
}
