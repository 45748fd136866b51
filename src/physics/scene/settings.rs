//! From the integrator of the file to a method and its settings.

use super::check::Check;
use super::error::{Problem, listed};
use super::format::IntegratorFile;
use super::items::Items;
use super::value::{Number, OptionWord};
use crate::integrators::{
    self, DEFAULT, IntegratorInfo, LinearSolver, OptionError, OptionKind, OptionSpec, Options,
    Settings, SettingsError, Written,
};
use crate::solver::MOST_EDGES;

/// Names of the linear solvers.
const LINEAR_SOLVERS: [(&str, LinearSolver); 3] = [
    ("articulated", LinearSolver::Articulated),
    ("block-ldu", LinearSolver::BlockLdu),
    ("dense", LinearSolver::Dense),
];

/// Writes the settings that differ; what they are called, or `None` if none does.
pub(super) fn write(
    file: &mut IntegratorFile,
    before: &Settings,
    after: &Settings,
) -> Option<&'static str> {
    let mut named = None;
    let mut differs = |name, differs: bool| {
        if differs {
            named = Some(name);
        }
        differs
    };
    if differs("dt", before.dt != after.dt) {
        file.dt = Some(Number(after.dt));
    }
    if differs("tolerance", before.tolerance != after.tolerance) {
        file.tolerance = Some(Number(after.tolerance));
    }
    if differs(
        "iteration limit",
        before.max_iterations != after.max_iterations,
    ) {
        file.max_iterations = Some(after.max_iterations);
    }
    if differs("friction cone", before.friction != after.friction) {
        file.friction = Some(after.friction.to_string());
    }
    if differs("linear solver", before.linear_solver != after.linear_solver) {
        let word = LINEAR_SOLVERS.iter().find(|s| s.1 == after.linear_solver);
        file.linear_solver = word.map(|s| s.0.into());
    }
    if before.options != after.options {
        named = Some(changed_option(before, after));
        file.options = Items::default();
        for (name, value) in after.options.chosen() {
            file.options.set(name, OptionWord(value.into()));
        }
        (file.contact_solver, file.baumgarte) = (None, None);
    }
    named
}

/// The option that differs, or the word for several.
fn changed_option(before: &Settings, after: &Settings) -> &'static str {
    let value = |s: &Settings, name: &str| s.options.chosen().find(|o| o.0 == name);
    let names = before.options.chosen().chain(after.options.chosen());
    let mut names = names
        .map(|o| o.0)
        .filter(|n| value(before, n) != value(after, n));
    match (names.next(), names.next()) {
        (Some(name), None) => name,
        _ => "options of the method",
    }
}

/// Leaves the method's own options in a file whose method is another.
pub(super) fn choose(file: &mut IntegratorFile, info: &IntegratorInfo) {
    let known = |name: &str| info.options.iter().any(|o| o.name == name);
    let names = file.options.names().filter(|n| !known(n));
    let foreign: Vec<String> = names.map(Into::into).collect();
    for name in foreign {
        file.options.remove(&name);
    }
    file.method = Some(info.name.into());
}

/// What a setting that is a whole number may be.
pub(super) fn whole_number(field: &str) -> Option<&'static str> {
    let none = Settings {
        max_iterations: 0,
        ..Settings::default()
    };
    match none.validate_shared() {
        Err(SettingsError::Range {
            field: wrong,
            expected,
            ..
        }) if wrong == field => Some(expected),
        _ => None,
    }
}

