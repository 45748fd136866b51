//! Placing links at `z1`, moving them to `z2`, and what the joints then say.
//!
//! The rotational part is the discrete Euler-Lagrange equation [Brüdigam2023 eq. 16] in world axes: with
//! `u = dt/2 ω` and `s = √(1 - u·u)` the interval's angular momentum
//! `p = (2/dt) (s J u + u × J u)`, `J = R J_b Rᵀ` at `z1`, is the same at both ends of the interval, so the
//! equation is a plain balance of momenta.

use super::links::{Link, Links, Spatial};
use super::past;
use super::topology::WORLD;
use super::turn::{self, FOLD};
use crate::math::lanes::{Lanes, V4};
use crate::math::{Mat3, Vec3};
use crate::model::{BodyState, JointKind, State};

/// Rotation matrix columns of the unit quaternion (w; x, y, z).
#[inline(always)]
fn rotation_columns(w: f64, x: f64, y: f64, z: f64) -> [V4; 3] {
    let (x2, y2, z2) = (x + x, y + y, z + z);
    let (xx, yy, zz) = (x * x2, y * y2, z * z2);
    let (xy, xz, yz) = (x * y2, x * z2, y * z2);
    let (wx, wy, wz) = (w * x2, w * y2, w * z2);
    [
        V4([1.0 - yy - zz, xy + wz, xz - wy, 0.0]),
        V4([xy - wz, 1.0 - xx - zz, yz + wx, 0.0]),
        V4([xz + wy, yz - wx, 1.0 - xx - yy, 0.0]),
    ]
}

/// Product of a matrix given by columns with a vector.
#[inline(always)]
pub(super) fn apply<L: Lanes>(columns: &[V4; 3], v: L) -> L {
    let sum = L::load(&columns[0]).mul(v.lane::<0>());
    let sum = L::load(&columns[1]).fma(v.lane::<1>(), sum);
    L::load(&columns[2]).fma(v.lane::<2>(), sum)
}

/// Puts all links at the poses of `bodies`: rotations, inertias, arms, axes, and the joint columns at `z1`; the
/// momentum wanted is the state's with a kick of every centre of mass (m/s).
#[inline(always)]
pub(super) fn place<L: Lanes>(all: &mut Links, bodies: &[BodyState], kick: &Vec3) {
    let kick = L::load(&V4::from3(kick));
    for i in 0..all.links.len() {
        let link = &mut all.links[i];
        let state = &bodies[link.body];
        let q = state.orientation.coords;
        link.rotation = rotation_columns(q.w, q.x, q.y, q.z);
        let rotation = link.rotation;
        // R J: rotated columns; then (R J) Rᵀ: column k is the sum over j of (R J)_j R_kj.
        let mut turned = [V4::ZERO; 3];
        for k in 0..3 {
            turned[k] = apply::<L>(&rotation, L::load(&all.inertia_body[i][k])).store();
        }
        for k in 0..3 {
            let row = L::load(&V4([
                rotation[0].0[k],
                rotation[1].0[k],
                rotation[2].0[k],
                0.0,
            ]));
            link.inertia[k] = apply::<L>(&turned, row).store();
        }
        link.centre1 = V4::from3(&state.position);
        link.goes = 0;
        link.target = Spatial {
            linear: L::load(&V4::from3(&state.momentum))
                .axpy(link.mass, kick)
                .store(),
            angular: V4::from3(&state.angular_momentum),
        };
        let (own, up, parent) = (link.own, link.up, link.parent);
        for k in own.0..own.1 {
            all.at1[k] = apply::<L>(&rotation, L::load(&all.local[k])).store();
        }
        let mut offset = L::load(&link.centre1);
        if parent == WORLD {
            offset = offset.sub(L::load(&link.ground));
        } else {
            let above = &all.links[parent];
            let rotation = above.rotation;
            offset = offset.sub(L::load(&above.centre1));
            for k in up.0..up.1 {
                all.at1[k] = apply::<L>(&rotation, L::load(&all.local[k])).store();
            }
        }
        all.links[i].offset1 = offset.store();
        let anchor = anchor::<L>(&all.links[i], &all.at1, offset);
        if !(all.lean && all.links[i].kind == JointKind::Spherical) {
            columns::<L>(&all.links[i], &all.at1, anchor.arm, &mut all.columns1);
        }
    }
}

