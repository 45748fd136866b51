//! Verdicts: what is measured quickly is as expected, and changes with the numbers that it is about. `breaks.rs` has wrong physics in
//! the place of right.

use super::*;
use crate::trials::{broken, falls, quick};
use crate::{Item, Standing};

const RK4: Case = Case::plain("rk4");

fn standing(item: &Item, table: Result<Table, RunError>) -> Standing {
    let table = table.unwrap_or_else(|e| panic!("{}: {e}", item.name()));
    (item.judge)(&table).standing
}

#[test]
fn energy_is_bounded_by_a_variational_method() {
    let run = |second, duration, ours: &Case| {
        energy::compared(second, duration, [ours, &energy::HEUN], &mut |_, _| Ok(()))
    };
    for (item, second, duration) in [
        (energy::ITEM_2020, -90.0, 600.0),
        (energy::ITEM_2023, 0.0, 1200.0),
    ] {
        assert_eq!(
            standing(&item, run(second, duration, &OURS)),
            Standing::Holds
        );
    }
}

#[test]
fn joints_stay_closed_by_constraints_on_positions() {
    for item in [drift::ITEM_2020, drift::ITEM_2023] {
        let run = |ours, rival| drift::compared(60.0, [ours, rival], &mut |_, _| Ok(()));
        assert_eq!(standing(&item, run(&OURS, &RK4)), Standing::Holds);
    }
}

#[test]
fn newtons_method_is_quadratic_and_fewer_digits_are_not() {
    // Where an iteration makes nine digits of seven instead of fifteen.
    let slow = |error: f64| if error < 1e-10 { 1e-9 } else { error };
    falls(&newton::ITEM, &[("links", slow)]);
}

#[test]
fn segments_move_with_their_loops_closed() {
    use crate::Effort::Quick;
    let item = segments::ITEM_2020;
    // Whatever the times of this machine: they are judged below.
    let run = |ours: &Case, tolerance| {
        let table = segments::motions(Quick, [ours, &RK4], tolerance, &mut |_, _| Ok(()))?;
        let mut steady = table.clone();
        for row in &mut steady.rows {
            row[1] = 1e-6 * row[0];
        }
        Ok(steady)
    };
    assert_eq!(standing(&item, run(&OURS, TOLERANCE)), Standing::Holds);
    let table = run(&OURS, TOLERANCE).expect("it ran");
    let cubic = broken(&table, "variational [s]", |time| time.powi(3));
    assert_eq!((item.judge)(&cubic).standing, Standing::Differs);
}

#[test]
fn the_leg_follows_its_reference() {
    let table = leg::trots(&OURS, 2.0, &mut |_, _| Ok(()));
    assert_eq!(standing(&leg::ITEM, table), Standing::Holds);
}

#[test]
fn a_pendulum_is_damped_right_by_a_variational_method() {
    let table = damping::compared(&OURS, &mut |_, _| Ok(()));
    assert_eq!(standing(&damping::ITEM, table), Standing::Holds);
}

/// The sign of the gyroscopic term as printed keeps what a free body keeps, and that of the code does not.
#[test]
fn rotations_are_updated_by_the_equation_as_printed() {
    let table = sign::compared(&OURS, [1.0, -1.0], &mut |_, _| Ok(()));
    assert_eq!(standing(&sign::ITEM, table), Standing::Holds);
}

#[test]
fn a_cube_stops_on_the_ground_by_rigid_contacts_alone() {
    let item = drop::ITEM;
    falls(&item, &[("soft", |_| 0.0), ("interior", |_| 1e-4)]);
}

#[test]
fn swings_come_nearer_to_their_turn_with_shorter_steps() {
    let run = |method| scales::swings(&Case::plain(method), TOLERANCE, 6, &mut |_, _| Ok(()));
    assert_eq!(
        standing(&scales::ERRORS, run("variational")),
        Standing::Holds
    );
    // Stopped where the paper stops, no step is short enough.
    falls(&scales::ERRORS, &[("error of the angle", |_| 0.16)]);
    // Iterations that grow would be found growing.
    falls(&scales::ITERATIONS, &[("iterations", |n| 10.0 - n)]);
}

#[test]
fn what_converges_in_joint_coordinates_is_counted_as_it_is() {
    let mechanism = chain(20, "revolute");
    let part = |method| tolerance::steps_of(&mechanism, &Case::plain(method), 1e-10, 300);
    let [ours, third] = ["variational", "minimal-3"].map(|m| part(m).expect("it runs")[0]);
    assert!(ours == 0.0 && third > 0.1, "{ours} {third}");
    let table = quick(&tolerance::ITEM_8C);
    let standing = |table: &Table| (tolerance::ITEM_8C.judge)(table).standing;
    assert_eq!(standing(&table), Standing::Differs);
    let steady = broken(&table, "variational: time", |_| 1e-6);
    // Both in joint coordinates fail, as the papers have it.
    let both = broken(&steady, "minimal-riqn: part of", |_| 0.5);
    assert_eq!(standing(&both), Standing::Holds);
    let none = broken(&both, "variational: part of", |_| 0.1);
    assert_eq!(standing(&none), Standing::Differs);
}

#[test]
fn the_linkage_is_followed_by_both_variational_methods() {
    let run = |cases| four_bar::compared(cases, TOLERANCE, &mut |_, _| Ok(()));
    let table = run([&OURS, &four_bar::GGL]).expect("it runs");
    let items = [
        four_bar::TRAJECTORY,
        four_bar::ENERGY,
        four_bar::CONSTRAINTS,
        four_bar::PARTS,
    ];
    for item in &items {
        let verdict = (item.judge)(&table);
        assert_eq!(verdict.standing, item.expected, "{}", verdict.why);
    }
    // A rival that stays near the motion, and one whose energy is lost as the paper has it, are found so.
    let growing = |word: &str| {
        let mut table = table.clone();
        let columns = 0..table.columns.len();
        for k in columns.filter(|&k| table.columns[k].starts_with(word)) {
            for row in &mut table.rows {
                row[k] = 1e-3 + 0.1 * row[0];
            }
        }
        table
    };
    let near = broken(&table, "GGL: distance", |_| 1e-3);
    assert_eq!((items[0].judge)(&near).standing, Standing::Differs);
    let lost = growing("GGL: energy error");
    assert_eq!((items[1].judge)(&lost).standing, Standing::Holds);
}
