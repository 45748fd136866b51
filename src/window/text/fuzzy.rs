//! How well a text answers a search of which letters may be left out.

/// Worth of a letter, of one that follows the letter before, of one that begins a word.
const WORTH: (i32, i32, i32) = (1, 6, 8);
/// Worth of a word that occurs as it was typed, beside its letters.
const WHOLE: i32 = 24;
/// Cost of each letter that is skipped inside a match, up to a limit.
const SKIPPED: (i32, i32) = (1, 12);

/// Worth of a text that is not the name but describes what it names and holds every word of the search as it was typed:
/// less than such a word in the name, and more than letters here and there in it.
pub const DESCRIBED: i32 = WHOLE * SCALE;

/// What a point of worth counts beside the length of a text.
const SCALE: i32 = 64;

/// How well a text answers a search; none if a word of it does not occur, not even with letters left out.
///
/// Upper and lower case are alike. Every word of the search must occur, in any order.
pub fn score(text: &str, search: &str) -> Option<i32> {
    let text: Vec<char> = text.to_lowercase().chars().collect();
    let mut total = 0;
    for word in search.to_lowercase().split_whitespace() {
        let word: Vec<char> = word.chars().collect();
        total += word_score(&text, &word)?;
    }
    // Of two equal finds the shorter text is the nearer one.
    Some(total * SCALE - (text.len() as i32).min(SCALE - 1))
}

/// The best of all places where a word can begin.
fn word_score(text: &[char], word: &[char]) -> Option<i32> {
    let starts = (0..text.len()).filter(|&k| text[k] == word[0]);
    starts
        .filter_map(|start| match_from(text, word, start))
        .max()
}

/// Worth of a match that begins at a letter and takes each following one where it comes next.
fn match_from(text: &[char], word: &[char], start: usize) -> Option<i32> {
    let begins = |k: usize| k == 0 || !text[k - 1].is_alphanumeric();
    let mut total = 0;
    let mut last: Option<usize> = None;
    for letter in word {
        let from = last.map_or(start, |k| k + 1);
        let at = from + text.get(from..)?.iter().position(|c| c == letter)?;
        let skipped = last.map_or(0, |k| (at - k - 1) as i32);
        total += WORTH.0 - (SKIPPED.0 * skipped).min(SKIPPED.1);
        if last.is_some() && skipped == 0 {
            total += WORTH.1;
        }
        if begins(at) {
            total += WORTH.2;
        }
        last = Some(at);
    }
    if text[start..].starts_with(word) {
        total += WHOLE;
    }
    Some(total)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Texts that answer a search, best first.
    fn found<'a>(texts: &[&'a str], search: &str) -> Vec<&'a str> {
        let scored = texts.iter().filter_map(|t| Some((score(t, search)?, *t)));
        let mut scored: Vec<_> = scored.collect();
        scored.sort_by_key(|(worth, _)| -worth);
        scored.into_iter().map(|(_, text)| text).collect()
    }

    #[test]
    fn letters_may_be_left_out_and_whole_words_come_first() {
        let scenes = [
            "Double pendulum",
            "Double four-bar linkage",
            "Pendulum",
            "Chain",
        ];
        assert_eq!(found(&scenes, "pend"), ["Pendulum", "Double pendulum"]);
        assert_eq!(found(&scenes, "dp"), ["Double pendulum"]);
        assert_eq!(found(&scenes, "dblpnd"), ["Double pendulum"]);
        assert_eq!(found(&scenes, "BAR four"), ["Double four-bar linkage"]);
        assert!(found(&scenes, "pendulum heavy").is_empty());
        assert_eq!(
            found(&scenes, "").len(),
            4,
            "an empty search finds everything"
        );
    }

    #[test]
    fn beginnings_of_words_count_more_than_letters_inside() {
        let texts = ["Show: floor and grid", "Show: shadows", "Run: one step"];
        assert_eq!(found(&texts, "fg")[0], "Show: floor and grid");
        assert_eq!(found(&texts, "step"), ["Run: one step"]);
    }
}
