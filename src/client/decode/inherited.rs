//! What a part of a response inherits from the rest.

use super::read::Zone;
use super::tape::Document;
use super::time_zone;
use crate::client::request::Warning;

/// What applies to a part of a response that is read as a document of its own.
pub(super) struct Inherited<'a> {
    /// The warning about the encoding of the response.
    pub(super) charset: Option<&'a Warning>,
    /// The zone of its times.
    pub(super) zone: Option<Zone>,
}

impl<'a> Inherited<'a> {
    /// What applies to a part of this document.
    pub(super) fn inside(&self, document: &Document<'_>) -> Inherited<'a> {
        Inherited { charset: self.charset, zone: self.zone_of(document) }
    }

    /// The zone of the times in a document, which may state another one.
    pub(super) fn zone_of(&self, document: &Document<'_>) -> Option<Zone> {
        time_zone::around(document.root()).or_else(|| self.zone.clone())
    }
}
