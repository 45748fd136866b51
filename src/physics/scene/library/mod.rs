//! Scenes that come with the program: authored files, and generators with parameters.

mod bricks;
mod chain;
mod closed_chain;
mod drop;
mod four_bar_chain;
mod net;
mod parameters;
mod parts;
mod pit;
mod random;
mod shipped;
mod slope;
mod sphere_chain;
mod stacks;
mod tree;

pub use parameters::{Parameter, Range};
pub(super) use shipped::mesh;
pub use shipped::{DEFAULT, Shipped, shipped, templates};

use super::error::{SceneError, SceneErrors, listed, nearest};
use super::format::SceneFile;
use parameters::Values;

/// A scene with parameters.
#[derive(Debug, Clone, Copy)]
pub struct Generator {
    /// The word before the colon.
    pub name: &'static str,
    /// One line on what it makes.
    pub description: &'static str,
    /// What may stand behind the colon.
    pub parameters: &'static [Parameter],
    build: fn(&Values) -> SceneFile,
}

/// All generators, in the order of the documentation.
pub fn generators() -> &'static [Generator] {
    &[
        chain::GENERATOR,
        four_bar_chain::GENERATOR,
        closed_chain::GENERATOR,
        net::GENERATOR,
        tree::GENERATOR,
        drop::GENERATOR,
        slope::GENERATOR,
        stacks::BOXES,
        stacks::SPHERES,
        sphere_chain::GENERATOR,
        pit::GENERATOR,
    ]
}

/// Whether a word asks for a generator: a known name, or a misspelt one with a colon behind it.
pub(super) fn names_generator(spec: &str) -> bool {
    let word = spec.split(':').next().unwrap_or(spec);
    let known = generators().iter().map(|g| g.name);
    let misspelt = || {
        spec.contains(':')
            && !word.contains(['/', '\\', '.'])
            && nearest(word, known.clone()).is_some()
    };
    known.clone().any(|name| name == word) || misspelt()
}

/// The generator that a word asks for, and the values of its parameters in their order; `None` if it asks for none.
pub fn parameters(spec: &str) -> Option<(&'static Generator, Vec<String>)> {
    let (name, given) = spec.split_once(':').unwrap_or((spec, ""));
    let generator = generators().iter().find(|g| g.name == name)?;
    let values = Values::parse(spec, generator.parameters, given).ok()?;
    let names = generator.parameters.iter().map(|p| p.name);
    Some((
        generator,
        names.map(|n| values.text(n).to_owned()).collect(),
    ))
}

/// Builds `NAME:key=value,…`; parameters that are left out have their defaults.
pub fn generate(spec: &str) -> Result<SceneFile, SceneErrors> {
    let (name, parameters) = spec.split_once(':').unwrap_or((spec, ""));
    let known = generators().iter().map(|g| g.name);
    let Some(generator) = generators().iter().find(|g| g.name == name) else {
        return Err(SceneErrors(vec![SceneError {
            file: spec.into(),
            found: format!("no generator is named `{name}`"),
            expected: listed("generator", known.clone()),
            suggestion: nearest(name, known),
            ..SceneError::default()
        }]));
    };
    let values = Values::parse(spec, generator.parameters, parameters)?;
    Ok((generator.build)(&values))
}
