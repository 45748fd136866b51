//! Andrews' squeezing mechanism of the multibody benchmark library, with the parameters of its source.

use crate::mechanics::mechanisms::Workshop;
use driftless::math::{Mat3, Quat, Vec3};
use driftless::model::{Attachment, Axes, BodyId, Force, JointKind, Model, Signal, State};

/// Andrews' squeezing mechanism in the x-y plane [Hairer, Wanner, Solving ODEs II, sect. VII.7]: seven bodies,
/// a spring, a torque of 0.033 N·m on the first; all joints are spatial hinges, so planar rows are redundant.
pub fn andrews() -> (Model, State) {
    let mut w = Workshop::new(Vec3::zeros());
    let [beta, theta, gamma, phi, delta, omega, epsilon] = [
        -0.06171389001427645,
        0.0,
        0.45527981916307037,
        0.22266839016588588,
        0.48736497954384256,
        -0.22266839016588588,
        1.2305474445498212,
    ];
    let mass = [
        0.04325, 0.00365, 0.02373, 0.00706, 0.07050, 0.00706, 0.05498,
    ];
    let moment = [
        2.194e-6, 4.410e-7, 5.255e-6, 5.667e-7, 1.169e-5, 5.667e-7, 1.912e-5,
    ];
    let (a, b, c) = (
        Vec3::new(-0.06934, -0.00227, 0.0),
        Vec3::new(-0.03635, 0.03273, 0.0),
        Vec3::new(0.014, 0.072, 0.0),
    );
    let (d, da, e, ea, rr, ra) = (0.028, 0.0115, 0.02, 0.01421, 0.007, 0.00092);
    let (ss, sa, sb, sc, sd) = (0.035, 0.01874, 0.01043, 0.018, 0.02);
    let (ta, tb, u, ua, ub, zf, zt, fa) = (
        0.02308, 0.00916, 0.04, 0.01228, 0.00449, 0.02, 0.04, 0.01421,
    );
    // A point given along and across (a quarter turn on) a direction.
    let polar = |angle: f64, along: f64, across: f64| {
        let (s, c) = angle.sin_cos();
        Vec3::new(along * c - across * s, along * s + across * c, 0.0)
    };
    let f = polar(beta, rr, 0.0);
    let meeting = f - polar(beta + theta, d, 0.0);
    let (g, h) = (a + polar(delta, zt, 0.0), a + polar(epsilon, 0.0, -u));
    let place: [(f64, Vec3); 7] = [
        (beta, polar(beta, ra, 0.0)),
        (beta + theta, f - polar(beta + theta, da, 0.0)),
        (gamma, b + polar(gamma, sb, -sa)),
        (phi + delta, g + polar(phi + delta, 0.0, ea - e)),
        (delta, a + polar(delta, ta, tb)),
        (omega + epsilon, h + polar(omega + epsilon, zf - fa, 0.0)),
        (epsilon, a + polar(epsilon, -ub, -ua)),
    ];
    let k: Vec<BodyId> = (0..7)
        .map(|i| {
            let (angle, centre) = place[i];
            let turn = Quat::from_axis_angle(&Vec3::z_axis(), angle);
            w.body(
                mass[i],
                Mat3::from_diagonal_element(moment[i]),
                centre,
                turn,
            )
        })
        .collect();
    // The point at which four bodies meet, reached on each of the four ways.
    for way in [
        b + polar(gamma, 0.0, -ss),
        g + polar(phi + delta, 0.0, -e),
        h + polar(omega + epsilon, zf, 0.0),
    ] {
        assert!((way - meeting).norm() < 1e-15, "{way} {meeting}");
    }
    for (parent, child, point) in [
        (None, 0, Vec3::zeros()),
        (Some(0), 1, f),
        (None, 2, b),
        (Some(1), 2, meeting),
        (None, 4, a),
        (Some(4), 3, g),
        (Some(1), 3, meeting),
        (None, 6, a),
        (Some(6), 5, h),
        (Some(1), 5, meeting),
    ] {
        let parent = parent.map(|p: usize| k[p]);
        w.joint(JointKind::Revolute, parent, k[child], point, Vec3::z());
    }
    let end = b + polar(gamma, sd, -sc);
    let turn = Quat::from_axis_angle(&Vec3::z_axis(), gamma);
    w.parts.forces = vec![
        Force::Spring {
            name: "spring".into(),
            ends: [
                Attachment {
                    body: None,
                    point: c,
                },
                Attachment {
                    body: Some(k[2]),
                    point: turn.inverse_transform_vector(&(end - place[2].1)),
                },
            ],
            stiffness: 4530.0,
            rest: 0.07785,
            damping: 0.0,
        },
        Force::Wrench {
            name: "drive".into(),
            body: k[0],
            point: Vec3::zeros(),
            axes: Axes::World,
            force: [Signal::ZERO, Signal::ZERO, Signal::ZERO],
            torque: [Signal::ZERO, Signal::ZERO, Signal::Constant(0.033)],
        },
    ];
    w.finish()
}
