//! Energy that the intervals of a step gain or lose which was cut, and a whole one that was hard to solve or turns bodies far.

use super::Variational;
use super::newton::{Broken, Failure};
use crate::diagnostics;
use crate::model::{BodyId, Model, State, Twist, Work};

/// What may be gained or lost, as a part of an energy of motion.
#[derive(Debug, Clone, Copy)]
pub(super) struct Share {
    part: f64,
    of: Measure,
}

/// An energy of motion.
#[derive(Debug, Clone, Copy)]
enum Measure {
    /// That of a mechanism's own motion.
    Own,
    /// The same, and that with which bodies that the world holds go round where it does.
    Around,
    /// All kinetic energy.
    Kinetic,
}

/// Part of the energy of a mechanism's own motion that an interval of a step that was cut may gain or lose. What steps of one length gain
/// they lose again some steps later. The intervals that a step is cut into have no energy that they would keep, and what they gain adds
/// up: light bodies that whip round came to a million times their energy within a second. Where only what gains is cut shorter, what
/// swings loses.
const CUT: Share = Share {
    part: 1e-3,
    of: Measure::Own,
};

/// The same where limits, cables or contacts push: at a knot in the midst of an impact velocities are neither those before nor those after it,
/// and what they give is known by its work alone. A whole step that is pushed may gain or lose as much.
const PUSHED: Share = Share {
    part: 0.1,
    of: Measure::Kinetic,
};

/// The same of a step that was not cut: mechanisms with loops swing by nearly as much in a step and back in the next. Of pendulums next to
/// nothing would be their own but for their way round.
const WHOLE: Share = Share {
    part: 0.05,
    of: Measure::Around,
};

/// Iterations from which on a whole step is looked at: three or four are usual, and what took many may be past where its forces
/// mean anything.
const HARD: u32 = 8;

/// Turn of a body that joints hold from which on a whole step is looked at [rad]: below it what a scheme of second order gains is less
/// than what a step may.
const WIDE: f64 = 0.2;

/// Energies of bodies at a knot.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Energies {
    kinetic: f64,
    /// Kinetic energy of turns, and of bodies against those that joints tie them to: that of a mechanism's own motion, wherever all
    /// of it goes.
    inner: f64,
    /// Kinetic energy with which bodies go round a joint on the world.
    around: f64,
    gravity: f64,
    springs: f64,
    pub mass: f64,
    /// The most kinetic energy that one has, and that body.
    most: (f64, usize),
}

/// What was given from outside in an interval and not taken (J).
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Given {
    /// By all that bodies were given.
    pub known: f64,
    /// What some of them may have been given besides, or have had taken.
    pub unsure: f64,
}

impl Energies {
    /// Those of a state whose bodies move so: every body's in its place among `all`.
    pub fn fill(
        all: &mut [Self],
        place: impl Fn(BodyId) -> usize,
        (model, state): (&Model, &State),
        twists: &[Twist],
    ) {
        all.fill(Self::default());
        let bodies = model.bodies.iter().zip(&state.bodies);
        for (k, ((body, state), twist)) in bodies.zip(twists).enumerate() {
            let [translation, rotation] = body.kinetic_energy(&state.orientation, twist);
            let sum = &mut all[place(BodyId(k))];
            sum.kinetic += translation + rotation;
            sum.inner += rotation;
            sum.gravity += diagnostics::gravity_energy(model, body, state);
            sum.mass += body.mass;
            if translation + rotation > sum.most.0 {
                sum.most = (translation + rotation, k);
            }
        }
        for joint in &model.joints {
            let sum = &mut all[place(joint.child)];
            let b = joint.child.0;
            let Some(BodyId(a)) = joint.parent else {
                let arm = state.bodies[b].orientation * joint.child_frame.anchor;
                let speed = twists[b].angular.cross(&arm);
                sum.around += 0.5 * model.bodies[b].mass * speed.norm_squared();
                continue;
            };
            let [m, n] = [a, b].map(|k| model.bodies[k].mass);
            let apart = twists[a].linear - twists[b].linear;
            sum.inner += 0.5 * m * n / (m + n) * apart.norm_squared();
        }
        for (body, energy) in diagnostics::spring_energies(model, state) {
            // One between two places on the world has the same energy for ever.
            if let Some(body) = body {
                all[place(body)].springs += energy;
            }
        }
    }

