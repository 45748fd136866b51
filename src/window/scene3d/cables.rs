//! Cables as they hang: straight while taut, else in the curve of a heavy chain, the catenary.

use crate::camera::view::View;
use crate::mesh::builder::MeshBuilder;
use crate::mesh::convert;
use crate::scene3d::joints::JointVisual;
use crate::schedule::AppSet;
use crate::session::Session;
use crate::state::look::Look;
use crate::theme::{Palette, lighting};
use bevy::camera::visibility::NoFrustumCulling;
use bevy::prelude::*;
use physics::math::{Pose, Vec3 as Vector};
use physics::model::{Attachment, Model};

/// Straight pieces of a slack cable.
const PIECES: usize = 28;

/// Draws cables.
pub struct CablesPlugin;

impl Plugin for CablesPlugin {
    fn build(&self, app: &mut App) {
        app.add_systems(
            Update,
            redraw
                .after(crate::scene3d::joints::build)
                .in_set(AppSet::Draw),
        );
    }
}

/// All cables of the scene.
#[derive(Component)]
struct CableVisual;

/// The points of a cable between two points; `down` is the unit vector along which it hangs.
pub fn hanging(from: Vector, to: Vector, length: f64, down: Vector) -> Vec<Vector> {
    let across = to - from;
    let rise = -across.dot(&down);
    let level = across + down * rise;
    let span = level.norm();
    let chord = across.norm();
    if length <= chord * (1.0 + 1e-9) {
        return vec![from, to];
    }
    if span < 1e-3 * length {
        // Both halves hang next to each other.
        let lowest = from + level * 0.5 + down * (0.5 * (length - rise));
        return vec![from, lowest, to];
    }
    let ahead = level / span;
    let stretch = (length * length - rise * rise).sqrt() / span;
    let half = half_span(stretch);
    let radius = span / (2.0 * half);
    // Where the lowest point is, from the first end.
    let lowest = 0.5 * span - radius * (rise / (2.0 * radius * half.sinh())).asinh();
    let [first, last] = [-lowest, span - lowest].map(|x| (x / radius).sinh());
    let height = |u: f64| radius * u.cosh();
    let start = height(-lowest / radius);
    let point = |k: usize| {
        // Even along the chain.
        let u = (first + (last - first) * k as f64 / PIECES as f64).asinh();
        from + ahead * (lowest + radius * u) - down * (height(u) - start)
    };
    (0..=PIECES).map(point).collect()
}

/// Solves sinh(s)/s = stretch for s, the half span in units of the curve's radius.
fn half_span(stretch: f64) -> f64 {
    // sinh(s)/s grows with s; its logarithm does not overflow.
    let excess = |s: f64| s + (-(-2.0 * s).exp_m1() / (2.0 * s)).ln() - stretch.ln();
    let mut bracket = [0.0, 1.0];
    while excess(bracket[1]) < 0.0 {
        bracket[1] *= 2.0;
    }
    for _ in 0..60 {
        let middle = 0.5 * (bracket[0] + bracket[1]);
        bracket[usize::from(excess(middle) >= 0.0)] = middle;
    }
    // Never zero, so that it can be divided by.
    bracket[1]
}

/// Radius of a cable in a scene of a radius (m).
pub fn thickness(scene: f64) -> f32 {
    lighting::CABLE * scene as f32
}

/// All cables of a model with the bodies at the given poses.
pub fn drawn(model: &Model, poses: &[Pose], radius: f32, colour: LinearRgba) -> MeshBuilder {
    let down = model.gravity.try_normalize(0.0).unwrap_or(-Vector::z());
    let place = |end: &Attachment| match end.body {
        Some(body) => Some((poses.get(body.0)? * nalgebra::Point3::from(end.point)).coords),
        None => Some(end.point),
    };
    let mut builder = MeshBuilder::default();
    for cable in &model.cables {
        let [Some(from), Some(to)] = [place(&cable.ends[0]), place(&cable.ends[1])] else {
            continue;
        };
        let points = hanging(from, to, cable.length, down);
        let points: Vec<Vec3> = points.iter().map(convert::vec3).collect();
        builder.rope(&points, radius, colour);
        for end in [points.first(), points.last()].into_iter().flatten() {
            builder.ball(*end, 1.8 * radius, colour);
        }
    }
    builder
}

