//! Named items in the order of the file.
//!
//! A plain map would sort `link_10` before `link_2` and let a second item of the same name replace the first.

use serde::de::{Deserialize, Deserializer, Error, MapAccess, Visitor};
use serde::ser::{Serialize, SerializeMap, Serializer};
use std::collections::BTreeMap;
use std::fmt;
use std::marker::PhantomData;

/// Items by name, in the order of the file; every name occurs once.
#[derive(Debug, Clone, PartialEq)]
pub struct Items<T> {
    items: Vec<(String, T)>,
    places: BTreeMap<String, usize>,
}

impl<T> Default for Items<T> {
    fn default() -> Self {
        Self {
            items: Vec::new(),
            places: BTreeMap::new(),
        }
    }
}

impl<T> Items<T> {
    /// Adds an item; gives it back if the name is taken.
    pub fn insert(&mut self, name: impl Into<String>, item: T) -> Result<(), T> {
        let name = name.into();
        if self.get(&name).is_some() {
            return Err(item);
        }
        self.places.insert(name.clone(), self.items.len());
        self.items.push((name, item));
        Ok(())
    }

    /// Replaces the item of that name, or adds it behind the others.
    pub fn set(&mut self, name: impl Into<String>, item: T) {
        let name = name.into();
        match self.places.get(&name) {
            Some(&k) => self.items[k].1 = item,
            None => {
                self.places.insert(name.clone(), self.items.len());
                self.items.push((name, item));
            }
        }
    }

    /// Takes the item of that name out, if it is there.
    pub fn remove(&mut self, name: &str) -> Option<T> {
        let k = self.places.remove(name)?;
        for place in self.places.values_mut() {
            *place -= usize::from(*place > k);
        }
        Some(self.items.remove(k).1)
    }

    /// Gives an item another name in its place, unless that is taken; true if it did.
    pub fn rename(&mut self, from: &str, to: &str) -> bool {
        if self.places.contains_key(to) {
            return false;
        }
        let Some(k) = self.places.remove(from) else {
            return false;
        };
        self.places.insert(to.to_owned(), k);
        to.clone_into(&mut self.items[k].0);
        true
    }

    /// Changes every item in place.
    pub fn change(&mut self, change: impl FnMut(&mut T)) {
        self.items.iter_mut().map(|(_, item)| item).for_each(change);
    }

    /// Place of that name in the order.
    pub fn place(&self, name: &str) -> Option<usize> {
        self.places.get(name).copied()
    }

    /// The item of that name.
    pub fn get(&self, name: &str) -> Option<&T> {
        self.places.get(name).map(|&k| &self.items[k].1)
    }

    /// Names and items in order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &T)> + Clone {
        self.items.iter().map(|(name, item)| (name.as_str(), item))
    }

    /// Names in order.
    pub fn names(&self) -> impl Iterator<Item = &str> + Clone {
        self.items.iter().map(|(name, _)| name.as_str())
    }

    /// Number of items.
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }
}

impl<T: Serialize> Serialize for Items<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.items.len()))?;
        for (name, item) in &self.items {
            map.serialize_entry(name, item)?;
        }
        map.end()
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Items<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct ItemsVisitor<T>(PhantomData<T>);
        impl<'de, T: Deserialize<'de>> Visitor<'de> for ItemsVisitor<T> {
            type Value = Items<T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("named items, as in { \"name\": (…) }")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Items<T>, A::Error> {
                let mut items = Items::default();
                while let Some(name) = map.next_key::<String>()? {
                    // Before the value, so that the error stands at the second name.
                    if items.get(&name).is_some() {
                        return Err(A::Error::custom(format!(
                            "a second item named `{name}`; names must differ"
                        )));
                    }
                    let item = map.next_value()?;
                    items.places.insert(name.clone(), items.items.len());
                    items.items.push((name, item));
                }
                Ok(items)
            }
        }
        deserializer.deserialize_map(ItemsVisitor(PhantomData))
    }
}
