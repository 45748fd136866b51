//! Linked views: each lane in a part of the window of its own, all seen from the same place.
//!
//! The leader is drawn on the usual layer, which holds everything else of the scene as well. What belongs to no lane
//! (floor, shapes of the world) is also on the layer [`SHARED`], which the other views show beside the layer of
//! their lane.

use crate::camera::orbit::Viewport;
use crate::camera::view::View;
use crate::commands::compare::LaneArrangement;
use crate::compare::Comparing;
use crate::scene3d::lighting::{SHARED, SceneCamera, ViewTarget};
use crate::schedule::AppSet;
use crate::theme::size;
use bevy::camera::visibility::RenderLayers;
use bevy::core_pipeline::tonemapping::Tonemapping;
use bevy::light::EnvironmentMapLight;
use bevy::prelude::*;

/// Which layer the lane is drawn on that comes so many places after the first beside the leader.
pub(crate) fn layer(rank: usize) -> usize {
    SHARED + 1 + rank
}

/// The camera of a lane.
#[derive(Component)]
struct LaneCamera(u64);

/// The light of the linked views: without shadows, which would be those of the leader.
#[derive(Component)]
struct LinkedLight;

/// Keeps a camera for every lane that has a view of its own.
pub struct ViewsPlugin;

impl Plugin for ViewsPlugin {
    fn build(&self, app: &mut App) {
        app.add_systems(Update, (cameras, light).chain().in_set(AppSet::DrawLanes))
            .add_systems(
                PostUpdate,
                place
                    .before(bevy::transform::TransformSystems::Propagate)
                    .before(bevy::camera::CameraUpdateSystems),
            );
    }
}

/// Divides a rectangle (left, top, width, height) into so many, row by row, as near to the shape of a film as they get.
pub fn cells(whole: [f64; 4], count: usize) -> Vec<[f64; 4]> {
    const SHAPE: f64 = 1.5;
    let [left, top, width, height] = whole;
    let gap = f64::from(size::SEAM);
    let grid = |columns: usize| {
        let rows = count.div_ceil(columns);
        let cell = |whole: f64, parts: usize| (whole - gap * (parts - 1) as f64) / parts as f64;
        (cell(width, columns), cell(height, rows))
    };
    let unlike = |columns: &usize| {
        let (w, h) = grid(*columns);
        (w / h.max(1.0) / SHAPE).ln().abs()
    };
    let best = (1..=count).min_by(|a, b| unlike(a).total_cmp(&unlike(b)));
    let columns = best.unwrap_or(1);
    let (w, h) = grid(columns);
    (0..count)
        .map(|k| {
            let (row, column) = (k / columns, k % columns);
            [
                left + column as f64 * (w + gap),
                top + row as f64 * (h + gap),
                w,
                h,
            ]
        })
        .collect()
}

impl Comparing {
    /// Gives every lane that is drawn its part of a rectangle (left, top, width, height) where views are linked, and
    /// says which part is the leader's; none where there is one view for all.
    pub(crate) fn divide(&mut self, whole: [f64; 4]) -> Option<[f64; 4]> {
        self.cells.clear();
        if !self.is_on() || self.arrangement != LaneArrangement::SideBySide {
            return None;
        }
        let leader = self.lanes[self.leader].id;
        let shown = |l: &&crate::compare::LaneChoice| l.drawn || l.id == leader;
        let ids: Vec<u64> = self.lanes.iter().filter(shown).map(|l| l.id).collect();
        let cells = cells(whole, ids.len());
        self.cells = ids.into_iter().zip(cells).collect();
        let own = self.cells.iter().find(|(id, _)| *id == leader);
        own.map(|(_, cell)| *cell)
    }

    /// The parts of the window by lane: left, top, width, height [points of the interface].
    pub fn cells(&self) -> &[(u64, [f64; 4])] {
        &self.cells
    }
}

