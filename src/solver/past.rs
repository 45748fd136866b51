//! What variational methods remember: velocities of past intervals, from which a guess extrapolates, and what
//! contacts took.
//!
//! In the words of [`Memory`]: velocities of the interval before the last, body by body, then those of the one before
//! it, as far as there are any; what contacts took, body by body, in the last interval and ever; lengths of the last
//! three intervals; iterations; the length of the interval whose velocities the bodies hold.

use crate::math::Vec3;
use crate::model::{Memory, State, Twist};

/// Words of a velocity, of what contacts took, and behind all that is told body by body.
const TWIST: usize = 6;
const TAKEN: usize = 2;
const TAIL: usize = 5;

/// Energy that contacts took from a body.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Taken {
    /// In the last interval [J]: the rebounds of bodies that move together never return more.
    pub last: f64,
    /// What they took and have not given back since [J]: in any interval they give no more.
    pub reserve: f64,
}

/// What is remembered beside velocities.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Past {
    /// Lengths of the last interval and of those before [s], newest first; 0 where there was none or its velocities
    /// are not known.
    pub intervals: [f64; 3],
    /// Newton iterations of the last step, which decide how far to extrapolate.
    pub iterations: u32,
    /// Length of the interval whose velocities the bodies hold [s]; 0 where they hold those at the knot.
    pub held: f64,
}

impl Past {
    /// What a state remembers; nothing where its memory is of another form.
    pub fn of(state: &State) -> Self {
        let words = &state.memory.words;
        let Some(known) = known(words, state.bodies.len()) else {
            return Self::default();
        };
        let tail = &words[words.len() - TAIL..];
        let mut intervals = [0, 1, 2].map(|k| f64::from_bits(tail[k]));
        // The velocity of the last interval is that of the body itself.
        intervals[1 + known..].fill(0.0);
        Self {
            intervals,
            iterations: u32::try_from(tail[3]).unwrap_or(u32::MAX),
            held: f64::from_bits(tail[4]),
        }
    }

    /// Writes it in the place of what a state remembers beside velocities.
    pub fn write(&self, state: &mut State) {
        let words = &mut state.memory.words;
        prepare(words, state.bodies.len());
        let [a, b, c] = self.intervals.map(f64::to_bits);
        let tail = [a, b, c, u64::from(self.iterations), self.held.to_bits()];
        let at = words.len() - TAIL;
        words[at..].copy_from_slice(&tail);
    }
}

/// Words behind the velocities of so many bodies.
fn rest(bodies: usize) -> usize {
    TAKEN * bodies + TAIL
}

/// How many sets of velocities are there, 2 at most; `None` if the words are of another form.
fn known(words: &[u64], bodies: usize) -> Option<usize> {
    let velocities = words.len().checked_sub(rest(bodies))?;
    let set = TWIST * bodies;
    (0..=2).find(|k| k * set == velocities)
}

/// Makes room for what contacts took and what stands behind it where the words are of another form.
fn prepare(words: &mut Vec<u64>, bodies: usize) {
    if known(words, bodies).is_none() {
        words.clear();
        words.resize(rest(bodies), 0);
    }
}

/// Energy that contacts took from a body.
pub fn taken(state: &State, body: usize) -> Taken {
    let (words, bodies) = (&state.memory.words, state.bodies.len());
    if known(words, bodies).is_none() {
        return Taken::default();
    }
    let at = words.len() - rest(bodies) + TAKEN * body;
    Taken {
        last: f64::from_bits(words[at]),
        reserve: f64::from_bits(words[at + 1]),
    }
}

/// Writes what contacts took from every body.
pub fn write_taken(state: &mut State, taken: &[Taken]) {
    let (words, bodies) = (&mut state.memory.words, state.bodies.len());
    prepare(words, bodies);
    let at = words.len() - rest(bodies);
    for (words, taken) in words[at..].chunks_exact_mut(TAKEN).zip(taken) {
        words.copy_from_slice(&[taken.last, taken.reserve].map(f64::to_bits));
    }
}

