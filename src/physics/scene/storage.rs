//! Files that are replaced as a whole: whatever happens, either the old or the new content is there.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

/// Writes a file beside the one that is there and puts it into its place when it is complete and on the disk.
pub fn replace_file(path: &Path, content: &[u8]) -> io::Result<()> {
    replace_with(path, |mut out| out.write_all(content).map(|()| out))
}

/// As [`replace_file`], for content that is written piece by piece.
pub(super) fn replace_with(
    path: &Path,
    write: impl FnOnce(BufWriter<File>) -> io::Result<BufWriter<File>>,
) -> io::Result<()> {
    let mut beside = path.as_os_str().to_owned();
    // Two that save at the same time write each its own; the later one stays.
    static SAVED: AtomicU64 = AtomicU64::new(0);
    let count = SAVED.fetch_add(1, Ordering::Relaxed);
    beside.push(format!(".{}-{count}.part", std::process::id()));
    let beside = Path::new(&beside);
    let written = File::create(beside)
        .and_then(|file| write(BufWriter::new(file)))
        .and_then(|out| out.into_inner().map_err(|e| e.into_error())?.sync_all())
        .and_then(|()| fs::rename(beside, path));
    if written.is_err() {
        // What is left of the attempt is of no use; that it cannot be removed is no news either.
        let _ = fs::remove_file(beside);
    }
    written
}