/// Method and settings of a scene; what is wrong is reported and replaced by the default.
pub(super) fn settings(file: &IntegratorFile, check: &mut Check) -> (String, Settings) {
    let name = file.method.as_deref().unwrap_or(DEFAULT.name);
    let method = integrators::find(name).ok();
    if method.is_none() {
        let path = ["integrator", "method"];
        let known = integrators::REGISTRY.iter().map(|i| i.name);
        check.report(Problem::unknown_name(&path, "integrator", name, known));
    }
    let default = Settings::default();
    let mut settings = Settings {
        dt: file.dt.map_or(default.dt, |n| n.0),
        tolerance: file.tolerance.map_or(default.tolerance, |n| n.0),
        max_iterations: file.max_iterations.unwrap_or(default.max_iterations),
        ..default
    };
    if let Some(name) = &file.linear_solver {
        match LINEAR_SOLVERS.iter().find(|(n, _)| n == name) {
            Some((_, solver)) => settings.linear_solver = *solver,
            None => {
                let path = ["integrator", "linear_solver"];
                let names = LINEAR_SOLVERS.iter().map(|s| s.0);
                check.report(Problem::unknown_name(&path, "linear solver", name, names));
            }
        }
    }
    if let Some(word) = &file.friction {
        match word.parse() {
            Ok(cone) => settings.friction = cone,
            Err(_) => {
                let expected = format!(
                    "\"exact\", or \"linearised-4\" with an even number of edges from 4 to {MOST_EDGES}"
                );
                check.wrong(
                    &["integrator", "friction"],
                    format!("\"{word}\""),
                    &expected,
                );
            }
        }
    }
    if let Some(info) = method {
        options(file, info, &mut settings.options, check);
    }
    match method.map_or_else(
        || settings.validate_shared(),
        |info| settings.validate(info),
    ) {
        Ok(()) => {}
        Err(SettingsError::Range {
            field,
            found,
            expected,
        }) => check.wrong(&["integrator", field], found, expected),
        Err(SettingsError::Option(error)) => {
            let place: &[&str] = match &error {
                OptionError::Value { name, .. } if file.options.get(name).is_some() => {
                    &["options", name]
                }
                OptionError::Value { name, .. } => &[name],
                OptionError::Unknown { .. } => &["options"],
            };
            check.report(of_option(place, error.clone()));
        }
    }
    (name.into(), settings)
}

/// Reads the options of the method, in their older places first.
fn options(file: &IntegratorFile, info: &IntegratorInfo, to: &mut Options, check: &mut Check) {
    let older = Older {
        contact_solver: file.contact_solver.as_deref(),
        baumgarte: file.baumgarte.map(|n| n.0),
    };
    for (place, name, written) in older.options() {
        if let Err(error) = older_option(to, info, name, &written) {
            check.report(of_option(&[place], error));
        }
    }
    for (name, OptionWord(written)) in file.options.iter() {
        let real = |spec: &OptionSpec| matches!(spec.kind, OptionKind::Real { .. });
        let spec = info.options.iter().find(|o| o.name == name);
        let number = match written {
            // Numbers of a scene may be constant expressions.
            Written::Text(text) if spec.is_some_and(real) => Number::read(text),
            _ => None,
        };
        let number = number.map(|n| Written::Number(n.0));
        if let Err(error) = to.set(info.options, name, number.as_ref().unwrap_or(written)) {
            check.report(of_option(&["options", name], error));
        }
    }
}

/// Options as they were before methods had them: fields of the settings, which methods without them did not heed.
pub(super) struct Older<'a> {
    pub contact_solver: Option<&'a str>,
    pub baumgarte: Option<f64>,
}

impl Older<'_> {
    /// The field, and the option and value that it is now.
    pub fn options(&self) -> impl Iterator<Item = (&'static str, &'static str, Written)> {
        let contact = self.contact_solver.map(Written::from);
        let contact = contact.map(|word| ("contact_solver", "contact_solver", word));
        let word = |rate: f64| if rate == 0.0 { "none" } else { "baumgarte" };
        let word = self.baumgarte.map(|rate| Written::from(word(rate)));
        let word = word.map(|word| ("baumgarte", "stabilisation", word));
        let rate = self.baumgarte.filter(|rate| *rate != 0.0);
        let rate = rate.map(|rate| ("baumgarte", "baumgarte", Written::Number(rate)));
        [contact, word, rate].into_iter().flatten()
    }
}

/// Sets an option of an older place if the method has it; a value that no method takes is an error all the same.
pub(super) fn older_option(
    to: &mut Options,
    info: &IntegratorInfo,
    name: &str,
    written: &Written,
) -> Result<(), OptionError> {
    if info.options.iter().any(|o| o.name == name) {
        return to.set(info.options, name, written);
    }
    let mut all = integrators::REGISTRY.iter().flat_map(|i| i.options);
    let spec = all.find(|o| o.name == name);
    spec.map_or(Ok(()), |spec| spec.read(written).map(drop))
}

/// A problem with an option, at a field of the integrator.
fn of_option(field: &[&str], error: OptionError) -> Problem {
    let path = [&["integrator"], field].concat();
    let (found, expected, suggestion) = match error {
        OptionError::Unknown {
            name,
            suggestion,
            known,
        } => (
            format!("no option is named `{name}`"),
            listed("option of the method", known.into_iter()),
            suggestion,
        ),
        OptionError::Value {
            found,
            expected,
            suggestion,
            ..
        } => (found, expected, suggestion),
    };
    Problem {
        suggestion: suggestion.map(Into::into),
        ..Problem::new(&path, found, expected)
    }
}
