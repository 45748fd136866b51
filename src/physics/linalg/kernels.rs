//! Kernels of block factorisations on small dense blocks, row by row in one array, in vector lanes.
//!
//! All are generic in the [`Lanes`] of the processor and compiled once for each usual size by [`sized`]; sizes that no joint
//! or body has go the plain way of [`lu`](super::lu).

use super::lu;
use crate::math::lanes::{Lanes, V4};

/// Largest size of a block that goes through lanes.
pub const LARGEST: usize = 6;

/// An expression in the size of a block and the vectors of a row of it, compiled for each of the usual sizes.
macro_rules! sized {
    ($size:expr, ($n:ident, $w:ident) => $fast:expr, _ => $slow:expr) => {
        match $size {
            1 => $crate::linalg::kernels::sized!(@ $n = 1, $w = 1, $fast),
            2 => $crate::linalg::kernels::sized!(@ $n = 2, $w = 1, $fast),
            3 => $crate::linalg::kernels::sized!(@ $n = 3, $w = 1, $fast),
            4 => $crate::linalg::kernels::sized!(@ $n = 4, $w = 1, $fast),
            5 => $crate::linalg::kernels::sized!(@ $n = 5, $w = 2, $fast),
            6 => $crate::linalg::kernels::sized!(@ $n = 6, $w = 2, $fast),
            _ => $slow,
        }
    };
    (@ $n:ident = $size:literal, $w:ident = $vectors:literal, $body:expr) => {{
        const $w: usize = $vectors;
        let $n: usize = $size;
        $body
    }};
}
pub(crate) use sized;

/// A row in `W` vectors, with zeros behind it.
type Row<L, const W: usize> = [L; W];

// Loops throughout, and no closures on lanes: these would not be compiled for the processor of the function that they are in.

#[inline(always)]
fn read<L: Lanes, const W: usize>(row: &[f64]) -> Row<L, W> {
    let n = row.len();
    let mut lanes = [L::zero(); W];
    for v in 0..W {
        lanes[v] = L::read(&row[(4 * v).min(n)..(4 * v + 4).min(n)]);
    }
    lanes
}

#[inline(always)]
fn write<L: Lanes, const W: usize>(lanes: &Row<L, W>, row: &mut [f64]) {
    let n = row.len();
    for v in 0..W {
        lanes[v].write(&mut row[(4 * v).min(n)..(4 * v + 4).min(n)]);
    }
}

/// `row - factor * other`.
#[inline(always)]
fn less<L: Lanes, const W: usize>(mut row: Row<L, W>, factor: f64, other: &Row<L, W>) -> Row<L, W> {
    let factor = L::splat(factor);
    for v in 0..W {
        row[v] = factor.fnma(other[v], row[v]);
    }
    row
}

/// `C -= A B` for blocks in `values`: `C` at `target`, `A` and `B` at `factors`, of sizes `(rows, inner, columns)`.
#[inline(always)]
pub fn subtract_product<L: Lanes>(
    values: &mut [f64],
    target: usize,
    (a, b): (usize, usize),
    (rows, inner, columns): (usize, usize, usize),
) {
    sized!(columns, (c, W) => {
        let mut r = 0;
        // Three rows at a time stay in registers.
        while r < rows {
            let at = (target + r * c, a + r * inner, b);
            match rows - r {
                1 => subtract_rows::<L, W, 1>(values, at, inner, c),
                2 => subtract_rows::<L, W, 2>(values, at, inner, c),
                _ => subtract_rows::<L, W, 3>(values, at, inner, c),
            }
            r += 3;
        }
    }, _ => {
        for r in 0..rows {
            for c in 0..columns {
                let products = (0..inner).map(|q| values[a + r * inner + q] * values[b + q * columns + c]);
                let sum: f64 = products.sum();
                values[target + r * columns + c] -= sum;
            }
        }
    });
}

