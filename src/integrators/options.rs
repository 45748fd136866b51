//! Options of a method: what it declares, and the values that a user has given them.
//!
//! A method declares its options as a list of [`OptionSpec`]. Scenes, command line, window, tables and takes know
//! nothing else about them, so that a new option is one more entry in that list. [`Options`] holds what was chosen
//! and differs from the default; it is small and copied with the settings.

use std::fmt;

/// Most options of a method.
pub const MOST_OPTIONS: usize = 12;

/// An option as its method declares it.
#[derive(Debug, PartialEq)]
pub struct OptionSpec {
    /// The word by which it is chosen. Methods that share a word mean the same by it.
    pub name: &'static str,
    /// One line on what it does.
    pub summary: &'static str,
    /// Which values it takes.
    pub kind: OptionKind,
}

/// Which values an option takes, and which one where none is given.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum OptionKind {
    /// A real number.
    Real {
        /// Where none is given.
        default: f64,
        /// Smallest and largest.
        range: [f64; 2],
        /// Empty for a plain number.
        unit: &'static str,
    },
    /// A whole number.
    Whole {
        /// Where none is given.
        default: u32,
        /// Smallest and largest.
        range: [u32; 2],
    },
    /// One of a few words.
    Choice {
        /// Where none is given.
        default: &'static str,
        /// The words, each with one line on what it means.
        words: &'static [(&'static str, &'static str)],
    },
    /// On or off.
    Switch {
        /// Where none is given.
        default: bool,
    },
}

/// A value of an option, of the kind that its method declares.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum OptionValue {
    /// A real number.
    Real(f64),
    /// A whole number.
    Whole(u32),
    /// One of a few words.
    Word(&'static str),
    /// On or off.
    Switch(bool),
}

impl fmt::Display for OptionValue {
    /// As the command line reads it.
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Real(x) => write!(f, "{x:?}"),
            Self::Whole(n) => write!(f, "{n}"),
            Self::Word(word) => f.write_str(word),
            Self::Switch(on) => write!(f, "{on}"),
        }
    }
}

/// A value as it was written, before it is known what its method expects.
#[derive(Debug, Clone, PartialEq)]
pub enum Written {
    /// A number.
    Number(f64),
    /// Text: a word, or a number or `true` or `false` as typed on a command line.
    Text(String),
    /// On or off.
    Switch(bool),
}

impl fmt::Display for Written {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Number(x) => write!(f, "{x}"),
            Self::Text(text) => write!(f, "`{text}`"),
            Self::Switch(on) => write!(f, "{on}"),
        }
    }
}

impl From<&str> for Written {
    fn from(text: &str) -> Self {
        Self::Text(text.trim().into())
    }
}

impl From<OptionValue> for Written {
    fn from(value: OptionValue) -> Self {
        match value {
            OptionValue::Real(x) => Self::Number(x),
            OptionValue::Whole(n) => Self::Number(f64::from(n)),
            OptionValue::Word(word) => Self::Text(word.into()),
            OptionValue::Switch(on) => Self::Switch(on),
        }
    }
}

/// What is wrong with an option.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum OptionError {
    /// The method has no option of that name.
    #[error("no option is named `{name}`{}; {}", suggestion.as_ref().map(|s| format!(" (did you mean `{s}`?)")).unwrap_or_default(), there_are(known))]
    Unknown {
        /// The name asked for.
        name: String,
        /// The nearest name.
        suggestion: Option<&'static str>,
        /// All names.
        known: Vec<&'static str>,
    },
    /// A value that the option does not take.
    #[error("{name} is {found}, expected {expected}{}", suggestion.as_ref().map(|s| format!(" (did you mean `{s}`?)")).unwrap_or_default())]
    Value {
        /// The option.
        name: &'static str,
        /// What was found.
        found: String,
        /// What is allowed.
        expected: String,
        /// The nearest word.
        suggestion: Option<&'static str>,
    },
}

