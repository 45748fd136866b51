//! The command line as other programs meet it.

pub mod change;
pub mod cli;
pub mod comparison;
pub mod converge;
pub mod examples;
pub mod failures;
pub mod files;
pub mod parting;
pub mod reproduce;
pub mod sweep;
pub mod tables;
