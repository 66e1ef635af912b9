//! Small files in the cache directory.

use std::fs;
use std::io::{self, Read as _, Write as _};
use std::path::Path;

/// Reads at most `max` bytes of a file; `None` if there is none, or if it can't be read.
pub(super) fn read(directory: &Path, name: &str, max: u64) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    match fs::File::open(directory.join(name)).and_then(|file| file.take(max).read_to_end(&mut bytes)) {
        Ok(_) => Some(bytes),
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => {
            tracing::info!(%error, name, "cache file not read");
            None
        }
    }
}

/// Replaces a file atomically.
pub(super) fn replace(directory: &Path, name: &str, bytes: &[u8]) -> io::Result<()> {
    fs::create_dir_all(directory)?;
    let mut file = tempfile::NamedTempFile::new_in(directory)?;
    file.write_all(bytes)?;
    file.persist(directory.join(name)).map_err(|error| error.error)?;
    Ok(())
}
