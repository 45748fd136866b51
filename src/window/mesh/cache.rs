//! Meshes and materials in use, shared wherever two things look the same, so that hundreds of bodies stay fast.

use crate::mesh::primitives;
use crate::theme::lighting;
use bevy::prelude::*;
use physics::model::{Colour, Geometry};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Meshes and materials by what they look like.
#[derive(Resource, Default)]
pub struct MeshCache {
    meshes: BTreeMap<[u64; 4], Handle<Mesh>>,
    materials: BTreeMap<([u8; 3], bool), Handle<StandardMaterial>>,
    /// Facets around round shapes.
    facets: u32,
}

impl MeshCache {
    /// An empty one for a scene whose round shapes have so many facets.
    pub fn new(facets: u32) -> Self {
        Self {
            facets,
            ..Self::default()
        }
    }

    /// The mesh of a geometry; none for a half-space.
    pub fn mesh(&mut self, geometry: &Geometry, store: &mut Assets<Mesh>) -> Option<Handle<Mesh>> {
        let key = key(geometry);
        if let Some(known) = self.meshes.get(&key) {
            return Some(known.clone());
        }
        let made = store.add(primitives::geometry(
            geometry,
            lighting::BEVEL,
            self.facets,
        )?);
        self.meshes.insert(key, made.clone());
        Some(made)
    }

    /// The mesh of a ring.
    pub fn ring(&mut self, radius: f64, thickness: f64, store: &mut Assets<Mesh>) -> Handle<Mesh> {
        let key = [RING, radius.to_bits(), thickness.to_bits(), 0];
        let facets = self.facets;
        let make = || store.add(primitives::ring(radius as f32, thickness as f32, facets));
        self.meshes.entry(key).or_insert_with(make).clone()
    }

    /// The material of a colour; that of an open surface is seen from both sides.
    pub fn material(
        &mut self,
        colour: Colour,
        open: bool,
        store: &mut Assets<StandardMaterial>,
    ) -> Handle<StandardMaterial> {
        let [r, g, b] = colour.map(|c| (c.clamp(0.0, 1.0) * 255.0).round() as u8);
        let make = || {
            store.add(StandardMaterial {
                base_color: Color::srgb_u8(r, g, b),
                perceptual_roughness: lighting::ROUGHNESS,
                reflectance: lighting::REFLECTANCE,
                double_sided: open,
                cull_mode: (!open).then_some(bevy::render::render_resource::Face::Back),
                ..default()
            })
        };
        let key = ([r, g, b], open);
        self.materials.entry(key).or_insert_with(make).clone()
    }
}

/// Whether a geometry may have no inside, as a height field or an open mesh.
pub fn is_open(geometry: &Geometry) -> bool {
    matches!(geometry, Geometry::Mesh(_) | Geometry::HeightField(_))
}

/// The tag of rings, which are no geometry of a model.
const RING: u64 = 10;

/// What tells one mesh from another: a tag and sizes, or whose surface it is.
fn key(geometry: &Geometry) -> [u64; 4] {
    let sized = |tag: u64, sizes: [f64; 3]| {
        let [a, b, c] = sizes.map(f64::to_bits);
        [tag, a, b, c]
    };
    // The model keeps its surfaces as long as it is drawn, so that an address is an identity.
    let of = |tag: u64, address: usize| [tag, address as u64, 0, 0];
    match geometry {
        Geometry::HalfSpace => [0; 4],
        Geometry::Sphere { radius } => sized(1, [*radius, 0.0, 0.0]),
        Geometry::Box { size } => sized(2, [size.x, size.y, size.z]),
        Geometry::Cylinder { radius, length } => sized(3, [*radius, *length, 0.0]),
        Geometry::Capsule { radius, length } => sized(4, [*radius, *length, 0.0]),
        Geometry::Cone { radius, length } => sized(5, [*radius, *length, 0.0]),
        Geometry::Ellipsoid { radii } => sized(6, [radii.x, radii.y, radii.z]),
        Geometry::Hull(surface) => of(7, Arc::as_ptr(surface).addr()),
        Geometry::Mesh(surface) => of(8, Arc::as_ptr(surface).addr()),
        Geometry::HeightField(field) => of(9, Arc::as_ptr(field).addr()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use physics::math::Vec3 as Vector;
    use physics::model::Surface;

    #[test]
    fn what_looks_the_same_is_one_mesh_and_one_material() {
        let mut cache = MeshCache::new(12);
        let mut meshes = Assets::<Mesh>::default();
        let surface = || Surface {
            vertices: vec![Vector::zeros(), Vector::x(), Vector::y()],
            triangles: vec![[0, 1, 2]],
        };
        let shared = Arc::new(surface());
        let one = Geometry::Sphere { radius: 0.1 };
        let other = Geometry::Ellipsoid {
            radii: Vector::repeat(0.1),
        };
        let shapes = [
            one.clone(),
            one,
            other,
            Geometry::Mesh(shared.clone()),
            Geometry::Mesh(shared),
            Geometry::Hull(Arc::new(surface())),
        ];
        let made: Vec<_> = shapes
            .iter()
            .map(|s| cache.mesh(s, &mut meshes).unwrap())
            .collect();
        assert_eq!(made[0], made[1]);
        assert_eq!(made[3], made[4]);
        assert_eq!(meshes.len(), 4);
        assert_eq!(cache.mesh(&Geometry::HalfSpace, &mut meshes), None);
        let mut materials = Assets::<StandardMaterial>::default();
        let mut wear = |c, open| cache.material(c, open, &mut materials);
        assert_eq!(wear([0.5; 3], false), wear([0.5; 3], false));
        assert_ne!(wear([0.5; 3], false), wear([0.5; 3], true));
        assert_eq!(materials.len(), 2);
    }
}
