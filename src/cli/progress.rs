//! Progress of a command that fetches many pages: on standard error, and only if that is a terminal.

use std::io::{self, IsTerminal as _};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use tokio::time::{MissedTickBehavior, interval, sleep};

use crate::client::Client;
use crate::format::Count;
use crate::glyphs::Glyphs;

/// A command that takes longer than this shows its progress.
const SHOW_AFTER: Duration = Duration::from_secs(1);
/// Time between frames.
const FRAME: Duration = Duration::from_millis(100);

/// Runs `work`, and shows how many rows `client` has received if it takes long. The line is cleared at the end.
pub(super) async fn show<T>(client: &Client, glyphs: Glyphs, work: impl Future<Output = T>) -> T {
    let is_dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
    if !io::stderr().is_terminal() || is_dumb {
        return work.await;
    }
    tokio::pin!(work);
    tokio::select! {
        biased;
        done = &mut work => return done,
        () = sleep(SHOW_AFTER) => {}
    }
    let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
    bar.set_style(match glyphs {
        Glyphs::Unicode => ProgressStyle::default_spinner(),
        Glyphs::Ascii => ProgressStyle::default_spinner().tick_chars("|/-\\ "),
    });
    let mut frames = interval(FRAME);
    frames.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let done = loop {
        tokio::select! {
            biased;
            done = &mut work => break done,
            _ = frames.tick() => {
                bar.set_message(words(client.received_rows()));
                bar.tick();
            }
        }
    };
    bar.finish_and_clear();
    done
}

fn words(rows: u64) -> String {
    match rows {
        0 => String::from("Fetching"),
        1 => String::from("Fetching · 1 row"),
        rows => format!("Fetching · {} rows", Count(rows)),
    }
}
