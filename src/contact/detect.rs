//! Which features are near each other: broad phase, narrow phase, contacts with stable keys.

use super::feature::Contact;
use crate::model::{BodyState, Model};

/// Finds contacts. Keeps its room and shapes prepared for queries, but nothing of the last call that would change
/// the result of the next: the same poses give the same contacts.
#[derive(Clone)]
pub struct Detector {}

impl Detector {
    /// A detector for a model; finds nothing if the model has no contact.
    pub fn new(_model: &Model) -> Self {
        Self {}
    }

    /// All contacts that may close while every point of body `k` moves by at most `reach[k]` [m], in the order of
    /// their keys.
    pub fn detect(
        &mut self,
        _model: &Model,
        _bodies: &[BodyState],
        _reach: &[f64],
        out: &mut Vec<Contact>,
    ) {
        out.clear();
    }
}
