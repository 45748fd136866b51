//! The layers of the session in the three-dimensional view, drawn anew in every frame in which something moved.

pub mod bodies;
pub mod contacts;
pub mod deflections;
pub mod joints;
pub mod scale;
pub mod sheets;
pub mod subject;
pub mod trails;
pub mod vectors;
mod wires;

use crate::camera::view::View;
use crate::scene3d::layers::sheets::{LayerMaterials, LayerMesh};
use crate::scene3d::layers::subject::{LayerSubject, LegendLine};
use crate::schedule::AppSet;
use crate::session::Session;
use crate::session::playback::Playback;
use crate::state::layers::{Drawing, Layer, LayerStyle, Layers, Motion, followed};
use crate::state::look::Look;
use crate::state::trails::SessionTrails;
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
struct LayersKey {
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
    let matter = LayerMaterials::new(&mut materials);
    sheets::spawn(
        &mut commands,
        &mut meshes,
        &matter,
        None,
        &RenderLayers::default(),
    );
    commands.insert_resource(matter);
}

/// Says whose points leave trails, and has velocities read where they are drawn.
fn follow(mut session: ResMut<Session>, trails: Res<SessionTrails>, look: Res<Look>) {
    let points = followed(&look.layers, session.model());
    trails.get().follow(points, look.layers.fade);
    if look.layers.any_velocity() {
        session.read_velocities();
    }
}

fn redraw(
    (session, trails): (Res<Session>, Res<SessionTrails>),
    look: Res<Look>,
    view: Res<View>,
    playback: Res<Playback>,
    mut drawn: Local<Option<LayersKey>>,
    mut meshes: ResMut<Assets<Mesh>>,
    mut all: Query<(&LayerMesh, &Mesh3d, &mut Visibility)>,
) {
    let layers = &look.layers;
    let idle = !layers.any() && layers.hovered.is_none();
    let model = session.model();
    let now = LayersKey {
        generation: session.generation(),
        step: session.sample().step,
        dark: look.dark,
        layers: layers.clone(),
        model: std::ptr::from_ref(model) as usize,
    };
    if drawn.as_ref() == Some(&now) && (!playback.playing || idle) {
        return;
    }
    *drawn = Some(now);
    let mut out = Drawing::default();
    // Right after a scene was opened, the poses that are drawn may be those of the one before.
    if !idle && view.poses.len() == model.bodies.len() {
        let motion = Motion {
            model,
            state: session.state(),
            velocities: session.velocities(),
            poses: [session.poses(), &view.poses],
            trails: &trails.get(),
        };
        let subject = LayerSubject::of(motion, layers, view.ball.radius, look.dark);
        paint(&mut out, &subject);
    }
    sheets::show(out, None, &mut all, &mut meshes);
}

/// How a layer is drawn, and what the legend says of it.
pub struct Painter {
    /// The layer.
    pub layer: Layer,
    /// Draws it.
    pub draw: fn(&mut Drawing, &LayerStyle, &LayerSubject),
    /// Its lines of the legend.
    pub legend: fn(&LayerStyle, &LayerSubject) -> Vec<LegendLine>,
}

/// A layer that needs no legend.
fn plain(layer: Layer, draw: fn(&mut Drawing, &LayerStyle, &LayerSubject)) -> Painter {
    Painter {
        layer,
        draw,
        legend: |_, _| Vec::new(),
    }
}

/// All layers that are meshes over the bodies, in the order of the legend. The room is drawn by what it is of, and names
/// are written over the view.
pub fn painters() -> [Painter; 16] {
    [
        Painter {
            layer: Layer::ContactForces,
            draw: contacts::forces,
            legend: |_, s| contacts::legend(Layer::ContactForces, "force", s),
        },
        Painter {
            layer: Layer::FrictionCones,
            draw: contacts::cones,
            legend: |_, s| contacts::legend(Layer::FrictionCones, "cone", s),
        },
        plain(Layer::ContactPoints, contacts::points),
        plain(Layer::ContactNormals, contacts::normals),
        plain(Layer::BodyFrames, bodies::frames),
        plain(Layer::Centres, bodies::centres),
        plain(Layer::Inertia, bodies::inertia),
        plain(Layer::CollisionShapes, bodies::collision_shapes),
        plain(Layer::JointFrames, joints::frames),
        Painter {
            layer: Layer::Velocities,
            draw: |out, style, s| vectors::draw(&vectors::VELOCITIES, out, style, s),
            legend: |style, s| vectors::legend(&vectors::VELOCITIES, style, s),
        },
        Painter {
            layer: Layer::Momenta,
            draw: |out, style, s| vectors::draw(&vectors::MOMENTA, out, style, s),
            legend: |style, s| vectors::legend(&vectors::MOMENTA, style, s),
        },
        Painter {
            layer: Layer::Reactions,
            draw: |out, style, s| vectors::draw(&vectors::REACTIONS, out, style, s),
            legend: |style, s| vectors::legend(&vectors::REACTIONS, style, s),
        },
        Painter {
            layer: Layer::Violations,
            draw: joints::errors,
            legend: joints::errors_legend,
        },
        Painter {
            layer: Layer::Deflections,
            draw: deflections::deflections,
            legend: deflections::deflections_legend,
        },
        Painter {
            layer: Layer::Pressures,
            draw: deflections::elements,
            legend: deflections::elements_legend,
        },
        plain(Layer::Trails, trails::draw),
    ]
}

