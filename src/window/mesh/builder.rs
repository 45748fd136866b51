//! Meshes that are drawn anew while things move: arrows, marks, cones and cables, coloured piece by piece.

use crate::mesh::primitives;
use bevy::color::Alpha;
use bevy::prelude::*;
use std::f32::consts::TAU;

/// Facets around a rod, and around what is large.
const AROUND: u32 = 10;
const FINE: u32 = 28;

/// A mesh in the making; all pieces but the cones are closed and face outwards.
#[derive(Debug, Clone, Default)]
pub struct MeshBuilder {
    positions: Vec<[f32; 3]>,
    normals: Vec<[f32; 3]>,
    colours: Vec<[f32; 4]>,
    indices: Vec<u32>,
}

impl MeshBuilder {
    /// Whether there is nothing to draw.
    pub fn is_empty(&self) -> bool {
        self.indices.is_empty()
    }

    /// The mesh.
    pub fn mesh(self) -> Mesh {
        primitives::assemble(self.positions, self.normals, self.indices)
            .with_inserted_attribute(Mesh::ATTRIBUTE_COLOR, self.colours)
    }

    /// Gives all that was drawn one colour; how much of the light behind it passes stays.
    pub fn tint(&mut self, colour: LinearRgba) {
        for own in &mut self.colours {
            *own = colour.with_alpha(own[3]).to_f32_array();
        }
    }

    /// A ball.
    pub fn ball(&mut self, centre: Vec3, radius: f32, colour: LinearRgba) {
        const RINGS: u32 = 6;
        let profile = |k: u32| {
            let (s, c) = (0.5 * TAU * k as f32 / RINGS as f32).sin_cos();
            [Vec2::new(radius * s, -radius * c), Vec2::new(s, -c)]
        };
        let profile: Vec<_> = (0..=RINGS).map(profile).collect();
        self.turn(centre, Vec3::Z, &profile, colour);
    }

    /// A flat disc.
    pub fn disc(
        &mut self,
        centre: Vec3,
        axis: Vec3,
        radius: f32,
        thickness: f32,
        colour: LinearRgba,
    ) {
        let half = 0.5 * thickness;
        self.drum(centre - axis * half, axis, thickness, radius, colour);
    }

    /// A rod from a point along a unit vector.
    pub fn drum(&mut self, from: Vec3, axis: Vec3, length: f32, radius: f32, colour: LinearRgba) {
        let (down, up, out) = (Vec2::NEG_Y, Vec2::Y, Vec2::X);
        let (low, high) = (Vec2::ZERO, Vec2::new(0.0, length));
        let rim = Vec2::new(radius, 0.0);
        let profile = [
            [low, down],
            [low + rim, down],
            [low + rim, out],
            [high + rim, out],
            [high + rim, up],
            [high, up],
        ];
        self.turn(from, axis, &profile, colour);
    }

    /// An arrow of a length along a unit vector; a short one is all head.
    pub fn arrow(&mut self, from: Vec3, axis: Vec3, length: f32, radius: f32, colour: LinearRgba) {
        let head = (6.0 * radius).min(length);
        let (width, shaft) = (0.4 * head, length - head);
        if shaft > 0.0 {
            self.drum(from, axis, shaft, radius, colour);
        }
        let slope = Vec2::new(head, width).normalize();
        let profile = [
            [Vec2::ZERO, Vec2::NEG_Y],
            [Vec2::new(width, 0.0), Vec2::NEG_Y],
            [Vec2::new(width, 0.0), slope],
            [Vec2::new(0.0, head), slope],
        ];
        self.turn(from + axis * shaft, axis, &profile, colour);
    }

    /// A cone that opens from its apex along a unit vector: a side to be seen through, and its rim.
    pub fn funnel(&mut self, apex: Vec3, axis: Vec3, height: f32, radius: f32, colour: LinearRgba) {
        /// Where the rim begins, and how much more of the light behind it than the side it takes.
        const RIM: (f32, f32) = (0.95, 2.6);
        let slope = Vec2::new(height, -radius).normalize();
        let (mouth, low) = (Vec2::new(radius, height), Vec2::ZERO);
        let edge = mouth * RIM.0;
        let rim = colour.with_alpha((colour.alpha * RIM.1).min(1.0));
        self.revolve(apex, axis, &[[low, slope], [edge, slope]], FINE, colour);
        self.revolve(apex, axis, &[[edge, slope], [mouth, slope]], FINE, rim);
    }

    /// A parallelogram about its middle, from which its sides are half their lengths away; it is seen from both faces.
    pub fn plate(&mut self, middle: Vec3, [u, v]: [Vec3; 2], colour: LinearRgba) {
        let corners = [-u - v, u - v, u + v, v - u];
        let normal = u.cross(v).normalize_or_zero();
        for (normal, order) in [(normal, [0, 1, 2, 0, 2, 3]), (-normal, [0, 2, 1, 0, 3, 2])] {
            let first = self.positions.len() as u32;
            for corner in corners {
                self.positions.push((middle + corner).to_array());
                self.normals.push(normal.to_array());
                self.colours.push(colour.to_f32_array());
            }
            self.indices.extend(order.map(|k| first + k));
        }
    }

