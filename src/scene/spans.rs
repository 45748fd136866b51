//! Where things stand in a RON text: the byte range of every field, map entry and sequence element, by path.
//!
//! `ron` gives places for syntax and type errors only. Errors found later (an unknown body name, a negative
//! mass) and changes by path need the place of a path, which this scanner records. It understands the whole
//! of RON's surface (comments, strings, raw strings, named structs, attributes) and judges none of it.

use std::ops::Range;

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
    Fields(Vec<Entry>),
    /// Entries of a map `{ … }`.
    Map(Vec<Entry>),
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
            _ => self
                .entries()
                .iter()
                .find(|e| e.key == key)
                .map(|e| &e.value),
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
            let entry = node.entries().iter().find(|e| e.key == *key);
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
        'down: loop {
            if let Content::Elements(nodes) = &node.content {
                for (k, n) in nodes.iter().enumerate() {
                    if n.span.contains(&byte) {
                        path.push(k.to_string());
                        node = n;
                        continue 'down;
                    }
                }
            }
            for entry in node.entries() {
                if (entry.key_span.start..entry.value.span.end).contains(&byte) {
                    path.push(entry.key.clone());
                    if !entry.value.span.contains(&byte) {
                        return path;
                    }
                    node = &entry.value;
                    continue 'down;
                }
            }
            return path;
        }
    }
}

/// Line and column, both from 1, columns in characters.
pub(super) fn line_column(text: &str, byte: usize) -> (usize, usize) {
    let before = &text[..byte.min(text.len())];
    let start = before.rfind('\n').map_or(0, |k| k + 1);
    (
        before.matches('\n').count() + 1,
        before[start..].chars().count() + 1,
    )
}

/// Byte at a line and column.
pub(super) fn byte_at(text: &str, line: usize, column: usize) -> usize {
    let start: usize = text
        .split_inclusive('\n')
        .take(line.saturating_sub(1))
        .map(str::len)
        .sum();
    let within: usize = text[start..]
        .chars()
        .take(column.saturating_sub(1))
        .map(char::len_utf8)
        .sum();
    start + within
}

/// Scans a whole text; `None` where it is not RON.
pub(super) fn scan(text: &str) -> Option<Node> {
    let mut scanner = Scanner {
        text,
        at: 0,
        depth: 0,
    };
    scanner.skip()?;
    while scanner.rest().starts_with("#!") {
        scanner.at += scanner.rest().find(']')? + 1;
        scanner.skip()?;
    }
    let node = scanner.value()?;
    scanner.skip()?;
    (scanner.at == text.len()).then_some(node)
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
                Content::Map(self.entries('}')?)
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
            Some(Content::Fields(self.entries(')')?))
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
