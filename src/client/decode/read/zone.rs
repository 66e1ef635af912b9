//! The time zone of times that don't state theirs.

use super::Context;
use super::moment::Zone;
use crate::model::UtcTime;

impl Context<'_> {
    /// Sets the zone of times that don't state theirs, unless it is `None`. Returns the previous zone.
    pub(in crate::client::decode) fn enter_zone(&mut self, zone: Option<Zone>) -> Zone {
        let zone = zone.unwrap_or_else(|| self.zone.clone());
        std::mem::replace(&mut self.zone, zone)
    }

    /// The name of the time zone, if times could not be read because its offsets are not known.
    pub(in crate::client::decode) fn unknown_zone(&self) -> Option<&str> {
        match &self.zone {
            Zone::Unknown(name) if self.has_unknown_zone => Some(name),
            _ => None,
        }
    }

    /// Parses a time that may be in the zone.
    pub(super) fn local(&mut self, words: &str, parse: impl Fn(&str, &Zone) -> Option<UtcTime>) -> Option<UtcTime> {
        let read = parse(words, &self.zone);
        if read.is_none() && matches!(self.zone, Zone::Unknown(_)) {
            self.has_unknown_zone |= parse(words, &Zone::UTC).is_some();
        }
        read
    }
}