    /// Whether an interval that led from here to another knot, in which gravity gives a speed of `fall` (m/s), gained or lost no more than
    /// that share of the energy.
    pub fn judge(&self, now: &Self, given: Given, fall: f64, share: Share) -> Result<(), Failure> {
        let stretched = now.springs - self.springs;
        let risen = now.gravity - self.gravity + stretched;
        let gain = now.kinetic - self.kinetic + risen - given.known;
        let [was, is] = [self, now].map(|energies| match share.of {
            Measure::Own => energies.inner,
            Measure::Around => energies.inner + energies.around,
            Measure::Kinetic => energies.kinetic,
        });
        // What falls or slides as a whole has all the energy that there is, and none that anything could be a part of.
        let size = was.max(is) + stretched.abs() + 0.5 * self.mass * fall * fall;
        if gain.abs() <= share.part * size + given.unsure {
            return Ok(());
        }
        Err(Failure::of_body(Broken::Conservation, now.most.1))
    }
}

/// The account of the energy of a model at a knot.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Account {
    energies: Energies,
    work: Work,
}

impl Account {
    /// That of a state whose bodies move so.
    fn of(model: &Model, state: &State, twists: &[Twist]) -> Self {
        let mut energies = [Energies::default()];
        Energies::fill(&mut energies, |_| 0, (model, state), twists);
        Self {
            energies: energies[0],
            work: state.work,
        }
    }

    /// Whether the `interval` (s) that led from here to another knot gained or lost no more than that share of its energy.
    fn judge(&self, now: &Self, model: &Model, interval: f64, share: Share) -> Result<(), Failure> {
        let given = Given {
            known: given(&now.work) - given(&self.work),
            unsure: 0.0,
        };
        let fall = model.gravity.norm() * interval;
        self.energies.judge(&now.energies, given, fall, share)
    }
}

/// What was given from outside and not taken (J).
pub(super) fn given(work: &Work) -> f64 {
    work.external - work.dissipated - work.impact - work.friction
}

/// Velocities by the momenta of a state.
fn write_velocities(model: &Model, state: &State, out: &mut Vec<Twist>) {
    out.clear();
    out.extend(model.bodies.iter().zip(&state.bodies).map(|(body, state)| {
        let turn = state
            .orientation
            .inverse_transform_vector(&state.angular_momentum);
        // A model holds inertias that are positive definite.
        let spin = body.inertia.cholesky().map(|inertia| inertia.solve(&turn));
        Twist {
            linear: state.momentum / body.mass,
            angular: state.orientation * spin.unwrap_or_default(),
        }
    }));
}

impl Variational {
    /// Whether a step of a model that took so many iterations and turned a body so far (rad) is one to be judged.
    pub(super) fn is_doubtful(&self, model: &Model, iterations: u32, turn: f64) -> bool {
        let joints = !model.joints.is_empty();
        (iterations >= HARD || joints && turn >= WIDE) && (joints || !self.is_pushed())
    }

    /// The account of a state, by the velocities that joints let through: momenta lack what joints will give in the half of an
    /// interval that follows, which works on nothing but grows with the interval, so that energies by momenta jump where its length changes.
    pub(super) fn energy_at(&mut self, model: &Model, state: &State) -> Account {
        let mut twists = std::mem::take(&mut self.twists);
        self.solver.project_joints(model, state, &mut twists);
        let account = Account::of(model, state, &twists);
        self.twists = twists;
        account
    }

