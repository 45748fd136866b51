//! The signs on buttons, drawn from lines and areas so that they look alike in every font.

/// A piece of a sign. Places are on a square of sixteen by sixteen, from its upper left corner.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Piece {
    /// A line through points.
    Line(&'static [[f32; 2]]),
    /// A filled convex polygon.
    Area(&'static [[f32; 2]]),
    /// A circle with a radius.
    Ring([f32; 2], f32),
    /// A filled circle with a radius.
    Disc([f32; 2], f32),
}

use Piece::{Area, Disc, Line, Ring};

/// A sign.
pub type Icon = &'static [Piece];

/// Width and height of a button with a sign, and the edge of the sign (points).
pub const BUTTON: [f32; 2] = [26.0, 24.0];
/// See [`BUTTON`].
pub const EDGE: f32 = 15.0;

/// Edge of the square on which signs are described, and the width of their lines on it.
pub const GRID: (f32, f32) = (16.0, 1.4);

/// To the first moment.
pub const START: Icon = &[
    Area(&[[2.0, 2.5], [4.0, 2.5], [4.0, 13.5], [2.0, 13.5]]),
    Area(&[[14.3, 2.5], [14.3, 13.5], [4.7, 8.0]]),
];
/// To the last moment.
pub const END: Icon = &[
    Area(&[[12.0, 2.5], [14.0, 2.5], [14.0, 13.5], [12.0, 13.5]]),
    Area(&[[1.7, 2.5], [11.3, 8.0], [1.7, 13.5]]),
];
/// One step back.
pub const BACK: Icon = &[
    Area(&[[10.8, 2.5], [10.8, 13.5], [1.2, 8.0]]),
    Area(&[[12.2, 2.5], [14.8, 2.5], [14.8, 13.5], [12.2, 13.5]]),
];
/// One step on.
pub const ON: Icon = &[
    Area(&[[5.2, 2.5], [14.8, 8.0], [5.2, 13.5]]),
    Area(&[[1.2, 2.5], [3.8, 2.5], [3.8, 13.5], [1.2, 13.5]]),
];
/// Backwards.
pub const REVERSE: Icon = &[Area(&[[12.8, 2.5], [12.8, 13.5], [3.2, 8.0]])];
/// Forwards.
pub const PLAY: Icon = &[Area(&[[3.2, 2.5], [12.8, 8.0], [3.2, 13.5]])];
/// Stand still.
pub const PAUSE: Icon = &[
    Area(&[[3.5, 2.5], [6.5, 2.5], [6.5, 13.5], [3.5, 13.5]]),
    Area(&[[9.5, 2.5], [12.5, 2.5], [12.5, 13.5], [9.5, 13.5]]),
];

/// The light theme: a sun.
pub const LIGHT: Icon = &[
    Ring([8.0, 8.0], 3.0),
    Line(&[[8.0, 1.0], [8.0, 3.0]]),
    Line(&[[8.0, 13.0], [8.0, 15.0]]),
    Line(&[[1.0, 8.0], [3.0, 8.0]]),
    Line(&[[13.0, 8.0], [15.0, 8.0]]),
    Line(&[[3.1, 3.1], [4.5, 4.5]]),
    Line(&[[11.5, 11.5], [12.9, 12.9]]),
    Line(&[[3.1, 12.9], [4.5, 11.5]]),
    Line(&[[11.5, 4.5], [12.9, 3.1]]),
];
/// The dark theme: a crescent.
pub const DARK: Icon = &[Line(&[
    [6.3, 2.2],
    [4.2, 3.4],
    [2.7, 5.3],
    [2.1, 7.6],
    [2.4, 10.0],
    [3.7, 12.1],
    [5.7, 13.5],
    [8.0, 14.0],
    [10.4, 13.5],
    [12.4, 12.1],
    [13.7, 10.0],
    [11.6, 10.5],
    [9.3, 10.1],
    [7.4, 8.9],
    [6.2, 7.0],
    [5.7, 4.6],
    [6.3, 2.2],
])];

/// A list of scenes.
pub const SCENES: Icon = &[
    Line(&[[2.0, 3.5], [14.0, 3.5]]),
    Line(&[[2.0, 8.0], [14.0, 8.0]]),
    Line(&[[2.0, 12.5], [14.0, 12.5]]),
];
/// A curve over time.
pub const PLOTS: Icon = &[
    Line(&[[2.0, 1.5], [2.0, 14.0], [14.5, 14.0]]),
    Line(&[[4.5, 11.0], [7.0, 6.0], [10.0, 9.0], [14.0, 3.0]]),
];
/// Sliders.
pub const SETTINGS: Icon = &[
    Line(&[[1.5, 3.5], [14.5, 3.5]]),
    Disc([10.5, 3.5], 2.1),
    Line(&[[1.5, 8.0], [14.5, 8.0]]),
    Disc([5.0, 8.0], 2.1),
    Line(&[[1.5, 12.5], [14.5, 12.5]]),
    Disc([11.5, 12.5], 2.1),
];
/// Two bodies and their joint.
pub const INSPECTOR: Icon = &[
    Line(&[[2.0, 13.5], [5.2, 6.8]]),
    Line(&[[8.0, 5.5], [14.0, 9.5]]),
    Ring([6.2, 4.5], 2.4),
    Disc([2.2, 13.2], 1.7),
    Disc([13.7, 9.3], 1.7),
];
/// Sheets above each other.
pub const LAYERS: Icon = &[
    Line(&[[8.0, 1.5], [14.5, 5.0], [8.0, 8.5], [1.5, 5.0], [8.0, 1.5]]),
    Line(&[[1.5, 8.2], [8.0, 11.7], [14.5, 8.2]]),
    Line(&[[1.5, 11.2], [8.0, 14.7], [14.5, 11.2]]),
];
/// A film camera.
pub const RECORD: Icon = &[
    Line(&[
        [1.5, 4.0],
        [10.0, 4.0],
        [10.0, 12.5],
        [1.5, 12.5],
        [1.5, 4.0],
    ]),
    Area(&[[10.8, 7.2], [14.8, 4.5], [14.8, 12.0], [10.8, 9.3]]),
];
/// Two curves that part.
pub const COMPARE: Icon = &[
    Line(&[[1.5, 8.0], [6.0, 8.0], [10.0, 4.0], [14.5, 2.5]]),
    Line(&[[6.0, 8.0], [10.0, 12.0], [14.5, 13.5]]),
];
/// A matrix.
pub const SOLVER: Icon = &[
    Line(&[[4.5, 1.5], [1.8, 1.5], [1.8, 14.5], [4.5, 14.5]]),
    Line(&[[11.5, 1.5], [14.2, 1.5], [14.2, 14.5], [11.5, 14.5]]),
    Disc([5.0, 4.8], 1.2),
    Disc([8.0, 8.0], 1.2),
    Disc([11.0, 11.2], 1.2),
    Disc([11.0, 4.8], 1.2),
];
/// A stopwatch.
pub const PROFILER: Icon = &[
    Ring([8.0, 9.2], 5.4),
    Line(&[[8.0, 9.2], [8.0, 5.8]]),
    Line(&[[6.0, 1.4], [10.0, 1.4]]),
    Line(&[[8.0, 1.4], [8.0, 3.6]]),
    Line(&[[12.2, 3.4], [13.4, 4.6]]),
];
/// A curve, and one more.
pub const QUANTITIES: Icon = &[
    Line(&[[2.0, 1.5], [2.0, 14.0], [14.5, 14.0]]),
    Line(&[[4.5, 11.0], [7.5, 7.5], [10.5, 10.5], [14.0, 9.0]]),
    Line(&[[12.0, 1.2], [12.0, 6.8]]),
    Line(&[[9.2, 4.0], [14.8, 4.0]]),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_lie_within_their_square() {
        let all = [
            START, END, BACK, ON, REVERSE, PLAY, PAUSE, LIGHT, DARK, SCENES, PLOTS, SETTINGS,
            INSPECTOR, LAYERS, RECORD, COMPARE, SOLVER, PROFILER, QUANTITIES,
        ];
        let half = 0.5 * GRID.1;
        for (k, icon) in all.iter().enumerate() {
            for piece in *icon {
                let (points, reach): (&[[f32; 2]], f32) = match piece {
                    Line(points) => (points, half),
                    Area(points) => (points, 0.0),
                    Ring(centre, radius) => (std::slice::from_ref(centre), radius + half),
                    Disc(centre, radius) => (std::slice::from_ref(centre), *radius),
                };
                for x in points.iter().flatten() {
                    let inside = x - reach >= 0.0 && x + reach <= GRID.0;
                    assert!(inside, "sign {k}: {piece:?}");
                }
            }
        }
    }
}
