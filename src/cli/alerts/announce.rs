//! Prints the firings of `satscope alerts watch`, and notifies the user as the dashboard does.

use std::io::{self, IsTerminal as _, Write as _};
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use serde::Serialize;
use tokio::task::JoinSet;
use tokio::time::timeout;

use super::super::args::Format;
use super::super::failure::{Failure, say, unwritable_output};
use super::super::{csv, json, sheet};
use super::value;
use crate::config::Settings;
use crate::format::TimeRange;
use crate::format::words::in_sentence;
use crate::model::{UtcTime, Zone};
use crate::runtime::{COMMAND_TIMEOUT, Multiplexer, Notifier, Protocol};
use crate::user_data::alert::Value;
use crate::user_data::{Alert, AlertEvent};

/// How long the process waits for the user's commands on exit.
const END_TIMEOUT: Duration = COMMAND_TIMEOUT.saturating_mul(2);

/// Whether standard output takes a line without blocking: it may be a paused terminal or the pipe of a stopped process.
pub(super) fn is_writable() -> bool {
    let out = io::stdout();
    let now = Timespec { tv_sec: 0, tv_nsec: 0 };
    match poll(&mut [PollFd::new(&out, PollFlags::OUT)], Some(&now)) {
        Ok(ready) => ready > 0,
        // Writing reports other errors.
        Err(error) => error != Errno::INTR,
    }
}

/// An alert that fired, as a line of JSON or CSV.
#[derive(Serialize)]
struct Line<'a> {
    id: i64,
    rule: String,
    at: UtcTime,
    /// For a missed alert without history: the last check before.
    after: Option<UtcTime>,
    title: &'a str,
    text: &'a str,
    value: Option<serde_json::Value>,
    missed: bool,
    simulated: bool,
}

/// The columns in CSV.
const FIELDS: &[&str] = &["id", "rule", "at", "after", "title", "text", "value", "missed", "simulated"];

/// Notifies the user of firings.
pub(super) struct Announcer {
    format: Format,
    zone: Zone,
    notifier: Notifier,
    /// The user's commands that are still running.
    commands: JoinSet<()>,
}

impl Announcer {
    /// Prints the header of CSV.
    pub(super) fn start(format: Format, settings: &Settings) -> Result<Announcer, Failure> {
        if format == Format::Csv {
            csv::write_header(&mut io::stdout().lock(), FIELDS)?;
        }
        Ok(Announcer::new(format, settings))
    }

    fn new(format: Format, settings: &Settings) -> Announcer {
        let zone = settings.display.time_zone.zone();
        let variable = |name: &str| std::env::var(name).ok();
        let (protocol, multiplexer) = (Protocol::detect(variable), Multiplexer::detect(variable));
        let notifier = Notifier::new(protocol, multiplexer, settings.alerts.clone(), zone.clone());
        Announcer { format, zone, notifier, commands: JoinSet::new() }
    }

    /// Rings the bell and notifies, as set in an alert that fired, unless `now` is in the quiet hours.
    pub(super) fn notify(&mut self, alert: &Alert, event: &AlertEvent, now: UtcTime) {
        if self.notifier.is_quiet(now) {
            return;
        }
        // Bell and notification go to standard error if it is a terminal, since standard output is data.
        let mut terminal = io::stderr();
        let is_terminal = terminal.is_terminal() && !crate::terminal::is_stuck();
        if alert.bell && is_terminal {
            let _ = terminal.write_all(b"\x07");
        }
        if !alert.notify {
            return;
        }
        if is_terminal {
            let _ = self.notifier.send(&mut terminal, &event.title, &event.text);
        }
        if let Some(command) = self.notifier.command(&event.title, &event.text) {
            while self.commands.try_join_next().is_some() {}
            self.commands.spawn_blocking(move || {
                if let Err(sentence) = command() {
                    say(&in_sentence(&sentence));
                }
            });
        }
    }

    /// Prints a firing. `value` is the one that fired it.
    ///
    /// # Errors
    /// Standard output can't be written. A closed pipe ends the command as it ends others.
    pub(super) fn print(&self, alert: &Alert, event: &AlertEvent, value: Option<Value>) -> Result<(), Failure> {
        self.write(alert, event, value).map_err(|error| match error.kind() {
            io::ErrorKind::BrokenPipe => Failure::Output(error),
            _ => Failure::Operation(format!(
                "{}; alert {} is not recorded as fired",
                unwritable_output(&error),
                alert.id
            )),
        })
    }

    fn write(&self, alert: &Alert, event: &AlertEvent, value: Option<Value>) -> io::Result<()> {
        let AlertEvent { at, after, title, text, missed, .. } = event;
        let line = || Line {
            id: alert.id.0,
            rule: alert.rule.to_string(),
            at: *at,
            after: *after,
            title,
            text,
            value: value.map(|value| value::json(&alert.rule, value)),
            missed: *missed,
            simulated: alert.state.is_simulated(),
        };
        let mut out = io::stdout().lock();
        match self.format {
            Format::Json => json::write(&mut out, &line())?,
            Format::Csv => csv::write_rows(&mut out, FIELDS, &[sheet::row(&line())])?,
            Format::Table | Format::Plot => {
                let [until, now] = [*at, UtcTime::now()].map(|time| self.zone.at(time));
                let range = TimeRange { from: after.map(|after| self.zone.at(after)), until, now };
                writeln!(out, "{range} {text}")?;
            }
        }
        out.flush()
    }

    /// Waits for the commands that are still running.
    pub(super) async fn finish(mut self) {
        let all = async { while self.commands.join_next().await.is_some() {} };
        if timeout(END_TIMEOUT, all).await.is_err() {
            say("alert command still running after 20 s; no longer waiting");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::alerts::parse::parse;
    use crate::config::{QuietHours, TimeZone};
    use crate::model::Currency;
    use crate::user_data::AlertId;

    #[tokio::test]
    async fn quiet_hours_across_midnight_run_no_command() {
        let mut settings = Settings::default();
        settings.display.time_zone = TimeZone::Named(Zone::UTC);
        settings.alerts.quiet = QuietHours::parse("22:00-07:00");
        settings.alerts.command = vec![String::from("true")];
        let mut announcer = Announcer::new(Format::Table, &settings);
        let rule = parse("fees < 3").unwrap().rule(None, &Currency::usd()).unwrap();
        let alert = Alert { bell: false, ..Alert::new(rule, false) };
        let midnight = UtcTime::from_secs(1_795_046_400);
        let event = AlertEvent {
            alert: AlertId(1),
            number: 1,
            at: midnight,
            after: None,
            title: "Fees < 3".into(),
            text: "Fee rate is 2 sat/vB (limit < 3)".into(),
            missed: false,
            seen: false,
        };
        for minutes in [22 * 60, 23 * 60 + 59, 24 * 60, 24 * 60 + 7 * 60 - 1] {
            announcer.notify(&alert, &event, midnight.plus(Duration::from_mins(minutes)));
            assert_eq!(announcer.commands.len(), 0, "minute {minutes}");
        }
        announcer.notify(&alert, &event, midnight.plus(Duration::from_hours(24 + 7)));
        assert_eq!(announcer.commands.len(), 1, "the end of the night");
        announcer.finish().await;
    }
}
