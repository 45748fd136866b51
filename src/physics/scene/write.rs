//! From [`SceneFile`] to text that a person can read and edit.

use super::format::{ChartFile, SceneFile};
use ron::extensions::Extensions;
use ron::ser::PrettyConfig;
use serde::Serialize;

/// The scene as RON, one body, joint or force a line; reading it gives the same scene.
pub fn write(file: &SceneFile) -> String {
    format!("{}\n", text(file))
}

/// Plots as the field of a scene file that holds them.
pub fn write_charts(charts: &[ChartFile]) -> String {
    format!("charts: {},\n", text(&charts))
}

fn text(value: &impl Serialize) -> String {
    let pretty = PrettyConfig::new()
        .depth_limit(2)
        .indentor("    ")
        .extensions(Extensions::IMPLICIT_SOME);
    let options = ron::Options::default().with_default_extension(Extensions::IMPLICIT_SOME);
    options
        .to_string_pretty(value, pretty)
        .expect("every value of a scene file has a form in RON")
}
