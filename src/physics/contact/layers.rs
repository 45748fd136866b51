//! Contacts of elastic foundations: for every element the point of another solid that is before it along the normal of its face.
//!
//! An element is a spring along that normal `n`. Where it meets a surface with the normal `m`, how deep it is pressed in changes
//! with the surface's motion along `m` alone, by `1/|m·n|` of it. Against the tangent plane there it is a spring along `m`
//! of `1/(m·n)²` times its stiffness, which is what its contact says: the force along `n` is that of the element, and without
//! friction there is none in the surface.

use super::broad::are_apart;
use super::feature::{Contact, Feature, NUMBER_BITS};
use super::solid::numbered;
use super::span::span;
use crate::math::{Pose, Vec3};
use crate::model::{
    BodyId, BodyState, Compliance, ContactKey, ContactState, Foundation, Geometry, Model, Patch,
    Shape, Touch,
};

/// Kind of a half of a key that names an element, and of the other half, which names its foundation.
const ELEMENT: u64 = 7;

/// Least cosine between the normal of a face and a surface that its elements meet.
const STEEP: f64 = 0.1;

/// Cosine from which on a direction is that in which a layer pushes.
const ALONG: f64 = 0.5;

/// The foundations of a model.
#[derive(Debug, Clone, Default)]
pub struct Layers {
    layers: Vec<Layer>,
    /// Pairs of shapes, as keys name them, with a layer and whether its shape is the second, in order.
    pairs: Vec<(u64, usize, bool)>,
}

/// A foundation and all that may meet it.
#[derive(Debug, Clone)]
struct Layer {
    body: Option<BodyId>,
    foundation: Foundation,
    patch: Patch,
    partners: Vec<Partner>,
}

/// A shape that may meet a layer.
#[derive(Debug, Clone)]
struct Partner {
    body: Option<BodyId>,
    shapes: u64,
    /// The layer's shape is the second of the two.
    second: bool,
    geometry: Geometry,
    pose: Pose,
    friction: f64,
    /// Layers on its own faces, and whether they come first.
    facing: Vec<(Vec3, Compliance, bool)>,
}

/// An element that something presses.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pressed {
    /// Index among the foundations of the model: those of bodies first, by body and shape, then those of the world.
    pub foundation: usize,
    /// Index among its elements.
    pub element: usize,
    /// Force along the normal of the face over the area of the element (Pa).
    pub pressure: f64,
    /// Middle of the element on the face without load, world frame (m).
    pub middle: Vec3,
}

impl Layers {
    /// Those of a model; none if it has no contact.
    pub fn new(model: &Model) -> Self {
        let mut made = Self::default();
        let Some(rules) = &model.contact else {
            return made;
        };
        let shapes: Vec<(Option<BodyId>, &Shape)> = numbered(model).collect();
        let apart = super::broad::apart(model);
        let meet = |a: (Option<BodyId>, &Touch), b: (Option<BodyId>, &Touch)| {
            a.0 != b.0 && a.1.meets(b.1) && !are_apart(&apart, a.0, b.0)
        };
        for (k, (body, shape)) in shapes.iter().enumerate() {
            for foundation in &shape.foundations {
                let number = made.layers.len();
                let mut partners = Vec::new();
                for (j, (other, its)) in shapes.iter().enumerate() {
                    if !meet((*body, &shape.touch), (*other, &its.touch)) {
                        continue;
                    }
                    let second = j < k;
                    let shapes = ContactKey::new([k.min(j), k.max(j)], 0).shapes;
                    made.pairs.push((shapes, number, second));
                    let (a, b) = (shape.touch.material, its.touch.material);
                    let facing = its.foundations.iter();
                    let per_area = |f: &Foundation| Compliance {
                        stiffness: f.modulus / f.depth,
                        damping: f.damping / f.depth,
                    };
                    partners.push(Partner {
                        body: *other,
                        shapes,
                        second,
                        geometry: its.geometry.clone(),
                        pose: its.pose,
                        friction: rules.coefficients(a, b).0,
                        facing: facing
                            .map(|f| (f.patch(its).normal, per_area(f), second))
                            .collect(),
                    });
                }
                made.layers.push(Layer {
                    body: *body,
                    foundation: *foundation,
                    patch: foundation.patch(shape),
                    partners,
                });
            }
        }
        made.pairs.sort_unstable();
        made
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.layers.is_empty()
    }

