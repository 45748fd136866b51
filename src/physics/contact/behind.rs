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

/// Sine by which edges of a corner may lean into a face that it touches; of other points how far what is below them may be, in sizes.
const LEANING: f64 = 0.1;

/// Height over a face at which a point is flush with it, in [scales](scale).
const FLUSH: f64 = 1e-3;

impl Found<'_, '_> {
    /// The face of a surface through which the lowest point of a curved solid, of number `side`, over one of its faces is pushed out from
    /// behind it: the nearest, if nothing else is nearer.
    pub fn face_before(&self, side: usize, point: &Vec3) -> Option<usize> {
        let lowest = |normal: &Vec3| normal.dot(&self.solids[side].farthest(&-normal));
        let leaning = LEANING * self.pair.size;
        self.face_before_touched(side, point, 0.0, |normal| {
            normal.dot(point) <= lowest(normal) + leaning
        })
    }

    /// The same of a corner. One of a surface in a convex solid is pushed out through the nearest of the faces that it can touch, if there
    /// is one.
    pub fn face_before_corner(&self, side: usize, corner: &Corner) -> Option<usize> {
        let (at, radius) = (&corner.at, corner.radius);
        let touches = |normal: &Vec3, slack: f64| {
            let outward = -normal;
            self.solids[side].corner_faces(corner, &outward, slack)
        };
        if self.pair.solids[1 - side].convex {
            let nearest = self.nearest_face(side, at, radius, |normal| touches(normal, 0.0));
            let behind = nearest.filter(|found| self.is_behind(side, at, *found));
            if let Some((_, face)) = behind {
                return Some(face);
            }
        }
        self.face_before_touched(side, at, radius, |normal| touches(normal, LEANING))
    }

    /// The face through which a point is pushed out. One that it is flush with and cannot touch is passed over for one that it can: a brick
    /// that is pushed against another as high, on one floor, has corners in the top of that which do not stand on it.
    fn face_before_touched(
        &self,
        side: usize,
        point: &Vec3,
        radius: f64,
        touches: impl Fn(&Vec3) -> bool,
    ) -> Option<usize> {
        let nearest = self.nearest_face(side, point, radius, |_| true)?;
        let scale = scale(self.pair.solids);
        let normal = &self.solids[1 - side].faces[nearest.1].normal;
        let flush = nearest.0.abs() <= FLUSH * scale && !touches(normal);
        let touched = flush.then(|| self.nearest_face(side, point, radius, &touches));
        let found = match touched.flatten() {
            Some(touched) if touched.0.abs() <= EDGE_THICKNESS * scale => touched,
            _ => nearest,
        };
        self.is_behind(side, point, found).then_some(found.1)
    }

    /// The face of a surface that a point is nearest to, of those along whose normals it may be, and its height over it (m).
    fn nearest_face(
        &self,
        side: usize,
        point: &Vec3,
        radius: f64,
        along: impl Fn(&Vec3) -> bool,
    ) -> Option<(f64, usize)> {
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
        nearest
    }

    /// Whether a point is behind the face that it is nearest to, and nothing else is nearer.
    fn is_behind(&self, side: usize, point: &Vec3, (height, face): (f64, usize)) -> bool {
        let faces = self.solids[1 - side];
        let slack = TOUCHING * self.pair.size;
        let edges = self.near[1 - side].edges.iter();
        let outside = edges
            .filter_map(|k| self.beside(point, &faces.edges[*k], SEAM * self.pair.size))
            .any(|arm| arm.norm() < height.abs());
        // What has leaning sides narrows behind its faces, and a round side may be nearer.
        let out = |(foot, normal): (Vec3, Vec3)| normal.dot(&(foot - point)) < height.abs();
        let beside = self.pair.solids[1 - side].convex
            && (faces.is_beside(point, slack) || faces.beside(point).is_some_and(out));
        height < -slack && !outside && !beside && !self.is_hidden(side, point, face, height)
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