fn there_are(known: &[&str]) -> String {
    match known {
        [] => "the method has none".into(),
        _ => format!("there are: {}", known.join(", ")),
    }
}

/// The known name nearest to a misspelt one, if any is near.
pub(super) fn nearest_name(
    name: &str,
    known: impl Iterator<Item = &'static str>,
) -> Option<&'static str> {
    known
        .map(|k| (strsim::damerau_levenshtein(name, k), k))
        .filter(|(edits, k)| *edits <= k.len() / 3 + 1)
        .min_by_key(|(edits, _)| *edits)
        .map(|(_, k)| k)
}

impl OptionKind {
    /// The value where none is given.
    pub fn default(&self) -> OptionValue {
        match *self {
            Self::Real { default, .. } => OptionValue::Real(default),
            Self::Whole { default, .. } => OptionValue::Whole(default),
            Self::Choice { default, .. } => OptionValue::Word(default),
            Self::Switch { default } => OptionValue::Switch(default),
        }
    }

    /// What is allowed, in words.
    pub fn expected(&self) -> String {
        let of = |unit: &str| match unit {
            "" => String::new(),
            unit => format!(" {unit}"),
        };
        match self {
            Self::Real {
                range: [a, b],
                unit,
                ..
            } => format!("a number from {a} to {b}{}", of(unit)),
            Self::Whole { range: [a, b], .. } => format!("a whole number from {a} to {b}"),
            Self::Choice { words, .. } => {
                let words: Vec<&str> = words.iter().map(|w| w.0).collect();
                format!("one of {}", words.join(", "))
            }
            Self::Switch { .. } => "true or false".into(),
        }
    }

    /// The value that was written, if it is one of those allowed.
    fn read(&self, written: &Written) -> Option<OptionValue> {
        let number = || match written {
            Written::Number(x) => Some(*x),
            Written::Text(text) => text.parse().ok(),
            Written::Switch(_) => None,
        };
        match self {
            Self::Real { range: [a, b], .. } => {
                let x = number().filter(|x| (*a..=*b).contains(x))?;
                Some(OptionValue::Real(x))
            }
            Self::Whole { range: [a, b], .. } => {
                let within =
                    |x: &f64| x.fract() == 0.0 && (f64::from(*a)..=f64::from(*b)).contains(x);
                Some(OptionValue::Whole(number().filter(within)? as u32))
            }
            Self::Choice { words, .. } => {
                let Written::Text(text) = written else {
                    return None;
                };
                let word = words.iter().find(|w| w.0 == text)?;
                Some(OptionValue::Word(word.0))
            }
            Self::Switch { .. } => match written {
                Written::Switch(on) => Some(*on),
                Written::Text(text) => text.parse().ok(),
                Written::Number(_) => None,
            }
            .map(OptionValue::Switch),
        }
    }
}

impl OptionSpec {
    /// The value that was written.
    pub fn read(&self, written: &Written) -> Result<OptionValue, OptionError> {
        self.kind.read(written).ok_or_else(|| {
            let words = match self.kind {
                OptionKind::Choice { words, .. } => words,
                _ => &[],
            };
            let suggestion = match written {
                Written::Text(text) => nearest_name(text, words.iter().map(|w| w.0)),
                _ => None,
            };
            OptionError::Value {
                name: self.name,
                found: written.to_string(),
                expected: self.kind.expected(),
                suggestion,
            }
        })
    }
}

/// An option that was chosen: every moment of a run keeps its settings, so this is two words long.
#[derive(Debug, Clone, Copy)]
struct Chosen {
    spec: &'static OptionSpec,
    /// The bits of a number, the place of a word, 0 or 1.
    bits: u64,
}

impl Chosen {
    fn value(&self) -> OptionValue {
        match self.spec.kind {
            OptionKind::Real { .. } => OptionValue::Real(f64::from_bits(self.bits)),
            OptionKind::Whole { .. } => OptionValue::Whole(self.bits as u32),
            OptionKind::Choice { words, .. } => OptionValue::Word(words[self.bits as usize].0),
            OptionKind::Switch { .. } => OptionValue::Switch(self.bits != 0),
        }
    }
}

