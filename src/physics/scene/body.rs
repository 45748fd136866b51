//! From a body of the file to a body of the model: shapes, mass, centre of mass, inertia.

use super::check::Check;
use super::colour;
use super::contact::Owner;
use super::distribution::Distribution;
use super::format::{BodyFile, ShapeFile};
use super::mass;
use super::shape::Bench;
use super::value::Number;
use crate::math::{Mat3, Vec3};
use crate::model::{Body, Colour, Shape};

/// Density where nothing else is said (kg/m³).
const DENSITY: f64 = 1000.0;

/// A body of the model, and where its centre of mass is in the frame of the file.
pub(super) struct Built {
    pub body: Body,
    pub centre: Vec3,
    /// The colour that the file gives.
    pub colour: Option<Colour>,
}

/// Builds the body; wrong values are reported and replaced by harmless ones.
pub(super) fn build(name: &str, file: &BodyFile, bench: &Bench, check: &mut Check) -> Built {
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
    let material = file.material.as_deref();
    if let Some(material) = material {
        bench
            .contact
            .material(material, &["bodies", name, "material"], check);
    }
    let owner = Owner::Body { material };
    let built: Vec<(&ShapeFile, Vec<&str>, Shape)> = shapes
        .into_iter()
        .filter_map(|(s, path)| {
            let built = bench.shape(s, &path, owner, check);
            built.map(|shape| (s, path, shape))
        })
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
            if !check.is_left_out(&field("mass")) {
                let expected = "mass beside inertia";
                check.wrong(&field("inertia"), "inertia without mass", expected);
            }
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
