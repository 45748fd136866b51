//! Symmetric compositions: a step of order 2 repeated over these parts of `dt` has the order in the name.
//!
//! Some parts are negative: the step goes backwards there, which a conservative system does not mind.

use crate::model::Model;

/// Why a composition cannot run a model that dissipates.
pub fn refuse_dissipation(model: &Model) -> Option<String> {
    model.dissipates().then(|| {
        "it steps backwards in time in between, where dampers would feed energy in; \
         remove the damping or take a method that supports dissipation"
            .into()
    })
}

/// Five stages, order 4: `1/(4 - 4^(1/3))` four times around `1 - 4/(4 - 4^(1/3))` (Suzuki 1990).
pub const SUZUKI_4: [f64; 5] = {
    const A: f64 = 0.414_490_771_794_375_77;
    [A, A, 1.0 - 4.0 * A, A, A]
};

/// Nine stages, order 6 (Kahan and Li 1997, method s9odr6a).
pub const KAHAN_LI_6: [f64; 9] = {
    const G: [f64; 5] = [
        0.392_161_444_007_314_1,
        0.332_599_136_789_359_43,
        -0.706_246_172_557_639_3,
        0.082_213_596_293_550_8,
        0.798_543_990_934_83,
    ];
    [G[0], G[1], G[2], G[3], G[4], G[3], G[2], G[1], G[0]]
};

/// Fifteen stages, order 8 (Suzuki and Umeno 1993; s15odr8 of Kahan and Li 1997).
pub const KAHAN_LI_8: [f64; 15] = {
    const G: [f64; 8] = [
        0.741_670_364_350_613,
        -0.409_100_825_800_031_6,
        0.190_754_710_296_238_4,
        -0.573_862_471_116_082_2,
        0.299_064_181_303_655_9,
        0.334_624_918_245_298_16,
        0.315_293_092_396_766_6,
        -0.796_887_939_352_916_4,
    ];
    [
        G[0], G[1], G[2], G[3], G[4], G[5], G[6], G[7], G[6], G[5], G[4], G[3], G[2], G[1], G[0],
    ]
};

#[cfg(test)]
mod tests {
    use super::*;

    /// Order conditions of a symmetric composition: the parts sum to 1 and their cubes to 0; the fifth and
    /// seventh powers too for orders above 4 and 6.
    #[test]
    fn parts_satisfy_the_power_sums() {
        let power = |s: &[f64], k: i32| s.iter().map(|g| g.powi(k)).sum::<f64>();
        for (stages, order) in [(&SUZUKI_4[..], 4), (&KAHAN_LI_6, 6), (&KAHAN_LI_8, 8)] {
            assert!((power(stages, 1) - 1.0).abs() < 1e-15);
            for k in (3..order).step_by(2) {
                // The coefficients carry 16 digits.
                assert!(power(stages, k).abs() < 1e-14, "order {order}, power {k}");
            }
        }
        assert!((SUZUKI_4[0] - 1.0 / (4.0 - 4f64.cbrt())).abs() < 1e-16);
    }
}
