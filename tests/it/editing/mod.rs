//! Edits of scenes: their text, the state they carry over, the panels that make them.

pub mod edits;
#[cfg(feature = "window")]
pub mod files;
pub mod fixture;
#[cfg(feature = "window")]
mod ground;
pub mod items;
#[cfg(feature = "window")]
pub mod kept;
pub mod names;
#[cfg(feature = "window")]
pub mod panel;
#[cfg(feature = "window")]
pub mod panel_items;
#[cfg(feature = "window")]
pub mod panel_surfaces;
pub mod taken;
#[cfg(feature = "window")]
pub mod view;
