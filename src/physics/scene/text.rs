//! From the bytes of a file to its text.

use super::error::{SceneError, SceneErrors};
use super::lines::Lines;

/// What some editors put before a text to say that it is UTF-8.
const MARK: &[u8] = b"\xef\xbb\xbf";

/// The text of a file, without the mark that may stand before it.
pub fn decode<'b>(name: &str, bytes: &'b [u8]) -> Result<&'b str, SceneErrors> {
    let bytes = bytes.strip_prefix(MARK).unwrap_or(bytes);
    std::str::from_utf8(bytes).map_err(|error| {
        let sound = std::str::from_utf8(&bytes[..error.valid_up_to()]).unwrap_or_default();
        let (line, column) = Lines::of(sound).place(sound, sound.len());
        SceneErrors(vec![SceneError {
            file: name.into(),
            line: Some(line),
            column: Some(column),
            found: format!(
                "the byte {:#04x}, which is not UTF-8 there",
                bytes[sound.len()]
            ),
            expected: "a text in UTF-8".into(),
            ..SceneError::default()
        }])
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mark_is_taken_and_what_is_no_text_has_a_place() {
        assert_eq!(
            decode("a", b"\xef\xbb\xbf(version: 1)").unwrap(),
            "(version: 1)"
        );
        assert_eq!(decode("a", "ä".as_bytes()).unwrap(), "ä");
        let errors = decode("a", b"(version: 1,\n\xc3\xa4 \xff)").unwrap_err();
        let error = &errors.0[0];
        assert_eq!((error.line, error.column), (Some(2), Some(3)));
        assert!(error.found.contains("0xff"), "{error}");
        // Cut off within a character.
        assert_eq!(decode("a", b"x\xc3").unwrap_err().0[0].column, Some(2));
    }
}
