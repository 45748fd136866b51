//! Verdicts of tables that were run and then broken.

use super::{Cancelled, Effort, Item, Standing, Table};

/// The table of a quick run, which tells its progress in order and can be drawn at any moment.
pub fn quick(item: &Item) -> Table {
    let name = item.name();
    let mut last = 0.0;
    let table = (item.run)(Effort::Quick, &mut |part, table| {
        assert!((last..=1.0).contains(&part), "{name}: {part} after {last}");
        last = part;
        let full = |row: &Vec<f64>| row.len() == table.columns.len();
        assert!(table.rows.iter().all(full), "{name}: a row is not full");
        let _ = ((item.plot)(table), (item.claimed)(table));
        Ok(())
    });
    table.unwrap_or_else(|e| panic!("{name}: {e}"))
}

/// The columns of the table of an item, which is not run.
pub fn columns(item: &Item) -> Vec<String> {
    let mut columns = Vec::new();
    let ended = (item.run)(Effort::Quick, &mut |_, table| {
        columns.clone_from(&table.columns);
        Err(Cancelled)
    });
    assert!(ended.is_err(), "{}: it ran", item.name());
    columns
}

/// Changes every number of the columns whose names hold a word.
pub fn broken(table: &Table, word: &str, change: impl Fn(f64) -> f64) -> Table {
    let mut table = table.clone();
    for (k, name) in table.columns.iter().enumerate() {
        if name.contains(word) {
            table
                .rows
                .iter_mut()
                .for_each(|row| row[k] = change(row[k]));
        }
    }
    table
}

/// What a break of a table changes: columns whose names hold a word, and how.
pub type Break = (&'static str, fn(f64) -> f64);

/// Runs an item, which is to stand as expected, and otherwise after each of the breaks.
pub fn falls(item: &Item, breaks: &[Break]) {
    let table = quick(item);
    let verdict = (item.judge)(&table);
    let name = item.name();
    assert_eq!(verdict.standing, item.expected, "{name}: {}", verdict.why);
    for (word, change) in breaks {
        let other = (item.judge)(&broken(&table, word, change));
        let said = format!("{name} without its {word}: {}", other.why);
        assert_ne!(other.standing, item.expected, "{said}");
        assert_ne!(other.standing, Standing::Unjudged, "{said}");
    }
}
