//! Sizes of the papers' figures (points).

/// Least width of a card.
pub const CARD: f32 = 280.0;
/// Height of a card.
pub const HEIGHT: f32 = 176.0;
/// Width of its picture.
pub const PICTURE: f32 = 116.0;
/// Room around what is on it.
pub const INSET: f32 = 8.0;
/// Height of the plot beside the view.
pub const PLOT: f32 = 240.0;
