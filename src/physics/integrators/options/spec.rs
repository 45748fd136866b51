//! What a method declares of an option, and the values that it takes.

use serde::Serialize;
use std::fmt;

/// An option as its method declares it.
#[derive(Debug, PartialEq)]
pub struct OptionSpec {
    /// The word by which it is chosen. Methods that share a word mean the same by it.
    pub name: &'static str,
    /// One line on what it does.
    pub summary: &'static str,
    /// Which values it takes.
    pub kind: OptionKind,
}

/// Which values an option takes, and which one where none is given.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum OptionKind {
    /// A real number.
    Real {
        /// Where none is given.
        default: f64,
        /// Of a size that is usual: what is less is changed by parts of it in the window.
        usual: f64,
        /// Smallest and largest.
        range: [f64; 2],
        /// Empty for a plain number.
        unit: &'static str,
    },
    /// A whole number.
    Whole {
        /// Where none is given.
        default: u32,
        /// Smallest and largest.
        range: [u32; 2],
    },
    /// One of a few words.
    Choice {
        /// Where none is given.
        default: &'static str,
        /// The words, each with one line on what it means.
        words: &'static [(&'static str, &'static str)],
    },
    /// On or off.
    Switch {
        /// Where none is given.
        default: bool,
    },
}

/// A value of an option, of the kind that its method declares.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(untagged)]
pub enum OptionValue {
    /// A real number.
    Real(f64),
    /// A whole number.
    Whole(u32),
    /// One of a few words.
    Word(&'static str),
    /// On or off.
    Switch(bool),
}

impl fmt::Display for OptionValue {
    /// As the command line reads it.
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Real(x) => write!(f, "{x:?}"),
            Self::Whole(n) => write!(f, "{n}"),
            Self::Word(word) => f.write_str(word),
            Self::Switch(on) => write!(f, "{on}"),
        }
    }
}

/// A value as it was written, before it is known what its method expects.
#[derive(Debug, Clone, PartialEq)]
pub enum Written {
    /// A number.
    Number(f64),
    /// Text: a word, or a number or `true` or `false` as typed on a command line.
    Text(String),
    /// On or off.
    Switch(bool),
}

impl fmt::Display for Written {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Number(x) => write!(f, "{x}"),
            Self::Text(text) => write!(f, "`{text}`"),
            Self::Switch(on) => write!(f, "{on}"),
        }
    }
}

impl From<&str> for Written {
    fn from(text: &str) -> Self {
        Self::Text(text.trim().into())
    }
}

impl From<f64> for Written {
    fn from(x: f64) -> Self {
        Self::Number(x)
    }
}

impl From<bool> for Written {
    fn from(on: bool) -> Self {
        Self::Switch(on)
    }
}

impl From<OptionValue> for Written {
    fn from(value: OptionValue) -> Self {
        match value {
            OptionValue::Real(x) => Self::Number(x),
            OptionValue::Whole(n) => Self::Number(f64::from(n)),
            OptionValue::Word(word) => Self::Text(word.into()),
            OptionValue::Switch(on) => Self::Switch(on),
        }
    }
}

/// What is wrong with an option.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum OptionError {
    /// The method has no option of that name.
    #[error("no option is named `{name}`{}; {}", suggestion.as_ref().map(|s| format!(" (did you mean `{s}`?)")).unwrap_or_default(), there_are(known))]
    Unknown {
        /// The name asked for.
        name: String,
        /// The nearest name.
        suggestion: Option<&'static str>,
        /// All names.
        known: Vec<&'static str>,
    },
    /// A value that the option does not take.
    #[error("{name} is {found}, expected {expected}{}", suggestion.as_ref().map(|s| format!(" (did you mean `{s}`?)")).unwrap_or_default())]
    Value {
        /// The option.
        name: &'static str,
        /// What was found.
        found: String,
        /// What is allowed.
        expected: String,
        /// The nearest word.
        suggestion: Option<&'static str>,
    },
}

fn there_are(known: &[&str]) -> String {
    match known {
        [] => "the method has none".into(),
        _ => format!("there are: {}", known.join(", ")),
    }
}

/// The known name nearest to a misspelt one, if any is near.
pub fn nearest_name(name: &str, known: impl Iterator<Item = &'static str>) -> Option<&'static str> {
    known
        .map(|k| (strsim::damerau_levenshtein(name, k), k))
        .filter(|(edits, k)| *edits <= k.len() / 3 + 1)
        .min_by_key(|(edits, _)| *edits)
        .map(|(_, k)| k)
}

impl OptionKind {
    /// The value where none is given.
    pub fn default(&self) -> OptionValue {
        match *self {
            Self::Real { default, .. } => OptionValue::Real(default),
            Self::Whole { default, .. } => OptionValue::Whole(default),
            Self::Choice { default, .. } => OptionValue::Word(default),
            Self::Switch { default } => OptionValue::Switch(default),
        }
    }

    /// What is allowed, in words.
    pub fn expected(&self) -> String {
        let of = |unit: &str| match unit {
            "" => String::new(),
            unit => format!(" {unit}"),
        };
        match self {
            Self::Real {
                range: [a, b],
                unit,
                ..
            } => format!("a number from {a} to {b}{}", of(unit)),
            Self::Whole { range: [a, b], .. } => format!("a whole number from {a} to {b}"),
            Self::Choice { words, .. } => {
                let words: Vec<&str> = words.iter().map(|w| w.0).collect();
                format!("one of {}", words.join(", "))
            }
            Self::Switch { .. } => "true or false".into(),
        }
    }

    /// The value that was written, if it is one of those allowed.
    fn read(&self, written: &Written) -> Option<OptionValue> {
        let number = || match written {
            Written::Number(x) => Some(*x),
            Written::Text(text) => text.parse().ok(),
            Written::Switch(_) => None,
        };
        match self {
            Self::Real { range: [a, b], .. } => {
                let x = number().filter(|x| (*a..=*b).contains(x))?;
                Some(OptionValue::Real(x))
            }
            Self::Whole { range: [a, b], .. } => {
                let within =
                    |x: &f64| x.fract() == 0.0 && (f64::from(*a)..=f64::from(*b)).contains(x);
                Some(OptionValue::Whole(number().filter(within)? as u32))
            }
            Self::Choice { words, .. } => {
                let Written::Text(text) = written else {
                    return None;
                };
                let word = words.iter().find(|w| w.0 == text)?;
                Some(OptionValue::Word(word.0))
            }
            Self::Switch { .. } => match written {
                Written::Switch(on) => Some(*on),
                Written::Text(text) => text.parse().ok(),
                Written::Number(_) => None,
            }
            .map(OptionValue::Switch),
        }
    }
}

impl OptionSpec {
    /// The value that was written.
    pub fn read(&self, written: &Written) -> Result<OptionValue, OptionError> {
        self.kind.read(written).ok_or_else(|| {
            let words = match self.kind {
                OptionKind::Choice { words, .. } => words,
                _ => &[],
            };
            let suggestion = match written {
                Written::Text(text) => nearest_name(text, words.iter().map(|w| w.0)),
                _ => None,
            };
            OptionError::Value {
                name: self.name,
                found: written.to_string(),
                expected: self.kind.expected(),
                suggestion,
            }
        })
    }
}
