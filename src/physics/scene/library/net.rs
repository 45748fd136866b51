//! Nets of rods that meet in knots, hung from two corners.

use super::parameters::{Parameter, Range, Values};
use super::{Generator, parts};
use crate::math::Vec3;
use crate::scene::format::{
    BodyFile, CameraFile, JointFile, Kind, RoundFile, SceneFile, ShapeFile,
};
use crate::scene::value::{Number, Vector};

pub(super) const GENERATOR: Generator = Generator {
    name: "net",
    description: "Rectangular net of rods joined by spherical joints in its knots, hung from two corners",
    parameters: &[
        Parameter {
            name: "rows",
            default: "6",
            range: Range::Whole(2, 60),
            meaning: "knots along y, away from the edge that hangs",
        },
        Parameter {
            name: "columns",
            default: "6",
            range: Range::Whole(2, 60),
            meaning: "knots along x, the edge that hangs",
        },
        Parameter {
            name: "spacing",
            default: "0.4",
            range: Range::Number(0.001, 1000.0),
            meaning: "distance between neighbouring knots [m]; rods weigh 0.25 kg/m",
        },
        Parameter {
            name: "damping",
            default: "0",
            range: Range::Number(0.0, 1000.0),
            meaning: "viscous damping of every joint [N·m·s/rad]",
        },
    ],
    build,
};

/// Slope of a row at its ends, if it had infinitely many rods (rad).
const SLOPE: f64 = std::f64::consts::FRAC_PI_3;

fn build(values: &Values) -> SceneFile {
    let (rows, columns) = (values.count("rows"), values.count("columns"));
    let spacing = values.number("spacing");
    let damping = values.number("damping");
    let mut file = parts::scene(
        format!("Net of {rows} × {columns} knots"),
        "Spherical joints and a loop through every mesh: let it fall and pull at a knot.",
    );
    // A row that is straight between its two supports could carry no load: it would need infinite tension.
    // So rows start as arcs, from 60° down to 60° up.
    let mut row = vec![(0.0, 0.0)];
    for c in 1..columns {
        let share = (2 * c) as f64 / columns as f64 - 1.0;
        let angle = SLOPE * share;
        let (x, z) = row[c - 1];
        row.push((x + spacing * angle.cos(), z + spacing * angle.sin()));
    }
    let width = row[columns - 1].0;
    let depth = (rows - 1) as f64 * spacing;
    let height = depth + 0.5 * columns as f64 * spacing + spacing;
    let knot = |r: usize, c: usize| {
        let (x, z) = row[c];
        Vec3::new(x - width / 2.0, r as f64 * spacing, height + z)
    };
    // Rods that meet in each knot, in the order in which they are made.
    let mut meeting: Vec<Vec<String>> = vec![Vec::new(); rows * columns];
    for r in 0..rows {
        for c in 0..columns {
            for (name, r2, c2) in [("across", r, c + 1), ("down", r + 1, c)] {
                if r2 >= rows || c2 >= columns {
                    continue;
                }
                let name = format!("{name}_{r}_{c}");
                let rod = rod(knot(r, c), knot(r2, c2), spacing);
                parts::add(&mut file.bodies, name.clone(), rod);
                meeting[r * columns + c].push(name.clone());
                meeting[r2 * columns + c2].push(name);
            }
        }
    }
    for r in 0..rows {
        for c in 0..columns {
            // Every other rod of a knot is joined to the first: no joint more than needed.
            let (first, others) = meeting[r * columns + c]
                .split_first()
                .expect("two rods or more meet in every knot");
            let mut join = |name: String, parent: &str, child: &str| {
                let joint = JointFile {
                    kind: Kind::Spherical,
                    parent: parent.into(),
                    child: child.into(),
                    anchor: Some(Vector(knot(r, c))),
                    in_world: true,
                    damping: (damping > 0.0).then_some(Number(damping)),
                    ..JointFile::default()
                };
                parts::add(&mut file.joints, name, joint);
            };
            if r == 0 && (c == 0 || c + 1 == columns) {
                join(format!("corner_{c}"), "world", first);
            }
            for (k, other) in others.iter().enumerate() {
                join(format!("knot_{r}_{c}_{}", k + 1), first, other);
            }
        }
    }
    // Light rods under tension ring fast.
    file.integrator.dt = Some(Number(0.005));
    let reach = depth.max(width);
    let target = Vec3::new(0.0, 0.2 * depth, height - 0.4 * depth);
    file.camera = Some(CameraFile {
        eye: Vector(target + Vec3::new(1.1, 1.9, 0.55) * reach),
        target: Vector(target),
        up: None,
    });
    file
}

/// A rod between two points of the world, in whose coordinates it is drawn.
fn rod(a: Vec3, b: Vec3, spacing: f64) -> BodyFile {
    BodyFile {
        mass: Some(Number(0.25 * spacing)),
        shape: Some(ShapeFile {
            capsule: Some(RoundFile {
                radius: Number(0.03 * spacing),
                length: None,
            }),
            from: Some(Vector(a)),
            to: Some(Vector(b)),
            ..ShapeFile::default()
        }),
        ..BodyFile::default()
    }
}
