//! Lines and columns of a text, both from 1, columns in characters.

/// Bytes between two places whose count of characters is known.
const STRIDE: usize = 1 << 10;

/// Where the lines of a text begin, so that no place is found by counting from the beginning: a file may have as many
/// errors as it has lines, and all in one line.
#[derive(Debug, Clone)]
pub(super) struct Lines {
    /// First byte of every line.
    starts: Vec<usize>,
    /// Characters that begin before every multiple of [`STRIDE`].
    characters: Vec<usize>,
}

impl Lines {
    /// Lines of a text.
    pub fn of(text: &str) -> Self {
        let ends = text.bytes().enumerate().filter(|(_, b)| *b == b'\n');
        let mut characters = vec![0];
        for piece in text.as_bytes().chunks(STRIDE) {
            characters.push(characters[characters.len() - 1] + begun(piece));
        }
        Self {
            starts: std::iter::once(0).chain(ends.map(|(k, _)| k + 1)).collect(),
            characters,
        }
    }

    /// Line and column of a byte of the text.
    pub fn place(&self, text: &str, byte: usize) -> (usize, usize) {
        let byte = byte.min(text.len());
        let line = self.starts.partition_point(|start| *start <= byte);
        let start = self.starts[line - 1];
        let column = self.before(text, byte) - self.before(text, start) + 1;
        (line, column)
    }

    /// Characters before a byte.
    fn before(&self, text: &str, byte: usize) -> usize {
        let mark = byte / STRIDE;
        self.characters[mark] + begun(&text.as_bytes()[mark * STRIDE..byte])
    }
}

/// Characters that begin in bytes of UTF-8: all but its continuations.
fn begun(bytes: &[u8]) -> usize {
    bytes.iter().filter(|b| (**b as i8) >= -0x40).count()
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_those_that_counting_gives() {
        // Longer than two strides, one line among them, with characters of one to four bytes.
        let text = format!("ä{}\n\n{}é\n𝄞x", "a€".repeat(900), "b".repeat(3000));
        let lines = Lines::of(&text);
        for (byte, _) in text.char_indices() {
            let before = &text[..byte];
            let line = before.matches('\n').count() + 1;
            let start = before.rfind('\n').map_or(0, |k| k + 1);
            let column = before[start..].chars().count() + 1;
            assert_eq!(lines.place(&text, byte), (line, column));
            assert_eq!(byte_at(&text, line, column), byte);
        }
    }
}