/// Arm from the link's centre to the child's anchor, and the gap from the parent's anchor to the child's.
pub(super) struct Anchor<L> {
    pub arm: L,
    gap: L,
}

#[inline(always)]
pub(super) fn anchor<L: Lanes>(link: &Link, at: &[V4], offset: L) -> Anchor<L> {
    if !link.jointed {
        return Anchor {
            arm: L::zero(),
            gap: L::zero(),
        };
    }
    let own = L::load(&at[link.own.0]);
    // From the link's centre to the point fixed to the parent link.
    let up = L::load(&at[link.up.0]).sub(offset);
    if link.reversed {
        Anchor {
            arm: up,
            gap: up.sub(own),
        }
    } else {
        Anchor {
            arm: own,
            gap: own.sub(up),
        }
    }
}

/// Sets the velocity of link `i` to `weights` of the state's velocity and of the two before.
#[inline(always)]
pub(super) fn guess(all: &mut Links, i: usize, state: &State, weights: &[f64; 3], dt: f64) {
    let link = &mut all.links[i];
    if link.goes > 0 {
        return;
    }
    let mut twist = state.bodies[link.body].velocity;
    if weights[1] != 0.0 {
        let before = past::velocity(state, 0, link.body);
        twist.linear = twist.linear * weights[0] + before.linear * weights[1];
        twist.angular = twist.angular * weights[0] + before.angular * weights[1];
        if weights[2] != 0.0 {
            let earlier = past::velocity(state, 1, link.body);
            twist.linear += earlier.linear * weights[2];
            twist.angular += earlier.angular * weights[2];
        }
    }
    link.velocity = V4::from3(&twist.linear);
    link.half_angle_sine = V4::from3(&held(link, twist.angular * (0.5 * dt), dt));
}

/// A guess of a half-angle sine; one too near the fold gives way to what the body's momentum by itself makes.
fn held(link: &Link, half_angle_sine: Vec3, dt: f64) -> Vec3 {
    let square = half_angle_sine.norm_squared();
    if square < WIDEST {
        return half_angle_sine;
    }
    let free = turn::free_turn(&link.inertia(), &link.target.angular.to3(), dt);
    free.filter(|u| u.norm_squared() < WIDEST)
        .unwrap_or_else(|| half_angle_sine * (WIDEST / square).sqrt())
}

/// Square of the half-angle sine of a first guess at most: room for Newton's method before the fold.
const WIDEST: f64 = 0.9 * FOLD;

/// Sets the velocities to those that the momenta wanted would give a free body, turns held within the scheme.
pub(super) fn predict_free(all: &mut Links, dt: f64) {
    for link in all.links.iter_mut().filter(|l| l.goes == 0) {
        // A body's inertia is positive definite: the model is checked.
        let inverse = link.inertia().try_inverse().unwrap_or_else(Mat3::zeros);
        let spin = link.target.angular.to3();
        let half_angle_sine = turn::free_turn(&link.inertia(), &spin, dt)
            .unwrap_or_else(|| inverse * spin * (0.5 * dt));
        link.velocity = V4::from3(&(link.target.linear.to3() / link.mass));
        link.half_angle_sine = V4::from3(&held(link, half_angle_sine, dt));
    }
}

/// Gives the links that nothing but their own momentum moves their exact motion.
pub(super) fn settle(all: &mut Links, dt: f64) {
    for link in &mut all.links {
        link.goes = 0;
        if link.held {
            continue;
        }
        if let Some(swing) = turn::swing(&link.inertia(), &link.target.angular.to3(), dt) {
            link.goes = swing.goes;
            link.velocity = V4::from3(&(link.target.linear.to3() / link.mass));
            link.half_angle_sine = V4::from3(&swing.half_angle_sine);
            link.swing = V4::from3(&swing.sum);
        }
    }
}

