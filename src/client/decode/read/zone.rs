//! The time zone of times that don't state theirs.

use super::Context;
use super::moment::Zone;
use crate::model::{Text, UtcTime};

impl Context<'_> {
    /// Sets the zone of times that don't state theirs, unless it is `None`. Returns the previous zone.
    pub(in crate::client::decode) fn enter_zone(&mut self, zone: Option<Zone>) -> Zone {
        let zone = zone.unwrap_or_else(|| self.zone.clone());
        std::mem::replace(&mut self.zone, zone)
    }

    /// Takes the name of the time zone, if times could not be read because its offsets are not known.
    pub(in crate::client::decode) fn take_unknown_zone(&mut self) -> Option<Text> {
        self.unknown_zone.take()
    }

    /// Takes the first time that could not be read since the last call.
    pub(in crate::client::decode) fn take_unreadable_time(&mut self) -> Option<String> {
        self.unreadable_time.take()
    }

    /// Parses a time that may be in the zone.
    pub(super) fn local(&mut self, words: &str, parse: impl Fn(&str, &Zone) -> Option<UtcTime>) -> Option<UtcTime> {
        let read = parse(words, &self.zone);
        if let (None, Zone::Unknown(name), None) = (read, &self.zone, &self.unknown_zone)
            && parse(words, &Zone::UTC).is_some()
        {
            self.unknown_zone = Some(name.clone());
        }
        read
    }
}
