//! Progress of a command that fetches many pages: on standard error, and only if that is a terminal.

use std::io::{self, IsTerminal as _};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use tokio::time::{MissedTickBehavior, interval, sleep};

use crate::client::{Client, Request};
use crate::format::Count;
use crate::glyphs::Glyphs;

/// A command that takes longer than this shows its progress.
const SHOW_AFTER: Duration = Duration::from_secs(1);
/// Time between frames.
const FRAME: Duration = Duration::from_millis(100);

/// Runs `work`. If it takes long, shows how many of up to `limit` rows `client` has received, or that it waits because the
/// service limits the rate of requests. The line is cleared at the end.
pub(super) async fn show<T>(client: &Client, limit: Option<u32>, glyphs: Glyphs, work: impl Future<Output = T>) -> T {
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
                bar.set_message(words(client.is_waiting(), client.received_rows(), limit));
                bar.tick();
            }
        }
    };
    bar.finish_and_clear();
    done
}

/// The maximum rows of a list.
pub(super) fn limit(request: &Request) -> Option<u32> {
    use Request::{Brc20Activity, Brc20Balances, Brc20Holders, Brc20Tokens, Coins, Inscriptions, SatInscriptions};
    match request {
        Coins { limit, .. }
        | Brc20Tokens { limit, .. }
        | Brc20Holders { limit, .. }
        | Brc20Balances { limit, .. }
        | Brc20Activity { limit, .. }
        | SatInscriptions { limit, .. }
        | Inscriptions { limit, .. } => Some(*limit),
        _ => None,
    }
}

fn words(is_waiting: bool, rows: u64, limit: Option<u32>) -> String {
    let doing = if is_waiting { "Rate-limited, waiting" } else { "Fetching" };
    match (rows, limit.map(u64::from)) {
        (0, _) => String::from(doing),
        // The list may be shorter.
        (rows, Some(limit)) if rows <= limit => format!("{doing} · {} of up to {} rows", Count(rows), Count(limit)),
        (1, _) => format!("{doing} · 1 row"),
        (rows, _) => format!("{doing} · {} rows", Count(rows)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn progress_says_what_takes_long() {
        assert_eq!(words(false, 0, None), "Fetching");
        assert_eq!(words(false, 1_200, Some(5_000)), "Fetching · 1,200 of up to 5,000 rows");
        assert_eq!(words(true, 1, None), "Rate-limited, waiting · 1 row");
    }
}
