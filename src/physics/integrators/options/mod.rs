//! Options of a method: what it declares, and the values that a user has given them.
//!
//! A method declares its options as a list of [`OptionSpec`]. Scenes, command line, window, tables and takes know
//! nothing else about them, so that a new option is one more entry in that list. [`Options`] holds what was chosen
//! and differs from the default; it is small and copied with the settings.

mod spec;
#[cfg(test)]
mod tests;

pub(super) use spec::nearest_name;
pub use spec::{OptionError, OptionKind, OptionSpec, OptionValue, Written};

/// Most options of a method.
pub const MOST_OPTIONS: usize = 12;

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
