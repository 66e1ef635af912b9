//! Posts about a coin: which others share its symbol.

use std::collections::HashSet;

use crate::model::{CoinName, Text};
use crate::service::gateway::Gateway;
use crate::service::providers::coin_ref::CoinRef;
use crate::service::providers::post_topic::PostTopic;

impl Gateway {
    /// A coin and the others with its symbol, as far as they are known: from the lists, and from the cached names of all
    /// coins.
    pub(super) fn post_topic(&self, coin: CoinRef) -> PostTopic {
        let with_symbol = self.identity().by_symbol(&coin.symbol);
        // Market caps and ranks of a coin are unknown until a list contains it.
        let is_larger = |other: &CoinRef| match (other.market_cap.zip(coin.market_cap), other.rank.zip(coin.rank)) {
            (Some((other, own)), _) => other > own,
            (None, Some((other, own))) => other < own,
            (None, None) => false,
        };
        let mut owns_cashtag = !with_symbol.iter().any(|other| other.id != coin.id && is_larger(other));
        let mut others: Vec<Text> =
            with_symbol.iter().filter(|other| other.id != coin.id).map(|other| other.name.clone()).collect();
        if let Some(names) = self.first_stored_names() {
            let known: HashSet<&Text> = with_symbol.iter().map(|known| &known.id.0).collect();
            // With the same name, it may be this coin at another provider.
            let is_other = |name: &&CoinName| {
                name.symbol.eq_ignore_ascii_case(&coin.symbol)
                    && !known.contains(&name.id)
                    && !name.name.eq_ignore_ascii_case(&coin.name)
            };
            let own = coin.rank.or_else(|| names.value.iter().find(|name| name.id == coin.id.0)?.rank);
            for other in names.value.iter().filter(is_other) {
                owns_cashtag &= own.zip(other.rank).is_none_or(|(own, other)| own <= other);
                others.push(other.name.clone());
            }
        }
        PostTopic { coin, owns_cashtag, others }
    }
}

/// Why there are no posts about a coin.
pub(super) fn not_distinct(topic: &PostTopic) -> String {
    let PostTopic { coin: CoinRef { name, symbol, .. }, .. } = topic;
    format!("No posts: a larger coin has the same name, {name} ({symbol})")
}