/// Draws all layers of a motion that are shown.
pub fn paint(out: &mut Drawing, subject: &LayerSubject) {
    for painter in painters() {
        if let Some(style) = subject.layers.drawn(painter.layer) {
            (painter.draw)(out, style, subject);
        }
    }
    contacts::hovered_cone(out, subject);
}

/// What the layers that are shown mean.
pub fn legend(subject: &LayerSubject) -> Vec<LegendLine> {
    let mut lines = contacts::statuses(subject);
    for painter in painters() {
        if let Some(style) = subject.layers.drawn(painter.layer) {
            lines.extend((painter.legend)(style, subject));
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::layers::{LAYERS, LayerGroup};
    use physics::scene;

    /// A box that a joint lets fall a little onto elements of the floor, and one that lies on the floor beside it.
    const EVERYTHING: &str = r#"(version: 1,
        world: [(half_space: (), foundations: [(elements: (4, 3), extent: (2, 1), depth: 1, modulus: 1e4, damping: 100)])],
        bodies: {
            "box": (mass: 10, shape: (box: (size: (2, 1, 1))), position: (0, 0, 0.5)),
            "arm": (mass: 1, shape: (box: (size: (1, 0.1, 0.1))), position: (0.5, 3, 2)),
        },
        joints: {"hinge": (kind: revolute, child: "arm", anchor: (0, 3, 2), axis: (0, 1, 0))},
        wrenches: {"tilt": (body: "box", torque: (0, 20, 0), force: (3, 0, 0))},
        contact: (materials: {"rough": (friction: 0.4)}),
        integrator: (method: "compliant"))"#;

    #[test]
    fn every_layer_over_the_bodies_is_drawn_by_its_row_alone() {
        let all = painters();
        for row in LAYERS {
            let drawn_as_a_mesh = row.group != LayerGroup::Room && row.layer != Layer::Names;
            let rows = all.iter().filter(|p| p.layer == row.layer).count();
            assert_eq!(rows, usize::from(drawn_as_a_mesh), "{}", row.id);
        }
        let scene = scene::from_text("everything", EVERYTHING, &[]).unwrap();
        let mut session = Session::new(scene).unwrap();
        let model = session.model().clone();
        let mut layers = Layers::default();
        layers.style_mut(Layer::Trails).shown = true;
        let trails = SessionTrails::default();
        trails.watch(&mut session);
        trails.get().follow(followed(&layers, &model), 2.0);
        for _ in 0..100 {
            assert!(session.step());
        }
        session.read_velocities();
        let trails = trails.get();
        for painter in all {
            let id = painter.layer.info().id;
            let mut layers = Layers::default();
            let motion = Motion {
                model: session.model(),
                state: session.state(),
                velocities: session.velocities(),
                poses: [session.poses(), session.poses()],
                trails: &trails,
            };
            let drawn = |layers: &Layers| {
                let mut out = Drawing::default();
                paint(&mut out, &LayerSubject::of(motion, layers, 3.0, true));
                !out.marks.is_empty() || !out.veils.is_empty()
            };
            assert!(!drawn(&layers), "{id}");
            layers.style_mut(painter.layer).shown = true;
            assert!(drawn(&layers), "{id}");
            let subject = LayerSubject::of(motion, &layers, 3.0, true);
            let lines = legend(&subject);
            assert!(lines.iter().all(|l| !l.text.is_empty()), "{id}: {lines:?}");
            // A value that is drawn as a length has a line that says how long.
            assert!(!painter.layer.info().follows() || !lines.is_empty(), "{id}");
        }
    }
}
