//! Positive numbers of an interior point.

/// A number and its step.
#[derive(Debug, Clone, Copy, Default)]
pub struct Pair {
    /// The number.
    pub value: f64,
    /// Its step.
    pub step: f64,
    /// What the change of its product with its partner was last aimed at.
    pub goal: f64,
}

impl Pair {
    pub fn new(value: f64) -> Self {
        Self {
            value,
            ..Self::default()
        }
    }

    pub fn limit(&self) -> f64 {
        limit(self.value, self.step)
    }

    /// Takes its step from its velocity; the smaller one of it and its partner moves by what their product was aimed
    /// at, since errors of the linear solution are larger than what is left of it.
    pub fn settle(&mut self, step: f64, partner: f64, change: &mut f64) {
        if self.value < partner {
            self.step = (self.goal - self.value * *change) / partner;
        } else {
            self.step = step;
            *change = (self.goal - partner * step) / self.value;
        }
    }

    pub fn advance(&mut self, length: f64) {
        self.value += length * self.step;
    }
}

/// Largest part of a step that keeps a number positive.
pub fn limit(value: f64, step: f64) -> f64 {
    if step < 0.0 {
        -value / step
    } else {
        f64::INFINITY
    }
}
