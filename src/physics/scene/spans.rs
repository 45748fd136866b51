//! Where things stand in a RON text: the byte range of every field, map entry and sequence element, by path.
//!
//! `ron` gives places for syntax and type errors only. Errors found later (an unknown body name, a negative
//! mass) and changes by path need the place of a path, which this scanner records. It understands the whole
//! of RON's surface (comments, strings, raw strings, named structs, attributes) and judges none of it.

use std::ops::{Deref, Range};

/// A value in the text.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Node {
    /// Bytes of the value.
    pub span: Range<usize>,
    /// What is inside.
    pub content: Content,
}

/// What a value consists of.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Content {
    /// A number, string, name: nothing inside.
    Scalar,
    /// Elements of a list or a tuple.
    Elements(Vec<Node>),
    /// Fields of a struct `( … )`.
    Fields(Entries),
    /// Entries of a map `{ … }`.
    Map(Entries),
}

/// Fields or map entries in the order of the text. A scene may have as many as it likes, so that finding one by its
/// name must not look at all of them.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Entries {
    list: Vec<Entry>,
    /// Indices in the order of the keys, equal keys in the order of the text.
    by_key: Vec<u32>,
}

impl Entries {
    fn new(list: Vec<Entry>) -> Self {
        let mut by_key: Vec<u32> = (0..list.len() as u32).collect();
        by_key.sort_by(|a, b| list[*a as usize].key.cmp(&list[*b as usize].key));
        Self { list, by_key }
    }

    /// All entries of a key.
    pub fn all(&self, key: &str) -> impl DoubleEndedIterator<Item = &Entry> {
        let of = |k: &u32| self.list[*k as usize].key.as_str();
        let first = self.by_key.partition_point(|k| of(k) < key);
        let count = self.by_key[first..].partition_point(|k| of(k) == key);
        let places = &self.by_key[first..first + count];
        places.iter().map(|k| &self.list[*k as usize])
    }

    /// Entries whose key occurred before, in the order of the keys.
    pub fn repeated(&self) -> impl Iterator<Item = &Entry> {
        let entry = |k: u32| &self.list[k as usize];
        let again = move |pair: &&[u32]| entry(pair[0]).key == entry(pair[1]).key;
        let pairs = self.by_key.windows(2).filter(again);
        pairs.map(move |pair| entry(pair[1]))
    }
}

impl Deref for Entries {
    type Target = [Entry];

    fn deref(&self) -> &[Entry] {
        &self.list
    }
}

/// A field of a struct or an entry of a map.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Entry {
    /// Name of the field, or the key without its quotes.
    pub key: String,
    /// Bytes of the key.
    pub key_span: Range<usize>,
    /// The value.
    pub value: Node,
}

impl Node {
    /// Fields or map entries; none for other values.
    pub fn entries(&self) -> &[Entry] {
        match &self.content {
            Content::Fields(entries) | Content::Map(entries) => entries,
            _ => &[],
        }
    }

    /// The value one step down a path: a field, a key, or an index counted from 0.
    pub fn child(&self, key: &str) -> Option<&Node> {
        match &self.content {
            Content::Elements(nodes) => nodes.get(key.parse::<usize>().ok()?),
            _ => self.entry(key).map(|e| &e.value),
        }
    }

    /// The first field or map entry of a key.
    pub fn entry(&self, key: &str) -> Option<&Entry> {
        match &self.content {
            Content::Fields(entries) | Content::Map(entries) => entries.all(key).next(),
            _ => None,
        }
    }

    /// The value at a path.
    pub fn at(&self, path: &[String]) -> Option<&Node> {
        path.iter().try_fold(self, |node, key| node.child(key))
    }

    /// The deepest part of a path that stands in the text: where its value begins, and where to point.
    ///
    /// A plain value is pointed at itself; an item, or a field that is not there, at the item's name.
    pub fn place(&self, path: &[String]) -> (usize, usize) {
        let mut node = self;
        let mut place = self.span.start;
        let mut steps = 0;
        for key in path {
            let entry = node.entry(key);
            let Some(next) = entry.map(|e| &e.value).or_else(|| node.child(key)) else {
                break;
            };
            place = entry.map_or(next.span.start, |e| e.key_span.start);
            node = next;
            steps += 1;
        }
        let plain = matches!(node.content, Content::Scalar | Content::Elements(_));
        if steps == path.len() && plain {
            place = node.span.start;
        }
        (node.span.start, place)
    }

