//! The comments of a RON text, which an edit may lose with what they stand in.

/// All comments in a piece of text, in order; what is inside strings is none.
pub(super) fn comments(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let length = if rest.starts_with("//") {
            let end = rest.find('\n').unwrap_or(rest.len());
            found.push(rest[..end].trim_end().to_owned());
            end
        } else if rest.starts_with("/*") {
            let end = block_end(rest);
            found.push(rest[..end].to_owned());
            end
        } else if c == '"' {
            string_end(rest)
        } else if let Some(hashes) = raw_string(rest) {
            let close = format!("\"{}", "#".repeat(hashes));
            let open = 2 + hashes;
            rest[open..]
                .find(&close)
                .map_or(rest.len(), |k| open + k + close.len())
        } else {
            c.len_utf8()
        };
        rest = &rest[length..];
    }
    found
}

/// End of a block comment, which may hold others.
fn block_end(text: &str) -> usize {
    let mut depth = 0;
    let mut at = 0;
    while at < text.len() {
        let rest = &text[at..];
        if rest.starts_with("/*") {
            depth += 1;
            at += 2;
        } else if rest.starts_with("*/") {
            depth -= 1;
            at += 2;
            if depth == 0 {
                return at;
            }
        } else {
            at += rest.chars().next().map_or(1, char::len_utf8);
        }
    }
    text.len()
}

/// End of a string in double quotes.
fn string_end(text: &str) -> usize {
    let mut escaped = false;
    for (k, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return k + 1,
            _ => {}
        }
    }
    text.len()
}

/// Number of hashes of the raw string that begins here, if one does.
fn raw_string(text: &str) -> Option<usize> {
    let hashes = text.strip_prefix('r')?;
    let rest = hashes.trim_start_matches('#');
    rest.starts_with('"').then(|| hashes.len() - rest.len())
}

#[cfg(test)]
mod tests {
    use super::comments;

    #[test]
    fn comments_are_told_from_what_strings_hold() {
        let text = r##"a: "// no /* no \" //", // one
            b: r#"// no " // no"#, /* two /* inside */ still */ c: 1 /"##;
        assert_eq!(comments(text), ["// one", "/* two /* inside */ still */"]);
        assert_eq!(comments("/* open"), ["/* open"]);
        assert!(comments("\"open // no").is_empty());
    }
}
