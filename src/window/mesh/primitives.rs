//! Meshes of shapes, joints and springs, axes along z as in the model.

use crate::mesh::surfaces;
use bevy::asset::RenderAssetUsages;
use bevy::mesh::{Indices, PrimitiveTopology};
use bevy::prelude::*;
use physics::model::Geometry;
use std::f32::consts::{FRAC_PI_2, TAU};

/// Facets around a round shape: in a scene of few bodies, and in one of many.
pub const FACETS: (u32, u32) = (36, 20);
/// From how many bodies on there are many.
pub const MANY: usize = 150;

/// The mesh of a geometry, round parts with so many facets; none for a half-space, which has no end.
pub fn geometry(geometry: &Geometry, bevel: f32, facets: u32) -> Option<Mesh> {
    Some(match geometry {
        Geometry::HalfSpace => return None,
        Geometry::Sphere { radius } => ball(*radius as f32, facets),
        Geometry::Box { size } => {
            let size = crate::mesh::convert::vec3(size);
            rounded_box(size, bevel * size.min_element())
        }
        Geometry::Cylinder { radius, length } => cylinder(*radius as f32, *length as f32, facets),
        Geometry::Capsule { radius, length } => {
            let mesh = Capsule3d::new(*radius as f32, *length as f32).mesh();
            upright(mesh.longitudes(facets).latitudes(facets / 2).build())
        }
        Geometry::Cone { radius, length } => cone(*radius as f32, *length as f32, facets)
            // Centred at half height there, at the centroid here.
            .translated_by(Vec3::Z * 0.25 * *length as f32),
        Geometry::Ellipsoid { radii } => {
            ball(1.0, facets).scaled_by(crate::mesh::convert::vec3(radii))
        }
        Geometry::Hull(surface) | Geometry::Mesh(surface) => surfaces::mesh(surface),
        Geometry::HeightField(field) => surfaces::mesh(&surfaces::ground(field)),
    })
}

/// A ball.
pub fn ball(radius: f32, facets: u32) -> Mesh {
    Sphere::new(radius).mesh().uv(facets, facets / 2 + 2)
}

/// A cylinder.
pub fn cylinder(radius: f32, length: f32, facets: u32) -> Mesh {
    upright(
        Cylinder::new(radius, length)
            .mesh()
            .resolution(facets)
            .build(),
    )
}

/// A cone, centred at half its height, its tip up.
pub fn cone(radius: f32, length: f32, facets: u32) -> Mesh {
    upright(Cone::new(radius, length).mesh().resolution(facets).build())
}

/// A ring.
pub fn ring(radius: f32, thickness: f32, facets: u32) -> Mesh {
    let torus = Torus {
        minor_radius: thickness,
        major_radius: radius,
    };
    upright(
        torus
            .mesh()
            .minor_resolution(facets as usize / 3 + 2)
            .major_resolution(facets as usize)
            .build(),
    )
}

/// From an axis along y to one along z.
fn upright(mesh: Mesh) -> Mesh {
    mesh.rotated_by(Quat::from_rotation_x(FRAC_PI_2))
}

/// A box whose edges are rounded so that they catch light.
pub fn rounded_box(size: Vec3, bevel: f32) -> Mesh {
    let half = size * 0.5;
    let inner = half - Vec3::splat(bevel);
    let (mut positions, mut normals, mut indices) = (Vec::new(), Vec::new(), Vec::new());
    for axis in 0..3 {
        for sign in [-1.0, 1.0] {
            let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
            let first = positions.len() as u32;
            // Four by four points: the flat middle and a rim that turns halfway round the edge.
            for i in 0..4 {
                for j in 0..4 {
                    let at = |k: usize, n: usize| [-half[k], -inner[k], inner[k], half[k]][n];
                    let mut point = Vec3::ZERO;
                    point[axis] = sign * half[axis];
                    point[u] = at(u, i);
                    point[v] = at(v, j);
                    let core = point.clamp(-inner, inner);
                    let normal = (point - core).normalize_or(Vec3::Z);
                    positions.push((core + normal * bevel).to_array());
                    normals.push(normal.to_array());
                }
            }
            for i in 0..3 {
                for j in 0..3 {
                    let a = first + i * 4 + j;
                    let corners = if sign > 0.0 {
                        [a, a + 4, a + 5, a + 1]
                    } else {
                        [a, a + 1, a + 5, a + 4]
                    };
                    let [a, b, c, d] = corners;
                    indices.extend([a, b, c, a, c, d]);
                }
            }
        }
    }
    assemble(positions, normals, indices)
}

