//! The integration tests, in one binary so that the library is linked once: laws, references and orders of
//! convergence as a user of the library sees them, and the command line as other programs meet it.

mod commands;
mod contact;
mod editing;
mod mechanics;
mod recording;
mod scenes;
mod time;
#[cfg(feature = "window")]
mod window;
