//! What must hold of surfaces that give: Hertz's law and foundations.

use super::value;
use crate::model::{
    BodyId, ContactRules, Foundation, Geometry, Hertz, MOST_ELEMENTS, ModelError, ModelParts,
    Shape, SurfaceCompliance,
};

/// Whose shape it is, by number and name.
type Owned<'a> = (Option<BodyId>, &'a str, &'a Shape);

/// Everything that is wrong with them.
pub(super) fn problems(parts: &ModelParts, found: &mut Vec<ModelError>) {
    let bodies = parts.bodies.iter().enumerate();
    let bodies = bodies.flat_map(|(k, b)| {
        let owned = move |s| (Some(BodyId(k)), b.name.as_str(), s);
        b.shapes.iter().map(owned)
    });
    let world = parts.world_shapes.iter().map(|s| (None, "the world", s));
    let shapes: Vec<Owned> = bodies.chain(world).collect();
    for (_, name, shape) in &shapes {
        for own in &shape.foundations {
            foundation(name, own, &shape.geometry, found);
        }
    }
    let Some(rules) = &parts.contact else { return };
    let count = rules.materials.len();
    if shapes.iter().all(|(.., s)| s.touch.material < count) {
        pairs(rules, found);
        radii(rules, &shapes, found);
    }
    uneven(&shapes, found);
}

/// Numbers of Hertz's law.
pub(super) fn hertz(item: &'static str, name: &str, own: &Hertz, found: &mut Vec<ModelError>) {
    let mut check = |good: bool, shown: f64, expected| {
        if !good {
            found.push(value(item, name, "hertz", shown, expected));
        }
    };
    let Hertz {
        modulus,
        damping,
        radius,
    } = *own;
    let positive = |x: f64| x > 0.0 && x.is_finite();
    check(positive(modulus), modulus, "a modulus above 0 Pa");
    let damped = damping >= 0.0 && damping.is_finite();
    check(damped, damping, "a damping of at least 0");
    let radius = radius.unwrap_or(1.0);
    check(positive(radius), radius, "a radius above 0 m");
}

fn foundation(name: &str, own: &Foundation, geometry: &Geometry, found: &mut Vec<ModelError>) {
    let mut check = |good: bool, field, shown: String, expected| {
        if !good {
            found.push(value("foundation of", name, field, shown, expected));
        }
    };
    let positive = |x: f64| x > 0.0 && x.is_finite();
    let thickness = match geometry {
        Geometry::Box { size } => size[own.face.axis.min(2)],
        Geometry::HalfSpace if own.face.axis == 2 && own.face.upper => f64::INFINITY,
        _ => f64::NAN,
    };
    let on_face = own.face.axis < 3 && !thickness.is_nan();
    let expected = "a face of a box, or the plane of a half-space";
    check(on_face, "face", format!("{:?}", own.face), expected);
    let deep = own.depth > thickness;
    let expected = "a number of metres above 0, at most the thickness of the box";
    check(
        positive(own.depth) && !deep,
        "depth",
        own.depth.to_string(),
        expected,
    );
    let expected = "two lengths above 0 m";
    let extent = own.extent.iter().all(|x| positive(*x));
    check(extent, "extent", format!("{:?}", own.extent), expected);
    let expected = "a number above 0 Pa";
    check(
        positive(own.modulus),
        "modulus",
        own.modulus.to_string(),
        expected,
    );
    let expected = "a number of at least 0 Pa·s";
    let damped = own.damping >= 0.0 && own.damping.is_finite();
    check(damped, "damping", own.damping.to_string(), expected);
    let [a, b] = own.elements;
    let count = a.checked_mul(b);
    let countable = count.is_some_and(|n| (1..=MOST_ELEMENTS).contains(&n));
    let expected = "one element to a million of them";
    check(countable, "elements", format!("{a} × {b}"), expected);
}

/// A spring of one stiffness and a round surface make no law.
fn pairs(rules: &ContactRules, found: &mut Vec<ModelError>) {
    for a in 0..rules.materials.len() {
        for b in 0..a {
            if rules.compliance(a, b).is_some() {
                continue;
            }
            let round =
                |k: &usize| matches!(rules.materials[*k].compliance, SurfaceCompliance::Hertz(_));
            let (k, other) = if round(&a) { (a, b) } else { (b, a) };
            let shown = format!(
                "its law beside the stiffness of `{}`",
                rules.materials[other].name
            );
            let expected =
                "both with hertz, both with compliance, or a pair of them that says which";
            let name = &rules.materials[k].name;
            found.push(value("material", name, "hertz", shown, expected));
        }
    }
}