/// What a move of all links found.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Moved {
    /// Largest joint error of the tree, gaps relative to the length of the joint (1, rad), and its link.
    pub opening: (f64, usize),
    /// Largest square of a half-angle sine and its link; no solution reaches [`FOLD`].
    pub turn: (f64, usize),
}

/// Moves link `i` by its velocity over `dt`; leaves momentum, imbalance, joint error and columns at `z2`.
#[inline(always)]
pub(super) fn advance<L: Lanes>(all: &mut Links, i: usize, dt: f64, moved: &mut Moved) {
    let link = &mut all.links[i];
    let u = L::load(&link.half_angle_sine);
    let v = L::load(&link.velocity);
    let square = u.dot(u);
    let settled = link.goes > 0;
    if (square > moved.turn.0 && !settled) || square.is_nan() {
        moved.turn = (square, i);
    }
    let s = (1.0 - square).max(0.0).sqrt();
    let ju = apply::<L>(&link.inertia, u);
    let spin = if settled {
        L::load(&link.target.angular)
    } else {
        ju.scale(s).add(u.cross(ju)).scale(2.0 / dt)
    };
    link.angular_momentum = spin.store();
    link.rhs = Spatial {
        linear: v
            .fnma(L::splat(link.mass), L::load(&link.target.linear))
            .store(),
        angular: L::load(&link.target.angular).sub(spin).store(),
    };
    // R(s, u) = (1 - 2u·u) I + 2 u uᵀ + 2 s [u]×.
    let [x, y, z, _] = u.store().0;
    let (s2, diagonal) = (s + s, 1.0 - 2.0 * square);
    let twice = u.add(u);
    link.rotation = [
        twice
            .fma(
                u.lane::<0>(),
                L::load(&V4([diagonal, s2 * z, -s2 * y, 0.0])),
            )
            .store(),
        twice
            .fma(
                u.lane::<1>(),
                L::load(&V4([-s2 * z, diagonal, s2 * x, 0.0])),
            )
            .store(),
        twice
            .fma(
                u.lane::<2>(),
                L::load(&V4([s2 * y, -s2 * x, diagonal, 0.0])),
            )
            .store(),
    ];
    let rotation = link.rotation;
    let centre = v.fma(L::splat(dt), L::load(&link.centre1));
    link.centre2 = centre.store();
    let (own, up, parent) = (link.own, link.up, link.parent);
    for k in own.0..own.1 {
        all.at2[k] = apply::<L>(&rotation, L::load(&all.at1[k])).store();
    }
    // Moved by the difference of velocities, an offset rounds as it is long itself, however far away the origin is.
    let mut offset = v;
    if parent != WORLD {
        let above = &all.links[parent];
        let rotation = above.rotation;
        offset = offset.sub(L::load(&above.velocity));
        for k in up.0..up.1 {
            all.at2[k] = apply::<L>(&rotation, L::load(&all.at1[k])).store();
        }
    }
    let offset = offset.fma(L::splat(dt), L::load(&all.links[i].offset1));
    all.links[i].offset2 = offset.store();
    let anchor = anchor::<L>(&all.links[i], &all.at2, offset);
    if !(all.lean && all.links[i].kind == JointKind::Spherical) {
        columns::<L>(&all.links[i], &all.at2, anchor.arm, &mut all.columns2);
    }
    let (lift, error) = opening::<L>(&all.links[i], &all.at2, anchor);
    all.links[i].lift = lift;
    if error > moved.opening.0 || error.is_nan() {
        moved.opening = (error, i);
    }
}

/// Unit vectors of the world.
pub(super) const UNIT: [V4; 3] = [
    V4([1.0, 0.0, 0.0, 0.0]),
    V4([0.0, 1.0, 0.0, 0.0]),
    V4([0.0, 0.0, 1.0, 0.0]),
];

/// A free translation along `axis`.
#[inline(always)]
fn slide(axis: &V4) -> Spatial {
    Spatial {
        linear: *axis,
        angular: V4::ZERO,
    }
}

/// A free rotation about `axis` through the point at `arm`.
#[inline(always)]
fn turn<L: Lanes>(arm: L, axis: &V4) -> Spatial {
    Spatial {
        linear: arm.cross(L::load(axis)).store(),
        angular: *axis,
    }
}

