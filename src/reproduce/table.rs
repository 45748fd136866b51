//! Numbers of an experiment by column, as a file of comma-separated values with its settings in comments.

use std::fmt::Write;

/// A table of numbers.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Table {
    /// Names of the columns, with units in brackets.
    pub columns: Vec<String>,
    /// Rows, as many numbers each as there are columns; what was not measured is not a number.
    pub rows: Vec<Vec<f64>>,
}

/// Why text is no table.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum TableError {
    /// There is no line with the names of the columns.
    #[error("there is no line with the names of the columns")]
    Empty,
    /// A row with another number of entries, or one that is no number.
    #[error("line {line} does not hold {columns} numbers: `{text}`")]
    Row {
        /// The line, from 1.
        line: usize,
        /// Columns expected.
        columns: usize,
        /// What stands there.
        text: String,
    },
}

/// A name as it stands in a file: between quotes where a comma is in it.
fn quoted(name: &str) -> String {
    if name.contains(',') {
        format!("\"{name}\"")
    } else {
        name.into()
    }
}

/// The names of a line, by the commas outside of quotes.
fn split(line: &str) -> Vec<String> {
    let mut names = vec![String::new()];
    let mut inside = false;
    for c in line.chars() {
        match c {
            '"' => inside = !inside,
            ',' if !inside => names.push(String::new()),
            c => names.last_mut().expect("there is one").push(c),
        }
    }
    names
}

impl Table {
    /// A table without rows.
    pub fn new<S: Into<String>>(columns: impl IntoIterator<Item = S>) -> Self {
        Self {
            columns: columns.into_iter().map(Into::into).collect(),
            rows: Vec::new(),
        }
    }

    /// The numbers of a column; none where no column has the name.
    pub fn column(&self, name: &str) -> Vec<f64> {
        let place = self.columns.iter().position(|c| c == name);
        let values = place.map(|k| self.rows.iter().map(|row| row[k]).collect());
        values.unwrap_or_default()
    }

    /// Points of two columns where both are finite.
    pub fn points(&self, x: &str, y: &str) -> Vec<[f64; 2]> {
        let pairs = self.column(x).into_iter().zip(self.column(y));
        pairs
            .map(|(x, y)| [x, y])
            .filter(|p| p.iter().all(|v| v.is_finite()))
            .collect()
    }

    /// The number of a column in the row where another column has a value.
    pub fn at(&self, key: &str, value: f64, column: &str) -> Option<f64> {
        let row = self.column(key).iter().position(|v| *v == value)?;
        self.column(column)
            .get(row)
            .copied()
            .filter(|v| v.is_finite())
    }

    /// The file: `settings` as comments, then names and rows.
    pub fn to_text(&self, settings: &[(&str, String)]) -> String {
        let mut text = String::new();
        for (name, value) in settings {
            let _ = writeln!(text, "# {name}: {value}");
        }
        let names: Vec<String> = self.columns.iter().map(|name| quoted(name)).collect();
        let _ = writeln!(text, "{}", names.join(","));
        for row in &self.rows {
            let numbers: Vec<String> = row.iter().map(|x| format!("{x:?}")).collect();
            let _ = writeln!(text, "{}", numbers.join(","));
        }
        text
    }

    /// Reads a file, comments left out.
    pub fn from_text(text: &str) -> Result<Self, TableError> {
        let lines = text.lines().enumerate();
        let mut lines = lines.filter(|(_, l)| !l.starts_with('#') && !l.trim().is_empty());
        let (_, names) = lines.next().ok_or(TableError::Empty)?;
        let mut table = Self::new(split(names));
        for (k, line) in lines {
            let numbers: Option<Vec<f64>> = line.split(',').map(|n| n.parse().ok()).collect();
            let row = numbers.filter(|row| row.len() == table.columns.len());
            table.rows.push(row.ok_or_else(|| TableError::Row {
                line: k + 1,
                columns: table.columns.len(),
                text: line.into(),
            })?);
        }
        Ok(table)
    }

    /// A setting in the comments of a file.
    pub fn setting<'a>(text: &'a str, name: &str) -> Option<&'a str> {
        let lines = text.lines().map_while(|line| line.strip_prefix("# "));
        lines
            .filter_map(|line| line.split_once(": "))
            .find_map(|(found, value)| (found == name).then_some(value))
    }
}