    /// Contacts of all elements that may be pressed while every point of body `k` moves by at most `reach[k]` (m), in the
    /// order of their keys.
    pub fn measure(&self, bodies: &[BodyState], reach: &[f64], out: &mut Vec<Contact>) {
        out.clear();
        let far = |b: Option<BodyId>| b.map_or(0.0, |b| reach[b.0]);
        for (number, layer) in self.layers.iter().enumerate() {
            for partner in &layer.partners {
                let near = far(layer.body) + far(partner.body);
                layer.meet(number, partner, near, bodies, out);
            }
        }
        if !out.is_sorted_by_key(|c| c.key) {
            out.sort_unstable_by_key(|c| c.key);
        }
    }

    /// Takes from the contacts of rigid surfaces those that the layers between them take over, given theirs. Below a layer is its
    /// rigid base: what comes to it stays, as a contact with the base.
    pub fn cover(
        &self,
        bodies: &[BodyState],
        reach: &[f64],
        elements: &[Contact],
        contacts: &mut Vec<Contact>,
    ) {
        if self.is_empty() {
            return;
        }
        contacts.retain_mut(|contact| {
            let shapes = contact.key.shapes;
            let from = self.pairs.partition_point(|p| p.0 < shapes);
            let own = self.pairs[from..].iter().take_while(|p| p.0 == shapes);
            let mut layers = own.map(|p| (&self.layers[p.1], p.2)).peekable();
            if layers.peek().is_none() {
                return true;
            }
            let gap = contact.gap(bodies);
            for (layer, second) in layers {
                let side = usize::from(second);
                let outwards = if second { gap.normal } else { -gap.normal };
                if layer.normal(bodies).dot(&outwards) <= ALONG
                    || !layer.is_over(&gap.points[side], bodies)
                {
                    continue;
                }
                let depth = layer.foundation.depth;
                let moved = contact.bodies.iter().flatten().map(|b| reach[b.0]);
                let near: f64 = moved.sum();
                let Feature::Plane { at, normal } = &mut contact.features[side] else {
                    return false;
                };
                *at -= *normal * depth;
                return gap.distance + depth <= near;
            }
            // What is in a layer is not pushed out of it sideways.
            let from = elements.partition_point(|c| c.key.shapes < shapes);
            let own = elements[from..].iter();
            let mut own = own.take_while(|c| c.key.shapes == shapes);
            !own.any(|c| c.gap(bodies).distance < 0.0)
        });
    }
}

impl Layer {
    fn pose(body: Option<BodyId>, bodies: &[BodyState]) -> Pose {
        body.map_or_else(Pose::identity, |b| {
            Pose::from_parts(bodies[b.0].position.into(), bodies[b.0].orientation)
        })
    }

    /// Normal of its face, world frame.
    fn normal(&self, bodies: &[BodyState]) -> Vec3 {
        Self::pose(self.body, bodies).rotation * self.patch.normal
    }

    /// Whether a point of the world is over the face.
    fn is_over(&self, point: &Vec3, bodies: &[BodyState]) -> bool {
        let pose = Self::pose(self.body, bodies);
        let local = pose.inverse_transform_point(&(*point).into()).coords - self.patch.centre;
        let within = |k: usize| {
            let at = self.patch.along[k].dot(&local).abs();
            at <= 0.5 * self.foundation.extent[k] * (1.0 + 1e-6)
        };
        within(0) && within(1)
    }

