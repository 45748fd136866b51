//! Graph and costs of the linear system: counted when somebody looks, of a large one in the background.

use crate::jobs::Jobs;
use physics::model::Model;
use physics::solver::Structure;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

/// With more bodies it is counted in the background: order and fill-in of a net of thousands take seconds.
const MANY: usize = 100;

/// The structure of a model's linear system, once it is counted.
pub(crate) struct Counted {
    model: Arc<Model>,
    found: Arc<OnceLock<Structure>>,
    begun: AtomicBool,
}

impl Counted {
    /// Nothing is counted before somebody asks.
    pub fn of(model: &Arc<Model>) -> Self {
        Self {
            model: model.clone(),
            found: Arc::default(),
            begun: AtomicBool::new(false),
        }
    }

    /// The model.
    pub fn model(&self) -> &Arc<Model> {
        &self.model
    }

    /// The structure; nothing while it is being counted.
    pub fn get(&self, jobs: &Jobs) -> Option<&Structure> {
        if self.model.bodies.len() < MANY {
            return Some(self.found.get_or_init(|| Structure::of(&self.model)));
        }
        if !self.begun.swap(true, Ordering::Relaxed) {
            let (model, found) = (self.model.clone(), self.found.clone());
            jobs.detach("Counting the operations of a step", move || {
                found.get_or_init(|| Structure::of(&model));
            });
        }
        self.found.get()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_and_large_systems_are_counted_as_the_solver_counts_them() {
        let jobs = Jobs::default();
        for spec in ["four_bar", "chain:links=300"] {
            let model = Arc::new(physics::scene::open(spec, &[]).unwrap().model);
            let counted = Counted::of(&model);
            let found = loop {
                if let Some(found) = counted.get(&jobs) {
                    break found;
                }
                std::thread::yield_now();
            };
            assert_eq!(*found, Structure::of(&model), "{spec}");
        }
    }
}
