//! Products of small dense blocks that lie in one array: the inner loop of block factorisations.

/// `C -= A B` for row-major blocks in `values`: `C` at `target`, `A` and `B` at `factors`, of sizes
/// `(rows, inner, columns)`, with up to 6 columns for the fast way. With `FUSED` it must be compiled for a processor that has
/// AVX2 and FMA.
#[inline(always)]
pub fn by_size<const FUSED: bool>(
    values: &mut [f64],
    target: usize,
    factors: (usize, usize),
    (rows, inner, columns): (usize, usize, usize),
) {
    macro_rules! choose {
        ($($n:literal)*) => {
            match columns {
                $($n => fixed::<FUSED, $n>(values, target, factors, rows, inner),)*
                _ => any(values, target, factors, (rows, inner, columns)),
            }
        };
    }
    choose!(1 2 3 4 5 6)
}

/// The product with a number of columns known when compiled, which lets a row stay in registers.
#[inline(always)]
fn fixed<const FUSED: bool, const C: usize>(
    values: &mut [f64],
    target: usize,
    (a, b): (usize, usize),
    rows: usize,
    inner: usize,
) {
    for r in 0..rows {
        let mut row = [0.0; C];
        row.copy_from_slice(&values[target + r * C..target + (r + 1) * C]);
        for q in 0..inner {
            let factor = values[a + r * inner + q];
            let other = &values[b + q * C..b + (q + 1) * C];
            for c in 0..C {
                row[c] = if FUSED {
                    f64::mul_add(-factor, other[c], row[c])
                } else {
                    row[c] - factor * other[c]
                };
            }
        }
        values[target + r * C..target + (r + 1) * C].copy_from_slice(&row);
    }
}

fn any(
    values: &mut [f64],
    target: usize,
    (a, b): (usize, usize),
    (rows, inner, columns): (usize, usize, usize),
) {
    for r in 0..rows {
        for c in 0..columns {
            let sum: f64 = (0..inner)
                .map(|q| values[a + r * inner + q] * values[b + q * columns + c])
                .sum();
            values[target + r * columns + c] -= sum;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All sizes up to 7, both ways, against the definition; products of numbers below 1 round below 1e-15.
    #[test]
    fn products_are_those_of_the_definition() {
        let mut values: Vec<f64> = (0..200)
            .map(|k| f64::from(k * 37 % 101) / 101.0 - 0.4)
            .collect();
        for rows in 1..8 {
            for inner in 1..8 {
                for columns in 1..8 {
                    let (a, b, c) = (0, 50, 100);
                    let before = values.clone();
                    for way in [by_size::<false>, by_size::<true>] {
                        values.clone_from(&before);
                        way(&mut values, c, (a, b), (rows, inner, columns));
                        for r in 0..rows {
                            for k in 0..columns {
                                let sum: f64 = (0..inner)
                                    .map(|q| {
                                        before[a + r * inner + q] * before[b + q * columns + k]
                                    })
                                    .sum();
                                let at = c + r * columns + k;
                                assert!((values[at] - (before[at] - sum)).abs() < 1e-14);
                            }
                        }
                        let untouched = c + rows * columns;
                        assert_eq!(values[untouched..], before[untouched..]);
                        assert_eq!(values[..c], before[..c]);
                    }
                    values.clone_from(&before);
                }
            }
        }
    }
}
