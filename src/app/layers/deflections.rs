//! How far contacts give, and how hard the elements of foundations are pressed.

use super::joints::enlargement;
use super::vectors::linear;
use super::{Drawing, LayerStyle, Layers, Measure};
use crate::app::actions::Layer;
use crate::app::convert;
use crate::app::hues;
use crate::contact::{foundations, pressures};
use crate::math::Pose;
use crate::model::{ContactState, Model, State};
use bevy::math::Vec3;

/// Thickness of a deflection, and height of an element over its face, as shares of the radius of a usual body.
const DEFLECTION: f32 = 0.03;
const ABOVE: f32 = 0.004;

/// Part of an element's extent that is filled, so that each is seen.
const FILLED: f64 = 0.94;

/// How far two surfaces are in each other at a contact [m].
pub fn depth(contact: &ContactState) -> f64 {
    (-contact.gap).max(0.0)
}

/// What deflections of contacts are enlarged by.
pub fn factor(style: &LayerStyle, measure: &Measure, contacts: &[ContactState]) -> f64 {
    let largest = contacts.iter().map(depth).fold(0.0, f64::max);
    enlargement(style, measure, largest)
}

/// Pressures of all elements [Pa], foundation by foundation, and the largest.
pub fn pressed(model: &Model, state: &State) -> (Vec<Vec<f64>>, f64) {
    let count = |(_, own, _): (_, crate::model::Foundation, _)| vec![0.0; own.count()];
    let mut all: Vec<Vec<f64>> = foundations(model).map(count).collect();
    let mut largest: f64 = 0.0;
    for found in pressures(model, state) {
        all[found.foundation][found.element] = found.pressure;
        largest = largest.max(found.pressure);
    }
    (all, largest)
}

/// Draws these layers; arrows end at `longest` [m].
pub fn draw(
    out: &mut Drawing,
    layers: &Layers,
    (model, state, poses): (&Model, &State, &[Pose]),
    measure: &Measure,
    longest: f64,
    dark: bool,
) {
    if let Some(style) = layers.drawn(Layer::Deflections) {
        let factor = factor(style, measure, &state.contacts);
        let shade = linear(hues::rgb(3, dark));
        for contact in &state.contacts {
            let depth = depth(contact);
            if depth <= style.threshold || depth == 0.0 {
                continue;
            }
            let length = (factor * depth).min(longest) as f32;
            let [at, along] = [contact.point, contact.normal].map(|v| convert::vec3(&v));
            let radius = DEFLECTION * measure.length as f32;
            out.marks.arrow(at, along, length, radius, shade);
        }
    }
    if let Some(style) = layers.drawn(Layer::Pressures) {
        let (all, largest) = pressed(model, state);
        let still = Pose::identity();
        for ((body, own, patch), pressures) in foundations(model).zip(all) {
            let pose = body.map_or(&still, |b| &poses[b.0]);
            let turned = |v: &crate::math::Vec3| pose.rotation * v;
            let normal = turned(&patch.normal);
            let axes = patch.along.map(|v| turned(&v));
            let half = own.spacing().map(|x| 0.5 * FILLED * x);
            let sides = [0, 1].map(|k| convert::vec3(&(axes[k] * half[k])));
            let above = convert::vec3(&normal) * (ABOVE * measure.length as f32);
            for (element, pressure) in pressures.into_iter().enumerate() {
                if pressure < style.threshold {
                    continue;
                }
                let [x, y] = own.middle(element);
                let middle = patch.centre + patch.along[0] * x + patch.along[1] * y;
                let at: Vec3 = convert::vec3(&(pose * nalgebra::Point3::from(middle)).coords);
                let share = if largest > 0.0 {
                    pressure / largest
                } else {
                    0.0
                };
                let shade = linear(hues::scale(share));
                out.marks.plate(at + above, sides, shade);
            }
        }
    }
}
