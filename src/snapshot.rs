//! A snapshot of the last responses in the cache directory, so that the next start shows data at once, even offline.
//!
//! Each source has two files. The small one is read before the first frame and contains what that needs: the rows of a
//! list around the selected one, without fields that no column shows. The other one is read after the first frame, on
//! another thread, and contains everything: whole pages, other tabs, and the charts, posts and markets of recent coins.
//!
//! - Responses keep the time of their arrival. They are shown with their age, and fetched again in any case.
//! - A file of another source or version, or one that is damaged, truncated or too large, is ignored with a log
//!   message.
//! - Files are replaced atomically. Newer responses of other instances are kept.
//!
//! `collect` selects the responses, and `file` encodes them with a version, a checksum and the source. Their text was
//! cleaned when they were received. They are not checked again: an attacker who can write the user's files doesn't need
//! this one.

mod collect;
mod file;

use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

pub use collect::{Contents, FirstFrame};

use crate::app::responses::CachedResponse;
use crate::config::Settings;
use crate::model::UtcTime;
use file::Invalid;

/// Maximum size of the small file in bytes.
const MAX_FIRST_BYTES: u64 = 256 * 1024;

/// Maximum size of the other file in bytes.
const MAX_REST_BYTES: u64 = 2 * 1024 * 1024;

/// Number of sources whose files are kept, most recently written first.
const MAX_SOURCES: usize = 8;

/// How far in the future a response may be: another instance may have fetched it after the clock was read.
const CLOCK_TOLERANCE: Duration = Duration::from_secs(5);

/// Prefix of temporary files.
const TEMPORARY_PREFIX: &str = ".writing-";

/// Age after which a temporary file was left by a killed process.
const STALE_AGE: Duration = Duration::from_mins(10);

/// The snapshot of one source.
#[derive(Clone, Debug)]
pub struct Snapshot {
    directory: Option<PathBuf>,
    source: String,
}

/// The two files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    First,
    Rest,
}

impl Part {
    fn name(self) -> &'static str {
        match self {
            Part::First => "first",
            Part::Rest => "rest",
        }
    }

    /// Returns the maximum size in bytes.
    fn max_bytes(self) -> u64 {
        match self {
            Part::First => MAX_FIRST_BYTES,
            Part::Rest => MAX_REST_BYTES,
        }
    }
}

impl Snapshot {
    /// Returns the snapshot of the configured source. Without a cache directory, or with the cache disabled in the
    /// settings, nothing is read or written.
    pub fn new(settings: &Settings) -> Snapshot {
        let directory = settings.dirs.cache.clone().filter(|_| settings.source.cache);
        if directory.is_none() {
            tracing::debug!(enabled = settings.source.cache, "snapshot disabled");
        }
        Snapshot { directory, source: source(settings) }
    }

    /// Reads the responses for the first frame; empty if there is no valid file. `now` is the current time.
    pub fn first(&self, now: UtcTime) -> Vec<CachedResponse> {
        let first = self.load(Part::First, now, |_| true);
        if first.is_empty() && self.directory.is_some() {
            tracing::info!("no valid snapshot of this source for the first frame");
        }
        first
    }

    /// Reads all responses; empty if there is no valid file. `now` is the current time.
    pub fn rest(&self, now: UtcTime) -> Vec<CachedResponse> {
        self.load(Part::Rest, now, |_| true)
    }

    /// Writes the contents, merged with newer responses that another instance has written. `now` is the current time.
    ///
    /// # Errors
    /// A file can't be written.
    pub fn save(&self, contents: Contents, now: UtcTime) -> io::Result<()> {
        let Some(directory) = &self.directory else { return Ok(()) };
        fs::create_dir_all(directory)?;
        // Load only the newer responses, to limit memory use.
        let others = self.load(Part::Rest, now, |other| contents.lacks(other, now));
        let contents = contents.merge(others, now);
        let is_later_than_own = |other: &CachedResponse| contents.first.iter().any(|own| is_later(other, own));
        if self.load(Part::First, now, is_later_than_own).is_empty() {
            self.write(directory, Part::First, &contents.first)?;
        }
        self.write(directory, Part::Rest, &contents.all)?;
        remove_stale_files(directory)
    }

