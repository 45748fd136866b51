//! The window: panels, views, pointer, keys, as a user meets them.

pub mod accessible;
pub mod app;
pub mod blind;
pub mod compare_panel;
pub mod compare_study;
pub mod compare_window;
pub mod crash;
pub mod desk;
pub mod display;
pub mod freeze;
pub mod gallery;
pub mod journey;
pub mod longest_frame;
pub mod panels;
pub mod quantities_panel;
pub mod record;
pub mod record_panel;
pub mod settings;
pub mod shell;
pub mod solver_panel;
pub mod transport;
pub mod views;
