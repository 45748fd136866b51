//! Reactions of a step that was made of several intervals.

use crate::model::{ContactState, ContactStatus, Model, Row, State};

/// Mean of the reactions over the intervals of a step.
#[derive(Debug, PartialEq)]
pub struct Mean {
    reactions: Vec<Row>,
    coupling_forces: Vec<f64>,
    contacts: Vec<ContactState>,
    limits: Vec<f64>,
}

// As that of a state: copies into an existing mean keep its memory.
impl Clone for Mean {
    fn clone(&self) -> Self {
        Self {
            reactions: self.reactions.clone(),
            coupling_forces: self.coupling_forces.clone(),
            contacts: self.contacts.clone(),
            limits: self.limits.clone(),
        }
    }

    fn clone_from(&mut self, from: &Self) {
        self.reactions.clone_from(&from.reactions);
        self.coupling_forces.clone_from(&from.coupling_forces);
        self.contacts.clone_from(&from.contacts);
        self.limits.clone_from(&from.limits);
    }
}

impl Mean {
    /// Room for a model.
    pub fn new(model: &Model) -> Self {
        Self {
            reactions: vec![Row::default(); model.joints.len()],
            coupling_forces: vec![0.0; model.couplings.len()],
            contacts: Vec::new(),
            limits: vec![0.0; model.limit_count()],
        }
    }

    /// Begins anew.
    pub fn clear(&mut self) {
        self.reactions.fill(Row::default());
        self.coupling_forces.fill(0.0);
        self.contacts.clear();
        self.limits.fill(0.0);
    }

    /// Adds those of an interval, `weight` of the step.
    pub fn add(&mut self, state: &State, weight: f64) {
        for (sum, reaction) in self.reactions.iter_mut().zip(&state.reactions) {
            sum.force += reaction.force * weight;
            sum.torque += reaction.torque * weight;
        }
        for (sum, force) in self.coupling_forces.iter_mut().zip(&state.coupling_forces) {
            *sum += force * weight;
        }
        for (sum, limit) in self.limits.iter_mut().zip(&state.limits) {
            *sum += limit.force * weight;
        }
        for contact in &state.contacts {
            match self.contacts.iter_mut().find(|c| c.key == contact.key) {
                Some(sum) => {
                    sum.force += contact.force * weight;
                    if contact.status != ContactStatus::Open {
                        sum.status = contact.status;
                    }
                }
                None => self.contacts.push(ContactState {
                    force: contact.force * weight,
                    ..*contact
                }),
            }
        }
    }

    /// Leaves the mean in the state.
    pub fn write(&self, state: &mut State) {
        state.reactions.copy_from_slice(&self.reactions);
        state.coupling_forces.copy_from_slice(&self.coupling_forces);
        for (limit, force) in state.limits.iter_mut().zip(&self.limits) {
            limit.force = *force;
        }
        for contact in &mut state.contacts {
            if let Some(sum) = self.contacts.iter().find(|c| c.key == contact.key) {
                contact.force = sum.force;
                contact.status = sum.status;
            }
        }
    }
}
