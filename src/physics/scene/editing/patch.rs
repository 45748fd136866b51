//! A scene's text after an edit: only what changed is written anew, so that comments and layout stay.
//!
//! The scenes before and after are written in one canonical form; where the two differ, the author's text is
//! rewritten there and nowhere else.

use super::comments::comments;
use crate::scene::format::SceneFile;
use crate::scene::spans::{self, Content, Entry, Node};
use crate::scene::write;
use std::collections::BTreeMap;

/// A text that was rewritten in part.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Patched {
    /// The text.
    pub text: String,
    /// Comments that went with what was replaced.
    pub lost: Vec<String>,
}

/// The author's text of `before`, changed into one of `after`.
pub(super) fn patch(text: &str, before: &SceneFile, after: &SceneFile) -> Patched {
    let canonical = [write(before), write(after)];
    let roots = (
        spans::scan(text),
        spans::scan(&canonical[0]),
        spans::scan(&canonical[1]),
    );
    let (Some(own), Some(from), Some(to)) = roots else {
        return whole(text, &canonical[1]);
    };
    let mut press = Press {
        texts: [text, &canonical[0], &canonical[1]],
        lost: Vec::new(),
    };
    let value = press.value([&own, &from, &to], 0);
    Patched {
        text: [&text[..own.span.start], &value, &text[own.span.end..]].concat(),
        lost: press.lost,
    }
}

/// The canonical text in the place of the author's.
pub(super) fn whole(text: &str, canonical: &str) -> Patched {
    Patched {
        text: canonical.to_owned(),
        lost: comments(text),
    }
}

/// The author's text, and the canonical ones before and after.
struct Press<'a> {
    texts: [&'a str; 3],
    lost: Vec<String>,
}

/// Nodes of the three texts at the same path.
type Three<'n> = [&'n Node; 3];

/// What becomes of an entry or an element of the author's text.
struct Piece {
    /// Its bytes with what leads to it and its comma.
    span: std::ops::Range<usize>,
    /// Bytes of the value.
    value: std::ops::Range<usize>,
    /// The value afterwards; `None` if it goes.
    new: Option<String>,
}

