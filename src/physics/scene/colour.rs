//! Colours: names, and a choice for bodies that name none, so that neighbours differ.

use super::check::Check;
use super::error::Problem;
use super::value::ColourValue;
use crate::model::Colour;

/// Names of colours: muted hues after Okabe and Ito, told apart with every common colour vision.
pub const COLOURS: [(&str, Colour); 9] = [
    ("blue", [0.22, 0.45, 0.66]),
    ("orange", [0.85, 0.60, 0.25]),
    ("teal", [0.24, 0.58, 0.50]),
    ("rose", [0.74, 0.50, 0.64]),
    ("sky", [0.48, 0.70, 0.85]),
    ("rust", [0.76, 0.42, 0.26]),
    ("sand", [0.86, 0.80, 0.52]),
    ("grey", [0.62, 0.60, 0.57]),
    ("slate", [0.33, 0.36, 0.41]),
];

/// Colours that the choice takes, in this order; warm greys are for the world.
const CHOSEN: usize = 7;

/// The colour that a scene names.
pub(super) fn resolve(value: &ColourValue, path: &[&str], check: &mut Check) -> Option<Colour> {
    const EXPECTED: &str = "a name, \"#rrggbb\" or three numbers from 0 to 1";
    match value {
        ColourValue::Channels(c) if c.iter().all(|x| (0.0..=1.0).contains(x)) => {
            Some(c.map(|x| x as f32))
        }
        ColourValue::Channels(c) => {
            check.wrong(path, format!("{c:?}"), EXPECTED);
            None
        }
        ColourValue::Text(text) => match text.strip_prefix('#') {
            Some(hex) => {
                let colour = hexadecimal(hex);
                if colour.is_none() {
                    check.wrong(path, format!("\"{text}\""), EXPECTED);
                }
                colour
            }
            None => {
                let named = COLOURS.iter().find(|(name, _)| name == text);
                if named.is_none() {
                    let names = COLOURS.iter().map(|c| c.0);
                    check.report(Problem::unknown_name(path, "colour", text, names));
                }
                named.map(|c| c.1)
            }
        },
    }
}

fn hexadecimal(digits: &str) -> Option<Colour> {
    if digits.len() != 6 || !digits.is_ascii() {
        return None;
    }
    let channel = |k: usize| u8::from_str_radix(&digits[2 * k..2 * k + 2], 16).ok();
    let [r, g, b] = [channel(0)?, channel(1)?, channel(2)?];
    Some([r, g, b].map(|x| f32::from(x) / 255.0))
}

/// A colour for every body, different from those of its neighbours as far as the palette goes.
pub(super) fn choose(given: &[Option<Colour>], neighbours: &[Vec<usize>]) -> Vec<Colour> {
    let mut chosen: Vec<Option<Colour>> = given.to_vec();
    for body in 0..given.len() {
        if chosen[body].is_some() {
            continue;
        }
        let taken = |c: &Colour| neighbours[body].iter().any(|n| chosen[*n] == Some(*c));
        let palette = COLOURS[..CHOSEN].iter().map(|c| c.1);
        let free = palette.clone().find(|c| !taken(c));
        chosen[body] = free.or_else(|| palette.clone().nth(body % CHOSEN));
    }
    chosen.into_iter().flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_differ_and_given_colours_stay() {
        let blue = COLOURS[0].1;
        let ring: Vec<Vec<usize>> = (0..5).map(|k| vec![(k + 1) % 5, (k + 4) % 5]).collect();
        let colours = choose(&[None, None, Some(blue), None, None], &ring);
        assert_eq!(colours[2], blue);
        for k in 0..5 {
            assert_ne!(colours[k], colours[(k + 1) % 5], "{k}");
        }
    }

    #[test]
    fn hexadecimal_colours() {
        assert_eq!(hexadecimal("ff0080"), Some([1.0, 0.0, 128.0 / 255.0]));
        for bad in ["ff008", "gg0000", "äöü"] {
            assert_eq!(hexadecimal(bad), None);
        }
    }
}
