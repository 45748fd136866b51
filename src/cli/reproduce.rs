//! `driftless reproduce`: runs the experiments of papers, keeps their tables, draws and judges them.

use super::arguments::ReproduceArguments;
use super::output::{Failure, complain, print};
use super::progress::Progress;
use super::tables::written;
use crate::figures;
use crate::quantity::duration;
use crate::reproduce::{Done, Effort, ITEMS, Item, Table, write_report};
use std::collections::BTreeMap;
use std::fs;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

/// Steps of the progress bar of an item.
const PARTS: f64 = 1000.0;

/// `driftless reproduce`.
pub(super) fn reproduce(arguments: &ReproduceArguments) -> Result<(), Failure> {
    let items = meant(&arguments.items)?;
    if arguments.list {
        let lines: Vec<String> = items
            .iter()
            .map(|item| format!("{:<20} {}", item.name(), item.claim))
            .collect();
        return print(lines.join("\n"));
    }
    let effort = if arguments.quick {
        Effort::Quick
    } else {
        Effort::Full
    };
    let folder = &arguments.output;
    written(folder, fs::create_dir_all(folder))?;
    let settings = settings(effort);
    let mut tables = Vec::new();
    for item in &items {
        tables.push(kept(&path(folder, item), effort, item)?);
    }
    let threads = arguments.threads.unwrap_or_else(threads);
    let mut made = run_beside(&items, &tables, effort, folder, threads);
    let mut done: Vec<Done> = Vec::new();
    for (k, item) in items.into_iter().enumerate() {
        let stem = stem(item);
        let (table, kept) = match tables[k].take() {
            Some(table) => (table, true),
            None => match made.remove(&k) {
                Some(table) => (table?, false),
                None => (run(item, effort, folder)?, false),
            },
        };
        figures::write_plot(&folder.join(format!("{stem}.svg")), &(item.plot)(&table))?;
        let verdict = (item.judge)(&table);
        let note = if kept {
            " (kept from an earlier run)"
        } else {
            ""
        };
        print(format!(
            "{}{note}: {}\n  {}",
            item.name(),
            verdict.standing,
            verdict.why
        ))?;
        done.push(Done {
            item,
            verdict,
            stem,
        });
        // After every item, so that what is done can be read when the run is broken off.
        let [markdown, html] = write_report(&done, &settings);
        put(&folder.join("report.md"), &markdown)?;
        put(&folder.join("report.html"), &html)?;
    }
    let fallen: Vec<String> = done
        .iter()
        .filter(|d| d.falls())
        .map(|d| d.item.name())
        .collect();
    if fallen.is_empty() {
        return Ok(());
    }
    Err(Failure::Verdict(fallen.join(", ")))
}

/// Name of the files of an item without their endings.
fn stem(item: &Item) -> String {
    item.name().replace('/', "_")
}

/// The file of its table.
fn path(folder: &Path, item: &Item) -> PathBuf {
    folder.join(format!("{}.csv", stem(item)))
}

/// Processors of the machine.
fn threads() -> NonZeroUsize {
    std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN)
}

/// Runs the items that have no table yet and measure no time side by side, on so many threads. Each is a run of its own, so that
/// figures are the same whatever their number.
fn run_beside(
    items: &[&Item],
    tables: &[Option<Table>],
    effort: Effort,
    folder: &Path,
    threads: NonZeroUsize,
) -> BTreeMap<usize, Result<Table, Failure>> {
    let missing: Vec<usize> = (0..items.len())
        .filter(|&k| tables[k].is_none() && !items[k].timed)
        .collect();
    if threads.get() == 1 || missing.len() < 2 {
        return BTreeMap::new();
    }
    let next = AtomicUsize::new(0);
    let made = Mutex::new(BTreeMap::new());
    std::thread::scope(|scope| {
        for _ in 0..threads.get().min(missing.len()) {
            scope.spawn(|| {
                while let Some(&k) = missing.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let table = run(items[k], effort, folder);
                    let mut made = made.lock().unwrap_or_else(PoisonError::into_inner);
                    made.insert(k, table);
                }
            });
        }
    });
    made.into_inner().unwrap_or_else(PoisonError::into_inner)
}

/// The items that the words mean; all where there are none.
fn meant(words: &[String]) -> Result<Vec<&'static Item>, Failure> {
    if let Some(word) = words.iter().find(|w| !ITEMS.iter().any(|i| i.is_meant(w))) {
        let known: Vec<String> = ITEMS.iter().map(Item::name).collect();
        return Err(Failure::Request(format!(
            "no paper or figure is named `{word}`; there are: {}",
            known.join(", ")
        )));
    }
    let meant = |item: &&Item| words.is_empty() || words.iter().any(|w| item.is_meant(w));
    Ok(ITEMS.iter().filter(meant).collect())
}

/// What all tables of a run have in common.
fn settings(effort: Effort) -> Vec<(&'static str, String)> {
    let machine = format!(
        "{} {}, {} processors",
        std::env::consts::OS,
        std::env::consts::ARCH,
        threads()
    );
    vec![
        ("effort", effort.name().into()),
        ("version", env!("CARGO_PKG_VERSION").into()),
        ("machine", machine),
    ]
}

/// The table of an earlier run of the same effort, version and setup, if there is one.
fn kept(path: &Path, effort: Effort, item: &Item) -> Result<Option<Table>, Failure> {
    let Ok(text) = fs::read_to_string(path) else {
        return Ok(None);
    };
    let same = Table::setting(&text, "effort") == Some(effort.name())
        && Table::setting(&text, "version") == Some(env!("CARGO_PKG_VERSION"))
        && Table::setting(&text, "setup") == Some(item.setup);
    if !same {
        return Ok(None);
    }
    match Table::from_text(&text) {
        Ok(table) => Ok(Some(table)),
        Err(error) => Err(Failure::Request(format!(
            "{} is no table: {error}; delete it to have it made again",
            path.display()
        ))),
    }
}

/// Runs an item and writes its table.
fn run(item: &Item, effort: Effort, folder: &Path) -> Result<Table, Failure> {
    let start = Instant::now();
    let mut bar = Progress::new(PARTS as u64, 0.0);
    let table = (item.run)(effort, &mut |part, _| {
        bar.tell((PARTS * part) as u64, || item.name());
        Ok(())
    });
    drop(bar);
    let table = table.map_err(|error| Failure::Experiment {
        item: item.name(),
        reason: error.to_string(),
    })?;
    let mut settings = settings(effort);
    settings.push(("item", item.name()));
    settings.push(("setup", item.setup.into()));
    put(&path(folder, item), &table.to_text(&settings))?;
    complain(format!(
        "{} took {}",
        item.name(),
        duration(start.elapsed().as_secs_f64())
    ));
    Ok(table)
}

/// Writes a file that appears under its name when it is complete.
fn put(path: &Path, text: &str) -> Result<(), Failure> {
    let part = path.with_extension("part");
    written(&part, fs::write(&part, text))?;
    written(path, fs::rename(&part, path))
}
