//! What variational methods remember: velocities of past intervals, from which a guess extrapolates, and what
//! contacts took.
//!
//! In the words of [`Memory`]: velocities of the interval before the last, body by body, then those of the one before
//! it, as far as there are any; where islands came here in intervals of their own, the tail of every body; what contacts
//! took, body by body, in the last interval and ever; and the tail, which is that of all: lengths of the last three
//! intervals; iterations; the length of the interval whose velocities the bodies hold.

use crate::math::Vec3;
use crate::model::{Memory, State, Twist};

/// Words of a velocity, of what contacts took, and of a tail.
const TWIST: usize = 6;
const TAKEN: usize = 2;
const TAIL: usize = 5;

/// Energy that contacts took from a body.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Taken {
    /// In the last interval (J): the rebounds of bodies that move together never return more.
    pub last: f64,
    /// What they took and have not given back since (J): in any interval they give no more.
    pub reserve: f64,
}

/// What is remembered beside velocities.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Past {
    /// Lengths of the last interval and of those before (s), newest first; 0 where there was none or its velocities
    /// are not known.
    pub intervals: [f64; 3],
    /// Newton iterations of the last step, which decide how far to extrapolate.
    pub iterations: u32,
    /// Length of the interval whose velocities the bodies hold (s); 0 where they hold those at the knot.
    pub held: f64,
}

impl Past {
    /// What a state remembers of all its bodies; nothing where its memory is of another form. Where they have pasts of
    /// their own no interval is one of all, and `held` is the longest.
    pub fn of(state: &State) -> Self {
        let words = &state.memory.words;
        Form::of(words, state.bodies.len()).map_or_else(Self::default, |form| {
            Self::read(&words[words.len() - TAIL..], form.sets)
        })
    }

    /// What a state remembers of a body.
    pub fn of_body(state: &State, body: usize) -> Self {
        let (words, bodies) = (&state.memory.words, state.bodies.len());
        match Form::of(words, bodies).filter(|form| form.own) {
            Some(form) => {
                let at = form.velocities(bodies) + TAIL * body;
                Self::read(&words[at..at + TAIL], form.sets)
            }
            None => Self::of(state),
        }
    }

    fn read(tail: &[u64], sets: usize) -> Self {
        let mut intervals = [0, 1, 2].map(|k| f64::from_bits(tail[k]));
        // The velocity of the last interval is that of the body itself.
        intervals[1 + sets..].fill(0.0);
        Self {
            intervals,
            iterations: u32::try_from(tail[3]).unwrap_or(u32::MAX),
            held: f64::from_bits(tail[4]),
        }
    }

    fn tail(&self) -> [u64; TAIL] {
        let [a, b, c] = self.intervals.map(f64::to_bits);
        [a, b, c, u64::from(self.iterations), self.held.to_bits()]
    }

    /// Writes it in the place of what a state remembers beside velocities, of all bodies.
    pub fn write(&self, state: &mut State) {
        let (words, bodies) = (&mut state.memory.words, state.bodies.len());
        let form = prepare(words, bodies);
        if form.own {
            let at = form.velocities(bodies);
            words.drain(at..at + TAIL * bodies);
        }
        let at = words.len() - TAIL;
        words[at..].copy_from_slice(&self.tail());
    }
}

/// What words hold.
#[derive(Debug, Clone, Copy, Default)]
struct Form {
    /// Sets of velocities, 2 at most.
    sets: usize,
    /// Whether every body has a past of its own.
    own: bool,
}

impl Form {
    /// That of the words for so many bodies; `None` if they are of another form.
    fn of(words: &[u64], bodies: usize) -> Option<Self> {
        // Asked for every contact point: a body's words tell, without trying all forms.
        let per_body = words
            .len()
            .checked_sub(TAIL)?
            .checked_div(bodies)
            .unwrap_or(TAKEN);
        let velocities = per_body.checked_sub(TAKEN)?;
        let form = Self {
            sets: velocities / TWIST,
            own: velocities % TWIST == TAIL,
        };
        let fits = form.velocities(bodies) + form.rest(bodies) == words.len();
        (fits && form.sets <= 2).then_some(form)
    }

    /// Words of velocities.
    fn velocities(self, bodies: usize) -> usize {
        self.sets * TWIST * bodies
    }

    /// Words behind them.
    fn rest(self, bodies: usize) -> usize {
        let tails = if self.own { TAIL * bodies } else { 0 };
        tails + behind(bodies)
    }
}

/// Words of what contacts took and of the tail of all.
fn behind(bodies: usize) -> usize {
    TAKEN * bodies + TAIL
}

/// Makes room for what contacts took and what stands behind it where the words are of another form.
fn prepare(words: &mut Vec<u64>, bodies: usize) -> Form {
    Form::of(words, bodies).unwrap_or_else(|| {
        words.clear();
        words.resize(behind(bodies), 0);
        Form::default()
    })
}

/// Length of the interval whose velocity a body holds (s); 0 where it is that at the knot.
pub fn held(state: &State, body: usize) -> f64 {
    Past::of_body(state, body).held
}

/// Energy that contacts took from a body.
pub fn taken(state: &State, body: usize) -> Taken {
    let (words, bodies) = (&state.memory.words, state.bodies.len());
    if Form::of(words, bodies).is_none() {
        return Taken::default();
    }
    let at = words.len() - behind(bodies) + TAKEN * body;
    Taken {
        last: f64::from_bits(words[at]),
        reserve: f64::from_bits(words[at + 1]),
    }
}

