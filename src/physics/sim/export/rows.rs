//! Output that always ends with a whole row, whenever a program is stopped.

use std::io::{self, Write};

/// Bytes that are gathered before they are written.
const GATHERED: usize = 1 << 16;

/// Gathers what is written and passes on whole lines only.
pub(super) struct Rows<W: Write> {
    out: W,
    gathered: Vec<u8>,
    /// Bytes gathered that end with a line.
    whole: usize,
}

impl<W: Write> Rows<W> {
    /// Rows to an output.
    pub(super) fn new(out: W) -> Self {
        Self {
            out,
            gathered: Vec::new(),
            whole: 0,
        }
    }

    fn pass_on(&mut self) -> io::Result<()> {
        let whole = std::mem::take(&mut self.whole);
        let written = self.out.write_all(&self.gathered[..whole]);
        // What could not be written is not tried again: part of it may be there.
        self.gathered.drain(..whole);
        // An output that gathers too would cut its rows where it likes.
        written.and_then(|()| self.out.flush())
    }
}

impl<W: Write> Write for Rows<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if let Some(end) = bytes.iter().rposition(|b| *b == b'\n') {
            self.whole = self.gathered.len() + end + 1;
        }
        self.gathered.extend_from_slice(bytes);
        if self.whole >= GATHERED {
            self.pass_on()?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.pass_on()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_passed_on_ends_with_a_row_at_any_time() {
        // Rows longer than what is gathered, too, and pieces that end anywhere.
        let long = format!("{}\n", "7,".repeat(GATHERED));
        let text = "1,2,3\n".repeat(30_000) + &long + &"4,5\n".repeat(10) + "6,";
        let mut out = Vec::new();
        let mut passes = 0;
        let mut rows = Rows::new(&mut out);
        for piece in text.as_bytes().chunks(8192) {
            rows.write_all(piece).unwrap();
            let out: &[u8] = rows.out;
            assert!(out.is_empty() || out.ends_with(b"\n"));
            passes += usize::from(!out.is_empty());
        }
        assert!(passes > 10, "{passes}");
        rows.flush().unwrap();
        assert_eq!(out, &text.as_bytes()[..text.len() - 2]);
    }
}
