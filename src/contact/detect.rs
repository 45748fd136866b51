//! Which features are near each other: broad phase, narrow phase, contacts with stable keys.

use super::broad::Broad;
use super::feature::Contact;
use super::narrow::{Narrow, Pair};
use super::solid::Solid;
use crate::math::Vec3;
use crate::model::{BodyState, Model};

/// Distance of contacts, in sizes of the smaller solid, from which on solids may pass over a face during the step that
/// they are not over at its start.
const FAST: f64 = 0.5;

/// Finds contacts. Keeps its room and shapes prepared for queries, but nothing of the last call that would change
/// the result of the next: the same poses give the same contacts.
#[derive(Clone)]
pub struct Detector {
    solids: Vec<Solid>,
    broad: Broad,
    narrow: Narrow,
}

impl Detector {
    /// A detector for a model; finds nothing if the model has no contact.
    pub fn new(model: &Model) -> Self {
        let solids = match &model.contact {
            Some(_) => Solid::all(model),
            None => Vec::new(),
        };
        Self {
            solids,
            broad: Broad::new(model),
            narrow: Narrow::default(),
        }
    }

    /// All contacts that may close while every point of body `k` moves by at most `reach[k]` [m], in the order of
    /// their keys.
    pub fn detect(
        &mut self,
        model: &Model,
        bodies: &[BodyState],
        reach: &[f64],
        out: &mut Vec<Contact>,
    ) {
        out.clear();
        let Some(rules) = &model.contact else {
            return;
        };
        for &numbers in self.broad.pairs(&self.solids, bodies, reach) {
            let solids = numbers.map(|k| &self.solids[k]);
            let moved = solids.map(|s| s.body.map_or(0.0, |b| reach[b.0]));
            let size = solids[0].size.min(solids[1].size);
            let near = moved[0] + moved[1] + super::margin(size);
            let velocity = solids.map(|s| {
                s.body
                    .map_or_else(Vec3::zeros, |b| bodies[b.0].velocity.linear)
            });
            let (friction, restitution) =
                rules.coefficients(solids[0].touch.material, solids[1].touch.material);
            let pair = Pair {
                numbers,
                solids,
                poses: solids.map(|s| s.pose(bodies)),
                near,
                motion: match near > FAST * size {
                    true => (velocity[0] - velocity[1]).try_normalize(0.0),
                    false => None,
                },
                size,
                friction,
                restitution,
            };
            self.narrow.contacts(pair, out);
        }
        out.sort_unstable_by_key(|contact| contact.key);
    }
}
