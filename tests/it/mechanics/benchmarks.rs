//! The mechanisms of the papers and of the multibody benchmark library, with the parameters of their sources.

use crate::mechanics::mechanisms::{G, Workshop};
use driftless::math::{Mat3, Quat, Vec3};
use driftless::model::{JointKind, Model, State};
use std::f64::consts::FRAC_PI_2;

fn diagonal(x: f64, y: f64, z: f64) -> Mat3 {
    Mat3::from_diagonal(&Vec3::new(x, y, z))
}

/// A free body with moments of inertia 1, 2, 3 that tumbles, without gravity.
pub fn tumbling_body() -> (Model, State) {
    let mut w = Workshop::new(Vec3::zeros());
    let b = w.body(
        1.0,
        diagonal(1.0, 2.0, 3.0),
        Vec3::zeros(),
        Quat::identity(),
    );
    w.moving(b, Vec3::zeros(), Vec3::new(0.3, 2.0, 0.2));
    w.finish()
}

/// Heavy top [Holzinger2024 tab. 3]: its centre of mass 1 m from the fixed point.
pub fn heavy_top() -> (Model, State) {
    let mut w = Workshop::new(Vec3::new(0.0, 0.0, -G));
    let centre = Vec3::new(0.0, 1.0, 0.0);
    let inertia = diagonal(0.234375, 0.46875, 0.234375);
    let top = w.body(15.0, inertia, centre, Quat::identity());
    let omega = Vec3::new(0.0, 150.0, -4.61538);
    w.moving(top, omega.cross(&centre), omega);
    w.joint(JointKind::Spherical, None, top, Vec3::zeros(), Vec3::z());
    w.finish()
}

/// Spatial slider-crank of the IFToMM library. The cross of the universal joint has one axis fixed to the slider,
/// along its path x, and one fixed to the rod, perpendicular to x and to the rod at the start.
pub fn slider_crank() -> (Model, State) {
    slider_crank_with(0.0)
}

/// The same with a cross whose arms keep another angle than the right one: `lean` is the cosine between the arm in the rod,
/// perpendicular to that, and the slider's path. Published models have -0.24807.
pub fn slider_crank_with(lean: f64) -> (Model, State) {
    let mut w = Workshop::new(Vec3::new(0.0, 0.0, -G));
    let a = Vec3::new(0.0, 0.1, 0.12);
    let b = a + Vec3::new(0.0, 0.0, 0.08);
    let c = Vec3::new(0.2, 0.0, 0.0);
    let along = (c - b).normalize();
    let crank = w.body(0.12, diagonal(1e-4, 1e-5, 1e-4), a, Quat::identity());
    let turn = Quat::rotation_between(&Vec3::x(), &along).expect("the rod is not along -x");
    let rod = w.body(0.5, diagonal(4e-4, 4e-3, 4e-3), (b + c) * 0.5, turn);
    let slider = w.body(2.0, diagonal(1e-4, 1e-4, 1e-4), c, Quat::identity());

    let omega = Vec3::new(6.0, 0.0, 0.0);
    let (at_b, at_c) = (omega.cross(&(b - a)), Vec3::new(0.24, 0.0, 0.0));
    let right = Vec3::x().cross(&along).normalize();
    let other = along.cross(&right);
    let sine = lean / other.x;
    let cross = other * sine + right * (1.0 - sine * sine).sqrt();
    // Across the rod its ends decide; along it the cross does: x · (ω × cross) = 0.
    let across = along.cross(&(at_c - at_b)) / 0.3;
    let free = cross.cross(&Vec3::x());
    let spin = across - along * (across.dot(&free) / along.dot(&free));
    w.moving(crank, Vec3::zeros(), omega);
    w.moving(rod, (at_b + at_c) * 0.5, spin);
    w.moving(slider, at_c, Vec3::zeros());

    w.joint(JointKind::Revolute, None, crank, a, Vec3::x());
    w.joint(JointKind::Spherical, Some(crank), rod, b, Vec3::z());
    if lean == 0.0 {
        // Parent's z axis along the path, child's x axis along the other arm of the cross.
        let axes = Mat3::from_columns(&[cross, Vec3::x().cross(&cross), Vec3::x()]);
        let frame = Quat::from_matrix(&axes);
        w.joint_with(JointKind::Universal, Some(slider), rod, c, frame);
    } else {
        // The end of the arm stays in a plane of the slider.
        w.joint(JointKind::Spherical, Some(slider), rod, c, Vec3::z());
        let end = c + cross * 0.1;
        w.joint(JointKind::PointOnPlane, Some(slider), rod, end, Vec3::x());
    }
    w.joint(JointKind::Prismatic, None, slider, c, Vec3::x());
    w.finish()
}