    /// Appends the elements that a shape presses or comes near.
    fn meet(
        &self,
        number: usize,
        partner: &Partner,
        near: f64,
        bodies: &[BodyState],
        out: &mut Vec<Contact>,
    ) {
        let own = Self::pose(self.body, bodies);
        let other = Self::pose(partner.body, bodies);
        let shape = other * partner.pose;
        // The face in the frame of the other shape.
        let there = shape.inverse() * own;
        let centre = (there * nalgebra::Point3::from(self.patch.centre)).coords;
        let normal = there.rotation * self.patch.normal;
        let along = self.patch.along.map(|v| there.rotation * v);
        let Foundation {
            depth, elements, ..
        } = self.foundation;
        let radius = partner.geometry.reach();
        let middle = normal.dot(&centre);
        if radius.is_finite() && (-middle - radius > near || -middle + radius < -depth) {
            return;
        }
        let Some(compliance) = self.together(partner, &own, &other) else {
            return;
        };
        let spacing = self.foundation.spacing();
        let range = [0, 1].map(|k| {
            if !radius.is_finite() {
                return 0..elements[k];
            }
            let at = 0.5 * self.foundation.extent[k] - along[k].dot(&centre);
            let count = elements[k] as f64;
            let index = |x: f64| (x / spacing[k]).clamp(0.0, count) as usize;
            index(at - radius)..elements[k].min(index(at + radius) + 1)
        });
        for b in range[1].clone() {
            for a in range[0].clone() {
                let element = b * elements[0] + a;
                let [x, y] = self.foundation.middle(element);
                let origin = centre + along[0] * x + along[1] * y;
                let Some(found) = span(&partner.geometry, &origin, &normal) else {
                    continue;
                };
                let upright = -found.normal.dot(&normal);
                if !(found.entry <= near && found.exit > -depth && upright >= STEEP) {
                    continue;
                }
                let hit = partner.pose * nalgebra::Point3::from(origin + normal * found.entry);
                let point = Feature::Point {
                    at: self.patch.point([x, y]),
                    radius: 0.0,
                };
                let plane = Feature::Plane {
                    at: hit.coords,
                    normal: partner.pose.rotation * found.normal,
                };
                let by = 1.0 / (upright * upright);
                let key = [element as u64, number as u64].map(|n| ELEMENT << NUMBER_BITS | n);
                let (bodies, features) = if partner.second {
                    ([partner.body, self.body], [plane, point])
                } else {
                    ([self.body, partner.body], [point, plane])
                };
                out.push(Contact {
                    key: ContactKey {
                        shapes: partner.shapes,
                        features: key[1] << 32 | key[0],
                    },
                    bodies,
                    features,
                    friction: partner.friction,
                    restitution: 0.0,
                    compliance: Compliance {
                        stiffness: compliance.stiffness * by,
                        damping: compliance.damping * by,
                    }
                    .into(),
                });
            }
        }
    }

    /// Spring and damper of an element against a partner: with a layer of the partner that it faces one is behind the other,
    /// and the elements are those of the first alone.
    fn together(&self, partner: &Partner, own: &Pose, other: &Pose) -> Option<Compliance> {
        let alone = self.foundation.compliance();
        let normal = own.rotation * self.patch.normal;
        let faces = |n: &Vec3| (other.rotation * n).dot(&normal) < -ALONG;
        let Some((_, theirs, first)) = partner.facing.iter().find(|f| faces(&f.0)) else {
            return Some(alone);
        };
        let area = self.foundation.area();
        (!first).then(|| {
            alone.behind(Compliance {
                stiffness: theirs.stiffness * area,
                damping: theirs.damping * area,
            })
        })
    }
}

impl Contact {
    /// Whether it is that of an element of a foundation.
    pub fn is_element(&self) -> bool {
        element(&self.key).is_some()
    }
}

/// Foundation and element that a key names.
fn element(key: &ContactKey) -> Option<[usize; 2]> {
    let halves = [key.features >> 32, key.features & u64::from(u32::MAX)];
    let named = halves.iter().all(|h| h >> NUMBER_BITS == ELEMENT);
    named.then(|| halves.map(|h| (h & !(ELEMENT << NUMBER_BITS)) as usize))
}

/// The foundations of a model in the order of their numbers, with their bodies and where they are on these.
pub fn foundations(model: &Model) -> impl Iterator<Item = (Option<BodyId>, Foundation, Patch)> {
    numbered(model).flat_map(|(body, shape)| {
        let patch = move |f: &Foundation| (body, *f, f.patch(shape));
        shape.foundations.iter().map(patch)
    })
}

/// The elements of all foundations that are pressed, with their pressures: those of the step that led to the state.
pub fn pressures(model: &Model, state: &crate::model::State) -> Vec<Pressed> {
    let all: Vec<_> = foundations(model).collect();
    let pressed = |contact: &ContactState| {
        let [foundation, element] = element(&contact.key)?;
        let (body, own, patch) = all.get(foundation)?;
        let pose = Layer::pose(*body, &state.bodies);
        let normal = pose.rotation * patch.normal;
        // On the first body the force is that on the layer where the layer is its own.
        let on_layer = contact.bodies[0] == *body;
        let sign = if on_layer { -1.0 } else { 1.0 };
        let pressure = sign * normal.dot(&contact.force) / own.area();
        let middle = patch.point(own.middle(element));
        (pressure > 0.0).then(|| Pressed {
            foundation,
            element,
            pressure,
            middle: (pose * nalgebra::Point3::from(middle)).coords,
        })
    };
    state.contacts.iter().filter_map(pressed).collect()
}
