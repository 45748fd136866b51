//! Dense LU with partial pivoting on slices: small systems inside a step, without allocation.

/// Factors the row-major `n`×`n` matrix in place; `order[k]` is the row taken as the k-th pivot.
///
/// A column without any pivot leaves its unknown at zero in [`solve`]; callers that must not meet one
/// regularise before they factor.
#[inline(always)]
pub fn factor(a: &mut [f64], n: usize, order: &mut [usize]) {
    for (k, slot) in order[..n].iter_mut().enumerate() {
        *slot = k;
    }
    for k in 0..n {
        let mut best = k;
        for i in k + 1..n {
            if a[i * n + k].abs() > a[best * n + k].abs() {
                best = i;
            }
        }
        if best != k {
            for j in 0..n {
                a.swap(k * n + j, best * n + j);
            }
            order.swap(k, best);
        }
        let pivot = a[k * n + k];
        if pivot == 0.0 {
            continue;
        }
        let (top, rest) = a.split_at_mut((k + 1) * n);
        let pivot_row = &top[k * n + k + 1..];
        for row in rest.chunks_exact_mut(n).take(n - k - 1) {
            let factor = row[k] / pivot;
            row[k] = factor;
            if factor != 0.0 {
                for (x, p) in row[k + 1..].iter_mut().zip(pivot_row) {
                    *x -= factor * p;
                }
            }
        }
    }
}

/// Solves `A x = b` with the factors of [`factor`].
#[inline(always)]
pub fn solve(a: &[f64], n: usize, order: &[usize], b: impl Fn(usize) -> f64, x: &mut [f64]) {
    for k in 0..n {
        let sum: f64 = a[k * n..k * n + k]
            .iter()
            .zip(x.iter())
            .map(|(l, y)| l * y)
            .sum();
        x[k] = b(order[k]) - sum;
    }
    for k in (0..n).rev() {
        let sum: f64 = a[k * n + k + 1..(k + 1) * n]
            .iter()
            .zip(&x[k + 1..n])
            .map(|(u, y)| u * y)
            .sum();
        let pivot = a[k * n + k];
        x[k] = if pivot == 0.0 {
            0.0
        } else {
            (x[k] - sum) / pivot
        };
    }
}

/// Solves `A X = B` with the factors of [`factor`]: the `n` rows of `m` numbers in `b` become those of `X`.
/// `scratch` holds as many numbers as `b`.
#[inline(always)]
pub fn solve_rows(
    a: &[f64],
    n: usize,
    order: &[usize],
    b: &mut [f64],
    m: usize,
    scratch: &mut [f64],
) {
    scratch[..n * m].copy_from_slice(&b[..n * m]);
    for k in 0..n {
        let from = order[k] * m;
        b[k * m..(k + 1) * m].copy_from_slice(&scratch[from..from + m]);
        let (above, row) = b.split_at_mut(k * m);
        for (i, factor) in a[k * n..k * n + k].iter().enumerate() {
            for (x, y) in row[..m].iter_mut().zip(&above[i * m..(i + 1) * m]) {
                *x -= factor * y;
            }
        }
    }
    for k in (0..n).rev() {
        let (row, below) = b[k * m..n * m].split_at_mut(m);
        for (i, factor) in a[k * n + k + 1..(k + 1) * n].iter().enumerate() {
            for (x, y) in row.iter_mut().zip(&below[i * m..(i + 1) * m]) {
                *x -= factor * y;
            }
        }
        let pivot = a[k * n + k];
        let over = if pivot == 0.0 { 0.0 } else { 1.0 / pivot };
        row.iter_mut().for_each(|x| *x *= over);
    }
}

/// Number of rows of the row-major `n`×`n` matrix that the others imply, by full pivoting: pivots up to `cut` count
/// as zero. Destroys the matrix.
pub fn deficiency(a: &mut [f64], n: usize, cut: f64) -> usize {
    for k in 0..n {
        let mut best = (k, k);
        for i in k..n {
            for j in k..n {
                if a[i * n + j].abs() > a[best.0 * n + best.1].abs() {
                    best = (i, j);
                }
            }
        }
        let pivot = a[best.0 * n + best.1].abs();
        if pivot <= cut {
            return n - k;
        }
        for j in 0..n {
            a.swap(k * n + j, best.0 * n + j);
        }
        for i in 0..n {
            a.swap(i * n + k, i * n + best.1);
        }
        for i in k + 1..n {
            let factor = a[i * n + k] / a[k * n + k];
            for j in k..n {
                a[i * n + j] -= factor * a[k * n + j];
            }
        }
    }
    0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn solves_what_needs_exchanges() {
        let a = [0.0, 2.0, 1.0, 1.0, 0.0, 3.0, 4.0, -1.0, 0.5];
        let x = [1.0, -2.0, 0.25];
        let b: Vec<f64> = (0..3)
            .map(|i| (0..3).map(|j| a[3 * i + j] * x[j]).sum())
            .collect();
        let (mut lu, mut order, mut y) = (a, [0; 3], [0.0; 3]);
        factor(&mut lu, 3, &mut order);
        solve(&lu, 3, &order, |k| b[k], &mut y);
        for k in 0..3 {
            assert!((x[k] - y[k]).abs() < 1e-15);
        }
    }

    #[test]
    fn solves_several_right_hand_sides_as_it_solves_one() {
        let a = [0.0, 2.0, 1.0, 1.0, 0.0, 3.0, 4.0, -1.0, 0.5];
        let b = [3.0, 1.0, -1.0, 0.5, 2.0, 0.0];
        let (mut lu, mut order) = (a, [0; 3]);
        factor(&mut lu, 3, &mut order);
        let (mut rows, mut scratch) = (b, [0.0; 6]);
        solve_rows(&lu, 3, &order, &mut rows, 2, &mut scratch);
        for c in 0..2 {
            let mut x = [0.0; 3];
            solve(&lu, 3, &order, |i| b[2 * i + c], &mut x);
            for k in 0..3 {
                assert!((x[k] - rows[2 * k + c]).abs() < 1e-15);
            }
        }
    }

    #[test]
    fn counts_implied_rows() {
        let mut a = [1.0, 2.0, 3.0, 2.0, 4.0, 6.0, 0.0, 1.0, 1.0];
        assert_eq!(deficiency(&mut a, 3, 1e-12), 1);
        assert_eq!(deficiency(&mut [1.0, 0.0, 0.0, 1e-3], 2, 1e-12), 0);
        assert_eq!(deficiency(&mut [0.0; 4], 2, 1e-12), 2);
        // Rounding alone has no rank of its own.
        assert_eq!(deficiency(&mut [1e-17, 0.0, 0.0, 1e-17], 2, 1e-12), 2);
    }
}
