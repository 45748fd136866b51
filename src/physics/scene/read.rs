//! From text to [`SceneFile`]: all misspelt and mistyped fields at once.
//!
//! A RON parser stops at the first error. Here the field that holds it is left out and the text read again,
//! until nothing is wrong or what is wrong cannot be left out; part by part, so that a long text is not read often.

use super::error::{Problem, SceneError, nearest};
use super::excerpt::{self, Excerpt};
use super::format::SceneFile;
use super::lines::byte_at;
use super::settings;
use super::source::Source;
use super::spans::{self, Content, Node};
use ron::error::{Error, SpannedError};
use ron::extensions::Extensions;
use std::ops::Range;

/// More errors than a person wants to see at once.
const MOST_ERRORS: usize = 50;

/// What was read, as far as it could be.
#[derive(Default)]
pub(super) struct Reading {
    /// The scene without the fields that are wrong; `None` where nothing could be read.
    pub file: Option<SceneFile>,
    /// What is wrong.
    pub errors: Vec<SceneError>,
    /// Paths of the fields that were left out because they are wrong.
    pub blanked: Vec<Vec<String>>,
}

/// Reads a text.
pub(super) fn read(source: &Source) -> Reading {
    let text = &source.text;
    let error = match parse(text) {
        Ok(file) => {
            return Reading {
                file: Some(file),
                ..Reading::default()
            };
        }
        Err(error) => error,
    };
    let byte = byte_at(text, error.span.start.line, error.span.start.col);
    let plain = || {
        let problem = describe(&error.code, Vec::new(), line_from(text, byte));
        source.error_at(byte, problem)
    };
    let Some(root) = spans::scan(text) else {
        return Reading {
            errors: vec![plain()],
            ..Reading::default()
        };
    };
    let mut search = Search {
        source,
        root: &root,
        reading: Reading::default(),
        gone: Vec::new(),
    };
    search.all();
    let Search {
        mut reading, gone, ..
    } = search;
    if reading.errors.is_empty() {
        // Nothing that can be left out.
        reading.errors.push(plain());
    } else if reading.errors.len() < MOST_ERRORS {
        reading.file = parse(&excerpt::without(text, gone)).ok();
    }
    reading
}

fn parse(text: &str) -> Result<SceneFile, SpannedError> {
    let options = ron::Options::default().with_default_extension(Extensions::IMPLICIT_SOME);
    options.from_str(text)
}

/// Looking for everything that is wrong.
struct Search<'a> {
    source: &'a Source,
    root: &'a Node,
    reading: Reading,
    /// Bytes of what is left out.
    gone: Vec<Range<usize>>,
}

impl Search<'_> {
    fn all(&mut self) {
        let (source, root) = (self.source, self.root);
        self.within(excerpt::frame(&source.text, root));
        self.repeated();
        for item in excerpt::items(&source.text, root) {
            if self.reading.errors.len() >= MOST_ERRORS {
                return;
            }
            if !self.is_left_out(&item.path[..1]) {
                self.within(item);
            }
        }
    }

    /// Items of one section with the same name; the parser would stop at each of them.
    fn repeated(&mut self) {
        for section in self.root.entries() {
            let path = [section.key.clone()];
            let Content::Map(items) = &section.value.content else {
                continue;
            };
            if self.is_left_out(&path) {
                continue;
            }
            for item in items.repeated() {
                self.gone.push(item.key_span.start..item.value.span.end);
                let path = vec![section.key.clone(), item.key.clone()];
                if self.reading.errors.len() >= MOST_ERRORS || self.is_left_out(&path) {
                    continue;
                }
                let found = format!("{SECOND} `{}`; names must differ", item.key);
                let mut problem = Problem::new(&[], found, "");
                problem.path.clone_from(&path);
                let error = self.source.error_at(item.key_span.start, problem);
                self.reading.errors.push(error);
                self.reading.blanked.push(path);
            }
        }
    }

    fn is_left_out(&self, path: &[String]) -> bool {
        self.reading.blanked.iter().any(|b| b == path)
    }

    /// Everything that is wrong with a part.
    fn within(&mut self, mut part: Excerpt) {
        let (source, root) = (self.source, self.root);
        for _ in 0..MOST_ERRORS {
            let Err(error) = parse(&part.text) else {
                return;
            };
            let start = error.span.start;
            let byte = part.origin(byte_at(&part.text, start.line, start.col));
            let (mut path, mut place) = blame(root, &error, byte);
            if !path.starts_with(&part.path) {
                // The parser stands behind the part.
                path.clone_from(&part.path);
                place = root.place(&path).1;
            }
            if !self.follows(&error.code, &path) {
                let text = root
                    .at(&path)
                    .map_or(line_from(&source.text, byte), |node| {
                        &source.text[node.span.clone()]
                    });
                let problem = describe(&error.code, path.clone(), text);
                self.reading.errors.push(source.error_at(place, problem));
            }
            // A missing field cannot be left out; the item that misses it can.
            let gone = if matches!(error.code, Error::MissingStructField { .. }) {
                &path[..path.len() - 1]
            } else {
                &path[..]
            };
            self.reading.blanked.push(gone.to_vec());
            let Some(bytes) = part.leave_out(root, gone) else {
                return;
            };
            self.gone.push(bytes);
        }
    }

    /// Whether an error only follows from one that is already reported.
    fn follows(&self, error: &Error, path: &[String]) -> bool {
        let misspelt = |e: &SceneError| match error {
            Error::MissingStructField { field, .. } => {
                let parent = e.path.rsplit_once('.').map_or("", |p| p.0);
                e.suggestion.as_deref() == Some(field) && parent == path[..path.len() - 1].join(".")
            }
            _ => false,
        };
        self.is_left_out(path) || self.reading.errors.iter().any(misspelt)
    }
}

