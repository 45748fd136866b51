//! The room: cameras, key light, surrounding light and floor, sized to the scene.

use super::convert;
use super::extent;
use super::session::Session;
use super::shell::Shell;
use super::theme::{Palette, studio};
use super::view::View;
use bevy::asset::embedded_asset;
use bevy::camera::visibility::RenderLayers;
use bevy::camera::{CameraOutputMode, Viewport};
use bevy::core_pipeline::tonemapping::Tonemapping;
use bevy::light::{CascadeShadowConfigBuilder, DirectionalLightShadowMap, EnvironmentMapLight};
use bevy::pbr::{ExtendedMaterial, MaterialExtension};
use bevy::prelude::*;
use bevy::render::render_resource::{AsBindGroup, BlendState, ShaderType};
use bevy::render::renderer::RenderAdapterInfo;
use bevy::shader::ShaderRef;
use bevy::window::PrimaryWindow;
use bevy_egui::{EguiGlobalSettings, PrimaryEguiContext};

/// The camera of the three-dimensional view.
#[derive(Component)]
pub struct SceneCamera;

/// The key light.
#[derive(Component)]
struct KeyLight;

/// The floor.
#[derive(Component)]
struct Floor;

type FloorMaterial = ExtendedMaterial<StandardMaterial, Grid>;

/// The grid on the floor.
#[derive(Asset, AsBindGroup, TypePath, Debug, Clone, Default)]
struct Grid {
    #[uniform(100)]
    ground: Ground,
}

/// What the floor's shader knows; see `ground.wgsl`.
#[derive(ShaderType, Debug, Clone, Default)]
struct Ground {
    line: Vec4,
    axis_x: Vec4,
    axis_y: Vec4,
    fade: Vec4,
}

impl MaterialExtension for Grid {
    fn fragment_shader() -> ShaderRef {
        "embedded://driftless/app/ground.wgsl".into()
    }

    fn enable_prepass() -> bool {
        false
    }

    fn enable_shadows() -> bool {
        false
    }
}

/// Builds and keeps the room.
pub struct StudioPlugin;

impl Plugin for StudioPlugin {
    fn build(&self, app: &mut App) {
        embedded_asset!(app, "ground.wgsl");
        app.add_plugins(MaterialPlugin::<FloorMaterial>::default())
            .add_systems(Startup, build)
            .add_systems(Update, (dress, fit).chain().in_set(super::AppSet::Draw))
            .add_systems(
                PostUpdate,
                place_camera
                    .before(bevy::transform::TransformSystems::Propagate)
                    .before(bevy::camera::CameraUpdateSystems),
            );
    }
}

fn build(
    mut commands: Commands,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<FloorMaterial>>,
    mut egui: ResMut<EguiGlobalSettings>,
    mut shell: ResMut<Shell>,
    adapter: Option<Res<RenderAdapterInfo>>,
) {
    let software = adapter
        .as_ref()
        .is_some_and(|a| format!("{:?}", a.device_type) == "Cpu");
    shell.adapter = adapter.map_or(String::new(), |a| a.name.clone());
    egui.auto_create_primary_context = false;
    let (on_card, on_processor) = studio::SHADOW_MAP;
    commands.insert_resource(DirectionalLightShadowMap {
        size: if software { on_processor } else { on_card },
    });
    commands.spawn((
        SceneCamera,
        Camera3d::default(),
        Projection::from(PerspectiveProjection {
            fov: studio::FIELD_OF_VIEW,
            ..default()
        }),
        Tonemapping::AcesFitted,
        Msaa::Sample4,
    ));
    // The interface has a camera of its own: the other one fills only a part of the window.
    commands.spawn((
        PrimaryEguiContext,
        Camera2d,
        Msaa::Off,
        RenderLayers::none(),
        Camera {
            order: 1,
            output_mode: CameraOutputMode::Write {
                blend_state: Some(BlendState::ALPHA_BLENDING),
                clear_color: ClearColorConfig::None,
            },
            clear_color: ClearColorConfig::Custom(Color::NONE),
            ..default()
        },
    ));
    commands.spawn((KeyLight, DirectionalLight::default()));
    commands.spawn((
        Floor,
        Mesh3d(meshes.add(Circle::new(1.0).mesh().resolution(96).build())),
        MeshMaterial3d(materials.add(FloorMaterial {
            base: StandardMaterial {
                perceptual_roughness: 0.95,
                reflectance: 0.1,
                alpha_mode: AlphaMode::Blend,
                ..default()
            },
            extension: Grid::default(),
        })),
        Transform::default(),
    ));
}

