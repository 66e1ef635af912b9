//! Maps the coin ids of all providers to ours.
//!
//! A coin keeps one id, whichever provider answers: CoinMarketCap's for seeded coins, otherwise that of the first
//! provider that returned it. Coins of two providers are matched if symbol and name are equal, their market caps differ
//! by at most 20 %, and exactly one coin qualifies. They are never matched by symbol alone.

use std::collections::HashMap;

use crate::model::{Coin, CoinId, CoinName, ProviderName, Text};
use crate::service::providers::coin_ref::{CoinRef, Listing};

/// All known coins.
#[derive(Debug, Default)]
pub(super) struct Identity {
    coins: Vec<CoinRef>,
    /// Indices by a provider's own id.
    native: HashMap<(ProviderName, Text), usize>,
    by_id: HashMap<Text, usize>,
    by_slug: HashMap<Text, usize>,
    by_symbol: HashMap<Text, Vec<usize>>,
}

/// Largest relative difference between two providers' market caps of the same coin.
const MARKET_CAP_TOLERANCE: f64 = 0.2;

impl Identity {
    /// Starts with the built-in coins.
    pub(super) fn seeded() -> Identity {
        let mut identity = Identity::default();
        for seed in SEEDS {
            identity.insert(seed.coin());
        }
        identity
    }

    /// Replaces ids and slugs of a provider's coins by ours. Unknown coins are added.
    pub(super) fn assign_ids(&mut self, provider: ProviderName, coins: &mut [Coin]) {
        for coin in coins {
            let at = self.find(provider, coin).unwrap_or_else(|| self.add(provider, coin));
            let Some(known) = self.coins.get_mut(at) else { continue };
            known.market_cap = coin.market_cap.filter(|cap| *cap > 0.0).or(known.market_cap);
            known.rank = coin.rank.or(known.rank);
            coin.id = known.id.clone();
            coin.slug = Some(known.slug.clone());
            coin.brc20_ticker = known.brc20.clone().or_else(|| coin.brc20_ticker.take());
        }
    }

    /// Finds a coin by our id.
    pub(super) fn by_id(&self, id: &CoinId) -> Option<CoinRef> {
        self.by_id.get(&id.0).and_then(|at| self.coins.get(*at)).cloned()
    }

    /// Finds a coin by our slug or that of a provider.
    pub(super) fn by_slug(&self, slug: &str) -> Option<CoinRef> {
        let slug = Text::from(slug.to_lowercase());
        let native = || {
            let names = [ProviderName::CoinGecko, ProviderName::CoinPaprika];
            names.into_iter().find_map(|name| self.native.get(&(name, slug.clone())))
        };
        self.by_slug.get(&slug).or_else(native).and_then(|at| self.coins.get(*at)).cloned()
    }

    /// The coins of a symbol (case-insensitive), highest market cap first.
    pub(super) fn by_symbol(&self, symbol: &str) -> Vec<CoinRef> {
        let found = self.by_symbol.get(&Text::from(symbol.to_lowercase())).into_iter().flatten();
        let mut coins: Vec<CoinRef> = found.filter_map(|at| self.coins.get(*at)).cloned().collect();
        coins.sort_by(|a, b| {
            let cap = |coin: &CoinRef| coin.market_cap.unwrap_or(0.0);
            cap(b).total_cmp(&cap(a))
        });
        coins
    }

    /// The id of a coin at a provider; `None` if it has none there. An id that no list contained yet may be the
    /// provider's own.
    pub(super) fn native_id(&self, provider: ProviderName, id: &CoinId) -> Option<Text> {
        match self.by_id(id) {
            Some(coin) if PROVIDERS_WITH_IDS.contains(&provider) => coin.native_id(provider).cloned(),
            Some(_) => Some(id.0.clone()),
            None => match id.0.split_once(':') {
                Some((name, native)) => (name == provider.as_str()).then(|| Text::from(native)),
                None if PROVIDERS_WITH_IDS.contains(&provider) => {
                    // Only CoinMarketCap's ids are numbers.
                    let is_number = id.0.bytes().all(|byte| byte.is_ascii_digit());
                    (is_number == (provider == ProviderName::CoinMarketCap)).then(|| id.0.clone())
                }
                None => Some(id.0.clone()),
            },
        }
    }

    /// Replaces ids and slugs of a provider's names by ours. Unknown coins keep those that they would get in a list, but
    /// are not added: without a market cap they can't be matched with the coins of other providers.
    pub(super) fn assign_names(&self, provider: ProviderName, names: &mut [CoinName]) {
        for name in names {
            let known = self.native.get(&(provider, name.id.clone())).and_then(|at| self.coins.get(*at));
            match known {
                Some(known) => {
                    name.id = known.id.0.clone();
                    name.slug = known.slug.clone();
                }
                None => (name.id, name.slug) = self.free_names(provider, &name.id, &name.slug),
            }
        }
    }

    /// Id and slug of a new coin. Two providers may use the same ones for different coins.
    fn free_names(&self, provider: ProviderName, id: &Text, slug: &Text) -> (Text, Text) {
        let slug = match self.by_slug.contains_key(&Text::from(slug.to_lowercase())) {
            true => Text::from(format!("{slug}-{provider}")),
            false => slug.clone(),
        };
        let id = match self.by_id.contains_key(id) {
            true => Text::from(format!("{provider}:{id}")),
            false => id.clone(),
        };
        (id, slug)
    }