/// What has corners, edges or a curvature that changes needs a radius; spheres know theirs, and so does what flat ground is
/// touched by.
fn radii(rules: &ContactRules, shapes: &[Owned], found: &mut Vec<ModelError>) {
    let touches = |s: &Shape| s.touch.member != 0 && s.touch.meets != 0;
    let knows = |(owner, _, shape): &Owned| match &shape.geometry {
        Geometry::Sphere { .. } => true,
        Geometry::HalfSpace
        | Geometry::Box { .. }
        | Geometry::Hull(_)
        | Geometry::Mesh(_)
        | Geometry::HeightField(_) => owner.is_none(),
        _ => false,
    };
    let mut told = vec![false; rules.materials.len()];
    for own in shapes.iter().filter(|s| touches(s.2) && !knows(s)) {
        let material = own.2.touch.material;
        let lacks = |other: &&Owned| {
            let law = rules.compliance(material, other.2.touch.material);
            let bare = matches!(law, Some(SurfaceCompliance::Hertz(h)) if h.radius.is_none());
            bare && other.0 != own.0 && own.2.touch.meets(&other.2.touch)
        };
        if told[material] || !shapes.iter().any(|other| lacks(&other)) {
            continue;
        }
        told[material] = true;
        let shown = format!("no radius for a shape of {} that is no sphere", own.1);
        let expected = "radius, in metres, of its corners and edges, in the hertz of one of the materials that meet";
        let name = &rules.materials[material].name;
        found.push(value("material", name, "hertz", shown, expected));
    }
}

/// Meshes and height fields have no inside whose depth below a point could be told.
fn uneven(shapes: &[Owned], found: &mut Vec<ModelError>) {
    for (owner, name, shape) in shapes.iter().filter(|s| !s.2.foundations.is_empty()) {
        let met = shapes.iter().find(|(other, _, s)| {
            let open = matches!(s.geometry, Geometry::Mesh(_) | Geometry::HeightField(_));
            open && other != owner && shape.touch.meets(&s.touch)
        });
        if let Some((_, other, _)) = met {
            let shown =
                format!("a foundation that collides with a mesh or height field of {other}");
            let expected =
                "convex shapes on it; the others in groups that it does not collide with";
            found.push(value(
                "foundation of",
                name,
                "collides_with",
                shown,
                expected,
            ));
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::model::Model;
    use crate::scene;

    fn said(change: impl FnOnce(&mut crate::model::ModelParts)) -> String {
        let mut parts = scene::open("box_drop", &[])
            .expect("it opens")
            .model
            .parts();
        change(&mut parts);
        let errors = Model::new(parts).expect_err("it is wrong");
        format!("{errors:?}")
    }

    #[test]
    fn what_is_no_foundation_is_told() {
        use crate::model::{Face, Foundation};
        let own = Foundation {
            face: Face::named("-z").expect("it is a face"),
            extent: [0.5; 2],
            elements: [4, 4],
            depth: 0.1,
            modulus: 1e6,
            damping: 0.0,
        };
        let with = |own| said(|parts| parts.bodies[0].shapes[0].foundations = vec![own]);
        for (wrong, word) in [
            (Foundation { depth: 9.0, ..own }, "depth"),
            (
                Foundation {
                    depth: f64::NAN,
                    ..own
                },
                "depth",
            ),
            (
                Foundation {
                    modulus: -1.0,
                    ..own
                },
                "modulus",
            ),
            (
                Foundation {
                    damping: f64::INFINITY,
                    ..own
                },
                "damping",
            ),
            (
                Foundation {
                    elements: [0, 3],
                    ..own
                },
                "elements",
            ),
            (
                Foundation {
                    elements: [usize::MAX, 3],
                    ..own
                },
                "elements",
            ),
            (
                Foundation {
                    extent: [0.0, 1.0],
                    ..own
                },
                "extent",
            ),
        ] {
            assert!(with(wrong).contains(word), "{wrong:?}");
        }
        let sideways = said(|parts| parts.world_shapes[0].foundations = vec![own]);
        assert!(sideways.contains("face"), "{sideways}");
    }

    #[test]
    fn what_has_corners_needs_a_radius() {
        use crate::model::{Hertz, SurfaceCompliance};
        let law = |radius, modulus| {
            SurfaceCompliance::Hertz(Hertz {
                modulus,
                damping: 0.0,
                radius,
            })
        };
        let with = |own| {
            said(|parts| {
                let rules = parts.contact.as_mut().expect("it has rules");
                for material in &mut rules.materials {
                    material.compliance = own;
                }
            })
        };
        assert!(with(law(None, 1e9)).contains("radius"));
        assert!(with(law(Some(-1.0), 1e9)).contains("radius"));
        assert!(with(law(Some(0.01), f64::NAN)).contains("modulus"));
    }
}