/// Writes what contacts took from every body.
pub fn write_taken(state: &mut State, taken: &[Taken]) {
    let (words, bodies) = (&mut state.memory.words, state.bodies.len());
    prepare(words, bodies);
    let at = words.len() - behind(bodies);
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
    let form = prepare(words, bodies.len());
    let (velocities, rest) = (form.velocities(bodies.len()), form.rest(bodies.len()));
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
    let (words, bodies) = (&mut state.memory.words, state.bodies.len());
    let form = prepare(words, bodies);
    words.drain(..form.velocities(bodies));
    let own = if form.own { TAIL * bodies } else { 0 };
    let last = words.len() - TAIL;
    let forget = |tail: &mut [u64]| tail[..TAIL - 1].fill(0);
    words[..own].chunks_exact_mut(TAIL).for_each(forget);
    forget(&mut words[last..]);
}

/// Makes the memory of a state of those of others: what it remembers of its body `k` is what the first of `from(k)`
/// remembers of its body of that number. Bodies whose pasts differ keep their own.
pub fn gather<'a>(state: &mut State, from: impl Fn(usize) -> (&'a State, usize)) {
    let bodies = 0..state.bodies.len();
    let past = |k: usize| {
        let (state, body) = from(k);
        Past::of_body(state, body)
    };
    let known = |past: Past| {
        past.intervals[1..]
            .iter()
            .take_while(|h| **h != 0.0)
            .count()
    };
    let sets = bodies.clone().map(|k| known(past(k))).max().unwrap_or(0);
    let first = bodies.clone().next().map_or_else(Past::default, past);
    let own = bodies.clone().any(|k| past(k) != first);
    let words = &mut state.memory.words;
    words.clear();
    for age in 0..sets {
        for k in bodies.clone() {
            let (state, body) = from(k);
            let set = TWIST * (age * state.bodies.len() + body);
            let is_known = age < known(past(k));
            words.extend((0..TWIST).map(|w| {
                if is_known {
                    state.memory.words[set + w]
                } else {
                    0
                }
            }));
        }
    }
    if own {
        words.extend(bodies.clone().flat_map(|k| past(k).tail()));
    }
    for k in bodies.clone() {
        let (state, body) = from(k);
        let Taken { last, reserve } = taken(state, body);
        words.extend([last, reserve].map(f64::to_bits));
    }
    let longest = |a: f64, b: f64| if b.abs() > a.abs() { b } else { a };
    let of_all = Past {
        intervals: if own { [0.0; 3] } else { first.intervals },
        iterations: bodies
            .clone()
            .map(|k| past(k).iterations)
            .max()
            .unwrap_or(0),
        held: bodies.map(|k| past(k).held).fold(first.held, longest),
    };
    words.extend(of_all.tail());
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
            assert_eq!(state.memory.words.len(), 12 + behind(2));
            assert_eq!(taken(&state, 1), Taken::default());
        }
    }

    /// A state of two bodies that came in three intervals of length `h`, the velocity of body `k` in the interval `n`
    /// being `10 k + n`, with so much taken.
    fn came(h: f64, iterations: u32, took: f64) -> State {
        let mut state = state();
        for n in 1..=3 {
            push(&mut state);
            for (k, body) in state.bodies.iter_mut().enumerate() {
                body.velocity.linear.x = f64::from(10 * k as u32 + n);
            }
            let past = Past {
                intervals: [h, if n > 1 { h } else { 0.0 }, if n > 2 { h } else { 0.0 }],
                iterations,
                held: h,
            };
            past.write(&mut state);
        }
        let taken = [1.0, 2.0].map(|reserve| Taken {
            last: took,
            reserve,
        });
        write_taken(&mut state, &taken);
        state
    }

    #[test]
    fn bodies_keep_pasts_of_their_own_until_they_go_on_together() {
        let (long, short) = (came(0.1, 2, 5.0), came(0.025, 3, 6.0));
        let mut both = state();
        // The second body of the one and the first of the other.
        gather(&mut both, |k| [(&long, 1), (&short, 0)][k]);
        for (k, (from, body)) in [(&long, 1), (&short, 0)].into_iter().enumerate() {
            assert_eq!(Past::of_body(&both, k), Past::of(from));
            assert_eq!(held(&both, k), Past::of(from).held);
            assert_eq!(taken(&both, k), taken(from, body));
            for age in 0..2 {
                assert_eq!(velocity(&both, age, k), velocity(from, age, body));
            }
        }
        let of_all = Past {
            intervals: [0.0; 3],
            iterations: 3,
            held: 0.1,
        };
        assert_eq!(Past::of(&both), of_all);
        // Apart again they are what they were, to the last word.
        let mut again = long.clone();
        gather(&mut again, |_| (&both, 0));
        assert_eq!(Past::of(&again), Past::of(&long));
        assert_eq!(velocity(&again, 1, 0), velocity(&long, 1, 1));
        let mut same = state();
        gather(&mut same, |k| (&long, k));
        assert_eq!(same.memory, long.memory);
        let mut forgot = both.clone();
        forget_motion(&mut forgot);
        let rests = [0.1, 0.025].map(|held| Past {
            held,
            ..Past::default()
        });
        assert_eq!([0, 1].map(|k| Past::of_body(&forgot, k)), rests);
        // An interval of all makes one past of them.
        push(&mut both);
        let past = Past {
            intervals: [0.2, 0.0, 0.0],
            iterations: 1,
            held: 0.2,
        };
        past.write(&mut both);
        assert_eq!([0, 1].map(|k| Past::of_body(&both, k)), [past; 2]);
        assert_eq!(taken(&both, 0), taken(&long, 1));
        assert_eq!(taken(&both, 1), taken(&short, 0));
    }
}
