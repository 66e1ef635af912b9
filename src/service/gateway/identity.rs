//! Maps the coin ids of all providers to ours.
//!
//! A coin keeps one id, regardless of the provider: CoinMarketCap's for seeded coins, otherwise the id of the first
//! provider that returned it. Coins of two providers are matched if symbol and name are equal, their market caps differ
//! by at most 20 %, and exactly one coin qualifies. A built-in coin without a known market cap is joined by name and
//! symbol ([`by_name`]). Coins are never matched by symbol alone.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::time::Duration;

use super::identity_cache::FormerName;
use super::settings::CoinCorrection;
use crate::model::{Coin, CoinId, ProviderName, Text, UtcTime};
use crate::service::providers::coin_ref::{CoinRef, ServiceNames};
use crate::service::providers::info::CoinIds;
use crate::service::providers::{coin_id_provider, info_of, other_service, with_coin_ids};
use corrections::correct;
use join::JoinByName;
use last_prices::LastPrices;
use listings::Listings;
use seeds::{SEEDS, Seed};
use similarity::{is_same_name, is_similar};
use symbol_counts::count_symbols;

pub(super) use listings::Pairs;

/// All known coins.
#[derive(Debug, Default)]
pub(super) struct Identity {
    coins: Vec<CoinRef>,
    /// Indices by a provider's own id.
    native: HashMap<(ProviderName, Text), usize>,
    by_id: HashMap<Text, usize>,
    by_slug: HashMap<Text, usize>,
    by_symbol: HashMap<Text, Vec<usize>>,
    /// Coins that a provider doesn't list, according to the configuration.
    unlisted: HashSet<(usize, ProviderName)>,
    /// Coins that a lookup at a provider didn't find, and when they may be looked up again.
    unmatched: HashMap<(CoinId, ProviderName), UtcTime>,
    /// Number of built-in and corrected coins, which are the first ones.
    presets: usize,
    /// Coins that the user named.
    named: HashSet<usize>,
    /// The former names of coins that were renamed.
    former: HashMap<usize, FormerName>,
    /// Coins by their former symbols.
    by_former_symbol: HashMap<Text, usize>,
    /// The coins that were matched between providers, and when.
    matched: HashMap<usize, UtcTime>,
    /// The built-in coins that were joined by name, and the providers whose ids they were given by it.
    by_name: HashMap<usize, Vec<JoinByName>>,
    /// The coins that a provider returned, and when, to about [`saved::SEEN_STEP`].
    seen: HashMap<usize, UtcTime>,
    /// The coins that were requested by id or slug.
    wanted: HashSet<usize>,
    has_unsaved: bool,
    /// The coins' listings on exchanges.
    listings: Listings,
    last_prices: LastPrices,
}

/// Time before a coin without a match at a provider is looked up there again.
pub(super) const UNMATCHED_TTL: Duration = Duration::from_hours(24);

impl Identity {
    /// Starts with the built-in coins and the user's corrections, by slug.
    pub(super) fn new(corrections: &BTreeMap<Text, CoinCorrection>) -> Identity {
        let mut identity = Identity::default();
        let mut coins: Vec<CoinRef> = SEEDS.iter().map(Seed::coin).collect();
        for (slug, correction) in corrections {
            match coins.iter_mut().find(|coin| coin.slug == *slug) {
                Some(coin) => correct(coin, correction),
                None => {
                    let own = coin_id_provider().and_then(|name| correction.ids.get(name));
                    let id = own.filter(|id| !id.is_empty()).unwrap_or(slug);
                    let mut coin = CoinRef::new(CoinId(id.clone()), slug.clone(), slug.clone(), slug.clone());
                    correct(&mut coin, correction);
                    coins.push(coin);
                }
            }
        }
        for coin in coins {
            let correction = corrections.get(&coin.slug);
            let at = identity.insert(coin);
            if correction.is_some_and(|correction| correction.name.is_some() || correction.symbol.is_some()) {
                identity.named.insert(at);
            }
            for (exchange, _) in correction.into_iter().flat_map(|correction| correction.listings.iter()) {
                identity.listings.set_configured(at, exchange);
            }
            for (provider, id) in correction.into_iter().flat_map(|correction| correction.ids.iter()) {
                if id.is_empty() {
                    identity.unlisted.insert((at, provider));
                }
            }
        }
        identity.presets = identity.coins.len();
        identity
    }

