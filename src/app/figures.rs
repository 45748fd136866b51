//! Bodies as they are drawn: meshes and materials, shared wherever two look the same.

use super::actions::Selection;
use super::convert;
use super::meshes;
use super::session::Session;
use super::shell::Shell;
use super::theme::{Palette, bright, studio};
use super::view::View;
use crate::model::{BodyId, Colour, Geometry, Shape};
use bevy::prelude::*;
use bevy::render::render_resource::Face;
use std::collections::BTreeMap;

/// Everything that is drawn for the scene and goes with it.
#[derive(Component)]
pub struct Prop;

/// A body.
#[derive(Component)]
pub struct Figure(pub BodyId);

/// The outline of the selected body.
#[derive(Component)]
struct Outline;

/// Meshes and materials in use, by what they look like.
#[derive(Resource, Default)]
pub struct Wardrobe {
    meshes: BTreeMap<[u64; 4], Handle<Mesh>>,
    materials: BTreeMap<[u8; 3], Handle<StandardMaterial>>,
    /// Facets around round shapes.
    pub facets: u32,
}

impl Wardrobe {
    /// The mesh of a geometry.
    pub fn mesh(&mut self, geometry: &Geometry, store: &mut Assets<Mesh>) -> Handle<Mesh> {
        let key = match *geometry {
            Geometry::Sphere { radius } => [0.0, radius, 0.0, 0.0],
            Geometry::Box { size } => [1.0, size.x, size.y, size.z],
            Geometry::Cylinder { radius, length } => [2.0, radius, length, 0.0],
            Geometry::Capsule { radius, length } => [3.0, radius, length, 0.0],
            Geometry::Cone { radius, length } => [4.0, radius, length, 0.0],
        };
        let facets = self.facets;
        let make = || store.add(meshes::geometry(geometry, studio::BEVEL, facets));
        self.meshes
            .entry(key.map(f64::to_bits))
            .or_insert_with(make)
            .clone()
    }

    /// The mesh of a ring.
    pub fn ring(&mut self, radius: f64, thickness: f64, store: &mut Assets<Mesh>) -> Handle<Mesh> {
        let key = [5.0, radius, thickness, 0.0].map(f64::to_bits);
        let facets = self.facets;
        let make = || store.add(meshes::ring(radius as f32, thickness as f32, facets));
        self.meshes.entry(key).or_insert_with(make).clone()
    }

    /// The material of a colour.
    pub fn material(
        &mut self,
        colour: Colour,
        store: &mut Assets<StandardMaterial>,
    ) -> Handle<StandardMaterial> {
        let key = colour.map(|c| (c.clamp(0.0, 1.0) * 255.0).round() as u8);
        let make = || {
            store.add(StandardMaterial {
                base_color: Color::srgb_u8(key[0], key[1], key[2]),
                perceptual_roughness: studio::ROUGHNESS,
                reflectance: studio::REFLECTANCE,
                ..default()
            })
        };
        self.materials.entry(key).or_insert_with(make).clone()
    }
}

/// Draws the bodies.
pub struct FiguresPlugin;

impl Plugin for FiguresPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<Wardrobe>().add_systems(
            Update,
            (build, place, outline).chain().in_set(super::AppSet::Draw),
        );
    }
}

/// Builds the bodies of a scene that was opened, or again when the theme changed.
pub fn build(
    mut commands: Commands,
    session: Res<Session>,
    shell: Res<Shell>,
    mut built: Local<Option<(u64, bool)>>,
    mut wardrobe: ResMut<Wardrobe>,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<StandardMaterial>>,
    old: Query<Entity, (With<Prop>, Without<super::glyphs::Glyph>)>,
) {
    if *built == Some((session.generation, shell.dark)) {
        return;
    }
    *built = Some((session.generation, shell.dark));
    old.iter().for_each(|e| commands.entity(e).despawn());
    let palette = Palette::of(shell.dark);
    let model = session.simulation.model();
    let (few, many) = meshes::FACETS;
    let facets = if model.bodies.len() < meshes::MANY {
        few
    } else {
        many
    };
    *wardrobe = Wardrobe {
        facets,
        ..Wardrobe::default()
    };
    let mut piece = |shape: &Shape, fallback: Colour| {
        (
            Mesh3d(wardrobe.mesh(&shape.geometry, &mut meshes)),
            MeshMaterial3d(wardrobe.material(shape.colour.unwrap_or(fallback), &mut materials)),
            convert::transform(&shape.pose),
        )
    };
    for shape in &model.world_shapes {
        commands.spawn((Prop, piece(shape, bright(palette.world))));
    }
    for (k, body) in model.bodies.iter().enumerate() {
        let fallback = bright(palette.bodies[k % palette.bodies.len()]);
        let pieces: Vec<_> = body.shapes.iter().map(|s| piece(s, fallback)).collect();
        commands
            .spawn((
                Prop,
                Figure(BodyId(k)),
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
fn place(view: Res<View>, mut figures: Query<(&Figure, &mut Transform)>) {
    for (figure, mut transform) in &mut figures {
        if let Some(pose) = view.poses.get(figure.0.0) {
            *transform = convert::transform(pose);
        }
    }
}

/// Gives the selected body an outline: its shapes once more, a little larger, seen from the inside.
fn outline(
    mut commands: Commands,
    session: Res<Session>,
    shell: Res<Shell>,
    view: Res<View>,
    mut drawn: Local<Option<(u64, bool, Option<Selection>)>>,
    mut wardrobe: ResMut<Wardrobe>,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<StandardMaterial>>,
    outlines: Query<Entity, With<Outline>>,
    figures: Query<(Entity, &Figure)>,
) {
    let wanted = (session.generation, shell.dark, shell.selection);
    if *drawn == Some(wanted) {
        return;
    }
    let Some(Selection::Body(body)) = shell.selection else {
        outlines.iter().for_each(|e| commands.entity(e).despawn());
        *drawn = Some(wanted);
        return;
    };
    // Right after a scene was opened its figures do not exist yet.
    let Some((entity, _)) = figures.iter().find(|(_, f)| f.0 == body) else {
        return;
    };
    outlines.iter().for_each(|e| commands.entity(e).despawn());
    *drawn = Some(wanted);
    let material = materials.add(StandardMaterial {
        base_color: super::studio::srgb(Palette::of(shell.dark).accent),
        unlit: true,
        cull_mode: Some(Face::Front),
        ..default()
    });
    let width = studio::OUTLINE * view.ball.radius as f32;
    for shape in &session.simulation.model().bodies[body.0].shapes {
        let mut pose = convert::transform(&shape.pose);
        pose.scale = Vec3::ONE + width / half_size(&shape.geometry);
        let mesh = wardrobe.mesh(&shape.geometry, &mut meshes);
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

/// Half the size of a geometry along its own axes.
fn half_size(geometry: &Geometry) -> Vec3 {
    let round = |radius: f64, half: f64| Vec3::new(radius as f32, radius as f32, half as f32);
    match *geometry {
        Geometry::Sphere { radius } => round(radius, radius),
        Geometry::Box { size } => convert::vec3(&size) * 0.5,
        Geometry::Cylinder { radius, length } => round(radius, 0.5 * length),
        Geometry::Capsule { radius, length } => round(radius, 0.5 * length + radius),
        Geometry::Cone { radius, length } => round(radius, 0.5 * length),
    }
}
