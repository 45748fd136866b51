//! How long and how deeply nested an expression may be.

/// Longest expression (bytes).
const LONGEST: usize = 10_000;

/// Deepest nesting of parentheses. The parser of expressions looks through what is inside of each pair anew, so that
/// its time grows with the square of the nesting.
const DEEPEST: usize = 64;

/// Whether an expression can be parsed in time that is in proportion to its length; what is too much if not.
pub fn bounded(text: &str) -> Result<(), String> {
    if text.len() > LONGEST {
        return Err(format!(
            "an expression of {} bytes, of which {LONGEST} are allowed",
            text.len()
        ));
    }
    let mut depth = 0_usize;
    for c in text.chars() {
        match c {
            '(' | '{' => depth += 1,
            ')' | '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth > DEEPEST {
            return Err(format!(
                "an expression with more than {DEEPEST} parentheses inside each other"
            ));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expressions_that_would_be_parsed_for_minutes_are_refused() {
        let nested = |n: usize| format!("{}1{}", "(1+".repeat(n), ")".repeat(n));
        assert_eq!(bounded(&nested(DEEPEST)), Ok(()));
        assert_eq!(bounded(&"(t)+".repeat(1000)), Ok(()));
        // 300 000 took more than 25 s.
        for text in [nested(DEEPEST + 1), "1+".repeat(300_000)] {
            assert!(bounded(&text).is_err());
        }
    }
}