/// Bricard's mechanism: five rods and the ground in a loop of six hinges, one of whose constraints is redundant.
pub fn bricard() -> (Model, State) {
    let mut w = Workshop::new(Vec3::new(0.0, -G, 0.0));
    let points = [
        [0.0, 0.0, 0.0],
        [1.0, 0.0, 0.0],
        [1.0, -1.0, 0.0],
        [1.0, -1.0, 1.0],
        [0.0, -1.0, 1.0],
        [0.0, 0.0, 1.0],
    ]
    .map(Vec3::from);
    let axes = [
        Vec3::y(),
        Vec3::z(),
        Vec3::x(),
        Vec3::y(),
        Vec3::z(),
        Vec3::x(),
    ];
    let across = (1.0 + 0.01) / 12.0;
    let mut last = None;
    for k in 0..5 {
        let along = points[k + 1] - points[k];
        let turn = Quat::rotation_between(&Vec3::z(), &along)
            .unwrap_or(Quat::from_axis_angle(&Vec3::x_axis(), std::f64::consts::PI));
        let inertia = diagonal(across, across, 0.02 / 12.0);
        let rod = w.body(1.0, inertia, (points[k] + points[k + 1]) * 0.5, turn);
        w.joint(JointKind::Revolute, last, rod, points[k], axes[k]);
        last = Some(rod);
    }
    let last = last.expect("five rods were added");
    w.joint(JointKind::Revolute, None, last, points[5], axes[5]);
    w.finish()
}

/// A four-bar parallelogram with `cells` cells in the x-y plane, uprights vertical, moving at 1 m/s: the double
/// four-bar of the benchmark library for two cells.
pub fn parallelogram(cells: usize) -> (Model, State) {
    leaning_parallelogram(cells, FRAC_PI_2, -1.0)
}

/// One cell at rest with all bars on one line.
pub fn flat_parallelogram() -> (Model, State) {
    leaning_parallelogram(1, 0.0, 0.0)
}

/// A parallelogram whose uprights are at an angle to the x axis and turn at a rate.
fn leaning_parallelogram(cells: usize, angle: f64, rate: f64) -> (Model, State) {
    let mut w = Workshop::new(Vec3::new(0.0, -G, 0.0));
    let up = Vec3::new(angle.cos(), angle.sin(), 0.0);
    let at = |k: usize, y: f64| Vec3::new(k as f64, 0.0, 0.0) + up * y;
    let spin = Vec3::new(0.0, 0.0, rate);
    let top_speed = spin.cross(&up);
    let upright = |w: &mut Workshop, k: usize| {
        let bar = w.rod(1.0, at(k, 0.0), at(k, 1.0));
        w.moving(bar, top_speed * 0.5, spin);
        w.joint(JointKind::Revolute, None, bar, at(k, 0.0), Vec3::z());
        bar
    };
    let mut last = upright(&mut w, 0);
    for k in 0..cells {
        let beam = w.rod(1.0, at(k, 1.0), at(k + 1, 1.0));
        w.moving(beam, top_speed, Vec3::zeros());
        w.joint(JointKind::Revolute, Some(last), beam, at(k, 1.0), Vec3::z());
        let next = upright(&mut w, k + 1);
        w.joint(
            JointKind::Revolute,
            Some(next),
            beam,
            at(k + 1, 1.0),
            Vec3::z(),
        );
        last = next;
    }
    w.finish()
}

/// Point B0 of the parallelogram: the top of the first upright.
pub fn b0(state: &State) -> Vec3 {
    let bar = &state.bodies[0];
    bar.position + bar.orientation * Vec3::new(0.0, 0.0, 0.5)
}

/// The three-link loop of the papers' drift experiment: links of 1, √2/2 and 1 m between two fixed points.
pub fn three_link_loop() -> (Model, State) {
    let mut w = Workshop::new(Vec3::new(0.0, 0.0, -G));
    let along = |angle: f64| Vec3::new(0.0, angle.sin(), -angle.cos());
    let (phi1, phi2) = (2.842889445268244, -1.209429202890086);
    let (short, anchor) = (0.5f64.sqrt(), Vec3::new(0.0, 1.0, 0.0));
    let first = along(phi1);
    let second = first + along(phi1 + phi2) * short;
    let third = anchor + along(std::f64::consts::PI);
    // The angles of the source close the loop to 1e-12 m; the second link goes exactly where the third ends.
    assert!((second - third).norm() < 2e-12);
    let link = |w: &mut Workshop, from: Vec3, to: Vec3| {
        let l = (to - from).norm();
        let across = l * (l * l + 0.01) / 12.0;
        let turn = Quat::rotation_between(&Vec3::z(), &(to - from)).expect("no link points down");
        w.body(
            l,
            diagonal(across, across, l * 0.02 / 12.0),
            (from + to) * 0.5,
            turn,
        )
    };
    let a = link(&mut w, Vec3::zeros(), first);
    let b = link(&mut w, first, third);
    let c = link(&mut w, anchor, third);
    w.joint(JointKind::Revolute, None, a, Vec3::zeros(), Vec3::x());
    w.joint(JointKind::Revolute, Some(a), b, first, Vec3::x());
    w.joint(JointKind::Revolute, None, c, anchor, Vec3::x());
    w.joint(JointKind::Revolute, Some(b), c, third, Vec3::x());
    w.finish()
}

/// The damped pendulum of the papers: a box of 0.1 × 0.1 × 1 m from the horizontal, 0.5 N·m·s in its hinge.
pub fn damped_pendulum() -> (Model, State) {
    let mut w = Workshop::new(Vec3::new(0.0, 0.0, -G));
    let across = (1.0 + 0.01) / 12.0;
    let turn = Quat::from_axis_angle(&Vec3::x_axis(), -FRAC_PI_2);
    let inertia = diagonal(across, across, 0.02 / 12.0);
    let rod = w.body(1.0, inertia, Vec3::new(0.0, 0.5, 0.0), turn);
    w.joint(JointKind::Revolute, None, rod, Vec3::zeros(), Vec3::x())
        .damping_rotation = 0.5;
    w.finish()
}
