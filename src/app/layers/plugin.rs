//! The layers in the three-dimensional view, drawn anew in every frame in which something moved.
//!
//! What lies within bodies shows through them, fainter than what lies before them.

use super::{Drawing, Layers, Measure, bodies, chosen, contacts, joints, vectors};
use crate::app::AppSet;
use crate::app::actions::Layer;
use crate::app::pacing::Pacing;
use crate::app::session::Session;
use crate::app::shell::Shell;
use crate::app::sketch::Sketch;
use crate::app::theme::{Palette, contact, studio};
use crate::app::view::View;
use bevy::camera::visibility::NoFrustumCulling;
use bevy::light::{NotShadowCaster, NotShadowReceiver};
use bevy::prelude::*;

/// Draws the layers.
pub struct LayersPlugin;

impl Plugin for LayersPlugin {
    fn build(&self, app: &mut App) {
        app.add_systems(Startup, build)
            .add_systems(Update, (follow, redraw).chain().in_set(AppSet::Draw));
    }
}

/// Points and arrows.
#[derive(Component)]
struct Marks;

/// What is seen through.
#[derive(Component)]
struct Veils;

/// What the layers were last drawn from: nothing else changes them.
#[derive(PartialEq)]
struct Drawn {
    generation: u64,
    step: u64,
    dark: bool,
    layers: Layers,
    /// Where the model is in memory: an edit replaces it.
    model: usize,
}

/// Moves the marks that show through in front of everything: as much nearer as the depth can say.
const IN_FRONT: f32 = 1e9;

fn build(
    mut commands: Commands,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<StandardMaterial>>,
) {
    let mut sheet = || Mesh3d(meshes.add(Cuboid::default()));
    let (marks, veils) = (sheet(), sheet());
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
    commands.spawn((Veils, veils, material, Visibility::Hidden, still()));
}

/// Tells the session whose points leave trails, and which quantities are plotted.
fn follow(mut session: ResMut<Session>, shell: Res<Shell>) {
    let points = if shell.layers.shows(Layer::Trails) {
        chosen(&shell.layers, session.simulation.model())
    } else {
        Vec::new()
    };
    session.trails.follow(points, shell.layers.fade);
    session.plot(&shell.own.charts);
    if [Layer::Velocities, Layer::Momenta]
        .iter()
        .any(|l| shell.layers.shows(*l))
    {
        session.read_velocities();
    }
}

fn redraw(
    session: Res<Session>,
    shell: Res<Shell>,
    view: Res<View>,
    pacing: Res<Pacing>,
    mut drawn: Local<Option<Drawn>>,
    mut meshes: ResMut<Assets<Mesh>>,
    mut marks: Query<(&Mesh3d, &mut Visibility), (With<Marks>, Without<Veils>)>,
    mut veils: Query<(&Mesh3d, &mut Visibility), (With<Veils>, Without<Marks>)>,
) {
    let layers = &shell.layers;
    let idle = !layers.any() && layers.hovered.is_none();
    let model = session.simulation.model();
    let now = Drawn {
        generation: session.generation,
        step: session.sample.step,
        dark: shell.dark,
        layers: layers.clone(),
        model: std::ptr::from_ref(model) as usize,
    };
    if drawn.as_ref() == Some(&now) && (!pacing.playing || idle) {
        return;
    }
    *drawn = Some(now);
    let mut out = Drawing::default();
    // Right after a scene was opened, the poses that are drawn may be those of the one before.
    if !idle && view.poses.len() == model.bodies.len() {
        paint(&mut out, &session, &shell, &view);
    }
    show(out.marks, &mut marks, &mut meshes);
    show(out.veils, &mut veils, &mut meshes);
}

/// Draws all layers.
fn paint(out: &mut Drawing, session: &Session, shell: &Shell, view: &View) {
    let (model, state) = (session.simulation.model(), session.simulation.state());
    let (layers, dark, longest) = (&shell.layers, shell.dark, view.ball.radius);
    let measure = Measure::of(model, longest);
    let poses = [session.poses(), view.poses.as_slice()];
    let palette = Palette::of(dark);
    contacts::draw(
        out,
        &state.contacts,
        poses,
        layers,
        &measure,
        longest,
        palette,
    );
    bodies::draw(out, layers, (model, poses[1]), &measure, dark);
    joints::draw(
        out,
        layers,
        (model, state, poses[1]),
        &measure,
        longest,
        dark,
    );
    vectors::draw(
        out,
        layers,
        (model, state, &session.velocities),
        poses[1],
        &measure,
        longest,
        dark,
    );
    session
        .trails
        .draw(out, layers, (state.time, poses[1]), &measure, dark);
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
            bevy::log::debug!("the layers are not drawn: {error}");
        }
    }
}
