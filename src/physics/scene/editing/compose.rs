//! Edits that add bodies and connect points.

use super::begin::orientation;
use super::edit::{Amendment, Edit};
use super::removal::{keep, pin};
use crate::math::{Pose, Quat, Vec3};
use crate::model::{BodyId, Model, State};
use crate::scene::Scene;
use crate::scene::format::{
    AttachmentFile, BodyFile, BoxFile, CableFile, EllipsoidFile, JointFile, Kind, RoundFile,
    SceneFile, ShapeFile, SphereFile, SpringFile,
};
use crate::scene::value::{Number, Vector};

/// Shapes of new bodies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fresh {
    /// Box with three different edges, so that it tumbles visibly.
    Box,
    /// Ball.
    Sphere,
    /// Capsule along z.
    Capsule,
    /// Cylinder along z.
    Cylinder,
    /// Cone along z.
    Cone,
    /// Ellipsoid.
    Ellipsoid,
}

/// What connects two points.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Link {
    /// A joint that brings them together.
    Joint(Kind),
    /// A spring that is relaxed as they are.
    Spring,
    /// A cable that is taut as they are.
    Cable,
}

impl Fresh {
    /// All of them, in the order of menus.
    pub const ALL: [Self; 6] = [
        Self::Box,
        Self::Sphere,
        Self::Capsule,
        Self::Cylinder,
        Self::Cone,
        Self::Ellipsoid,
    ];

    /// Its word, which new bodies are called after.
    pub fn word(self) -> &'static str {
        match self {
            Self::Box => "box",
            Self::Sphere => "sphere",
            Self::Capsule => "capsule",
            Self::Cylinder => "cylinder",
            Self::Cone => "cone",
            Self::Ellipsoid => "ellipsoid",
        }
    }

    /// The shape, about so large (m).
    pub fn shape(self, size: f64) -> ShapeFile {
        let round = |radius: f64, length: f64| {
            Some(RoundFile {
                radius: Number(tidy(radius * size)),
                length: Some(Number(tidy(length * size))),
            })
        };
        let three = |x: f64, y: f64, z: f64| Vector((Vec3::new(x, y, z) * size).map(tidy));
        let mut shape = ShapeFile::default();
        match self {
            Self::Box => {
                shape.cuboid = Some(BoxFile {
                    size: three(1.0, 0.75, 0.5),
                });
            }
            Self::Sphere => {
                shape.sphere = Some(SphereFile {
                    radius: Number(tidy(0.5 * size)),
                });
            }
            Self::Capsule => shape.capsule = round(0.25, 0.75),
            Self::Cylinder => shape.cylinder = round(0.35, 0.8),
            Self::Cone => shape.cone = round(0.4, 0.9),
            Self::Ellipsoid => {
                shape.ellipsoid = Some(EllipsoidFile {
                    radii: three(0.5, 0.35, 0.25),
                });
            }
        }
        shape
    }
}

/// The nearest number of two digits, as a person would write it.
pub(super) fn tidy(x: f64) -> f64 {
    let text = format!("{x:.1e}");
    text.parse().unwrap_or(x)
}

/// A name that is not taken: the stem, or the stem with a number behind it.
pub fn free_name<'a>(taken: impl Iterator<Item = &'a str> + Clone, stem: &str) -> String {
    let bare = stem.trim_end_matches(|c: char| c.is_ascii_digit());
    let bare = bare.strip_suffix('_').unwrap_or(bare);
    let stem = if bare.is_empty() { stem } else { bare };
    let names = std::iter::once(stem.to_owned()).chain((2u64..).map(|k| format!("{stem}_{k}")));
    let mut free = names.filter(|name| !taken.clone().any(|t| t == name));
    free.next().expect("there are more numbers than names")
}

/// A new body whose centre is at a point of the world (m), about so large (m). Gives its name too.
pub fn add(file: &SceneFile, fresh: Fresh, size: f64, at: Vec3) -> (String, Edit) {
    let name = free_name(file.bodies.names(), fresh.word());
    let body = BodyFile {
        shape: Some(fresh.shape(size)),
        position: Some(Vector(at)),
        ..BodyFile::default()
    };
    let edit = Edit::new(
        format!("add {name}"),
        vec![Amendment::Body(name.clone(), Some(Box::new(body)))],
    );
    (name, edit)
}