impl PartialEq for Chosen {
    fn eq(&self, other: &Self) -> bool {
        self.spec.name == other.spec.name && self.value() == other.value()
    }
}

/// The options of a method that were chosen; those that are absent have their defaults.
///
/// In the order of their names, so that the same choice is equal however it came about.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Options([Option<Chosen>; MOST_OPTIONS]);

impl Options {
    /// Chooses a value; the default is kept as no choice. `schema` is what the method declares.
    pub fn set(
        &mut self,
        schema: &'static [OptionSpec],
        name: &str,
        written: &Written,
    ) -> Result<(), OptionError> {
        let spec = known(schema, name)?;
        let value = spec.read(written)?;
        let mut all: Vec<Chosen> = self.0.iter().flatten().copied().collect();
        all.retain(|c| c.spec.name != name);
        if value != spec.kind.default() {
            let bits = match (value, spec.kind) {
                (OptionValue::Real(x), _) => x.to_bits(),
                (OptionValue::Whole(n), _) => u64::from(n),
                (OptionValue::Switch(on), _) => u64::from(on),
                (OptionValue::Word(word), OptionKind::Choice { words, .. }) => {
                    words.iter().take_while(|w| w.0 != word).count() as u64
                }
                (OptionValue::Word(_), _) => unreachable!("only a choice is read as a word"),
            };
            all.push(Chosen { spec, bits });
            all.sort_unstable_by_key(|c| c.spec.name);
        }
        // There is room for every option of a method: the registry's tests see to it.
        let mut all = all.into_iter();
        self.0.fill_with(|| all.next());
        Ok(())
    }

    /// What was chosen, in the order of names.
    pub fn chosen(&self) -> impl Iterator<Item = (&'static str, OptionValue)> {
        self.0
            .into_iter()
            .flatten()
            .map(|c| (c.spec.name, c.value()))
    }

    /// The value of an option: as chosen, or the default.
    pub fn get(&self, spec: &OptionSpec) -> OptionValue {
        let mut chosen = self.0.iter().flatten();
        let found = chosen.find(|c| c.spec.name == spec.name);
        found.map_or(spec.kind.default(), Chosen::value)
    }

    /// The value of an option that is a real number.
    pub fn real(&self, spec: &OptionSpec) -> f64 {
        match self.get(spec) {
            OptionValue::Real(x) => x,
            _ => unreachable!("`{}` was declared as a real number", spec.name),
        }
    }

    /// The value of an option that is a whole number.
    pub fn whole(&self, spec: &OptionSpec) -> u32 {
        match self.get(spec) {
            OptionValue::Whole(n) => n,
            _ => unreachable!("`{}` was declared as a whole number", spec.name),
        }
    }

    /// The value of an option that is a word.
    pub fn word(&self, spec: &OptionSpec) -> &'static str {
        match self.get(spec) {
            OptionValue::Word(word) => word,
            _ => unreachable!("`{}` was declared as a choice", spec.name),
        }
    }

    /// The value of an option that is on or off.
    pub fn switch(&self, spec: &OptionSpec) -> bool {
        match self.get(spec) {
            OptionValue::Switch(on) => on,
            _ => unreachable!("`{}` was declared as a switch", spec.name),
        }
    }

    /// Every option of a method with its value.
    pub fn all(
        &self,
        schema: &'static [OptionSpec],
    ) -> impl Iterator<Item = (&'static OptionSpec, OptionValue)> {
        schema.iter().map(|spec| (spec, self.get(spec)))
    }

    /// Says what a method cannot take of the options chosen, if anything.
    pub fn check(&self, schema: &'static [OptionSpec]) -> Result<(), OptionError> {
        self.chosen()
            .try_for_each(|(name, value)| known(schema, name)?.read(&value.into()).map(drop))
    }

    /// The options that another method can take too: what one leaves behind when it hands over.
    pub fn kept_by(&self, schema: &'static [OptionSpec]) -> Self {
        let mut kept = Self::default();
        for (name, value) in self.chosen() {
            // What the other one does not know is left behind, which is no error.
            let _ = kept.set(schema, name, &value.into());
        }
        kept
    }
}

