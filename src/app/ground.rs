//! The ground: the floor with its grid, and half-spaces of the world, which have no end and fade out.
//!
//! A level half-space is the floor itself. Others are planes with a grid of their own, seen from their free side;
//! from behind, only a trace of them is left, so that a wall never hides what it holds. Where there are only such
//! others there is no floor, which would cut through what slides down them.

use super::convert;
use super::extent;
use super::session::Session;
use super::shell::Shell;
use super::theme::{Palette, bright, studio};
use super::view::View;
use crate::math::{Pose, Vec3 as Vector};
use crate::model::{Geometry, Model, Shape};
use bevy::asset::embedded_asset;
use bevy::mesh::MeshVertexBufferLayoutRef;
use bevy::pbr::{
    ExtendedMaterial, MaterialExtension, MaterialExtensionKey, MaterialExtensionPipeline,
};
use bevy::prelude::*;
use bevy::render::render_resource::{
    AsBindGroup, RenderPipelineDescriptor, ShaderType, SpecializedMeshPipelineError,
};
use bevy::shader::ShaderRef;

/// The floor.
#[derive(Component)]
struct Floor;

/// A half-space that is not the floor.
#[derive(Component)]
struct Plane;

type GroundMaterial = ExtendedMaterial<StandardMaterial, Grid>;

/// A grid on a plane.
#[derive(Asset, AsBindGroup, TypePath, Debug, Clone, Default)]
struct Grid {
    #[uniform(100)]
    ground: Ground,
}

/// What the shader knows; see `ground.wgsl`.
#[derive(ShaderType, Debug, Clone, Default)]
struct Ground {
    line: Vec4,
    axis_x: Vec4,
    axis_y: Vec4,
    fade: Vec4,
    origin: Vec4,
    along_x: Vec4,
    along_y: Vec4,
    opacity: Vec4,
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

    fn specialize(
        _: &MaterialExtensionPipeline,
        descriptor: &mut RenderPipelineDescriptor,
        _: &MeshVertexBufferLayoutRef,
        _: MaterialExtensionKey<Self>,
    ) -> Result<(), SpecializedMeshPipelineError> {
        // Planes that cross each other hide each other, although they fade.
        if let Some(depth) = &mut descriptor.depth_stencil {
            depth.depth_write_enabled = Some(true);
        }
        Ok(())
    }
}

/// Lays the ground.
pub struct GroundPlugin;

impl Plugin for GroundPlugin {
    fn build(&self, app: &mut App) {
        embedded_asset!(app, "ground.wgsl");
        app.add_plugins(MaterialPlugin::<GroundMaterial>::default())
            .init_resource::<Disc>()
            .add_systems(
                Update,
                (lay, show)
                    .chain()
                    .after(super::figures::build)
                    .in_set(super::AppSet::Draw),
            );
    }
}

/// The mesh of all planes.
#[derive(Resource)]
struct Disc(Handle<Mesh>);

impl FromWorld for Disc {
    fn from_world(world: &mut World) -> Self {
        let disc = Circle::new(1.0).mesh().resolution(96).build();
        Self(world.resource_mut::<Assets<Mesh>>().add(disc))
    }
}

/// A plane as it is laid.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Lay {
    /// Origin and axes of the grid; its z axis points out of the ground.
    frame: Pose,
    /// Middle of what is seen of it, in the frame [m].
    middle: [f64; 2],
    /// Where it has faded out [m].
    reach: f64,
    colour: Color,
    is_floor: bool,
}

/// The floor, if there is one, and every half-space that is not the floor.
fn planes(model: &Model, poses: &[Pose], view: &View, palette: &Palette) -> Vec<Lay> {
    let level = extent::level_ground(model);
    let height = level.map_or_else(|| extent::floor(model, poses), extent::height);
    let tint = |shape: &Shape| shape.colour.map(|[r, g, b]| Color::srgb(r, g, b));
    let floor = Lay {
        frame: Pose::translation(0.0, 0.0, height),
        middle: [view.ball.centre.x, view.ball.centre.y],
        reach: studio::FLOOR * view.ball.radius,
        colour: level
            .and_then(tint)
            .unwrap_or(super::studio::srgb(palette.floor)),
        is_floor: true,
    };
    let [r, g, b] = bright(palette.world);
    let is_plane = |s: &&Shape| matches!(s.geometry, Geometry::HalfSpace);
    let others = model.world_shapes.iter().filter(is_plane);
    let others = others.filter(|s| !level.is_some_and(|l| std::ptr::eq(l, *s)));
    let others: Vec<Lay> = others
        .map(|shape| {
            let seen = shape.pose.inverse_transform_point(&view.ball.centre.into());
            Lay {
                frame: shape.pose,
                middle: [seen.x, seen.y],
                reach: studio::PLANE * view.ball.radius,
                colour: tint(shape).unwrap_or(Color::srgb(r, g, b)),
                is_floor: false,
            }
        })
        .collect();
    let floor = (level.is_some() || others.is_empty()).then_some(floor);
    floor.into_iter().chain(others).collect()
}

impl Lay {
    fn transform(&self) -> Transform {
        let [x, y] = self.middle;
        let middle = self.frame * nalgebra::Point3::new(x, y, 0.0);
        Transform {
            translation: convert::vec3(&middle.coords),
            rotation: convert::quat(&self.frame.rotation),
            scale: Vec3::splat(self.reach as f32),
        }
    }

