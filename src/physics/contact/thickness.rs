//! How thin surfaces are: a solid that is behind one side of a plate by more than half of that is before the other.

use super::polyhedron::Polyhedron;
use super::solid::{Bounds, Near, Solid};
use crate::math::Vec3;

/// Faces that are looked at, at most.
const LOOKED_AT: usize = 1000;

/// How far beneath a face another is looked for, in sizes of the surface: what is thicker is as good as solid.
const FAR: f64 = 0.1;

/// Cosine of the angle from which on another face is the other side, and not one beside.
const FACING: f64 = 0.5;

/// Part of its area where a surface may be thinner.
const LESS: f64 = 0.02;

impl Solid {
    /// How thin a surface is where another side of it is beneath its faces, but for a small part of its area (m): infinite where none is,
    /// and of convex solids.
    pub fn measured_thickness(&self) -> f64 {
        if self.convex {
            return f64::INFINITY;
        }
        let solid = &*self.polyhedron;
        let mut near = Near::default();
        let every = solid.faces.len().div_ceil(LOOKED_AT).max(1);
        let faces = (0..solid.faces.len()).step_by(every);
        let found = faces.map(|k| (self.beneath(k, &mut near), solid.area(k)));
        let mut found: Vec<_> = found.collect();
        found.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut left = LESS * found.iter().map(|(_, area)| area).sum::<f64>();
        let rest = found.iter().find(|(_, area)| {
            left -= area;
            left < 0.0
        });
        rest.map_or(f64::INFINITY, |(thickness, _)| *thickness)
    }

    /// How far the other side is beneath the middle of a face (m), if it is near.
    fn beneath(&self, face: usize, near: &mut Near) -> f64 {
        let solid = &*self.polyhedron;
        let (from, normal) = (solid.middle_of(face), solid.faces[face].normal);
        let to = from - normal * (FAR * self.size);
        let bounds = Bounds::around([from, to].into_iter());
        self.features_within(&bounds, near);
        let depths = near.faces.iter().filter_map(|&other| {
            let facing = solid.faces[other].normal.dot(&normal);
            let depth = solid.faces[other].height(&from) / facing;
            let there = facing < -FACING && depth > 0.0 && depth <= FAR * self.size;
            (there && solid.depth_inside(other, &(from - normal * depth)) >= 0.0).then_some(depth)
        });
        depths.fold(f64::INFINITY, f64::min)
    }
}

impl Polyhedron {
    /// The middle of the corners of a face (m).
    fn middle_of(&self, face: usize) -> Vec3 {
        let sides = &self.sides[self.faces[face].sides.clone()];
        let sum: Vec3 = sides.iter().map(|side| side.at).sum();
        sum / sides.len() as f64
    }

    /// The area of a face (m²).
    fn area(&self, face: usize) -> f64 {
        let sides = &self.sides[self.faces[face].sides.clone()];
        let corners = || sides.iter().map(|side| side.at);
        let Some(first) = corners().next() else {
            return 0.0;
        };
        let pairs = corners().skip(1).zip(corners().skip(2));
        let areas = pairs.map(|(a, b)| (a - first).cross(&(b - first)).norm());
        0.5 * areas.sum::<f64>()
    }
}
