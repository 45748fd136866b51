//! From a body of the file to a body of the model: shapes, mass, centre of mass, inertia.

use super::check::Check;
use super::colour;
use super::format::{BodyFile, RoundFile, ShapeFile};
use super::mass::{self, Distribution};
use super::value::{Number, Vector};
use crate::math::{Mat3, Pose, Quat, Vec3};
use crate::model::{Body, Colour, Geometry, Shape, Touch};

/// Density where nothing else is said [kg/m³].
const DENSITY: f64 = 1000.0;

/// A body of the model, and where its centre of mass is in the frame of the file.
pub(super) struct Built {
    pub body: Body,
    pub centre: Vec3,
    /// The colour that the file gives.
    pub colour: Option<Colour>,
}

/// Builds the body; wrong values are reported and replaced by harmless ones.
pub(super) fn build(name: &str, file: &BodyFile, check: &mut Check) -> Built {
    let path = ["bodies", name];
    let colour = file
        .colour
        .as_ref()
        .and_then(|c| colour::resolve(c, &["bodies", name, "colour"], check));
    let mut shapes = Vec::new();
    if let Some(shape) = &file.shape {
        shapes.push((shape, vec!["bodies", name, "shape"]));
        if !file.shapes.is_empty() {
            check.wrong(&path, "both shape and shapes", "one of them");
        }
    }
    let indices: Vec<String> = (0..file.shapes.len()).map(|k| k.to_string()).collect();
    for (k, shape) in file.shapes.iter().enumerate() {
        shapes.push((shape, vec!["bodies", name, "shapes", &indices[k]]));
    }
    let built: Vec<(&ShapeFile, Vec<&str>, Shape)> = shapes
        .into_iter()
        .filter_map(|(s, path)| shape(s, &path, check).map(|built| (s, path, built)))
        .collect();
    let distribution = distribution(name, file, &built, check);
    let centre = distribution.centre;
    let mut shapes: Vec<Shape> = built.into_iter().map(|b| b.2).collect();
    for shape in &mut shapes {
        shape.pose.translation.vector -= centre;
        shape.colour = shape.colour.or(colour);
    }
    Built {
        body: Body {
            name: name.into(),
            mass: distribution.mass,
            inertia: distribution.inertia,
            origin: -centre,
            shapes,
        },
        centre,
        colour,
    }
}

/// Mass, centre and inertia by what the file gives.
fn distribution(
    name: &str,
    file: &BodyFile,
    shapes: &[(&ShapeFile, Vec<&str>, Shape)],
    check: &mut Check,
) -> Distribution {
    let harmless = Distribution {
        mass: 1.0,
        centre: Vec3::zeros(),
        inertia: Mat3::identity(),
    };
    let field = |name_of_field| ["bodies", name, name_of_field];
    let mut sound = shapes.len() == file.shapes.len() + usize::from(file.shape.is_some());
    if let Some(mass) = file.mass {
        sound &= check.positive(&field("mass"), mass.0, " kg").is_some();
    }
    if let Some(density) = file.density {
        sound &= check
            .positive(&field("density"), density.0, " kg/m³")
            .is_some();
        if file.mass.is_some() {
            check.wrong(&field("density"), "both mass and density", "one of them");
        }
    }
    if let Some(inertia) = file.inertia {
        let Some(Number(mass)) = file.mass else {
            check.wrong(
                &field("inertia"),
                "inertia without mass",
                "mass beside inertia",
            );
            return harmless;
        };
        let [xx, yy, zz, xy, xz, yz] = inertia.0;
        let mass = if sound { mass } else { harmless.mass };
        return Distribution {
            mass,
            centre: file.centre.map_or(Vec3::zeros(), |c| c.0),
            inertia: Mat3::new(xx, xy, xz, xy, yy, yz, xz, yz, zz),
        };
    }
    if file.centre.is_some() {
        let expected = "centre only beside inertia; without it the shapes give the centre of mass";
        check.wrong(&field("centre"), "centre without inertia", expected);
    }
    let density = file.density.map_or(DENSITY, |d| d.0);
    let weigh = |(file, _, shape): &(&ShapeFile, Vec<&str>, Shape)| {
        let volume = mass::volume(&shape.geometry);
        let mass = match (file.mass, file.density) {
            (Some(mass), _) => mass.0,
            (None, Some(own)) => own.0 * volume,
            (None, None) => density * volume,
        };
        mass::of_shape(&shape.geometry, &shape.pose, mass)
    };
    let mut sum = mass::sum(&shapes.iter().map(weigh).collect::<Vec<_>>());
    if !sound {
        return harmless;
    }
    if sum.mass <= 0.0 {
        let expected = "shapes with mass, or mass and inertia";
        check.wrong(&["bodies", name], "a body without mass", expected);
        return harmless;
    }
    if let Some(mass) = file.mass {
        for (shape, path, _) in shapes {
            if shape.mass.is_some_and(|m| m.0 != 0.0) {
                let expected = "either the mass of the body or those of its shapes";
                check.wrong(&[&path[..], &["mass"]].concat(), "a second mass", expected);
            }
        }
        sum.inertia *= mass.0 / sum.mass;
        sum.mass = mass.0;
    }
    sum
}

