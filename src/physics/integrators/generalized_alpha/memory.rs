//! What generalised-α remembers beside the knot: by body the coordinates of rotation and their velocities, `ẇ` and the
//! auxiliary accelerations `a`; then the forces of constraint; whether anything acted from outside; last which chart these
//! numbers are of.

use crate::model::State;
use crate::solver::assembly::{Chart, Coordinates};

/// Words of a body.
const BODY: usize = 4 + 4 + 7 + 7;

/// The end of a step in coordinates, which is the start of the next.
#[derive(Debug, Clone, Default)]
pub struct Knot {
    /// `q`, by body.
    pub q: Vec<Coordinates>,
    /// `w`, by body.
    pub w: Vec<Coordinates>,
    /// `ẇ`, by body.
    pub w_rates: Vec<Coordinates>,
    /// `a`, by body.
    pub auxiliary: Vec<Coordinates>,
    /// `λ`, by row.
    pub multipliers: Vec<f64>,
}

impl Knot {
    pub fn new(bodies: usize, rows: usize) -> Self {
        let none = vec![Coordinates::default(); bodies];
        Self {
            q: none.clone(),
            w: none.clone(),
            w_rates: none.clone(),
            auxiliary: none,
            multipliers: vec![0.0; rows],
        }
    }

    pub fn copy(&mut self, other: &Self) {
        self.q.copy_from_slice(&other.q);
        self.w.copy_from_slice(&other.w);
        self.w_rates.copy_from_slice(&other.w_rates);
        self.auxiliary.copy_from_slice(&other.auxiliary);
        self.multipliers.copy_from_slice(&other.multipliers);
    }

    /// Takes up what a state remembers, if it is of this chart and model, and says whether anything acted from outside; local
    /// coordinates are read from the bodies.
    pub fn recall(&mut self, chart: Chart, state: &State) -> Option<bool> {
        for (k, body) in state.bodies.iter().enumerate() {
            [self.q[k], self.w[k]] = chart.read(body);
        }
        let words = &state.memory.words;
        let length = BODY * self.q.len() + self.multipliers.len() + 2;
        if words.len() != length || words[length - 1] != chart as u64 {
            return None;
        }
        let mut numbers = words.iter().map(|w| f64::from_bits(*w));
        let mut next = || numbers.next().unwrap_or(f64::NAN);
        for k in 0..self.q.len() {
            for all in [&mut self.q, &mut self.w] {
                let rotation = nalgebra::Vector4::from_fn(|_, _| next());
                // Local coordinates start anew in every step; of the others the branch goes on.
                if !chart.is_local() {
                    all[k].rotation = rotation;
                }
            }
            for all in [&mut self.w_rates, &mut self.auxiliary] {
                all[k] = Coordinates {
                    position: nalgebra::Vector3::from_fn(|_, _| next()),
                    rotation: nalgebra::Vector4::from_fn(|_, _| next()),
                };
            }
        }
        self.multipliers.iter_mut().for_each(|l| *l = next());
        Some(words[length - 2] != 0)
    }

    /// Writes it into the memory of a state.
    pub fn remember(&self, chart: Chart, acted: bool, state: &mut State) {
        let words = &mut state.memory.words;
        words.clear();
        for k in 0..self.q.len() {
            let rotations = [self.q[k].rotation, self.w[k].rotation];
            words.extend(rotations.iter().flatten().map(|x| x.to_bits()));
            for all in [&self.w_rates[k], &self.auxiliary[k]] {
                let numbers = all.position.iter().chain(all.rotation.iter());
                words.extend(numbers.map(|x| x.to_bits()));
            }
        }
        words.extend(self.multipliers.iter().map(|l| l.to_bits()));
        words.extend([u64::from(acted), chart as u64]);
    }
}
