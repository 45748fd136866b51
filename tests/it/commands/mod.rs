//! The command line as other programs meet it.

pub mod change;
pub mod cli;
pub mod comparison;
pub mod files;
