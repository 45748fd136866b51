//! What is wrong with a scene: where, what was found, what is allowed, and the nearest known name.

use std::fmt;

/// One thing that is wrong with a scene.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct SceneError {
    /// The file, or the name under which the scene was asked for, or the `--set` that brought the value in.
    pub file: String,
    /// Line, counted from 1, where the place is known.
    pub line: Option<usize>,
    /// Column in characters, counted from 1.
    pub column: Option<usize>,
    /// Path of the field, such as `bodies.link_1.mass`.
    pub path: String,
    /// What was found.
    pub found: String,
    /// What is allowed.
    pub expected: String,
    /// The nearest known name, for a typo.
    pub suggestion: Option<String>,
}

impl fmt::Display for SceneError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.file)?;
        if let (Some(line), Some(column)) = (self.line, self.column) {
            write!(f, ":{line}:{column}")?;
        }
        if !self.path.is_empty() {
            write!(f, ": {}", self.path)?;
        }
        write!(f, "\n    found: {}", self.found)?;
        if !self.expected.is_empty() {
            write!(f, "\n    expected: {}", self.expected)?;
        }
        match &self.suggestion {
            Some(name) => write!(f, "\n    did you mean `{name}`?"),
            None => Ok(()),
        }
    }
}

/// Everything that is wrong with a scene, in the order of the text.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct SceneErrors(pub Vec<SceneError>);

impl fmt::Display for SceneErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (k, error) in self.0.iter().enumerate() {
            if k > 0 {
                writeln!(f)?;
            }
            write!(f, "{error}")?;
        }
        Ok(())
    }
}

impl std::error::Error for SceneErrors {}

/// A problem with a field, not yet located in the text.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Problem {
    /// Path of the field.
    pub path: Vec<String>,
    /// What was found.
    pub found: String,
    /// What is allowed.
    pub expected: String,
    /// The nearest known name.
    pub suggestion: Option<String>,
}

impl Problem {
    /// A problem at a path.
    pub fn new(path: &[&str], found: impl Into<String>, expected: impl Into<String>) -> Self {
        Self {
            path: path.iter().map(|p| (*p).to_owned()).collect(),
            found: found.into(),
            expected: expected.into(),
            suggestion: None,
        }
    }

    /// A name that is not among the known ones.
    pub fn unknown_name<'a>(
        path: &[&str],
        what: &str,
        name: &str,
        known: impl Iterator<Item = &'a str> + Clone,
    ) -> Self {
        Self {
            suggestion: nearest(name, known.clone()),
            ..Self::no_such_name(path, what, name, known)
        }
    }

    /// A name that is not among the known ones, of which none is looked for that is near.
    pub fn no_such_name<'a>(
        path: &[&str],
        what: &str,
        name: &str,
        known: impl Iterator<Item = &'a str> + Clone,
    ) -> Self {
        let found = format!("no {what} is named `{name}`");
        Self::new(path, found, listed(what, known))
    }
}

/// `what`, followed by the names as far as they fit on a line.
pub(super) fn listed<'a>(what: &str, names: impl Iterator<Item = &'a str> + Clone) -> String {
    const SHOWN: usize = 24;
    let shown: Vec<&str> = names.clone().take(SHOWN).collect();
    match count(&names) {
        0 => format!("the name of a {what}, but there is none"),
        n if n > SHOWN => format!("one of {} and {} more", shown.join(", "), n - SHOWN),
        _ => format!("one of {}", shown.join(", ")),
    }
}

/// How many names there are; lists know without going through.
pub(super) fn count<'a>(names: &(impl Iterator<Item = &'a str> + Clone)) -> usize {
    match names.size_hint() {
        (least, Some(most)) if least == most => most,
        _ => names.clone().count(),
    }
}

/// Largest product of the lengths of two names that are compared letter by letter.
const COMPARED: usize = 10_000;

/// The known name that is nearest to a misspelt one, if any is near.
pub(super) fn nearest<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> Option<String> {
    let lower = name.to_lowercase();
    let length = lower.chars().count();
    let near = known.filter_map(|k| {
        let own = k.chars().count();
        let most = 1 + own.max(length) / 3;
        // Names of so different a length are not near.
        let close = own.abs_diff(length) <= most && own.saturating_mul(length) <= COMPARED;
        let distance = close.then(|| strsim::damerau_levenshtein(&k.to_lowercase(), &lower))?;
        (distance <= most).then_some((distance, k))
    });
    near.min_by_key(|(d, _)| *d).map(|(_, k)| k.to_owned())
}
