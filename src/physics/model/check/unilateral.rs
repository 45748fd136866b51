//! What must hold of contact, joint limits and cables.

use super::{coordinate_error, duplicates, value};
use crate::model::{Cable, ContactRules, Geometry, Joint, ModelError, ModelParts, Shape};
use std::collections::BTreeSet;

/// Everything that is wrong with what is a unilateral constraint.
pub(super) fn problems(parts: &ModelParts, found: &mut Vec<ModelError>) {
    duplicates("cables", parts.cables.iter().map(|c| &c.name), found);
    parts.joints.iter().for_each(|j| limits(j, found));
    parts.cables.iter().for_each(|c| cable(c, parts, found));
    if let Some(rules) = &parts.contact {
        contact(rules, parts, found);
    }
    for body in &parts.bodies {
        for shape in &body.shapes {
            let endless = match shape.geometry {
                Geometry::HalfSpace => "a half-space",
                Geometry::HeightField(_) => "a height field",
                _ => continue,
            };
            let expected = "shapes with an end; this one is for the world only";
            found.push(value("body", &body.name, "shapes", endless, expected));
        }
    }
    let shapes = parts.bodies.iter().flat_map(|b| &b.shapes);
    for shape in shapes.chain(&parts.world_shapes) {
        geometry(shape, found);
    }
}

fn coefficients(
    item: &'static str,
    name: &str,
    [friction, restitution]: [f64; 2],
    found: &mut Vec<ModelError>,
) {
    if !(friction >= 0.0 && friction.is_finite()) {
        let expected = "a number of at least 0";
        found.push(value(item, name, "friction", friction, expected));
    }
    restitution_of(item, name, restitution, found);
}

fn restitution_of(item: &'static str, name: &str, restitution: f64, found: &mut Vec<ModelError>) {
    if !(0.0..=1.0).contains(&restitution) {
        let expected = "a number from 0 to 1";
        found.push(value(item, name, "restitution", restitution, expected));
    }
}

fn contact(rules: &ContactRules, parts: &ModelParts, found: &mut Vec<ModelError>) {
    duplicates("materials", rules.materials.iter().map(|m| &m.name), found);
    for m in &rules.materials {
        coefficients("material", &m.name, [m.friction, m.restitution], found);
    }
    let count = rules.materials.len();
    let name = |k: usize| rules.materials.get(k).map_or("?", |m| &m.name);
    let mut seen = BTreeSet::new();
    for pair in &rules.pairs {
        let [a, b] = pair.materials;
        let called = format!("{}, {}", name(a), name(b));
        let item = "pair of materials";
        if a.max(b) >= count {
            let shown = format!("{a} and {b} of {count} materials");
            let expected = "indices of materials";
            found.push(value(item, &called, "materials", shown, expected));
        }
        if !seen.insert([a.min(b), a.max(b)]) {
            let expected = "every pair once";
            found.push(value(
                item,
                &called,
                "materials",
                "a second time there",
                expected,
            ));
        }
        coefficients(item, &called, [pair.friction, pair.restitution], found);
    }
    for [a, b] in &rules.apart {
        if a == b {
            let name = &parts.bodies[a.0].name;
            let expected = "two different bodies that never touch";
            found.push(value(
                "body",
                name,
                "apart",
                "kept apart from itself",
                expected,
            ));
        }
    }
    let worlds = parts.world_shapes.iter().map(|s| ("the world", s));
    let bodies = parts.bodies.iter();
    let bodies = bodies.flat_map(|b| b.shapes.iter().map(move |s| (b.name.as_str(), s)));
    for (owner, shape) in worlds.chain(bodies) {
        if shape.touch.material >= count {
            let shown = format!("{} of {count}", shape.touch.material);
            found.push(value(
                "shape of",
                owner,
                "material",
                shown,
                "the index of a material",
            ));
        }
    }
}

