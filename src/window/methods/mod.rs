//! Choosing a method, its options and its friction cone.

pub mod budget;
pub mod cone_ui;
pub mod list_ui;
pub mod options_ui;
