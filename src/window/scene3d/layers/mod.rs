//! The layers of the session in the three-dimensional view, drawn anew in every frame in which something moved.

pub mod bodies;
pub mod contacts;
pub mod deflections;
pub mod gauge;
pub mod joints;
pub mod sheets;
pub mod trails;
pub mod vectors;
mod wires;

use crate::camera::view::View;
use crate::scene3d::layers::gauge::Measure;
use crate::scene3d::layers::sheets::{Matter, Sheet};
use crate::schedule::AppSet;
use crate::session::Session;
use crate::session::pacing::Pacing;
use crate::state::layers::{Drawing, Layers, Motion, followed};
use crate::state::look::Look;
use crate::theme::Palette;
use bevy::camera::visibility::RenderLayers;
use bevy::prelude::*;

/// Draws the layers.
pub struct LayersPlugin;

impl Plugin for LayersPlugin {
    fn build(&self, app: &mut App) {
        app.add_systems(Startup, build)
            .add_systems(Update, (follow, redraw).chain().in_set(AppSet::Draw));
    }
}

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

fn build(
    mut commands: Commands,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<StandardMaterial>>,
) {
    let matter = Matter::new(&mut materials);
    sheets::spawn(
        &mut commands,
        &mut meshes,
        &matter,
        None,
        &RenderLayers::default(),
    );
    commands.insert_resource(matter);
}

/// Tells the session whose points leave trails.
fn follow(mut session: ResMut<Session>, look: Res<Look>) {
    let points = followed(&look.layers, session.simulation.model());
    session.trails.follow(points, look.layers.fade);
    if look.layers.any_velocity() {
        session.simulation.velocities();
    }
}

fn redraw(
    session: Res<Session>,
    look: Res<Look>,
    view: Res<View>,
    pacing: Res<Pacing>,
    mut drawn: Local<Option<Drawn>>,
    mut meshes: ResMut<Assets<Mesh>>,
    mut all: Query<(&Sheet, &Mesh3d, &mut Visibility)>,
) {
    let layers = &look.layers;
    let idle = !layers.any() && layers.hovered.is_none();
    let model = session.simulation.model();
    let now = Drawn {
        generation: session.generation,
        step: session.sample.step,
        dark: look.dark,
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
        let motion = Motion {
            model,
            state: session.simulation.state(),
            velocities: session.velocities(),
            poses: [session.poses(), &view.poses],
            trails: &session.trails,
        };
        paint(&mut out, layers, &motion, view.ball.radius, look.dark);
    }
    sheets::show(out, None, &mut all, &mut meshes);
}

/// Draws all layers of a motion in a scene of a radius (m).
pub fn paint(out: &mut Drawing, layers: &Layers, motion: &Motion, radius: f64, dark: bool) {
    let Motion {
        model,
        state,
        velocities,
        poses,
        trails,
    } = *motion;
    let measure = &Measure::of(model, radius);
    let palette = Palette::of(dark);
    let at = poses[1];
    contacts::draw(
        out,
        &state.contacts,
        poses,
        layers,
        measure,
        radius,
        palette,
    );
    bodies::draw(out, layers, (model, at), measure, dark);
    joints::draw(out, layers, (model, state, at), measure, radius, dark);
    deflections::draw(out, layers, (model, state, at), measure, radius, dark);
    let moving = (model, state, velocities);
    vectors::draw(out, layers, moving, at, measure, radius, dark);
    trails::draw(trails, out, layers, (state.time, at), measure, dark);
}