/// A point of a body, or of the world.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Point {
    /// The body; `None` is the world.
    pub body: Option<BodyId>,
    /// Where it is now, world frame (m).
    pub at: Vec3,
}

/// Connects two points of the mechanism as it is now. Gives the name of what connects them too; `None` where both are
/// on the same body or in the world.
pub fn connect(
    scene: &Scene,
    state: &State,
    link: Link,
    ends: [Point; 2],
) -> Option<(String, Edit)> {
    let (file, model) = (&scene.file, &scene.model);
    if ends[0].body == ends[1].body {
        return None;
    }
    let length = (ends[1].at - ends[0].at).norm();
    let attach = |end: &Point| AttachmentFile {
        body: end
            .body
            .map_or("world".into(), |b| model.bodies[b.0].name.clone()),
        point: Some(Vector(local(model, state, end))),
    };
    let [from, to] = [0, 1].map(|k| attach(&ends[k]));
    let (name, amendments) = match link {
        Link::Spring => {
            let name = free_name(file.springs.names(), "spring");
            let mass = ends
                .iter()
                .filter_map(|e| e.body)
                .map(|b| model.bodies[b.0].mass);
            let mass = mass.fold(f64::INFINITY, f64::min);
            // The lighter body bounces about once a second, and comes to rest within a few.
            let stiffness = tidy(40.0 * mass);
            let spring = SpringFile {
                from,
                to,
                stiffness: Number(stiffness),
                rest: Some(Number(length)),
                damping: Number(tidy(0.2 * (stiffness * mass).sqrt())),
            };
            let put = Amendment::Spring(name.clone(), Some(Box::new(spring)));
            (name, vec![put])
        }
        Link::Cable => {
            let name = free_name(file.cables.names(), "cable");
            let cable = CableFile {
                ends: (from, to),
                length: Some(Number(length)),
                ..CableFile::default()
            };
            let put = Amendment::Cable(name.clone(), Some(Box::new(cable)));
            (name, vec![put])
        }
        Link::Joint(kind) => joint(scene, state, kind, ends)?,
    };
    Some((name.clone(), Edit::new(format!("add {name}"), amendments)))
}

/// A joint whose coordinates are zero as the bodies are turned now, about the vertical.
fn joint(
    scene: &Scene,
    state: &State,
    kind: Kind,
    mut ends: [Point; 2],
) -> Option<(String, Vec<Amendment>)> {
    let (file, model) = (&scene.file, &scene.model);
    if ends[1].body.is_none() {
        ends.swap(0, 1);
    }
    let [parent, child] = ends;
    let child_name = &model.bodies[child.body?.0].name;
    let turned =
        |body: Option<BodyId>| body.map_or(Quat::identity(), |b| state.bodies[b.0].orientation);
    let (parent_turn, child_turn) = (turned(parent.body), turned(child.body));
    let name = free_name(file.joints.names(), &format!("{child_name}_joint"));
    let data = JointFile {
        kind,
        parent: parent
            .body
            .map_or("world".into(), |b| model.bodies[b.0].name.clone()),
        child: child_name.clone(),
        anchor: Some(Vector(local(model, state, &parent))),
        axis: Some(Vector(parent_turn.inverse() * Vec3::z())),
        child_anchor: Some(Vector(local(model, state, &child))),
        child_orientation: orientation(&(parent_turn.inverse() * child_turn)),
        ..JointFile::default()
    };
    let mut amendments = Vec::new();
    // Otherwise the new joint would say where its child starts.
    let placed = |j: &JointFile| j.child == *child_name && !j.in_world;
    if !file.joints.iter().any(|(_, j)| placed(j)) {
        amendments.extend(pin(scene, child_name).map(|b| keep(child_name, b)));
    }
    amendments.push(Amendment::Joint(name.clone(), Some(Box::new(data))));
    Some((name, amendments))
}

/// A point in the frame that the file uses for its body (m).
fn local(model: &Model, state: &State, end: &Point) -> Vec3 {
    end.body.map_or(end.at, |b| {
        let at = &state.bodies[b.0];
        let pose = Pose::from_parts(at.position.into(), at.orientation);
        pose.inverse_transform_point(&end.at.into()).coords - model.bodies[b.0].origin
    })
}
