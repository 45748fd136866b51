//! The layers of contact in the three-dimensional view, drawn anew in every frame in which something moved.
//!
//! What lies within bodies shows through them, fainter than what lies before them.

use super::contacts::{self, ContactLayers, Drawing, Measure};
use super::pacing::Pacing;
use super::session::Session;
use super::shell::Shell;
use super::sketch::Sketch;
use super::theme::{Palette, contact, studio};
use super::view::View;
use bevy::camera::visibility::NoFrustumCulling;
use bevy::light::{NotShadowCaster, NotShadowReceiver};
use bevy::prelude::*;

/// Draws the layers of contact.
pub struct ContactLayersPlugin;

impl Plugin for ContactLayersPlugin {
    fn build(&self, app: &mut App) {
        app.add_systems(Startup, build)
            .add_systems(Update, redraw.in_set(super::AppSet::Draw));
    }
}

/// Points, normals and forces.
#[derive(Component)]
struct Marks;

/// Friction cones.
#[derive(Component)]
struct Cones;

/// What a layer was last drawn from: nothing else changes it.
type Drawn = (u64, u64, bool, ContactLayers);

/// Moves the marks that show through in front of everything: as much nearer as the depth can say.
const IN_FRONT: f32 = 1e9;

fn build(
    mut commands: Commands,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<StandardMaterial>>,
) {
    let mut sheet = || Mesh3d(meshes.add(Cuboid::default()));
    let (marks, cones) = (sheet(), sheet());
    let still = || (NotShadowCaster, NotShadowReceiver, NoFrustumCulling);
    let solid = StandardMaterial {
        perceptual_roughness: studio::ROUGHNESS,
        reflectance: studio::REFLECTANCE,
        ..default()
    };
    let through = StandardMaterial {
        base_color: Color::WHITE.with_alpha(contact::THROUGH),
        unlit: true,
        alpha_mode: AlphaMode::Blend,
        depth_bias: IN_FRONT,
        ..default()
    };
    let veil = StandardMaterial {
        unlit: true,
        alpha_mode: AlphaMode::Blend,
        cull_mode: None,
        ..default()
    };
    for material in [solid, through] {
        let material = MeshMaterial3d(materials.add(material));
        commands.spawn((Marks, marks.clone(), material, Visibility::Hidden, still()));
    }
    let material = MeshMaterial3d(materials.add(veil));
    commands.spawn((Cones, cones, material, Visibility::Hidden, still()));
}

fn redraw(
    session: Res<Session>,
    shell: Res<Shell>,
    view: Res<View>,
    pacing: Res<Pacing>,
    mut drawn: Local<Option<Drawn>>,
    mut measure: Local<Option<(u64, Measure)>>,
    mut meshes: ResMut<Assets<Mesh>>,
    mut marks: Query<(&Mesh3d, &mut Visibility), (With<Marks>, Without<Cones>)>,
    mut cones: Query<(&Mesh3d, &mut Visibility), (With<Cones>, Without<Marks>)>,
) {
    let now = (
        session.generation,
        session.sample.step,
        shell.dark,
        shell.contacts,
    );
    if *drawn == Some(now) && (!pacing.playing || !shell.contacts.any()) {
        return;
    }
    *drawn = Some(now);
    let measure = match *measure {
        Some((generation, known)) if generation == session.generation => known,
        _ => {
            let found = Measure::of(session.simulation.model(), view.ball.radius);
            *measure = Some((session.generation, found));
            found
        }
    };
    let Drawing {
        marks: marked,
        cones: coned,
    } = contacts::draw(
        &session.simulation.state().contacts,
        [session.poses(), &view.poses],
        &shell.contacts,
        &measure,
        view.ball.radius,
        Palette::of(shell.dark),
    );
    show(marked, &mut marks, &mut meshes);
    show(coned, &mut cones, &mut meshes);
}

/// Puts a sketch in the place of what was drawn before.
fn show<F: bevy::ecs::query::QueryFilter>(
    sketch: Sketch,
    sheets: &mut Query<(&Mesh3d, &mut Visibility), F>,
    meshes: &mut Assets<Mesh>,
) {
    let wanted = if sketch.is_empty() {
        Visibility::Hidden
    } else {
        Visibility::Inherited
    };
    let mut mesh = (!sketch.is_empty()).then(|| sketch.mesh());
    for (sheet, mut visibility) in sheets {
        visibility.set_if_neq(wanted);
        // All sheets share one mesh.
        if let Some(mesh) = mesh.take()
            && let Err(error) = meshes.insert(sheet.0.id(), mesh)
        {
            bevy::log::debug!("the layers of contact are not drawn: {error}");
        }
    }
}
