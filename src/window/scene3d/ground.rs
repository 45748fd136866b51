//! The ground: the floor with its grid, and half-spaces of the world, which have no end and fade out.
//!
//! A level half-space is the floor itself. Others are planes with a grid of their own. All are seen from their free
//! side; from behind, only a trace of them is left, so that they never hide what they hold. Where there are only such
//! others there is no floor, which would cut through what slides down them.

use crate::camera::bounds;
use crate::camera::view::View;
use crate::mesh::convert;
use crate::schedule::AppSet;
use crate::session::Session;
use crate::state::layers::Layer;
use crate::state::look::Look;
use crate::theme::{Palette, bright, lighting};
use bevy::asset::{AssetPath, embedded_asset, embedded_path};
use bevy::mesh::MeshVertexBufferLayoutRef;
use bevy::pbr::{
    ExtendedMaterial, MaterialExtension, MaterialExtensionKey, MaterialExtensionPipeline,
};
use bevy::prelude::*;
use bevy::render::render_resource::{
    AsBindGroup, RenderPipelineDescriptor, ShaderType, SpecializedMeshPipelineError,
};
use bevy::shader::ShaderRef;
use physics::math::{Pose, Vec3 as Vector};
use physics::model::{Geometry, Model, Shape};

/// The floor.
#[derive(Component)]
struct Floor;

/// A half-space that is not the floor.
#[derive(Component)]
struct Plane;

type GroundMaterial = ExtendedMaterial<StandardMaterial, GridMaterial>;

/// A grid on a plane.
#[derive(Asset, AsBindGroup, TypePath, Debug, Clone, Default)]
struct GridMaterial {
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
    strengths: Vec4,
}

impl MaterialExtension for GridMaterial {
    fn fragment_shader() -> ShaderRef {
        AssetPath::from(embedded_path!("ground.wgsl"))
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
                (lay, follow, show)
                    .chain()
                    .after(crate::scene3d::bodies::build)
                    .in_set(AppSet::Draw),
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
#[derive(Component, Debug, Clone, Copy, PartialEq)]
struct Lay {
    /// Origin and axes of the grid; its z axis points out of the ground.
    frame: Pose,
    /// Middle of what is seen of it, in the frame (m).
    middle: [f64; 2],
    /// Where it has faded out, seen from near (m).
    reach: f64,
    colour: Color,
    is_floor: bool,
}

/// The floor, if there is one, and every half-space that is not the floor.
fn planes(model: &Model, poses: &[Pose], view: &View, palette: &Palette, plain: bool) -> Vec<Lay> {
    let level = bounds::level_ground(model);
    let height = bounds::drawn_floor(model, poses);
    let own = crate::scene3d::lighting::srgb(palette.floor);
    // Small pictures beside each other have one ground.
    let tint = |shape: &Shape| match plain {
        true => Some(own),
        false => shape.colour.map(|[r, g, b]| Color::srgb(r, g, b)),
    };
    let floor = Lay {
        frame: Pose::translation(0.0, 0.0, height),
        middle: [view.ball.centre.x, view.ball.centre.y],
        reach: lighting::FLOOR * view.ball.radius,
        colour: level.and_then(tint).unwrap_or(own),
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
                reach: lighting::PLANE * view.ball.radius,
                colour: tint(shape).unwrap_or(Color::srgb(r, g, b)),
                is_floor: false,
            }
        })
        .collect();
    let floor = (level.is_some() || others.is_empty()).then_some(floor);
    floor.into_iter().chain(others).collect()
}

/// How far the grid reaches and how wide its cells are, which go with the camera's distance.
#[derive(Debug, Clone, Copy, PartialEq)]
struct GridScale {
    /// Distance between the lines in the middle of three sets, each ten times wider than the one before (m).
    cell: f32,
    /// Strength of the three sets, narrow to wide.
    strengths: [f32; 3],
    /// The smallest radius (m), so that the ground does not end in sight.
    least: f64,
}

