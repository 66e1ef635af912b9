//! The watchlist: the configured coins, with the user's changes.

use std::collections::{HashMap, HashSet};
use std::hash::{Hash, Hasher};

use serde::{Deserialize, Serialize};

use crate::model::{Coin, CoinId, MarketSeries, Text, text};

/// A watched coin. Market data is requested by symbol, and responses are matched by slug or id if known.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Watched {
    /// Ticker.
    pub symbol: Text,
    /// Slug, if known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub slug: Option<Text>,
    /// The service's id, if known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<Text>,
}

impl Watched {
    /// A coin with only a known symbol, as in the configuration.
    pub fn by_symbol(symbol: &str) -> Watched {
        Watched { symbol: Text::from(symbol), slug: None, id: None }
    }

    /// A coin of a list.
    pub fn from_coin(coin: &Coin) -> Watched {
        let CoinId(id) = coin.id.clone();
        Watched { symbol: coin.symbol.clone(), slug: coin.slug.clone(), id: Some(id) }
    }

    /// The coin of a series.
    pub fn from_series(series: &MarketSeries) -> Watched {
        Watched { symbol: series.symbol.clone(), slug: series.slug.clone(), id: series.id.clone() }
    }

    /// Whether only the symbol is known, which several coins may share.
    pub fn has_only_symbol(&self) -> bool {
        self.slug.is_none() && self.id.is_none()
    }

    /// Resolves a bare symbol to the only known coin that has it. If several or none have it, returns it unchanged.
    #[must_use]
    pub fn resolve(&self, known: impl Iterator<Item = Watched>) -> Watched {
        let mut only: Option<Watched> = None;
        for coin in known.filter(|coin| !coin.has_only_symbol() && coin.symbol.eq_ignore_ascii_case(&self.symbol)) {
            match &mut only {
                _ if !self.has_only_symbol() => break,
                None => only = Some(coin),
                Some(found) if found.has_same_id(&coin) => {
                    found.slug = found.slug.take().or(coin.slug);
                    found.id = found.id.take().or(coin.id);
                }
                Some(_) => return self.clone(),
            }
        }
        only.unwrap_or_else(|| self.clone())
    }

    /// Whether both have a slug or both have an id, and these are equal.
    pub fn has_same_id(&self, other: &Watched) -> bool {
        match (&self.slug, &other.slug, &self.id, &other.id) {
            (Some(a), Some(b), _, _) => a == b,
            (_, _, Some(a), Some(b)) => a == b,
            _ => false,
        }
    }

    /// Whether both are the same coin: compared by slug, else by id, else by symbol.
    pub fn is_same(&self, other: &Watched) -> bool {
        match (&self.slug, &other.slug, &self.id, &other.id) {
            (Some(a), Some(b), _, _) => a == b,
            (_, _, Some(a), Some(b)) => a == b,
            _ => self.symbol.eq_ignore_ascii_case(&other.symbol),
        }
    }

    /// Whether it matches a coin; a bare symbol matches every coin that has it.
    pub fn is_coin(&self, coin: &Coin) -> bool {
        match (&self.slug, &coin.slug, &self.id) {
            (Some(a), Some(b), _) => a == b,
            (_, _, Some(id)) => *id == coin.id.0,
            (Some(_), None, None) => false,
            (None, _, None) => self.symbol.eq_ignore_ascii_case(&coin.symbol),
        }
    }
}

/// A symbol, compared without regard to ASCII case.
#[derive(Clone, Copy, Debug)]
pub(crate) struct IgnoreCase<'a>(pub(crate) &'a str);

impl PartialEq for IgnoreCase<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.0.eq_ignore_ascii_case(other.0)
    }
}

impl Eq for IgnoreCase<'_> {}

impl Hash for IgnoreCase<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        for part in self.0.as_bytes().chunks(32) {
            let mut lower = [0; 32];
            let lower = &mut lower[..part.len()];
            lower.copy_from_slice(part);
            lower.make_ascii_lowercase();
            state.write(lower);
        }
    }
}

/// Index of the watched coins with a slug or an id, for lookups by the rule of [`Watched::is_coin`].
#[derive(Debug, Default, PartialEq, Eq)]
pub struct ResolvedCoins {
    slugs: HashSet<Text>,
    /// The ids, each with whether an entry without a slug has it.
    ids: HashMap<Text, bool>,
    entries: usize,
}

impl ResolvedCoins {
    /// Collects the watched coins that have a slug or an id.
    pub fn of(watched: &[Watched]) -> ResolvedCoins {
        let mut coins = ResolvedCoins { entries: watched.len(), ..ResolvedCoins::default() };
        for coin in watched {
            coins.slugs.extend(coin.slug.clone());
            if let Some(id) = &coin.id {
                *coins.ids.entry(id.clone()).or_default() |= coin.slug.is_none();
            }
        }
        coins
    }

    /// The number of watched coins, including those with only a symbol.
    pub fn entries(&self) -> usize {
        self.entries
    }

