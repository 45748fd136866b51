//! From the integrator of the file to a method and its settings.

use super::check::Check;
use super::error::Problem;
use super::format::IntegratorFile;
use super::value::Number;
use crate::integrators::{self, ContactSolver, LinearSolver, Settings};
use crate::solver::MOST_EDGES;

/// The method of a scene that names none.
const METHOD: &str = "variational-2";

/// Names of the linear solvers.
const LINEAR_SOLVERS: [(&str, LinearSolver); 3] = [
    ("articulated", LinearSolver::Articulated),
    ("block-ldu", LinearSolver::BlockLdu),
    ("dense", LinearSolver::Dense),
];

/// Names of the contact solvers.
const CONTACT_SOLVERS: [(&str, ContactSolver); 3] = [
    ("hybrid", ContactSolver::Hybrid),
    ("interior-point", ContactSolver::InteriorPoint),
    ("newton", ContactSolver::Newton),
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
    if differs("stabilisation", before.baumgarte != after.baumgarte) {
        file.baumgarte = Some(Number(after.baumgarte));
    }
    if differs("friction cone", before.friction != after.friction) {
        file.friction = Some(after.friction.to_string());
    }
    if differs("linear solver", before.linear_solver != after.linear_solver) {
        let word = LINEAR_SOLVERS.iter().find(|s| s.1 == after.linear_solver);
        file.linear_solver = word.map(|s| s.0.into());
    }
    if differs(
        "contact solver",
        before.contact_solver != after.contact_solver,
    ) {
        let word = CONTACT_SOLVERS.iter().find(|s| s.1 == after.contact_solver);
        file.contact_solver = word.map(|s| s.0.into());
    }
    named
}

/// What a setting that is a whole number may be.
pub(super) fn whole_number(field: &str) -> Option<&'static str> {
    let none = Settings {
        max_iterations: 0,
        ..Settings::default()
    };
    let error = none.validate().err()?;
    (error.field == field).then_some(error.expected)
}

/// Method and settings of a scene; what is wrong is reported and replaced by the default.
pub(super) fn settings(file: &IntegratorFile, check: &mut Check) -> (String, Settings) {
    let known = || integrators::REGISTRY.iter().map(|i| i.name);
    if let Some(name) = &file.method
        && !known().any(|k| k == name)
    {
        let path = ["integrator", "method"];
        check.report(Problem::unknown_name(&path, "integrator", name, known()));
    }
    let method = file.method.clone().unwrap_or_else(|| METHOD.into());
    let default = Settings::default();
    let mut settings = Settings {
        dt: file.dt.map_or(default.dt, |n| n.0),
        tolerance: file.tolerance.map_or(default.tolerance, |n| n.0),
        max_iterations: file.max_iterations.unwrap_or(default.max_iterations),
        baumgarte: file.baumgarte.map_or(default.baumgarte, |n| n.0),
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
    if let Some(name) = &file.contact_solver {
        match CONTACT_SOLVERS.iter().find(|(n, _)| n == name) {
            Some((_, solver)) => settings.contact_solver = *solver,
            None => {
                let path = ["integrator", "contact_solver"];
                let names = CONTACT_SOLVERS.iter().map(|s| s.0);
                check.report(Problem::unknown_name(&path, "contact solver", name, names));
            }
        }
    }
    if let Err(error) = settings.validate() {
        let path = ["integrator", error.field];
        check.wrong(&path, error.found, error.expected);
    }
    (method, settings)
}
