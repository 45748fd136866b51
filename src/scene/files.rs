//! Files that a scene names: beside the scene, or shipped with the program.

use super::library;
use std::borrow::Cow;
use std::path::PathBuf;

/// Where a scene's files are looked for.
#[derive(Debug, Clone, Default)]
pub(super) struct Files {
    /// Folder of the scene's own file; `None` for a scene that is not from a file.
    pub folder: Option<PathBuf>,
}

impl Files {
    /// Bytes of a file, by its path from the folder of the scene.
    ///
    /// A shipped mesh is found by its name wherever the scene is, unless a file of that name is there.
    pub fn read(&self, name: &str) -> Result<Vec<u8>, String> {
        let shipped = library::mesh(name).map(Cow::Borrowed);
        let bytes = match (&self.folder, shipped) {
            (None, Some(bytes)) => bytes,
            (folder, shipped) => {
                let path = folder.clone().unwrap_or_default().join(name);
                match (std::fs::read(path), shipped) {
                    (Ok(bytes), _) => Cow::Owned(bytes),
                    (Err(_), Some(bytes)) => bytes,
                    (Err(error), None) => return Err(error.to_string()),
                }
            }
        };
        Ok(bytes.into_owned())
    }
}