    /// Replaces ids and slugs of a provider's coins with ours. Unknown coins are added. Returns a warning about repeated
    /// coins.
    pub(super) fn assign_ids(&mut self, provider: ProviderName, coins: &mut [Coin], now: UtcTime) -> Option<String> {
        self.add_market_caps(provider, coins, now);
        let counts = count_symbols(coins);
        let (mut seen, mut repeated) = (HashSet::new(), Vec::new());
        for coin in coins {
            let known = self.find(provider, coin, now).or_else(|| self.join_by_name(provider, coin, &counts));
            let at = known.unwrap_or_else(|| self.add(provider, coin));
            // The first row of a coin is the one that is shown.
            let is_first = seen.insert(at);
            if is_first {
                self.note_names_at_service(at, provider, coin);
                self.rename(at, provider, coin, now);
            } else {
                repeated.push(coin.name.clone());
            }
            let Some(known) = self.coins.get_mut(at) else { continue };
            coin.id = known.id.clone();
            coin.slug = Some(known.slug.clone());
            coin.brc20_ticker = known.brc20.clone().or_else(|| coin.brc20_ticker.take());
            if !is_first {
                continue;
            }
            known.rank = coin.rank.or(known.rank);
            self.note_seen(at, provider, now);
        }
        repeated::warning(&repeated)
    }

    /// Removes a provider's coins that are neither known or matched now, nor wanted by their ids at the provider.
    pub(super) fn remove_unknown(
        &mut self,
        provider: ProviderName,
        coins: &mut Vec<Coin>,
        wanted: &[Text],
        now: UtcTime,
    ) {
        self.add_market_caps(provider, coins, now);
        let counts = count_symbols(coins);
        coins.retain(|coin| {
            let known = self.find(provider, coin, now).or_else(|| self.join_by_name(provider, coin, &counts));
            known.is_some() || wanted.contains(&coin.id.0)
        });
    }

    /// Finds a coin by our id, or by the id of the provider whose ids are also ours: the ids of other providers may be
    /// our ids of other coins.
    pub(super) fn by_id(&self, id: &CoinId) -> Option<CoinRef> {
        self.place_of(id).and_then(|at| self.with_listings_of(at))
    }

    /// Whether a coin is certainly a provider's own, not only joined by its name.
    pub(super) fn is_certain(&self, id: &CoinId, provider: ProviderName) -> bool {
        self.place_of(id).is_some_and(|at| !self.is_joined_by_name(at, provider))
    }

    /// Whether a coin is built in or from the configuration.
    pub(super) fn is_built_in(&self, id: &CoinId) -> bool {
        self.place_of(id).is_some_and(|at| at < self.presets)
    }

    fn place_of(&self, id: &CoinId) -> Option<usize> {
        let native = || self.native.get(&(coin_id_provider()?, id.0.clone()));
        self.by_id.get(&id.0).or_else(native).copied()
    }

    /// Finds a coin by our slug or a provider's.
    pub(super) fn by_slug(&self, slug: &str) -> Option<CoinRef> {
        self.place_of_slug(slug).and_then(|at| self.with_listings_of(at))
    }

    fn place_of_slug(&self, slug: &str) -> Option<usize> {
        let slug = Text::from(slug.to_lowercase());
        let native = || {
            let mut slugs = with_coin_ids().filter(|(_, ids)| *ids == CoinIds::Words);
            slugs.find_map(|(name, _)| self.native.get(&(name, slug.clone())))
        };
        self.by_slug.get(&slug).or_else(native).copied()
    }

    /// Adds a provider's slug of a coin, unless another one has it.
    pub(super) fn add_slug(&mut self, slug: &str, id: &CoinId) {
        if let Some(at) = self.by_id.get(&id.0) {
            self.by_slug.entry(Text::from(slug.to_lowercase())).or_insert(*at);
        }
    }

