//! What is shown when a scene opens: words, camera, plots.

use super::format::{Plot, SceneFile};
use crate::diagnostics::Chart;
use crate::math::Vec3;
use crate::model::{Model, State};

/// How a scene is shown.
#[derive(Debug, Clone, PartialEq)]
pub struct View {
    /// Name shown to people.
    pub title: String,
    /// One line on what there is to see.
    pub description: String,
    /// Where the picture is taken from.
    pub camera: Camera,
    /// Plots, in order.
    pub plots: Vec<Plot>,
    /// Plots of quantities of one's choice.
    pub charts: Vec<Chart>,
    /// How long a run lasts if nothing else is asked for (s).
    pub duration: Option<f64>,
    /// Simulated seconds per second in the window.
    pub speed: f64,
}

/// A camera in the world.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Camera {
    /// Where it is (m).
    pub eye: Vec3,
    /// The middle of the picture (m).
    pub target: Vec3,
    /// Direction that points up in the picture.
    pub up: Vec3,
}

/// Plots of a scene that names none.
const PLOTS: [Plot; 5] = [
    Plot::Energy,
    Plot::EnergyError,
    Plot::Drift,
    Plot::Iterations,
    Plot::Residual,
];

/// The view of a scene.
pub(super) fn view(name: &str, file: &SceneFile, model: &Model, state: &State) -> View {
    let title = if file.title.is_empty() {
        name
    } else {
        &file.title
    };
    let camera = match &file.camera {
        Some(c) => Camera {
            eye: c.eye.0,
            target: c.target.0,
            up: c.up.map_or(Vec3::z(), |u| u.0),
        },
        None => frame(model, state),
    };
    View {
        title: title.into(),
        description: file.description.clone(),
        camera,
        plots: if file.plots.is_empty() {
            PLOTS.to_vec()
        } else {
            file.plots.clone()
        },
        charts: Vec::new(),
        duration: file.duration.map(|d| d.0),
        speed: file.speed.map_or(1.0, |s| s.0),
    }
}

/// A camera that sees all bodies where they start.
fn frame(model: &Model, state: &State) -> Camera {
    let mut low = Vec3::repeat(f64::INFINITY);
    let mut high = -low;
    let mut see = |centre: Vec3, radius: f64| {
        low = low.inf(&(centre - Vec3::repeat(radius)));
        high = high.sup(&(centre + Vec3::repeat(radius)));
    };
    for (body, at) in model.bodies.iter().zip(&state.bodies) {
        see(at.position, 0.0);
        for shape in &body.shapes {
            let centre = at.orientation * shape.pose.translation.vector;
            see(at.position + centre, shape.geometry.reach());
        }
    }
    for joint in model.joints.iter().filter(|j| j.parent.is_none()) {
        see(joint.parent_frame.anchor, 0.0);
    }
    if model.bodies.is_empty() {
        // Nothing that would have a size: the usual one.
        see(Vec3::zeros(), 1.0);
    }
    let target = (low + high) / 2.0;
    // Twice the half diagonal fills most of a picture with a vertical angle of view of 45°.
    let distance = 2.2 * ((high - low).norm() / 2.0).max(1e-3);
    Camera {
        eye: target + Vec3::new(0.85, -0.45, 0.28).normalize() * distance,
        target,
        up: Vec3::z(),
    }
}
