//! What may push: contacts of rigid surfaces, and elements of foundations in the place of those that these cover.

use crate::contact::{Contact, Detector, Layers};
use crate::model::{BodyState, Model};

/// Finds it; keeps its room.
pub struct Touching {
    detector: Detector,
    layers: Layers,
}

impl Touching {
    /// For a model.
    pub fn new(model: &Model) -> Self {
        Self {
            detector: Detector::new(model),
            layers: Layers::new(model),
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
}
