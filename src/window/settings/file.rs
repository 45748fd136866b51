//! The file of the settings: read entry by entry, written whole or not at all.

use crate::settings::entries::{ENTRIES, FORMER, FormerEntry};
use bevy::prelude::World;
use serde_json::{Map, Value};
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Name of the file in its folder.
const NAME: &str = "settings.json";
/// Where a file is kept of which something could not be read.
const BACKUP: &str = "settings.json.old";
/// The version of its form.
const VERSION: u64 = 1;

/// The settings as they are on the disk.
#[derive(Debug, Clone, PartialEq)]
pub struct SettingsFile {
    /// The folder.
    folder: PathBuf,
    /// What was read or written last, with what only other versions know.
    content: Map<String, Value>,
    /// Whether something in it was not understood, so that a copy is kept before it is replaced.
    doubtful: bool,
}

impl SettingsFile {
    /// Reads what is remembered into the window's state. What is wrong is said, and the rest is taken.
    pub fn read(folder: &Path, world: &mut World) -> (Self, Vec<String>) {
        let mut file = Self {
            folder: folder.into(),
            content: Map::new(),
            doubtful: false,
        };
        let mut problems = Vec::new();
        match fs::read_to_string(file.path()) {
            Ok(text) => match serde_json::from_str(&text) {
                Ok(Value::Object(content)) => {
                    file.content = content;
                    file.take(world, &mut problems);
                }
                Ok(_) => problems.push("it does not begin with {".into()),
                Err(error) => problems.push(format!("it cannot be read: {error}")),
            },
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => problems.push(error.to_string()),
        }
        file.doubtful = !problems.is_empty();
        (file, problems)
    }

    /// Where it is.
    pub fn path(&self) -> PathBuf {
        self.folder.join(NAME)
    }

    /// Takes every entry that is right.
    fn take(&self, world: &mut World, problems: &mut Vec<String>) {
        match self.content.get("version").map(Value::as_u64) {
            Some(Some(VERSION)) => {}
            Some(Some(newer)) if newer > VERSION => problems.push(format!(
                "it is of version {newer}, this program knows {VERSION}; what it knows is taken"
            )),
            _ => problems.push(format!(
                "`version` is missing or wrong; {VERSION} is assumed"
            )),
        }
        let former = FORMER.iter().map(|f| (f.path, f.set));
        for ([group, name], set) in former.chain(ENTRIES.iter().map(|e| (e.path, e.set))) {
            let Some(value) = self.content.get(group).and_then(|g| g.get(name)) else {
                continue;
            };
            if let Err(wrong) = set(world, value) {
                problems.push(format!("{group}.{name}: {wrong}"));
            }
        }
        for (group, inside) in &self.content {
            if group == "version" {
                continue;
            }
            let paths = ENTRIES.iter().map(|e| e.path);
            let paths = paths.chain(FORMER.iter().map(|f| f.path));
            let known: Vec<&str> = paths.filter(|p| p[0] == group).map(|p| p[1]).collect();
            match inside {
                _ if known.is_empty() => problems.push(format!("{group}: nothing is called that")),
                Value::Object(inside) => {
                    let unknown = inside.keys().filter(|name| !known.contains(&name.as_str()));
                    problems
                        .extend(unknown.map(|n| format!("{group}.{n}: nothing is called that")));
                }
                _ => problems.push(format!("{group}: expected {{ and its settings")),
            }
        }
    }

    /// What the file is to hold: what is set, and what only other versions know.
    fn wanted(&self, world: &World) -> Map<String, Value> {
        let mut wanted = self.content.clone();
        wanted.insert("version".into(), VERSION.into());
        for entry in ENTRIES {
            let [group, name] = entry.path;
            let inside = wanted.entry(group).or_insert_with(|| Map::new().into());
            if !inside.is_object() {
                *inside = Map::new().into();
            }
            inside[name] = (entry.get)(world);
        }
        for FormerEntry { path, .. } in FORMER {
            if let Some(inside) = wanted.get_mut(path[0]).and_then(Value::as_object_mut) {
                inside.remove(path[1]);
            }
        }
        wanted
    }

    /// What has to be written so that the file says what is set; none if it does.
    pub fn change(&mut self, world: &World) -> Option<Change> {
        let wanted = self.wanted(world);
        if wanted == self.content {
            return None;
        }
        let text = serde_json::to_string_pretty(&wanted).expect("a map of text is always written");
        self.content = wanted;
        Some(Change {
            folder: self.folder.clone(),
            text: text + "\n",
            keep_old: std::mem::take(&mut self.doubtful),
        })
    }
}

/// A file to be written.
#[derive(Debug, Clone, PartialEq)]
pub struct Change {
    folder: PathBuf,
    text: String,
    keep_old: bool,
}

impl Change {
    /// Puts it in the place of the old one when it is complete on the disk.
    pub fn write(&self) -> Result<(), String> {
        let goal = self.folder.join(NAME);
        // Two windows that write at once do not meet in one draft.
        let part = self.folder.join(format!(".{NAME}.{}", std::process::id()));
        let put = || {
            fs::create_dir_all(&self.folder)?;
            if self.keep_old && goal.exists() {
                fs::copy(&goal, self.folder.join(BACKUP))?;
            }
            let mut file = File::create(&part)?;
            file.write_all(self.text.as_bytes())?;
            file.sync_all()?;
            drop(file);
            fs::rename(&part, &goal)
        };
        put().map_err(|error| {
            // What is half written helps nobody; if it cannot be removed, its name says what it is.
            let _ = fs::remove_file(&part);
            format!(
                "The settings cannot be saved to {}: {error}",
                goal.display()
            )
        })
    }
}