    /// The coins of a symbol (case-insensitive): built-in and configured coins first, then by market cap. Anyone can
    /// issue a token with a known symbol.
    pub(super) fn by_symbol(&self, symbol: &str) -> Vec<CoinRef> {
        let found = self.by_symbol.get(&Text::from(symbol.to_lowercase())).into_iter().flatten();
        let mut coins: Vec<CoinRef> = found.filter_map(|at| self.with_listings_of(*at)).collect();
        coins.sort_by(|a, b| {
            let cap = |coin: &CoinRef| coin.market_cap.unwrap_or(0.0);
            cap(b).total_cmp(&cap(a))
        });
        coins.sort_by_key(|coin| self.by_id.get(&coin.id.0).is_none_or(|at| *at >= self.presets));
        coins
    }

    /// The id of a coin at a provider; `None` if it has none there. An id that no list contained yet may be the
    /// provider's own.
    pub(super) fn native_id(&self, provider: ProviderName, id: &CoinId) -> Option<Text> {
        match self.by_id(id) {
            Some(coin) if ids_of(provider).is_some() => coin.native_id(provider).cloned(),
            Some(coin) => Some(coin.at_service.map_or_else(|| id.0.clone(), |names| names.id)),
            None => match id.0.split_once(':') {
                Some((name, native)) => (name == provider.as_str()).then(|| Text::from(native)),
                None => {
                    let is_number = id.0.bytes().all(|byte| byte.is_ascii_digit());
                    let may_be_its_own = ids_of(provider).is_none_or(|ids| is_number == (ids == CoinIds::Numbers));
                    may_be_its_own.then(|| id.0.clone())
                }
            },
        }
    }

    /// Whether a lookup at a provider didn't find a coin, and isn't repeated yet.
    pub(super) fn is_unmatched(&self, provider: ProviderName, id: &CoinId, now: UtcTime) -> bool {
        self.unmatched.get(&(id.clone(), provider)).is_some_and(|until| !until.is_due(now, UNMATCHED_TTL))
    }

    /// Remembers which of these coins have no id at a provider after a lookup, so that they are not looked up again for
    /// this time, at most [`UNMATCHED_TTL`]. A coin without a market cap can't be matched yet.
    pub(super) fn set_unmatched(&mut self, provider: ProviderName, ids: &[CoinId], now: UtcTime, time: Duration) {
        for id in ids {
            let Some(at) = self.place_of(id) else { continue };
            let can_match = |coin: &CoinRef| coin.native_id(provider).is_none() && coin.market_cap.is_some();
            if self.coins.get(at).is_some_and(can_match) {
                self.unmatched.insert((id.clone(), provider), now.plus(time));
            }
        }
    }

    /// Id and slug of a new coin. Two providers may use the same ones for different coins.
    fn free_names(&self, provider: ProviderName, id: &Text, slug: &Text) -> (Text, Text) {
        let slug = if self.by_slug.contains_key(&Text::from(slug.to_lowercase())) {
            Text::from(format!("{slug}-{provider}"))
        } else {
            slug.clone()
        };
        let id = if self.by_id.contains_key(id) { Text::from(format!("{provider}:{id}")) } else { id.clone() };
        (id, slug)
    }

    fn find(&mut self, provider: ProviderName, coin: &Coin, now: UtcTime) -> Option<usize> {
        if let Some(at) = self.native.get(&(provider, coin.id.0.clone())) {
            return Some(*at);
        }
        if ids_of(provider).is_none() {
            // It uses the ids of satscope's HTTP interface.
            let same = self
                .by_id
                .get(&coin.id.0)
                .filter(|at| self.coins.get(**at).is_some_and(|known| known.symbol.eq_ignore_ascii_case(&coin.symbol)));
            if let Some(at) = same {
                return Some(*at);
            }
        }
        if let Some(at) = self.match_by_slug(provider, coin) {
            return Some(at);
        }
        let cap = coin.market_cap.filter(|cap| *cap > 0.0)?;
        let same = |at: &&usize| {
            self.coins.get(**at).is_some_and(|known| {
                known.native_id(provider).is_none()
                    && !self.unlisted.contains(&(**at, provider))
                    && is_same_name(&known.name, &coin.name)
                    && known.market_cap.is_some_and(|other| is_similar(cap, other))
            })
        };
        let mut matches = self.by_symbol.get(&coin.symbol.to_lowercase())?.iter().filter(same);
        let at = *matches.next()?;
        // Several matches are ambiguous.
        if matches.next().is_some() {
            return None;
        }
        self.set_native_id(at, provider, coin.id.0.clone());
        if self.by_name.contains_key(&at) {
            // Its market cap may belong to a coin of the same name.
            self.add_join(at, provider);
        } else {
            self.matched.insert(at, now);
            self.has_unsaved = true;
        }
        Some(at)
    }