/// Null space of the joint rows in motions about the link's centre of mass: free translations, then free
/// rotations about the child's anchor, each column `(arm × n, n)`.
#[inline(always)]
fn columns<L: Lanes>(link: &Link, at: &[V4], arm: L, out: &mut [Spatial]) {
    let out = &mut out[link.first_column..link.first_column + link.freedoms];
    // No closures here: the vector lanes need everything inlined into one function.
    match link.kind {
        JointKind::Revolute => {
            out[0] = turn(arm, &at[link.child_axes[2]]);
            return;
        }
        JointKind::Spherical => {
            for (column, axis) in out.iter_mut().zip(&UNIT) {
                *column = turn(arm, axis);
            }
            return;
        }
        _ => {}
    }
    let mut n = 0;
    match link.kind.constrained_translations() {
        3 => {}
        2 => {
            out[0] = slide(&at[link.parent_axes[2]]);
            n = 1;
        }
        1 => {
            out[0] = slide(&at[link.parent_axes[0]]);
            out[1] = slide(&at[link.parent_axes[1]]);
            n = 2;
        }
        _ => {
            for axis in &UNIT {
                out[n] = slide(axis);
                n += 1;
            }
        }
    }
    match link.kind.constrained_rotations() {
        3 => {}
        2 => out[n] = turn(arm, &at[link.child_axes[2]]),
        // Turning about either of two perpendicular axes keeps them perpendicular.
        1 => {
            out[n] = turn(arm, &at[link.parent_axes[2]]);
            out[n + 1] = turn(arm, &at[link.child_axes[0]]);
        }
        _ => {
            for axis in &UNIT {
                out[n] = turn(arm, axis);
                n += 1;
            }
        }
    }
}

/// What a perpendicular pair (parent axis `t`, child axis `b`) is open by: its value along its gradient `b × t`.
#[inline(always)]
fn pair<L: Lanes>(t: L, b: L) -> L {
    b.cross(t).scale(t.dot(b))
}

/// The motion of the link, about its centre of mass, by which its joint is open, and its size: the gap relative to the
/// length of the joint, or the angle (rad).
#[inline(always)]
fn opening<L: Lanes>(link: &Link, at: &[V4], anchor: Anchor<L>) -> (Spatial, f64) {
    if !link.jointed {
        return (Spatial::default(), 0.0);
    }
    let gap = match link.kind.constrained_translations() {
        3 => anchor.gap,
        2 => {
            let t = L::load(&at[link.parent_axes[2]]);
            t.fnma(L::splat(t.dot(anchor.gap)), anchor.gap)
        }
        1 => {
            let t = L::load(&at[link.parent_axes[2]]);
            t.scale(t.dot(anchor.gap))
        }
        _ => L::zero(),
    };
    let tilt = match link.kind.constrained_rotations() {
        // The two pairs of a held axis sum up to the cross product of the axes.
        2 => L::load(&at[link.parent_axes[2]]).cross(L::load(&at[link.child_axes[2]])),
        1 => pair(
            L::load(&at[link.parent_axes[2]]),
            L::load(&at[link.child_axes[0]]),
        ),
        3 => {
            let (t1, t2) = (
                L::load(&at[link.parent_axes[0]]),
                L::load(&at[link.parent_axes[1]]),
            );
            let (b1, b3) = (
                L::load(&at[link.child_axes[0]]),
                L::load(&at[link.child_axes[2]]),
            );
            pair(t1, b3).add(pair(t2, b3)).add(pair(t2, b1))
        }
        _ => L::zero(),
    };
    let relative = gap.scale(link.over_length);
    let error = relative.dot(relative).max(tilt.dot(tilt)).sqrt();
    // The child opens the joint by (gap, tilt) about its anchor; on the parent's side the sign turns.
    let sign = if link.reversed { -1.0 } else { 1.0 };
    let (gap, tilt) = (gap.scale(sign), tilt.scale(sign));
    let linear = gap.add(anchor.arm.cross(tilt));
    (
        Spatial {
            linear: linear.store(),
            angular: tilt.store(),
        },
        error,
    )
}

#[cfg(test)]
mod tests;