#[inline(always)]
fn subtract_rows<L: Lanes, const W: usize, const R: usize>(
    values: &mut [f64],
    (target, a, b): (usize, usize, usize),
    inner: usize,
    columns: usize,
) {
    let (left, right) = (&values[a..a + R * inner], &values[b..b + inner * columns]);
    let own = &values[target..target + R * columns];
    let mut rows = [[L::zero(); W]; R];
    for r in 0..R {
        rows[r] = read(&own[r * columns..(r + 1) * columns]);
    }
    for q in 0..inner {
        let other = read(&right[q * columns..(q + 1) * columns]);
        for r in 0..R {
            rows[r] = less(rows[r], left[r * inner + q], &other);
        }
    }
    let own = &mut values[target..target + R * columns];
    for r in 0..R {
        write(&rows[r], &mut own[r * columns..(r + 1) * columns]);
    }
}

/// Factors a square block of `n` rows in place as [`lu::factor`] does, with the same order of rows.
#[inline(always)]
pub fn factor<L: Lanes>(a: &mut [f64], n: usize, order: &mut [usize]) {
    sized!(n, (n, W) => factor_sized::<L, W>(&mut a[..n * n], n, order), _ => lu::factor(a, n, order));
}

#[inline(always)]
fn factor_sized<L: Lanes, const W: usize>(a: &mut [f64], n: usize, order: &mut [usize]) {
    let order = &mut order[..n];
    for (k, slot) in order.iter_mut().enumerate() {
        *slot = k;
    }
    // Single numbers written into a row would make its next load wait: they come into their places last.
    let mut lower = [[0.0; LARGEST]; LARGEST];
    for k in 0..n {
        let (mut best, mut size) = (k, a[k * n + k].abs());
        for i in k + 1..n {
            let other = a[i * n + k].abs();
            if other > size {
                (best, size) = (i, other);
            }
        }
        if best != k {
            let (top, low) = (
                read::<L, W>(&a[k * n..(k + 1) * n]),
                read::<L, W>(&a[best * n..(best + 1) * n]),
            );
            write(&low, &mut a[k * n..(k + 1) * n]);
            write(&top, &mut a[best * n..(best + 1) * n]);
            order.swap(k, best);
            lower.swap(k, best);
        }
        let pivot = a[k * n + k];
        if pivot == 0.0 {
            continue;
        }
        let over = 1.0 / pivot;
        let mut top = read::<L, W>(&a[k * n..(k + 1) * n]);
        for v in 0..W {
            top[v] = top[v].mul(L::load(&BEHIND[k][v]));
        }
        for i in k + 1..n {
            let row = &mut a[i * n..(i + 1) * n];
            lower[i][k] = row[k] * over;
            let left = less(read(row), lower[i][k], &top);
            write(&left, row);
        }
    }
    for i in 1..n {
        a[i * n..i * n + i].copy_from_slice(&lower[i][..i]);
    }
}

/// Ones behind each column.
const BEHIND: [[V4; 2]; LARGEST] = {
    let mut all = [[V4([0.0; 4]); 2]; LARGEST];
    let mut k = 0;
    while k < LARGEST {
        let mut j = k + 1;
        while j < LARGEST {
            all[k][j / 4].0[j % 4] = 1.0;
            j += 1;
        }
        k += 1;
    }
    all
};

/// Solves `A X = B` with the factors of [`factor`]: the `n` rows of `m` numbers in `b` become those of `X`. `scratch` holds
/// as many numbers as `b`.
#[inline(always)]
pub fn solve_rows<L: Lanes>(
    a: &[f64],
    n: usize,
    order: &[usize],
    b: &mut [f64],
    m: usize,
    scratch: &mut [f64],
) {
    if n > LARGEST {
        return lu::solve_rows(a, n, order, b, m, scratch);
    }
    sized!(m, (m, W) => solve_sized::<L, W>(&a[..n * n], n, &order[..n], &mut b[..n * m], m),
        _ => lu::solve_rows(a, n, order, b, m, scratch));
}

