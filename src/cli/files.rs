//! Which file is which: what is written is never what is read, nor written twice.

use super::output::Failure;
use crate::scene::Scene;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// Links that are followed one after the other at most, as by most systems.
const LINKS: usize = 40;

/// The files that a scene was read from: its own, and the meshes that it names.
pub(super) fn of_scene(scene: &Scene) -> Vec<PathBuf> {
    let folder = scene.path.as_deref().and_then(Path::parent);
    let folder = folder.unwrap_or(Path::new(""));
    let meshes = scene.meshes.keys().map(|name| folder.join(name));
    scene.path.iter().cloned().chain(meshes).collect()
}

/// Refuses outputs, each with the word that asks for it, that are one of the files that are read, or each other.
pub(super) fn distinct(
    inputs: &[PathBuf],
    outputs: &[(&str, Option<&Path>)],
) -> Result<(), Failure> {
    let given = outputs
        .iter()
        .filter_map(|(word, path)| Some((*word, (*path)?)));
    let given: Vec<(&str, &Path, Identity)> = given
        .filter_map(|(word, path)| Some((word, path, Identity::of(path)?)))
        .collect();
    let read: Vec<(&PathBuf, Identity)> = inputs
        .iter()
        .filter_map(|path| Some((path, Identity::of(path)?)))
        .collect();
    for (k, (word, path, own)) in given.iter().enumerate() {
        if let Some((input, _)) = read.iter().find(|(_, identity)| identity == own) {
            return Err(Failure::Request(format!(
                "{word} {}: this is {}, which is read; give the output a file of its own",
                path.display(),
                input.display()
            )));
        }
        if let Some((other, ..)) = given[..k].iter().find(|(.., identity)| identity == own) {
            return Err(Failure::Request(format!(
                "{word} {}: {other} is the same file; give each a file of its own",
                path.display()
            )));
        }
    }
    Ok(())
}

/// What makes two paths one file.
#[derive(Debug, PartialEq)]
enum Identity {
    /// A file that is there, by device and number: also under another name.
    #[cfg(unix)]
    There(u64, u64),
    /// A path without links.
    Path(PathBuf),
}

impl Identity {
    /// The file at a path, or the one that writing there would make; none for pipes and devices, which hold nothing.
    fn of(path: &Path) -> Option<Self> {
        match fs::metadata(path) {
            Ok(found) if !found.is_file() => None,
            Ok(found) => Some(Self::there(path, &found)),
            Err(_) => Self::absent(path, LINKS),
        }
    }

    #[cfg(unix)]
    fn there(_: &Path, found: &fs::Metadata) -> Self {
        use std::os::unix::fs::MetadataExt;
        Self::There(found.dev(), found.ino())
    }

    #[cfg(not(unix))]
    fn there(path: &Path, _: &fs::Metadata) -> Self {
        Self::Path(fs::canonicalize(path).unwrap_or_else(|_| path.into()))
    }

    /// A file that is not there yet, perhaps behind links.
    fn absent(path: &Path, links: usize) -> Option<Self> {
        let folder = match path.parent() {
            Some(parent) if parent != Path::new("") => parent,
            _ => Path::new("."),
        };
        match fs::read_link(path) {
            Ok(goal) if links > 0 => Self::absent(&folder.join(goal), links - 1),
            Ok(_) => None,
            Err(e) if e.kind() == ErrorKind::PermissionDenied => None,
            // Where the folder is not there either, opening the file says so.
            Err(_) => Some(Self::Path(
                fs::canonicalize(folder).ok()?.join(path.file_name()?),
            )),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_the_same_under_every_name() {
        let at = std::env::temp_dir().join(format!("driftless-names-{}", std::process::id()));
        fs::create_dir_all(at.join("inner")).unwrap();
        fs::write(at.join("a"), "").unwrap();
        fs::hard_link(at.join("a"), at.join("hard")).unwrap();
        let same = |a: &str, b: &str| Identity::of(&at.join(a)) == Identity::of(&at.join(b));
        assert!(same("a", "inner/../a") && same("a", "./a"));
        assert!(same("new", "inner/../new"));
        assert!(!same("a", "new") && !same("new", "inner/new"));
        #[cfg(unix)]
        {
            use std::os::unix::fs::symlink;
            symlink("a", at.join("soft")).unwrap();
            symlink("inner/../new", at.join("dangling")).unwrap();
            symlink("round", at.join("round")).unwrap();
            assert!(same("a", "hard") && same("a", "soft") && same("new", "dangling"));
            assert_eq!(Identity::of(&at.join("round")), None);
            // Two outputs may both go nowhere.
            assert_eq!(Identity::of(Path::new("/dev/null")), None);
        }
        fs::remove_dir_all(at).unwrap();
    }
}
