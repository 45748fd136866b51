//! What layers are drawn on: for every motion that is shown, one mesh of points and arrows and one of what is seen
//! through.
//!
//! What lies within bodies shows through them, fainter than what lies before them.

use crate::mesh::builder::MeshBuilder;
use crate::state::layers::Drawing;
use crate::theme::{contact, lighting};
use bevy::camera::visibility::{NoFrustumCulling, RenderLayers};
use bevy::light::{NotShadowCaster, NotShadowReceiver};
use bevy::prelude::*;

/// A mesh with what layers draw.
#[derive(Component, Debug, Clone, Copy, PartialEq, Eq)]
pub struct LayerMesh {
    /// The lane whose motion it shows; none for the session's.
    pub lane: Option<u64>,
    /// Whether it holds what is seen through; otherwise points and arrows.
    pub veils: bool,
}

/// Moves the marks that show through in front of everything: as much nearer as the depth can say.
const IN_FRONT: f32 = 1e9;

/// What sheets are made of; their colours are in the meshes.
#[derive(Resource, Debug, Clone)]
pub struct LayerMaterials {
    solid: Handle<StandardMaterial>,
    through: Handle<StandardMaterial>,
    veil: Handle<StandardMaterial>,
}

impl LayerMaterials {
    /// The materials.
    pub fn new(materials: &mut Assets<StandardMaterial>) -> Self {
        Self {
            solid: materials.add(StandardMaterial {
                perceptual_roughness: lighting::ROUGHNESS,
                reflectance: lighting::REFLECTANCE,
                ..default()
            }),
            through: materials.add(StandardMaterial {
                base_color: Color::WHITE.with_alpha(contact::THROUGH),
                unlit: true,
                alpha_mode: AlphaMode::Blend,
                depth_bias: IN_FRONT,
                ..default()
            }),
            veil: materials.add(StandardMaterial {
                unlit: true,
                alpha_mode: AlphaMode::Blend,
                cull_mode: None,
                ..default()
            }),
        }
    }
}

/// Lays out the sheets of a motion, empty, for the cameras that see `layers`.
pub fn spawn(
    commands: &mut Commands,
    meshes: &mut Assets<Mesh>,
    matter: &LayerMaterials,
    lane: Option<u64>,
    layers: &RenderLayers,
) {
    let still = || (NotShadowCaster, NotShadowReceiver, NoFrustumCulling);
    let mut sheet = |veils: bool, materials: &[&Handle<StandardMaterial>]| {
        let mesh = Mesh3d(meshes.add(Cuboid::default()));
        for material in materials {
            commands.spawn((
                LayerMesh { lane, veils },
                mesh.clone(),
                MeshMaterial3d((*material).clone()),
                Visibility::Hidden,
                Transform::default(),
                layers.clone(),
                still(),
            ));
        }
    };
    sheet(false, &[&matter.solid, &matter.through]);
    sheet(true, &[&matter.veil]);
}

/// Puts what was drawn of a motion in the place of what was drawn before.
pub fn show(
    drawing: Drawing,
    lane: Option<u64>,
    sheets: &mut Query<(&LayerMesh, &Mesh3d, &mut Visibility)>,
    meshes: &mut Assets<Mesh>,
) {
    let wanted = |builder: &MeshBuilder| match builder.is_empty() {
        true => Visibility::Hidden,
        false => Visibility::Inherited,
    };
    let seen = [wanted(&drawing.marks), wanted(&drawing.veils)];
    let mut made = [drawing.marks, drawing.veils].map(|s| (!s.is_empty()).then(|| s.mesh()));
    for (sheet, mesh, mut visibility) in sheets.iter_mut().filter(|(s, ..)| s.lane == lane) {
        let kind = usize::from(sheet.veils);
        visibility.set_if_neq(seen[kind]);
        // Sheets of a kind share one mesh.
        if let Some(made) = made[kind].take()
            && let Err(error) = meshes.insert(mesh.id(), made)
        {
            bevy::log::debug!("the layers are not drawn: {error}");
        }
    }
}