#[inline(always)]
fn solve_sized<L: Lanes, const W: usize>(
    a: &[f64],
    n: usize,
    order: &[usize],
    b: &mut [f64],
    m: usize,
) {
    let mut rows = [[L::zero(); W]; LARGEST];
    for k in 0..n {
        rows[k] = read(&b[order[k] * m..(order[k] + 1) * m]);
        for i in 0..k {
            rows[k] = less(rows[k], a[k * n + i], &rows[i]);
        }
    }
    for k in (0..n).rev() {
        for i in k + 1..n {
            rows[k] = less(rows[k], a[k * n + i], &rows[i]);
        }
        let pivot = a[k * n + k];
        let over = L::splat(if pivot == 0.0 { 0.0 } else { 1.0 / pivot });
        for v in 0..W {
            rows[k][v] = rows[k][v].mul(over);
        }
        write(&rows[k], &mut b[k * m..(k + 1) * m]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::lanes::Plain;

    /// Numbers between -1 and 1 without a pattern.
    fn numbers(count: usize, seed: usize) -> Vec<f64> {
        let mut x = seed as u64;
        let mut number = || {
            x = x
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (x >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
        };
        (0..count).map(|_| number()).collect()
    }

    /// All sizes up to 7 against the definition; products of numbers below 1 round below 1e-15.
    fn products<L: Lanes>() {
        let before = numbers(200, 0);
        for (rows, inner, columns) in sizes() {
            let (a, b, c) = (0, 50, 100);
            let mut values = before.clone();
            subtract_product::<L>(&mut values, c, (a, b), (rows, inner, columns));
            for r in 0..rows {
                for k in 0..columns {
                    let product = |q| before[a + r * inner + q] * before[b + q * columns + k];
                    let sum: f64 = (0..inner).map(product).sum();
                    let at = c + r * columns + k;
                    assert!((values[at] - (before[at] - sum)).abs() < 1e-14);
                }
            }
            let untouched = c + rows * columns;
            assert_eq!(values[untouched..], before[untouched..]);
            assert_eq!(values[..c], before[..c]);
        }
    }

    fn sizes() -> impl Iterator<Item = (usize, usize, usize)> {
        (0..343).map(|k| (1 + k / 49, 1 + k / 7 % 7, 1 + k % 7))
    }

    /// Factors and solutions against those of [`lu`], with exchanges of rows and with a column without pivot.
    fn solutions<L: Lanes>() {
        for (n, m, seed) in sizes() {
            let mut a = numbers(n * n, seed);
            if seed == 7 {
                (0..n).for_each(|i| a[i * n + n / 2] = 0.0);
            }
            let b = numbers(n * m, seed + 9);
            let (mut plain, mut order) = (a.clone(), [0; 7]);
            lu::factor(&mut plain, n, &mut order);
            let mut wanted = b.clone();
            lu::solve_rows(&plain, n, &order, &mut wanted, m, &mut [0.0; 49]);
            let (mut own, mut own_order) = (a, [0; 7]);
            factor::<L>(&mut own, n, &mut own_order);
            assert_eq!(order, own_order);
            let mut found = b;
            solve_rows::<L>(&own, n, &own_order, &mut found, m, &mut [0.0; 49]);
            // Rounding times the condition of these matrices, of which some are nearly singular.
            let largest = wanted.iter().fold(1.0, |l: f64, x| l.max(x.abs()));
            for (x, y) in wanted.iter().zip(&found) {
                assert!(
                    (x - y).abs() < 1e-13 * largest * largest,
                    "{n} {m} {seed}: {x} {y}"
                );
            }
        }
    }

    #[test]
    fn kernels_are_right_in_plain_lanes() {
        products::<Plain>();
        solutions::<Plain>();
    }

    #[cfg(target_arch = "x86_64")]
    #[test]
    fn kernels_are_right_in_vector_lanes() {
        #[target_feature(enable = "avx2,fma")]
        fn run() {
            products::<crate::math::lanes::Avx>();
            solutions::<crate::math::lanes::Avx>();
        }
        if crate::math::lanes::fused() {
            // SAFETY: the features were just detected.
            unsafe { run() }
        }
    }
}
