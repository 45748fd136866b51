//! What is behind everything: a dome around the camera in a soft gradient.

use crate::camera::view::View;
use crate::mesh::convert;
use crate::scene3d::lighting::{shared, srgb};
use crate::schedule::AppSet;
use crate::state::look::Look;
use crate::theme::{Palette, lighting};
use bevy::asset::{AssetPath, embedded_asset, embedded_path};
use bevy::camera::visibility::NoFrustumCulling;
use bevy::light::{NotShadowCaster, NotShadowReceiver};
use bevy::mesh::MeshVertexBufferLayoutRef;
use bevy::pbr::{MaterialPipeline, MaterialPipelineKey};
use bevy::prelude::*;
use bevy::render::render_resource::{
    AsBindGroup, RenderPipelineDescriptor, ShaderType, SpecializedMeshPipelineError,
};
use bevy::shader::ShaderRef;

/// The material of the dome.
#[derive(Asset, AsBindGroup, TypePath, Debug, Clone)]
struct BackdropMaterial {
    #[uniform(0)]
    gradient: Gradient,
}

/// What the shader knows; see `backdrop.wgsl`.
#[derive(ShaderType, Debug, Clone)]
struct Gradient {
    zenith: Vec4,
    horizon: Vec4,
    nadir: Vec4,
}

impl Material for BackdropMaterial {
    fn fragment_shader() -> ShaderRef {
        AssetPath::from(embedded_path!("backdrop.wgsl"))
            .with_source("embedded")
            .into()
    }

    fn enable_prepass() -> bool {
        false
    }

    fn enable_shadows() -> bool {
        false
    }

    fn specialize(
        _: &MaterialPipeline,
        descriptor: &mut RenderPipelineDescriptor,
        _: &MeshVertexBufferLayoutRef,
        _: MaterialPipelineKey<Self>,
    ) -> Result<(), SpecializedMeshPipelineError> {
        // It is seen from inside.
        descriptor.primitive.cull_mode = None;
        Ok(())
    }
}

/// The dome.
#[derive(Component)]
struct Dome;

/// Hangs the dome.
pub struct BackdropPlugin;

impl Plugin for BackdropPlugin {
    fn build(&self, app: &mut App) {
        embedded_asset!(app, "backdrop.wgsl");
        app.add_plugins(MaterialPlugin::<BackdropMaterial>::default())
            .add_systems(Update, (apply_theme, follow).chain().in_set(AppSet::Draw));
    }
}

fn gradient(palette: &Palette) -> Gradient {
    let linear = |colour| srgb(colour).to_linear().to_vec4();
    let [zenith, horizon, nadir] = palette.backdrop.map(linear);
    Gradient {
        zenith,
        horizon,
        nadir,
    }
}

/// Hangs the dome in the colours of the theme.
fn apply_theme(
    mut commands: Commands,
    look: Res<Look>,
    mut worn: Local<Option<bool>>,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<BackdropMaterial>>,
    old: Query<Entity, With<Dome>>,
) {
    if *worn == Some(look.dark) {
        return;
    }
    *worn = Some(look.dark);
    old.iter().for_each(|e| commands.entity(e).despawn());
    let gradient = gradient(Palette::of(look.dark));
    commands.spawn((
        Dome,
        Mesh3d(meshes.add(Sphere::new(1.0).mesh().uv(48, 24))),
        MeshMaterial3d(materials.add(BackdropMaterial { gradient })),
        NotShadowCaster,
        NotShadowReceiver,
        NoFrustumCulling,
        Transform::default(),
        shared(),
    ));
}

/// Keeps the camera in its middle, and everything else inside.
fn follow(view: Res<View>, mut dome: Query<&mut Transform, With<Dome>>) {
    for mut transform in &mut dome {
        transform.translation = convert::vec3(&view.orbit.eye());
        transform.scale = Vec3::splat((lighting::DOME * view.orbit.distance) as f32);
    }
}