/// Builds a shape of a body or of the world; its pose is in the frame of the file.
pub(super) fn shape(file: &ShapeFile, path: &[&str], check: &mut Check) -> Option<Shape> {
    let field = |name| [path, &[name]].concat();
    let round = [
        ("cylinder", &file.cylinder),
        ("capsule", &file.capsule),
        ("cone", &file.cone),
    ];
    let given: Vec<&str> = [
        ("sphere", file.sphere.is_some()),
        ("box", file.cuboid.is_some()),
    ]
    .into_iter()
    .chain(round.iter().map(|(n, r)| (*n, r.is_some())))
    .filter(|g| g.1)
    .map(|g| g.0)
    .collect();
    let [kind] = given[..] else {
        let found = match given.len() {
            0 => "none of them".to_owned(),
            _ => given.join(" and "),
        };
        check.wrong(path, found, "one of sphere, box, cylinder, capsule, cone");
        return None;
    };
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
    let axis = ends(file, path, check)?;
    let pose = match axis {
        Some((a, b)) => {
            // A cone's origin is its centroid, a quarter of the way up.
            let share = if kind == "cone" { 0.25 } else { 0.5 };
            let turn = Quat::rotation_between(&Vec3::z(), &(b - a))
                .unwrap_or_else(|| Quat::from_scaled_axis(Vec3::x() * std::f64::consts::PI));
            Pose::from_parts((a + (b - a) * share).into(), turn)
        }
        None => Pose::from_parts(
            file.at.map_or(Vec3::zeros(), |at| at.0).into(),
            check.orientation(&field("orientation"), file.orientation.as_ref()),
        ),
    };
    let geometry = if let Some(sphere) = &file.sphere {
        let radius = check.positive(
            &[path, &["sphere", "radius"]].concat(),
            sphere.radius.0,
            " m",
        )?;
        Geometry::Sphere { radius }
    } else if let Some(cuboid) = &file.cuboid {
        let size = cuboid.size.0;
        if size.min() <= 0.0 {
            let found = format!("({}, {}, {})", size.x, size.y, size.z);
            let expected = "three edge lengths above 0 m";
            check.wrong(&[path, &["box", "size"]].concat(), found, expected);
            return None;
        }
        Geometry::Box { size }
    } else {
        let of = round.iter().find_map(|(_, r)| r.as_ref())?;
        let span = axis.map(|(a, b)| (b - a).norm());
        let (radius, length) = round_size(kind, of, span, path, check)?;
        match kind {
            "cylinder" => Geometry::Cylinder { radius, length },
            "capsule" => Geometry::Capsule { radius, length },
            _ => Geometry::Cone { radius, length },
        }
    };
    if axis.is_some() && matches!(geometry, Geometry::Sphere { .. } | Geometry::Box { .. }) {
        let expected = "from and to only for a cylinder, capsule or cone";
        check.wrong(&field("from"), format!("from and to on a {kind}"), expected);
    }
    Some(Shape {
        geometry,
        pose,
        colour,
        touch: Touch::default(),
    })
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

fn round_size(
    kind: &str,
    file: &RoundFile,
    span: Option<f64>,
    path: &[&str],
    check: &mut Check,
) -> Option<(f64, f64)> {
    let field = |name| [path, &[kind, name]].concat();
    let radius = check.positive(&field("radius"), file.radius.0, " m")?;
    match (file.length, span) {
        (Some(length), None) => Some((radius, check.positive(&field("length"), length.0, " m")?)),
        (None, Some(span)) => Some((radius, span)),
        (Some(_), Some(_)) => {
            check.wrong(
                &field("length"),
                "a length beside from and to",
                "one of them",
            );
            None
        }
        (None, None) => {
            check.wrong(
                &[path, &[kind]].concat(),
                "no length",
                "length, or from and to",
            );
            None
        }
    }
}
