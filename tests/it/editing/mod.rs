//! Edits of scenes: their text, the state they carry over, the panels that make them.

pub mod desk;
pub mod edits;
#[cfg(feature = "app")]
pub mod files;
pub mod items;
#[cfg(feature = "app")]
pub mod kept;
pub mod names;
#[cfg(feature = "app")]
pub mod panel;
#[cfg(feature = "app")]
pub mod panel_items;
#[cfg(feature = "app")]
pub mod panel_surfaces;
pub mod taken;
#[cfg(feature = "app")]
pub mod view;