/// The option of that name.
fn known(schema: &'static [OptionSpec], name: &str) -> Result<&'static OptionSpec, OptionError> {
    let names = || schema.iter().map(|s| s.name);
    let found = schema.iter().find(|s| s.name == name);
    found.ok_or_else(|| OptionError::Unknown {
        name: name.into(),
        suggestion: nearest_name(name, names()),
        known: names().collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    static SCHEMA: [OptionSpec; 4] = [
        OptionSpec {
            name: "spectral_radius",
            summary: "",
            kind: OptionKind::Real {
                default: 0.9,
                range: [0.0, 1.0],
                unit: "",
            },
        },
        OptionSpec {
            name: "points",
            summary: "",
            kind: OptionKind::Whole {
                default: 2,
                range: [1, 6],
            },
        },
        OptionSpec {
            name: "newton",
            summary: "",
            kind: OptionKind::Choice {
                default: "full",
                words: &[("full", ""), ("modified", "")],
            },
        },
        OptionSpec {
            name: "exact",
            summary: "",
            kind: OptionKind::Switch { default: true },
        },
    ];

    fn set(pairs: &[(&str, &str)]) -> Result<Options, OptionError> {
        let mut options = Options::default();
        for (name, value) in pairs {
            options.set(&SCHEMA, name, &Written::from(*value))?;
        }
        Ok(options)
    }

    #[test]
    fn what_was_chosen_is_there_whatever_the_order_and_the_rest_has_its_default() {
        let options = set(&[("newton", "modified"), ("exact", "false")]).unwrap();
        assert_eq!(options.word(&SCHEMA[2]), "modified");
        assert!(!options.switch(&SCHEMA[3]));
        assert_eq!(options.real(&SCHEMA[0]), 0.9);
        assert_eq!(options.whole(&SCHEMA[1]), 2);
        let other = set(&[("exact", "false"), ("newton", "modified"), ("points", "2")]);
        assert_eq!(other, Ok(options), "a default is no choice");
        assert_eq!(options.check(&SCHEMA), Ok(()));
    }

    #[test]
    fn a_wrong_option_is_an_error_with_the_nearest_name() {
        for (pair, parts) in [
            (
                ("spectral_radus", "1"),
                &["`spectral_radius`", "there are"][..],
            ),
            (("spectral_radius", "1.5"), &["from 0 to 1"]),
            (("spectral_radius", "NaN"), &["from 0 to 1"]),
            (("points", "2.5"), &["a whole number from 1 to 6"]),
            (("points", "7"), &["a whole number from 1 to 6"]),
            (
                ("newton", "modifed"),
                &["`modified`", "one of full, modified"],
            ),
            (("exact", "perhaps"), &["true or false"]),
        ] {
            let error = set(&[pair]).unwrap_err().to_string();
            assert!(parts.iter().all(|p| error.contains(p)), "{error}");
        }
        let none = Options::default().kept_by(&[]);
        assert_eq!(none, Options::default());
        let mut options = none;
        let error = options.set(&[], "newton", &Written::from("full"));
        assert!(
            error
                .unwrap_err()
                .to_string()
                .contains("the method has none")
        );
    }

    #[test]
    fn another_method_keeps_what_it_knows_too() {
        let options = set(&[("newton", "modified"), ("points", "5")]).unwrap();
        let kept = options.kept_by(&SCHEMA[2..]);
        assert_eq!(
            kept.chosen().collect::<Vec<_>>(),
            [("newton", OptionValue::Word("modified"))]
        );
        assert!(options.check(&SCHEMA[2..]).is_err());
    }
}
