//! From a shape of the file to a shape of the model.

use super::check::Check;
use super::colour;
use super::compliance::foundation;
use super::contact::{Names, Owner};
use super::files::Files;
use super::format::{RoundFile, ShapeFile};
use super::ground;
use super::surface::{self, Trouble};
use super::value::{Number, Vector};
use crate::math::{Pose, Quat, Vec3};
use crate::model::{Foundation, Geometry, Shape, Surface};
use std::sync::Arc;

/// What shapes are made with.
pub(super) struct Bench<'a> {
    /// Where mesh files are.
    pub files: &'a Files,
    /// Materials and groups.
    pub contact: Names<'a>,
}

/// A shape of the file and where it stands in it.
struct Blank<'a> {
    file: &'a ShapeFile,
    path: &'a [&'a str],
    kind: &'static str,
    owner: Owner<'a>,
    /// Ends of the axis, where these are given.
    axis: Option<(Vec3, Vec3)>,
}

impl Bench<'_> {
    /// Builds a shape; its pose is in the frame of the file. `None` where it is wrong.
    pub fn shape(
        &self,
        file: &ShapeFile,
        path: &[&str],
        owner: Owner,
        check: &mut Check,
    ) -> Option<Shape> {
        let field = |name| [path, &[name]].concat();
        let kind = kind(file, path, check)?;
        if let Some(mass) = file.mass {
            check.not_negative(&field("mass"), mass.0, " kg");
            if file.density.is_some() {
                check.wrong(&field("density"), "both mass and density", "one of them");
            }
        }
        if let Some(density) = file.density {
            check.not_negative(&field("density"), density.0, " kg/m³");
        }
        let colour = file
            .colour
            .as_ref()
            .and_then(|c| colour::resolve(c, &field("colour"), check));
        let touch = self.contact.touch(file, owner, path, check);
        let blank = Blank {
            file,
            path,
            kind,
            owner,
            axis: ends(file, path, check)?,
        };
        let pose = blank.pose(check);
        let geometry = self.geometry(&blank, check)?;
        if blank.axis.is_some() && !matches!(kind, "cylinder" | "capsule" | "cone") {
            let expected = "from and to only for a cylinder, capsule or cone";
            check.wrong(&field("from"), format!("from and to on a {kind}"), expected);
        }
        let foundations = self.foundations(&blank, &geometry, check);
        Some(Shape {
            geometry,
            pose,
            colour,
            touch,
            foundations,
        })
    }

    /// Layers on its faces; a face has one.
    fn foundations(
        &self,
        blank: &Blank,
        geometry: &Geometry,
        check: &mut Check,
    ) -> Vec<Foundation> {
        let mut made: Vec<Foundation> = Vec::new();
        for (k, file) in blank.file.foundations.iter().enumerate() {
            let index = k.to_string();
            let path = blank.at(&["foundations", &index]);
            let Some(own) = foundation(&path, file, geometry, check) else {
                continue;
            };
            if made.iter().any(|other| other.face == own.face) {
                check.wrong(&path, "a second foundation on a face", "one on each");
            }
            made.push(own);
        }
        made
    }

    fn geometry(&self, blank: &Blank, check: &mut Check) -> Option<Geometry> {
        let file = blank.file;
        if let Some(sphere) = &file.sphere {
            let radius = check.positive(&blank.at(&["sphere", "radius"]), sphere.radius.0, " m")?;
            return Some(Geometry::Sphere { radius });
        }
        if let Some(cuboid) = &file.cuboid {
            let size = blank.three(&["box", "size"], cuboid.size.0, "edge lengths", check)?;
            return Some(Geometry::Box { size });
        }
        if let Some(ellipsoid) = &file.ellipsoid {
            let path = ["ellipsoid", "radii"];
            let radii = blank.three(&path, ellipsoid.radii.0, "half-axes", check)?;
            return Some(Geometry::Ellipsoid { radii });
        }
        if let Some(hull) = &file.hull {
            let (points, path) = match (&hull.points[..], &hull.file) {
                ([], Some(name)) => {
                    let surface = self.load(blank, name, hull.scale, check)?;
                    (surface.vertices, blank.at(&["hull", "file"]))
                }
                (points, None) => {
                    if hull.scale.is_some() {
                        let found = "scale beside points";
                        check.wrong(&blank.at(&["hull", "scale"]), found, "scale beside file");
                    }
                    let points = points.iter().map(|p| p.0).collect();
                    (points, blank.at(&["hull", "points"]))
                }
                _ => {
                    check.wrong(&blank.at(&["hull"]), "both points and file", "one of them");
                    return None;
                }
            };
            let surface = tell(surface::convex(&points), &path, check)?;
            return Some(Geometry::Hull(Arc::new(surface)));
        }
        if let Some(mesh) = &file.mesh {
            let mut surface = self.load(blank, &mesh.file, mesh.scale, check)?;
            let drawn_only = file.collides == Some(false) && file.mass == Some(Number(0.0));
            if matches!(blank.owner, Owner::Body { .. }) && !drawn_only {
                let path = blank.at(&["mesh", "file"]);
                surface = tell(surface::closed(surface), &path, check)?;
            }
            return Some(Geometry::Mesh(Arc::new(surface)));
        }
        if file.half_space.is_some() {
            blank.only_world(check)?;
            return Some(Geometry::HalfSpace);
        }
        if let Some(field) = &file.height_field {
            blank.only_world(check)?;
            let field = ground::height_field(field, &blank.at(&["height_field"]), check)?;
            return Some(Geometry::HeightField(Arc::new(field)));
        }
        let of = [&file.cylinder, &file.capsule, &file.cone];
        let of = of.into_iter().find_map(Option::as_ref)?;
        let (radius, length) = blank.round_size(of, check)?;
        Some(match blank.kind {
            "cylinder" => Geometry::Cylinder { radius, length },
            "capsule" => Geometry::Capsule { radius, length },
            _ => Geometry::Cone { radius, length },
        })
    }

    /// Reads a mesh file named by the field `file` of a hull or mesh.
    fn load(
        &self,
        blank: &Blank,
        name: &str,
        scale: Option<Number>,
        check: &mut Check,
    ) -> Option<Surface> {
        let scale = match scale {
            Some(scale) => check.positive(&blank.at(&[blank.kind, "scale"]), scale.0, "")?,
            None => 1.0,
        };
        let path = blank.at(&[blank.kind, "file"]);
        tell(surface::load(self.files, name, scale), &path, check)
    }
}