/// Hangs the cables anew whenever a body was moved.
fn redraw(
    mut commands: Commands,
    session: Res<Session>,
    look: Res<Look>,
    view: Res<View>,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<StandardMaterial>>,
    cables: Query<(Entity, &Mesh3d), With<CableVisual>>,
) {
    let model = session.model();
    if model.cables.is_empty() {
        cables
            .iter()
            .for_each(|(e, _)| commands.entity(e).try_despawn());
        return;
    }
    let colour = crate::scene3d::lighting::srgb(Palette::of(look.dark).spring).to_linear();
    let least = look.least.unwrap_or(0.0) as f32;
    let radius = thickness(view.ball.radius).max(least);
    let mesh = drawn(model, &view.poses, radius, colour).mesh();
    match cables.iter().next() {
        Some((_, sheet)) => {
            if let Err(error) = meshes.insert(sheet.0.id(), mesh) {
                bevy::log::debug!("the cables are not drawn: {error}");
            }
        }
        None => {
            let material = materials.add(StandardMaterial {
                perceptual_roughness: lighting::ROUGHNESS,
                reflectance: lighting::REFLECTANCE,
                ..default()
            });
            commands.spawn((
                CableVisual,
                JointVisual,
                Mesh3d(meshes.add(mesh)),
                MeshMaterial3d(material),
                NoFrustumCulling,
            ));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn length(points: &[Vector]) -> f64 {
        points.windows(2).map(|p| (p[1] - p[0]).norm()).sum()
    }

    #[test]
    fn a_slack_cable_has_its_length_and_both_its_ends() {
        let from = Vector::new(0.2, -0.1, 1.0);
        let cases = [
            (Vector::new(1.2, 0.5, 1.7), 1.6),
            (Vector::new(1.2, 0.5, 0.1), 5.0),
            (Vector::new(0.2, -0.1, 0.4), 1.0),
            (Vector::new(1.2, -0.1, 1.0), 1.0001),
            (from, 0.5),
        ];
        for (to, rope) in cases {
            let points = hanging(from, to, rope, -Vector::z());
            let [first, last] = [points[0], points[points.len() - 1]];
            assert!(
                (first - from).norm() < 1e-9 && (last - to).norm() < 1e-9,
                "{to}"
            );
            // The pieces cut the bend of the curve, most where it is sharpest.
            let found = length(&points);
            assert!((found / rope - 1.0).abs() < 5e-3, "{to} {rope} {found}");
            let chord_low = from.z.min(to.z);
            assert!(
                points.iter().any(|p| p.z < chord_low)
                    || rope < 1.01 * (to - from).norm()
                    || to.z != from.z
            );
        }
    }

    #[test]
    fn a_taut_cable_is_straight_and_a_level_one_hangs_evenly() {
        let to = Vector::new(3.0, 4.0, 0.0);
        let taut = hanging(Vector::zeros(), to, 5.0, -Vector::z());
        assert_eq!(taut, [Vector::zeros(), to]);
        let level = hanging(Vector::zeros(), Vector::x(), 1.2, -Vector::z());
        let middle = level[PIECES / 2];
        assert!((middle.x - 0.5).abs() < 1e-9 && middle.z < -0.2);
        for k in 0..=PIECES {
            assert!((level[k].z - level[PIECES - k].z).abs() < 1e-9);
        }
        // Without weight along z but along y it hangs there.
        let sideways = hanging(Vector::zeros(), Vector::x(), 1.2, Vector::y());
        assert!(sideways[PIECES / 2].y > 0.2 && sideways[PIECES / 2].z == 0.0);
    }
}
