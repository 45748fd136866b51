//! Verdicts beyond the papers: small runs, and wrong physics in the place of right. Times are multiplications here, so that no
//! verdict hangs on what else the machine does.

use super::*;
use crate::maximal::{OURS, TOLERANCE, energy::HEUN};
use crate::trials::{broken, columns};
use crate::{Item, RunError, Standing, Table};

fn standing(item: &Item, table: &Table) -> Standing {
    (item.judge)(table).standing
}

#[test]
fn energy_neither_spreads_nor_wanders() {
    let run = |case, steps| energy::watched(case, TOLERANCE, steps, &mut |_, _| Ok(()));
    let table = run(&OURS, 400_000).expect("it runs");
    assert_eq!(standing(&energy::ITEM, &table), Standing::Holds);
    let explicit = run(&HEUN, 100_000).expect("it runs");
    assert_eq!(standing(&energy::ITEM, &explicit), Standing::Differs);
    // Extremes that stay, and a mean that does not.
    let mut wanders = table.clone();
    for (k, row) in wanders.rows.iter_mut().enumerate() {
        row[3] += 1e-4 * k as f64;
    }
    assert_eq!(standing(&energy::ITEM, &wanders), Standing::Differs);
}

/// A table of three sizes, times in proportion to them.
fn sized(item: &Item, of: fn(usize) -> size::Sized, sizes: [usize; 3]) -> Result<Table, RunError> {
    let mut table = Table::new(columns(item));
    for count in sizes {
        let mut row = size::measured(of(count), TOLERANCE, 1)?;
        [row[1], row[2]] = [row[0] * row[4], row[0]];
        table.rows.push(row);
    }
    Ok(table)
}

#[test]
fn long_mechanisms_are_judged_by_their_growth_and_by_their_joints() {
    type Family = (Item, fn(usize) -> size::Sized, [usize; 3]);
    let families: [Family; 2] = [
        (size::CHAINS, size::chain, [100, 400, 4000]),
        (size::LOOPS, size::segments, [10, 40, 1000]),
    ];
    for (item, of, sizes) in families {
        let table = sized(&item, of, sizes).expect("it runs");
        assert_eq!(standing(&item, &table), Standing::Holds);
        // A solver that knows no graph.
        let cubed = |word| broken(&table, word, |work| work.powi(3));
        assert_eq!(
            standing(&item, &cubed("multiplications")),
            Standing::Differs
        );
        assert_eq!(standing(&item, &cubed("a step [s]")), Standing::Differs);
        let open = broken(&table, "opening", |_| 1e-6);
        assert_eq!(standing(&item, &open), Standing::Differs);
    }
}

/// A general LU solves the systems of all families as block LDU does, by more or fewer multiplications, and what is slower or less exact is
/// told.
#[test]
fn systems_of_steps_are_solved_by_both() {
    let mut table = Table::new(columns(&general::ITEM));
    for bodies in [4, 12] {
        let mut row = vec![bodies as f64];
        for family in 0..3 {
            let mechanism = general::mechanism(family, bodies);
            let sim = OURS.simulation(&mechanism, 0.01, TOLERANCE);
            let sim = sim.expect("it runs");
            let mut measured = general::measured(&sim.structure(), &sim.matrix());
            assert!(measured.iter().all(|x| x.is_finite()), "{measured:?}");
            [measured[0], measured[1]] = [1.0, 2.0];
            row.extend(measured);
        }
        table.rows.push(row);
    }
    assert_eq!(standing(&general::ITEM, &table), Standing::Holds);
    let slower = broken(&table, "general LU [s]", |_| 0.5);
    assert_eq!(standing(&general::ITEM, &slower), Standing::Differs);
    let worse = broken(&table, "residual of block LDU", |_| 1e-6);
    assert_eq!(standing(&general::ITEM, &worse), Standing::Differs);
}
