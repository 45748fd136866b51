//! Sizes of the tiles' tabs and of what stands in a tile (points).

/// Height of the bar of tabs above a panel.
pub const BAR: f32 = 24.0;
/// What is at both sides of a title in it.
pub const MARGIN: f32 = 9.0;
/// The cross that closes a panel.
pub const CROSS: f32 = 14.0;
/// What is left free at the sides of a panel, and above and below what it holds.
pub const PANEL: [f32; 2] = [10.0, 8.0];
