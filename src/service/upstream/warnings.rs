//! What could not be read in a provider's responses, for the user.

use std::time::Duration;

use parking_lot::Mutex;
use tokio::time::Instant;

use super::load::Load;

/// How long warnings are reported.
const KEEP: Duration = Duration::from_hours(1);

/// The warnings of the last response that had some.
#[derive(Debug, Default)]
pub(in crate::service) struct Warnings(Mutex<Option<Latest>>);

#[derive(Debug)]
struct Latest {
    at: Instant,
    sentence: String,
}

impl Warnings {
    /// Records unreadable items of a response, here and in the load that it belongs to: their number, what they are,
    /// and the first one if it is known.
    pub(in crate::service) fn record(&self, count: usize, what: &str, first: Option<&str>) {
        if count > 0 {
            let plural = if count == 1 { "" } else { "s" };
            let example = match (first, count) {
                (None, _) => String::new(),
                (Some(first), 1) => format!(": {first}"),
                (Some(first), _) => format!(", such as {first}"),
            };
            self.note(format!("Skipped {count} unreadable {what}{plural}{example}"));
        }
    }

    /// Records what is missing or wrong in a response, as a sentence, here and in the load that it belongs to.
    pub(in crate::service) fn note(&self, sentence: String) {
        if let Some(load) = Load::current() {
            load.warn(&sentence);
        }
        *self.0.lock() = Some(Latest { at: Instant::now(), sentence });
    }

    /// The warnings of the last hour as one sentence.
    pub(in crate::service) fn sentence(&self) -> Option<String> {
        let latest = self.0.lock();
        latest.as_ref().filter(|latest| latest.at.elapsed() < KEEP).map(|latest| latest.sentence.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn warnings_are_reported_for_an_hour() {
        let warnings = Warnings::default();
        warnings.record(0, "field", None);
        assert_eq!(warnings.sentence(), None);
        warnings.record(1, "field", Some("$.price: not a number"));
        assert_eq!(warnings.sentence().unwrap(), "Skipped 1 unreadable field: $.price: not a number");
        warnings.record(2, "post", None);
        assert_eq!(warnings.sentence().unwrap(), "Skipped 2 unreadable posts");
        tokio::time::advance(KEEP).await;
        assert_eq!(warnings.sentence(), None);
    }
}
