//! `satscope notes`: lists, adds and removes the notes in charts.

use jiff::civil::{DateTime, Time};
use serde::Serialize;

use super::args::{Format, NotesCommand};
use super::columns;
use super::failure::{Failure, say, with_short_words};
use super::find;
use super::output::{self, Envelope};
use super::sheet::{Layout, Sheet};
use super::user_store;
use crate::client::Warning;
use crate::config::Settings;
use crate::model::{Text, UtcTime, Zone};
use crate::portfolio::entry;
use crate::user_data::{Change, MAX_NOTES, Note, UnreadablePart, UserData};

/// A note in the output.
#[derive(Debug, Serialize)]
struct Row<'a> {
    slug: &'a str,
    time: UtcTime,
    text: &'a str,
}

const FIELDS: &[&str] = &["slug", "time", "text"];

/// Runs a subcommand; the default is to list.
pub(super) fn run(command: Option<&NotesCommand>, settings: &Settings, format: Option<Format>) -> Result<(), Failure> {
    match command {
        None => list(None, settings, format),
        Some(NotesCommand::List { slug }) => list(slug.as_ref(), settings, format),
        Some(NotesCommand::Add { coin, text, at }) => add(coin, &text.join(" "), at.as_deref(), settings, format),
        Some(NotesCommand::Remove { slug, at, .. }) => remove(slug, at.as_deref(), settings, format),
    }
}

fn list(slug: Option<&Text>, settings: &Settings, format: Option<Format>) -> Result<(), Failure> {
    let data = load(settings)?;
    let warnings = user_store::unreadable(&data, format, |part| part == UnreadablePart::Notes);
    let mut notes = data.notes;
    notes.retain(|note| slug.is_none_or(|slug| note.slug.eq_ignore_ascii_case(slug)));
    print(&notes, &warnings, settings, format)?;
    if notes.is_empty() && output::format(format) == Format::Table && data.unreadable.is_empty() {
        say(&slug.map_or_else(|| String::from("no notes"), |slug| format!("no notes about {slug}")));
    }
    Ok(())
}

fn add(coin: &Text, text: &str, at: Option<&str>, settings: &Settings, format: Option<Format>) -> Result<(), Failure> {
    let now = UtcTime::now();
    let time = at.map_or(Ok(now), |at| time(at, &settings.display.time_zone.zone()))?;
    if let Some(at) = at.filter(|_| time > now) {
        return Err(Failure::Usage(format!("{at} is in the future")));
    }
    let text = entry::note_text("note", text).map_err(|error| Failure::Usage(error.to_string()))?;
    let text = text.ok_or_else(|| Failure::Usage(String::from("a note needs text")))?;
    // If the notes can't be read, saving says why.
    let data = load(settings).unwrap_or_default();
    let slug = find::slug_of(coin, &data, settings).map_err(|failure| failure.with_context("note not added"))?;
    let slug = slug.ok_or_else(|| Failure::Operation(format!("can't add a note: {coin} has no slug")))?;
    // The store keeps milliseconds.
    let note = Note { slug, time: UtcTime::from_millis(time.millis()), text };
    user_store::update("note", settings, |data| {
        let is_full = data.notes.len() >= MAX_NOTES && !data.notes.iter().any(|known| known.is_at(&note));
        match is_full {
            true => Err(Failure::Operation(format!("can't add note (limit of {MAX_NOTES} reached)"))),
            false => Ok(vec![Change::PutNote(note.clone())]),
        }
    })?;
    print(&[note], &[], settings, format)
}

/// Removes the note of a coin at a time, or all of its notes.
fn remove(slug: &Text, at: Option<&str>, settings: &Settings, format: Option<Format>) -> Result<(), Failure> {
    let at = at.map(|at| time(at, &settings.display.time_zone.zone())).transpose()?;
    let found = |data: &UserData| -> Result<Vec<Note>, Failure> {
        let is_meant = |note: &&Note| note.slug.eq_ignore_ascii_case(slug) && at.is_none_or(|at| at == note.time);
        let notes: Vec<Note> = data.notes.iter().filter(is_meant).cloned().collect();
        if notes.is_empty() {
            let when = at.map_or_else(String::new, |at| format!(" at {at}"));
            return Err(Failure::Operation(format!("no note about {slug}{when} (list notes: satscope notes)")));
        }
        Ok(notes)
    };
    // Without such a note, nothing is written.
    let mut removed = found(&load(settings)?)?;
    user_store::update("note", settings, |data| {
        removed = found(data)?;
        Ok(removed.iter().cloned().map(Change::RemoveNote).collect())
    })?;
    print(&removed, &[], settings, format)
}

/// Parses a time: RFC 3339, or a day or local time in the zone. A day means its start.
fn time(text: &str, zone: &Zone) -> Result<UtcTime, Failure> {
    if let Some(time) = UtcTime::parse_rfc3339(text) {
        return Ok(time);
    }
    let wrong = |reason: &str| Failure::Usage(with_short_words(&format!("--at {text}: {reason}")));
    let local: DateTime =
        text.parse().map_err(|_| wrong("expected 2026-11-20, 2026-11-20 14:00 or 2026-11-20T14:00:00Z"))?;
    let start = || (local.time() == Time::midnight()).then(|| zone.start_of(local.date())).flatten();
    zone.time(local)
        .or_else(start)
        .ok_or_else(|| wrong(&format!("no such time in {} (skipped by daylight saving time)", zone.name())))
}

fn load(settings: &Settings) -> Result<UserData, Failure> {
    user_store::load(settings).map_err(|error| Failure::Operation(format!("can't read the notes: {error}")))
}

fn print(notes: &[Note], warnings: &[Warning], settings: &Settings, format: Option<Format>) -> Result<(), Failure> {
    let rows: Vec<Row<'_>> =
        notes.iter().map(|note| Row { slug: &note.slug, time: note.time, text: &note.text }).collect();
    let envelope = Envelope { warnings, ..Envelope::local(&rows, settings.dirs.state.as_deref()) };
    let sheet = || Sheet::list(FIELDS, Layout::Columns(columns::NOTES), &rows);
    output::print(&envelope, format, &settings.display, sheet)
}
