//! Positive numbers of an interior point.

/// A number and its step.
#[derive(Debug, Clone, Copy, Default)]
pub struct Pair {
    /// The number.
    pub value: f64,
    /// Its step.
    pub step: f64,
}

impl Pair {
    pub fn new(value: f64) -> Self {
        Self { value, step: 0.0 }
    }

    pub fn limit(&self) -> f64 {
        limit(self.value, self.step)
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
