//! The room: cameras, key light and surrounding light, sized to the scene.

use crate::camera::orbit;
use crate::camera::view::View;
use crate::mesh::convert;
use crate::scene3d::resolution::Resolution;
use crate::schedule::AppSet;
use crate::session::Session;
use crate::state::layers::Layer;
use crate::state::look::Look;
use crate::state::machine::Machine;
use crate::theme::{Palette, lighting};
use bevy::camera::visibility::RenderLayers;
use bevy::camera::{CameraOutputMode, RenderTarget, Viewport};
use bevy::core_pipeline::tonemapping::Tonemapping;
use bevy::ecs::system::SystemParam;
use bevy::light::{CascadeShadowConfigBuilder, DirectionalLightShadowMap, EnvironmentMapLight};
use bevy::prelude::*;
use bevy::render::render_resource::BlendState;
use bevy::render::renderer::RenderAdapterInfo;
use bevy::window::PrimaryWindow;
use bevy_egui::{EguiGlobalSettings, PrimaryEguiContext};
use wgpu_types::DeviceType;

/// The layer of what belongs to no lane of a comparison, which linked views show as well; everything is on layer 0.
pub const SHARED: usize = 1;

/// The layers of the floor and of the world's shapes.
pub fn shared() -> RenderLayers {
    RenderLayers::from_layers(&[0, SHARED])
}

/// The camera of the three-dimensional view.
#[derive(Component)]
pub struct SceneCamera;

/// The key light.
#[derive(Component)]
struct KeyLight;

/// What is drawn onto and how well. Without it, the window.
#[derive(Resource, Debug, Clone)]
pub struct Canvas {
    /// The picture.
    pub image: Handle<Image>,
    /// Its width and height [pixels].
    pub size: UVec2,
    /// Whether edges are smoothed.
    pub smooth: bool,
    /// Whether anything is drawn over the view.
    pub interface: bool,
}

/// Builds and keeps the room.
pub struct LightingPlugin;

