//! Which face of a surface holds what is behind several.

use super::narrow::EDGE_THICKNESS;
use super::pair::TOUCHING;
use super::pairs::{Found, SEAM};
use super::polyhedron::Corner;
use super::question::scale;
use crate::math::Vec3;
use nalgebra::Point3;

/// Directions from the normal of one face to that of another along which solids may part sooner than along the first.
const BETWEEN: u32 = 4;

impl Found<'_, '_> {
    /// The face of a surface through which a point of the solid of number `side`, rounded, is pushed out from behind it: the nearest, if
    /// nothing else is nearer.
    pub fn face_before(&self, side: usize, point: &Vec3, radius: f64) -> Option<usize> {
        self.face_before_along(side, point, radius, |_| true)
    }

    /// The same for a corner. One of a surface in a convex solid is pushed out through the nearest of the faces that it can touch, if there
    /// is one.
    pub fn face_before_corner(&self, side: usize, corner: &Corner) -> Option<usize> {
        let (at, radius) = (&corner.at, corner.radius);
        let any = || self.face_before(side, at, radius);
        if !self.pair.solids[1 - side].convex {
            return any();
        }
        let touches = |normal: &Vec3| self.solids[side].corner_faces(corner, &-normal, 0.0);
        self.face_before_along(side, at, radius, touches)
            .or_else(any)
    }

    fn face_before_along(
        &self,
        side: usize,
        point: &Vec3,
        radius: f64,
        along: impl Fn(&Vec3) -> bool,
    ) -> Option<usize> {
        if !self.surface() {
            return None;
        }
        let faces = self.solids[1 - side];
        let border = self.border(radius);
        let mut nearest: Option<(f64, usize)> = None;
        for &j in &self.near[1 - side].faces {
            let height = faces.faces[j].height(point);
            if nearest.is_none_or(|(least, _)| height.abs() < least.abs())
                && faces.depth_inside(j, point) >= -border
                && along(&faces.faces[j].normal)
            {
                nearest = Some((height, j));
            }
        }
        let (height, face) = nearest?;
        let slack = TOUCHING * self.pair.size;
        let edges = self.near[1 - side].edges.iter();
        let outside = edges
            .filter_map(|k| self.beside(point, &faces.edges[*k], SEAM * self.pair.size))
            .any(|arm| arm.norm() < height.abs());
        // What has leaning sides narrows behind its faces, and a round side may be nearer.
        let out = |(foot, normal): (Vec3, Vec3)| normal.dot(&(foot - point)) < height.abs();
        let beside = self.pair.solids[1 - side].convex
            && (faces.is_beside(point, slack) || faces.beside(point).is_some_and(out));
        (height < -slack && !outside && !beside && !self.is_hidden(side, point, face, height))
            .then_some(face)
    }

    /// Whether a point of the solid of number `side` that is far behind a face of a surface has more of that between: of two surfaces
    /// what is far from the other is not compared, and need not be what such a point is in.
    fn is_hidden(&self, side: usize, point: &Vec3, face: usize, height: f64) -> bool {
        if height >= -EDGE_THICKNESS * scale(self.pair.solids) {
            return false;
        }
        let foot = point - self.solids[1 - side].faces[face].normal * height;
        let of_second = [*point, foot].map(Point3::from);
        let [from, to] = match side {
            0 => of_second,
            _ => {
                let first_from_second = self.pair.poses[0].inverse() * self.pair.poses[1];
                of_second.map(|at| first_from_second * at)
            }
        };
        self.pair.solids[1 - side].is_entered([&from.coords, &to.coords])
    }

    /// Whether a face may hold a point of the solid of number `side` at that height over it, where the face that is
    /// [before](Self::face_before) the point is known: if it is this one; and if the point is the lowest of its solid, which part by less
    /// along the normal of this one. A point before a surface may be behind faces that it cannot reach.
    pub fn holds(
        &self,
        side: usize,
        point: &Vec3,
        before: Option<usize>,
        face: usize,
        height: f64,
    ) -> bool {
        match before {
            Some(only) => only == face || self.parts_sooner(side, point, [face, only], height),
            None => !self.surface() || height >= -2.0 * TOUCHING * self.pair.size,
        }
    }

    /// Whether a point is the lowest of a convex solid, of number `side`, over the first of two faces that it is behind, and the solids part
    /// along the normal of the first by less than along that of the second and over the edge between both.
    fn parts_sooner(&self, side: usize, point: &Vec3, faces: [usize; 2], height: f64) -> bool {
        let (solid, surface) = (self.solids[side], self.solids[1 - side]);
        let [first, second] = faces.map(|k| &surface.faces[k]);
        let lowest = |way: &Vec3| way.dot(&solid.farthest(&-way));
        let slack = TOUCHING * self.pair.size;
        if !self.pair.solids[side].convex || lowest(&first.normal) < first.normal.dot(point) - slack
        {
            return false;
        }
        (1..=BETWEEN).all(|k| {
            let share = f64::from(k) / f64::from(BETWEEN);
            let parts = [first.normal * (1.0 - share), second.normal * share];
            let way = parts[0] + parts[1];
            // Both planes go through the edge.
            let edge = parts[0].dot(&first.at) + parts[1].dot(&second.at);
            lowest(&way) - edge <= height * way.norm()
        })
    }
}