impl Press<'_> {
    /// The text of a value after the edit. `indent` is the indentation of the line it begins on.
    fn value(&mut self, nodes: Three, indent: usize) -> String {
        let [own, from, to] = nodes;
        let own_text = &self.texts[0][own.span.clone()];
        if self.texts[1][from.span.clone()] == self.texts[2][to.span.clone()] {
            return own_text.to_owned();
        }
        match [&own.content, &from.content, &to.content] {
            [
                Content::Fields(a) | Content::Map(a),
                Content::Fields(b) | Content::Map(b),
                Content::Fields(c) | Content::Map(c),
            ] => self.entries(own, [a, b, c], indent),
            [
                Content::Elements(a),
                Content::Elements(b),
                Content::Elements(c),
            ] if a.len() == b.len() => self.elements(own, [a, b, c], indent),
            _ => {
                self.lost.extend(comments(own_text));
                self.texts[2][to.span.clone()].to_owned()
            }
        }
    }

    /// A struct or a map.
    fn entries(&mut self, own: &Node, [a, b, c]: [&[Entry]; 3], indent: usize) -> String {
        // Maps may have thousands of entries; of a key that occurs twice the first counts.
        let index = |entries: &'_ [Entry]| -> BTreeMap<String, usize> {
            let entries = entries.iter().enumerate().rev();
            entries.map(|(k, e)| (e.key.to_string(), k)).collect()
        };
        let places = [index(a), index(b), index(c)];
        let find = |which: usize, key: &str| places[which].get(key).copied();
        let mut pieces = Vec::new();
        let mut start = open(self.texts[0], own);
        for entry in a {
            let value = entry.value.span.clone();
            let end = self.piece_end(value.end);
            let new = match (find(1, &entry.key), find(2, &entry.key)) {
                (Some(from), Some(to)) => {
                    let indent = self.indent(entry.key_span.start).unwrap_or(indent);
                    Some(self.value([&entry.value, &b[from].value, &c[to].value], indent))
                }
                // The author writes out a default.
                (None, Some(to)) => Some(self.texts[2][c[to].value.span.clone()].to_owned()),
                (None, None) => Some(self.texts[0][value.clone()].to_owned()),
                (Some(_), None) => None,
            };
            pieces.push(Piece {
                span: start..end,
                value,
                new,
            });
            start = end;
        }
        let added = c.iter().filter(|e| find(0, &e.key).is_none());
        let added: Vec<String> = added
            .map(|e| self.texts[2][e.key_span.start..e.value.span.end].to_owned())
            .collect();
        let key = a.first().map(|e| e.key_span.start);
        self.join(own, pieces, start, added, key, indent)
    }

    /// A list or a tuple: what is the same at its beginning and at its end stays.
    fn elements(&mut self, own: &Node, [a, b, c]: [&[Node]; 3], indent: usize) -> String {
        let same =
            |x: &Node, y: &Node| self.texts[1][x.span.clone()] == self.texts[2][y.span.clone()];
        let shorter = b.len().min(c.len());
        let (head, tail) = if b.len() == c.len() {
            (shorter, 0)
        } else {
            let head = b.iter().zip(c).take_while(|(x, y)| same(x, y)).count();
            let ends = b.iter().rev().zip(c.iter().rev());
            let tail = ends.take_while(|(x, y)| same(x, y)).count();
            (head, tail.min(shorter - head))
        };
        let mut pieces = Vec::new();
        let mut start = open(self.texts[0], own);
        for (k, node) in a.iter().enumerate() {
            let end = self.piece_end(node.span.end);
            let new = if k < head {
                Some(self.value([node, &b[k], &c[k]], indent))
            } else if k >= a.len() - tail {
                Some(self.texts[0][node.span.clone()].to_owned())
            } else {
                None
            };
            pieces.push(Piece {
                span: start..end,
                value: node.span.clone(),
                new,
            });
            start = end;
        }
        let added: Vec<String> = c[head..c.len() - tail]
            .iter()
            .map(|n| self.texts[2][n.span.clone()].to_owned())
            .collect();
        if tail > 0 && !added.is_empty() {
            // In the middle: in front of the first that stays behind it.
            let behind = &mut pieces[a.len() - tail];
            if let Some(new) = &mut behind.new {
                *new = format!("{}, {new}", added.join(", "));
            }
            return self.join(own, pieces, start, Vec::new(), None, indent);
        }
        let first = a.first().map(|n| n.span.start);
        self.join(own, pieces, start, added, first, indent)
    }

    /// Puts pieces together again, and what is added behind them. `first` is where the first of them begins.
    fn join(
        &mut self,
        own: &Node,
        pieces: Vec<Piece>,
        end: usize,
        added: Vec<String>,
        first: Option<usize>,
        indent: usize,
    ) -> String {
        let text = self.texts[0];
        let begin = open(text, own);
        let mut out = text[own.span.start..begin].to_owned();
        // Where a comma is missing before something is added.
        let mut open_end = None;
        for piece in pieces {
            let Some(new) = piece.new else {
                self.lost.extend(comments(&text[piece.span]));
                continue;
            };
            out += &text[piece.span.start..piece.value.start];
            out += &new;
            open_end = Some(out.len());
            let behind = &text[piece.value.end..piece.span.end];
            if behind.trim_start().starts_with(',') {
                open_end = None;
            }
            out += behind;
        }
        let close = own.span.end - 1;
        let rest = &text[end..close];
        if added.is_empty() {
            return out + rest + &text[close..own.span.end];
        }
        if let Some(at) = open_end {
            out.insert(at, ',');
        }
        let lines = text[own.span.clone()].contains('\n');
        let is_map = text[begin - 1..].starts_with('{');
        if lines || (is_map && first.is_none()) {
            let indent = first.and_then(|k| self.indent(k)).unwrap_or(indent + 4);
            let pad = " ".repeat(indent);
            out += rest.trim_end();
            for item in added {
                out += &format!("\n{pad}{item},");
            }
            let tail = &rest[rest.trim_end().len()..];
            out += if tail.contains('\n') { tail } else { "\n" };
            if !tail.contains('\n') {
                out += &" ".repeat(indent.saturating_sub(4));
            }
        } else {
            if first.is_some() && !out.ends_with([' ', '(', '[']) {
                out.push(' ');
            }
            out += &added.join(", ");
            out += rest.trim_end();
        }
        out + &text[close..own.span.end]
    }

    /// End of a value with its comma, and with the comment behind it on the same line.
    fn piece_end(&self, value_end: usize) -> usize {
        let text = self.texts[0];
        let behind = &text[value_end..];
        let blank = behind.len() - behind.trim_start().len();
        let end = match behind.trim_start().strip_prefix(',') {
            Some(_) => value_end + blank + 1,
            None => return value_end,
        };
        let line = text[end..].lines().next().unwrap_or("");
        if line.trim_start().starts_with("//") {
            end + line.len()
        } else {
            end
        }
    }

    /// Indentation of what begins a line there; `None` where it does not.
    fn indent(&self, at: usize) -> Option<usize> {
        let text = self.texts[0];
        let line = text[..at].rfind('\n').map_or(0, |k| k + 1);
        let lead = &text[line..at];
        lead.chars().all(|c| c == ' ').then_some(lead.len())
    }
}