/// Velocity of a body in the interval before the last (`age` 0), or in the one before that (1), which [`Past`] says
/// that there was.
#[inline(always)]
pub(super) fn velocity(state: &State, age: usize, body: usize) -> Twist {
    let at = TWIST * (age * state.bodies.len() + body);
    let words = &state.memory.words[at..at + TWIST];
    let vector = |k: usize| Vec3::from_fn(|i, _| f64::from_bits(words[k + i]));
    Twist {
        linear: vector(0),
        angular: vector(3),
    }
}

/// Puts the velocities of the bodies, which are those of the last interval, before those remembered; the oldest go.
pub(super) fn push(state: &mut State) {
    let (words, bodies) = (&mut state.memory.words, &state.bodies);
    let set = TWIST * bodies.len();
    prepare(words, bodies.len());
    let rest = rest(bodies.len());
    let velocities = words.len() - rest;
    // Two sets at most: room for the new one is made before the first, or by the second, which goes.
    if velocities < 2 * set {
        words.resize(words.len() + set, 0);
        words.copy_within(velocities..velocities + rest, velocities + set);
    }
    words.copy_within(..velocities.min(set), set);
    for (words, body) in words.chunks_exact_mut(TWIST).zip(bodies) {
        let Twist { linear, angular } = &body.velocity;
        for (word, x) in words.iter_mut().zip(linear.iter().chain(angular.iter())) {
            *word = x.to_bits();
        }
    }
}

/// Forgets what guesses are made of, keeping the room: what contacts took stays, and velocities stay those of the interval that
/// they were of.
pub fn forget_motion(state: &mut State) {
    let past = Past {
        held: Past::of(state).held,
        ..Past::default()
    };
    let (words, bodies) = (&mut state.memory.words, state.bodies.len());
    prepare(words, bodies);
    let velocities = words.len() - rest(bodies);
    words.drain(..velocities);
    past.write(state);
}

/// Forgets everything, keeping the room: what is there may be another method's, and bodies hold velocities at the knot.
pub fn forget(memory: &mut Memory) {
    memory.words.clear();
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Mat3;
    use crate::model::{Body, Model, ModelParts};

    fn state() -> State {
        let bodies = ["one", "two"].map(|name| Body::new(name, 1.0, Mat3::identity()));
        let parts = ModelParts {
            bodies: bodies.to_vec(),
            ..ModelParts::default()
        };
        State::at_rest(&Model::new(parts).expect("two bodies are a model"))
    }

    #[test]
    fn two_sets_of_velocities_are_known_newest_first() {
        let mut state = state();
        assert_eq!(Past::of(&state), Past::default());
        let speeds = [1.0, 2.0, 3.0];
        let took = [(7.0, 70.0), (8.0, 80.0)].map(|(last, reserve)| Taken { last, reserve });
        for (k, speed) in speeds.into_iter().enumerate() {
            state.bodies[1].velocity.angular.z = speed;
            push(&mut state);
            let past = Past {
                intervals: [0.1, 0.2, 0.3],
                iterations: 4,
                held: 0.5,
            };
            past.write(&mut state);
            write_taken(&mut state, &took);
            let seen = Past::of(&state);
            let known = [0.1, 0.2, if k == 0 { 0.0 } else { 0.3 }];
            assert_eq!(
                (seen.intervals, seen.iterations, seen.held),
                (known, 4, 0.5)
            );
            assert_eq!([0, 1].map(|body| taken(&state, body)), took);
            assert_eq!(velocity(&state, 0, 1).angular.z, speed);
            assert_eq!(velocity(&state, 0, 0), Twist::default());
        }
        assert_eq!(velocity(&state, 1, 1).angular.z, 2.0);
        forget_motion(&mut state);
        let rest = Past {
            held: 0.5,
            ..Past::default()
        };
        assert_eq!(Past::of(&state), rest);
        assert_eq!([0, 1].map(|body| taken(&state, body)), took);
    }

    #[test]
    fn words_of_another_form_are_nothing_remembered() {
        let mut state = state();
        for words in [1, 4, 6, 20, 33 + 12] {
            state.memory.words = vec![1; words];
            assert_eq!(Past::of(&state), Past::default(), "{words} words");
            push(&mut state);
            assert_eq!(Past::of(&state).intervals, [0.0; 3]);
            assert_eq!(state.memory.words.len(), 12 + rest(2));
            assert_eq!(taken(&state, 1), Taken::default());
        }
    }
}
