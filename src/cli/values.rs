//! How values of the command line are read, and what is said of wrong ones.

use crate::integrators::{REGISTRY, Written};
use serde::de::value::{Error as WordError, StrDeserializer};
use serde::de::{DeserializeOwned, IntoDeserializer};
use std::str::FromStr;

pub(super) fn positive(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(x) if x > 0.0 && x.is_finite() => Ok(x),
        _ => Err("expected a number above 0".into()),
    }
}

pub(super) fn change_of_speed(text: &str) -> Result<(f64, f64), String> {
    let parts = text.split_once(':');
    let parts = parts.and_then(|(from, to)| Some((from.parse().ok()?, positive(to).ok()?)));
    let finite = parts.filter(|(from, _): &(f64, f64)| from.is_finite());
    finite.ok_or_else(|| {
        "expected TIME:SPEED in seconds and simulated seconds per second, such as 1.5:0.1".into()
    })
}

pub(super) fn size(text: &str) -> Result<[u32; 2], String> {
    let edges = text.split_once(['x', 'X', '×']);
    let edges = edges.and_then(|(w, h)| Some([w.trim().parse().ok()?, h.trim().parse().ok()?]));
    edges.ok_or_else(|| "expected WIDTHxHEIGHT in pixels, such as 1920x1080".into())
}

pub(super) fn assignment(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((path, value)) if !path.trim().is_empty() => {
            Ok((path.trim().into(), value.trim().into()))
        }
        _ => Err("expected PATH=VALUE, such as gravity=[0,0,-1.62]".into()),
    }
}

/// A word that the option of that name takes, whichever method has it.
pub(super) fn contact_solver(text: &str) -> Result<String, String> {
    let mut all = REGISTRY.iter().flat_map(|i| i.options);
    let spec = all.find(|o| o.name == "contact_solver");
    match spec.map(|spec| spec.read(&Written::from(text))) {
        Some(Err(error)) => Err(error.to_string()),
        _ => Ok(text.into()),
    }
}

/// The word of a scene file is the word of the command line.
pub(super) fn chosen<T: DeserializeOwned>(text: &str) -> Result<T, WordError> {
    let word: StrDeserializer<WordError> = text.into_deserializer();
    T::deserialize(word)
}

/// A value of the scene and when it changes.
#[derive(Debug, Clone, PartialEq)]
pub struct ChangeWords {
    /// When (s).
    pub(super) time: f64,
    /// What, as it was written.
    pub(super) path: String,
    /// Its new value, as it was written.
    pub(super) value: String,
}

impl FromStr for ChangeWords {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let shape = || "expected TIME:PATH=VALUE, such as 16:integrator=rk4".to_owned();
        let (time, set) = text.split_once(':').ok_or_else(shape)?;
        let (path, value) = assignment(set).map_err(|_| shape())?;
        match time.trim().parse::<f64>() {
            Ok(time) if time >= 0.0 && time.is_finite() => Ok(Self { time, path, value }),
            Ok(_) => Err(format!("`{time}`, expected a time in seconds, not below 0")),
            Err(_) => Err(format!("`{time}`, {}", shape())),
        }
    }
}

/// Words of the method's settings that need no path, and those of them that are names.
const SHORT: [&str; 7] = [
    "dt",
    "tolerance",
    "max_iterations",
    "baumgarte",
    "linear_solver",
    "friction",
    "contact_solver",
];
const NAMES: [&str; 4] = ["method", "linear_solver", "friction", "contact_solver"];

/// Whether any method has an option of that name.
fn is_option(name: &str) -> bool {
    let mut all = REGISTRY.iter().flat_map(|i| i.options);
    all.any(|o| o.name == name)
}

/// Path of the name of the method.
pub(super) const METHOD: &str = "integrator.method";

impl ChangeWords {
    /// Path and value as `--set` takes them.
    pub(super) fn set(&self) -> (String, String) {
        as_set(&self.path, &self.value)
    }
}

/// Path and value as `--set` takes them, of a path that may be a word of the method's settings.
pub(super) fn as_set(path: &str, value: &str) -> (String, String) {
    let path = match path {
        "integrator" if !value.starts_with('(') => METHOD.to_owned(),
        short if SHORT.contains(&short) => format!("integrator.{short}"),
        option if is_option(option) => format!("integrator.options.{option}"),
        path => path.to_owned(),
    };
    let name = path.strip_prefix("integrator.");
    let bare = name.is_some_and(|n| NAMES.contains(&n)) && !value.starts_with('"');
    let value = if bare {
        format!("{value:?}")
    } else {
        value.to_owned()
    };
    (path, value)
}

/// A value of the scene and the values that it takes in turn.
#[derive(Debug, Clone, PartialEq)]
pub struct Axis {
    /// What, as it was written.
    pub(super) path: String,
    /// Its values, as they were written; at least one.
    pub(super) values: Vec<String>,
}

impl FromStr for Axis {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let shape = "expected PATH=VALUE,VALUE,…, such as joints.elbow.damping=0,0.1,0.2";
        let (path, list) = assignment(text).map_err(|_| shape)?;
        let values: Vec<String> = split(&list).map(|v| v.trim().to_owned()).collect();
        if values.iter().any(String::is_empty) {
            return Err(format!("an empty value, {shape}"));
        }
        Ok(Self { path, values })
    }
}

/// The parts of a list between commas that are in no bracket and no quotes.
fn split(list: &str) -> impl Iterator<Item = &str> {
    let (mut depth, mut quoted, mut escaped) = (0i32, false, false);
    list.split(move |c| {
        match c {
            _ if escaped => {
                escaped = false;
                return false;
            }
            '\\' if quoted => escaped = true,
            '"' => quoted = !quoted,
            '(' | '[' | '{' if !quoted => depth += 1,
            ')' | ']' | '}' if !quoted => depth -= 1,
            _ => {}
        }
        c == ',' && depth <= 0 && !quoted
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_split_at_commas_outside_brackets_and_quotes() {
        let values = |text: &str| text.parse::<Axis>().map(|axis| axis.values);
        assert_eq!(
            values("a.b=1, 2,3"),
            Ok(vec!["1".into(), "2".into(), "3".into()])
        );
        assert_eq!(
            values(r#"x=(0,0,[1,2]),"a,\"b",{"k": 1, "l": 2}"#),
            Ok(vec![
                "(0,0,[1,2])".into(),
                r#""a,\"b""#.into(),
                r#"{"k": 1, "l": 2}"#.into()
            ])
        );
        for wrong in ["a", "=1", "a=", "a=1,,2"] {
            assert!(values(wrong).is_err(), "{wrong}");
        }
    }
}
