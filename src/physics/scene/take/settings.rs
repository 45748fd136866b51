//! Settings and options as a take writes them.

use super::check::Wrong;
use crate::integrators::{
    FrictionCone, IntegratorInfo, LinearSolver, OptionError, Settings, SettingsError,
};
use crate::scene::settings::{Older, older_option};
use crate::scene::value::OptionWord;
use serde::{Deserialize, Deserializer, Serialize};
use std::collections::BTreeMap;

/// Settings in a file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SettingsRecord {
    dt: f64,
    tolerance: f64,
    max_iterations: u32,
    linear_solver: LinearSolver,
    friction: FrictionCone,
    /// Options of the method that differ from their defaults.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    options: BTreeMap<String, OptionWord>,
    /// An option as versions 1 and 2 wrote it, whatever the method.
    #[serde(default, skip_serializing, deserialize_with = "bare")]
    contact_solver: Option<ContactSolverWord>,
    /// The same: a rate (1/s), 0 for no stabilisation.
    #[serde(default, skip_serializing, deserialize_with = "bare")]
    baumgarte: Option<f64>,
}

/// What may be absent, and stood by itself where it is there.
fn bare<'de, D: Deserializer<'de>, T: Deserialize<'de>>(from: D) -> Result<Option<T>, D::Error> {
    T::deserialize(from).map(Some)
}

/// The words of versions 1 and 2, which stood without quotes.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum ContactSolverWord {
    Hybrid,
    InteriorPoint,
    Newton,
}

impl ContactSolverWord {
    fn word(self) -> &'static str {
        match self {
            Self::Hybrid => "hybrid",
            Self::InteriorPoint => "interior-point",
            Self::Newton => "newton",
        }
    }
}

impl From<&Settings> for SettingsRecord {
    fn from(settings: &Settings) -> Self {
        let Settings {
            dt,
            tolerance,
            max_iterations,
            linear_solver,
            friction,
            options,
        } = *settings;
        let options = options.chosen();
        Self {
            dt,
            tolerance,
            max_iterations,
            linear_solver,
            friction,
            options: options
                .map(|(name, value)| (name.into(), OptionWord(value.into())))
                .collect(),
            contact_solver: None,
            baumgarte: None,
        }
    }
}

impl SettingsRecord {
    /// The settings of a method.
    pub fn read(&self, info: &IntegratorInfo) -> Result<Settings, Wrong> {
        let mut settings = Settings {
            dt: self.dt,
            tolerance: self.tolerance,
            max_iterations: self.max_iterations,
            linear_solver: self.linear_solver,
            friction: self.friction,
            ..Settings::default()
        };
        self.put_older(info, &mut settings)?;
        for (name, OptionWord(written)) in &self.options {
            let set = settings.options.set(info.options, name, written);
            set.map_err(|e| wrong_option(&e))?;
        }
        valid(&settings, info)?;
        Ok(settings)
    }

    /// Sets what an older take says of the options of a method that takes over: it kept them for all methods.
    pub fn put_older(&self, info: &IntegratorInfo, settings: &mut Settings) -> Result<(), Wrong> {
        let older = Older {
            contact_solver: self.contact_solver.map(ContactSolverWord::word),
            baumgarte: self.baumgarte,
        };
        for (_, name, written) in older.options() {
            older_option(&mut settings.options, info, name, &written)
                .map_err(|e| wrong_option(&e))?;
        }
        Ok(())
    }
}

/// Whether a method can take settings.
pub(super) fn valid(settings: &Settings, info: &IntegratorInfo) -> Result<(), Wrong> {
    settings.validate(info).map_err(|error| match error {
        SettingsError::Range {
            field,
            found,
            expected,
        } => (field.into(), found.to_string(), expected.into()),
        SettingsError::Option(error) => wrong_option(&error),
    })
}

fn wrong_option(error: &OptionError) -> Wrong {
    let name = match error {
        OptionError::Unknown { name, .. } => name.clone(),
        OptionError::Value { name, .. } => (*name).into(),
    };
    let expected = "an option of the method and a value that it takes".into();
    (format!("options.{name}"), error.to_string(), expected)
}
