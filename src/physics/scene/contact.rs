//! From the rules of contact of the file to those of the model: names of materials and groups become numbers.

use super::check::Check;
use super::compliance::surface;
use super::error::Problem;
use super::format::{ContactFile, FRICTION, SceneFile, ShapeFile};
use crate::model::{BodyId, ContactRules, Material, MaterialPair, SurfaceCompliance, Touch};
use std::collections::{BTreeMap, BTreeSet};

/// Name of the material of scenes that give none.
const ONLY: &str = "default";

/// Whose shape it is.
#[derive(Debug, Clone, Copy)]
pub(super) enum Owner<'a> {
    /// Part of the ground.
    World,
    /// Part of a body.
    Body {
        /// Material of its shapes without their own.
        material: Option<&'a str>,
    },
}

/// Names of materials and groups, in the order of their numbers.
pub(super) struct Names<'a> {
    materials: BTreeMap<&'a str, usize>,
    groups: Vec<&'a str>,
}

impl<'a> Names<'a> {
    /// Collects the names; too many groups are reported.
    pub fn of(file: &'a SceneFile, check: &mut Check) -> Self {
        let materials = match &file.contact {
            Some(contact) => contact.materials.names().zip(0..).collect(),
            None => BTreeMap::new(),
        };
        // Shapes without groups belong to this one.
        let mut groups = vec![ONLY];
        let mut known = BTreeSet::from([ONLY]);
        let bodies = file
            .bodies
            .iter()
            .flat_map(|(_, b)| b.shape.iter().chain(&b.shapes));
        let shapes = bodies.chain(&file.world);
        let lists = shapes.flat_map(|s| s.groups.iter().chain(&s.collides_with));
        for group in lists.flatten() {
            if known.insert(group.as_str()) {
                groups.push(group);
            }
        }
        if groups.len() > 32 {
            let found = format!("{} groups", groups.len());
            check.wrong(&[], found, "at most 32, with the group `default`");
            groups.truncate(32);
        }
        Self { materials, groups }
    }

    /// Index of a material; one that is not there is reported.
    pub fn material(&self, name: &str, path: &[&str], check: &mut Check) -> Option<usize> {
        let index = self.materials.get(name).copied();
        if index.is_none() && !check.is_left_out(&["contact", "materials", name]) {
            let known = self.materials.keys().copied();
            let mut problem = Problem::unknown_name(path, "material", name, known);
            if self.materials.is_empty() {
                problem.expected =
                    "the name of a material; contact: (materials: {…}) has none".into();
            }
            check.report(problem);
        }
        index
    }

    /// What a shape touches and what it is made of.
    pub fn touch(&self, file: &ShapeFile, owner: Owner, path: &[&str], check: &mut Check) -> Touch {
        let field = |name| [path, &[name]].concat();
        let bits = |names: &Vec<String>| {
            let bit = |n: &String| self.groups.iter().position(|g| g == n);
            names
                .iter()
                .filter_map(bit)
                .fold(0, |bits, k| bits | 1 << k)
        };
        let own = file.material.as_deref();
        if let Some(own) = own {
            self.material(own, &field("material"), check);
        }
        let inherited = match owner {
            Owner::World => None,
            Owner::Body { material } => material,
        };
        let named = |m: &str| self.materials.get(m).copied();
        let default = Touch::default();
        let material = own
            .or(inherited)
            .and_then(named)
            .unwrap_or(default.material);
        if file.collides == Some(false) {
            for (name, given) in [
                ("groups", &file.groups),
                ("collides_with", &file.collides_with),
            ] {
                if given.is_some() {
                    let found = format!("{name} beside collides: false");
                    check.wrong(&field(name), found, "one of them");
                }
            }
            return Touch {
                material,
                member: 0,
                meets: 0,
            };
        }
        Touch {
            material,
            member: file.groups.as_ref().map_or(default.member, bits),
            meets: file.collides_with.as_ref().map_or(default.meets, bits),
        }
    }

    /// The rules of the model.
    pub fn rules(&self, scene: &SceneFile, check: &mut Check) -> Option<ContactRules> {
        let file = scene.contact.as_ref()?;
        let mut materials: Vec<Material> = file
            .materials
            .iter()
            .map(|(name, m)| Material {
                name: name.into(),
                friction: m.friction.map_or(FRICTION, |f| f.0),
                restitution: m.restitution.0,
                compliance: surface(
                    &["contact", "materials", name],
                    (m.compliance.as_ref(), m.hertz.as_ref()),
                    check,
                )
                .unwrap_or_default(),
            })
            .collect();
        if materials.is_empty() {
            materials.push(Material {
                name: ONLY.into(),
                friction: FRICTION,
                restitution: 0.0,
                compliance: SurfaceCompliance::RIGID,
            });
        }
        let mut rules = ContactRules {
            materials,
            pairs: Vec::new(),
            apart: apart(scene, file, check),
            joined: file.joined,
        };
        let mut pairs = Vec::new();
        for (k, pair) in file.pairs.iter().enumerate() {
            let index = k.to_string();
            let path = |side| ["contact", "pairs", &index, "materials", side];
            let a = self.material(&pair.materials.0, &path("0"), check);
            let b = self.material(&pair.materials.1, &path("1"), check);
            let (Some(a), Some(b)) = (a, b) else {
                continue;
            };
            let (friction, restitution) = rules.coefficients(a, b);
            let both = rules.compliance(a, b);
            let path = ["contact", "pairs", &index];
            let given = (pair.compliance.as_ref(), pair.hertz.as_ref());
            let own = surface(&path, given, check);
            if both.is_none() && own.is_none() {
                let found = format!(
                    "`{}` with compliance on `{}` with hertz, or the other way round",
                    pair.materials.0, pair.materials.1
                );
                check.wrong(&path, found, "compliance or hertz of the pair");
            }
            pairs.push(MaterialPair {
                materials: [a, b],
                // What comes from a wrong material is reported there and not here.
                friction: pair.friction.map_or(friction.max(0.0), |f| f.0),
                restitution: pair
                    .restitution
                    .map_or(restitution.clamp(0.0, 1.0), |r| r.0),
                compliance: own.or(both).unwrap_or_default(),
            });
        }
        rules.pairs = pairs;
        Some(rules)
    }
}

/// Pairs of bodies that never touch.
fn apart(scene: &SceneFile, file: &ContactFile, check: &mut Check) -> Vec<[BodyId; 2]> {
    let mut found = Vec::new();
    for (k, (a, b)) in file.apart.iter().enumerate() {
        let index = k.to_string();
        let mut body = |name: &str, side| {
            let path = ["contact", "apart", &index, side];
            check.index(&path, "bodies", name, &scene.bodies)
        };
        let (a, b) = (body(a, "0"), body(b, "1"));
        match (a, b) {
            (Some(a), Some(b)) if a == b => {
                let path = ["contact", "apart", &index];
                check.wrong(&path, "twice the same body", "two different bodies");
            }
            (Some(a), Some(b)) => found.push([BodyId(a), BodyId(b)]),
            _ => {}
        }
    }
    found
}
