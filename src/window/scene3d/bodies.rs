//! Bodies and shapes of the world as they are drawn, and the outline of the selected body.

use crate::camera::bounds;
use crate::camera::view::View;
use crate::mesh::cache::{MeshCache, is_open};
use crate::mesh::{convert, primitives, stout, surfaces};
use crate::schedule::AppSet;
use crate::session::Session;
use crate::state::highlight::Highlight;
use crate::state::look::Look;
use crate::state::selection::Selection;
use crate::theme::{Palette, bright, lighting};
use bevy::prelude::*;
use bevy::render::render_resource::Face;
use physics::math::Pose;
use physics::model::{BodyId, Colour, Geometry, Shape};

/// Everything that is drawn for the scene and goes with it.
#[derive(Component)]
pub struct Prop;

/// A body.
#[derive(Component)]
pub struct BodyVisual(pub BodyId);

/// A shape of a body, in its own colour while the body is awake and muted while it sleeps.
#[derive(Component)]
struct BodyPiece {
    body: BodyId,
    colour: Colour,
    open: bool,
    muted: bool,
}

/// How much of its own colour a body keeps that sleeps; the rest is the world's.
const KEPT: f32 = 0.35;

/// The outline of a body that is selected or pointed at.
#[derive(Component)]
struct Outline;

/// Draws the bodies.
pub struct BodiesPlugin;

impl Plugin for BodiesPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<MeshCache>().add_systems(
            Update,
            (build, place, mute, outline).chain().in_set(AppSet::Draw),
        );
    }
}

/// Builds the bodies of a scene that was opened, or again when the theme changed.
pub fn build(
    mut commands: Commands,
    session: Res<Session>,
    look: Res<Look>,
    mut built: Local<Option<(u64, bool)>>,
    mut cache: ResMut<MeshCache>,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<StandardMaterial>>,
    old: Query<Entity, (With<Prop>, Without<crate::scene3d::joints::JointVisual>)>,
) {
    if *built == Some((session.appearance(), look.dark)) {
        return;
    }
    *built = Some((session.appearance(), look.dark));
    old.iter().for_each(|e| commands.entity(e).despawn());
    let palette = Palette::of(look.dark);
    let model = session.model();
    let (few, many) = primitives::FACETS;
    let facets = if model.bodies.len() < primitives::MANY {
        few
    } else {
        many
    };
    *cache = MeshCache::new(facets);
    let mut piece = |shape: &Shape, fallback: Colour| {
        let geometry = stout::at_least(&shape.geometry, look.least.unwrap_or(0.0));
        let mesh = cache.mesh(&geometry, &mut meshes)?;
        let colour = shape.colour.unwrap_or(fallback);
        let material = cache.material(colour, is_open(&shape.geometry), &mut materials);
        let pose = convert::transform(&shape.pose);
        Some((Mesh3d(mesh), MeshMaterial3d(material), pose))
    };
    for piece in model
        .world_shapes
        .iter()
        .filter_map(|s| piece(s, bright(palette.world)))
    {
        commands.spawn((Prop, piece, crate::scene3d::lighting::shared()));
    }
    for (k, body) in model.bodies.iter().enumerate() {
        let fallback = bright(palette.bodies[k % palette.bodies.len()]);
        let pieces = body.shapes.iter().filter_map(|shape| {
            let own = BodyPiece {
                body: BodyId(k),
                colour: shape.colour.unwrap_or(fallback),
                open: is_open(&shape.geometry),
                muted: false,
            };
            Some((own, piece(shape, fallback)?))
        });
        let pieces: Vec<_> = pieces.collect();
        commands
            .spawn((
                Prop,
                BodyVisual(BodyId(k)),
                Transform::default(),
                Visibility::default(),
            ))
            .with_children(|parent| {
                pieces.into_iter().for_each(|p| {
                    parent.spawn(p);
                })
            });
    }
}

/// Puts the bodies where they are between two steps.
fn place(view: Res<View>, mut figures: Query<(&BodyVisual, &mut Transform)>) {
    for (figure, mut transform) in &mut figures {
        if let Some(pose) = view.poses.get(figure.0.0) {
            *transform = convert::transform(pose);
        }
    }
}

