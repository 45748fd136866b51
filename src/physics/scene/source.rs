//! A scene's text with the changes of `--set`, and the way from a byte or a path back to its place.

use super::error::{Problem, SceneError, nearest};
use super::lines::Lines;
use super::spans::{self, Content, Node};
use std::cell::OnceCell;
use std::ops::Range;

/// A text, what was changed in it and where everything stands.
#[derive(Debug, Clone)]
pub(super) struct Source {
    /// What the text is called in errors.
    pub name: String,
    /// The text as it was.
    original: String,
    /// Lines of the original, once they are asked for.
    lines: OnceCell<Lines>,
    /// The text with all changes.
    pub text: String,
    /// Changes in the order of the text.
    edits: Vec<Edit>,
}

/// Whether a path is that of one option of the method.
fn is_option(keys: &[String]) -> bool {
    matches!(keys, [integrator, options, _] if integrator == "integrator" && options == "options")
}

/// The value of an option, whose words need no quotes.
fn option_value(value: &str) -> String {
    let value = value.trim();
    let plain = value.parse::<f64>().is_ok() || ["true", "false"].contains(&value);
    let written = value.starts_with('"') && spans::scan(value).is_some();
    if plain || written {
        value.to_owned()
    } else {
        format!("{value:?}")
    }
}

/// A piece of `text` that a `--set` brought in.
#[derive(Debug, Clone)]
struct Edit {
    at: Range<usize>,
    /// Bytes of the original that it replaced.
    replaced: usize,
    label: String,
}

impl Source {
    /// A text without changes.
    pub fn new(name: &str, text: &str) -> Self {
        Self {
            name: name.into(),
            original: text.into(),
            lines: OnceCell::new(),
            text: text.into(),
            edits: Vec::new(),
        }
    }

    /// The error at a byte of the text.
    pub fn error_at(&self, byte: usize, problem: Problem) -> SceneError {
        let mut error = SceneError {
            file: self.name.clone(),
            line: None,
            column: None,
            path: problem.path.join("."),
            found: problem.found,
            expected: problem.expected,
            suggestion: problem.suggestion,
        };
        let mut original = byte;
        for edit in &self.edits {
            if edit.at.contains(&byte) {
                error.file = edit.label.clone();
                return error;
            }
            if edit.at.end <= byte {
                original = original + edit.replaced - edit.at.len();
            }
        }
        let lines = self.lines.get_or_init(|| Lines::of(&self.original));
        let (line, column) = lines.place(&self.original, original);
        (error.line, error.column) = (Some(line), Some(column));
        error
    }

    /// The error at the place of its path, or of the deepest part of it that is there.
    pub fn error(&self, root: Option<&Node>, problem: Problem) -> SceneError {
        let (value, place) = root.map_or((0, 0), |root| root.place(&problem.path));
        let brought_in = self.edits.iter().any(|edit| edit.at.contains(&value));
        self.error_at(if brought_in { value } else { place }, problem)
    }

