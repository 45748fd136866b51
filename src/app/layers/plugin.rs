//! The layers of the session in the three-dimensional view, drawn anew in every frame in which something moved.

use super::sheets::{self, Matter, Sheet};
use super::{Drawing, Layers, Motion, followed, paint};
use crate::app::AppSet;
use crate::app::pacing::Pacing;
use crate::app::session::Session;
use crate::app::shell::Shell;
use crate::app::view::View;
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

/// Tells the session whose points leave trails, and which quantities are plotted.
fn follow(mut session: ResMut<Session>, shell: Res<Shell>) {
    let points = followed(&shell.layers, session.simulation.model());
    session.trails.follow(points, shell.layers.fade);
    session.plot(&shell.own.charts);
    if shell.layers.any_velocity() {
        session.simulation.velocities();
    }
}

fn redraw(
    session: Res<Session>,
    shell: Res<Shell>,
    view: Res<View>,
    pacing: Res<Pacing>,
    mut drawn: Local<Option<Drawn>>,
    mut meshes: ResMut<Assets<Mesh>>,
    mut all: Query<(&Sheet, &Mesh3d, &mut Visibility)>,
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
        let motion = Motion {
            model,
            state: session.simulation.state(),
            velocities: session.velocities(),
            poses: [session.poses(), &view.poses],
            trails: &session.trails,
        };
        paint(&mut out, layers, &motion, view.ball.radius, shell.dark);
    }
    sheets::show(out, None, &mut all, &mut meshes);
}
