//! What was last seen, kept in the cache directory, so that the next start shows rows at once, offline too.
//!
//! Each source has two files. The small one holds what the first frame needs and is read before it: the first page of
//! the first list, without the details that no row shows. The other holds the rest (that page as it came, other pages,
//! other tabs, the last tokens' charts, posts and markets) and is read after the first frame, off the loop's thread.
//!
//! - Answers keep the time at which they came. They are shown as old as they are, and fetched anew in any case.
//! - A file of another source, of another version, damaged, truncated or too large is ignored, and the log says so.
//! - Files are replaced as a whole, so a reader never sees half of one. What another instance has seen later is kept.
//!
//! The parts: `collect` says what is worth keeping, `file` is the frame with version, checksum and source, `bytes` and
//! `forms` are how values look in it. The form is our own: the model serialises to the JSON of the command line's
//! contract, which is another matter, and its own rules (a currency's letters, a sat's range) hold while it is read.

#[cfg(test)]
mod any;
mod bytes;
mod collect;
mod file;
mod forms;

use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

pub use collect::Seen;

use crate::app::store::Kept;
use crate::config::Settings;
use crate::memory::Memory;
use crate::model::UtcTime;
use file::Unusable;

/// Bytes of the small file at most.
const FIRST_BYTES: u64 = 256 * 1024;

/// Bytes of the other.
const REST_BYTES: u64 = 2 * 1024 * 1024;

/// Sources whose files are kept: those written last.
const SOURCES: usize = 8;

/// What another instance may have seen since the clock was read.
const BETWEEN: Duration = Duration::from_secs(5);

/// What a file's name begins with while it is being written.
const WRITING: &str = ".writing-";

/// After this time a file that is being written was given up: its writer was killed.
const GIVEN_UP: Duration = Duration::from_mins(10);

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

    fn most(self) -> u64 {
        match self {
            Part::First => FIRST_BYTES,
            Part::Rest => REST_BYTES,
        }
    }
}

impl Snapshot {
    /// The snapshot of what the settings name as the source. Nothing is read or written where there is no cache
    /// directory, or the settings say so.
    pub fn new(settings: &Settings) -> Snapshot {
        let directory = settings.dirs.cache.clone().filter(|_| settings.source.cache);
        if directory.is_none() {
            tracing::debug!(wanted = settings.source.cache, "no snapshot is kept");
        }
        Snapshot { directory, source: source(settings) }
    }

    /// What the first frame needs; nothing where there is no usable file. `now` is the clock's time.
    pub fn first(&self, now: UtcTime) -> Vec<Kept> {
        let first = self.load(Part::First, now, |_| true);
        if first.is_empty() && self.directory.is_some() {
            tracing::info!("the first frame has no rows: no usable snapshot of this source");
        }
        first
    }

    /// Everything else; nothing where there is no usable file. `now` is the clock's time.
    pub fn rest(&self, now: UtcTime) -> Vec<Kept> {
        self.load(Part::Rest, now, |_| true)
    }

    /// Writes what was seen, joined with what another instance has seen later. `now` is the clock's time.
    ///
    /// # Errors
    /// The file system says no.
    pub fn save(&self, seen: Seen, now: UtcTime) -> io::Result<()> {
        let Some(directory) = &self.directory else { return Ok(()) };
        fs::create_dir_all(directory)?;
        // Of the old file only that is taken which is news, and nothing else of it stays in memory.
        let others = self.load(Part::Rest, now, |other| seen.lacks(other, now));
        let seen = seen.joined(others, now);
        if let Some(first) = &seen.first
            && self.load(Part::First, now, |other| is_later(other, first)).is_empty()
        {
            self.write(directory, Part::First, [first])?;
        }
        self.write(directory, Part::Rest, &seen.all)?;
        tidy(directory)
    }

