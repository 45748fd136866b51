//! What ghosts are made of: one colour that can be seen through, with a crisp rim.

use crate::scene3d::lighting::srgb;
use crate::theme::ghost;
use bevy::asset::{AssetPath, embedded_path};
use bevy::mesh::MeshVertexBufferLayoutRef;
use bevy::pbr::{MaterialPipeline, MaterialPipelineKey};
use bevy::prelude::*;
use bevy::render::render_resource::{
    AsBindGroup, RenderPipelineDescriptor, ShaderType, SpecializedMeshPipelineError,
};
use bevy::shader::ShaderRef;

/// The material of a ghost.
#[derive(Asset, AsBindGroup, TypePath, Debug, Clone)]
pub struct GhostMaterial {
    #[uniform(0)]
    look: GhostUniform,
}

/// What the shader knows; see `ghost.wgsl`.
#[derive(ShaderType, Debug, Clone)]
struct GhostUniform {
    colour: Vec4,
    rim: Vec4,
}

impl GhostMaterial {
    /// That of a lane's colour.
    pub fn new(colour: [u8; 3]) -> Self {
        let [r, g, b] = srgb(colour).to_linear().to_f32_array_no_alpha();
        Self {
            look: GhostUniform {
                colour: Vec4::new(r, g, b, ghost::OPACITY),
                rim: Vec4::new(ghost::RIM.0, ghost::RIM.1, ghost::RIM.2, 0.0),
            },
        }
    }
}

impl Material for GhostMaterial {
    fn fragment_shader() -> ShaderRef {
        AssetPath::from(embedded_path!("ghost.wgsl"))
            .with_source("embedded")
            .into()
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

    fn specialize(
        _: &MaterialPipeline,
        descriptor: &mut RenderPipelineDescriptor,
        _: &MeshVertexBufferLayoutRef,
        _: MaterialPipelineKey<Self>,
    ) -> Result<(), SpecializedMeshPipelineError> {
        // Where two runs agree their surfaces coincide: the solid one is seen, not a flicker of both.
        if let Some(depth) = &mut descriptor.depth_stencil {
            depth.bias.constant = -BEHIND;
        }
        Ok(())
    }
}

/// How far behind its place a ghost is drawn, in units of the last place of its depth: more than two runs that agree
/// to rounding differ.
const BEHIND: i32 = 256;