    fn load(&self, part: Part, now: UtcTime, keep: impl Fn(&CachedResponse) -> bool) -> Vec<CachedResponse> {
        let Some(path) = self.path(part) else { return Vec::new() };
        let bytes = match read(&path, part.max_bytes()) {
            Ok(Ok(bytes)) => bytes,
            Ok(Err(error)) => return ignore(&path, &error),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                tracing::debug!(file = %path.display(), "no snapshot of this source yet");
                return Vec::new();
            }
            Err(error) => {
                tracing::warn!(file = %path.display(), %error, "can't read the snapshot");
                return Vec::new();
            }
        };
        let kept = match file::decode(&bytes, &self.source, keep) {
            Ok(kept) => kept,
            Err(error) => return ignore(&path, &error),
        };
        // Earlier versions also kept empty responses.
        let kept = kept.into_iter().filter(|kept| !kept.response.is_empty());
        // The clock was set back, so the age of these responses is unknown.
        let (known, ahead): (Vec<CachedResponse>, Vec<CachedResponse>) =
            kept.partition(|kept| kept.receipt.fetched_at <= now.plus(CLOCK_TOLERANCE));
        if !ahead.is_empty() {
            tracing::warn!(file = %path.display(), responses = ahead.len(), "responses from the future ignored");
        }
        tracing::debug!(file = %path.display(), responses = known.len(), "snapshot read");
        known
    }

    fn write<'a>(
        &self,
        directory: &Path,
        part: Part,
        kept: impl IntoIterator<Item = &'a CachedResponse>,
    ) -> io::Result<()> {
        let Some(path) = self.path(part) else { return Ok(()) };
        let max_bytes = usize::try_from(part.max_bytes()).unwrap_or(usize::MAX);
        let (bytes, count) = file::encode(&self.source, kept, max_bytes).map_err(io::Error::other)?;
        if count == 0 {
            return Ok(());
        }
        let mut writing = tempfile::Builder::new().prefix(TEMPORARY_PREFIX).tempfile_in(directory)?;
        writing.write_all(&bytes)?;
        // No fsync: the checksum detects a file damaged by a power failure.
        writing.persist(&path)?;
        tracing::debug!(file = %path.display(), responses = count, bytes = bytes.len(), "snapshot written");
        Ok(())
    }

    fn path(&self, part: Part) -> Option<PathBuf> {
        let name = format!("{}-{:08x}.snapshot", part.name(), crc32fast::hash(self.source.as_bytes()));
        Some(self.directory.as_ref()?.join(name))
    }
}

/// Whether `other` is a newer response to the same request.
fn is_later(other: &CachedResponse, than: &CachedResponse) -> bool {
    other.request == than.request && other.receipt.fetched_at > than.receipt.fetched_at
}

fn ignore(path: &Path, error: &Invalid) -> Vec<CachedResponse> {
    tracing::warn!(file = %path.display(), %error, "snapshot ignored");
    Vec::new()
}

/// Identifies the source: all settings that responses depend on and requests don't contain. Excludes headers, which
/// contain keys.
fn source(settings: &Settings) -> String {
    let own = &settings.source;
    let mut source = String::new();
    for (group, url) in [("market", &own.base_url), ("indexer", &own.indexer_url)] {
        let embedded = if own.live { "live" } else { "demo" };
        let _ = writeln!(source, "{group} {}", url.as_deref().unwrap_or(embedded));
    }
    let _ = writeln!(source, "first {} paths {:?}", own.first_index, own.paths);
    let _ = writeln!(source, "convert {} page {}", settings.display.convert, settings.display.page_size);
    source
}

/// Reads a file of at most `max_bytes`.
fn read(path: &Path, max_bytes: u64) -> io::Result<Result<Vec<u8>, Invalid>> {
    // Check the type before opening: opening a pipe blocks until it has a writer.
    let metadata = fs::metadata(path)?;
    if !metadata.is_file() {
        return Ok(Err(Invalid::NotAFile));
    }
    if metadata.len() > max_bytes {
        return Ok(Err(Invalid::TooLarge(max_bytes)));
    }
    let mut bytes = Vec::new();
    // The file may have grown.
    File::open(path)?.take(max_bytes).read_to_end(&mut bytes)?;
    Ok(Ok(bytes))
}

/// Removes the files of the least recently used sources, and temporary files of killed processes.
fn remove_stale_files(directory: &Path) -> io::Result<()> {
    let mut snapshots: Vec<(SystemTime, PathBuf)> = Vec::new();
    for entry in fs::read_dir(directory)? {
        let entry = entry?;
        let name = entry.file_name();
        let Some(name) = name.to_str() else { continue };
        // Another instance may have removed the file.
        let Ok(modified) = entry.metadata().and_then(|metadata| metadata.modified()) else { continue };
        if name.starts_with(TEMPORARY_PREFIX) {
            if modified.elapsed().is_ok_and(|age| age > STALE_AGE) {
                let _ = fs::remove_file(entry.path());
            }
        } else if name.ends_with(".snapshot") {
            snapshots.push((modified, entry.path()));
        }
    }
    snapshots.sort_by(|a, b| b.cmp(a));
    for (_, path) in snapshots.into_iter().skip(2 * MAX_SOURCES) {
        let _ = fs::remove_file(path);
    }
    Ok(())
}

#[cfg(test)]
mod tests;
