//! Joints and springs as a mechanic would draw them: pins, balls, rails, crosses, coils.

use crate::camera::bounds;
use crate::camera::view::View;
use crate::mesh::cache::MeshCache;
use crate::mesh::{convert, primitives};
use crate::scene3d::bodies::Prop;
use crate::scene3d::mounts;
use crate::schedule::AppSet;
use crate::session::Session;
use crate::state::layers::Layer;
use crate::state::look::Look;
use crate::theme::{Palette, bright};
use bevy::prelude::*;
use physics::math::{Pose, Vec3 as Vector};
use physics::model::{
    Attachment, Colour, Force, Geometry, Joint, JointFrame, JointId, JointKind, Model,
};

/// A part of a joint or spring; hidden with its layer.
#[derive(Component)]
pub struct JointVisual;

/// Where a part of a joint or spring goes.
#[derive(Component, Debug, Clone, Copy)]
pub enum JointPart {
    /// With the joint's frame on the parent or on the child.
    Joint {
        /// The joint.
        joint: JointId,
        /// Whether the frame is that of the child.
        on_child: bool,
    },
    /// Where it is in the world for good.
    World(Pose),
    /// Between two points along its z axis.
    Stretch {
        /// The points.
        ends: [Attachment; 2],
        /// Length of the mesh (m).
        length: f32,
    },
}

impl JointPart {
    /// Where it is with the bodies as drawn.
    pub fn place(&self, model: &Model, poses: &[Pose]) -> Option<Transform> {
        match self {
            Self::Joint { joint, on_child } => {
                let pose = frame(model.joints.get(joint.0)?, *on_child, poses)?;
                Some(convert::transform(&pose))
            }
            Self::World(pose) => Some(convert::transform(pose)),
            Self::Stretch { ends, length } => stretched(ends, *length, poses),
        }
    }
}

/// A part with its pieces, each in the part's frame.
pub struct JointVisuals {
    /// Where it goes.
    pub part: JointPart,
    /// Meshes, colours and places.
    pub pieces: Vec<(Handle<Mesh>, Colour, Transform)>,
}

/// Draws joints and springs.
pub struct JointsPlugin;

impl Plugin for JointsPlugin {
    fn build(&self, app: &mut App) {
        app.add_systems(
            Update,
            (build, place, show)
                .chain()
                .after(crate::scene3d::bodies::build)
                .in_set(AppSet::Draw),
        );
    }
}

/// What a part is made of.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Matter {
    Joint,
    World,
}

