//! From [`SceneFile`] to text that a person can read and edit.

use super::format::SceneFile;
use ron::extensions::Extensions;
use ron::ser::PrettyConfig;

/// The scene as RON, one body, joint or force a line; reading it gives the same scene.
pub fn write(file: &SceneFile) -> String {
    let pretty = PrettyConfig::new()
        .depth_limit(2)
        .indentor("    ")
        .extensions(Extensions::IMPLICIT_SOME);
    let options = ron::Options::default().with_default_extension(Extensions::IMPLICIT_SOME);
    let text = options
        .to_string_pretty(file, pretty)
        .expect("every value of a scene file has a form in RON");
    format!("{text}\n")
}
