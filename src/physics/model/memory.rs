//! What a method remembers beside the knot: words that it alone understands.

use serde::de::{
    DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Unexpected, Visitor,
};
use serde::{Deserialize, Serialize};
use std::fmt;

/// Memory of the method in use: accelerations, past velocities, second multipliers, a history of step sizes.
///
/// A method lays it out as it likes, writes numbers by [`f64::to_bits`], and reads it through a view of its own. It
/// is copied, hashed, compared and saved like the rest of the state by all others, who know no more of it than its
/// length. A method empties it when it adopts a state, so that it never reads another's; but a file may hold
/// anything, and an option may change the layout while the state goes on, so a view takes words that do not fit for
/// nothing remembered.
#[derive(Debug, PartialEq, Eq, Default, Serialize)]
#[serde(transparent)]
pub struct Memory {
    /// The words.
    pub words: Vec<u64>,
}

// Copies into an existing memory keep its room, which the derived `clone_from` would not.
impl Clone for Memory {
    fn clone(&self) -> Self {
        Self {
            words: self.words.clone(),
        }
    }

    fn clone_from(&mut self, from: &Self) {
        self.words.clone_from(&from.words);
    }
}

impl<'de> Deserialize<'de> for Memory {
    /// Reads the words; of anything nested, as earlier versions wrote it with named parts, the numbers in their order,
    /// which is that of the hash.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut words = Vec::new();
        Numbers(&mut words).deserialize(deserializer)?;
        Ok(Self { words })
    }
}

/// Takes in all numbers of a value, in order.
struct Numbers<'a>(&'a mut Vec<u64>);

impl<'de> DeserializeSeed<'de> for Numbers<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Numbers<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("whole numbers, or lists of numbers")
    }

    fn visit_u64<E: Error>(self, word: u64) -> Result<(), E> {
        self.0.push(word);
        Ok(())
    }

    fn visit_i64<E: Error>(self, word: i64) -> Result<(), E> {
        let word = u64::try_from(word);
        self.0.push(word.map_err(|_| {
            E::invalid_value(
                Unexpected::Other("a number below 0"),
                &"a word, which has no sign",
            )
        })?);
        Ok(())
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<(), E> {
        self.0.push(number.to_bits());
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<(), A::Error> {
        while seq.next_element_seed(Numbers(self.0))?.is_some() {}
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while map.next_key::<IgnoredAny>()?.is_some() {
            map.next_value_seed(Numbers(self.0))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_come_back_to_the_last_bit_and_named_parts_as_words() {
        let words = [0, u64::MAX, (-0.0_f64).to_bits(), f64::NAN.to_bits(), 7];
        let memory = Memory {
            words: words.to_vec(),
        };
        let text = serde_json::to_string(&memory).unwrap();
        assert_eq!(serde_json::from_str::<Memory>(&text).unwrap(), memory);
        let older = r#"{"past": [[{"linear": [1.5, 0.0, -0.0]}], []], "intervals": [0.01], "iterations": 3}"#;
        let read: Memory = serde_json::from_str(older).unwrap();
        let floats = [1.5, 0.0, -0.0, 0.01].map(f64::to_bits);
        assert_eq!(read.words, [&floats[..], &[3]].concat());
        assert!(serde_json::from_str::<Memory>("[-1]").is_err());
        assert!(serde_json::from_str::<Memory>(r#"["one"]"#).is_err());
    }
}