    /// Changes the value at a path. Fields that the text leaves to their defaults can be changed too.
    pub fn set(&mut self, path: &str, value: &str) -> Result<(), Box<SceneError>> {
        let label = format!("--set {path}={value}");
        let fail = |found: String, expected: &str, suggestion| {
            Box::new(SceneError {
                file: label.clone(),
                path: path.into(),
                found,
                expected: expected.into(),
                suggestion,
                ..SceneError::default()
            })
        };
        let new = spans::scan(value);
        let readable = || match new {
            Some(_) => Ok(()),
            None => {
                let expected =
                    "a value as in a scene file, such as 3, \"text\", (0, 0, 1) or [1.5, 2]";
                Err(fail(format!("`{value}`"), expected, None))
            }
        };
        let Some(root) = spans::scan(&self.text) else {
            // Reading the text itself reports where it breaks.
            return Ok(());
        };
        // A list may be indexed as `at.0` and as `at[0]`.
        let keys: Vec<String> = path
            .replace('[', ".")
            .replace(']', "")
            .split('.')
            .map(str::to_owned)
            .collect();
        if keys.iter().any(String::is_empty) {
            let expected = "names joined by dots, such as bodies.link_1.mass";
            return Err(fail(format!("`{path}`"), expected, None));
        }
        let mut node = &root;
        for (k, key) in keys.iter().enumerate() {
            if let Some(next) = node.child(key) {
                node = next;
                continue;
            }
            match &node.content {
                Content::Fields(entries) => {
                    let value = if is_option(&keys) {
                        option_value(value)
                    } else {
                        readable()?;
                        value.to_owned()
                    };
                    let inner = (k + 1..keys.len()).rev();
                    let nested = inner.fold(value, |v, at| match &keys[at] {
                        key if is_option(&keys[..=at]) => format!("{{{key:?}: {v}}}"),
                        key => format!("({key}: {v})"),
                    });
                    self.add(node, entries.is_empty(), &format!("{key}: {nested}"), label);
                    return Ok(());
                }
                // Which options there are the method says, and not what is written of them.
                Content::Map(entries) if is_option(&keys) => {
                    let option = format!("{key:?}: {}", option_value(value));
                    self.add(node, entries.is_empty(), &option, label);
                    return Ok(());
                }
                Content::Map(entries) => {
                    let names = entries.iter().map(|e| e.key.as_str());
                    let at = keys[..k].join(".");
                    return Err(fail(
                        format!("no `{key}` in {at}"),
                        &super::error::listed(&at, names.clone()),
                        nearest(key, names),
                    ));
                }
                Content::Elements(elements) => {
                    let expected = format!("an index from 0 to {}", elements.len().max(1) - 1);
                    return Err(fail(format!("`{key}`"), &expected, None));
                }
                Content::Scalar => {
                    let found = format!("`{}`, which has no fields", &self.text[node.span.clone()]);
                    return Err(fail(found, "a path that ends there", None));
                }
            }
        }
        // Shells eat quotes, so bare words may stand for a string.
        let is_text = self.text[node.span.clone()].starts_with('"');
        let quoted = value.trim_start().starts_with(['"', '(', '[']) && new.is_some();
        let value = if is_text && !quoted && value.parse::<f64>().is_err() {
            format!("{:?}", value.trim())
        } else {
            readable()?;
            value.to_owned()
        };
        self.replace(node.span.clone(), &value, label);
        Ok(())
    }

    /// Writes a field or an entry behind those of a node.
    fn add(&mut self, node: &Node, first: bool, entry: &str, label: String) {
        let comma = if first || self.comma_before_end(node) {
            ""
        } else {
            ", "
        };
        let end = node.span.end - 1;
        self.replace(end..end, &format!("{comma}{entry}"), label);
    }

    /// Whether a comma, perhaps with comments behind it, ends the fields of a struct.
    fn comma_before_end(&self, node: &Node) -> bool {
        let last = node.entries().last().map_or(0, |e| e.value.span.end);
        let mut rest = self.text[last..node.span.end - 1].trim_start();
        while let Some(comment) = rest.strip_prefix("/*") {
            rest = comment.split_once("*/").map_or("", |c| c.1).trim_start();
        }
        while rest.starts_with("//") {
            rest = rest.split_once('\n').map_or("", |c| c.1).trim_start();
        }
        rest.starts_with(',')
    }

    fn replace(&mut self, at: Range<usize>, value: &str, label: String) {
        self.text.replace_range(at.clone(), value);
        let mut replaced = at.len();
        let mut span = at.start..at.start + value.len();
        self.edits.retain_mut(|edit| {
            if edit.at.end <= at.start {
                return true;
            }
            if edit.at.start >= at.end {
                let shift = |x: usize| x + value.len() - at.len();
                edit.at = shift(edit.at.start)..shift(edit.at.end);
                return true;
            }
            // One change inside or around another: both become one piece, named after the later.
            replaced = replaced + edit.replaced - edit.at.len().min(replaced);
            if edit.at.start <= at.start && at.end <= edit.at.end {
                span = edit.at.start..edit.at.end + value.len() - at.len();
                replaced = edit.replaced;
            }
            false
        });
        self.edits.push(Edit {
            at: span,
            replaced,
            label,
        });
        self.edits.sort_by_key(|edit| edit.at.start);
    }
}