    /// Path of the deepest value, or field name, that holds the byte.
    pub fn path_at(&self, byte: usize) -> Vec<String> {
        let mut path = Vec::new();
        let mut node = self;
        loop {
            // Values stand one behind the other.
            let inside = match &node.content {
                Content::Elements(nodes) => {
                    let k = nodes.partition_point(|n| n.span.end <= byte);
                    nodes.get(k).map(|n| (k.to_string(), n.span.start, n))
                }
                Content::Fields(entries) | Content::Map(entries) => {
                    let k = entries.partition_point(|e| e.value.span.end <= byte);
                    let entry = entries.get(k);
                    entry.map(|e| (e.key.clone(), e.key_span.start, &e.value))
                }
                Content::Scalar => None,
            };
            let Some((key, _, value)) = inside.filter(|i| i.1 <= byte) else {
                return path;
            };
            path.push(key);
            if !value.span.contains(&byte) {
                return path;
            }
            node = value;
        }
    }
}

/// Scans a whole text; `None` where it is not RON.
pub(super) fn scan(text: &str) -> Option<Node> {
    let mut scanner = Scanner::new(text);
    scanner.attributes()?;
    let node = scanner.value()?;
    scanner.skip()?;
    (scanner.at == text.len()).then_some(node)
}

/// The attributes at the beginning of a text.
pub(super) fn attributes(text: &str) -> String {
    Scanner::new(text).attributes().unwrap_or_default()
}

struct Scanner<'a> {
    text: &'a str,
    at: usize,
    /// Values around the present one.
    depth: usize,
}

/// Deeper texts are no scenes; the parser refuses them too.
const DEEPEST: usize = 64;

impl<'a> Scanner<'a> {
    fn new(text: &'a str) -> Self {
        Self {
            text,
            at: 0,
            depth: 0,
        }
    }

