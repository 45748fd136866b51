//! Pictures of scenes and generators, which are part of the program as the scenes are: one for each theme.

use assets::PICTURES;
use physics::scene::Generator;

/// The PNG file of a scene, or of a generator by [`name_of`], on dark or on light.
pub fn picture(name: &str, dark: bool) -> Option<(&'static str, &'static [u8])> {
    let (name, both) = PICTURES.iter().find(|p| p.0 == name)?;
    Some((name, both[usize::from(dark)]))
}

/// The name of a generator's picture, which may be called as a scene is.
pub fn name_of(generator: &Generator) -> String {
    format!("made_{}", generator.name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use physics::scene::{generators, shipped};
    use std::collections::BTreeSet;

    /// Largest file [bytes]: all of them together are part of the program.
    const LARGEST: usize = 10_000;

    #[test]
    fn every_scene_and_every_generator_has_a_picture_and_none_is_left_over() {
        let scenes = shipped().iter().map(|s| s.name.to_owned());
        let wanted: BTreeSet<String> = scenes.chain(generators().iter().map(name_of)).collect();
        let found: BTreeSet<String> = PICTURES.iter().map(|p| p.0.to_owned()).collect();
        assert_eq!(
            found, wanted,
            "`assets/gallery/render` draws what is missing"
        );
        assert_eq!(PICTURES.len(), found.len(), "none twice");
    }

    #[test]
    fn pictures_are_small_and_show_something() {
        let files = PICTURES
            .iter()
            .flat_map(|(name, both)| both.map(|b| (name, b)));
        for (name, bytes) in files {
            assert!(bytes.len() <= LARGEST, "{name}: {} bytes", bytes.len());
            let picture = video::read_png(bytes).unwrap_or_else(|e| panic!("{name}: {e}"));
            assert_eq!(picture.size(), [320, 200], "{name}");
            let colours: BTreeSet<&[u8]> = picture.rgba.chunks_exact(4).collect();
            // Floor, sky and a shaded body; an empty room has a handful.
            assert!(colours.len() >= 24, "{name}: {} colours", colours.len());
        }
    }
}
