//! The currency before the last change, and what is restored with it.

use super::screen::list::AppliedFilter;
use crate::model::{Currency, Tag};

/// A currency that was changed, with what the change has removed.
#[derive(Clone, Debug)]
pub struct PreviousCurrency {
    /// The currency.
    pub currency: Currency,
    /// The removed filters, which name amounts in it.
    pub filters: Vec<(Tag, AppliedFilter)>,
}

impl PreviousCurrency {
    /// Adds the filters that an earlier change has removed. They come first: they are older.
    pub(in crate::app) fn with_filters_of(mut self, earlier: Option<PreviousCurrency>) -> PreviousCurrency {
        self.filters.splice(0..0, earlier.into_iter().flat_map(|earlier| earlier.filters));
        self
    }
}
