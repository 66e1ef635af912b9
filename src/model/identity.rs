//! The identity of list items.

use std::borrow::Cow;

use super::brc20::{Activity, Balance, Brc20Token, Holder};
use super::coin::Coin;
use super::inscription::Inscription;
use super::market_pair::MarketPair;
use super::post::Post;
use super::text::Text;

/// A list item with an identity, which stays the same after a refresh although its row may change. Selections follow
/// the identity, and pages of a growing list are joined by it.
pub trait Identity {
    /// The identity of the item in its list; `None` if nothing identifies it, such as a holder without an address.
    fn identity(&self) -> Option<Cow<'_, str>>;

    /// The identity, owned.
    fn key(&self) -> Option<Text> {
        self.identity().map(Text::from)
    }
}

impl Identity for Coin {
    fn identity(&self) -> Option<Cow<'_, str>> {
        Some(Cow::Borrowed(&self.id.0))
    }
}

impl Identity for MarketPair {
    fn identity(&self) -> Option<Cow<'_, str>> {
        let exchange = self.exchange.as_deref().unwrap_or_default();
        let category = self.category.as_deref().unwrap_or_default();
        Some(Cow::Owned(format!("{exchange} {} {category}", self.pair)))
    }
}

impl Identity for Post {
    fn identity(&self) -> Option<Cow<'_, str>> {
        Some(Cow::Borrowed(&self.id))
    }
}

impl Identity for Brc20Token {
    fn identity(&self) -> Option<Cow<'_, str>> {
        Some(lowercase(&self.ticker))
    }
}

impl Identity for Holder {
    fn identity(&self) -> Option<Cow<'_, str>> {
        self.address.as_deref().map(Cow::Borrowed)
    }
}

impl Identity for Balance {
    fn identity(&self) -> Option<Cow<'_, str>> {
        self.ticker.as_deref().map(lowercase)
    }
}

impl Identity for Inscription {
    fn identity(&self) -> Option<Cow<'_, str>> {
        Some(Cow::Borrowed(&self.id))
    }
}

impl Identity for Activity {
    /// The inscription or location with the kind of the event. A transaction alone may have several equal events.
    fn identity(&self) -> Option<Cow<'_, str>> {
        if self.inscription_id.is_none() && self.location.is_none() {
            return None;
        }
        let mut identity = format!("{} {}", self.operation.as_str(), lowercase(&self.ticker));
        for part in [&self.inscription_id, &self.tx_id, &self.location, &self.from, &self.to] {
            identity.push(' ');
            identity.push_str(part.as_deref().unwrap_or_default());
        }
        Some(Cow::Owned(identity))
    }
}

/// A ticker in lower case, since BRC-20 compares tickers case-insensitively.
fn lowercase(ticker: &str) -> Cow<'_, str> {
    match ticker.to_lowercase() {
        lower if lower == ticker => Cow::Borrowed(ticker),
        lower => Cow::Owned(lower),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Operation;

    fn event(inscription: Option<&'static str>, location: Option<&'static str>) -> Activity {
        Activity {
            operation: Operation::Mint,
            ticker: Text::const_new("ORDI"),
            amount: None,
            from: None,
            to: None,
            address: None,
            block_height: Some(840_000),
            block_hash: None,
            tx_id: Some(Text::const_new("ab")),
            inscription_id: inscription.map(Text::const_new),
            location: location.map(Text::const_new),
            time: None,
            max_supply: None,
            mint_limit: None,
            decimals: None,
        }
    }

    #[test]
    fn ticker_in_any_case_is_the_same_token() {
        let of = |ticker: &'static str| Brc20Token::new(Text::const_new(ticker)).key();
        assert_eq!(of("ORDI"), of("ordi"));
        assert_ne!(of("ordi"), of("sats"));
        let balance = |ticker: &'static str| {
            let ticker = Some(Text::const_new(ticker));
            Balance { ticker, available: None, transferable: None, overall: None }.key()
        };
        assert_eq!(balance("ORDI"), balance("ordi"));
    }

    #[test]
    fn unidentifiable_items_have_no_identity() {
        assert_eq!(Holder { address: None, balance: None }.identity(), None);
        assert_eq!(event(None, None).identity(), None, "one transaction may mint several times");
    }

    #[test]
    fn event_is_identified_by_its_inscription_or_location() {
        let all = [event(Some("ai0"), None), event(Some("bi0"), None), event(None, Some("ab:0:0"))];
        let keys: std::collections::BTreeSet<_> = all.iter().map(Identity::key).collect();
        assert_eq!(keys.len(), 3);
        let sent = Activity { operation: Operation::TransferSend, ..event(Some("ai0"), None) };
        assert_ne!(sent.key(), event(Some("ai0"), None).key(), "one inscription has several events");
    }
}
