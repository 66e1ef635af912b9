//! Side effects requested by the state: the bell, links, the command of alerts.

use std::io::{self, Write};

use tokio::sync::mpsc;

use crate::app::Message;

/// Runs slow effects on other threads and receives their results as messages.
pub(super) struct EffectRunner {
    sender: mpsc::Sender<Message>,
    receiver: mpsc::Receiver<Message>,
}

/// Rings the terminal's bell.
pub(super) fn bell(out: &mut impl Write) -> io::Result<()> {
    out.write_all(b"\x07")?;
    out.flush()
}

impl EffectRunner {
    pub(super) fn new() -> EffectRunner {
        let (sender, receiver) = mpsc::channel(64);
        EffectRunner { sender, receiver }
    }

    /// Waits for the next result.
    pub(super) async fn next(&mut self) -> Message {
        match self.receiver.recv().await {
            Some(message) => message,
            // Unreachable: `self.sender` keeps the channel open.
            None => std::future::pending().await,
        }
    }

    /// The next result, if there is one.
    pub(super) fn try_next(&mut self) -> Option<Message> {
        self.receiver.try_recv().ok()
    }

    /// Returns the failures that were not received yet.
    pub(super) fn failures(mut self) -> Vec<String> {
        let mut failures = Vec::new();
        while let Ok(message) = self.receiver.try_recv() {
            match message {
                Message::EffectFailed(sentence) | Message::AlertCommandEnded(Err(sentence)) => failures.push(sentence),
                Message::LinkNotOpened(link) => failures.push(format!("can't open a browser for {link}")),
                _ => {}
            }
        }
        failures
    }

    /// Receives the message of a future.
    pub(super) fn await_message(&self, message: impl Future<Output = Message> + Send + 'static) {
        let sender = self.sender.clone();
        tokio::spawn(async move {
            // Closed if the program is quitting.
            let _ = sender.send(message.await).await;
        });
    }

    /// Queues a message from the loop to itself.
    pub(super) fn send(&self, message: Message) {
        // If the channel is full, 64 other results are waiting to be shown.
        let _ = self.sender.try_send(message);
    }

    /// Runs the user's command for an alert, and reports its outcome.
    pub(super) fn run_alert_command(&self, command: impl FnOnce() -> Result<(), String> + Send + 'static) {
        let sender = self.sender.clone();
        tokio::task::spawn_blocking(move || {
            let outcome = command();
            if let Err(sentence) = &outcome {
                tracing::warn!(sentence, "alert command failed");
            }
            let _ = sender.blocking_send(Message::AlertCommandEnded(outcome));
        });
    }

    /// Opens an http or https link in the user's browser, without a shell.
    pub(super) fn open(&self, link: String) {
        let sender = self.sender.clone();
        tokio::task::spawn_blocking(move || {
            let allowed = url::Url::parse(&link).is_ok_and(|url| matches!(url.scheme(), "http" | "https"));
            let message = if allowed {
                match open::that_detached(&link) {
                    Ok(()) => Message::Notice(format!("Opened {link}")),
                    Err(error) => {
                        tracing::warn!(%error, "can't start a browser");
                        Message::LinkNotOpened(link)
                    }
                }
            } else {
                Message::EffectFailed(String::from("Can't open link: not http or https"))
            };
            let _ = sender.blocking_send(message);
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn unreceived_failures_are_returned_at_the_end() {
        let mut runner = EffectRunner::new();
        for message in ["received", "late"] {
            runner.send(Message::EffectFailed(String::from(message)));
        }
        runner.send(Message::Notice(String::from("opened")));
        assert!(matches!(runner.next().await, Message::EffectFailed(text) if text == "received"));
        assert_eq!(runner.failures(), ["late"]);
    }
}
