//! What tells the items of a list from one another.

use std::borrow::Cow;
use std::collections::HashSet;

use super::pages::on_list;
use crate::client::{Answer, Warning};
use crate::model::{Activity, Balance, Brc20Token, Coin, Holder, Inscription, Page};

/// A warning where one answer has several items of one identity: whoever joins lists takes them for one.
pub(super) fn twins(answer: &Answer) -> Option<Warning> {
    fn of<T: Item>(page: &Page<T>) -> Option<Warning> {
        let mut seen = HashSet::with_capacity(page.items.len());
        let mut twins = page.items.iter().filter_map(Item::identity).filter(|identity| !seen.insert(identity.clone()));
        let first = twins.next()?;
        let count = twins.count() + 1;
        let ids = if count == 1 { "id" } else { "ids" };
        Some(format!("{count} duplicate {ids} in the response, such as {first}; lists may show one row"))
    }
    match answer {
        Answer::Coins(page) => of(page),
        other => on_list!(other, page => of(page), else None),
    }
}

/// An item of a list.
pub(super) trait Item {
    /// What tells it from the others; `None` where nothing does.
    fn identity(&self) -> Option<Cow<'_, str>>;
}

impl Item for Coin {
    fn identity(&self) -> Option<Cow<'_, str>> {
        Some(Cow::Borrowed(&self.id.0))
    }
}

impl Item for Brc20Token {
    fn identity(&self) -> Option<Cow<'_, str>> {
        Some(Cow::Owned(self.ticker.to_lowercase().into()))
    }
}

impl Item for Holder {
    fn identity(&self) -> Option<Cow<'_, str>> {
        self.address.as_deref().map(Cow::Borrowed)
    }
}

impl Item for Balance {
    fn identity(&self) -> Option<Cow<'_, str>> {
        self.ticker.as_ref().map(|ticker| Cow::Owned(ticker.to_lowercase().into()))
    }
}

impl Item for Inscription {
    fn identity(&self) -> Option<Cow<'_, str>> {
        Some(Cow::Borrowed(&self.id))
    }
}

impl Item for Activity {
    fn identity(&self) -> Option<Cow<'_, str>> {
        if self.inscription_id.is_none() && self.tx_id.is_none() && self.location.is_none() {
            return None;
        }
        let parts = [&self.inscription_id, &self.tx_id, &self.location, &self.from, &self.to];
        let mut identity = format!("{} {}", self.operation.as_str(), self.ticker.to_lowercase());
        for part in parts {
            identity.push(' ');
            identity.push_str(part.as_deref().unwrap_or_default());
        }
        Some(Cow::Owned(identity))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Text;

    #[test]
    fn items_of_one_identity_are_told() {
        let token = |ticker: &'static str| Brc20Token::new(Text::const_new(ticker));
        let warning = |tickers: &[&'static str]| {
            let items = tickers.iter().map(|ticker| token(ticker)).collect();
            twins(&Answer::Brc20Tokens(Page { items, total: None }))
        };
        assert_eq!(warning(&["ordi", "sats", "rats"]), None);
        let one = "1 duplicate id in the response, such as ordi; lists may show one row";
        assert_eq!(warning(&["ordi", "sats", "ORDI"]).as_deref(), Some(one));
        let more = "3 duplicate ids in the response, such as sats; lists may show one row";
        assert_eq!(warning(&["ordi", "sats", "sats", "ordi", "sats"]).as_deref(), Some(more));
    }
}
