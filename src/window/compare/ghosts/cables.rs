//! Cables of lanes, which hang anew wherever their ends are.

use crate::camera::view::View;
use crate::compare::Comparing;
use crate::compare::ghosts::LaneLook;
use crate::compare::ghosts::material::GhostMaterial;
use crate::scene3d::cables;
use crate::scene3d::lighting::srgb;
use crate::session::Session;
use crate::state::layers::Layer;
use crate::state::look::Look;
use crate::theme::{Palette, lighting};
use bevy::camera::visibility::NoFrustumCulling;
use bevy::light::{NotShadowCaster, NotShadowReceiver};
use bevy::prelude::*;

/// All cables of a lane.
#[derive(Component)]
pub struct GhostCable(pub u64);

/// Prepares the cables of a lane, dressed as the rest of it.
pub fn spawn(
    commands: &mut Commands,
    lane: u64,
    mesh: Handle<Mesh>,
    lane_look: &LaneLook,
    solids: &mut Assets<StandardMaterial>,
) {
    let rope = (
        GhostCable(lane),
        Mesh3d(mesh),
        Transform::default(),
        Visibility::Hidden,
        (NotShadowCaster, NotShadowReceiver, NoFrustumCulling),
    );
    match lane_look {
        LaneLook::Ghost(material) => {
            let material: MeshMaterial3d<GhostMaterial> = MeshMaterial3d(material.clone());
            commands.spawn((rope, material));
        }
        LaneLook::Solid(layers) => {
            let material = solids.add(StandardMaterial {
                perceptual_roughness: lighting::ROUGHNESS,
                reflectance: lighting::REFLECTANCE,
                ..default()
            });
            commands.spawn((rope, MeshMaterial3d(material), layers.clone()));
        }
    }
}

/// Hangs the cables of the lanes anew.
pub fn redraw(
    session: Res<Session>,
    look: Res<Look>,
    view: Res<View>,
    comparing: Res<Comparing>,
    mut meshes: ResMut<Assets<Mesh>>,
    mut all: Query<(&GhostCable, &Mesh3d, &mut Visibility)>,
) {
    let model = session.model();
    let colour = srgb(Palette::of(look.dark).spring).to_linear();
    let radius = cables::thickness(view.ball.radius);
    for (rope, mesh, mut visibility) in &mut all {
        let poses = comparing
            .poses(rope.0)
            .filter(|_| look.layers.shows(Layer::Joints));
        let builder = poses.map(|poses| cables::drawn(model, poses, radius, colour));
        let Some(builder) = builder.filter(|s| !s.is_empty()) else {
            visibility.set_if_neq(Visibility::Hidden);
            continue;
        };
        visibility.set_if_neq(Visibility::Inherited);
        if let Err(error) = meshes.insert(mesh.id(), builder.mesh()) {
            bevy::log::debug!("the cables of a lane are not drawn: {error}");
        }
    }
}