/// One piece of a glyph, in units of the joint's radius, in the joint's frame.
#[derive(Debug, Clone, Copy, PartialEq)]
struct PartPiece {
    on_child: bool,
    matter: Matter,
    form: PartShape,
    /// Where its middle is.
    at: [f64; 3],
    /// Which axis of the frame its own z axis points along.
    axis: usize,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum PartShape {
    /// Radius and length.
    Rod(f64, f64),
    /// Radius.
    Ball(f64),
    /// Edges.
    Block([f64; 3]),
    /// Radius and thickness.
    Ring(f64, f64),
}

/// Length of a rail in joint radii.
const RAIL: f64 = 16.0;

/// The pieces of a joint's glyph.
fn pieces(kind: JointKind, on_world: bool) -> Vec<PartPiece> {
    let holder = if on_world {
        Matter::World
    } else {
        Matter::Joint
    };
    let piece = |on_child, matter, form, at, axis| PartPiece {
        on_child,
        matter,
        form,
        at,
        axis,
    };
    let child = |form, axis| piece(true, Matter::Joint, form, [0.0; 3], axis);
    let rail = |form, x: f64| piece(false, holder, form, [x, 0.0, 0.0], 2);
    let pin = [
        child(PartShape::Rod(0.55, 3.0), 2),
        piece(
            false,
            holder,
            PartShape::Rod(0.95, 0.35),
            [0.0, 0.0, 1.5],
            2,
        ),
        piece(
            false,
            holder,
            PartShape::Rod(0.95, 0.35),
            [0.0, 0.0, -1.5],
            2,
        ),
    ];
    let plate = piece(
        false,
        holder,
        PartShape::Block([14.0, 14.0, 0.12]),
        [0.0; 3],
        2,
    );
    let ball = child(PartShape::Ball(1.22), 2);
    match kind {
        JointKind::Revolute => pin.to_vec(),
        JointKind::Spherical => vec![
            ball,
            piece(false, holder, PartShape::Ring(1.2, 0.24), [0.0; 3], 2),
        ],
        JointKind::Universal => vec![
            piece(false, holder, PartShape::Rod(0.5, 3.4), [0.0; 3], 2),
            child(PartShape::Rod(0.5, 3.4), 0),
        ],
        JointKind::Prismatic => vec![
            rail(PartShape::Rod(0.3, RAIL), 0.9),
            rail(PartShape::Rod(0.3, RAIL), -0.9),
            child(PartShape::Block([2.6, 1.5, 2.0]), 2),
        ],
        JointKind::Cylindrical => vec![
            rail(PartShape::Rod(0.45, RAIL), 0.0),
            child(PartShape::Rod(0.95, 2.4), 2),
        ],
        JointKind::Fixed => vec![child(PartShape::Ring(1.05, 0.28), 2)],
        JointKind::PointOnLine => vec![
            rail(PartShape::Rod(0.3, RAIL), 0.0),
            child(PartShape::Ball(0.75), 2),
        ],
        JointKind::PointOnPlane => vec![plate, child(PartShape::Ball(0.75), 2)],
        JointKind::Planar => vec![plate, child(PartShape::Block([1.6, 1.6, 0.5]), 2)],
        JointKind::PlanarAxis => vec![plate, child(PartShape::Rod(0.9, 0.6), 2)],
        JointKind::FixedOrientation | JointKind::Floating => Vec::new(),
    }
}

/// Builds the joints and springs of a scene that was opened, or again when the theme changed.
pub fn build(
    mut commands: Commands,
    session: Res<Session>,
    look: Res<Look>,
    view: Res<View>,
    mut built: Local<Option<(u64, bool)>>,
    mut cache: ResMut<MeshCache>,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<StandardMaterial>>,
    old: Query<Entity, (With<JointVisual>, With<Prop>)>,
) {
    if *built == Some((session.appearance(), look.dark)) {
        return;
    }
    *built = Some((session.appearance(), look.dark));
    old.iter().for_each(|e| commands.entity(e).despawn());
    let palette = Palette::of(look.dark);
    let model = session.model();
    let sizes = [view.ball.radius, look.least.unwrap_or(0.0)];
    let mut all = visuals(model, sizes, palette, &mut cache, &mut meshes);
    all.extend(brackets(&session, sizes, palette, &mut cache, &mut meshes));
    for glyph in all {
        commands
            .spawn((
                Prop,
                JointVisual,
                glyph.part,
                Transform::default(),
                Visibility::default(),
            ))
            .with_children(|root| {
                for (mesh, colour, pose) in glyph.pieces {
                    let material = cache.material(colour, false, &mut materials);
                    root.spawn((Mesh3d(mesh), MeshMaterial3d(material), pose));
                }
            });
    }
}

/// The brackets of all joints to the world.
fn brackets(
    session: &Session,
    [radius, least]: [f64; 2],
    palette: &Palette,
    cache: &mut MeshCache,
    meshes: &mut Assets<Mesh>,
) -> Vec<JointVisuals> {
    let model = session.model();
    let up = match model.gravity.try_normalize(1e-12) {
        Some(down) => -down,
        None => Vector::z(),
    };
    let start = &session.scene().state.bodies;
    let mounts = model.joints.iter().filter_map(|joint| {
        let size = bounds::joint(model, joint, radius).max(least);
        let centre = start.get(joint.child.0)?.position;
        let mount = mounts::mount(joint, &centre, &up, size, cache, meshes)?;
        let pieces = mount.pieces.into_iter();
        Some(JointVisuals {
            part: JointPart::World(mount.frame),
            pieces: pieces
                .map(|(mesh, pose)| (mesh, bright(palette.world), pose))
                .collect(),
        })
    });
    mounts.collect()
}

/// All joints and springs of a model in a scene of a radius, no joint less than a size (m).
pub fn visuals(
    model: &Model,
    [radius, least]: [f64; 2],
    palette: &Palette,
    cache: &mut MeshCache,
    meshes: &mut Assets<Mesh>,
) -> Vec<JointVisuals> {
    let mut found = Vec::new();
    for (k, joint) in model.joints.iter().enumerate() {
        let size = bounds::joint(model, joint, radius).max(least);
        let all = pieces(joint.kind, joint.parent.is_none());
        for on_child in [false, true] {
            let own = all.iter().filter(|p| p.on_child == on_child);
            let pieces: Vec<_> = own
                .filter_map(|p| {
                    let colour = match p.matter {
                        Matter::Joint => palette.joint,
                        Matter::World => palette.world,
                    };
                    let mesh = form_mesh(p.form, size, cache, meshes)?;
                    Some((mesh, bright(colour), piece_pose(p, size)))
                })
                .collect();
            let joint = JointId(k);
            if !pieces.is_empty() {
                let part = JointPart::Joint { joint, on_child };
                found.push(JointVisuals { part, pieces });
            }
        }
    }
    found.extend(springs(model).into_iter().map(|(ends, stiffness, rest)| {
        let (length, mesh) = spring_mesh(stiffness, rest, radius);
        JointVisuals {
            part: JointPart::Stretch { ends, length },
            pieces: vec![(
                meshes.add(mesh),
                bright(palette.spring),
                Transform::default(),
            )],
        }
    }));
    found
}

/// Every spring between two points: its ends, stiffness (N/m) and rest length (m).
fn springs(model: &Model) -> Vec<([Attachment; 2], f64, f64)> {
    let between = model.forces.iter().filter_map(|f| match f {
        Force::Spring {
            ends,
            stiffness,
            rest,
            ..
        } => Some((*ends, *stiffness, *rest)),
        _ => None,
    });
    // A spring along a sliding coordinate joins the two anchors.
    let along = model.joints.iter().flat_map(|joint| {
        let slides = joint
            .springs
            .iter()
            .filter(|s| s.coordinate < joint.kind.free_translations());
        slides.map(|s| {
            let parent = Attachment {
                body: joint.parent,
                point: joint.parent_frame.anchor,
            };
            let child = Attachment {
                body: Some(joint.child),
                point: joint.child_frame.anchor,
            };
            ([parent, child], s.stiffness, s.rest)
        })
    });
    between.chain(along).collect()
}

/// Length and mesh of a spring, or of a damper if it has no stiffness.
fn spring_mesh(stiffness: f64, rest: f64, scene_radius: f64) -> (f32, Mesh) {
    let radius = (0.028 * scene_radius) as f32;
    let length = rest.max(0.2 * scene_radius) as f32;
    let mesh = if stiffness > 0.0 {
        let turns = (length / (1.1 * radius)).clamp(6.0, 24.0) as u32;
        primitives::coil(radius, 0.2 * radius, length, turns)
    } else {
        // A piston: a housing on one half, a rod through both.
        let mut piston = primitives::cylinder(0.3 * radius, length, primitives::FACETS.0)
            .translated_by(Vec3::Z * 0.5 * length);
        let housing = primitives::cylinder(0.9 * radius, 0.5 * length, primitives::FACETS.0)
            .translated_by(Vec3::Z * 0.3 * length);
        if piston.merge(&housing).is_err() {
            return (length, housing);
        }
        piston
    };
    (length, mesh)
}

fn form_mesh(
    form: PartShape,
    size: f64,
    cache: &mut MeshCache,
    store: &mut Assets<Mesh>,
) -> Option<Handle<Mesh>> {
    let geometry = match form {
        PartShape::Rod(radius, length) => Geometry::Cylinder {
            radius: radius * size,
            length: length * size,
        },
        PartShape::Ball(radius) => Geometry::Sphere {
            radius: radius * size,
        },
        PartShape::Block(edges) => Geometry::Box {
            size: Vector::from(edges) * size,
        },
        PartShape::Ring(radius, thickness) => {
            return Some(cache.ring(radius * size, thickness * size, store));
        }
    };
    cache.mesh(&geometry, store)
}

fn piece_pose(piece: &PartPiece, size: f64) -> Transform {
    let rotation = match piece.axis {
        0 => Quat::from_rotation_y(std::f32::consts::FRAC_PI_2),
        1 => Quat::from_rotation_x(-std::f32::consts::FRAC_PI_2),
        _ => Quat::IDENTITY,
    };
    Transform::from_translation(convert::vec3(&(Vector::from(piece.at) * size)))
        .with_rotation(rotation)
}

/// Where a joint's frame is with the bodies as drawn.
fn frame(joint: &Joint, on_child: bool, poses: &[Pose]) -> Option<Pose> {
    let local = |f: &JointFrame| Pose::from_parts(f.anchor.into(), f.orientation);
    if on_child {
        return Some(poses.get(joint.child.0)? * local(&joint.child_frame));
    }
    match joint.parent {
        Some(parent) => Some(poses.get(parent.0)? * local(&joint.parent_frame)),
        None => Some(local(&joint.parent_frame)),
    }
}

/// A part that reaches from one point to another.
fn stretched(ends: &[Attachment; 2], own: f32, poses: &[Pose]) -> Option<Transform> {
    let end = |a: &Attachment| match a.body {
        Some(body) => Some((poses.get(body.0)? * nalgebra::Point3::from(a.point)).coords),
        None => Some(a.point),
    };
    let (from, to) = (end(&ends[0])?, end(&ends[1])?);
    let (from, along) = (convert::vec3(&from), convert::vec3(&(to - from)));
    let length = along.length();
    let turn = Quat::from_rotation_arc(Vec3::Z, along.normalize_or(Vec3::Z));
    Some(
        Transform::from_translation(from)
            .with_rotation(turn)
            .with_scale(Vec3::new(1.0, 1.0, (length / own).max(1e-3))),
    )
}

fn place(
    session: Res<Session>,
    view: Res<View>,
    mut parts: Query<(&JointPart, &mut Transform), With<JointVisual>>,
) {
    let model = session.model();
    for (part, mut transform) in &mut parts {
        if let Some(pose) = part.place(model, &view.poses) {
            *transform = pose;
        }
    }
}

fn show(look: Res<Look>, mut visuals: Query<&mut Visibility, With<JointVisual>>) {
    let wanted = if look.layers.shows(Layer::Joints) {
        Visibility::Inherited
    } else {
        Visibility::Hidden
    };
    for mut visibility in &mut visuals {
        visibility.set_if_neq(wanted);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_joint_that_holds_something_is_seen() {
        for kind in JointKind::ALL {
            let seen = !pieces(kind, false).is_empty();
            assert_eq!(seen, kind.constrained_translations() > 0, "{kind:?}");
        }
    }

    #[test]
    fn a_revolute_pin_lies_along_the_axis_of_the_joint() {
        let pin = pieces(JointKind::Revolute, true)[0];
        let pose = piece_pose(&pin, 0.1);
        assert!((pose.rotation * Vec3::Z - Vec3::Z).length() < 1e-6);
        // The cross of a universal joint: the parent's z axis and the child's x axis.
        let cross = pieces(JointKind::Universal, true);
        let axes = cross.iter().map(|p| piece_pose(p, 0.1).rotation * Vec3::Z);
        let axes: Vec<Vec3> = axes.collect();
        assert!((axes[0] - Vec3::Z).length() < 1e-6 && (axes[1] - Vec3::X).length() < 1e-6);
        assert!(!cross[0].on_child && cross[1].on_child);
    }
}