    /// A rope through points.
    pub fn rope(&mut self, points: &[Vec3], radius: f32, colour: LinearRgba) {
        for pair in points.windows(2) {
            let along = pair[1] - pair[0];
            let length = along.length();
            if length > 0.0 {
                self.drum(pair[0], along / length, length, radius, colour);
            }
        }
        // Balls at the bends close the wedges between straight pieces.
        for bend in points.iter().skip(1).take(points.len().saturating_sub(2)) {
            self.ball(*bend, radius, colour);
        }
    }

    /// A thin line through points, its three sides without ends.
    pub fn wire(&mut self, points: &[Vec3], radius: f32, colour: LinearRgba) {
        const SIDES: u32 = 3;
        for pair in points.windows(2) {
            let along = (pair[1] - pair[0]).normalize_or_zero();
            if along == Vec3::ZERO {
                continue;
            }
            let (u, v) = along.any_orthonormal_pair();
            let first = self.positions.len() as u32;
            for end in pair {
                for k in 0..SIDES {
                    let (s, c) = (TAU * k as f32 / SIDES as f32).sin_cos();
                    let out = u * c + v * s;
                    self.positions.push((*end + out * radius).to_array());
                    self.normals.push(out.to_array());
                    self.colours.push(colour.to_f32_array());
                }
            }
            for k in 0..SIDES {
                let (a, b) = (first + k, first + (k + 1) % SIDES);
                self.indices
                    .extend([a, b, b + SIDES, a, b + SIDES, a + SIDES]);
            }
        }
    }

    /// A closed piece: what a profile sweeps out that begins and ends on the axis.
    fn turn(&mut self, at: Vec3, axis: Vec3, profile: &[[Vec2; 2]], colour: LinearRgba) {
        self.revolve(at, axis, profile, AROUND, colour);
    }

    /// What a profile of points and normals (across and along the axis) sweeps out as it turns about the axis.
    fn revolve(
        &mut self,
        at: Vec3,
        axis: Vec3,
        profile: &[[Vec2; 2]],
        around: u32,
        colour: LinearRgba,
    ) {
        let (u, v) = axis.any_orthonormal_pair();
        let first = self.positions.len() as u32;
        for [point, normal] in profile {
            for k in 0..around {
                let (s, c) = (TAU * k as f32 / around as f32).sin_cos();
                let out = u * c + v * s;
                self.positions
                    .push((at + out * point.x + axis * point.y).to_array());
                self.normals
                    .push((out * normal.x + axis * normal.y).to_array());
                self.colours.push(colour.to_f32_array());
            }
        }
        for (ring, pair) in profile.windows(2).enumerate() {
            // Where the normal jumps the two rings are in one place.
            if pair[0][0] == pair[1][0] {
                continue;
            }
            let ring = first + ring as u32 * around;
            for k in 0..around {
                let (a, b) = (ring + k, ring + (k + 1) % around);
                self.indices
                    .extend([a, b, b + around, a, b + around, a + around]);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::primitives::{tests::triangles, tests::volume};

    const SHADE: LinearRgba = LinearRgba::WHITE;

    fn drawn(draw: impl FnOnce(&mut MeshBuilder)) -> Mesh {
        let mut builder = MeshBuilder::default();
        draw(&mut builder);
        assert!(!builder.is_empty());
        builder.mesh()
    }

    /// Area of a regular polygon with as many corners as there are facets, in a circle of radius 1.
    fn polygon() -> f32 {
        0.5 * AROUND as f32 * (TAU / AROUND as f32).sin()
    }

    #[test]
    fn pieces_are_closed_and_face_outwards() {
        let axis = Vec3::new(1.0, 2.0, -2.0) / 3.0;
        let at = Vec3::new(0.3, -0.2, 0.5);
        let close = |mesh: &Mesh, wanted: f32| {
            let found = volume(mesh);
            // Single precision, far from the origin.
            assert!((found / wanted - 1.0).abs() < 1e-3, "{found} {wanted}");
        };
        close(
            &drawn(|s| s.drum(at, axis, 2.0, 0.5, SHADE)),
            polygon() * 0.25 * 2.0,
        );
        // A cone is open: from its apex on, its side is all that encloses.
        let funnel = drawn(|s| s.funnel(Vec3::ZERO, axis, 2.0, 0.5, SHADE));
        assert!(volume(&funnel).abs() < 1e-5);
        let depth = |p: Vec3| (p.dot(axis), p.reject_from(axis).length());
        for (along, across) in triangles(&funnel).into_iter().flatten().map(depth) {
            assert!((across - 0.25 * along).abs() < 1e-5, "on the cone");
        }
        // A shaft of 0.7 m and a head of 0.3 m length and 0.12 m radius.
        close(
            &drawn(|s| s.arrow(at, axis, 1.0, 0.05, SHADE)),
            polygon() * (0.7 * 0.0025 + 0.3 * 0.0144 / 3.0),
        );
        let ball = volume(&drawn(|s| s.ball(at, 1.0, SHADE)));
        // Six rings of ten facets leave out a fifth.
        assert!((0.75..1.0).contains(&(ball / (TAU * 2.0 / 3.0))), "{ball}");
    }

    #[test]
    fn an_arrow_ends_where_its_force_says_even_if_it_is_short() {
        for length in [0.01, 0.2, 3.0] {
            let mesh = drawn(|s| s.arrow(Vec3::ZERO, Vec3::Z, length, 0.05, SHADE));
            let tops = triangles(&mesh).into_iter().flatten().map(|p| p.z);
            let top = tops.fold(f32::MIN, f32::max);
            assert!((top - length).abs() < 1e-6);
        }
    }
}