    fn load(&self, part: Part, now: UtcTime, keep: impl Fn(&Kept) -> bool) -> Vec<Kept> {
        let Some(path) = self.path(part) else { return Vec::new() };
        let bytes = match read(&path, part.most()) {
            Ok(Ok(bytes)) => bytes,
            Ok(Err(unusable)) => return ignored(&path, &unusable),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                tracing::debug!(file = %path.display(), "no snapshot of this source yet");
                return Vec::new();
            }
            Err(error) => {
                tracing::warn!(file = %path.display(), %error, "the snapshot cannot be read");
                return Vec::new();
            }
        };
        let kept = match file::open(&bytes, &self.source, keep) {
            Ok(kept) => kept,
            Err(unusable) => return ignored(&path, &unusable),
        };
        // How old these are nobody can say: the clock was set back.
        let (known, ahead): (Vec<Kept>, Vec<Kept>) =
            kept.into_iter().partition(|kept| kept.receipt.fetched_at <= now.plus(BETWEEN));
        if !ahead.is_empty() {
            tracing::warn!(file = %path.display(), answers = ahead.len(), "answers from the future are ignored");
        }
        tracing::debug!(file = %path.display(), answers = known.len(), "snapshot read");
        known
    }

    fn write<'a>(&self, directory: &Path, part: Part, kept: impl IntoIterator<Item = &'a Kept>) -> io::Result<()> {
        let Some(path) = self.path(part) else { return Ok(()) };
        let (bytes, count) = file::seal(&self.source, kept, usize::try_from(part.most()).unwrap_or(usize::MAX));
        if count == 0 {
            return Ok(());
        }
        let mut writing = tempfile::Builder::new().prefix(WRITING).tempfile_in(directory)?;
        writing.write_all(&bytes)?;
        // Not waited for until it is on the disk: what a power cut leaves, the checksum tells.
        writing.persist(&path)?;
        tracing::debug!(file = %path.display(), answers = count, bytes = bytes.len(), "snapshot written");
        Ok(())
    }

    fn path(&self, part: Part) -> Option<PathBuf> {
        let name = format!("{}-{:08x}.snapshot", part.name(), crc32fast::hash(self.source.as_bytes()));
        Some(self.directory.as_ref()?.join(name))
    }
}

/// Whether an answer to the same request came later.
fn is_later(other: &Kept, than: &Kept) -> bool {
    other.request == than.request && other.receipt.fetched_at > than.receipt.fetched_at
}

fn ignored(path: &Path, unusable: &Unusable) -> Vec<Kept> {
    tracing::warn!(file = %path.display(), reason = %unusable, "the snapshot is ignored");
    Vec::new()
}

/// All that the answers depend on and that requests do not name. Headers are left out: they hold keys.
fn source(settings: &Settings) -> String {
    let own = &settings.source;
    let mut source = String::new();
    for (group, url) in [("market", &own.base_url), ("indexer", &own.indexer_url)] {
        let _ = writeln!(source, "{group} {}", url.as_deref().unwrap_or("demo"));
    }
    let _ = writeln!(source, "first {} paths {:?}", own.first_index, own.paths);
    let _ = writeln!(source, "convert {} page {}", settings.display.convert, settings.display.page_size);
    source
}

fn read(path: &Path, most: u64) -> io::Result<Result<Memory, Unusable>> {
    // Looked at before it is opened, for opening a pipe waits for its writer.
    let about = fs::metadata(path)?;
    if !about.is_file() {
        return Ok(Err(Unusable::NoFile));
    }
    if about.len() > most {
        return Ok(Err(Unusable::TooLarge(most)));
    }
    let mut bytes = Memory::new(usize::try_from(most).unwrap_or(usize::MAX));
    bytes.append(&mut File::open(path)?)?;
    Ok(Ok(bytes))
}

/// Removes what nobody will read: the files of sources not used for long, and what a killed writer left.
fn tidy(directory: &Path) -> io::Result<()> {
    let mut snapshots: Vec<(SystemTime, PathBuf)> = Vec::new();
    for entry in fs::read_dir(directory)? {
        let entry = entry?;
        let name = entry.file_name();
        let Some(name) = name.to_str() else { continue };
        // Another instance may have been faster with any of them.
        let Ok(modified) = entry.metadata().and_then(|about| about.modified()) else { continue };
        if name.starts_with(WRITING) {
            if modified.elapsed().is_ok_and(|age| age > GIVEN_UP) {
                let _ = fs::remove_file(entry.path());
            }
        } else if name.ends_with(".snapshot") {
            snapshots.push((modified, entry.path()));
        }
    }
    snapshots.sort_by(|a, b| b.cmp(a));
    for (_, path) in snapshots.into_iter().skip(2 * SOURCES) {
        let _ = fs::remove_file(path);
    }
    Ok(())
}

#[cfg(test)]
mod tests;