fn limits(joint: &Joint, found: &mut Vec<ModelError>) {
    let item = "limit of joint";
    let mut seen = BTreeSet::new();
    for limit in &joint.limits {
        if limit.coordinate >= joint.kind.freedoms() {
            found.push(coordinate_error(
                item,
                &joint.name,
                limit.coordinate,
                joint.kind,
            ));
        }
        if !seen.insert(limit.coordinate) {
            let shown = format!("{} twice", limit.coordinate);
            let expected = "one limit for each coordinate";
            found.push(value(item, &joint.name, "coordinate", shown, expected));
        }
        // Also false where one of them is no number.
        let ordered = limit.lower <= limit.upper;
        if !ordered || limit.lower == f64::INFINITY || limit.upper == f64::NEG_INFINITY {
            let shown = format!("{} above upper, {}", limit.lower, limit.upper);
            let expected = "a lower bound that is not above the upper one";
            found.push(value(item, &joint.name, "lower", shown, expected));
        }
        restitution_of(item, &joint.name, limit.restitution, found);
    }
}

fn cable(cable: &Cable, parts: &ModelParts, found: &mut Vec<ModelError>) {
    let name = &cable.name;
    if !(cable.length > 0.0 && cable.length.is_finite()) {
        let expected = "a length above 0 m";
        found.push(value("cable", name, "length", cable.length, expected));
    }
    restitution_of("cable", name, cable.restitution, found);
    let [a, b] = cable.ends.map(|e| e.body);
    if a == b {
        let shown = match a {
            Some(body) => format!("both on `{}`", parts.bodies[body.0].name),
            None => "both in the world".into(),
        };
        let expected = "ends on two bodies, or on a body and the world";
        found.push(value("cable", name, "ends", shown, expected));
    }
}