    /// Judges what an interval (s) of a step that was cut gained or lost since then; where it holds the account is kept for the next.
    pub(super) fn judge_cut(
        &mut self,
        before: &Account,
        (model, state): (&Model, &State),
        interval: f64,
    ) -> Result<(), Failure> {
        let now = self.energy_at(model, state);
        let share = if self.is_pushed() { PUSHED } else { CUT };
        before.judge(&now, model, interval, share)?;
        self.energy = Some(now);
        Ok(())
    }

    /// Judges what every [mechanism](super::mechanisms) gained or lost in a whole step (s) that is [doubtful](Self::is_doubtful), since the
    /// state that was saved before it: by momenta, and where these gain too much, as they do where the length of steps changes, by velocities.
    pub(super) fn judge_whole(
        &mut self,
        (model, state): (&Model, &State),
        step: f64,
    ) -> Result<(), Failure> {
        let share = if self.is_pushed() { PUSHED } else { WHOLE };
        let saved = std::mem::take(&mut self.saved);
        let mut mechanisms = std::mem::take(&mut self.mechanisms);
        let judged = saved.first().map_or(Ok(()), |(before, _)| {
            mechanisms.find(self.islands.as_deref_mut(), model, state);
            let knots = [before, state];
            mechanisms.fill(model, knots, |state, twists| {
                write_velocities(model, state, twists);
            });
            let given = mechanisms.given(knots.map(|state| &state.work));
            let fall = model.gravity.norm() * step;
            if mechanisms.judge(given, fall, share).is_ok() {
                // The motion is still there.
                self.doubted = false;
                return Ok(());
            }
            mechanisms.fill(model, knots, |state, twists| {
                self.solver.project_joints(model, state, twists);
            });
            mechanisms.judge(given, fall, share)
        });
        self.mechanisms = mechanisms;
        self.saved = saved;
        judged
    }
}

#[cfg(test)]
mod tests {
    use super::super::{SINGLE, VARIATIONAL_2};
    use super::*;
    use crate::integrators::{Integrator, Settings, StepReport};
    use crate::math::{Mat3, Vec3};
    use crate::model::{Body, Input, ModelParts};
    use crate::scene::{self, Scene};

    const DT: f64 = 0.01;

    /// Two bodies; the first flies at 2 m/s and turns at 30 rad/s, 2.9 J and 9 J, the second rests.
    fn pair() -> (Model, State) {
        let body = |name: &str, mass: f64| Body::new(name, mass, Mat3::identity() * 0.02);
        let model = Model::new(ModelParts {
            gravity: Vec3::new(0.0, 0.0, -10.0),
            bodies: vec![body("fast", 1.45), body("slow", 3.0)],
            ..ModelParts::default()
        })
        .expect("it is a model");
        let mut state = State::at_rest(&model);
        state.bodies[0].velocity = Twist {
            linear: Vec3::x() * 2.0,
            angular: Vec3::y() * 30.0,
        };
        (model, state)
    }

    /// Both bodies moved in an interval in which all of their velocities grew by a factor.
    fn grown(state: &State, factor: f64) -> State {
        let mut grown = state.clone();
        for body in &mut grown.bodies {
            body.velocity.linear *= factor;
            body.velocity.angular *= factor;
        }
        grown
    }

    fn account(model: &Model, state: &State) -> Account {
        let twists: Vec<_> = state.bodies.iter().map(|b| b.velocity).collect();
        Account::of(model, state, &twists)
    }

    fn breaks(model: &Model, before: &State, after: &State) -> bool {
        let (before, after) = (account(model, before), account(model, after));
        let judged = before.judge(&after, model, DT, CUT);
        if let Err(failure) = judged {
            assert_eq!(failure.broken, Some(Broken::Conservation));
            assert_eq!(failure.errors.body, after.energies.most.1);
        }
        judged.is_err()
    }