/// Puts on the colours of the theme.
fn dress(
    mut commands: Commands,
    shell: Res<Shell>,
    mut worn: Local<Option<(bool, bool)>>,
    mut clear: ResMut<ClearColor>,
    mut images: ResMut<Assets<Image>>,
    mut materials: ResMut<Assets<FloorMaterial>>,
    camera: Single<Entity, With<SceneCamera>>,
    mut light: Single<&mut DirectionalLight, With<KeyLight>>,
    mut floor: Single<&mut Visibility, With<Floor>>,
) {
    light.shadow_maps_enabled = shell.shadows;
    **floor = if shell.grid {
        Visibility::Visible
    } else {
        Visibility::Hidden
    };
    if *worn == Some((shell.dark, shell.grid)) {
        return;
    }
    *worn = Some((shell.dark, shell.grid));
    let palette = Palette::of(shell.dark);
    clear.0 = srgb(palette.backdrop);
    light.illuminance = studio::KEY.0;
    let [sky, horizon, ground] = palette.surrounding.map(srgb);
    let mut surrounding =
        EnvironmentMapLight::hemispherical_gradient(&mut images, sky, horizon, ground);
    surrounding.intensity = studio::SURROUNDING;
    // The gradient is built about the vertical of y-up worlds.
    surrounding.rotation = Quat::from_rotation_x(std::f32::consts::FRAC_PI_2);
    commands.entity(*camera).insert(surrounding);
    for (_, material) in materials.iter_mut() {
        material.base.base_color = srgb(palette.floor);
        let ground = &mut material.extension.ground;
        ground.line = srgb(palette.grid).to_linear().to_vec4().with_w(0.6);
        ground.axis_x = srgb(palette.bodies[4]).to_linear().to_vec4();
        ground.axis_y = srgb(palette.bodies[2]).to_linear().to_vec4();
    }
}

/// A colour of the theme as a material takes it.
pub fn srgb([r, g, b]: [u8; 3]) -> Color {
    Color::srgb_u8(r, g, b)
}

/// Fits floor and light to the scene that was opened.
fn fit(
    session: Res<Session>,
    view: Res<View>,
    mut fitted: Local<Option<(u64, f64)>>,
    mut commands: Commands,
    mut materials: ResMut<Assets<FloorMaterial>>,
    mut floor: Single<&mut Transform, With<Floor>>,
    mut light: Single<
        (Entity, &mut DirectionalLight, &mut Transform),
        (With<KeyLight>, Without<Floor>),
    >,
) {
    let distance = view.orbit.distance;
    if fitted.is_some_and(|(g, d)| g == session.generation && (0.8..1.25).contains(&(distance / d)))
    {
        return;
    }
    let opened = fitted.is_none_or(|(g, _)| g != session.generation);
    *fitted = Some((session.generation, distance));
    let radius = view.ball.radius as f32;
    if opened {
        let height = extent::floor(session.simulation.model(), session.poses());
        let reach = studio::FLOOR * radius;
        let centre = convert::vec3(&view.ball.centre);
        **floor =
            Transform::from_xyz(centre.x, centre.y, height as f32).with_scale(Vec3::splat(reach));
        // Lines every metre where the scene is some metres large, every power of ten elsewhere.
        let cell = 10f32.powf((radius * 1.5).log10().floor());
        for (_, material) in materials.iter_mut() {
            material.extension.ground.fade = Vec4::new(centre.x, centre.y, reach, cell);
        }
    }
    let (entity, key, pose) = &mut *light;
    **pose = Transform::default().looking_to(Vec3::from_array(studio::KEY.1), Vec3::Z);
    key.shadow_depth_bias = 0.012 * radius;
    key.shadow_normal_bias = 1.4;
    let far = distance as f32 + 4.0 * radius;
    let cascades = CascadeShadowConfigBuilder {
        num_cascades: 1,
        minimum_distance: 0.01 * distance as f32,
        maximum_distance: far,
        first_cascade_far_bound: far,
        ..default()
    };
    commands.entity(*entity).insert(cascades.build());
}

/// Puts the camera where the view says, into the part of the window that is free.
fn place_camera(
    view: Res<View>,
    window: Single<&Window, With<PrimaryWindow>>,
    mut camera: Single<(&mut Camera, &mut Projection, &mut Transform), With<SceneCamera>>,
) {
    let (camera, projection, transform) = &mut *camera;
    let orbit = &view.orbit;
    **transform = Transform {
        translation: convert::vec3(&orbit.eye()),
        rotation: convert::axes(&orbit.axes()),
        scale: Vec3::ONE,
    };
    if let Projection::Perspective(lens) = &mut **projection {
        lens.near = (1e-3 * orbit.distance) as f32;
    }
    let scale = window.scale_factor();
    let size = UVec2::new(window.physical_width(), window.physical_height());
    let [corner, extent] = [view.viewport.corner, view.viewport.size]
        .map(|v| Vec2::new(v[0] as f32, v[1] as f32) * scale * view.points);
    let corner = corner
        .round()
        .as_uvec2()
        .min(size.saturating_sub(UVec2::ONE));
    let extent = extent.round().as_uvec2().min(size - corner);
    // A window that is minimised has no size; the renderer does not accept empty viewports.
    camera.is_active = extent.x > 0 && extent.y > 0;
    if camera.is_active {
        camera.viewport = Some(Viewport {
            physical_position: corner,
            physical_size: extent,
            ..default()
        });
    }
}
