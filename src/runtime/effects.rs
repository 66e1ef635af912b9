//! What the state wishes done outside: the clipboard, links.

use std::io::{self, Write};

use crossterm::clipboard::CopyToClipboard;
use crossterm::queue;
use tokio::sync::mpsc;

use crate::app::Message;
use crate::format::words;
use crate::model::text;

/// Deeds that take their time happen on other threads; what comes of them returns as messages.
pub(super) struct Outside {
    said: mpsc::Sender<Message>,
    heard: mpsc::Receiver<Message>,
}

/// Terminals take no more than about 100 kB in one sequence.
const CLIPBOARD_BYTES: usize = 64 * 1024;

/// Puts text on the clipboard through the terminal (OSC 52), so that it works over a remote shell too.
pub(super) fn copy(out: &mut impl Write, text: &str) -> io::Result<()> {
    let mut end = text.len().min(CLIPBOARD_BYTES);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    queue!(out, CopyToClipboard::to_clipboard_from(text.get(..end).unwrap_or_default()))?;
    out.flush()
}

/// The columns of a copied text that are shown.
const COPIED_COLUMNS: u16 = 40;

/// What is said of a copied text: its beginning.
pub(super) fn copied(text: &str) -> String {
    let line = text::clean(text.lines().next().unwrap_or_default());
    let begin = words::fit(line.trim(), COPIED_COLUMNS);
    let more = if begin.len() < text.trim().len() { "…" } else { "" };
    format!("copied “{begin}{more}”")
}

impl Outside {
    pub(super) fn new() -> Outside {
        let (said, heard) = mpsc::channel(64);
        Outside { said, heard }
    }

    /// For deeds that others do.
    pub(super) fn sender(&self) -> mpsc::Sender<Message> {
        self.said.clone()
    }

    /// Waits for what comes of a deed.
    pub(super) async fn next(&mut self) -> Message {
        match self.heard.recv().await {
            Some(message) => message,
            // Cannot be: one sender is ours.
            None => std::future::pending().await,
        }
    }

    /// What failed and nobody has heard of.
    pub(super) fn failures(mut self) -> Vec<String> {
        let mut failures = Vec::new();
        while let Ok(message) = self.heard.try_recv() {
            if let Message::EffectFailed(sentence) = message {
                failures.push(sentence);
            }
        }
        failures
    }

    /// A message from the loop to itself.
    pub(super) fn say(&self, message: Message) {
        // Full: the user is told of 64 other deeds already.
        let _ = self.said.try_send(message);
    }

    /// Opens a link in the user's browser: http and https only, as one argument, never through a shell.
    pub(super) fn open(&self, link: String) {
        let said = self.said.clone();
        tokio::task::spawn_blocking(move || {
            let allowed = url::Url::parse(&link).is_ok_and(|url| matches!(url.scheme(), "http" | "https"));
            let message = match allowed {
                false => Message::EffectFailed(String::from("only http and https links are opened")),
                true => match open::that_detached(&link) {
                    Ok(()) => Message::Notice(format!("opened {link}")),
                    Err(error) => {
                        tracing::warn!(%error, "no browser");
                        Message::EffectFailed(String::from("no browser could be started; y copies the link"))
                    }
                },
            };
            let _ = said.blocking_send(message);
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_copied_is_named_by_its_beginning() {
        assert_eq!(copied("bitcoin"), "copied “bitcoin”");
        assert_eq!(copied("one\ntwo"), "copied “one…”");
        assert_eq!(copied(&"ab".repeat(40)), format!("copied “{}…”", "ab".repeat(19) + "a"));
    }

    #[tokio::test]
    async fn what_failed_and_was_not_heard_is_told_at_the_end() {
        let mut outside = Outside::new();
        for message in ["heard", "late"] {
            outside.say(Message::EffectFailed(String::from(message)));
        }
        outside.say(Message::Notice(String::from("opened")));
        assert!(matches!(outside.next().await, Message::EffectFailed(text) if text == "heard"));
        assert_eq!(outside.failures(), ["late"]);
    }
}