    /// Of 11.9 J, 9 J turn: a thousandth of these is a part of 7.56e-4 of all. 22 mJ, what gravity gives both bodies from rest in the
    /// interval, count as well: 7.58e-4.
    #[test]
    fn a_part_of_what_turns_may_be_gained_or_lost() {
        let (model, state) = pair();
        assert_eq!(account(&model, &state).energies.most.1, 0);
        for (gain, refused) in [(0.0, false), (7.5e-4, false), (7.7e-4, true), (1e6, true)] {
            let after = grown(&state, f64::sqrt(1.0 + gain));
            assert_eq!(breaks(&model, &state, &after), refused, "{gain}");
            assert_eq!(breaks(&model, &after, &state), refused, "{gain}");
        }
    }

    #[test]
    fn what_the_potential_gives_or_what_acts_from_outside_is_accounted_for() {
        let (model, state) = pair();
        // 11.9 J more than there were: by 0.82 m of fall, or by work, less what is taken.
        let mut after = grown(&state, f64::sqrt(2.0));
        assert!(breaks(&model, &state, &after));
        after.bodies[0].position.z -= 11.9 / 14.5;
        assert!(!breaks(&model, &state, &after));
        after.bodies[0].position.z = 0.0;
        after.work.external = 11.9;
        assert!(!breaks(&model, &state, &after));
        after.work.dissipated = 2.0;
        assert!(breaks(&model, &state, &after));
        after.work.dissipated = 0.0;
        after.work.impact = 1.5;
        after.work.friction = 0.5;
        assert!(breaks(&model, &state, &after));
    }

    /// What is at rest has no energy of which anything could be a part: the fall of an interval is a measure, too.
    #[test]
    fn rounding_of_what_rests_breaks_nothing_and_what_is_no_number_does() {
        let (model, state) = pair();
        let rest = State::at_rest(&model);
        let mut after = rest.clone();
        after.bodies[0].velocity.linear.x = 1e-3;
        assert!(!breaks(&model, &rest, &rest) && !breaks(&model, &rest, &after));
        after.bodies[0].velocity.linear.x = f64::NAN;
        let before = account(&model, &state);
        let judged = before.judge(&account(&model, &after), &model, DT, CUT);
        assert!(judged.is_err());
    }

