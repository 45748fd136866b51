//! Files that a scene names: beside the scene, shipped with the program, or held by a take.

use super::library;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

/// Bytes of mesh files by the names that a scene uses.
pub type Meshes = BTreeMap<String, Arc<[u8]>>;

/// Where a scene's files are looked for.
#[derive(Debug, Clone, Default)]
pub(super) struct Files {
    /// Folder of the scene's own file; `None` for a scene that is not from a file.
    pub folder: Option<PathBuf>,
    /// All files that there are, if the scene may look nowhere else.
    pub held: Option<Meshes>,
    /// Files that were read before and are used as they were.
    pub known: Meshes,
    /// Files that were read.
    read: RefCell<Meshes>,
}

impl Files {
    /// Files in a folder.
    pub fn beside(folder: Option<PathBuf>) -> Self {
        Self {
            folder,
            ..Self::default()
        }
    }

    /// Only these files.
    pub fn held(files: Meshes) -> Self {
        Self {
            held: Some(files),
            ..Self::default()
        }
    }

    /// Files in a folder, those apart that were read from it before.
    pub fn known(folder: Option<PathBuf>, known: Meshes) -> Self {
        Self {
            folder,
            known,
            ..Self::default()
        }
    }

    /// Bytes of a file, by its path from the folder of the scene.
    ///
    /// A shipped mesh is found by its name wherever the scene is, unless a file of that name is there.
    pub fn read(&self, name: &str) -> Result<Arc<[u8]>, String> {
        let bytes = self.find(name)?;
        self.read.borrow_mut().insert(name.into(), bytes.clone());
        Ok(bytes)
    }

    fn find(&self, name: &str) -> Result<Arc<[u8]>, String> {
        if let Some(bytes) = self.known.get(name) {
            return Ok(bytes.clone());
        }
        if let Some(held) = &self.held {
            let bytes = held.get(name).cloned();
            return bytes.ok_or_else(|| "the take does not hold it".into());
        }
        let shipped = library::mesh(name).map(Arc::from);
        match (&self.folder, shipped) {
            (None, Some(bytes)) => Ok(bytes),
            (folder, shipped) => {
                let path = folder.clone().unwrap_or_default().join(name);
                match (std::fs::read(path), shipped) {
                    (Ok(bytes), _) => Ok(bytes.into()),
                    (Err(_), Some(bytes)) => Ok(bytes),
                    (Err(error), None) => Err(error.to_string()),
                }
            }
        }
    }

    /// All files that were read.
    pub fn into_read(self) -> Meshes {
        self.read.into_inner()
    }
}
