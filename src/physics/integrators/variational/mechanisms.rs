//! Mechanisms of a model by themselves: what one gains another does not hide, however much energy that has.

use super::conservation::{Energies, Given, Share, given};
use super::islands::Islands;
use super::newton::Failure;
use crate::model::{Model, State, Twist, Work};

/// Energies of the mechanisms of a model at both knots of an interval. A mechanism is what joints, springs, cables and contacts
/// tie together, with one joint at least; in a model that has none, and in the workspace of an island, it is all.
#[derive(Default)]
pub(super) struct Mechanisms {
    /// Whether the model is not taken as one.
    several: bool,
    /// Of every body, the place of its mechanism's energies; for what is in none, that behind all.
    places: Vec<usize>,
    /// Whether a joint is among the bodies of a place.
    jointed: Vec<bool>,
    energies: [Vec<Energies>; 2],
    twists: Vec<Twist>,
}

impl Mechanisms {
    /// Finds those of a model at a state.
    pub fn find(&mut self, islands: Option<&mut Islands>, model: &Model, state: &State) {
        let count = model.bodies.len();
        self.places.clear();
        self.places.resize(count, 0);
        self.several = false;
        let islands = islands.filter(|_| !model.joints.is_empty());
        let Some(groups) = islands.map(|islands| islands.touching(state)) else {
            return;
        };
        if groups.count() < 2 {
            return;
        }
        self.several = true;
        self.jointed.clear();
        self.jointed.resize(count, false);
        for joint in &model.joints {
            self.jointed[groups.find(joint.child.0)] = true;
        }
        for (body, place) in self.places.iter_mut().enumerate() {
            let first = groups.find(body);
            *place = if self.jointed[first] { first } else { count };
        }
    }

    /// Takes the energies at two knots, by velocities that `write` finds.
    pub fn fill(
        &mut self,
        model: &Model,
        knots: [&State; 2],
        mut write: impl FnMut(&State, &mut Vec<Twist>),
    ) {
        let places = &self.places;
        for (energies, state) in self.energies.iter_mut().zip(knots) {
            write(state, &mut self.twists);
            energies.resize(places.len() + 1, Energies::default());
            Energies::fill(energies, |b| places[b.0], (model, state), &self.twists);
        }
    }

    /// What a mechanism was given between two accounts of work: whose work it is they do not say.
    pub fn given(&self, [before, now]: [&Work; 2]) -> Given {
        if !self.several {
            return Given {
                known: given(now) - given(before),
                unsure: 0.0,
            };
        }
        let parts = |work: &Work| [work.external, work.dissipated, work.impact, work.friction];
        let changes = parts(before).into_iter().zip(parts(now));
        Given {
            known: 0.0,
            unsure: changes.map(|(before, now)| (now - before).abs()).sum(),
        }
    }

    /// Whether an interval in which gravity gives a speed of `fall` (m/s) gained or lost no more than that share of the energy of any.
    pub fn judge(&self, given: Given, fall: f64, share: Share) -> Result<(), Failure> {
        let [before, now] = &self.energies;
        let places = before.iter().zip(now).take(self.places.len());
        let mechanisms = places.filter(|(before, _)| before.mass > 0.0);
        for (before, now) in mechanisms {
            before.judge(now, given, fall, share)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::newton::Broken;
    use super::super::{SINGLE, VARIATIONAL_2, Variational};
    use super::*;
    use crate::integrators::{Integrator, Settings};
    use crate::model::{BodyId, specimen};
    use crate::scene;

    const DT: f64 = 0.01;

    /// A ball that flies at 10 m/s, a flywheel of 50 MJ, and a pendulum that goes round at 40 rad/s, 808 J.
    const SCENE: &str = r#"(
        version: 1,
        gravity: (0, 0, 0),
        bodies: {
            "ball": (mass: 1, inertia: (0.01, 0.01, 0.01), velocity: (10, 0, 0)),
            "flywheel": (mass: 1e6, inertia: (1e6, 1e6, 1e6)),
            "bob": (mass: 1, inertia: (0.01, 0.01, 0.01)),
        },
        joints: {
            "axle": (kind: revolute, parent: "world", child: "flywheel", anchor: (50, 0, 0), rates: [10]),
            "pivot": (kind: revolute, parent: "world", child: "bob", axis: (0, 1, 0), child_anchor: (0, 0, 1), rates: [40]),
        },
    )"#;

    fn started() -> (Variational, Model, State) {
        let scene = scene::from_text("three", SCENE, &[]).unwrap_or_else(|e| panic!("{e}"));
        let (model, mut state) = (scene.model, scene.state);
        let settings = Settings::default();
        let mut method = Variational::new(&VARIATIONAL_2, SINGLE, &model, &settings);
        method.adopt(&model, &mut state, &settings);
        (method, model, state)
    }

    /// The same with the momenta of a body grown with a part of its energy.
    fn gained(state: &State, body: usize, part: f64) -> State {
        let mut after = state.clone();
        let body = &mut after.bodies[body];
        for momentum in [&mut body.momentum, &mut body.angular_momentum] {
            *momentum *= f64::sqrt(1.0 + part);
        }
        after
    }

    /// The body that is told, if a whole step between two states is refused.
    fn told(found: &mut (Variational, Model, State), after: &State) -> Option<usize> {
        let (method, model, state) = found;
        method.save(state, 0);
        let failure = method.judge_whole((model, after), DT).err()?;
        assert_eq!(failure.broken, Some(Broken::Conservation));
        Some(failure.errors.body)
    }

    /// A tenth of the bob's energy is a millionth of the flywheel's.
    #[test]
    fn what_a_light_mechanism_gains_a_heavy_one_does_not_hide() {
        let mut found = started();
        for (body, part, refused) in [
            (2, 0.03, false),
            (2, 0.1, true),
            (1, 0.03, false),
            (1, 0.1, true),
            // What no joint holds is the contacts' to judge.
            (0, 0.1, false),
        ] {
            let after = gained(&found.2, body, part);
            let expected = refused.then_some(body);
            assert_eq!(told(&mut found, &after), expected, "{body}, {part}");
        }
    }

    /// Work in the account is one mechanism's or the other's.
    #[test]
    fn what_was_given_or_taken_may_be_anyones() {
        let mut found = started();
        for (external, dissipated, refused) in
            [(0.0, 0.0, true), (81.0, 0.0, false), (0.0, 81.0, false)]
        {
            let mut after = gained(&found.2, 2, 0.1);
            after.work.external += external;
            after.work.dissipated += dissipated;
            assert_eq!(told(&mut found, &after).is_some(), refused);
        }
    }

    /// Energy goes to and fro between those that touch, and what touches a mechanism is a part of it.
    #[test]
    fn mechanisms_that_touch_are_one() {
        let touching = |a: usize, b: usize| specimen::open_contact([a, b].map(|k| Some(BodyId(k))));
        let mut found = started();
        let mut after = gained(&found.2, 2, 0.1);
        after.contacts.push(touching(1, 2));
        assert_eq!(told(&mut found, &after), None);
        let mut after = gained(&found.2, 0, 3.0);
        assert_eq!(told(&mut found, &after), None);
        after.contacts.push(touching(0, 2));
        assert_eq!(told(&mut found, &after), Some(2));
    }
}