/// Surfaces and grids whose parts do not fit together.
fn geometry(shape: &Shape, found: &mut Vec<ModelError>) {
    let mut wrong = |item, field, shown: String, expected| {
        found.push(value(item, "shape", field, shown, expected));
    };
    match &shape.geometry {
        Geometry::Hull(surface) | Geometry::Mesh(surface) => {
            let count = surface.vertices.len();
            let corner = surface.triangles.iter().flatten().max();
            if corner.is_none_or(|k| *k as usize >= count) {
                let shown = format!("{corner:?} as the largest of {count} corners");
                wrong(
                    "surface of a",
                    "triangles",
                    shown,
                    "triangles of its own corners",
                );
            }
        }
        Geometry::HeightField(field) => {
            let [nx, ny] = field.samples;
            if nx < 2 || ny < 2 || field.heights.len() != nx * ny {
                let shown = format!("{} for {nx} × {ny} samples", field.heights.len());
                let expected = "as many heights as samples, 2 or more along x and y";
                wrong("height field of a", "heights", shown, expected);
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::{Mat3, Pose, Vec3};
    use crate::model::{
        Attachment, Body, BodyId, Joint, JointFrame, JointKind, JointLimit, Material, MaterialPair,
        Model, Touch,
    };

    fn parts() -> ModelParts {
        let frame = JointFrame {
            anchor: Vec3::zeros(),
            orientation: crate::math::Quat::identity(),
        };
        let material = |name: &str| Material {
            name: name.into(),
            friction: 0.5,
            restitution: 0.0,
            compliance: Default::default(),
        };
        let limit = JointLimit {
            coordinate: 0,
            lower: -1.0,
            upper: 1.0,
            restitution: 0.5,
            compliance: Default::default(),
        };
        let end = |body| Attachment {
            body,
            point: Vec3::zeros(),
        };
        ModelParts {
            bodies: vec![
                Body::new("a", 1.0, Mat3::identity()),
                Body::new("b", 1.0, Mat3::identity()),
            ],
            joints: vec![Joint {
                name: "j".into(),
                kind: JointKind::Revolute,
                parent: None,
                child: BodyId(0),
                parent_frame: frame,
                child_frame: frame,
                damping_translation: 0.0,
                damping_rotation: 0.0,
                springs: Vec::new(),
                actuators: Vec::new(),
                limits: vec![limit],
                compliance: Default::default(),
            }],
            cables: vec![Cable {
                name: "c".into(),
                ends: [end(Some(BodyId(0))), end(None)],
                length: 1.0,
                restitution: 0.0,
                compliance: Default::default(),
            }],
            contact: Some(ContactRules {
                materials: vec![material("steel"), material("ice")],
                pairs: vec![MaterialPair {
                    materials: [0, 1],
                    friction: 0.1,
                    restitution: 0.0,
                    compliance: Default::default(),
                }],
                apart: vec![[BodyId(0), BodyId(1)]],
                joined: false,
            }),
            ..ModelParts::default()
        }
    }

    fn half_space(touch: Touch) -> Shape {
        Shape {
            geometry: Geometry::HalfSpace,
            pose: Pose::identity(),
            colour: None,
            touch,
            foundations: Vec::new(),
        }
    }

    #[test]
    fn sound_parts_make_a_model() {
        let mut sound = parts();
        sound.world_shapes.push(half_space(Touch::default()));
        assert!(Model::new(sound).is_ok());
    }

    #[test]
    fn every_wrong_part_is_named() {
        type Spoil = fn(&mut ModelParts);
        fn rules(p: &mut ModelParts) -> &mut ContactRules {
            p.contact.as_mut().unwrap()
        }
        let cases: [(Spoil, &str); 16] = [
            (
                |p| rules(p).materials[1].friction = -0.1,
                "material `ice`: friction is -0.1",
            ),
            (
                |p| rules(p).materials[0].restitution = 1.5,
                "material `steel`: restitution is 1.5",
            ),
            (
                |p| rules(p).pairs[0].friction = f64::NAN,
                "pair of materials `steel, ice`: friction is NaN",
            ),
            (
                |p| rules(p).pairs[0].materials = [0, 2],
                "0 and 2 of 2 materials",
            ),
            (
                |p| {
                    let pair = rules(p).pairs[0];
                    rules(p).pairs.push(pair)
                },
                "a second time there",
            ),
            (
                |p| rules(p).materials[1].name = "steel".into(),
                "two materials are named `steel`",
            ),
            (
                |p| rules(p).apart[0] = [BodyId(1); 2],
                "body `b`: apart is kept apart from itself",
            ),
            (
                |p| p.joints[0].limits[0].coordinate = 1,
                "limit of joint `j`: coordinate is 1",
            ),
            (
                |p| p.joints[0].limits[0].lower = 2.0,
                "limit of joint `j`: lower is 2 above upper, 1",
            ),
            (
                |p| p.joints[0].limits[0].upper = f64::NAN,
                "limit of joint `j`: lower is -1 above upper, NaN",
            ),
            (
                |p| p.joints[0].limits[0].restitution = -1.0,
                "limit of joint `j`: restitution is -1",
            ),
            (
                |p| {
                    let limit = p.joints[0].limits[0];
                    p.joints[0].limits.push(limit)
                },
                "coordinate is 0 twice",
            ),
            (|p| p.cables[0].length = 0.0, "cable `c`: length is 0"),
            (
                |p| p.cables[0].ends[1].body = Some(BodyId(0)),
                "cable `c`: ends is both on `a`",
            ),
            (
                |p| p.bodies[0].shapes.push(half_space(Touch::default())),
                "body `a`: shapes is a half-space",
            ),
            (
                |p| {
                    p.world_shapes.push(half_space(Touch {
                        material: 2,
                        ..Touch::default()
                    }))
                },
                "shape of `the world`: material is 2 of 2",
            ),
        ];
        for (spoil, message) in cases {
            let mut wrong = parts();
            spoil(&mut wrong);
            let errors = Model::new(wrong).unwrap_err();
            let texts: Vec<String> = errors.iter().map(ToString::to_string).collect();
            assert!(
                texts.iter().any(|t| t.contains(message)),
                "{message}: {texts:?}"
            );
        }
    }
}
