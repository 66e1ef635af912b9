//! Alerts that fired just before the program ends.

use std::io::{self, IsTerminal as _, Write as _};
use std::sync::mpsc::channel;
use std::thread;
use std::time::Duration;

use super::notification::Notifier;
use crate::app::Effect;
use crate::model::UtcTime;
use crate::terminal;

/// How long the program waits for the user's command. It continues after the program has ended.
const COMMAND_WAIT: Duration = Duration::from_millis(500);

/// Rings the bell, notifies and runs the user's command, as `effects` say, unless it is quiet time. The screen is gone, so
/// that the bell and the notification go to standard error if it is a terminal. Returns the texts of the alerts.
pub(super) fn announce((texts, effects): (Vec<String>, Vec<Effect>), notifier: &Notifier, now: UtcTime) -> Vec<String> {
    if notifier.is_quiet(now) {
        return texts;
    }
    let mut out = io::stderr();
    let is_terminal = out.is_terminal() && !terminal::is_stuck();
    let mut commands = Vec::new();
    for effect in effects {
        match effect {
            Effect::Bell if is_terminal => drop(out.write_all(b"\x07")),
            Effect::Notify { title, text } => {
                if is_terminal {
                    // Without a terminal that works, nobody is there to notify.
                    let _ = notifier.send(&mut out, &title, &text);
                }
                commands.extend(notifier.command(&title, &text));
            }
            _ => {}
        }
    }
    if !commands.is_empty() {
        let (end, done) = channel::<()>();
        // At the same time, so that a slow one doesn't keep the others from starting.
        for command in commands {
            let end = end.clone();
            let run = move || {
                let _end = end;
                if let Err(sentence) = command() {
                    tracing::warn!(sentence, "alert command failed");
                }
            };
            if let Err(error) = thread::Builder::new().name(String::from("alert command")).spawn(run) {
                tracing::warn!(%error, "can't run the alert command: can't start a thread");
            }
        }
        drop(end);
        // An error means that all commands have ended.
        let _ = done.recv_timeout(COMMAND_WAIT);
    }
    texts
}