    /// Whether a coin is among them.
    pub fn contains(&self, coin: &Coin) -> bool {
        let has_id =
            |is_it: fn(bool) -> bool| self.ids.get(&coin.id.0).is_some_and(|without_slug| is_it(*without_slug));
        match &coin.slug {
            Some(slug) => self.slugs.contains(slug) || has_id(|without_slug| without_slug),
            None => has_id(|_| true),
        }
    }
}

/// Finds watched coins that may be the same: those with the same slug, id or symbol.
#[derive(Debug, Default)]
struct Index<'a>(HashMap<Name<'a>, Vec<usize>>);

#[derive(Debug, PartialEq, Eq, Hash)]
enum Name<'a> {
    Slug(&'a str),
    Id(&'a str),
    Symbol(IgnoreCase<'a>),
}

impl<'a> Index<'a> {
    fn names(coin: &'a Watched) -> impl Iterator<Item = Name<'a>> {
        let slug = coin.slug.as_deref().map(Name::Slug);
        slug.into_iter().chain(coin.id.as_deref().map(Name::Id)).chain([Name::Symbol(IgnoreCase(&coin.symbol))])
    }

    fn of(coins: &'a [Watched]) -> Index<'a> {
        let mut index = Index::default();
        coins.iter().enumerate().for_each(|(place, coin)| index.add(place, coin));
        index
    }

    fn add(&mut self, place: usize, coin: &'a Watched) {
        for name in Index::names(coin) {
            let places = self.0.entry(name).or_default();
            if !places.contains(&place) {
                places.push(place);
            }
        }
    }

    /// The first index with the same coin.
    fn find(&self, coin: &'a Watched, is_same: impl Fn(usize) -> bool) -> Option<usize> {
        let places = Index::names(coin).filter_map(|name| self.0.get(&name)).flatten().copied();
        places.filter(|&place| is_same(place)).min()
    }
}

/// The user's changes to the configured watchlist.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct WatchChanges {
    /// Coins that the user added.
    #[serde(default)]
    pub added: Vec<Watched>,
    /// Configured coins that the user removed.
    #[serde(default)]
    pub removed: Vec<Watched>,
}

impl WatchChanges {
    /// Removes control characters, since the data may come from a file that anyone could write.
    #[must_use]
    pub fn cleaned(mut self) -> WatchChanges {
        for coin in self.added.iter_mut().chain(&mut self.removed) {
            for name in [Some(&mut coin.symbol), coin.slug.as_mut(), coin.id.as_mut()].into_iter().flatten() {
                *name = Text::from(text::clean(name));
            }
        }
        self.added.retain(|coin| !coin.symbol.is_empty());
        self
    }

    /// Records that a coin is watched or not.
    pub fn set_watched(&mut self, coin: &Watched, watched: bool) {
        self.added.retain(|w| !w.is_same(coin));
        self.removed.retain(|w| !w.is_same(coin));
        let side = if watched { &mut self.added } else { &mut self.removed };
        side.push(coin.clone());
    }

    /// Records that a coin is watched, before another added one if that is there.
    pub fn watch_before(&mut self, coin: &Watched, before: &Watched) {
        self.set_watched(coin, true);
        if let Some(place) = self.added.iter().position(|known| known.is_same(before))
            && let Some(last) = self.added.pop_if(|last| last.is_same(coin))
        {
            self.added.insert(place, last);
        }
    }

    /// Applies the changes: the configured coins without the removed ones, then the added ones in their order.
    pub fn apply_to(&self, configured: &[Watched]) -> Vec<Watched> {
        let removed = Index::of(&self.removed);
        let is_removed = |coin: &&Watched| {
            let is_it = |place: usize| self.removed.get(place).is_some_and(|removed| removed.is_same(coin));
            removed.find(coin, is_it).is_some()
        };
        let mut all: Vec<&Watched> = Vec::new();
        let mut index = Index::default();
        for coin in configured.iter().filter(|coin| !is_removed(coin)).chain(&self.added) {
            let found = index.find(coin, |place| all.get(place).is_some_and(|known| known.is_same(coin)));
            match found.and_then(|place| Some((place, all.get_mut(place)?))) {
                // The user chose one of the coins that share a configured symbol.
                Some((place, same)) if !coin.has_only_symbol() => {
                    *same = coin;
                    index.add(place, coin);
                }
                Some(_) => {}
                None => {
                    index.add(all.len(), coin);
                    all.push(coin);
                }
            }
        }
        all.into_iter().cloned().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn coin(symbol: &str, slug: &str) -> Watched {
        Watched { symbol: symbol.into(), slug: Some(slug.into()), id: None }
    }

    #[test]
    fn configured_symbol_can_be_removed_by_a_coin_with_that_symbol() {
        let configured = [Watched::by_symbol("BTC"), Watched::by_symbol("ordi")];
        let mut changes = WatchChanges::default();
        changes.set_watched(&coin("ORDI", "ordi"), false);
        assert_eq!(changes.apply_to(&configured), [Watched::by_symbol("BTC")]);
        changes.set_watched(&coin("ORDI", "ordi"), true);
        assert_eq!(changes.apply_to(&configured), [Watched::by_symbol("BTC"), coin("ORDI", "ordi")]);
    }

    fn by_id(symbol: &str, id: &str) -> Watched {
        Watched { symbol: symbol.into(), slug: None, id: Some(id.into()) }
    }

    #[test]
    fn coins_are_the_same_by_slug_else_by_id_else_by_symbol() {
        let both = |slug: &str, id: &str| Watched { id: Some(id.into()), ..coin("CAT", slug) };
        for (a, b, same, surely) in [
            (both("cat", "1"), both("cat", "2"), true, true),
            (both("cat", "1"), both("tac", "1"), false, false),
            (by_id("CAT", "1"), both("cat", "1"), true, true),
            (by_id("CAT", "1"), both("cat", "2"), false, false),
            (by_id("CAT", "1"), by_id("TAC", "1"), true, true),
            (by_id("CAT", "1"), coin("CAT", "cat"), true, false),
            (Watched::by_symbol("cat"), by_id("CAT", "1"), true, false),
            (Watched::by_symbol("dog"), by_id("CAT", "1"), false, false),
        ] {
            assert_eq!((a.is_same(&b), a.has_same_id(&b)), (same, surely), "{a:?} {b:?}");
            assert_eq!((b.is_same(&a), b.has_same_id(&a)), (same, surely), "{b:?} {a:?}");
        }
    }

    #[test]
    fn watched_coin_matches_by_slug_or_id() {
        let listed = |slug: Option<&str>| {
            let mut listed = Coin::new(CoinId("1".into()), "Cat".into(), "CAT".into());
            listed.slug = slug.map(Text::from);
            listed
        };
        for (entry, own) in [
            (coin("CAT", "cat"), true),
            (coin("CAT", "tac"), false),
            (by_id("TAC", "1"), true),
            (by_id("CAT", "2"), false),
            (Watched::by_symbol("cat"), true),
            (Watched::by_symbol("dog"), false),
        ] {
            assert_eq!(entry.is_coin(&listed(Some("cat"))), own, "{entry:?}");
        }
        assert!(!coin("CAT", "cat").is_coin(&listed(None)));
    }

    #[test]
    fn resolved_coins_follow_the_rule_of_is_coin() {
        let both = |slug: &str, id: &str| Watched { id: Some(id.into()), ..coin("CAT", slug) };
        for entry in [coin("A", "one"), by_id("A", "1"), both("one", "1"), both("one", "2"), Watched::by_symbol("CAT")]
        {
            for (id, slug) in [("1", Some("one")), ("1", Some("two")), ("1", None), ("2", Some("one")), ("2", None)] {
                let mut listed = Coin::new(CoinId(id.into()), "Cat".into(), "CAT".into());
                listed.slug = slug.map(Text::from);
                let expected = !entry.has_only_symbol() && entry.is_coin(&listed);
                assert_eq!(
                    ResolvedCoins::of(std::slice::from_ref(&entry)).contains(&listed),
                    expected,
                    "{entry:?} {listed:?}"
                );
            }
        }
    }

    #[test]
    fn bare_symbol_resolves_to_the_only_coin_that_has_it() {
        let cat = Watched::by_symbol("cat");
        assert_eq!(cat.resolve([].into_iter()), cat);
        let (one, two) = (coin("CAT", "cat-one"), coin("CAT", "cat-two"));
        assert_eq!(cat.resolve([one.clone(), coin("DOG", "dog"), one.clone()].into_iter()), one);
        assert_eq!(cat.resolve([one.clone(), two.clone()].into_iter()), cat, "never one of several");
        assert_eq!(two.resolve([one].into_iter()), two);
    }

    #[test]
    fn coins_that_share_a_symbol_are_distinguished_by_slug() {
        let mut changes = WatchChanges::default();
        changes.set_watched(&coin("CAT", "cat-one"), true);
        changes.set_watched(&coin("CAT", "cat-two"), true);
        changes.set_watched(&coin("CAT", "cat-one"), false);
        assert_eq!(changes.apply_to(&[]), [coin("CAT", "cat-two")]);
    }

    #[test]
    fn change_of_one_coin_keeps_others_and_their_ids() {
        let mut changes = WatchChanges::default();
        changes.set_watched(&coin("CAT", "cat"), false);
        changes.set_watched(&coin("DOG", "dog"), false);
        changes.set_watched(&coin("CAT", "cat"), true);
        assert_eq!(changes.removed, [coin("DOG", "dog")]);
        changes.added = vec![Watched::by_symbol("ordi")];
        assert_eq!(changes.apply_to(&[coin("ORDI", "ordi")]), [coin("ORDI", "ordi")], "the coin with a slug stays");
    }
}
