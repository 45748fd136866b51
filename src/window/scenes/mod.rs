//! Scenes to choose from, and how one is opened.

pub mod files;
pub mod gallery;
pub mod gallery_ui;
pub mod list_ui;
pub mod opening;
pub mod opening_ui;
pub mod textures;
