//! Mechanisms with everything in another order.

use crate::mechanics::likeness::Likeness;
use crate::mechanics::random::Numbers;
use driftless::model::{Attachment, BodyId, ContactRules, Force, JointId, Model, Shape, State};
use driftless::scene::Scene;
use driftless::sim::Input;

/// Which item comes where, and where each went.
#[derive(Debug, Clone)]
struct Places {
    from: Vec<usize>,
    to: Vec<usize>,
}

impl Places {
    fn shuffled(count: usize, numbers: &mut Numbers) -> Self {
        let mut from: Vec<usize> = (0..count).collect();
        (1..count)
            .rev()
            .for_each(|k| from.swap(k, numbers.index(k + 1)));
        let mut to = vec![0; count];
        from.iter().enumerate().for_each(|(k, old)| to[*old] = k);
        Self { from, to }
    }

    fn apply<T: Clone>(&self, items: &[T]) -> Vec<T> {
        self.from.iter().map(|k| items[*k].clone()).collect()
    }
}

/// Bodies, joints, couplings, forces, cables, shapes and materials in other orders, and what has two ends or several
/// parts the other way round.
#[derive(Debug, Clone)]
pub struct Order {
    bodies: Places,
    joints: Places,
    couplings: Places,
    seed: u64,
}

impl Order {
    /// An order of a model's items.
    pub fn new(model: &Model, seed: u64) -> Self {
        let mut numbers = Numbers(seed);
        Self {
            bodies: Places::shuffled(model.bodies.len(), &mut numbers),
            joints: Places::shuffled(model.joints.len(), &mut numbers),
            couplings: Places::shuffled(model.couplings.len(), &mut numbers),
            seed,
        }
    }

    fn body(&self, body: &mut BodyId) {
        body.0 = self.bodies.to[body.0];
    }

    fn ends(&self, ends: &mut [Attachment; 2]) {
        ends.iter_mut()
            .filter_map(|e| e.body.as_mut())
            .for_each(|b| self.body(b));
        ends.reverse();
    }

    fn shapes(shapes: &mut Vec<Shape>, materials: &Places, numbers: &mut Numbers) {
        for shape in shapes.iter_mut() {
            // Without rules of contact nobody asks for a material.
            if let Some(material) = materials.to.get(shape.touch.material) {
                shape.touch.material = *material;
            }
        }
        *shapes = Places::shuffled(shapes.len(), numbers).apply(shapes);
    }

    fn rules(&self, rules: &mut ContactRules, materials: &Places) {
        rules.materials = materials.apply(&rules.materials);
        rules.pairs.reverse();
        for pair in &mut rules.pairs {
            pair.materials = pair.materials.map(|m| materials.to[m]);
            pair.materials.reverse();
        }
        rules.apart.iter_mut().flatten().for_each(|b| self.body(b));
        rules.apart.iter_mut().for_each(|pair| pair.reverse());
        rules.apart.reverse();
    }

    fn model(&self, model: &Model) -> Model {
        let mut numbers = Numbers(self.seed + 1);
        let mut parts = model.parts();
        parts.bodies = self.bodies.apply(&parts.bodies);
        parts.joints = self.joints.apply(&parts.joints);
        parts.couplings = self.couplings.apply(&parts.couplings);
        parts.forces = Places::shuffled(parts.forces.len(), &mut numbers).apply(&parts.forces);
        parts.cables = Places::shuffled(parts.cables.len(), &mut numbers).apply(&parts.cables);
        for joint in &mut parts.joints {
            joint.parent.iter_mut().for_each(|b| self.body(b));
            self.body(&mut joint.child);
            joint.springs.reverse();
            joint.actuators.reverse();
            joint.limits.reverse();
        }
        for coupling in &mut parts.couplings {
            coupling.terms.reverse();
            for term in &mut coupling.terms {
                term.joint = JointId(self.joints.to[term.joint.0]);
            }
        }
        for force in &mut parts.forces {
            match force {
                Force::Spring { ends, .. } => self.ends(ends),
                Force::Wrench { body, .. } => self.body(body),
            }
        }
        parts.cables.iter_mut().for_each(|c| self.ends(&mut c.ends));
        let count = parts.contact.as_ref().map_or(0, |c| c.materials.len());
        let materials = Places::shuffled(count, &mut numbers);
        if let Some(rules) = &mut parts.contact {
            self.rules(rules, &materials);
        }
        for body in &mut parts.bodies {
            Self::shapes(&mut body.shapes, &materials, &mut numbers);
        }
        Self::shapes(&mut parts.world_shapes, &materials, &mut numbers);
        Model::new(parts).unwrap_or_else(|e| panic!("{self:?}: {e:?}"))
    }
}

impl Likeness for Order {
    fn scene(&self, scene: &Scene) -> Scene {
        let mut like = scene.clone();
        like.model = self.model(&scene.model);
        like.state = self.state(&scene.state);
        like.state.angles = self.joints.apply(&like.state.angles);
        like
    }

    fn state(&self, state: &State) -> State {
        let mut state = state.clone();
        state.bodies = self.bodies.apply(&state.bodies);
        state.reactions = self.joints.apply(&state.reactions);
        state
    }

    fn input(&self, _: &Model, input: &Input) -> Input {
        let mut input = input.clone();
        input.drag.iter_mut().for_each(|d| self.body(&mut d.body));
        for command in &mut input.commands {
            command.joint = JointId(self.joints.to[command.joint.0]);
        }
        for wrench in &mut input.wrenches {
            self.body(&mut wrench.body);
        }
        input
    }
}
