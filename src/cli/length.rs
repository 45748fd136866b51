//! How long a run lasts.

/// Simulated time of a scene that does not say how long it wants to be watched [s].
pub(super) const DEFAULT_DURATION: f64 = 10.0;

/// Steps that reach a duration [s]; a duration that is a multiple of the step up to rounding is met exactly.
pub(super) fn steps_for(duration: f64, dt: f64) -> u64 {
    let ratio = duration / dt;
    let nearest = ratio.round();
    let steps = if (ratio - nearest).abs() <= 1e-9 * nearest {
        nearest
    } else {
        ratio.ceil()
    };
    steps as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_duration_is_met_by_whole_steps() {
        assert_eq!(steps_for(10.0, 0.01), 1000);
        // 0.3/0.1 is 2.9999999999999996.
        assert_eq!(steps_for(0.3, 0.1), 3);
        assert_eq!(steps_for(0.25, 0.1), 3);
        assert_eq!(steps_for(3600.0, 0.01), 360_000);
        assert_eq!(steps_for(1e-3, 0.01), 1);
    }
}
