//! A body that no motion frees from what holds it.

use super::super::super::options::ContactOptions;
use super::{Run, model, shape};
use crate::integrators::{Options, Outcome};
use crate::math::{Mat3, Pose, Quat, Vec3};
use crate::model::*;
use crate::solver::{LEFT, Unilateral};

/// An ellipsoid askew between two rough walls that are a micrometre too near to each other, and turns about the line through the points
/// at which they hold it.
fn wedged() -> (Model, State) {
    let radii = Vec3::new(0.5, 0.2, 0.1);
    let orientation = Quat::from_euler_angles(0.3, 0.5, 0.7);
    let mut ellipsoid = Body::new(
        "ellipsoid",
        1.0,
        Mat3::from_diagonal(&Vec3::new(0.01, 0.052, 0.058)),
    );
    ellipsoid
        .shapes
        .push(shape(Geometry::Ellipsoid { radii }, Pose::identity()));
    // The farthest point along x, and how far it is.
    let normal = orientation.inverse() * Vec3::x();
    let reach = radii.component_mul(&normal).norm();
    let point = orientation * (radii.component_mul(&radii).component_mul(&normal) / reach);
    let wall = |side: f64| {
        let facing =
            Quat::rotation_between(&Vec3::z(), &(Vec3::x() * -side)).expect("not against it");
        let at = Vec3::x() * (side * (reach - 0.5e-6));
        shape(Geometry::HalfSpace, Pose::from_parts(at.into(), facing))
    };
    let parts = ModelParts {
        bodies: vec![ellipsoid],
        world_shapes: vec![wall(1.0), wall(-1.0)],
        ..ModelParts::default()
    };
    let model = model(parts, 3.0, 0.0);
    let mut state = State::at_rest(&model);
    state.bodies[0].orientation = orientation;
    state.bodies[0].velocity.angular = orientation.inverse() * point.normalize() * 0.3;
    crate::kinematics::set_momenta(&model, &mut state.bodies);
    (model, state)
}

/// Without anything that gives, impulses are looked for that no motion has; with it the ellipsoid stops within a step, held by forces of
/// the size that its momentum takes, and what is left of its laws is what is left where contacts are solved live.
#[test]
fn what_is_wedged_gives_instead_of_pressing_without_end() {
    let mut run = Run::new(wedged());
    let speed = 9.81 * run.settings.dt;
    run.attempt(|trial| {
        trial.loosens = true;
        let solved = trial.solve(ContactOptions::of(&Options::default()), 12);
        assert!(solved.is_err() && trial.jammed);
        let endless = |u: &Unilateral| u.impulse[0] > 1e6 * speed;
        assert!(trial.solver.unilaterals().iter().all(endless));
    });
    run.step();
    assert_eq!(run.report.outcome, Outcome::Stalled);
    assert!(run.report.contact.violation <= LEFT * speed);
    let forces: Vec<f64> = run.state.contacts.iter().map(|c| c.force.norm()).collect();
    let momentum = 0.3 * 0.058 / 0.5 / run.settings.dt;
    assert!(
        forces.len() == 2 && forces.iter().all(|f| (0.1..10.0).contains(&(f / momentum))),
        "{forces:?} N"
    );
}