impl GridScale {
    /// Lines every metre where what is seen is some metres large, every power of ten elsewhere; from one power to the
    /// next the sets of lines change smoothly.
    fn of(view: &View) -> Self {
        let distance = view.orbit.distance;
        let power = (0.5 * distance).log10();
        let whole = power.floor();
        let onward = ((power - whole - 0.6) / 0.4).max(0.0);
        let onward = (onward * onward * (3.0 - 2.0 * onward)) as f32;
        let aside = (view.orbit.focus - view.ball.centre).norm();
        Self {
            cell: 10f32.powf(whole as f32),
            strengths: [MINOR * (1.0 - onward), MINOR * onward + (1.0 - onward), 1.0],
            least: aside + SIGHT * distance,
        }
    }
}

/// Strength of the narrow lines between those of a power of ten.
const MINOR: f32 = 0.28;
/// Radius of the ground, as a multiple of the camera's distance.
const SIGHT: f64 = 7.0;

impl Lay {
    fn transform(&self, scale: &GridScale) -> Transform {
        let [x, y] = self.middle;
        let middle = self.frame * nalgebra::Point3::new(x, y, 0.0);
        Transform {
            translation: convert::vec3(&middle.coords),
            rotation: convert::quat(&self.frame.rotation),
            scale: Vec3::splat(self.reach(scale)),
        }
    }

    fn reach(&self, scale: &GridScale) -> f32 {
        self.reach.max(scale.least) as f32
    }

    fn fade(&self, scale: &GridScale) -> Vec4 {
        let [x, y] = self.middle.map(|v| v as f32);
        Vec4::new(x, y, self.reach(scale), scale.cell)
    }

    fn material(&self, palette: &Palette, scale: &GridScale, plain: bool) -> GroundMaterial {
        let shade = |c: [u8; 3], strength: f32| {
            let colour = crate::scene3d::lighting::srgb(c).to_linear();
            colour.to_vec4().with_w(strength)
        };
        let along = |axis: Vector| convert::vec3(&(self.frame.rotation * axis)).extend(0.0);
        let lines = if plain { 0.0 } else { 0.6 };
        let axes = if self.is_floor && !plain { 1.0 } else { 0.0 };
        // Opacity from the free side and from behind, and where the fading begins and ends.
        let opacity = if self.is_floor {
            Vec4::new(1.0, 0.1, 0.06, 0.9)
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
            extension: GridMaterial {
                ground: Ground {
                    line: shade(palette.grid, lines),
                    axis_x: shade(palette.bodies[4], axes),
                    axis_y: shade(palette.bodies[2], axes),
                    fade: self.fade(scale),
                    origin: convert::vec3(&self.frame.translation.vector).extend(0.0),
                    along_x: along(Vector::x()),
                    along_y: along(Vector::y()),
                    opacity,
                    strengths: Vec3::from(scale.strengths).extend(0.0),
                },
            },
        }
    }
}

/// Lays the ground of a scene that was opened, or again when the theme changed.
fn lay(
    mut commands: Commands,
    session: Res<Session>,
    look: Res<Look>,
    view: Res<View>,
    disc: Res<Disc>,
    mut laid: Local<Option<(u64, bool)>>,
    mut materials: ResMut<Assets<GroundMaterial>>,
    old: Query<Entity, Or<(With<Floor>, With<Plane>)>>,
) {
    if *laid == Some((session.appearance(), look.dark)) {
        return;
    }
    *laid = Some((session.appearance(), look.dark));
    old.iter().for_each(|e| commands.entity(e).try_despawn());
    let palette = Palette::of(look.dark);
    let scale = GridScale::of(&view);
    let model = session.model();
    let plain = look.least.is_some();
    for plane in planes(model, session.poses(), &view, palette, plain) {
        let mut entity = commands.spawn((
            Mesh3d(disc.0.clone()),
            MeshMaterial3d(materials.add(plane.material(palette, &scale, plain))),
            plane.transform(&scale),
            plane,
            bevy::light::NotShadowCaster,
            crate::scene3d::lighting::shared(),
        ));
        if plane.is_floor {
            entity.insert(Floor);
        } else {
            entity.insert(Plane);
        }
    }
}

