//! The other lanes as they are drawn: ghosts beside the solid leader, or as the leader is in linked views.
//!
//! Bodies, joints and springs are built once and moved; cables and layers are drawn anew.

mod cables;
mod marks;
mod material;
#[cfg(test)]
mod tests;

use crate::camera::view::View;
use crate::commands::compare::LaneArrangement;
use crate::compare::Comparing;
use crate::compare::ghosts::cables::GhostCable;
use crate::compare::ghosts::material::GhostMaterial;
use crate::compare::views::layer;
use crate::mesh::cache::{MeshCache, is_open};
use crate::mesh::convert;
use crate::scene3d::joints;
use crate::scene3d::joints::JointPart;
use crate::scene3d::layers::sheets::{self, LayerMaterials, LayerMesh};
use crate::schedule::AppSet;
use crate::session::Session;
use crate::state::layers::Layer;
use crate::state::look::Look;
use crate::theme::{Palette, bright};
use bevy::asset::embedded_asset;
use bevy::camera::visibility::RenderLayers;
use bevy::light::{NotShadowCaster, NotShadowReceiver};
use bevy::prelude::*;
use physics::model::Colour;

/// A part of a lane's mechanism.
#[derive(Component)]
struct Ghost {
    /// The lane.
    lane: u64,
    /// What it goes with.
    limb: Limb,
}

/// What a part goes with.
#[derive(Clone, Copy)]
enum Limb {
    /// A body, by its place in the model.
    Body(usize),
    /// A joint or spring, which is hidden with its layer.
    Joint(JointPart),
}

/// Draws lanes.
pub struct GhostsPlugin;

impl Plugin for GhostsPlugin {
    fn build(&self, app: &mut App) {
        embedded_asset!(app, "ghost.wgsl");
        app.add_plugins(MaterialPlugin::<GhostMaterial>::default())
            .add_systems(
                Update,
                (build, place, (marks::redraw, cables::redraw))
                    .chain()
                    .in_set(AppSet::DrawLanes),
            );
    }
}

/// What the ghosts were built for.
#[derive(Clone, PartialEq)]
struct Built {
    generation: u64,
    /// The model's address, which the session keeps alive as long as it is drawn.
    model: usize,
    dark: bool,
    arrangement: LaneArrangement,
    lanes: Vec<(u64, [u8; 3])>,
}

/// What a lane is dressed in.
enum LaneLook {
    /// One colour that can be seen through.
    Ghost(Handle<GhostMaterial>),
    /// The colours of the mechanism, for the cameras of a layer.
    Solid(RenderLayers),
}

/// Builds the lanes that are drawn beside the leader, whenever these are others.
fn build(
    mut commands: Commands,
    session: Res<Session>,
    look: Res<Look>,
    view: Res<View>,
    comparing: Res<Comparing>,
    matter: Res<LayerMaterials>,
    mut built: Local<Option<Built>>,
    mut cache: ResMut<MeshCache>,
    mut meshes: ResMut<Assets<Mesh>>,
    mut ghosts: ResMut<Assets<GhostMaterial>>,
    mut solids: ResMut<Assets<StandardMaterial>>,
    old: Query<Entity, Or<(With<Ghost>, With<GhostCable>)>>,
    sheets: Query<(Entity, &LayerMesh)>,
) {
    let palette = Palette::of(look.dark);
    let model = session.model();
    let wanted = Built {
        generation: session.generation(),
        model: std::ptr::from_ref(model).addr(),
        dark: look.dark,
        arrangement: comparing.arrangement,
        lanes: comparing
            .beside()
            .map(|place| {
                let id = comparing.lanes()[place].id;
                (id, comparing.shade(place, palette).colour)
            })
            .collect(),
    };
    if built.as_ref() == Some(&wanted) {
        return;
    }
    let of_lanes = sheets.iter().filter(|(_, s)| s.lane.is_some());
    old.iter()
        .chain(of_lanes.map(|(entity, _)| entity))
        .for_each(|e| commands.entity(e).try_despawn());
    let joints = match wanted.lanes.is_empty() {
        true => Vec::new(),
        false => joints::visuals(
            model,
            [view.ball.radius, 0.0],
            palette,
            &mut cache,
            &mut meshes,
        ),
    };
    for (rank, (lane, colour)) in wanted.lanes.iter().enumerate() {
        let lane_look = match comparing.arrangement {
            LaneArrangement::Ghosts => LaneLook::Ghost(ghosts.add(GhostMaterial::new(*colour))),
            LaneArrangement::SideBySide => LaneLook::Solid(RenderLayers::layer(layer(rank))),
        };
        let layers = match &lane_look {
            LaneLook::Ghost(_) => RenderLayers::default(),
            LaneLook::Solid(layers) => layers.clone(),
        };
        sheets::spawn(&mut commands, &mut meshes, &matter, Some(*lane), &layers);
        if !model.cables.is_empty() {
            let mesh = meshes.add(Cuboid::default());
            cables::spawn(&mut commands, *lane, mesh, &lane_look, &mut solids);
        }
        for glyph in &joints {
            let piece = |(mesh, colour, pose): &(Handle<Mesh>, Colour, Transform)| GhostPiece {
                mesh: mesh.clone(),
                colour: *colour,
                open: false,
                pose: *pose,
            };
            let pieces = glyph.pieces.iter().map(piece).collect();
            let limb = Limb::Joint(glyph.part);
            lane_look.put_on(&mut commands, *lane, limb, pieces, &mut cache, &mut solids);
        }
        for (k, body) in model.bodies.iter().enumerate() {
            let own = bright(palette.bodies[k % palette.bodies.len()]);
            let pieces = body.shapes.iter().filter_map(|shape| {
                Some(GhostPiece {
                    mesh: cache.mesh(&shape.geometry, &mut meshes)?,
                    colour: shape.colour.unwrap_or(own),
                    open: is_open(&shape.geometry),
                    pose: convert::transform(&shape.pose),
                })
            });
            let (pieces, limb) = (pieces.collect(), Limb::Body(k));
            lane_look.put_on(&mut commands, *lane, limb, pieces, &mut cache, &mut solids);
        }
    }
    *built = Some(wanted);
}

