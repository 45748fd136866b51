//! Runs of experiments made for the purpose: growth, verdict, cancelling, errors, panics.

use super::*;
use physics::integrators::StepError;
use reproduce::ITEMS;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;

/// Runs to its end, or for long enough that something is wrong.
fn ended(mut run: Run) -> RunState {
    let start = Instant::now();
    loop {
        if let Some(record) = run.news()
            && !matches!(record.status, Status::Running(_))
        {
            return record;
        }
        assert!(
            start.elapsed() < Duration::from_secs(600),
            "it does not end"
        );
        thread::sleep(Duration::from_millis(2));
    }
}

/// An item that counts to some hundred, some milliseconds each, and whose paper claims the square.
fn counting() -> Item {
    Item {
        run: |_, watch| {
            let mut table = Table::new(["n", "found"]);
            for n in 0..100 {
                table.rows.push(vec![f64::from(n), f64::from(2 * n)]);
                watch(f64::from(n + 1) / 100.0, &table)?;
                thread::sleep(Duration::from_millis(3));
            }
            Ok(table)
        },
        judge: |table| {
            Verdict::of(
                table.rows.len() == 100,
                format!("{} rows", table.rows.len()),
            )
        },
        plot: |table| Plot {
            title: "Counting".into(),
            axes: ["n".into(), "found".into()],
            logarithmic: [false; 2],
            curves: ["found", "exact"]
                .map(|name| Curve {
                    name: name.into(),
                    points: table.points("n", "found"),
                })
                .into(),
        },
        claimed: |_| {
            vec![Curve {
                name: "exact".into(),
                points: vec![[0.0, 0.0], [99.0, 198.0]],
            }]
        },
        ..ITEMS[0]
    }
}

#[test]
fn points_are_published_while_it_runs_and_the_verdict_at_the_end() {
    let mut run = Run::begin(&Jobs::default(), counting(), Effort::Quick);
    let mut lengths = Vec::new();
    let start = Instant::now();
    let last = loop {
        assert!(
            start.elapsed() < Duration::from_secs(600),
            "it does not end"
        );
        let Some(record) = run.news() else {
            thread::sleep(Duration::from_millis(2));
            continue;
        };
        let names: Vec<&str> = record.drawn.plot.curves.iter().map(|c| &*c.name).collect();
        assert_eq!(names, ["found"], "the paper's curve stands for the other");
        assert_eq!(record.drawn.claimed[0].points.len(), 2);
        lengths.push(record.drawn.plot.curves[0].points.len());
        if !matches!(record.status, Status::Running(_)) {
            break record;
        }
    };
    assert!(lengths.is_sorted(), "{lengths:?}");
    assert!(lengths.iter().any(|n| (1..100).contains(n)), "{lengths:?}");
    assert_eq!(lengths.last(), Some(&100));
    assert_eq!(
        last.status,
        Status::Judged(Verdict::of(true, "100 rows".into()))
    );
    assert!(run.news().is_none(), "told once");
}

#[test]
fn one_that_nobody_wants_ends_before_its_table_is_complete() {
    /// Rows that the run had when it heard that nobody wants it.
    static ROWS: AtomicU32 = AtomicU32::new(0);
    let told = Item {
        run: |effort, watch| {
            let ended = (counting().run)(effort, &mut |part, table| {
                let wanted = watch(part, table);
                if wanted.is_err() {
                    ROWS.store(table.rows.len() as u32, Ordering::Relaxed);
                }
                wanted
            });
            assert!(matches!(ended, Err(RunError::Cancelled(_))));
            ended
        },
        ..counting()
    };
    let jobs = Jobs::default();
    drop(Run::begin(&jobs, told, Effort::Full));
    let start = Instant::now();
    while ROWS.load(Ordering::Relaxed) == 0 {
        assert!(
            start.elapsed() < Duration::from_secs(600),
            "it does not end"
        );
        thread::sleep(Duration::from_millis(2));
    }
    assert!(ROWS.load(Ordering::Relaxed) < 100);
}

#[test]
fn one_that_the_list_of_jobs_cancels_keeps_what_it_has() {
    let jobs = Jobs::default();
    let run = Run::begin(&jobs, counting(), Effort::Full);
    jobs.cancel(jobs.list()[0].id);
    let record = ended(run);
    assert_eq!(record.status, Status::Cancelled);
    assert!(record.drawn.plot.curves[0].points.len() < 100);
    assert!(jobs.list().is_empty());
}

#[test]
fn an_error_and_a_panic_become_messages() {
    let fails = Item {
        run: |_, _| {
            Err(RunError::Step {
                method: "heun".into(),
                error: StepError::TooLong {
                    time: 1.0,
                    law: "none".into(),
                },
            })
        },
        ..counting()
    };
    let Status::Failed(said) = ended(Run::begin(&Jobs::default(), fails, Effort::Quick)).status
    else {
        panic!("it failed");
    };
    assert!(said.starts_with("heun: "), "{said}");
    let panics = Item {
        run: |_, _| panic!("no table of {}", 3),
        ..counting()
    };
    let Status::Failed(said) = ended(Run::begin(&Jobs::default(), panics, Effort::Quick)).status
    else {
        panic!("it failed");
    };
    assert!(
        said.contains("no table of 3") && said.contains(words::PANIC),
        "{said}"
    );
}
