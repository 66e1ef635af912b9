//! Parts of the store that this version can't read: written by a newer one, or edited by hand.

use super::alert::AlertId;
use super::lot::LotId;

/// What can't be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnreadablePart {
    /// The watchlist.
    Watchlist,
    /// All lots.
    Lots,
    /// One lot.
    Lot(LotId),
    /// The addresses.
    Addresses,
    /// All alerts.
    Alerts,
    /// One alert.
    Alert(AlertId),
    /// The notes in charts.
    Notes,
    /// Something that the user didn't enter.
    Other,
}

impl UnreadablePart {
    /// Whether holdings are missing without it.
    pub fn is_holdings(self) -> bool {
        self.is_lots() || self == UnreadablePart::Addresses
    }

    /// Whether lots are missing without it.
    pub fn is_lots(self) -> bool {
        matches!(self, UnreadablePart::Lots | UnreadablePart::Lot(_))
    }

    /// Whether alerts are missing without it.
    pub fn is_alerts(self) -> bool {
        matches!(self, UnreadablePart::Alerts | UnreadablePart::Alert(_))
    }
}

/// An unreadable part. It is omitted from the data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unreadable {
    /// The part.
    pub part: UnreadablePart,
    /// The part and the reason, in one sentence.
    pub sentence: String,
}
