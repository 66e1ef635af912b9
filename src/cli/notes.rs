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
use crate::format::words::counted;
use crate::model::{Text, UtcTime, Zone};
use crate::portfolio::entry::{self, FIRST_DAY};
use crate::user_data::{Change, MAX_NOTES, NOTES_FULL, Note, UnreadablePart, UserData};

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
        Some(NotesCommand::List { coin }) => list(coin.as_ref(), settings, format),
        Some(NotesCommand::Add { coin, text, at }) => add(coin, &text.join(" "), at.as_deref(), settings, format),
        Some(NotesCommand::Remove { coin, at, .. }) => remove(coin, at.as_deref(), settings, format),
    }
}

fn list(coin: Option<&Text>, settings: &Settings, format: Option<Format>) -> Result<(), Failure> {
    let data = load(settings)?;
    let warnings = user_store::unreadable(&data, format, |part| part == UnreadablePart::Notes);
    let slug = coin.map(|coin| slug_in_notes(coin, &data, settings)).transpose();
    let slug = slug.map_err(|failure| failure.with_context("can't list notes"))?.transpose();
    let slug = slug.map_err(|reason| Failure::Operation(format!("can't list notes: {reason}")))?;
    let mut notes = data.notes;
    if let Some(slug) = &slug {
        notes.retain(|note| note.slug.eq_ignore_ascii_case(slug));
    }
    print(&notes, &warnings, settings, format)?;
    let is_empty = notes.is_empty() && data.unreadable.is_empty();
    match coin {
        Some(coin) if is_empty => say(&format!("no notes about {coin}")),
        None if is_empty && output::format(format) == Format::Table => say("no notes"),
        _ => {}
    }
    Ok(())
}

/// The slug of the notes about a coin, given by its slug or symbol. The service is queried only if the saved data
/// doesn't have it.
///
/// # Errors
/// The service can't be reached. The inner error is why the coin is unknown.
fn slug_in_notes(coin: &Text, data: &UserData, settings: &Settings) -> Result<Result<Text, String>, Failure> {
    let has_notes = |slug: &Text| data.notes.iter().any(|note| note.slug.eq_ignore_ascii_case(slug));
    if has_notes(coin) {
        return Ok(Ok(coin.clone()));
    }
    if let Some((_, slug)) = find::in_user_data(coin, data).filter(|(_, slug)| has_notes(slug)) {
        return Ok(Ok(slug));
    }
    match find::slug_of(coin, data, settings) {
        Ok(slug) => Ok(Ok(slug.unwrap_or_else(|| coin.clone()))),
        Err(Failure::Operation(reason) | Failure::Usage(reason)) => Ok(Err(reason)),
        Err(failure) => Err(failure),
    }
}

fn add(coin: &Text, text: &str, at: Option<&str>, settings: &Settings, format: Option<Format>) -> Result<(), Failure> {
    let (now, zone) = (UtcTime::now(), settings.display.time_zone.zone());
    let at = at.filter(|at| !at.eq_ignore_ascii_case("now"));
    let time = at.map_or(Ok(now), |at| time(at, now, &zone))?;
    if let Some(at) = at.filter(|_| time > now) {
        return Err(Failure::Usage(format!("{at} is in the future")));
    }
    if let Some(at) = at.filter(|_| zone.at(time).date() < FIRST_DAY) {
        return Err(Failure::Usage(format!("{at} is before the first block ({FIRST_DAY})")));
    }
    let text = entry::note_text("note", text).map_err(|error| Failure::Usage(error.to_string()))?;
    let text = text.ok_or_else(|| Failure::Usage(String::from("a note needs text")))?;
    // If the notes can't be read, saving says why.
    let data = load(settings).unwrap_or_default();
    let slug = find::slug_of(coin, &data, settings).map_err(|failure| failure.with_context("note not added"))?;
    let slug = slug.ok_or_else(|| Failure::Operation(format!("can't add note ({coin} has no slug)")))?;
    // The store keeps milliseconds.
    let note = Note { slug, time: UtcTime::from_millis(time.millis()), text };
    let mut replaced = None;
    user_store::update("note", settings, |data| {
        replaced = data.notes.iter().find(|known| known.is_at(&note)).cloned();
        if data.notes.len() >= MAX_NOTES && replaced.is_none() {
            Err(Failure::Operation(format!("can't add note: {NOTES_FULL} (remove one: satscope notes remove)")))
        } else {
            Ok(vec![Change::PutNote(note.clone())])
        }
    })?;
    if let Some(Note { text, .. }) = replaced.filter(|replaced| replaced.text != note.text) {
        say(&format!("replaced the note \"{text}\""));
    }
    print(&[note], &[], settings, format)
}

