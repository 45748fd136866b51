//! Meshes of surfaces of triangles: hulls, meshes and height fields, sharp where their faces meet at an angle.

use bevy::prelude::*;
use physics::math::Vec3 as Vector;
use physics::model::{HeightField, Surface};
use std::collections::BTreeMap;

/// Faces that meet at less than this are drawn as one smooth surface; its cosine (40°).
const SMOOTH: f64 = 0.766;

/// The mesh of a surface.
pub fn mesh(surface: &Surface) -> Mesh {
    let normals = corner_normals(surface);
    let corners = surface.triangles.iter().flatten();
    let positions = corners.map(|k| convert(&surface.vertices[*k as usize]));
    let indices = (0..3 * surface.triangles.len() as u32).collect();
    crate::mesh::primitives::assemble(
        positions.collect(),
        normals.iter().map(convert).collect(),
        indices,
    )
}

/// The surface moved outwards by a distance: what is left of it behind the original is its outline.
pub fn shell(surface: &Surface, width: f64) -> Mesh {
    let mut outwards: BTreeMap<[u64; 3], Vector> = BTreeMap::new();
    for triangle in &surface.triangles {
        let normal = unit(&area_normal(surface, triangle));
        for (corner, k) in triangle.iter().enumerate() {
            // By the angle at the corner, so that it does not matter how a flat face was cut into triangles.
            let weight = angle(surface, triangle, corner);
            *outwards.entry(place(surface, *k)).or_default() += normal * weight;
        }
    }
    let moved = |k: usize| {
        let way = outwards.get(&place(surface, k as u32));
        surface.vertices[k] + way.map_or(Vector::zeros(), |w| unit(w) * width)
    };
    mesh(&Surface {
        vertices: (0..surface.vertices.len()).map(moved).collect(),
        triangles: surface.triangles.clone(),
    })
}

/// The ground that a height field describes, as triangles seen from above.
pub fn ground(field: &HeightField) -> Surface {
    let [columns, rows] = field.samples;
    let step = [0, 1].map(|k| field.extent[k] / (field.samples[k] - 1) as f64);
    let vertex = |k: usize| {
        let (i, j) = (k % columns, k / columns);
        let x = i as f64 * step[0] - 0.5 * field.extent[0];
        let y = j as f64 * step[1] - 0.5 * field.extent[1];
        Vector::new(x, y, field.heights[k])
    };
    let cell = |k: usize| {
        let (i, j) = (k % (columns - 1), k / (columns - 1));
        let a = (j * columns + i) as u32;
        let (b, c, d) = (a + 1, a + columns as u32, a + columns as u32 + 1);
        [[a, b, d], [a, d, c]]
    };
    Surface {
        vertices: (0..columns * rows).map(vertex).collect(),
        triangles: (0..(columns - 1) * (rows - 1)).flat_map(cell).collect(),
    }
}

/// Least and greatest coordinates of the corners (m).
pub fn span(vertices: &[Vector]) -> [Vector; 2] {
    let first = vertices.first().copied().unwrap_or_default();
    vertices
        .iter()
        .fold([first; 2], |[low, high], v| [low.inf(v), high.sup(v)])
}

/// One normal per corner of every triangle: the mean over the faces around the corner that go on smoothly.
fn corner_normals(surface: &Surface) -> Vec<Vector> {
    let faces: Vec<Vector> = surface
        .triangles
        .iter()
        .map(|t| area_normal(surface, t))
        .collect();
    // Files often repeat a corner for every triangle, so corners are told apart by where they are.
    let mut around: BTreeMap<[u64; 3], Vec<usize>> = BTreeMap::new();
    for (face, triangle) in surface.triangles.iter().enumerate() {
        for k in triangle {
            around.entry(place(surface, *k)).or_default().push(face);
        }
    }
    let mut normals = Vec::with_capacity(3 * faces.len());
    for (face, triangle) in surface.triangles.iter().enumerate() {
        let own = unit(&faces[face]);
        for k in triangle {
            let near = around[&place(surface, *k)].iter().map(|f| faces[*f]);
            let smooth = near.filter(|n| unit(n).dot(&own) > SMOOTH);
            let sum: Vector = smooth.sum();
            normals.push(if sum == Vector::zeros() {
                own
            } else {
                unit(&sum)
            });
        }
    }
    normals
}

/// Normal of a triangle, as long as twice its area.
fn area_normal(surface: &Surface, triangle: &[u32; 3]) -> Vector {
    let [a, b, c] = triangle.map(|k| surface.vertices[k as usize]);
    (b - a).cross(&(c - a))
}

