//! How a scene is drawn: all that a film of it takes over from the window.

use crate::session::Session;
use crate::session::events::{ModelEdited, SceneOpened};
use crate::state::layers::{Layer, Layers};
use crate::state::plot_view::PlotView;
use crate::state::trails::TrailPoint;
use bevy::prelude::*;
use physics::math::Vec3;
use physics::scene::Plot;
use serde::{Deserialize, Serialize};

/// How the scene and its plots are drawn.
#[derive(Resource, Debug, Clone)]
pub struct Look {
    /// Dark or light.
    pub dark: bool,
    /// Least radius of what is drawn (m) in a small picture, whose ground is plain; none elsewhere.
    pub least: Option<f64>,
    /// What is shown beside the bodies and on top of them.
    pub layers: Layers,
    /// Plots that are shown, in order.
    pub charts: Vec<Plot>,
    /// Part of the time axis that the plots show.
    pub plot_view: PlotView,
    /// On which axis the energy error is drawn.
    pub error_axis: ErrorAxis,
    /// Curves of the energy error that were frozen, oldest first.
    pub frozen: Vec<FrozenCurve>,
}

/// On which axis the energy error is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ErrorAxis {
    /// In joules.
    #[default]
    Absolute,
    /// As a part of the largest kinetic energy that is shown.
    Relative,
    /// Its size by powers of ten, in joules.
    Logarithmic,
}

/// A curve of the energy error that stays behind those of later runs.
#[derive(Debug, Clone, PartialEq)]
pub struct FrozenCurve {
    /// The method that was in use at its end.
    pub method: &'static str,
    /// Times (s) and errors (J).
    pub points: Vec<[f64; 2]>,
}

/// Most points of a frozen curve.
const FROZEN: usize = 4000;
/// Most curves that are frozen at once.
const MOST_FROZEN: usize = 8;

impl Default for Look {
    fn default() -> Self {
        Self {
            dark: true,
            least: None,
            layers: Layers::default(),
            charts: Vec::new(),
            plot_view: PlotView::default(),
            error_axis: ErrorAxis::default(),
            frozen: Vec::new(),
        }
    }
}

impl Look {
    /// Shows or hides a layer.
    pub fn toggle(&mut self, layer: Layer) {
        let shown = &mut self.layers.style_mut(layer).shown;
        *shown = !*shown;
    }

    /// Keeps the curve of the energy error as it is now.
    pub fn freeze(&mut self, session: &Session) {
        let [from, to] = session.span();
        let points = session
            .history()
            .series(from, to, FROZEN, |s| s.energy_error);
        let method = session.integrator().name;
        if self.frozen.len() == MOST_FROZEN {
            self.frozen.remove(0);
        }
        self.frozen.push(FrozenCurve { method, points });
    }

    /// Takes the plots that a scene asks for, and forgets what belonged to the bodies of the one before.
    pub fn suit(&mut self, session: &Session) {
        self.layers.trails.clear();
        self.frozen.clear();
        self.plot_view = PlotView::default();
        self.charts.clone_from(&session.scene().view.plots);
        self.suit_charts(session);
        // What the solver does is shown for every scene.
        for plot in [Plot::Residual, Plot::Newton] {
            if !self.charts.contains(&plot) {
                self.charts.push(plot);
            }
        }
    }

    /// A scene with contact that asks for no plot of it gets two, in the place of iterations, which are written over
    /// the view as well. One without joints has no drift to plot.
    fn suit_charts(&mut self, session: &Session) {
        const CONTACT: [Plot; 6] = [
            Plot::Contacts,
            Plot::Penetration,
            Plot::Complementarity,
            Plot::Losses,
            Plot::BodyGap,
            Plot::BodyForce,
        ];
        let model = session.model();
        if model.contact.is_none() || self.charts.iter().any(|c| CONTACT.contains(c)) {
            return;
        }
        let idle = |c: &Plot| match c {
            Plot::Iterations => true,
            Plot::Drift => model.joints.is_empty(),
            _ => false,
        };
        self.charts.retain(|c| !idle(c));
        self.charts.extend([Plot::Penetration, Plot::BodyForce]);
    }
}

/// Points that leave trails on bodies that are not there now, by name, until they are there again.
#[derive(Resource, Debug, Default)]
pub struct AbsentTrails(Vec<(String, Vec3)>);

/// The look follows the scene.
pub(super) fn on_scene_opened(
    _: On<SceneOpened>,
    session: Res<Session>,
    mut look: ResMut<Look>,
    mut absent: ResMut<AbsentTrails>,
) {
    look.suit(&session);
    absent.0.clear();
}

/// Trails stay with their bodies, by name, and come back with them.
pub(super) fn on_model_edited(
    edited: On<ModelEdited>,
    mut look: ResMut<Look>,
    mut absent: ResMut<AbsentTrails>,
) {
    let edited = edited.event();
    let trails = &mut look.layers.trails;
    trails.retain_mut(|trail| {
        let Some(body) = edited.before.bodies.get(trail.body.0) else {
            return false;
        };
        let now = edited.body(trail.body);
        match now {
            Some(now) => trail.body = now,
            None => absent.0.push((body.name.clone(), trail.point)),
        }
        now.is_some()
    });
    absent.0.retain(|(name, point)| {
        let back = edited.after.body(name);
        trails.extend(back.map(|body| TrailPoint {
            body,
            point: *point,
        }));
        back.is_none()
    });
}
