//! Posts about a coin: which others share its symbol.

use std::collections::HashSet;

use crate::model::{CoinName, Post, Text};
use crate::service::gateway::Gateway;
use crate::service::providers::coin_ref::CoinRef;
use crate::service::providers::post_topic::PostTopic;

/// How large a coin is among the coins of its symbol, as far as it is known.
#[derive(Clone, Copy, Debug, Default)]
struct Size {
    market_cap: Option<f64>,
    rank: Option<u32>,
    is_built_in: bool,
}

impl Size {
    /// Whether the symbol alone means a coin of this size rather than the other one. Anyone can issue a coin with a known
    /// symbol, so without figures, it means the built-in one, or else the one that has a rank.
    fn owns_symbol_before(self, other: Size) -> bool {
        match (self.market_cap.zip(other.market_cap), self.rank.zip(other.rank)) {
            (Some((own, other)), _) => own > other,
            (None, Some((own, other))) => own < other,
            (None, None) if self.is_built_in != other.is_built_in => self.is_built_in,
            (None, None) => self.rank.is_some() && other.rank.is_none(),
        }
    }
}

impl Gateway {
    /// A coin and the others with its symbol, as far as they are known: from the lists, and from the cached names of all
    /// coins.
    pub(super) fn post_topic(&self, coin: CoinRef) -> PostTopic {
        let names = self.first_stored_names();
        let names = names.as_ref().map_or(&[][..], |names| names.value.as_slice());
        let named: Vec<&CoinName> =
            names.iter().filter(|name| name.symbol.eq_ignore_ascii_case(&coin.symbol)).collect();
        let identity = self.identity();
        // Market caps and ranks of a coin are unknown until a list contains it.
        let size = |known: &CoinRef| Size {
            market_cap: known.market_cap,
            rank: known.rank.or_else(|| named.iter().find(|name| name.id == known.id.0)?.rank),
            is_built_in: identity.is_built_in(&known.id),
        };
        let (own, known) = (size(&coin), identity.by_symbol(&coin.symbol));
        let of_lists = known.iter().filter(|other| other.id != coin.id).map(|other| (other.name.clone(), size(other)));
        // With the same name, it may be this coin at another provider.
        let is_other = |name: &&&CoinName| {
            name.id != coin.id.0
                && !known.iter().any(|known| known.id.0 == name.id)
                && !name.name.eq_ignore_ascii_case(&coin.name)
        };
        let of_names =
            named.iter().filter(is_other).map(|name| (name.name.clone(), Size { rank: name.rank, ..Size::default() }));
        let others: Vec<(Text, Size)> = of_lists.chain(of_names).collect();
        let owns_cashtag = !others.iter().any(|(_, other)| other.owns_symbol_before(own));
        let others = others.into_iter().map(|(name, _)| name).collect();
        drop(identity);
        PostTopic { coin, owns_cashtag, others }
    }
}

/// Removes posts that are in the list already.
pub(super) fn remove_repeated(posts: &mut Vec<Post>) {
    let mut seen = HashSet::new();
    posts.retain(|post| post.id.is_empty() || seen.insert(post.id.clone()));
}

/// Why there are no posts about a coin.
pub(super) fn not_distinct(topic: &PostTopic) -> String {
    let PostTopic { coin: CoinRef { name, symbol, .. }, .. } = topic;
    format!("No posts: a larger coin has the same name, {name} ({symbol})")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symbol_means_the_larger_coin_or_the_built_in_one() {
        let size = |market_cap, rank, is_built_in| Size { market_cap, rank, is_built_in };
        for (own, other, expected) in [
            (size(Some(2.0), None, false), size(Some(1.0), Some(3), true), true),
            (size(None, Some(3), false), size(Some(1.0), Some(4), true), true),
            (size(None, None, true), size(Some(2_000.0), None, false), true),
            (size(None, None, true), size(None, Some(9_000), false), true),
            (size(None, Some(9_000), false), size(None, None, true), false),
            (size(None, Some(9_000), false), size(Some(2_000.0), None, false), true),
            (size(None, None, false), size(None, None, false), false),
        ] {
            assert_eq!(own.owns_symbol_before(other), expected, "{own:?} {other:?}");
            assert!(!expected || !other.owns_symbol_before(own), "{own:?} {other:?}");
        }
    }
}
