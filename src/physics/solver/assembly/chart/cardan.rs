//! Cardan angles, Tait and Bryan's: `R = Rx(α) Ry(β) Rz(γ)`, `ω = G ρ̇`, `ω̇ = G ρ̈ + b(ρ, ρ̇)`, all in world axes.

use crate::math::{Mat3, Quat, Vec3};

/// Sines and cosines of the first two angles, and the axes about which the three turn.
pub struct Axes {
    sine: [f64; 2],
    cosine: [f64; 2],
    /// `∂ω/∂ρ̇`: its columns are the axes.
    pub g: Mat3,
}

impl Axes {
    pub fn at(angles: &Vec3) -> Self {
        let (sa, ca) = angles.x.sin_cos();
        let (sb, cb) = angles.y.sin_cos();
        Self {
            sine: [sa, sb],
            cosine: [ca, cb],
            g: Mat3::new(1.0, 0.0, sb, 0.0, ca, -sa * cb, 0.0, sa, ca * cb),
        }
    }

    /// Derivatives of the second axis by the first angle, and of the third axis by the first and by the second.
    fn slopes(&self) -> [Vec3; 3] {
        let ([sa, sb], [ca, cb]) = (self.sine, self.cosine);
        [
            Vec3::new(0.0, -sa, ca),
            Vec3::new(0.0, -ca * cb, -sa * cb),
            Vec3::new(cb, sa * sb, -ca * sb),
        ]
    }

    /// Derivatives again: second axis twice by the first angle; third axis twice by the first, by both, twice by the second.
    fn curvatures(&self) -> [Vec3; 4] {
        let ([sa, sb], [ca, cb]) = (self.sine, self.cosine);
        [
            Vec3::new(0.0, -ca, -sa),
            Vec3::new(0.0, sa * cb, -ca * cb),
            Vec3::new(0.0, ca * sb, sa * sb),
            Vec3::new(-sb, sa * cb, -ca * cb),
        ]
    }

    /// `∂(G u)/∂ρ`.
    pub fn slope_of(&self, u: &Vec3) -> Mat3 {
        let [g2a, g3a, g3b] = self.slopes();
        Mat3::from_columns(&[g2a * u.y + g3a * u.z, g3b * u.z, Vec3::zeros()])
    }

    /// `b = Ġ ρ̇`.
    fn bias(&self, rate: &Vec3) -> Vec3 {
        let [g2a, g3a, g3b] = self.slopes();
        g2a * (rate.x * rate.y) + g3a * (rate.x * rate.z) + g3b * (rate.y * rate.z)
    }

    /// `∂b/∂ρ` and `∂b/∂ρ̇`.
    pub fn bias_slopes(&self, rate: &Vec3) -> [Mat3; 2] {
        let [g2a, g3a, g3b] = self.slopes();
        let [g2aa, g3aa, g3ab, g3bb] = self.curvatures();
        let (a, b, c) = (rate.x, rate.y, rate.z);
        [
            Mat3::from_columns(&[
                g2aa * (a * b) + g3aa * (a * c) + g3ab * (b * c),
                g3ab * (a * c) + g3bb * (b * c),
                Vec3::zeros(),
            ]),
            Mat3::from_columns(&[g2a * b + g3a * c, g2a * a + g3b * c, g3a * a + g3b * b]),
        ]
    }

    /// `∂(Gᵀ τ)/∂ρ`.
    pub fn transposed_slope(&self, torque: &Vec3) -> Mat3 {
        let [g2a, g3a, g3b] = self.slopes();
        Mat3::new(
            0.0,
            0.0,
            0.0,
            g2a.dot(torque),
            0.0,
            0.0,
            g3a.dot(torque),
            g3b.dot(torque),
            0.0,
        )
    }

    /// `G⁻¹ v`; not finite where the middle angle is a quarter turn.
    fn solve(&self, v: &Vec3) -> Vec3 {
        let ([sa, sb], [ca, cb]) = (self.sine, self.cosine);
        let last = (ca * v.z - sa * v.y) / cb;
        Vec3::new(v.x - sb * last, ca * v.y + sa * v.z, last)
    }
}

/// Angles, the middle one at most a quarter turn, and their rates.
pub fn read(orientation: &Quat, omega: &Vec3) -> [Vec3; 2] {
    let r = orientation.to_rotation_matrix();
    let r = r.matrix();
    // Of the matrix R = Rx Ry Rz; the hypotenuse keeps digits where the sine is nearly 1.
    let cosine = r[(0, 0)].hypot(r[(0, 1)]);
    let angles = Vec3::new(
        (-r[(1, 2)]).atan2(r[(2, 2)]),
        r[(0, 2)].atan2(cosine),
        (-r[(0, 1)]).atan2(r[(0, 0)]),
    );
    [angles, Axes::at(&angles).solve(omega)]
}

pub fn orientation(angles: &Vec3) -> Quat {
    let about = |axis, angle| Quat::from_axis_angle(&axis, angle);
    about(Vec3::x_axis(), angles.x)
        * about(Vec3::y_axis(), angles.y)
        * about(Vec3::z_axis(), angles.z)
}

/// `ω`.
pub fn velocity(angles: &Vec3, rates: &Vec3) -> Vec3 {
    Axes::at(angles).g * rates
}

/// `ρ̈` at `ω̇`.
pub fn rates_of(angles: &Vec3, rates: &Vec3, acceleration: &Vec3) -> Vec3 {
    let axes = Axes::at(angles);
    axes.solve(&(acceleration - axes.bias(rates)))
}

/// `ω̇` at `ρ̈`.
pub fn acceleration(angles: &Vec3, rates: &Vec3, second: &Vec3) -> Vec3 {
    let axes = Axes::at(angles);
    axes.g * second + axes.bias(rates)
}
