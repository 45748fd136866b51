//! A file in the making: written beside its place under another name, put into place when it is complete.

use super::error::VideoError;
use std::fs::{self, File};
use std::path::{Path, PathBuf};

/// A file or folder that is not complete yet; it vanishes with its draft unless it is published.
#[derive(Debug)]
pub struct Draft {
    goal: PathBuf,
    part: PathBuf,
    is_folder: bool,
    published: bool,
}

impl Draft {
    /// Begins a file.
    pub fn file(goal: &Path) -> Result<(Self, File), VideoError> {
        if goal.is_dir() {
            let error = std::io::Error::from(std::io::ErrorKind::IsADirectory);
            return Err(VideoError::file(goal, error));
        }
        let draft = Self::beside(goal, false);
        let file = File::create_new(&draft.part).map_err(|e| VideoError::file(goal, e));
        // What could not be created is somebody else's.
        match file {
            Ok(file) => Ok((draft, file)),
            Err(error) => {
                draft.forget();
                Err(error)
            }
        }
    }

    /// Begins a folder; one that holds something is not replaced.
    pub fn folder(goal: &Path) -> Result<(Self, PathBuf), VideoError> {
        let is_used = fs::read_dir(goal).is_ok_and(|mut entries| entries.next().is_some());
        if is_used {
            return Err(VideoError::NotEmpty(goal.into()));
        }
        let draft = Self::beside(goal, true);
        if let Err(error) = fs::create_dir(&draft.part) {
            draft.forget();
            return Err(VideoError::file(goal, error));
        }
        let part = draft.part.clone();
        Ok((draft, part))
    }

    fn beside(goal: &Path, is_folder: bool) -> Self {
        let name = goal.file_name().unwrap_or_default().to_string_lossy();
        let part = |k: u32| goal.with_file_name(format!(".{name}.{}-{k}.part", std::process::id()));
        let free = (0..).map(part).find(|p| !p.exists());
        Self {
            goal: goal.into(),
            part: free.expect("one of four thousand million names is free"),
            is_folder,
            published: false,
        }
    }

    fn forget(mut self) {
        self.published = true;
    }

    /// Puts it into its place. Its file must be closed.
    pub fn publish(mut self) -> Result<(), VideoError> {
        let failed = |e| VideoError::file(&self.goal, e);
        if !self.is_folder {
            // The new content is on the disk before the old one is given up.
            let file = File::options().write(true).open(&self.part);
            file.and_then(|f| f.sync_all()).map_err(failed)?;
        } else {
            // A rename does not replace an empty folder everywhere.
            match fs::remove_dir(&self.goal) {
                Err(e) if e.kind() != std::io::ErrorKind::NotFound => return Err(failed(e)),
                _ => {}
            }
        }
        fs::rename(&self.part, &self.goal).map_err(failed)?;
        self.published = true;
        Ok(())
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        if self.published {
            return;
        }
        // What cannot be removed is left: there is no better place to say so than its name.
        let _ = if self.is_folder {
            fs::remove_dir_all(&self.part)
        } else {
            fs::remove_file(&self.part)
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    fn scratch(name: &str) -> PathBuf {
        let folder =
            std::env::temp_dir().join(format!("driftless-draft-{}-{name}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir(&folder).unwrap();
        folder
    }

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap();
        entries
            .map(|e| e.unwrap().file_name().into_string().unwrap())
            .collect()
    }

    #[test]
    fn what_was_there_stays_until_the_new_file_is_complete() {
        let folder = scratch("file");
        let goal = folder.join("a.mp4");
        fs::write(&goal, "old").unwrap();
        let (draft, mut file) = Draft::file(&goal).unwrap();
        file.write_all(b"half of a new").unwrap();
        assert_eq!(fs::read(&goal).unwrap(), b"old");
        drop((draft, file));
        assert_eq!(
            names(&folder),
            ["a.mp4"],
            "an abandoned draft leaves nothing"
        );
        assert_eq!(fs::read(&goal).unwrap(), b"old");
        let (draft, mut file) = Draft::file(&goal).unwrap();
        file.write_all(b"new").unwrap();
        drop(file);
        draft.publish().unwrap();
        assert_eq!(fs::read(&goal).unwrap(), b"new");
        assert_eq!(names(&folder), ["a.mp4"]);
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn two_drafts_of_one_file_do_not_meet() {
        let folder = scratch("two");
        let goal = folder.join("a.gif");
        let (first, _) = Draft::file(&goal).unwrap();
        let (second, _) = Draft::file(&goal).unwrap();
        assert_ne!(first.part, second.part);
        drop((first, second));
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn a_folder_that_holds_something_is_left_alone() {
        let folder = scratch("folder");
        let goal = folder.join("frames");
        fs::create_dir(&goal).unwrap();
        let (draft, part) = Draft::folder(&goal).unwrap();
        fs::write(part.join("0.png"), "x").unwrap();
        draft.publish().unwrap();
        assert_eq!(names(&goal), ["0.png"]);
        assert!(matches!(Draft::folder(&goal), Err(VideoError::NotEmpty(_))));
        assert_eq!(names(&folder), ["frames"]);
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn where_nothing_can_be_written_it_is_said_at_once() {
        let goal = scratch("none").join("missing/a.mp4");
        let said = Draft::file(&goal).unwrap_err().to_string();
        assert!(
            said.contains("missing/a.mp4") && said.contains("untouched"),
            "{said}"
        );
        assert!(Draft::folder(&goal.with_extension("")).is_err());
        fs::remove_dir_all(goal.parent().unwrap().parent().unwrap()).unwrap();
    }
}