    /// Remembers another service's names of a coin, which requests to it use.
    fn note_names_at_service(&mut self, at: usize, provider: ProviderName, coin: &Coin) {
        if provider.is_service()
            && let Some(known) = self.coins.get(at)
        {
            let slug = coin.slug.clone().unwrap_or_else(|| known.slug.clone());
            self.set_names_at_service(at, ServiceNames { id: coin.id.0.clone(), slug });
        }
    }

    fn set_names_at_service(&mut self, at: usize, names: ServiceNames) {
        if let (Some(coin), Some(service)) = (self.coins.get_mut(at), other_service()) {
            self.native.insert((service, names.id.clone()), at);
            coin.at_service = Some(Box::new(names));
        }
    }

    /// Matches a coin that the configuration names only by slug, and adopts the provider's id.
    fn match_by_slug(&mut self, provider: ProviderName, coin: &Coin) -> Option<usize> {
        let slug = coin.slug.as_ref()?.to_lowercase();
        let at = *self.by_slug.get(&Text::from(slug))?;
        let is_renamable =
            self.coins.get(at).is_some_and(CoinRef::has_only_slug) && !self.unlisted.contains(&(at, provider));
        if at >= self.presets || !is_renamable {
            return None;
        }
        let (id, _) = self.free_names(provider, &coin.id.0, &coin.id.0);
        if let Some(known) = self.coins.get_mut(at) {
            self.by_id.remove(&known.id.0);
            known.id = CoinId(id.clone());
            self.by_id.insert(id, at);
        }
        self.set_native_id(at, provider, coin.id.0.clone());
        Some(at)
    }

    /// Adds a new coin.
    fn add(&mut self, provider: ProviderName, coin: &Coin) -> usize {
        let slug = coin.slug.clone().unwrap_or_else(|| coin.id.0.clone());
        let (id, slug) = self.free_names(provider, &coin.id.0, &slug);
        let mut new = CoinRef::new(CoinId(id), slug, coin.name.clone(), coin.symbol.clone());
        new.market_cap = coin.market_cap.filter(|cap| *cap > 0.0);
        new.rank = coin.rank;
        let at = self.insert(new);
        self.set_native_id(at, provider, coin.id.0.clone());
        at
    }

    pub(super) fn insert(&mut self, coin: CoinRef) -> usize {
        let at = self.coins.len();
        self.by_id.insert(coin.id.0.clone(), at);
        self.by_slug.insert(Text::from(coin.slug.to_lowercase()), at);
        self.by_symbol.entry(coin.symbol.to_lowercase()).or_default().push(at);
        self.native.extend(coin.ids.iter().map(|(provider, id)| ((provider, id.clone()), at)));
        self.coins.push(coin);
        at
    }

    fn set_native_id(&mut self, at: usize, provider: ProviderName, id: Text) {
        if let Some(coin) = self.coins.get_mut(at).filter(|_| ids_of(provider).is_some()) {
            coin.ids.set(provider, Some(id.clone()));
            self.native.insert((provider, id), at);
        }
    }
}

/// The format of a provider's own coin ids; `None` if it has no own ids.
fn ids_of(provider: ProviderName) -> Option<CoinIds> {
    info_of(provider).and_then(|info| info.coin_ids)
}

mod by_name;
mod coin_names;
mod corrections;
mod duplicates;
mod join;
mod jumps;
mod last_prices;
mod listings;
mod matching;
mod renames;
mod repeated;
mod saved;
mod seeds;
mod similarity;
mod symbol_counts;
#[cfg(test)]
mod tests;
