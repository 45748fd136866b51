//! Trees of joints on which maximal and joint coordinates are compared, and the one motion to which all methods converge.

use crate::mechanics::bench::{order, run, settings, simulation};
use crate::mechanics::mechanisms::{self, G, Workshop};
use crate::mechanics::random::{equip, set_going, tree};
use driftless::kinematics::assemble;
use driftless::math::{Mat3, Quat, Vec3};
use driftless::model::{JointKind, Model, State};

pub type Mechanism = (Model, State);

/// An arm of seven hinges about axes in turn, reaching out, started at rest.
fn arm() -> Mechanism {
    let mut w = Workshop::new(Vec3::new(0.0, 0.0, -G));
    let (mut end, mut parent) = (Vec3::zeros(), None);
    for k in 0..7 {
        let along = Vec3::new(0.3, 0.1 * f64::from(k), 0.2 - 0.05 * f64::from(k));
        let link = w.rod(2.0 - 0.2 * f64::from(k), end, end + along);
        let axis = [Vec3::z(), Vec3::y(), Vec3::x()][k as usize % 3];
        w.joint(JointKind::Revolute, parent, link, end, axis);
        end += along;
        parent = Some(link);
    }
    w.finish()
}

/// A trunk on a ball with two branches on balls, one of which has a twig on a hinge. The bodies are thick: thin rods on
/// balls spin about themselves as fast as steps can hold.
pub fn branches() -> Mechanism {
    let mut w = Workshop::new(Vec3::new(0.0, 0.0, -G));
    let point = |x: f64, y: f64, z: f64| Vec3::new(x, y, z);
    let body = |w: &mut Workshop, mass: f64, at: Vec3| {
        let inertia = Vec3::new(0.12, 0.1, 0.08) * mass;
        w.body(mass, Mat3::from_diagonal(&inertia), at, Quat::identity())
    };
    let trunk = body(&mut w, 2.0, point(0.0, 0.1, -0.5));
    let left = body(&mut w, 1.0, point(0.3, 0.3, -0.8));
    let right = body(&mut w, 1.0, point(-0.3, 0.1, -1.1));
    let twig = body(&mut w, 0.5, point(-0.6, 0.2, -1.3));
    let (fork, end) = (point(0.0, 0.2, -1.0), point(-0.5, 0.0, -1.2));
    w.joint(JointKind::Spherical, None, trunk, Vec3::zeros(), Vec3::z());
    w.joint(JointKind::Spherical, Some(trunk), left, fork, Vec3::z());
    w.joint(JointKind::Spherical, Some(trunk), right, fork, Vec3::z());
    w.joint(JointKind::Revolute, Some(right), twig, end, Vec3::x());
    w.finish()
}

/// Three bodies on a ball and a universal joint, free in space and tumbling, without gravity.
pub fn floating() -> Mechanism {
    let mut w = Workshop::new(Vec3::zeros());
    let inertia = |x, y, z| Mat3::from_diagonal(&Vec3::new(x, y, z));
    let hull = w.body(3.0, inertia(0.4, 0.6, 0.9), Vec3::zeros(), Quat::identity());
    let at = Vec3::new(1.0, 0.0, 0.2);
    let first = w.body(1.0, inertia(0.1, 0.2, 0.25), at, Quat::identity());
    let at = Vec3::new(-0.8, 0.5, 0.0);
    let second = w.body(1.5, inertia(0.2, 0.1, 0.15), at, Quat::identity());
    let point = Vec3::new(0.5, 0.1, 0.0);
    w.joint(JointKind::Spherical, Some(hull), first, point, Vec3::z());
    let point = Vec3::new(-0.4, 0.2, 0.1);
    w.joint(JointKind::Universal, Some(hull), second, point, Vec3::y());
    set_going(&mut w, 3);
    let (model, mut state) = w.finish();
    for body in &mut state.bodies {
        body.velocity.linear *= 4.0;
        body.velocity.angular *= 4.0;
    }
    // The velocities are put on the joints.
    assemble(&model, &mut state).expect("the joints are closed");
    (model, state)
}

/// The four mechanisms, and a tree of all joints with all forces.
pub fn all() -> Vec<(&'static str, Mechanism)> {
    let mut equipped = tree(1);
    equip(&mut equipped);
    vec![
        (
            "double pendulum",
            mechanisms::chain(&[1.2, 0.5], &[0.3, -0.4]),
        ),
        ("arm", arm()),
        ("branches", branches()),
        ("floating", floating()),
        ("all joints and forces", equipped.finish()),
    ]
}

/// Largest distance between the poses of two states [m, rad].
pub fn distance(a: &State, b: &State) -> f64 {
    let each = a.bodies.iter().zip(&b.bodies).map(|(a, b)| {
        let moved = (a.position - b.position).norm();
        moved.max(a.orientation.angle_to(&b.orientation))
    });
    each.fold(0.0, f64::max)
}

#[test]
fn all_methods_converge_to_one_motion_at_their_orders() {
    for (name, mechanism) in all() {
        let end = |method: &str, steps: u64| {
            let mut sim = simulation(&mechanism, method, settings(0.3 / steps as f64, 1e-11));
            run(&mut sim, steps);
            sim.state().clone()
        };
        // Its own error is below 1e-11.
        let reference = end("rk4", 3000);
        let dissipates = mechanism.0.dissipates();
        for (method, wanted, first) in [
            ("variational-2", 2.0, 300),
            ("minimal-riqn", 2.0, 300),
            ("minimal-3", 3.0, 60),
            ("minimal-4", 4.0, 60),
            ("minimal-galerkin-4", 4.0, 60),
            ("joint-space-euler", 1.0, 1500),
            ("joint-space-rk4", 4.0, 60),
        ] {
            // It refuses dampers, and drives that are held within their limits have kinks in time.
            if dissipates && wanted > 2.0 {
                continue;
            }
            let errors = [first, 2 * first].map(|n| distance(&end(method, n), &reference));
            let found = order(&errors);
            println!("{name}, {method}: {errors:?} order {found:.3}");
            assert!(errors[1] < 0.02, "{name}, {method}: {errors:?}");
            assert!(
                (found - wanted).abs() < 0.2,
                "{name}, {method}: {errors:?} {found}"
            );
        }
    }
}

/// Compositions refuse dampers; forces at the nodes of a Galerkin method keep its order.
#[test]
fn galerkin_methods_keep_their_orders_where_energy_is_lost() {
    let mut damped = tree(1);
    for joint in &mut damped.parts.joints {
        (joint.damping_translation, joint.damping_rotation) = (0.6, 0.4);
    }
    let mechanism = damped.finish();
    assert!(mechanism.0.dissipates());
    let end = |method: &str, steps: u64| {
        let mut sim = simulation(&mechanism, method, settings(0.3 / steps as f64, 1e-12));
        run(&mut sim, steps);
        sim.state().clone()
    };
    let reference = end("joint-space-rk4", 3000);
    for (method, wanted) in [("minimal-3", 3.0), ("minimal-galerkin-4", 4.0)] {
        let errors = [40, 80].map(|n| distance(&end(method, n), &reference));
        let found = order(&errors);
        println!("{method}: {errors:?} order {found:.3}");
        assert!((found - wanted).abs() < 0.3, "{method}: {errors:?} {found}");
    }
}
