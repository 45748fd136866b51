//! Parameters of generators: what is allowed, and reading `key=value,…`.

use crate::scene::error::{SceneError, SceneErrors, listed, nearest};
use std::collections::BTreeMap;
use std::fmt;

/// A parameter of a generator.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Parameter {
    /// The word before the equals sign.
    pub name: &'static str,
    /// Its value where none is given.
    pub default: &'static str,
    /// What is allowed.
    pub range: Range,
    /// What it does, with its unit.
    pub meaning: &'static str,
}

/// What a parameter may be.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Range {
    /// A whole number between two bounds.
    Whole(u32, u32),
    /// An odd whole number between two bounds.
    Odd(u32, u32),
    /// A number between two bounds.
    Number(f64, f64),
    /// One of some words.
    Choice(&'static [&'static str]),
}

impl fmt::Display for Range {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Whole(low, high) => write!(f, "a whole number from {low} to {high}"),
            Self::Odd(low, high) => write!(f, "an odd number from {low} to {high}"),
            Self::Number(low, high) => write!(f, "a number from {low} to {high}"),
            Self::Choice(words) => write!(f, "one of {}", words.join(", ")),
        }
    }
}

impl Range {
    fn allows(&self, text: &str) -> bool {
        let whole = |low, high| {
            let number = text.parse::<u32>().ok();
            number.filter(|n| (low..=high).contains(n))
        };
        match *self {
            Self::Whole(low, high) => whole(low, high).is_some(),
            Self::Odd(low, high) => whole(low, high).is_some_and(|n| n % 2 == 1),
            Self::Number(low, high) => text.parse::<f64>().is_ok_and(|x| (low..=high).contains(&x)),
            Self::Choice(words) => words.contains(&text),
        }
    }
}

/// Values of all parameters of a generator, checked.
#[derive(Debug, Clone)]
pub(super) struct Values(BTreeMap<&'static str, String>);

impl Values {
    /// Reads `key=value,…` of the scene `spec`; all errors at once.
    pub fn parse(
        spec: &str,
        parameters: &'static [Parameter],
        text: &str,
    ) -> Result<Self, SceneErrors> {
        let mut errors = Vec::new();
        let mut error = |path: &str, found: String, expected: String, suggestion| {
            errors.push(SceneError {
                file: spec.into(),
                path: path.into(),
                found,
                expected,
                suggestion,
                ..SceneError::default()
            });
        };
        let defaults = parameters.iter().map(|p| (p.name, p.default.to_owned()));
        let mut texts: BTreeMap<_, _> = defaults.collect();
        let mut seen = Vec::new();
        for pair in text.split(',').filter(|pair| !pair.trim().is_empty()) {
            let Some((key, value)) = pair.split_once('=') else {
                error("", format!("`{pair}`"), "key=value".into(), None);
                continue;
            };
            let (key, value) = (key.trim(), value.trim());
            let names = parameters.iter().map(|p| p.name);
            let Some(parameter) = parameters.iter().find(|p| p.name == key) else {
                let found = format!("no parameter is named `{key}`");
                let near = nearest(key, names.clone());
                error(key, found, listed("parameter", names), near);
                continue;
            };
            if seen.contains(&key) {
                error(key, "a second value".into(), "every key once".into(), None);
            }
            seen.push(key);
            if !parameter.range.allows(value) {
                let near = match parameter.range {
                    Range::Choice(words) => nearest(value, words.iter().copied()),
                    _ => None,
                };
                error(key, format!("`{value}`"), parameter.range.to_string(), near);
                continue;
            }
            texts.insert(parameter.name, value.to_owned());
        }
        if errors.is_empty() {
            Ok(Self(texts))
        } else {
            Err(SceneErrors(errors))
        }
    }

    /// A word.
    pub fn text(&self, name: &str) -> &str {
        &self.0[name]
    }

    /// A whole number.
    pub fn count(&self, name: &str) -> usize {
        self.0[name]
            .parse()
            .expect("checked against the range when it was read")
    }

    /// A number.
    pub fn number(&self, name: &str) -> f64 {
        self.0[name]
            .parse()
            .expect("checked against the range when it was read")
    }
}
