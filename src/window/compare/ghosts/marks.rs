//! The layers of lanes: the same as the leader's, of ghosts in their own colour.

use crate::camera::view::View;
use crate::commands::compare::LaneArrangement;
use crate::compare::Comparing;
use crate::scene3d::layers::sheets::LayerMesh;
use crate::scene3d::layers::subject::LayerSubject;
use crate::scene3d::layers::{paint, sheets};
use crate::scene3d::lighting::srgb;
use crate::session::Session;
use crate::state::layers::{Drawing, Layers, Motion};
use crate::state::look::Look;
use crate::theme::Palette;
use bevy::prelude::*;

/// What the layers of the lanes were last drawn from: nothing else changes them.
#[derive(Clone, PartialEq)]
pub struct GhostLayersKey {
    layers: Layers,
    dark: bool,
    arrangement: LaneArrangement,
    radius: f64,
    model: usize,
    /// Lanes with their colours, states and the time at which they are drawn.
    lanes: Vec<(u64, [u8; 3], usize)>,
    time: f64,
}

/// Draws the layers of the lanes beside the leader.
pub fn redraw(
    session: Res<Session>,
    look: Res<Look>,
    view: Res<View>,
    comparing: Res<Comparing>,
    mut drawn: Local<Option<GhostLayersKey>>,
    mut meshes: ResMut<Assets<Mesh>>,
    mut all: Query<(&LayerMesh, &Mesh3d, &mut Visibility)>,
) {
    let (layers, dark) = (&look.layers, look.dark);
    let (model, radius) = (session.model(), view.ball.radius);
    let palette = Palette::of(dark);
    let beside: Vec<(u64, [u8; 3])> = comparing
        .beside()
        .map(|place| {
            let id = comparing.lanes()[place].id;
            (id, comparing.shade(place, palette).colour)
        })
        .collect();
    let state = |id: u64| {
        let knot = comparing.stand(id).and_then(|s| s.knot.as_ref());
        knot.map_or(0, |k| std::sync::Arc::as_ptr(k).addr())
    };
    let now = GhostLayersKey {
        layers: layers.clone(),
        dark,
        arrangement: comparing.arrangement,
        radius,
        model: std::ptr::from_ref(model).addr(),
        lanes: beside.iter().map(|(id, c)| (*id, *c, state(*id))).collect(),
        time: view.time,
    };
    if drawn.as_ref() == Some(&now) {
        return;
    }
    *drawn = Some(now);
    for (id, colour) in beside {
        let mut out = Drawing::default();
        let stand = comparing.stand(id).filter(|_| layers.any());
        let stand = stand.filter(|s| s.poses.len() == model.bodies.len());
        if let Some((stand, knot)) = stand.and_then(|s| Some((s, s.knot.as_ref()?))) {
            let motion = Motion {
                model,
                state: &knot.state,
                velocities: &knot.velocities,
                poses: [&knot.poses, &stand.poses],
                trails: &stand.trails,
            };
            paint(&mut out, &LayerSubject::of(motion, layers, radius, dark));
            if comparing.arrangement == LaneArrangement::Ghosts {
                let shade = srgb(colour).to_linear();
                out.marks.tint(shade);
                out.veils.tint(shade);
            }
        }
        sheets::show(out, Some(id), &mut all, &mut meshes);
    }
}
