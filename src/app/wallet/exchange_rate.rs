//! The exchange rate of the amounts on the screen.

use crate::model::RateOrigin;

use crate::app::state::State;

impl State {
    /// The origin of the exchange rate of the newest prices in the chosen currency; `None` if the service doesn't name
    /// it, or the prices need no rate.
    pub fn rate_origin(&self) -> Option<&RateOrigin> {
        let convert = self.convert.requested();
        let entries = self.responses.all().into_iter();
        let converted = entries.filter(|(request, _)| request.convert().is_some_and(|it| it.requested() == convert));
        let receipts = converted.filter_map(|(_, entry)| entry.receipt.as_ref());
        receipts.max_by_key(|receipt| receipt.fetched_at)?.rate.as_deref()
    }
}