/// Angle of a triangle at one of its corners (rad).
fn angle(surface: &Surface, triangle: &[u32; 3], corner: usize) -> f64 {
    let at = |k: usize| surface.vertices[triangle[(corner + k) % 3] as usize];
    (at(1) - at(0)).angle(&(at(2) - at(0)))
}

fn unit(v: &Vector) -> Vector {
    v.try_normalize(0.0).unwrap_or(Vector::z())
}

/// Where a corner is, as a key. Both zeros are one place.
fn place(surface: &Surface, corner: u32) -> [u64; 3] {
    let v = surface.vertices[corner as usize];
    [v.x, v.y, v.z].map(|x| (x + 0.0).to_bits())
}

fn convert(v: &Vector) -> [f32; 3] {
    crate::mesh::convert::vec3(v).to_array()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::primitives::{tests::normals, tests::triangles, tests::volume};

    /// A unit cube whose twelve triangles share no corner, as files of triangles have it.
    fn cube() -> Surface {
        let corner = |k: usize| {
            Vector::new((k & 1) as f64, (k >> 1 & 1) as f64, (k >> 2 & 1) as f64)
                - Vector::repeat(0.5)
        };
        let quads = [
            [0, 2, 3, 1],
            [4, 5, 7, 6],
            [0, 1, 5, 4],
            [2, 6, 7, 3],
            [0, 4, 6, 2],
            [1, 3, 7, 5],
        ];
        let halves = quads.iter().flat_map(|[a, b, c, d]| [[a, b, c], [a, c, d]]);
        let vertices: Vec<Vector> = halves.flatten().map(|k| corner(*k)).collect();
        Surface {
            triangles: (0..12).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect(),
            vertices,
        }
    }

    #[test]
    fn a_cube_keeps_its_flat_faces_and_a_fine_ball_is_smooth() {
        let drawn = mesh(&cube());
        // Corners at half a metre: rounding of single precision only.
        assert!((volume(&drawn) - 1.0).abs() < 1e-6);
        for (corners, normal) in triangles(&drawn).iter().zip(normals(&drawn).chunks(3)) {
            let face = (corners[1] - corners[0]).cross(corners[2] - corners[0]);
            assert!(
                normal
                    .iter()
                    .all(|n| (*n - face.normalize()).length() < 1e-6)
            );
        }
        let ball = crate::mesh::primitives::ball(1.0, 36);
        let smooth = Surface {
            vertices: triangles(&ball)
                .iter()
                .flatten()
                .map(|p| Vector::new(p.x.into(), p.y.into(), p.z.into()))
                .collect(),
            triangles: (0..triangles(&ball).len() as u32)
                .map(|t| [3 * t, 3 * t + 1, 3 * t + 2])
                .collect(),
        };
        let drawn = mesh(&smooth);
        let corners: Vec<Vec3> = triangles(&drawn).into_iter().flatten().collect();
        for (at, normal) in corners.iter().zip(normals(&drawn)) {
            // Ten degrees between facets: the mean of the faces around a corner is within half of that.
            assert!(at.normalize().dot(normal) > 0.99, "{at} {normal}");
        }
    }

    #[test]
    fn a_shell_surrounds_its_surface_without_cracks() {
        let shell = shell(&cube(), 0.1);
        // Every corner of the cube moves along its diagonal by 0.1 m, each coordinate by 0.1/√3.
        let edge = 1.0 + 0.2 / 3f32.sqrt();
        assert!((volume(&shell) - edge.powi(3)).abs() < 1e-5);
    }

    #[test]
    fn ground_is_where_its_heights_are_and_faces_up() {
        let field = HeightField {
            extent: [4.0, 2.0],
            samples: [3, 2],
            heights: vec![0.0, 1.0, 2.0, 0.5, 1.5, 2.5],
        };
        let ground = ground(&field);
        assert_eq!(ground.triangles.len(), 4);
        assert_eq!(ground.vertices[5], Vector::new(2.0, 1.0, 2.5));
        assert_eq!(ground.vertices[1], Vector::new(0.0, -1.0, 1.0));
        let up = |t: &[u32; 3]| area_normal(&ground, t);
        let plan: f64 = ground.triangles.iter().map(|t| up(t).z).sum();
        assert!(
            (0.5 * plan - 8.0).abs() < 1e-12,
            "4 m by 2 m seen from above"
        );
        assert!(ground.triangles.iter().all(|t| up(t).z > 0.0));
        let [low, high] = span(&ground.vertices);
        assert_eq!((low.z, high.z), (0.0, 2.5));
    }
}
