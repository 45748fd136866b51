//! What double precision can hold together: masses, moments of inertia, lever arms, joints between two bodies.

use super::value;
use crate::model::{Body, BodyId, Force, Geometry, ModelError, ModelParts, Shape};
use std::collections::BTreeMap;

/// Range of masses [kg]: products of a few of them with anything else a scene may hold are finite and not zero.
const MASSES: std::ops::RangeInclusive<f64> = 1e-50..=1e50;

/// Largest ratio of two masses or two principal moments: of the smaller at least one digit is left in the sum, of
/// which there are fifteen.
const RATIO: f64 = 1e14;

/// Largest lever arm over the radius of gyration. About a point at the end of the arm r the inertia is I + m r²; the
/// root of [`RATIO`] leaves a digit of I.
const LEVER: f64 = 1e7;

/// Most joints between two bodies. Two bodies have six freedoms to lose; every joint more adds equations that the
/// others imply, and the time for telling which grows with the cube of their number.
const JOINTS: usize = 32;

/// Everything that is too large beside something else.
pub(super) fn problems(parts: &ModelParts, found: &mut Vec<ModelError>) {
    joints(parts, found);
    let bodies = &parts.bodies;
    if !bodies
        .iter()
        .all(|b| b.mass > 0.0 && b.inertia.iter().all(|x| x.is_finite()))
    {
        return;
    }
    for b in bodies.iter().filter(|b| !MASSES.contains(&b.mass)) {
        let found_mass = format!("{:e}", b.mass);
        let expected = "a mass from 1e-50 to 1e50 kg";
        found.push(value("body", &b.name, "mass", found_mass, expected));
    }
    let lightest = bodies.iter().min_by(|a, b| a.mass.total_cmp(&b.mass));
    let Some(lightest) = lightest.filter(|b| MASSES.contains(&b.mass)) else {
        return;
    };
    let heavy = |b: &&Body| MASSES.contains(&b.mass) && b.mass > RATIO * lightest.mass;
    for b in bodies.iter().filter(heavy) {
        let shown = format!(
            "{:e} kg beside the {:e} kg of `{}`",
            b.mass, lightest.mass, lightest.name
        );
        let expected =
            "masses of a scene whose ratio is at most 1e14: double precision has fifteen digits";
        found.push(value("body", &b.name, "mass", shown, expected));
    }
    levers(parts, found);
}

/// A point of a body that something acts on.
struct Point<'a> {
    item: &'static str,
    name: &'a str,
    field: &'static str,
    body: BodyId,
    /// Distance from the centre of mass (m).
    arm: f64,
}

fn levers(parts: &ModelParts, found: &mut Vec<ModelError>) {
    let mut points = Vec::new();
    for (k, b) in parts.bodies.iter().enumerate() {
        let reach = b.shapes.iter().map(reach).fold(0.0, f64::max);
        points.push(Point {
            item: "body",
            name: &b.name,
            field: "shape",
            body: BodyId(k),
            arm: reach,
        });
    }
    for j in &parts.joints {
        let parent = j.parent.map(|p| (p, &j.parent_frame, "anchor"));
        let child = (j.child, &j.child_frame, "child_anchor");
        for (body, frame, field) in parent.into_iter().chain([child]) {
            points.push(Point {
                item: "joint",
                name: &j.name,
                field,
                body,
                arm: frame.anchor.norm(),
            });
        }
    }
    for f in &parts.forces {
        match f {
            Force::Spring { name, ends, .. } => {
                for (end, field) in ends.iter().zip(["from", "to"]) {
                    points.extend(end.body.map(|body| Point {
                        item: "spring",
                        name,
                        field,
                        body,
                        arm: end.point.norm(),
                    }));
                }
            }
            Force::Wrench {
                name, body, point, ..
            } => points.push(Point {
                item: "wrench",
                name,
                field: "point",
                body: *body,
                arm: point.norm(),
            }),
        }
    }
    for c in &parts.cables {
        points.extend(c.ends.iter().filter_map(|end| {
            Some(Point {
                item: "cable",
                name: &c.name,
                field: "ends",
                body: end.body?,
                arm: end.point.norm(),
            })
        }));
    }
    for p in points {
        let body = &parts.bodies[p.body.0];
        let gyration = (body.inertia.diagonal().max() / body.mass).sqrt();
        if p.arm > LEVER * gyration {
            let shown = format!(
                "{:e} m from the centre of mass of `{}`, whose radius of gyration is {:e} m",
                p.arm, body.name, gyration
            );
            let expected =
                "at most 1e7 times the radius of gyration: double precision has fifteen digits";
            found.push(value(p.item, p.name, p.field, shown, expected));
        }
    }
}

/// How far a shape reaches from the centre of mass (m).
fn reach(shape: &Shape) -> f64 {
    let own = match &shape.geometry {
        Geometry::Sphere { radius } => *radius,
        Geometry::Box { size } => size.norm() / 2.0,
        Geometry::Ellipsoid { radii } => radii.max(),
        Geometry::Cylinder { radius, length }
        | Geometry::Capsule { radius, length }
        | Geometry::Cone { radius, length } => radius.hypot(*length),
        Geometry::Hull(surface) | Geometry::Mesh(surface) => surface
            .vertices
            .iter()
            .map(|v| v.norm())
            .fold(0.0, f64::max),
        // Of the world only.
        Geometry::HalfSpace | Geometry::HeightField(_) => 0.0,
    };
    shape.pose.translation.vector.norm() + own
}

/// Principal moments, the smallest first, that are too far apart; what is wrong with them.
pub(super) fn moments([least, _, most]: [f64; 3]) -> Option<String> {
    let apart = least < most / RATIO;
    apart.then(|| {
        format!(
            "has principal moments from {least:e} to {most:e} kg·m², more than a ratio of 1e14 apart, which is more \
             than double precision holds"
        )
    })
}

fn joints(parts: &ModelParts, found: &mut Vec<ModelError>) {
    let mut between: BTreeMap<[Option<BodyId>; 2], usize> = BTreeMap::new();
    for j in &parts.joints {
        let child = Some(j.child);
        let count = between.entry([j.parent.min(child), j.parent.max(child)]);
        let count = count.or_default();
        *count += 1;
        if *count == JOINTS + 1 {
            let shown = format!("one of more than {JOINTS} joints between the same two bodies");
            let expected = "fewer; two bodies have six freedoms to lose";
            found.push(value("joint", &j.name, "child", shown, expected));
        }
    }
}
