//! Plots over time and of quantities of one's choice.

pub mod by_method;
pub mod charts;
pub mod custom;
pub mod live_ui;
pub mod residuals;
pub mod store;
