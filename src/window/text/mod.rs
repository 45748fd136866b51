//! Words for numbers, and how well a text answers a search.

pub mod format;
pub mod fuzzy;
