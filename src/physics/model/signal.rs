//! A number that may change with time: a constant, an expression in `t`, a table, or a motion through waypoints.

use super::profile::{Profile, ProfileError};
use exmex::Express;
use serde::{Deserialize, Serialize};

/// A scalar function of time.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(try_from = "Written", into = "Written")]
pub enum Signal {
    /// The same value at all times.
    Constant(f64),
    /// An expression in `t` (s), such as `2*sin(3*t)`.
    Expression(Expression),
    /// Linear between the given points, constant outside them.
    Table(Vec<(f64, f64)>),
    /// A motion through waypoints, at rest at both ends.
    Profile(Box<Profile>),
}

/// A parsed expression together with its text.
#[derive(Debug, Clone)]
pub struct Expression {
    text: String,
    // Boxed: the parser keeps its operations inline, in some twenty kilobytes.
    parsed: Box<exmex::FlatEx<f64>>,
}

/// Why a signal cannot be built.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum SignalError {
    /// The expression does not parse.
    #[error("`{text}` is not an expression in t: {reason}")]
    Syntax {
        /// The expression.
        text: String,
        /// What the parser said.
        reason: String,
    },
    /// The expression is too long or too deeply nested.
    #[error("{0}")]
    Unbounded(String),
    /// The expression uses a variable other than `t`.
    #[error("`{text}` uses `{variable}`; the only variable is t, the time in seconds")]
    Variable {
        /// The expression.
        text: String,
        /// The unknown variable.
        variable: String,
    },
    /// The table's times do not increase, or it is empty, or holds a value that is not finite.
    #[error("a table needs at least one point, finite values and increasing times (see point {0})")]
    Table(usize),
    /// The waypoints make no motion.
    #[error(transparent)]
    Profile(#[from] ProfileError),
}

impl Signal {
    /// Zero at all times.
    pub const ZERO: Self = Self::Constant(0.0);

    /// Parses an expression in `t`.
    pub fn expression(text: &str) -> Result<Self, SignalError> {
        super::bounded(text).map_err(SignalError::Unbounded)?;
        let parsed = exmex::parse::<f64>(text).map_err(|e| SignalError::Syntax {
            text: text.into(),
            reason: e.to_string(),
        })?;
        match parsed.var_names() {
            [] => {}
            [t] if t == "t" => {}
            names => {
                let variable = names
                    .iter()
                    .find(|n| *n != "t")
                    .cloned()
                    .unwrap_or_default();
                return Err(SignalError::Variable {
                    text: text.into(),
                    variable,
                });
            }
        }
        Ok(Self::Expression(Expression {
            text: text.into(),
            parsed: Box::new(parsed),
        }))
    }

    /// A table of (time (s), value) points.
    pub fn table(points: Vec<(f64, f64)>) -> Result<Self, SignalError> {
        let ordered = |k: usize| k == 0 || points[k - 1].0 < points[k].0;
        let bad = (0..points.len())
            .find(|&k| !ordered(k) || !points[k].0.is_finite() || !points[k].1.is_finite());
        match bad {
            Some(k) => Err(SignalError::Table(k)),
            None if points.is_empty() => Err(SignalError::Table(0)),
            None => Ok(Self::Table(points)),
        }
    }

    /// Value at time `t` (s).
    pub fn at(&self, t: f64) -> f64 {
        match self {
            Self::Constant(value) => *value,
            Self::Expression(e) if e.parsed.var_names().is_empty() => {
                e.parsed.eval(&[]).unwrap_or(f64::NAN)
            }
            Self::Expression(e) => e.parsed.eval(&[t]).unwrap_or(f64::NAN),
            Self::Profile(profile) => profile.at(t)[0],
            Self::Table(points) => {
                let after = points.partition_point(|p| p.0 <= t);
                if after == 0 {
                    return points[0].1;
                }
                let Some(&(t1, v1)) = points.get(after) else {
                    return points[after - 1].1;
                };
                let (t0, v0) = points[after - 1];
                v0 + (v1 - v0) * (t - t0) / (t1 - t0)
            }
        }
    }
}

/// A signal as it stands in a file.
#[derive(Serialize, Deserialize)]
enum Written {
    Constant(f64),
    Expression(String),
    Table(Vec<(f64, f64)>),
    Profile(Profile),
}

impl From<Signal> for Written {
    fn from(signal: Signal) -> Self {
        match signal {
            Signal::Constant(value) => Self::Constant(value),
            Signal::Expression(e) => Self::Expression(e.text),
            Signal::Table(points) => Self::Table(points),
            Signal::Profile(profile) => Self::Profile(*profile),
        }
    }
}

impl TryFrom<Written> for Signal {
    type Error = SignalError;

    fn try_from(written: Written) -> Result<Self, SignalError> {
        match written {
            Written::Constant(value) => Ok(Self::Constant(value)),
            Written::Expression(text) => Self::expression(&text),
            Written::Table(points) => Self::table(points),
            Written::Profile(profile) => Ok(Self::Profile(profile.into())),
        }
    }
}

impl Expression {
    /// The text as it was written.
    pub fn text(&self) -> &str {
        &self.text
    }
}

impl PartialEq for Signal {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Constant(a), Self::Constant(b)) => a == b,
            (Self::Expression(a), Self::Expression(b)) => a.text == b.text,
            (Self::Table(a), Self::Table(b)) => a == b,
            (Self::Profile(a), Self::Profile(b)) => a == b,
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expressions_tables_and_their_errors() {
        let s = Signal::expression("2*sin(3*t)+1").unwrap();
        assert!((s.at(0.7) - (2.0 * (2.1f64).sin() + 1.0)).abs() < 1e-15);
        assert_eq!(Signal::expression("3.5").unwrap().at(9.0), 3.5);
        assert!(
            matches!(Signal::expression("2*x"), Err(SignalError::Variable { variable, .. }) if variable == "x")
        );
        assert!(matches!(
            Signal::expression("2*("),
            Err(SignalError::Syntax { .. })
        ));
        let table = Signal::table(vec![(0.0, 1.0), (2.0, 5.0)]).unwrap();
        assert_eq!(
            [-1.0, 0.5, 2.0, 7.0].map(|t| table.at(t)),
            [1.0, 2.0, 5.0, 5.0]
        );
        assert_eq!(
            Signal::table(vec![(1.0, 0.0), (1.0, 2.0)]),
            Err(SignalError::Table(1))
        );
    }
}
