//! What follows from a model alone: found when somebody asks, for a large one in the background.

use crate::jobs::Jobs;
use physics::integrators::{IntegratorInfo, REGISTRY, nearest, refusal};
use physics::model::Model;
use physics::solver::Structure;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

/// With more bodies it is found in the background: order and fill-in of a net of thousands take seconds, and which
/// methods can run it several frames.
const MANY: usize = 100;

/// Why a method cannot run a model.
#[derive(Debug, Clone)]
pub struct Refusal {
    /// The reason.
    pub reason: String,
    /// The nearest method that can.
    pub instead: Option<&'static IntegratorInfo>,
}

/// Why methods cannot run a model, in the order of the registry.
fn refusals(model: &Model) -> Vec<Option<Refusal>> {
    let refused = |info: &IntegratorInfo| {
        let reason = refusal(info, model)?;
        let instead = nearest(info, model);
        Some(Refusal { reason, instead })
    };
    REGISTRY.iter().map(refused).collect()
}

/// Something that follows from a model, once it is found.
struct Found<T> {
    of: fn(&Model) -> T,
    title: &'static str,
    found: Arc<OnceLock<T>>,
    begun: AtomicBool,
}

impl<T: Send + Sync + 'static> Found<T> {
    fn new(of: fn(&Model) -> T, title: &'static str) -> Self {
        Self {
            of,
            title,
            found: Arc::default(),
            begun: AtomicBool::new(false),
        }
    }

    /// What was found; nothing while it is looked for.
    fn get(&self, model: &Arc<Model>, jobs: &Jobs) -> Option<&T> {
        if model.bodies.len() < MANY {
            return Some(self.found.get_or_init(|| (self.of)(model)));
        }
        if !self.begun.swap(true, Ordering::Relaxed) {
            let (of, model, found) = (self.of, model.clone(), self.found.clone());
            jobs.detach(self.title, move || {
                found.get_or_init(|| of(&model));
            });
        }
        self.found.get()
    }
}

/// A model, and what follows from it.
pub(crate) struct Derived {
    model: Arc<Model>,
    structure: Found<Structure>,
    refusals: Found<Vec<Option<Refusal>>>,
}

impl Derived {
    /// Nothing is looked for before somebody asks.
    pub fn of(model: &Arc<Model>) -> Self {
        Self {
            model: model.clone(),
            structure: Found::new(Structure::of, "Counting the operations of a step"),
            refusals: Found::new(refusals, "Asking methods for what they can run"),
        }
    }

    /// The model.
    pub fn model(&self) -> &Arc<Model> {
        &self.model
    }

    /// Graph of the linear system and what each solver spends on it.
    pub fn structure(&self, jobs: &Jobs) -> Option<&Structure> {
        self.structure.get(&self.model, jobs)
    }

    /// Why a method cannot run the model, if that is known.
    pub fn refusal(&self, info: &IntegratorInfo, jobs: &Jobs) -> Option<&Refusal> {
        let place = REGISTRY.iter().position(|i| i.name == info.name)?;
        self.refusals.get(&self.model, jobs)?[place].as_ref()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn derived(spec: &str) -> Derived {
        let scene = physics::scene::open(spec, &[]).unwrap();
        Derived::of(&Arc::new(scene.model))
    }

    #[test]
    fn small_and_large_systems_are_counted_as_the_solver_counts_them() {
        let jobs = Jobs::default();
        for spec in ["four_bar", "chain:links=300"] {
            let derived = derived(spec);
            let found = loop {
                if let Some(found) = derived.structure(&jobs) {
                    break found;
                }
                std::thread::yield_now();
            };
            assert_eq!(*found, Structure::of(derived.model()), "{spec}");
        }
    }

    #[test]
    fn of_small_and_large_models_it_is_known_which_methods_refuse_them() {
        let jobs = Jobs::default();
        for spec in ["box_slope", "net:rows=8,columns=8"] {
            let derived = derived(spec);
            while derived.refusals.get(derived.model(), &jobs).is_none() {
                std::thread::yield_now();
            }
            let refused = REGISTRY.iter().any(|i| derived.refusal(i, &jobs).is_some());
            assert!(refused, "{spec}");
            for info in REGISTRY {
                let found = derived.refusal(info, &jobs).map(|r| r.reason.clone());
                assert_eq!(
                    found,
                    refusal(info, derived.model()),
                    "{spec}: {}",
                    info.name
                );
            }
        }
    }
}