    /// Skips what may stand before the value; the attributes among it.
    fn attributes(&mut self) -> Option<String> {
        let mut found = String::new();
        self.skip()?;
        while self.rest().starts_with("#!") {
            let length = self.rest().find(']')? + 1;
            found += &self.rest()[..length];
            found.push('\n');
            self.at += length;
            self.skip()?;
        }
        Some(found)
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn eat(&mut self, c: char) -> bool {
        let found = self.peek() == Some(c);
        if found {
            self.at += c.len_utf8();
        }
        found
    }

    /// Skips white space and comments; `None` where a comment does not end.
    fn skip(&mut self) -> Option<()> {
        loop {
            let rest = self.rest();
            let trimmed = rest.trim_start();
            self.at += rest.len() - trimmed.len();
            if trimmed.starts_with("//") {
                self.at += trimmed.find('\n').unwrap_or(trimmed.len());
            } else if trimmed.starts_with("/*") {
                self.block_comment()?;
            } else {
                return Some(());
            }
        }
    }

    fn block_comment(&mut self) -> Option<()> {
        let mut depth = 0;
        loop {
            let rest = self.rest();
            if rest.starts_with("/*") {
                depth += 1;
                self.at += 2;
            } else if rest.starts_with("*/") {
                depth -= 1;
                self.at += 2;
                if depth == 0 {
                    return Some(());
                }
            } else {
                self.at += rest.chars().next()?.len_utf8();
            }
        }
    }

    fn value(&mut self) -> Option<Node> {
        if self.depth == DEEPEST {
            return None;
        }
        self.depth += 1;
        let start = self.at;
        let content = match self.peek()? {
            '(' => self.parentheses()?,
            '[' => {
                self.at += 1;
                Content::Elements(self.elements(']')?)
            }
            '{' => {
                self.at += 1;
                Content::Map(Entries::new(self.entries('}')?))
            }
            _ => {
                let named = self.token()?;
                let end = self.at;
                self.skip()?;
                if named && self.peek() == Some('(') {
                    self.parentheses()?
                } else {
                    self.at = end;
                    Content::Scalar
                }
            }
        };
        self.depth -= 1;
        Some(Node {
            span: start..self.at,
            content,
        })
    }

    fn parentheses(&mut self) -> Option<Content> {
        self.at += 1;
        let inside = self.at;
        self.skip()?;
        // A struct begins with a name and a colon, a tuple does not; empty parentheses leave all fields out.
        let is_struct = self.peek() == Some(')')
            || self.token() == Some(true) && self.skip().is_some() && self.eat(':');
        self.at = inside;
        if is_struct {
            Some(Content::Fields(Entries::new(self.entries(')')?)))
        } else {
            Some(Content::Elements(self.elements(')')?))
        }
    }

    fn elements(&mut self, close: char) -> Option<Vec<Node>> {
        let mut nodes = Vec::new();
        loop {
            self.skip()?;
            if self.eat(close) {
                return Some(nodes);
            }
            nodes.push(self.value()?);
            self.skip()?;
            if !self.eat(',') {
                return self.eat(close).then_some(nodes);
            }
        }
    }

    fn entries(&mut self, close: char) -> Option<Vec<Entry>> {
        let mut entries = Vec::new();
        loop {
            self.skip()?;
            if self.eat(close) {
                return Some(entries);
            }
            let key_span = self.value()?.span;
            let raw = &self.text[key_span.clone()];
            let key = raw.trim_start_matches("r#").trim_matches(['"', '#']).into();
            self.skip()?;
            if !self.eat(':') {
                return None;
            }
            self.skip()?;
            let value = self.value()?;
            entries.push(Entry {
                key,
                key_span,
                value,
            });
            self.skip()?;
            if !self.eat(',') {
                return self.eat(close).then_some(entries);
            }
        }
    }

    /// Reads a string, character, number or name; says whether it is a name.
    fn token(&mut self) -> Option<bool> {
        let rest = self.rest();
        let unprefixed = rest.trim_start_matches(['b', 'r']);
        let hashes = unprefixed.len() - unprefixed.trim_start_matches('#').len();
        let prefix = rest.len() - unprefixed.len();
        if unprefixed[hashes..].starts_with('"') && (prefix > 0 || hashes == 0) {
            let raw = rest[..prefix].contains('r');
            self.at += prefix + hashes + 1;
            self.string_end('"', hashes, raw)?;
            return Some(false);
        }
        if rest.starts_with('\'') {
            self.at += 1;
            self.string_end('\'', 0, false)?;
            return Some(false);
        }
        let end = rest
            .find(|c: char| c.is_whitespace() || ",:()[]{}\"'/".contains(c))
            .unwrap_or(rest.len());
        if end == 0 {
            return None;
        }
        let named = rest.starts_with(|c: char| c.is_alphabetic() || c == '_');
        self.at += end;
        Some(named)
    }

    fn string_end(&mut self, quote: char, hashes: usize, raw: bool) -> Option<()> {
        loop {
            let c = self.peek()?;
            self.at += c.len_utf8();
            if c == '\\' && !raw {
                self.at += self.peek()?.len_utf8();
            } else if c == quote && self.rest().starts_with(&"#".repeat(hashes)) {
                self.at += hashes;
                return Some(());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::lines::{Lines, byte_at};

    fn line_column(text: &str, byte: usize) -> (usize, usize) {
        Lines::of(text).place(text, byte)
    }

    const TEXT: &str = r##"#![enable(implicit_some)]
// a comment with ( and "
Scene(
    a: 1, /* b: 2, /* nested " */ */
    "not".len: 3,
"##;

    fn path(text: &str) -> Vec<String> {
        text.split('.').map(str::to_owned).collect()
    }

    #[test]
    fn paths_have_places_despite_comments_strings_and_nesting() {
        let text = "// (x: \"\n(\n  title: \"a, (b: \\\" ]\",  /* bodies: { */\n  bodies: {\n    \"é\": (at: (1, 2,\n      [3, x(4)]), r: r#\"q\"z\"#),\n    \"two\": (kind: fixed,),\n  },\n)\n";
        let root = scan(text).unwrap();
        let place = |p: &str| line_column(text, root.place(&path(p)).1);
        assert_eq!(place("title"), (3, 10));
        assert_eq!(place("bodies.é.at.1"), (5, 19));
        assert_eq!(place("bodies.é.at.2.0"), (6, 8));
        assert_eq!(place("bodies.é"), (5, 5));
        assert_eq!(place("bodies.é.r"), (6, 22));
        assert_eq!(place("bodies.two.kind"), (7, 19));
        // What is absent is reported at the part that is there.
        assert_eq!(place("bodies.two.child"), (7, 5));
        assert_eq!(place("joints.x"), (2, 1));
        let span = root.at(&path("bodies.é.r")).unwrap().span.clone();
        assert_eq!(&text[span], "r#\"q\"z\"#");
        let byte = byte_at(text, 5, 19);
        assert_eq!(root.path_at(byte), path("bodies.é.at.1"));
        assert_eq!(line_column(text, byte), (5, 19));
        assert_eq!(root.path_at(byte_at(text, 7, 14)), path("bodies.two.kind"));
    }

    #[test]
    fn broken_texts_have_no_places() {
        for text in [
            TEXT, "(a: 1", "(a: \"x)", "(a: /* )", "[1 2]", "(a 1)", "(a: 1) x", "",
        ] {
            assert_eq!(scan(text), None, "{text}");
        }
        assert_eq!(scan(&"(".repeat(100_000)), None);
        assert!(scan("#![enable(implicit_some)]\nScene(a: -1.5e-3, b: 'x', c: None)").is_some());
    }
}