/// The rest of the line at a byte.
fn line_from(text: &str, byte: usize) -> &str {
    text.get(byte..)
        .and_then(|rest| rest.lines().next())
        .unwrap_or("")
        .trim()
}

/// Path of the field that an error is about, and where to point.
fn blame(root: &Node, error: &SpannedError, byte: usize) -> (Vec<String>, usize) {
    let mut path = root.path_at(byte);
    match &error.code {
        Error::MissingStructField { field, .. } => {
            // The place given is the end of the struct, which belongs to the struct itself.
            let place = root.place(&path).1;
            path.push((*field).to_owned());
            (path, place)
        }
        Error::NoSuchStructField { .. } | Error::DuplicateStructField { .. } => (path, byte),
        Error::Message(message) if message.starts_with(SECOND) => (path, byte),
        _ => {
            // The parser may stand behind the value that it could not take.
            if let Some(node) = root.at(&path)
                && let Some(last) = node.entries().iter().rfind(|e| e.value.span.end <= byte)
                && !node.entries().iter().any(|e| e.key_span.start >= byte)
            {
                path.push(last.key.clone());
            }
            let place = root.at(&path).map_or(byte, |node| node.span.start);
            (path, place)
        }
    }
}

/// How the message about a repeated name begins.
const SECOND: &str = "a second item named";

fn one_of(names: &[&'static str]) -> String {
    format!("one of {}", names.join(", "))
}

/// An error of the parser in our words.
fn describe(error: &Error, path: Vec<String>, text: &str) -> Problem {
    let short: String = text.chars().take(60).collect();
    let shown = if text.chars().nth(60).is_some() {
        format!("`{short} …`")
    } else {
        format!("`{short}`")
    };
    let mut suggestion = None;
    let (found, expected) = match error {
        Error::NoSuchStructField {
            expected, found, ..
        } => {
            suggestion = nearest(found, expected.iter().copied());
            (format!("unknown field `{found}`"), one_of(expected))
        }
        Error::NoSuchEnumVariant {
            expected, found, ..
        } => {
            suggestion = nearest(found, expected.iter().copied());
            (format!("`{found}`"), one_of(expected))
        }
        Error::MissingStructField { field, .. } => (
            format!("no field `{field}`"),
            format!("`{field}`, which has no default"),
        ),
        Error::DuplicateStructField { field, .. } => (
            format!("a second field `{field}`"),
            "every field once".into(),
        ),
        Error::InvalidValueForType { expected, .. }
        | Error::ExpectedDifferentLength { expected, .. } => (shown, expected.clone()),
        Error::Message(message) => match message
            .strip_prefix("found ")
            .and_then(|m| m.split_once(", expected "))
        {
            Some((found, expected)) => (found.to_owned(), expected.to_owned()),
            None => (message.clone(), String::new()),
        },
        Error::ExpectedString => (shown, "a string in double quotes".into()),
        Error::ExpectedIdentifier | Error::SuggestRawIdentifier(_) if !text.is_empty() => (
            shown,
            "a name without quotes, or fields in parentheses".into(),
        ),
        Error::ExpectedNamedStructLike(_) | Error::ExpectedStructLike => {
            (shown, "fields in parentheses, ( name: value, … )".into())
        }
        Error::ExpectedMap => (shown, "named items in braces, { \"name\": …, … }".into()),
        Error::ExpectedArray => (shown, "a list in brackets, [ …, … ]".into()),
        Error::ExpectedBoolean => (shown, "true or false".into()),
        Error::ExpectedInteger | Error::IntegerOutOfBounds | Error::InvalidIntegerDigit { .. } => {
            let allowed = path.last().and_then(|field| settings::whole_number(field));
            let plain = "a whole number that is not negative, in digits";
            (shown, allowed.unwrap_or(plain).into())
        }
        other => {
            let message = other.to_string();
            match message.strip_prefix("Expected ") {
                Some(expected) => (shown, expected.to_owned()),
                None => (message, "valid RON".into()),
            }
        }
    };
    Problem {
        path,
        found,
        expected,
        suggestion,
    }
}