    fn material(&self, palette: &Palette, cell: f32) -> GroundMaterial {
        let shade = |c: [u8; 3], strength: f32| {
            let colour = super::studio::srgb(c).to_linear();
            colour.to_vec4().with_w(strength)
        };
        let along = |axis: Vector| convert::vec3(&(self.frame.rotation * axis)).extend(0.0);
        let [x, y] = self.middle.map(|v| v as f32);
        let axes = if self.is_floor { 1.0 } else { 0.0 };
        // Opacity from the free side and from behind, and where the fading begins and ends.
        let opacity = if self.is_floor {
            Vec4::new(1.0, 1.0, 0.06, 0.9)
        } else {
            Vec4::new(1.0, 0.08, 0.25, 0.95)
        };
        GroundMaterial {
            base: StandardMaterial {
                base_color: self.colour,
                perceptual_roughness: 0.95,
                reflectance: 0.1,
                alpha_mode: AlphaMode::Blend,
                double_sided: true,
                cull_mode: None,
                ..default()
            },
            extension: Grid {
                ground: Ground {
                    line: shade(palette.grid, 0.6),
                    axis_x: shade(palette.bodies[4], axes),
                    axis_y: shade(palette.bodies[2], axes),
                    fade: Vec4::new(x, y, self.reach as f32, cell),
                    origin: convert::vec3(&self.frame.translation.vector).extend(0.0),
                    along_x: along(Vector::x()),
                    along_y: along(Vector::y()),
                    opacity,
                },
            },
        }
    }
}

/// Lays the ground of a scene that was opened, or again when the theme changed.
fn lay(
    mut commands: Commands,
    session: Res<Session>,
    shell: Res<Shell>,
    view: Res<View>,
    disc: Res<Disc>,
    mut laid: Local<Option<(u64, bool)>>,
    mut materials: ResMut<Assets<GroundMaterial>>,
    old: Query<Entity, Or<(With<Floor>, With<Plane>)>>,
) {
    if *laid == Some((session.appearance(), shell.dark)) {
        return;
    }
    *laid = Some((session.appearance(), shell.dark));
    old.iter().for_each(|e| commands.entity(e).try_despawn());
    let palette = Palette::of(shell.dark);
    // Lines every metre where the scene is some metres large, every power of ten elsewhere.
    let cell = 10f32.powf((view.ball.radius as f32 * 1.5).log10().floor());
    let model = session.simulation.model();
    for plane in planes(model, session.poses(), &view, palette) {
        let mut entity = commands.spawn((
            Mesh3d(disc.0.clone()),
            MeshMaterial3d(materials.add(plane.material(palette, cell))),
            plane.transform(),
            bevy::light::NotShadowCaster,
            super::studio::shared(),
        ));
        if plane.is_floor {
            entity.insert(Floor);
        } else {
            entity.insert(Plane);
        }
    }
}

fn show(shell: Res<Shell>, mut floor: Query<&mut Visibility, With<Floor>>) {
    let wanted = if shell.grid {
        Visibility::Inherited
    } else {
        Visibility::Hidden
    };
    for mut visibility in &mut floor {
        visibility.set_if_neq(wanted);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Quat;
    use crate::model::{ModelParts, Touch};
    use std::f64::consts::FRAC_PI_6;

    fn half_space(height: f64, tilt: f64) -> Shape {
        let turn = Quat::from_axis_angle(&Vector::y_axis(), tilt);
        Shape {
            geometry: Geometry::HalfSpace,
            pose: Pose::from_parts(Vector::new(0.0, 0.0, height).into(), turn),
            colour: None,
            touch: Touch::default(),
        }
    }

    fn laid(shapes: Vec<Shape>) -> Vec<Lay> {
        let parts = ModelParts {
            world_shapes: shapes,
            ..ModelParts::default()
        };
        let model = Model::new(parts).unwrap();
        let scene = crate::scene::open("pendulum", &[]).unwrap();
        let view = View::of(&Session::new(scene).unwrap());
        planes(&model, &[], &view, Palette::of(true))
    }

    #[test]
    fn a_level_half_space_is_the_floor_and_a_tilted_one_is_a_plane_beside_it() {
        let level = laid(vec![half_space(0.7, 0.0), half_space(0.2, 0.0)]);
        assert_eq!(level.len(), 2, "the higher one is the floor");
        assert!(level[0].is_floor && level[0].frame.translation.z == 0.7);
        let tilted = laid(vec![half_space(0.0, FRAC_PI_6)]);
        assert_eq!(tilted.len(), 1, "no floor cuts through the slope");
        let plane = &tilted[0];
        assert!(!plane.is_floor);
        let (up, at) = (plane.transform(), plane.frame.rotation * Vector::z());
        // Its middle is the point of the plane nearest to the scene; single precision.
        assert!((up.rotation * Vec3::Z - convert::vec3(&at)).length() < 1e-6);
        assert!(up.translation.dot(convert::vec3(&at)).abs() < 1e-5);
        let both = laid(vec![half_space(0.0, FRAC_PI_6), half_space(0.1, 0.0)]);
        assert_eq!(both.iter().filter(|l| l.is_floor).count(), 1);
        assert_eq!(both.len(), 2);
    }
}