/// A piece of a part, in the part's frame.
struct GhostPiece {
    mesh: Handle<Mesh>,
    colour: Colour,
    /// Whether it is seen from both sides.
    open: bool,
    pose: Transform,
}

impl LaneLook {
    /// Builds a part of a lane.
    fn put_on(
        &self,
        commands: &mut Commands,
        lane: u64,
        limb: Limb,
        pieces: Vec<GhostPiece>,
        cache: &mut MeshCache,
        solids: &mut Assets<StandardMaterial>,
    ) {
        let root = (
            Ghost { lane, limb },
            Transform::default(),
            Visibility::Hidden,
        );
        commands.spawn(root).with_children(|root| {
            for GhostPiece {
                mesh,
                colour,
                open,
                pose,
            } in pieces
            {
                let piece = (Mesh3d(mesh), pose, NotShadowCaster);
                match self {
                    Self::Ghost(material) => {
                        let material = MeshMaterial3d(material.clone());
                        root.spawn((piece, material, NotShadowReceiver));
                    }
                    Self::Solid(layers) => {
                        let material = MeshMaterial3d(cache.material(colour, open, solids));
                        root.spawn((piece, material, layers.clone()));
                    }
                }
            }
        });
    }
}

/// Puts the parts of the lanes where they are.
fn place(
    session: Res<Session>,
    look: Res<Look>,
    view: Res<View>,
    comparing: Res<Comparing>,
    mut ghosts: Query<(&Ghost, &mut Transform, &mut Visibility)>,
    mut sheets: Query<(&LayerMesh, &mut Transform), Without<Ghost>>,
    mut cables: Query<(&GhostCable, &mut Transform), (Without<Ghost>, Without<LayerMesh>)>,
) {
    let model = session.model();
    let away = |lane: u64| convert::vec3(&comparing.shift(lane, &view.orbit));
    for (ghost, mut transform, mut visibility) in &mut ghosts {
        let poses = comparing.poses(ghost.lane).unwrap_or_default();
        let pose = match &ghost.limb {
            Limb::Body(body) => poses.get(*body).map(convert::transform),
            Limb::Joint(_) if !look.layers.shows(Layer::Joints) || poses.is_empty() => None,
            Limb::Joint(part) => part.place(model, poses),
        };
        let Some(pose) = pose else {
            visibility.set_if_neq(Visibility::Hidden);
            continue;
        };
        visibility.set_if_neq(Visibility::Inherited);
        *transform = pose;
        transform.translation += away(ghost.lane);
    }
    let of_sheets = sheets
        .iter_mut()
        .filter_map(|(sheet, pose)| Some((sheet.lane?, pose)));
    let of_cables = cables.iter_mut().map(|(cable, pose)| (cable.0, pose));
    for (lane, mut transform) in of_sheets.chain(of_cables) {
        transform.set_if_neq(Transform::from_translation(away(lane)));
    }
}