/// The value, or a report of why there is none.
fn tell<T>(result: Result<T, Trouble>, path: &[&str], check: &mut Check) -> Option<T> {
    result
        .map_err(|trouble| check.wrong(path, trouble.found, trouble.expected))
        .ok()
}

/// The only kind of geometry that the file gives.
fn kind(file: &ShapeFile, path: &[&str], check: &mut Check) -> Option<&'static str> {
    let kinds = [
        ("sphere", file.sphere.is_some()),
        ("box", file.cuboid.is_some()),
        ("cylinder", file.cylinder.is_some()),
        ("capsule", file.capsule.is_some()),
        ("cone", file.cone.is_some()),
        ("ellipsoid", file.ellipsoid.is_some()),
        ("hull", file.hull.is_some()),
        ("mesh", file.mesh.is_some()),
        ("half_space", file.half_space.is_some()),
        ("height_field", file.height_field.is_some()),
    ];
    let given: Vec<&str> = kinds.iter().filter(|k| k.1).map(|k| k.0).collect();
    if let [kind] = given[..] {
        return Some(kind);
    }
    let found = match given.len() {
        0 => "none of them".to_owned(),
        _ => given.join(" and "),
    };
    let expected = format!("one of {}", kinds.map(|k| k.0).join(", "));
    check.wrong(path, found, &expected);
    None
}

impl Blank<'_> {
    /// Path of a field.
    fn at<'p>(&'p self, fields: &[&'p str]) -> Vec<&'p str> {
        [self.path, fields].concat()
    }

    /// Three lengths above zero.
    fn three(&self, fields: &[&str], size: Vec3, what: &str, check: &mut Check) -> Option<Vec3> {
        if size.min() > 0.0 {
            return Some(size);
        }
        let found = format!("({}, {}, {})", size.x, size.y, size.z);
        check.wrong(&self.at(fields), found, &format!("three {what} above 0 m"));
        None
    }

    /// Reports what only the world can have.
    fn only_world(&self, check: &mut Check) -> Option<()> {
        if matches!(self.owner, Owner::World) {
            return Some(());
        }
        let found = format!("a {} on a body", self.kind);
        let expected = "it in the world only: it has no end and no mass";
        check.wrong(&self.at(&[self.kind]), found, expected);
        None
    }

    fn pose(&self, check: &mut Check) -> Pose {
        match self.axis {
            Some((a, b)) => {
                // A cone's origin is its centroid, a quarter of the way up.
                let share = if self.kind == "cone" { 0.25 } else { 0.5 };
                let turn = Quat::rotation_between(&Vec3::z(), &(b - a))
                    .unwrap_or_else(|| Quat::from_scaled_axis(Vec3::x() * std::f64::consts::PI));
                Pose::from_parts((a + (b - a) * share).into(), turn)
            }
            None => Pose::from_parts(
                self.file.at.map_or(Vec3::zeros(), |at| at.0).into(),
                check.orientation(&self.at(&["orientation"]), self.file.orientation.as_ref()),
            ),
        }
    }

    fn round_size(&self, file: &RoundFile, check: &mut Check) -> Option<(f64, f64)> {
        let field = |name| self.at(&[self.kind, name]);
        let radius = check.positive(&field("radius"), file.radius.0, " m")?;
        let span = self.axis.map(|(a, b)| (b - a).norm());
        match (file.length, span) {
            (Some(length), None) => {
                Some((radius, check.positive(&field("length"), length.0, " m")?))
            }
            (None, Some(span)) => Some((radius, span)),
            (Some(_), Some(_)) => {
                let found = "a length beside from and to";
                check.wrong(&field("length"), found, "one of them");
                None
            }
            (None, None) => {
                let path = self.at(&[self.kind]);
                check.wrong(&path, "no length", "length, or from and to");
                None
            }
        }
    }
}

/// The ends of the axis, if the file gives them; `None` where they are wrong.
#[allow(clippy::type_complexity)]
fn ends(file: &ShapeFile, path: &[&str], check: &mut Check) -> Option<Option<(Vec3, Vec3)>> {
    let field = |name| [path, &[name]].concat();
    match (file.from, file.to) {
        (None, None) => Some(None),
        (Some(Vector(a)), Some(Vector(b))) => {
            if file.at.is_some() || file.orientation.is_some() {
                let found = "from and to beside at or orientation";
                check.wrong(&field("from"), found, "one way to place the shape");
            }
            if (b - a).norm() <= 0.0 {
                check.wrong(&field("to"), "the same point as from", "another point");
                return None;
            }
            Some(Some((a, b)))
        }
        (a, _) => {
            let (there, missing) = if a.is_some() {
                ("from", "to")
            } else {
                ("to", "from")
            };
            check.wrong(
                &field(there),
                format!("{there} without {missing}"),
                "both of them",
            );
            None
        }
    }
}
