//! Parts of a scene's text that can be read alone.
//!
//! A parser stops at the first error. To find all errors of a file, what holds one is left out and the text read
//! again; were that the whole text each time, a file with many items and many errors would be read for minutes. So the
//! text is read once without its items, and every item once alone, in a scene that holds nothing else.

use super::format::VERSION;
use super::spans::{self, Content, Entry, Node};
use std::ops::Range;

/// A scene made of parts of another's text.
#[derive(Debug)]
pub(super) struct Excerpt {
    /// Its text.
    pub text: String,
    /// Path in the whole text of what it holds.
    pub path: Vec<String>,
    /// Whether it holds an element of a list, whose place here is the first.
    element: bool,
    /// Parts: first byte here, and bytes in the whole text.
    parts: Vec<(usize, Range<usize>)>,
}

impl Excerpt {
    fn new(path: Vec<String>, element: bool) -> Self {
        Self {
            text: String::new(),
            path,
            element,
            parts: Vec::new(),
        }
    }

    /// Adds a part of the whole text.
    fn add(&mut self, text: &str, bytes: Range<usize>) {
        self.parts.push((self.text.len(), bytes.clone()));
        self.text += &text[bytes];
    }

    /// Byte in the whole text of a byte here; for what stands between parts the end of the part before it.
    pub fn origin(&self, byte: usize) -> usize {
        let k = self.parts.partition_point(|(here, _)| *here <= byte);
        let Some((here, bytes)) = k.checked_sub(1).map(|k| &self.parts[k]) else {
            return 0;
        };
        (bytes.start + (byte - here)).min(bytes.end)
    }

    /// Leaves out the entry at a path of the whole text, or the one around it that can go; its bytes in the whole text.
    pub fn leave_out(&mut self, root: &Node, path: &[String]) -> Option<Range<usize>> {
        let mut own = path.to_vec();
        if self.element && own.len() > 1 {
            own[1] = "0".into();
        }
        let here = spans::scan(&self.text)?;
        // An element of a list cannot go alone without changing the others' places.
        while own.len() > 1 && last(&here, &own).is_none() {
            own.pop();
        }
        let entry = last(&here, &own)?;
        let bytes = entry.key_span.start..entry.value.span.end;
        let gone = if own.len() < self.path.len() {
            // The whole of what holds this part.
            let whole = last(root, &path[..own.len()])?;
            whole.key_span.start..whole.value.span.end
        } else {
            self.origin(bytes.start)..self.origin(bytes.end - 1) + 1
        };
        self.text = without(&self.text, [bytes]);
        Some(gone)
    }
}

/// The last entry of a path's key: of several the one that a parser complains about.
fn last<'n>(root: &'n Node, path: &[String]) -> Option<&'n Entry> {
    let (key, parent) = path.split_last()?;
    match &root.at(parent)?.content {
        Content::Fields(entries) | Content::Map(entries) => entries.all(key).next_back(),
        _ => None,
    }
}

/// A text with entries blanked, so that what follows stays where it is.
pub(super) fn without(text: &str, gone: impl IntoIterator<Item = Range<usize>>) -> String {
    let mut bytes = text.as_bytes().to_vec();
    for Range { start, mut end } in gone {
        let behind = bytes[end..].iter().position(|b| !b.is_ascii_whitespace());
        if let Some(k) = behind.filter(|k| bytes[end + k] == b',') {
            end += k + 1;
        }
        for b in &mut bytes[start..end] {
            if *b != b'\n' {
                *b = b' ';
            }
        }
    }
    // Whole characters became spaces.
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Fields of the scene that hold items, each with the bytes between its brackets.
fn sections<'t>(text: &'t str, root: &'t Node) -> impl Iterator<Item = (&'t Entry, Range<usize>)> {
    let holds = move |entry: &&Entry| {
        let listed = |n: &[Node]| n.iter().any(|n| matches!(n.content, Content::Fields(_)));
        match &entry.value.content {
            Content::Map(_) => true,
            Content::Elements(nodes) => {
                text[entry.value.span.start..].starts_with('[') && listed(nodes)
            }
            _ => false,
        }
    };
    let sections = root.entries().iter().filter(holds);
    sections.map(|entry| (entry, entry.value.span.start + 1..entry.value.span.end - 1))
}

/// The scene without the items of its sections.
pub(super) fn frame(text: &str, root: &Node) -> Excerpt {
    let mut frame = Excerpt::new(Vec::new(), false);
    let mut from = 0;
    for (_, inside) in sections(text, root) {
        frame.add(text, from..inside.start);
        from = inside.end;
    }
    frame.add(text, from..text.len());
    frame
}

/// Every item of every section in a scene of its own; of items with the same name the first.
pub(super) fn items<'t>(text: &'t str, root: &'t Node) -> impl Iterator<Item = Excerpt> + 't {
    let head = format!(
        "{}{}version: {VERSION}, ",
        spans::attributes(text),
        opening(text, root)
    );
    let sections = sections(text, root).filter(|(section, _)| is_first(section, root));
    sections.flat_map(move |(section, _)| {
        let nodes: Vec<(String, Range<usize>)> = match &section.value.content {
            Content::Elements(nodes) => {
                let nodes = nodes.iter().enumerate();
                nodes
                    .map(|(k, n)| (k.to_string(), n.span.clone()))
                    .collect()
            }
            _ => {
                let entries = section.value.entries().iter();
                let firsts = entries.filter(|e| is_first(e, &section.value));
                firsts
                    .map(|e| (e.key.clone(), e.key_span.start..e.value.span.end))
                    .collect()
            }
        };
        let element = matches!(section.value.content, Content::Elements(_));
        let head = head.clone();
        nodes.into_iter().map(move |(key, bytes)| {
            let mut item = Excerpt::new(vec![section.key.clone(), key], element);
            item.text += &head;
            item.add(text, section.key_span.start..section.value.span.start + 1);
            item.add(text, bytes);
            item.text += if element { "])" } else { "})" };
            item
        })
    })
}

/// Whether no entry of that key stands before it.
fn is_first(entry: &Entry, among: &Node) -> bool {
    let first = among.entry(&entry.key);
    first.is_some_and(|f| f.key_span == entry.key_span)
}

/// The scene's own name, if it has one, and its parenthesis.
fn opening(text: &str, root: &Node) -> String {
    let named = &text[root.span.clone()];
    let end = named.find(|c: char| c.is_whitespace() || "(/".contains(c));
    format!("{}(", &named[..end.unwrap_or(0)])
}
