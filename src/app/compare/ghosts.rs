//! The other lanes as they are drawn: ghosts beside the solid leader, or bodies of their own in linked views.

use super::views::layer;
use super::{Arrangement, Comparing};
use crate::app::convert;
use crate::app::figures;
use crate::app::session::Session;
use crate::app::shell::Shell;
use crate::app::theme::{Palette, bright, ghost};
use crate::app::view::View;
use crate::app::wardrobe::{Wardrobe, is_open};
use bevy::asset::embedded_asset;
use bevy::camera::visibility::RenderLayers;
use bevy::prelude::*;
use bevy::render::render_resource::{AsBindGroup, ShaderType};
use bevy::shader::ShaderRef;

/// A body of a lane.
#[derive(Component)]
struct Ghost {
    /// The lane.
    lane: u64,
    /// The body's place in the model.
    body: usize,
}

/// What a ghost is made of.
#[derive(Asset, AsBindGroup, TypePath, Debug, Clone)]
struct GhostMaterial {
    #[uniform(0)]
    look: Look,
}

/// What the shader knows; see `ghost.wgsl`.
#[derive(ShaderType, Debug, Clone)]
struct Look {
    colour: Vec4,
    rim: Vec4,
}

impl Material for GhostMaterial {
    fn fragment_shader() -> ShaderRef {
        "embedded://driftless/app/compare/ghost.wgsl".into()
    }

    fn alpha_mode(&self) -> AlphaMode {
        AlphaMode::Blend
    }

    fn enable_prepass() -> bool {
        false
    }

    fn enable_shadows() -> bool {
        false
    }
}

/// Draws lanes.
pub struct GhostsPlugin;

impl Plugin for GhostsPlugin {
    fn build(&self, app: &mut App) {
        embedded_asset!(app, "ghost.wgsl");
        app.add_plugins(MaterialPlugin::<GhostMaterial>::default())
            .add_systems(
                Update,
                (build, place)
                    .chain()
                    .after(figures::build)
                    .in_set(crate::app::AppSet::Draw),
            );
    }
}

/// What the ghosts were built for.
#[derive(Clone, PartialEq)]
struct Built {
    generation: u64,
    /// The model's address, which the session keeps alive as long as it is drawn.
    model: usize,
    dark: bool,
    arrangement: Arrangement,
    lanes: Vec<(u64, [u8; 3])>,
}

/// Builds the bodies of the lanes that are drawn beside the leader, whenever these are others.
fn build(
    mut commands: Commands,
    session: Res<Session>,
    shell: Res<Shell>,
    comparing: Res<Comparing>,
    mut built: Local<Option<Built>>,
    mut wardrobe: ResMut<Wardrobe>,
    mut meshes: ResMut<Assets<Mesh>>,
    mut ghosts: ResMut<Assets<GhostMaterial>>,
    mut solids: ResMut<Assets<StandardMaterial>>,
    old: Query<Entity, With<Ghost>>,
) {
    let palette = Palette::of(shell.dark);
    let model = session.simulation.model();
    let lanes = comparing.lanes().iter().enumerate();
    let beside = lanes.filter(|(place, lane)| *place != comparing.leader() && lane.drawn);
    let wanted = Built {
        generation: session.generation,
        model: std::ptr::from_ref(model).addr(),
        dark: shell.dark,
        arrangement: comparing.arrangement,
        lanes: beside
            .map(|(place, lane)| (lane.id, comparing.shade(place, palette).colour))
            .collect(),
    };
    if built.as_ref() == Some(&wanted) {
        return;
    }
    old.iter().for_each(|e| commands.entity(e).try_despawn());
    for (rank, (lane, colour)) in wanted.lanes.iter().enumerate() {
        let [r, g, b] = crate::app::studio::srgb(*colour)
            .to_linear()
            .to_f32_array_no_alpha();
        let material = ghosts.add(GhostMaterial {
            look: Look {
                colour: Vec4::new(r, g, b, ghost::OPACITY),
                rim: Vec4::new(ghost::RIM.0, ghost::RIM.1, ghost::RIM.2, 0.0),
            },
        });
        for (body, parts) in model.bodies.iter().enumerate() {
            let own = bright(palette.bodies[body % palette.bodies.len()]);
            let mut figure = commands.spawn((
                Ghost { lane: *lane, body },
                Transform::default(),
                Visibility::Hidden,
            ));
            for shape in &parts.shapes {
                let Some(mesh) = wardrobe.mesh(&shape.geometry, &mut meshes) else {
                    continue;
                };
                let piece = (
                    Mesh3d(mesh),
                    convert::transform(&shape.pose),
                    bevy::light::NotShadowCaster,
                );
                match comparing.arrangement {
                    Arrangement::Ghosts => {
                        figure.with_child((
                            piece,
                            MeshMaterial3d(material.clone()),
                            bevy::light::NotShadowReceiver,
                        ));
                    }
                    Arrangement::SideBySide => {
                        let colour = shape.colour.unwrap_or(own);
                        let open = is_open(&shape.geometry);
                        let solid = wardrobe.material(colour, open, &mut solids);
                        figure.with_child((
                            piece,
                            MeshMaterial3d(solid),
                            RenderLayers::layer(layer(rank)),
                        ));
                    }
                }
            }
        }
    }
    *built = Some(wanted);
}

/// Puts the bodies of the lanes where they are.
fn place(
    comparing: Res<Comparing>,
    view: Res<View>,
    mut figures: Query<(&Ghost, &mut Transform, &mut Visibility)>,
) {
    let right = convert::vec3(&view.orbit.axes().column(0).into_owned());
    let shifts: Vec<(u64, Vec3)> = comparing
        .lanes()
        .iter()
        .enumerate()
        .map(|(place, lane)| {
            let away = place as f64 - comparing.leader() as f64;
            let own = convert::vec3(&lane.offset);
            match comparing.arrangement {
                Arrangement::Ghosts => (lane.id, own + right * (away * comparing.spacing) as f32),
                Arrangement::SideBySide => (lane.id, Vec3::ZERO),
            }
        })
        .collect();
    for (figure, mut transform, mut visibility) in &mut figures {
        let pose = comparing
            .poses(figure.lane)
            .and_then(|poses| poses.get(figure.body));
        let shift = shifts.iter().find(|s| s.0 == figure.lane);
        let (Some(pose), Some((_, shift))) = (pose, shift) else {
            visibility.set_if_neq(Visibility::Hidden);
            continue;
        };
        visibility.set_if_neq(Visibility::Inherited);
        *transform = convert::transform(pose);
        transform.translation += *shift;
    }
}
