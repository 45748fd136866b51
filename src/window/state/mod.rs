//! What several rooms of the window know: what is shown, selected and said.

pub mod draft;
pub mod layers;
pub mod named_views;
pub mod panels;
mod preferences;
pub mod recording;
pub mod selection;
pub mod shell;
pub mod tool;