/// The byte behind the opening bracket of a struct, map, list or tuple.
fn open(text: &str, node: &Node) -> usize {
    let inside = text[node.span.clone()].find(['(', '[', '{']);
    node.span.start + inside.map_or(0, |k| k + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::format::BodyFile;
    use crate::scene::value::{Number, Vector};
    use crate::scene::{Scene, from_text};

    const TEXT: &str = "// A pendulum.
(
    version: 1,
    gravity: (0, 0, -9.81), // on earth
    bodies: {
        // What swings.
        \"bob\": (mass: \"1 + 1\", /* kg */ shape: (sphere: (radius: 0.1))), // a ball
        \"other\": (
            mass: 1,
            shape: (box: (size: (0.1, \"1/3\", 0.3))),
        ),
    },
    joints: {
        \"pivot\": (kind: revolute, child: \"bob\", child_anchor: (0, 0, 1), axis: (1, 0, 0)),
    },
)
";

    fn scene() -> Scene {
        from_text("test", TEXT, &[]).unwrap_or_else(|e| panic!("{e}"))
    }

    fn after(change: impl FnOnce(&mut SceneFile)) -> (Patched, SceneFile) {
        let before = scene().file;
        let mut file = before.clone();
        change(&mut file);
        (patch(TEXT, &before, &file), file)
    }

    /// Reads the patched text back; it must be the scene that was wanted.
    fn checked(change: impl FnOnce(&mut SceneFile)) -> Patched {
        let (patched, file) = after(change);
        let again = from_text("test", &patched.text, &[])
            .unwrap_or_else(|e| panic!("{e}\n{}", patched.text));
        assert_eq!(again.file, file, "{}", patched.text);
        patched
    }

    #[test]
    fn only_the_value_that_changed_is_rewritten() {
        let patched =
            checked(|file| file.gravity = Some(Vector(crate::math::Vec3::new(0.0, 0.0, -1.62))));
        assert_eq!(patched.text, TEXT.replace("-9.81", "-1.62"));
        assert!(patched.lost.is_empty());
        let patched = checked(|file| {
            let mut bob = file.bodies.get("bob").cloned().expect("it is there");
            bob.mass = Some(Number(3.0));
            file.bodies.set("bob", bob);
        });
        assert_eq!(patched.text, TEXT.replace("\"1 + 1\"", "3.0"));
    }

    #[test]
    fn fields_and_items_are_added_in_the_layout_of_the_text() {
        let patched = checked(|file| {
            let mut bob = file.bodies.get("bob").cloned().expect("it is there");
            bob.position = Some(Vector(crate::math::Vec3::x()));
            file.bodies.set("bob", bob);
            file.bodies.set(
                "third",
                BodyFile {
                    mass: Some(Number(1.0)),
                    ..file.bodies.get("other").cloned().expect("it is there")
                },
            );
        });
        assert!(patched.lost.is_empty());
        assert!(
            patched
                .text
                .contains("(sphere: (radius: 0.1)), position: (1.0, 0.0, 0.0)), // a ball\n")
        );
        assert!(
            patched.text.contains("\n        \"third\": (mass: 1.0,"),
            "{}",
            patched.text
        );
        checked(|file| file.speed = Some(Number(2.0)));
    }

    #[test]
    fn what_is_removed_takes_its_comments_along_and_says_so() {
        let patched = checked(|file| {
            file.joints.remove("pivot");
            file.bodies.remove("bob");
        });
        assert_eq!(patched.lost, ["// What swings.", "/* kg */", "// a ball"]);
        assert!(patched.text.contains("// on earth") && patched.text.contains("// A pendulum."));
        // All joints gone, then one comes back.
        let none = from_text("test", &patched.text, &[]).unwrap_or_else(|e| panic!("{e}"));
        assert!(none.file.joints.is_empty());
    }
}
