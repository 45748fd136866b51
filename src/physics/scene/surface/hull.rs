//! Convex hulls: quickhull in three dimensions [Barber1996].

use crate::math::Vec3;
use crate::model::Surface;
use std::collections::BTreeMap;

/// Points nearer to a plane than this, over the size of the set, count as lying in it: a hundred times what rounding
/// does to the plane of three of them.
const FLAT: f64 = 1e-12;

/// Hulls thinner than this, over their size, are no solids.
const THIN: f64 = 1e-6;

/// A triangle of the hull under construction, and the points that lie above it.
struct Face {
    corners: [u32; 3],
    normal: Vec3,
    offset: f64,
    above: Vec<u32>,
}

impl Face {
    fn new(corners: [u32; 3], points: &[Vec3]) -> Self {
        let [a, b, c] = corners.map(|k| points[k as usize]);
        let cross = (b - a).cross(&(c - a));
        let normal = cross.try_normalize(0.0).unwrap_or(cross);
        Self {
            corners,
            normal,
            offset: normal.dot(&((a + b + c) / 3.0)),
            above: Vec::new(),
        }
    }

    fn height(&self, point: &Vec3) -> f64 {
        self.normal.dot(point) - self.offset
    }

    fn edges(&self) -> [(u32, u32); 3] {
        let [a, b, c] = self.corners;
        [(a, b), (b, c), (c, a)]
    }
}

/// The convex hull of points; what is wrong with them if they span no solid.
pub(super) fn hull(points: &[Vec3]) -> Result<Surface, String> {
    let first = *points.first().ok_or("no points")?;
    let size = points
        .iter()
        .map(|p| (p - first).norm())
        .fold(0.0, f64::max);
    let tolerance = FLAT * size;
    let start = simplex(points, size)?;
    let inside = start.iter().map(|&k| points[k as usize]).sum::<Vec3>() / 4.0;
    let [a, b, c, d] = start;
    let outward = |corners: [u32; 3]| {
        let face = Face::new(corners, points);
        let [a, b, c] = corners;
        if face.height(&inside) > 0.0 {
            Face::new([a, c, b], points)
        } else {
            face
        }
    };
    let mut faces: Vec<Face> = [[a, b, c], [a, b, d], [a, c, d], [b, c, d]]
        .map(outward)
        .into();
    let all: Vec<u32> = (0..points.len() as u32).collect();
    assign(&all, &mut faces, points, tolerance);
    while let Some(face) = faces.iter().position(|f| !f.above.is_empty()) {
        let top = farthest(&faces[face], points);
        let at = points[top as usize];
        let (seen, kept): (Vec<Face>, Vec<Face>) =
            faces.into_iter().partition(|f| f.height(&at) > tolerance);
        // Edges of what the point sees whose other side it does not see.
        let mut rim = BTreeMap::new();
        for (from, to) in seen.iter().flat_map(Face::edges) {
            if rim.remove(&(to, from)).is_none() {
                rim.insert((from, to), ());
            }
        }
        let mut new: Vec<Face> = rim
            .keys()
            .map(|&(from, to)| Face::new([from, to, top], points))
            .collect();
        for old in &seen {
            assign(&old.above, &mut new, points, tolerance);
        }
        faces = kept;
        faces.append(&mut new);
    }
    Ok(surface(&faces, points))
}

/// Puts every point to the first of the faces that it is above; points inside are dropped.
fn assign(candidates: &[u32], faces: &mut [Face], points: &[Vec3], tolerance: f64) {
    for &k in candidates {
        let point = &points[k as usize];
        if let Some(face) = faces.iter_mut().find(|f| f.height(point) > tolerance) {
            face.above.push(k);
        }
    }
}

/// The highest point above a face. Of equally high ones the farthest from the face's first corner, so that points
/// within an edge or a flat side do not become corners.
fn farthest(face: &Face, points: &[Vec3]) -> u32 {
    let origin = points[face.corners[0] as usize];
    let key = |k: u32| {
        let point = &points[k as usize];
        (face.height(point), (point - origin).norm())
    };
    let better = |best: u32, k: u32| {
        let ((h0, d0), (h1, d1)) = (key(best), key(k));
        let tie = (h1 - h0).abs() <= 1e-12 * h0.abs();
        if (tie && d1 > d0) || (!tie && h1 > h0) {
            k
        } else {
            best
        }
    };
    face.above[1..]
        .iter()
        .fold(face.above[0], |best, &k| better(best, k))
}