/// As many cameras as there are lanes with a view of their own.
fn cameras(
    mut commands: Commands,
    target: ViewTarget,
    comparing: Res<Comparing>,
    scene: Single<(&Projection, &Msaa, Option<&EnvironmentMapLight>), With<SceneCamera>>,
    old: Query<(Entity, &LaneCamera)>,
    surroundings: Query<(Entity, Option<&EnvironmentMapLight>), With<LaneCamera>>,
) {
    let wanted: Vec<u64> = match comparing.arrangement {
        LaneArrangement::SideBySide => comparing
            .beside()
            .map(|place| comparing.lanes[place].id)
            .collect(),
        LaneArrangement::Ghosts => Vec::new(),
    };
    let (projection, msaa, surrounding) = *scene;
    let have: Vec<u64> = old.iter().map(|(_, camera)| camera.0).collect();
    let in_order = {
        let mut sorted = have.clone();
        sorted.sort_unstable();
        let mut asked = wanted.clone();
        asked.sort_unstable();
        sorted == asked
    };
    if in_order {
        // The theme may have changed, or the room was not lit yet.
        if let Some(light) = surrounding {
            for (camera, own) in &surroundings {
                if own.is_none_or(|own| own.diffuse_map != light.diffuse_map) {
                    commands.entity(camera).insert(light.clone());
                }
            }
        }
        return;
    }
    old.iter()
        .for_each(|(e, _)| commands.entity(e).try_despawn());
    for (rank, id) in wanted.into_iter().enumerate() {
        let mut camera = commands.spawn((
            LaneCamera(id),
            target.render(),
            Camera3d::default(),
            Camera {
                // Before the leader's, so that the interface stays above all.
                order: -1 - rank as isize,
                is_active: false,
                ..default()
            },
            projection.clone(),
            Tonemapping::AcesFitted,
            *msaa,
            RenderLayers::from_layers(&[SHARED, layer(rank)]),
        ));
        if let Some(light) = surrounding {
            camera.insert(light.clone());
        }
    }
}

/// The light of the linked views, while there are any.
fn light(
    mut commands: Commands,
    lanes: Query<(), With<LaneCamera>>,
    key: Query<(&DirectionalLight, &Transform), Without<LinkedLight>>,
    mut linked: Query<(Entity, &mut DirectionalLight, &mut Transform), With<LinkedLight>>,
) {
    let Some((key, pose)) = key.iter().next() else {
        return;
    };
    let wanted = !lanes.is_empty();
    match (wanted, linked.iter_mut().next()) {
        (true, None) => {
            commands.spawn((
                LinkedLight,
                DirectionalLight {
                    shadow_maps_enabled: false,
                    ..*key
                },
                *pose,
                RenderLayers::layer(SHARED),
            ));
        }
        (true, Some((_, mut light, mut own))) => {
            light.illuminance = key.illuminance;
            own.set_if_neq(*pose);
        }
        (false, Some((entity, ..))) => commands.entity(entity).despawn(),
        (false, None) => {}
    }
}

/// Puts every camera where the view says, into its part of the window.
fn place(
    comparing: Res<Comparing>,
    view: Res<View>,
    target: ViewTarget,
    mut cameras: Query<(&LaneCamera, &mut Camera, &mut Projection, &mut Transform)>,
) {
    for (lane, mut camera, mut projection, mut transform) in &mut cameras {
        let cell = comparing.cells.iter().find(|(id, _)| *id == lane.0);
        let Some((_, [left, top, width, height])) = cell else {
            camera.is_active = false;
            continue;
        };
        let part = Viewport {
            corner: [*left, *top],
            size: [*width, *height],
        };
        target.look(&view, &part, &mut camera, &mut projection, &mut transform);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_fill_the_view_without_covering_each_other() {
        for (whole, count, columns) in [
            ([10.0, 40.0, 600.0, 400.0], 4, 2),
            ([0.0, 0.0, 1200.0, 300.0], 3, 3),
            ([0.0, 0.0, 300.0, 900.0], 2, 1),
            ([0.0, 0.0, 640.0, 400.0], 1, 1),
        ] {
            let cells = cells(whole, count);
            assert_eq!(cells.len(), count);
            let in_first_row = cells.iter().filter(|c| c[1] == whole[1]).count();
            assert_eq!(in_first_row, columns, "{cells:?}");
            for (k, a) in cells.iter().enumerate() {
                assert!(a[0] >= whole[0] && a[0] + a[2] <= whole[0] + whole[2] + 1e-9);
                assert!(a[1] >= whole[1] && a[1] + a[3] <= whole[1] + whole[3] + 1e-9);
                for b in &cells[..k] {
                    let apart = a[0] >= b[0] + b[2] || a[1] >= b[1] + b[3];
                    assert!(apart || b[0] >= a[0] + a[2], "{a:?} {b:?}");
                }
            }
        }
    }
}