/// A coil along z from the origin to the given length.
pub fn coil(radius: f32, wire: f32, length: f32, turns: u32) -> Mesh {
    const AROUND_WIRE: u32 = 8;
    let steps = turns * 20;
    let (mut positions, mut normals, mut indices) = (Vec::new(), Vec::new(), Vec::new());
    for i in 0..=steps {
        let share = i as f32 / steps as f32;
        let angle = share * turns as f32 * TAU;
        // The ends run into the axis, where the spring is fixed.
        let taper = (share.min(1.0 - share) * turns as f32).min(1.0);
        let out = Vec3::new(angle.cos(), angle.sin(), 0.0);
        let centre = out * radius * taper + Vec3::Z * share * length;
        let pitch = length / (turns as f32 * TAU * radius);
        let along = (Vec3::new(-angle.sin(), angle.cos(), pitch)).normalize();
        let side = along.cross(out);
        for j in 0..AROUND_WIRE {
            let (s, c) = (j as f32 / AROUND_WIRE as f32 * TAU).sin_cos();
            let normal = out * c + side * s;
            positions.push((centre + normal * wire).to_array());
            normals.push(normal.to_array());
            if i < steps {
                let (a, b) = (i * AROUND_WIRE + j, i * AROUND_WIRE + (j + 1) % AROUND_WIRE);
                indices.extend([a, b, b + AROUND_WIRE, a, b + AROUND_WIRE, a + AROUND_WIRE]);
            }
        }
    }
    assemble(positions, normals, indices)
}

/// A mesh from its parts.
pub fn assemble(positions: Vec<[f32; 3]>, normals: Vec<[f32; 3]>, indices: Vec<u32>) -> Mesh {
    // The standard material expects texture coordinates to exist; nothing here is textured.
    let uvs = vec![[0.0f32; 2]; positions.len()];
    Mesh::new(
        PrimitiveTopology::TriangleList,
        RenderAssetUsages::default(),
    )
    .with_inserted_attribute(Mesh::ATTRIBUTE_POSITION, positions)
    .with_inserted_attribute(Mesh::ATTRIBUTE_NORMAL, normals)
    .with_inserted_attribute(Mesh::ATTRIBUTE_UV_0, uvs)
    .with_inserted_indices(Indices::U32(indices))
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use bevy::mesh::{MeshVertexAttribute, VertexAttributeValues};

    fn vectors(mesh: &Mesh, attribute: MeshVertexAttribute) -> Vec<Vec3> {
        let Some(VertexAttributeValues::Float32x3(values)) = mesh.attribute(attribute) else {
            panic!("the attribute is missing");
        };
        values.iter().map(|v| Vec3::from_array(*v)).collect()
    }

    /// Normals, one per vertex.
    pub fn normals(mesh: &Mesh) -> Vec<Vec3> {
        vectors(mesh, Mesh::ATTRIBUTE_NORMAL)
    }

    /// Corners of all triangles.
    pub fn triangles(mesh: &Mesh) -> Vec<[Vec3; 3]> {
        let points = vectors(mesh, Mesh::ATTRIBUTE_POSITION);
        let indices: Vec<usize> = mesh.indices().unwrap().iter().collect();
        indices
            .chunks(3)
            .map(|t| [points[t[0]], points[t[1]], points[t[2]]])
            .collect()
    }

    /// Volume by the divergence theorem: positive only if all triangles face outwards and close up.
    pub fn volume(mesh: &Mesh) -> f32 {
        triangles(mesh)
            .iter()
            .map(|[a, b, c]| a.dot(b.cross(*c)) / 6.0)
            .sum()
    }

    #[test]
    fn meshes_enclose_the_volume_of_their_shapes() {
        let boxed = rounded_box(Vec3::new(1.0, 2.0, 3.0), 0.01);
        // A bevel of 1 cm takes less than half a percent.
        assert!((volume(&boxed) - 6.0).abs() < 0.03, "{}", volume(&boxed));
        let cases = [
            (Geometry::Sphere { radius: 0.5 }, TAU / 12.0),
            (
                Geometry::Cylinder {
                    radius: 0.5,
                    length: 2.0,
                },
                TAU / 4.0,
            ),
            (
                Geometry::Capsule {
                    radius: 0.5,
                    length: 2.0,
                },
                TAU / 4.0 + TAU / 12.0,
            ),
            (
                Geometry::Cone {
                    radius: 0.5,
                    length: 3.0,
                },
                TAU / 8.0,
            ),
            (
                Geometry::Ellipsoid {
                    radii: physics::math::Vec3::new(0.5, 1.0, 1.5),
                },
                TAU / 2.0,
            ),
        ];
        for (shape, exact) in cases {
            let found = volume(&geometry(&shape, 0.1, FACETS.0).unwrap());
            // Thirty-six facets leave out about half a percent, twenty rings of a ball a little more.
            assert!(
                (found / exact - 1.0).abs() < 0.02,
                "{shape:?}: {found} {exact}"
            );
        }
    }

    #[test]
    fn a_cone_has_its_centroid_at_the_origin_and_a_coil_its_ends_on_the_axis() {
        let cone = geometry(
            &Geometry::Cone {
                radius: 0.5,
                length: 2.0,
            },
            0.0,
            FACETS.0,
        )
        .unwrap();
        let heights = triangles(&cone).into_iter().flatten().map(|p| p.z);
        let (low, high) = heights.fold((f32::MAX, f32::MIN), |(l, h), z| (l.min(z), h.max(z)));
        assert!((low + 0.5).abs() < 1e-6 && (high - 1.5).abs() < 1e-6);
        let coil = coil(0.1, 0.01, 1.0, 8);
        for triangle in triangles(&coil) {
            for p in triangle.into_iter().filter(|p| p.z < 0.001 || p.z > 0.999) {
                assert!(p.truncate().length() < 0.03, "{p}");
            }
        }
    }
}