/// Four points that span a tetrahedron.
fn simplex(points: &[Vec3], size: f64) -> Result<[u32; 4], String> {
    let most = |measure: &dyn Fn(&Vec3) -> f64| {
        let mut best = (0, f64::NEG_INFINITY);
        for (k, p) in points.iter().enumerate() {
            let m = measure(p);
            if m > best.1 {
                best = (k, m);
            }
        }
        best
    };
    if size <= 0.0 {
        return Err("points that all coincide".into());
    }
    let (a, _) = most(&|p| -p.x);
    let pa = points[a];
    let (b, length) = most(&|p| (p - pa).norm());
    let along = (points[b] - pa) / length;
    let (c, width) = most(&|p| (p - pa).cross(&along).norm());
    if width <= THIN * size {
        return Err("points that all lie on a line".into());
    }
    let normal = (points[b] - pa).cross(&(points[c] - pa)).normalize();
    let (d, height) = most(&|p| normal.dot(&(p - pa)).abs());
    if height <= THIN * size {
        return Err("points that all lie in a plane".into());
    }
    Ok([a, b, c, d].map(|k| k as u32))
}

/// The faces, with only the corners that they use.
fn surface(faces: &[Face], points: &[Vec3]) -> Surface {
    let mut places = BTreeMap::new();
    for &k in faces.iter().flat_map(|f| &f.corners) {
        places.insert(k, 0);
    }
    let mut vertices = Vec::new();
    for (k, place) in &mut places {
        *place = vertices.len() as u32;
        vertices.push(points[*k as usize]);
    }
    let mut triangles: Vec<[u32; 3]> = faces
        .iter()
        .map(|f| f.corners.map(|k| places[&k]))
        .collect();
    triangles.sort_unstable();
    Surface {
        vertices,
        triangles,
    }
}

#[cfg(test)]
mod tests {
    use super::super::open_edges;
    use super::*;
    use crate::model::specimen::Numbers;

    /// How far the highest of `points` is above any face.
    fn excess(surface: &Surface, points: &[Vec3]) -> f64 {
        let above = |t: &[u32; 3]| {
            let face = Face::new(*t, &surface.vertices);
            points
                .iter()
                .map(|p| face.height(p))
                .fold(f64::MIN, f64::max)
        };
        surface.triangles.iter().map(above).fold(f64::MIN, f64::max)
    }

    #[test]
    fn hulls_are_closed_convex_and_hold_their_points() {
        let mut numbers = Numbers(7);
        let random: Vec<Vec3> = (0..200).map(|_| numbers.vector()).collect();
        let ball: Vec<Vec3> = random.iter().map(|p| p.normalize() * 0.02).collect();
        // Coplanar, collinear and repeated points.
        let mut grid = Vec::new();
        for i in 0..125 {
            let [x, y, z] = [i % 5, i / 5 % 5, i / 25].map(f64::from);
            grid.push(Vec3::new(x, y, z) * 0.1);
        }
        grid.extend(grid.clone());
        let turn = numbers.rotation();
        let turned: Vec<Vec3> = grid.iter().map(|p| turn * p + Vec3::repeat(3.0)).collect();
        for points in [random, ball, grid, turned] {
            let size = (points[0] - points[1]).norm() + points[0].norm();
            let found = hull(&points).unwrap();
            assert_eq!(open_edges(&found.triangles), 0);
            // Euler's formula for a sphere of triangles.
            assert_eq!(found.triangles.len(), 2 * found.vertices.len() - 4);
            // Rounding of the planes.
            assert!(excess(&found, &points) < 1e-11 * size.max(1.0));
        }
    }

    #[test]
    fn a_box_has_its_eight_corners() {
        let mut points = Vec::new();
        for i in 0..27 {
            let [x, y, z] = [i % 3, i / 3 % 3, i / 9].map(|k| f64::from(k) - 1.0);
            points.push(Vec3::new(x, 2.0 * y, 3.0 * z));
        }
        let found = hull(&points).unwrap();
        assert_eq!((found.vertices.len(), found.triangles.len()), (8, 12));
        assert!(
            found
                .vertices
                .iter()
                .all(|v| v.abs() == Vec3::new(1.0, 2.0, 3.0))
        );
    }

    #[test]
    fn what_spans_no_solid_is_refused() {
        let on = |f: &dyn Fn(f64) -> Vec3| (0..9).map(|k| f(f64::from(k))).collect::<Vec<_>>();
        for (points, word) in [
            (Vec::new(), "no points"),
            (on(&|_| Vec3::x()), "coincide"),
            (on(&|k| Vec3::new(k, 2.0 * k, -k)), "on a line"),
            (on(&|k| Vec3::new(k, k * k, 3.0 - k)), "in a plane"),
        ] {
            let problem = hull(&points).unwrap_err();
            assert!(problem.contains(word), "{problem}");
        }
    }
}
