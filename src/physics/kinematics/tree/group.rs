//! The group of joint coordinates: increments, differences and their tangents.
//!
//! | symbol | code | meaning |
//! |---|---|---|
//! | `q ⊕ δ` | [`Tree::retract`] | translations and angles add; `exp(δ) q` for free rotation |
//! | `b ⊖ a` | [`Tree::difference`] | the shortest `δ` with `a ⊕ δ = b`; `log(b a⁻¹)` for free rotation |
//! | `T(δ)` | [`Tree::tangent`] | velocity of `q ⊕ δ(t)` for a rate of `δ`: the left Jacobian of SO(3), else the identity |
//! | `T(δ)ᵀ` | [`Tree::cotangent`] | momentum of a rate of `δ` for that of the velocity |

use super::{Tree, TreeLink};
use crate::math::{Quat, Vec3, rotation};
use nalgebra::Quaternion;

impl TreeLink {
    /// Number of coordinates that add: all but a quaternion.
    fn sums(&self) -> usize {
        match self.kind.free_rotations() {
            3 => self.kind.free_translations(),
            _ => self.kind.freedoms(),
        }
    }

    /// Places of the quaternion in `q` and of the angular velocity in `v`, if rotation is free.
    fn ball(&self) -> Option<(usize, usize)> {
        let n = self.kind.free_translations();
        let free = self.kind.free_rotations() == 3;
        free.then_some((self.first_coordinate + n, self.first_velocity + n))
    }

    /// Displacement of the child's anchor in the parent's joint axes (m).
    pub(super) fn slide(&self, q: &[f64]) -> Vec3 {
        let mut slide = Vec3::zeros();
        for (n, &k) in crate::joints::free_translations(self.kind)
            .iter()
            .enumerate()
        {
            slide[k] = q[self.first_coordinate + n];
        }
        slide
    }

    /// Rotation of the child in the parent's joint axes.
    pub(super) fn turn(&self, q: &[f64]) -> Quat {
        let n = self.first_coordinate + self.kind.free_translations();
        match self.kind.free_rotations() {
            0 => Quat::identity(),
            1 => Quat::from_axis_angle(&Vec3::z_axis(), q[n]),
            2 => {
                Quat::from_axis_angle(&Vec3::z_axis(), q[n])
                    * Quat::from_axis_angle(&Vec3::x_axis(), q[n + 1])
            }
            _ => quaternion(&q[n..]),
        }
    }
}

/// Four coordinates as a rotation. They are a unit quaternion up to rounding, which is taken away here.
fn quaternion(q: &[f64]) -> Quat {
    Quat::from_quaternion(Quaternion::new(q[0], q[1], q[2], q[3]))
}

/// Leaves a rotation in four coordinates.
pub(super) fn put(rotation: &Quat, q: &mut [f64]) {
    let r = rotation.quaternion();
    q[..4].copy_from_slice(&[r.w, r.i, r.j, r.k]);
}

fn vector(v: &[f64]) -> Vec3 {
    Vec3::new(v[0], v[1], v[2])
}

impl Tree {
    /// The unit of the group: displacements and angles 0, no rotation.
    pub fn neutral(&self, q: &mut [f64]) {
        q.fill(0.0);
        for (at, _) in self.links.iter().filter_map(TreeLink::ball) {
            q[at] = 1.0;
        }
    }

    /// `q ⊕ δ` in place, for an increment with as many entries as there are velocities (m, rad).
    pub fn retract(&self, q: &mut [f64], delta: &[f64]) {
        for link in &self.links {
            let (c, v) = (link.first_coordinate, link.first_velocity);
            for k in 0..link.sums() {
                q[c + k] += delta[v + k];
            }
            if let Some((c, v)) = link.ball() {
                let turned = Quat::from_scaled_axis(vector(&delta[v..])) * quaternion(&q[c..]);
                put(&turned, &mut q[c..]);
            }
        }
    }

    /// `to ⊖ from`: the increment `δ` with `from ⊕ δ = to`, at most half a turn for free rotations.
    pub fn difference(&self, from: &[f64], to: &[f64], delta: &mut [f64]) {
        for link in &self.links {
            let (c, v) = (link.first_coordinate, link.first_velocity);
            for k in 0..link.sums() {
                delta[v + k] = to[c + k] - from[c + k];
            }
            if let Some((c, v)) = link.ball() {
                let step = quaternion(&to[c..]) * quaternion(&from[c..]).inverse();
                delta[v..v + 3].copy_from_slice(rotation::log(&step).as_slice());
            }
        }
    }

    /// `T(δ) δ̇` in place: `rate` holds the rate of an increment, then the velocity of `q ⊕ δ`.
    pub fn tangent(&self, delta: &[f64], rate: &mut [f64]) {
        self.map_balls(delta, rate, rotation::left_jacobian);
    }

    /// `T(δ)⁻¹ v` in place: `rate` holds the velocity of `q ⊕ δ`, then the rate of the increment. Singular where a
    /// free rotation's increment is a whole turn.
    pub fn tangent_inverse(&self, delta: &[f64], rate: &mut [f64]) {
        self.map_balls(delta, rate, rotation::left_jacobian_inverse);
    }

    /// `T(δ)ᵀ p` in place: from a momentum of velocities to one of rates of the increment.
    pub fn cotangent(&self, delta: &[f64], momentum: &mut [f64]) {
        // The transposed Jacobian is that of the opposite turn.
        self.map_balls(delta, momentum, |phi| rotation::left_jacobian(&-phi));
    }

    /// Adds `Ṫᵀ p` for an increment that changes at `rate`, with `cotangent` the momentum `Tᵀ p`.
    pub fn add_cotangent_rate(
        &self,
        delta: &[f64],
        rate: &[f64],
        cotangent: &[f64],
        out: &mut [f64],
    ) {
        for (_, v) in self.links.iter().filter_map(TreeLink::ball) {
            let (phi, phi_rate) = (-vector(&delta[v..]), -vector(&rate[v..]));
            // Ṫ = -T (T⁻¹)˙ T.
            let turned = rotation::left_jacobian_inverse_rate(&phi, &phi_rate);
            let added = rotation::left_jacobian(&phi) * (turned * vector(&cotangent[v..]));
            for (out, added) in out[v..v + 3].iter_mut().zip(added.iter()) {
                *out -= added;
            }
        }
    }

    /// The widest turn of a free rotation that an increment makes (rad).
    pub fn widest_turn(&self, delta: &[f64]) -> f64 {
        let balls = self.links.iter().filter_map(TreeLink::ball);
        let turns = balls.map(|(_, v)| vector(&delta[v..]).norm());
        turns.fold(0.0, f64::max)
    }

    fn map_balls(&self, delta: &[f64], rate: &mut [f64], map: fn(&Vec3) -> crate::math::Mat3) {
        for (_, v) in self.links.iter().filter_map(TreeLink::ball) {
            let mapped = map(&vector(&delta[v..])) * vector(&rate[v..]);
            rate[v..v + 3].copy_from_slice(mapped.as_slice());
        }
    }
}
