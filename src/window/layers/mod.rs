//! Layers of the view: their list, their legend, and names of bodies.

pub mod legend_ui;
pub mod list_ui;
pub mod names_ui;