/// Lets the grid go with the camera's distance.
fn follow(
    view: Res<View>,
    mut last: Local<Option<GridScale>>,
    mut materials: ResMut<Assets<GroundMaterial>>,
    mut laid: Query<(&Lay, &MeshMaterial3d<GroundMaterial>, &mut Transform)>,
) {
    let scale = GridScale::of(&view);
    if last.replace(scale) == Some(scale) {
        return;
    }
    for (plane, material, mut transform) in &mut laid {
        *transform = plane.transform(&scale);
        if let Some(mut material) = materials.get_mut(&material.0) {
            let ground = &mut material.extension.ground;
            ground.fade = plane.fade(&scale);
            ground.strengths = Vec3::from(scale.strengths).extend(0.0);
        }
    }
}

fn show(look: Res<Look>, mut floor: Query<&mut Visibility, With<Floor>>) {
    let wanted = if look.layers.shows(Layer::Grid) {
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
    use physics::math::Quat;
    use physics::model::{ModelParts, Touch};
    use std::f64::consts::FRAC_PI_6;

    fn half_space(height: f64, tilt: f64) -> Shape {
        let turn = Quat::from_axis_angle(&Vector::y_axis(), tilt);
        Shape {
            geometry: Geometry::HalfSpace,
            pose: Pose::from_parts(Vector::new(0.0, 0.0, height).into(), turn),
            colour: None,
            touch: Touch::default(),
            foundations: Vec::new(),
        }
    }

    fn laid(shapes: Vec<Shape>) -> Vec<Lay> {
        let parts = ModelParts {
            world_shapes: shapes,
            ..ModelParts::default()
        };
        let model = Model::new(parts).unwrap();
        planes(&model, &[], &view(), Palette::of(true), false)
    }

    fn view() -> View {
        let scene = physics::scene::open("pendulum", &[]).unwrap();
        View::of(&Session::new(scene).unwrap())
    }

    #[test]
    fn the_grid_goes_with_the_camera_without_a_jump() {
        let mut view = view();
        let scale = |view: &mut View, distance: f64| {
            view.orbit.distance = distance;
            GridScale::of(view)
        };
        assert_eq!(scale(&mut view, 4.0).cell, 1.0);
        assert_eq!(scale(&mut view, 400.0).cell, 100.0);
        // The radius grows with the distance, so that something is always seen.
        assert!(scale(&mut view, 400.0).least > 400.0);
        // Where the power of ten changes, every set of lines is as strong before as after.
        let (before, after) = (scale(&mut view, 19.999_99), scale(&mut view, 20.000_01));
        assert_eq!((before.cell, after.cell), (1.0, 10.0));
        let shift = [after.strengths[0], after.strengths[1]];
        for (before, after) in before.strengths[1..].iter().zip(shift) {
            assert!((before - after).abs() < 1e-4, "{before} {after}");
        }
        assert!(before.strengths[0] < 1e-4);
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
        let near = GridScale::of(&view());
        let (up, at) = (plane.transform(&near), plane.frame.rotation * Vector::z());
        // Its middle is the point of the plane nearest to the scene; single precision.
        assert!((up.rotation * Vec3::Z - convert::vec3(&at)).length() < 1e-6);
        assert!(up.translation.dot(convert::vec3(&at)).abs() < 1e-5);
        let both = laid(vec![half_space(0.0, FRAC_PI_6), half_space(0.1, 0.0)]);
        assert_eq!(both.iter().filter(|l| l.is_floor).count(), 1);
        assert_eq!(both.len(), 2);
    }
}
