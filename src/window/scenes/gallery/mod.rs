//! The gallery's own state, its pictures, and which scenes it shows.

pub mod pictures;

use bevy::prelude::Resource;
use physics::scene::Generator;
use std::collections::BTreeMap;

/// What is typed and chosen in the gallery.
#[derive(Resource, Debug, Clone, PartialEq, Default)]
pub struct GalleryState {
    /// What is searched for.
    pub search: String,
    /// Whether the search field takes the keys as soon as it is drawn.
    pub wants_keys: bool,
    /// Parameters of generators that differ from their defaults.
    values: BTreeMap<(&'static str, &'static str), String>,
}

impl GalleryState {
    /// A gallery that was asked for, whose search field takes the keys.
    pub fn asked() -> Self {
        Self {
            wants_keys: true,
            ..Self::default()
        }
    }

    /// The value of a parameter as it is written behind its name.
    pub fn value(&self, generator: &Generator, parameter: &'static str) -> String {
        let chosen = self.values.get(&(generator.name, parameter));
        let default = || {
            let known = generator.parameters.iter().find(|p| p.name == parameter);
            known.map_or(String::new(), |p| p.default.into())
        };
        chosen.cloned().unwrap_or_else(default)
    }

    /// Chooses a value of a parameter.
    pub fn choose(&mut self, generator: &Generator, parameter: &'static str, value: String) {
        let known = generator.parameters.iter().find(|p| p.name == parameter);
        let key = (generator.name, parameter);
        if known.is_some_and(|p| p.default == value) {
            self.values.remove(&key);
        } else {
            self.values.insert(key, value);
        }
    }

    /// What opens a generator with the values chosen.
    pub fn spec(&self, generator: &Generator) -> String {
        let chosen = generator.parameters.iter().filter_map(|p| {
            let value = self.values.get(&(generator.name, p.name))?;
            Some(format!("{}={value}", p.name))
        });
        let chosen: Vec<String> = chosen.collect();
        format!("{}:{}", generator.name, chosen.join(","))
    }
}

/// What a generator is called.
pub fn title(generator: &Generator) -> String {
    let words = generator.name.replace('-', " ");
    let mut rest = words.chars();
    let first = rest.next().map(|c| c.to_uppercase().to_string());
    first.unwrap_or_default() + rest.as_str()
}

/// Whether a text holds every word of a search.
pub fn holds(text: &str, search: &str) -> bool {
    let text = text.to_lowercase();
    let mut words = search.split_whitespace();
    words.all(|word| text.contains(&word.to_lowercase()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use physics::scene::{generate, generators};

    #[test]
    fn a_generator_is_asked_for_what_was_chosen_and_nothing_else() {
        let chain = generators().iter().find(|g| g.name == "chain").unwrap();
        let mut state = GalleryState::default();
        assert_eq!(state.spec(chain), "chain:");
        state.choose(chain, "joint", "spherical".into());
        state.choose(chain, "links", "7".into());
        assert_eq!(state.spec(chain), "chain:links=7,joint=spherical");
        assert_eq!(state.value(chain, "links"), "7");
        let file = generate(&state.spec(chain)).unwrap();
        assert_eq!(file.bodies.iter().count(), 7);
        state.choose(chain, "links", "20".into());
        assert_eq!(state.spec(chain), "chain:joint=spherical");
        assert_eq!(state.value(chain, "links"), "20");
    }

    #[test]
    fn every_word_of_a_search_must_occur() {
        assert!(holds("Newton's cradle newtons_cradle", "CRADLE newton"));
        assert!(!holds("Newton's cradle", "cradle box"));
        assert!(holds("anything", "  "));
    }
}
