//! The difference of two texts as one replaced piece, small whatever the size of the texts.

/// What leads from one text to another and back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Splice {
    at: usize,
    old: String,
    new: String,
}

impl Splice {
    /// The shortest piece whose replacement makes one text of the other.
    pub fn between(from: &str, to: &str) -> Self {
        let mut head = from
            .bytes()
            .zip(to.bytes())
            .take_while(|(a, b)| a == b)
            .count();
        while !from.is_char_boundary(head) || !to.is_char_boundary(head) {
            head -= 1;
        }
        let ends = from[head..].bytes().rev().zip(to[head..].bytes().rev());
        let mut tail = ends.take_while(|(a, b)| a == b).count();
        while !from.is_char_boundary(from.len() - tail) || !to.is_char_boundary(to.len() - tail) {
            tail -= 1;
        }
        Self {
            at: head,
            old: from[head..from.len() - tail].to_owned(),
            new: to[head..to.len() - tail].to_owned(),
        }
    }

    /// The second text, given the first.
    pub fn apply(&self, from: &str) -> String {
        let rest = &from[self.at + self.old.len()..];
        [&from[..self.at], &self.new, rest].concat()
    }

    /// The first text, given the second.
    pub fn revert(&self, to: &str) -> String {
        let rest = &to[self.at + self.new.len()..];
        [&to[..self.at], &self.old, rest].concat()
    }
}

#[cfg(test)]
mod tests {
    use super::Splice;

    #[test]
    fn a_splice_leads_there_and_back() {
        let texts = [
            "", "a", "mass: 1", "mass: 11", "mäss: 1", "mãss: 1", "1 1 1", "1 1",
        ];
        for from in texts {
            for to in texts {
                let splice = Splice::between(from, to);
                assert_eq!(splice.apply(from), to);
                assert_eq!(splice.revert(to), from);
            }
        }
        let splice = Splice::between("mass: 1, x", "mass: 21, x");
        assert_eq!((splice.old.as_str(), splice.new.as_str()), ("", "2"));
    }
}