    fn find(&mut self, provider: ProviderName, coin: &Coin) -> Option<usize> {
        if let Some(at) = self.native.get(&(provider, coin.id.0.clone())) {
            return Some(*at);
        }
        if !PROVIDERS_WITH_IDS.contains(&provider) {
            // Its ids are those of this interface.
            let same = self
                .by_id
                .get(&coin.id.0)
                .filter(|at| self.coins.get(**at).is_some_and(|known| known.symbol.eq_ignore_ascii_case(&coin.symbol)));
            if let Some(at) = same {
                return Some(*at);
            }
        }
        let cap = coin.market_cap.filter(|cap| *cap > 0.0)?;
        let same = |at: &&usize| {
            self.coins.get(**at).is_some_and(|known| {
                known.native_id(provider).is_none()
                    && known.name.to_lowercase() == coin.name.to_lowercase()
                    && known
                        .market_cap
                        .is_some_and(|other| (cap - other).abs() <= MARKET_CAP_TOLERANCE * cap.max(other))
            })
        };
        let mut matches = self.by_symbol.get(&coin.symbol.to_lowercase())?.iter().filter(same);
        let at = *matches.next()?;
        // Several matches are ambiguous.
        if matches.next().is_some() {
            return None;
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
        let natives = PROVIDERS_WITH_IDS.map(|provider| (provider, coin.native_id(provider).cloned()));
        self.coins.push(coin);
        for (provider, id) in natives {
            if let Some(id) = id {
                self.native.insert((provider, id), at);
            }
        }
        at
    }

    fn set_native_id(&mut self, at: usize, provider: ProviderName, id: Text) {
        if let Some(coin) = self.coins.get_mut(at) {
            let place = match provider {
                ProviderName::CoinMarketCap => &mut coin.coinmarketcap,
                ProviderName::CoinGecko => &mut coin.coingecko,
                ProviderName::CoinPaprika => &mut coin.coinpaprika,
                _ => return,
            };
            *place = Some(id.clone());
            self.native.insert((provider, id), at);
        }
    }
}

/// The providers that have coin ids of their own.
const PROVIDERS_WITH_IDS: [ProviderName; 3] =
    [ProviderName::CoinMarketCap, ProviderName::CoinGecko, ProviderName::CoinPaprika];

/// A built-in coin with ids from the providers' published examples.
struct Seed {
    name: &'static str,
    symbol: &'static str,
    slug: &'static str,
    coinmarketcap: Option<&'static str>,
    coingecko: Option<&'static str>,
    coinpaprika: Option<&'static str>,
    binance: Option<(&'static str, f64)>,
    okx: Option<(&'static str, f64)>,
    brc20: Option<&'static str>,
    hashtags: &'static [&'static str],
}

const SEEDS: &[Seed] = &[
    Seed {
        name: "Bitcoin",
        symbol: "BTC",
        slug: "bitcoin",
        coinmarketcap: Some("1"),
        coingecko: Some("bitcoin"),
        coinpaprika: Some("btc-bitcoin"),
        binance: Some(("BTCUSDT", 1.0)),
        okx: Some(("BTC-USDT", 1.0)),
        brc20: None,
        hashtags: &["bitcoin", "btc"],
    },
    Seed {
        name: "ORDI",
        symbol: "ORDI",
        slug: "ordi",
        coinmarketcap: Some("25028"),
        coingecko: Some("ordinals"),
        coinpaprika: None,
        binance: Some(("ORDIUSDT", 1.0)),
        okx: Some(("ORDI-USDT", 1.0)),
        brc20: Some("ordi"),
        hashtags: &["ordi", "brc20"],
    },
    Seed {
        name: "SATS",
        symbol: "SATS",
        slug: "sats-ordinals",
        coinmarketcap: None,
        coingecko: Some("sats-ordinals"),
        coinpaprika: None,
        binance: Some(("1000SATSUSDT", 1000.0)),
        okx: Some(("SATS-USDT", 1.0)),
        brc20: Some("sats"),
        hashtags: &["brc20"],
    },
];

impl Seed {
    fn coin(&self) -> CoinRef {
        let text = |text: Option<&'static str>| text.map(Text::from);
        let listing = |listing: Option<(&'static str, f64)>| {
            listing.map(|(symbol, factor)| Listing { symbol: symbol.into(), factor })
        };
        let id = self.coinmarketcap.unwrap_or(self.slug);
        let mut coin = CoinRef::new(CoinId(id.into()), self.slug.into(), self.name.into(), self.symbol.into());
        coin.coinmarketcap = text(self.coinmarketcap);
        coin.coingecko = text(self.coingecko);
        coin.coinpaprika = text(self.coinpaprika);
        coin.binance = listing(self.binance);
        coin.okx = listing(self.okx);
        coin.brc20 = text(self.brc20);
        coin.hashtags = self.hashtags.iter().map(|tag| Text::from(*tag)).collect();
        coin
    }
}