/// Removes the note of a coin at a time, or all of its notes.
fn remove(coin: &Text, at: Option<&str>, settings: &Settings, format: Option<Format>) -> Result<(), Failure> {
    let at = at.map(|at| time(at, UtcTime::now(), &settings.display.time_zone.zone())).transpose()?;
    let data = load(settings)?;
    let no_note = |reason: &str| {
        let when = at.map_or_else(String::new, |at| format!(" at {at}"));
        Failure::Operation(format!("no note about {coin}{when}{reason} (list notes: satscope notes)"))
    };
    // Without notes, none can be removed, whatever the coin is.
    let slug = if data.notes.is_empty() {
        Ok(coin.clone())
    } else {
        slug_in_notes(coin, &data, settings).map_err(|failure| failure.with_context("no note removed"))?
    };
    let slug = &slug.map_err(|reason| no_note(&format!(": {reason}")))?;
    let found = |data: &UserData| -> Result<Vec<Note>, Failure> {
        let of_coin = data.notes.iter().filter(|note| note.slug.eq_ignore_ascii_case(slug));
        let mut notes: Vec<Note> = of_coin.cloned().collect();
        if let Some(at) = at {
            keep_at(&mut notes, at);
            let inexact = notes.iter().filter(|note| note.time != at).count();
            if inexact > 1 {
                let several = counted(inexact, "note");
                let advice = "exact times: satscope notes --format json";
                return Err(Failure::Operation(format!(
                    "no note removed: {several} about {coin} in that minute ({advice})"
                )));
            }
        }
        if notes.is_empty() { Err(no_note("")) } else { Ok(notes) }
    };
    // Without such a note, nothing is written.
    let mut removed = found(&data)?;
    user_store::update("note", settings, |data| {
        removed = found(data)?;
        Ok(removed.iter().cloned().map(Change::RemoveNote).collect())
    })?;
    print(&removed, &[], settings, format)?;
    output::note_removed(removed.len(), "note", format);
    Ok(())
}

/// Keeps the note at a time. If there is none, keeps those in the minute that begins then: tables show only minutes.
fn keep_at(notes: &mut Vec<Note>, at: UtcTime) {
    const MINUTE: i64 = 60_000;
    let is_exact = notes.iter().any(|note| note.time == at);
    let is_shown_as = |time: UtcTime| time.millis().div_euclid(MINUTE) * MINUTE == at.millis();
    notes.retain(|note| if is_exact { note.time == at } else { is_shown_as(note.time) });
}

/// Parses a time: RFC 3339, or a day ([`entry::date`]) or local time in the zone. A day means its start. Times outside of
/// the years 1 to 9999 are clamped.
fn time(text: &str, now: UtcTime, zone: &Zone) -> Result<UtcTime, Failure> {
    let shown = if text.trim().is_empty() { "\"\"" } else { text };
    let wrong = |reason: &str| Failure::Usage(with_short_words(&format!("--at {shown}: {reason}")));
    // The parsers would ignore it, even if it contradicts the offset.
    if text.contains('[') {
        return Err(wrong("time zones in brackets are not supported (use an offset such as +01:00)"));
    }
    if let Some(time) = UtcTime::parse_rfc3339(text) {
        return Ok(time);
    }
    let day = entry::date(text, zone.at(now).date());
    let local = match day.map_err(|error| Failure::Usage(with_short_words(&error.to_string())))? {
        Some(day) => day.to_datetime(Time::midnight()),
        None => text
            .parse::<DateTime>()
            .map_err(|_| wrong("expected a day (2026-11-20, today), 2026-11-20 14:00 or RFC 3339"))?,
    };
    let [first, last] = [i64::MIN, i64::MAX].map(|millis| zone.at(UtcTime::from_millis(millis)));
    let local = local.clamp(first, last);
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
    let envelope = Envelope { warnings, ..Envelope::local(&rows, user_store::path(settings).as_deref()) };
    let sheet = || Sheet::list(FIELDS, Layout::Columns(columns::NOTES), &rows);
    output::print(&envelope, format, &settings.display, sheet)
}