    /// Two bodies that a joint ties: what may be gained depends on how they move against each other, and not on where both go or fall.
    #[test]
    fn what_goes_as_a_whole_has_nothing_to_gain_from() {
        let text = r#"(
            version: 1,
            bodies: { "a": (mass: 1, inertia: (1, 1, 1)), "b": (mass: 3, inertia: (1, 1, 1)) },
            joints: { "ab": (kind: floating, parent: "a", child: "b") },
        )"#;
        let scene = scene::from_text("pair", text, &[]).expect("it is a scene");
        let gravity = scene.model.gravity * DT;
        for speed in [0.0, 100.0] {
            for (gain, refused) in [(9e-4, false), (1.2e-3, true)] {
                let [before, after] = [1.0, f64::sqrt(1.0 + gain)].map(|factor| {
                    let mut state = scene.state.clone();
                    // 15 J with a common momentum of nothing.
                    for (body, along) in state.bodies.iter_mut().zip([4.743_416, -1.581_139]) {
                        body.velocity.linear = Vec3::x() * (along * factor) + Vec3::y() * speed;
                    }
                    state
                });
                let mut after = after;
                for body in &mut after.bodies {
                    // As it falls.
                    body.position += (Vec3::y() * speed + gravity * 0.5) * DT;
                    body.velocity.linear += gravity;
                }
                assert_eq!(
                    breaks(&scene.model, &before, &after),
                    refused,
                    "{speed}, {gain}"
                );
            }
        }
    }

    /// A pendulum that goes round at so many radians a second without gravity, after some steps (s).
    fn round(rate: f64, dt: f64) -> (Variational, Model, State) {
        let text = format!(
            r#"(
            version: 1,
            gravity: (0, 0, 0),
            bodies: {{ "a": (mass: 1, inertia: (0.01, 0.01, 0.01)) }},
            joints: {{ "j": (kind: revolute, parent: "world", child: "a", axis: (0, 1, 0), child_anchor: (0, 0, 1), rates: [{rate}]) }},
        )"#
        );
        let Scene {
            model, mut state, ..
        } = scene::from_text("round", &text, &[]).expect("a scene");
        let settings = Settings {
            dt,
            ..Settings::default()
        };
        let mut method = Variational::new(&VARIATIONAL_2, SINGLE, &model, &settings);
        method.adopt(&model, &mut state, &settings);
        let (mut report, input) = (StepReport::default(), Input::default());
        for _ in 0..5 {
            let step = method.step(&model, &mut state, &input, &settings, &mut report);
            assert_eq!(step, Ok(()));
        }
        (method, model, state)
    }

    /// A pendulum that goes round by 0.4 rad a step: nothing acts along its circle, so that its angular momentum and the energy by its
    /// velocity are kept to what steps are solved to, whatever their length. Momenta lack half of what the joint pulls in a step, a fifth of a radian's
    /// turn of them: their energy is a twenty-fifth larger, in half of a step a hundredth.
    #[test]
    fn energies_at_a_knot_do_not_depend_on_the_intervals_around_it() {
        let energy = 0.5 * 1.01 * 40.0 * 40.0;
        for (dt, pulled) in [(0.01, 0.04), (0.005, 0.01)] {
            let (mut method, model, state) = round(40.0, dt);
            let found = method.energy_at(&model, &state).energies.kinetic / energy - 1.0;
            assert!(found.abs() < 1e-9, "{dt}: {found}");
            let mut twists = Vec::new();
            write_velocities(&model, &state, &mut twists);
            let by_momentum = Account::of(&model, &state, &twists).energies.kinetic / energy - 1.0;
            assert!(
                (by_momentum - pulled).abs() < 0.1 * pulled,
                "{dt}: {by_momentum}"
            );
        }
    }

    /// What is doubtful, and how it is judged: a twentieth more by momenta and by velocities is too much; what momenta alone gain, a sixth where
    /// steps become four times as long, is not.
    #[test]
    fn a_doubtful_step_is_judged_by_momenta_first_and_then_by_velocities() {
        let (mut method, model, state) = round(80.0, 0.01);
        assert!(method.is_doubtful(&model, 3, 0.8) && method.is_doubtful(&model, 8, 0.1));
        assert!(!method.is_doubtful(&model, 7, 0.1));
        let free = Model::new(ModelParts {
            bodies: model.bodies.clone(),
            ..ModelParts::default()
        });
        assert!(!method.is_doubtful(&free.expect("it is a model"), 7, 0.8));

        let mut judge = |before: &State, after: &State| {
            method.save(before, 0);
            method.doubted = true;
            let judged = method.judge_whole((&model, after), DT);
            (judged.is_ok(), method.doubted)
        };
        for (gain, expected) in [(0.03, (true, false)), (0.06, (false, true))] {
            let mut after = state.clone();
            let body = &mut after.bodies[0];
            for part in [&mut body.momentum, &mut body.angular_momentum] {
                *part *= f64::sqrt(1.0 + gain);
            }
            assert_eq!(judge(&state, &after), expected, "{gain}");
        }
        let (_, _, short) = round(80.0, 0.0025);
        assert_eq!(judge(&short, &state), (true, true));
    }

    /// Of 3232 J 32 J are those of its turn about its middle, the others of its way round the joint.
    #[test]
    fn what_goes_round_a_joint_on_the_world_counts_for_whole_steps_alone() {
        let (mut method, model, state) = round(80.0, 0.01);
        let Energies { inner, around, .. } = method.energy_at(&model, &state).energies;
        assert!((inner - 32.0).abs() < 1e-4 && (around - 3200.0).abs() < 1e-4);
        for (gain, expected) in [(0.02, [true; 2]), (0.2, [false, true]), (170.0, [false; 2])] {
            let was = method.energy_at(&model, &state);
            let mut now = method.energy_at(&model, &state);
            now.energies.kinetic += gain;
            let judged = [CUT, WHOLE].map(|share| was.judge(&now, &model, DT, share).is_ok());
            assert_eq!(judged, expected, "{gain}");
        }
    }
}
