//! What may push: contacts of rigid surfaces, and elements of foundations in the place of those that these cover.

use crate::contact::{Contact, Detector, Layers, MATERIAL_POINTS, Passage};
use crate::model::{BodyState, Model};

/// Finds it; keeps its room.
pub struct Touching {
    detector: Detector,
    layers: Layers,
    passages: Vec<Passage>,
}

impl Touching {
    /// For a model.
    pub fn new(model: &Model) -> Self {
        Self {
            detector: Detector::new(model),
            layers: Layers::new(model),
            passages: Vec::new(),
        }
    }

    /// Contact points and elements that may push while every point of body `k` moves by at most `reach[k]` (m), each in the
    /// order of their keys.
    pub fn find(
        &mut self,
        model: &Model,
        (bodies, reach): (&[BodyState], &[f64]),
        (points, elements): (&mut Vec<Contact>, &mut Vec<Contact>),
    ) {
        points.clear();
        let found = self.detector.detect(model, bodies, reach).iter();
        points.extend(found.map(|located| located.contact));
        self.layers.measure(bodies, reach, elements);
        self.layers.cover(bodies, reach, elements, points);
    }

    /// Whether bodies go through each other between two configurations, or one lies in a surface on its way.
    pub fn go_through(&mut self, model: &Model, ends: [&[BodyState]; 2]) -> bool {
        self.passages.clear();
        self.detector
            .passages(model, ends, MATERIAL_POINTS, &mut self.passages);
        !self.passages.is_empty() || self.detector.midway(model, ends).is_some()
    }
}