impl Plugin for LightingPlugin {
    fn build(&self, app: &mut App) {
        app.add_systems(Startup, build)
            .add_systems(Update, (apply_theme, fit).chain().in_set(AppSet::Draw))
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
    mut egui: ResMut<EguiGlobalSettings>,
    mut machine: ResMut<Machine>,
    adapter: Option<Res<RenderAdapterInfo>>,
    target: ViewTarget,
) {
    let software = adapter
        .as_ref()
        .is_some_and(|a| a.device_type == DeviceType::Cpu);
    machine.software = software;
    machine.adapter = adapter.map_or(String::new(), |a| a.name.clone());
    egui.auto_create_primary_context = false;
    let (on_card, on_processor) = lighting::SHADOW_MAP;
    commands.insert_resource(DirectionalLightShadowMap {
        size: if software { on_processor } else { on_card },
    });
    let canvas = &target.canvas;
    let smooth = canvas.as_ref().is_none_or(|c| c.smooth);
    commands.spawn((
        SceneCamera,
        target.render(),
        Camera3d::default(),
        Projection::from(PerspectiveProjection {
            fov: lighting::FIELD_OF_VIEW,
            ..default()
        }),
        Tonemapping::AcesFitted,
        if smooth { Msaa::Sample4 } else { Msaa::Off },
    ));
    commands.spawn((KeyLight, DirectionalLight::default()));
    if canvas.as_ref().is_some_and(|c| !c.interface) {
        return;
    }
    // The interface has a camera of its own: the other one fills only a part of the window.
    commands.spawn((
        PrimaryEguiContext,
        target.render(),
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
}

/// Puts on the colours of the theme.
fn apply_theme(
    mut commands: Commands,
    look: Res<Look>,
    mut worn: Local<Option<bool>>,
    mut clear: ResMut<ClearColor>,
    mut images: ResMut<Assets<Image>>,
    camera: Single<Entity, With<SceneCamera>>,
    mut light: Single<&mut DirectionalLight, With<KeyLight>>,
) {
    light.shadow_maps_enabled = look.layers.shows(Layer::Shadows);
    if *worn == Some(look.dark) {
        return;
    }
    *worn = Some(look.dark);
    let palette = Palette::of(look.dark);
    clear.0 = srgb(palette.backdrop[1]);
    light.illuminance = lighting::KEY.0;
    let [sky, horizon, ground] = palette.surrounding.map(srgb);
    let mut surrounding =
        EnvironmentMapLight::hemispherical_gradient(&mut images, sky, horizon, ground);
    surrounding.intensity = lighting::SURROUNDING;
    // The gradient is built about the vertical of y-up worlds.
    surrounding.rotation = Quat::from_rotation_x(std::f32::consts::FRAC_PI_2);
    commands.entity(*camera).insert(surrounding);
}

/// A colour of the theme as a material takes it.
pub fn srgb([r, g, b]: [u8; 3]) -> Color {
    Color::srgb_u8(r, g, b)
}

/// Fits the light to the scene that was opened.
fn fit(
    session: Res<Session>,
    view: Res<View>,
    mut fitted: Local<Option<(u64, f64)>>,
    mut commands: Commands,
    mut light: Single<(Entity, &mut DirectionalLight, &mut Transform), With<KeyLight>>,
) {
    let distance = view.orbit.distance;
    if fitted
        .is_some_and(|(g, d)| g == session.generation() && (0.8..1.25).contains(&(distance / d)))
    {
        return;
    }
    *fitted = Some((session.generation(), distance));
    let radius = view.ball.radius as f32;
    let (entity, key, pose) = &mut *light;
    **pose = Transform::default().looking_to(Vec3::from_array(lighting::KEY.1), Vec3::Z);
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

/// What is drawn onto: the window, or a picture.
#[derive(SystemParam)]
pub struct ViewTarget<'w, 's> {
    canvas: Option<Res<'w, Canvas>>,
    resolution: Option<Res<'w, Resolution>>,
    window: Query<'w, 's, &'static Window, With<PrimaryWindow>>,
}

impl ViewTarget<'_, '_> {
    /// What a camera that draws onto it renders to.
    pub fn render(&self) -> RenderTarget {
        match (&self.canvas, self.small()) {
            (Some(canvas), _) => RenderTarget::Image(canvas.image.clone().into()),
            (None, Some((picture, _))) => picture,
            (None, None) => RenderTarget::default(),
        }
    }

    /// What is drawn into instead of the window, and its size [pixels].
    fn small(&self) -> Option<(RenderTarget, UVec2)> {
        self.resolution.as_ref()?.target()
    }

    /// Pixels per point of the interface, and its size [pixels]; none of a window that is being closed.
    fn pixels(&self, view: &View) -> Option<(f32, UVec2)> {
        if let Some(canvas) = &self.canvas {
            return Some((view.points, canvas.size));
        }
        let window = self.window.iter().next()?;
        let (whole, scale) = (window.physical_size(), window.scale_factor());
        let (share, size) = match self.small() {
            Some((_, size)) => (size.x as f32 / whole.x.max(1) as f32, size),
            None => (1.0, whole),
        };
        Some((scale * share * view.points, size))
    }

    /// Looks with a camera from where the view says, into a part of the whole [points of the interface].
    pub fn look(
        &self,
        view: &View,
        part: &orbit::Viewport,
        camera: &mut Camera,
        projection: &mut Projection,
        transform: &mut Transform,
    ) {
        let orbit = &view.orbit;
        *transform = Transform {
            translation: convert::vec3(&orbit.eye()),
            rotation: convert::axes(&orbit.axes()),
            scale: Vec3::ONE,
        };
        if let Projection::Perspective(lens) = projection {
            lens.near = (1e-3 * orbit.distance) as f32;
            lens.fov = orbit.seen(&view.viewport) as f32;
        }
        let Some((scale, size)) = self.pixels(view) else {
            return;
        };
        let [corner, extent] =
            [part.corner, part.size].map(|v| Vec2::new(v[0] as f32, v[1] as f32) * scale);
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
}

/// Puts the camera where the view says, into the part of the window or the picture that is free.
fn place_camera(
    view: Res<View>,
    target: ViewTarget,
    mut camera: Single<(&mut Camera, &mut Projection, &mut Transform), With<SceneCamera>>,
) {
    let (camera, projection, transform) = &mut *camera;
    target.look(&view, &view.viewport, camera, projection, transform);
}
