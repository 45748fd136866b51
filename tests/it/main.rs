//! The integration tests, in one binary so that the library is linked once: laws, references and orders of
//! convergence as a user of the library sees them, and the command line as other programs meet it.

#[cfg(feature = "app")]
mod accessible;
mod agreement;
#[cfg(feature = "app")]
mod app;
mod bench;
mod benchmarks;
#[cfg(feature = "app")]
mod blind;
mod clearance;
mod cli;
mod cli_change;
mod cli_contact;
mod cli_files;
#[cfg(feature = "app")]
mod compare_panel;
#[cfg(feature = "app")]
mod compare_study;
#[cfg(feature = "app")]
mod compare_window;
mod comparison;
mod conservation;
mod contact_bounce;
mod contact_collisions;
mod contact_drag;
mod contact_energy;
mod contact_laws;
mod contact_limits;
mod contact_piles;
mod contact_push;
mod contact_rebound;
mod contact_redundancy;
mod contact_rolling;
mod contact_scenes;
mod contact_slope;
mod contact_stacks;
mod contact_states;
mod convergence;
mod convergence_study;
mod couplings;
#[cfg(feature = "app")]
mod desk;
mod determinism;
#[cfg(feature = "app")]
mod display;
mod dissipation;
#[cfg(feature = "app")]
mod edit_files;
#[cfg(feature = "app")]
mod edit_panel;
#[cfg(feature = "app")]
mod edit_panel_items;
#[cfg(feature = "app")]
mod edit_view;
mod editing;
mod editing_items;
mod editing_names;
#[cfg(feature = "app")]
mod freeze;
#[cfg(feature = "app")]
mod gallery;
#[cfg(feature = "app")]
mod longest_frame;
mod loops;
mod mechanisms;
mod mouse;
#[cfg(feature = "video")]
mod movie;
mod not_finite;
mod older_takes;
mod options;
#[cfg(feature = "app")]
mod panels;
#[cfg(feature = "app")]
mod past;
#[cfg(feature = "app")]
mod quantities_panel;
mod reactions;
#[cfg(feature = "app")]
mod record;
#[cfg(feature = "app")]
mod record_lanes;
#[cfg(feature = "app")]
mod record_panel;
mod reference;
mod references;
mod scene_contact;
mod scene_damage;
mod scene_document;
mod scene_errors;
mod scene_files;
mod scene_limits;
mod scenes;
#[cfg(feature = "app")]
mod settings;
mod similar;
mod similarity;
#[cfg(feature = "app")]
mod solver_panel;
mod solvers;
mod spin;
mod switching;
mod switching_bounds;
mod takes;
#[cfg(feature = "app")]
mod time_travel;
mod timeline;
mod touching;
#[cfg(feature = "app")]
mod transport;
#[cfg(feature = "video")]
mod video;
#[cfg(feature = "app")]
mod views;
#[cfg(feature = "app")]
mod window;
#[cfg(feature = "app")]
mod window_crash;
#[cfg(feature = "app")]
mod window_journey;
#[cfg(feature = "app")]
mod window_record;
