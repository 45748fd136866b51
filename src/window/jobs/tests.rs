//! Jobs: how far they are, their end, what stops them.

use super::*;
use std::sync::mpsc::channel;

/// Waits for a condition that another thread brings about.
fn until(condition: impl Fn() -> bool) {
    while !condition() {
        thread::yield_now();
    }
}

#[test]
fn a_job_tells_how_far_it_is_and_ends_with_its_result() {
    let jobs = Jobs::default();
    let (go, gone) = channel::<()>();
    let mut job = jobs.start("Counting", Cancel::GivesUp, move |reporter| {
        reporter.begin(4);
        reporter.done(1);
        reporter.tell("one");
        let _ = gone.recv();
        7
    });
    until(|| job.reporter().note() == Some("one"));
    let list = jobs.list();
    let [shown] = &list[..] else {
        panic!("one job is listed: {list:?}");
    };
    assert_eq!((shown.id, shown.what.as_str()), (job.id(), "Counting"));
    assert_eq!((shown.done, shown.all), (1, Some(4)));
    assert_eq!((shown.share(), shown.cancelled), (Some(0.25), false));
    assert_eq!(shown.count(), Some([1, 4]));
    assert_eq!(job.reporter().hear(), Some("one"));
    assert_eq!(job.reporter().hear(), None, "it was said once");
    assert!(job.take().is_none(), "it has not ended");
    go.send(()).unwrap();
    assert_eq!(job.wait(Duration::MAX), Some(Ok(7)));
    assert_eq!(job.take(), None, "a result is taken once");
    assert!(jobs.list().is_empty());
}

#[test]
fn shares_are_told_as_parts_of_the_whole() {
    let reporter = Reporter::<()>::default();
    assert_eq!(reporter.progress().share(), None);
    for share in [0.0, 0.25, 1.0] {
        assert!(reporter.done_share(share));
        assert_eq!(reporter.progress().share(), Some(share as f32));
        assert_eq!(reporter.progress().count(), None, "a share counts nothing");
    }
    reporter.cancel();
    assert!(!reporter.done_share(0.5));
}

#[test]
fn a_job_ends_when_the_list_or_its_owner_cancels_it() {
    let jobs = Jobs::default();
    let rounds = |reporter: &Reporter| {
        let mut rounds = 0;
        while reporter.done(rounds) {
            rounds += 1;
            thread::yield_now();
        }
        "cancelled"
    };
    let [mut by_list, mut by_owner] =
        ["a", "b"].map(|what| jobs.start(what, Cancel::GivesUp, rounds));
    jobs.cancel(by_list.id());
    assert_eq!(by_list.wait(Duration::MAX), Some(Ok("cancelled")));
    assert!(!by_owner.progress().cancelled, "the other one goes on");
    by_owner.cancel();
    assert_eq!(by_owner.wait(Duration::MAX), Some(Ok("cancelled")));
}

#[test]
fn a_job_that_writes_is_not_cancelled_but_waited_for() {
    let jobs = Jobs::default();
    let written = Arc::new(AtomicU64::new(0));
    let (go, gone) = channel::<()>();
    let write = {
        let written = written.clone();
        move |reporter: &Reporter| {
            let _ = gone.recv();
            (0..3).for_each(|row| {
                reporter.done(row);
                written.fetch_add(1, Ordering::Relaxed);
            });
            assert!(!reporter.is_cancelled());
        }
    };
    let job = jobs.start("Saving", Cancel::Never, write);
    jobs.cancel(job.id());
    assert!(!job.progress().cancelled);
    go.send(()).unwrap();
    drop(job);
    assert_eq!(written.load(Ordering::Relaxed), 3);
    assert!(jobs.failures().is_empty());
}

#[test]
fn a_job_that_ends_early_keeps_what_there_is() {
    let jobs = Jobs::default();
    let kept = Arc::new(AtomicU64::new(0));
    let told = kept.clone();
    let job = jobs.start("Filming", Cancel::EndsEarly, move |reporter: &Reporter| {
        while reporter.done(1) {
            thread::yield_now();
        }
        told.store(5, Ordering::Relaxed);
    });
    drop(job);
    assert_eq!(kept.load(Ordering::Relaxed), 5, "the drop has waited");
}

#[test]
fn a_panic_is_told_to_the_owner_or_else_to_the_window() {
    let jobs = Jobs::default();
    let mut job = jobs.start("Counting", Cancel::GivesUp, |_: &Reporter| -> u32 {
        panic!("too many")
    });
    let Some(Err(panicked)) = job.wait(Duration::MAX) else {
        panic!("it has panicked");
    };
    let said = "Counting failed in a way that is not foreseen: too many";
    assert_eq!(panicked.to_string(), said);
    drop(job);
    assert!(jobs.failures().is_empty(), "its owner has heard");
    assert!(jobs.list().is_empty());
    jobs.detach("Tidying", || panic!("no broom"));
    let mut failures = Vec::new();
    while failures.is_empty() {
        failures = jobs.failures();
        thread::yield_now();
    }
    assert_eq!(failures[0].said.as_deref(), Some("no broom"));
    assert!(jobs.failures().is_empty(), "each is told once");
}

#[test]
fn a_dropped_job_is_told_that_nobody_wants_it_and_its_result_goes() {
    let jobs = Jobs::default();
    let result = Arc::new(());
    let held = result.clone();
    let job = jobs.start("Waiting", Cancel::GivesUp, move |reporter: &Reporter| {
        while !reporter.is_cancelled() {
            thread::yield_now();
        }
        held
    });
    drop(job);
    until(|| Arc::strong_count(&result) == 1);
    assert!(jobs.list().is_empty());
}