/// Mutes the bodies that fell asleep, and gives those their colours back that woke.
fn mute(
    session: Res<Session>,
    look: Res<Look>,
    mut cache: ResMut<MeshCache>,
    mut materials: ResMut<Assets<StandardMaterial>>,
    mut pieces: Query<(&mut BodyPiece, &mut MeshMaterial3d<StandardMaterial>)>,
) {
    let state = session.state();
    let world = bright(Palette::of(look.dark).world);
    for (mut piece, mut material) in &mut pieces {
        let muted = state.sleeps(piece.body);
        if muted == piece.muted {
            continue;
        }
        piece.muted = muted;
        let own = piece.colour;
        let colour = match muted {
            true => std::array::from_fn(|k| KEPT * own[k] + (1.0 - KEPT) * world[k]),
            false => own,
        };
        material.0 = cache.material(colour, piece.open, &mut materials);
    }
}

/// Gives the selected body an outline, and those that a panel points at: their shapes once more, a little larger, seen
/// from the inside.
fn outline(
    mut commands: Commands,
    session: Res<Session>,
    look: Res<Look>,
    highlight: Res<Highlight>,
    view: Res<View>,
    mut drawn: Local<Option<(u64, bool, Vec<BodyId>)>>,
    mut cache: ResMut<MeshCache>,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<StandardMaterial>>,
    outlines: Query<Entity, With<Outline>>,
    figures: Query<(Entity, &BodyVisual)>,
) {
    let reached = highlight.in_reach.map(Selection::body);
    let lit = highlight
        .selection
        .iter()
        .chain(&highlight.pointed)
        .chain(&reached);
    let mut bodies: Vec<BodyId> = lit.filter_map(|s| s.as_body()).collect();
    bodies.sort_unstable();
    bodies.dedup();
    let wanted = (session.appearance(), look.dark, bodies);
    if drawn.as_ref() == Some(&wanted) {
        return;
    }
    // Right after a scene was opened its figures do not exist yet.
    let found: Vec<(Entity, BodyId)> = figures
        .iter()
        .filter(|(_, f)| wanted.2.contains(&f.0))
        .map(|(entity, f)| (entity, f.0))
        .collect();
    if found.len() < wanted.2.len() {
        return;
    }
    outlines.iter().for_each(|e| commands.entity(e).despawn());
    *drawn = Some(wanted);
    if found.is_empty() {
        return;
    }
    let material = materials.add(StandardMaterial {
        base_color: crate::scene3d::lighting::srgb(Palette::of(look.dark).accent),
        unlit: true,
        cull_mode: Some(Face::Front),
        ..default()
    });
    let model = session.model();
    for (entity, body) in found {
        let size = bounds::body(&model.bodies[body.0], &Pose::identity()).radius;
        let (of_scene, of_body) = lighting::OUTLINE;
        let width = (of_scene * view.ball.radius).min(of_body * size);
        for shape in &model.bodies[body.0].shapes {
            let mut pose = convert::transform(&shape.pose);
            let mesh = match &shape.geometry {
                Geometry::Hull(surface) | Geometry::Mesh(surface) => {
                    meshes.add(surfaces::shell(surface, width))
                }
                round => {
                    let (Some(half), Some(mesh)) =
                        (half_size(round), cache.mesh(round, &mut meshes))
                    else {
                        continue;
                    };
                    pose.scale = Vec3::ONE + width as f32 / half;
                    mesh
                }
            };
            let piece = (
                Outline,
                Mesh3d(mesh),
                MeshMaterial3d(material.clone()),
                pose,
                bevy::light::NotShadowCaster,
            );
            commands.entity(entity).with_child(piece);
        }
    }
}

/// Half the size of a geometry along its own axes, for those that may be scaled about their middle.
fn half_size(geometry: &Geometry) -> Option<Vec3> {
    let round = |radius: f64, half: f64| Vec3::new(radius as f32, radius as f32, half as f32);
    Some(match *geometry {
        Geometry::Sphere { radius } => round(radius, radius),
        Geometry::Box { size } => convert::vec3(&size) * 0.5,
        Geometry::Cylinder { radius, length } => round(radius, 0.5 * length),
        Geometry::Capsule { radius, length } => round(radius, 0.5 * length + radius),
        Geometry::Cone { radius, length } => round(radius, 0.5 * length),
        Geometry::Ellipsoid { radii } => convert::vec3(&radii),
        Geometry::HalfSpace | Geometry::Hull(_) | Geometry::Mesh(_) | Geometry::HeightField(_) => {
            return None;
        }
    })
}
