//! The coins of the palette: from the lists, fetched by their ids, from the names of all coins, and the watched and
//! recent coins that are in none of these.

use std::collections::HashSet;

use crate::app::coins::named_coin::NamedCoin;
use crate::app::find::fuzzy::Quality;
use crate::app::find::palette::index::{Index, Source};
use crate::app::find::palette::{Action, Item, Kind, Palette};
use crate::app::find::recent::Recent;
use crate::app::state::State;
use crate::client::{Request, ResponseData};
use crate::model::coin_name::search_key;
use crate::model::{CoinId, CoinName, IndexedName, Text};
use crate::user_data::Watched;
use crate::user_data::watchlist::IgnoreCase;

use super::destination::Destination;
use super::found::{Found, Group};

/// Maximum coins.
const MAX_COINS: usize = 40;

/// The names of all known coins.
pub(super) fn index(state: &State) -> Index {
    let mut index = Index::default();
    let mut seen: HashSet<&CoinId> = HashSet::new();
    for coin in state.known_coins() {
        if seen.insert(&coin.id) {
            index.push(search_key(&coin.symbol, &coin.name), coin.rank, Source::Known(coin.id.clone()));
        }
    }
    if let Some(names) = names(state) {
        for (number, name) in names.iter().enumerate() {
            index.push(name.key.clone(), name.coin.rank, Source::Name(number));
        }
    }
    for named in unlisted(state) {
        index.push(search_key(&named.coin.symbol, &named.name), named.rank, Source::Unlisted(named));
    }
    index
}

/// The watched and recent coins that are neither in a list nor among the coin names. Offline, the palette finds only
/// these.
fn unlisted(state: &State) -> Vec<NamedCoin> {
    let by_symbol = |coin: &Watched| NamedCoin { name: coin.symbol.clone(), coin: coin.clone(), rank: None };
    let watched = state.watched.resolved().iter().map(by_symbol);
    let recent = state.recent.iter().filter_map(recent_coin).cloned();
    let mut unlisted: Vec<NamedCoin> = Vec::new();
    // Recent ones first, since these have names.
    for named in recent.chain(watched) {
        if !unlisted.iter().any(|other| other.coin.is_same(&named.coin)) {
            unlisted.push(named);
        }
    }
    // Filter first: there may be tens of thousands of coins, and few of them match.
    let wanted = Wanted::new(&unlisted);
    let listed = state.known_coins().filter(|coin| wanted.may_be(coin.slug.as_deref(), &coin.id.0, &coin.symbol));
    let mut missing = unlisted.clone();
    listed.for_each(|coin| missing.retain(|named| !named.coin.is_coin(coin)));
    let names = names(state).unwrap_or_default().iter().map(|name| &name.coin);
    let listed = names.filter(|name| wanted.may_be(Some(&name.slug), &name.id, &name.symbol));
    listed.for_each(|name| missing.retain(|named| !is_name(&named.coin, name)));
    missing
}

/// The slugs, ids and symbols of some coins.
struct Wanted<'a> {
    ids: HashSet<&'a str>,
    symbols: HashSet<IgnoreCase<'a>>,
}

impl<'a> Wanted<'a> {
    fn new(coins: &'a [NamedCoin]) -> Wanted<'a> {
        let coins = || coins.iter().map(|named| &named.coin);
        let ids = coins().flat_map(|coin| coin.slug.iter().chain(&coin.id)).map(Text::as_str).collect();
        Wanted {
            ids,
            symbols: coins().filter(|coin| coin.has_only_symbol()).map(|coin| IgnoreCase(&coin.symbol)).collect(),
        }
    }

    /// Whether one of the coins may have these names.
    fn may_be(&self, slug: Option<&str>, id: &str, symbol: &str) -> bool {
        let has_id = |id: &str| self.ids.contains(id);
        slug.is_some_and(has_id) || has_id(id) || self.symbols.contains(&IgnoreCase(symbol))
    }
}

/// Whether a name belongs to a coin; a bare symbol matches every name that has it.
fn is_name(coin: &Watched, name: &CoinName) -> bool {
    match (&coin.slug, &coin.id) {
        (Some(slug), _) => *slug == name.slug,
        (None, Some(id)) => *id == name.id,
        (None, None) => coin.symbol.eq_ignore_ascii_case(&name.symbol),
    }
}

/// The names of all coins, if they have arrived.
fn names(state: &State) -> Option<&[IndexedName]> {
    match state.responses.response(&Request::CoinNames)?.as_ref() {
        ResponseData::CoinNames(names) => Some(names),
        _ => None,
    }
}

/// Adds the coins that match.
pub(super) fn find(
    state: &State,
    palette: &mut Palette,
    query: &str,
    destination: Destination,
    found: &mut Vec<Found>,
) {
    // The panels of the indexer belong to tickers.
    if destination.indexer_panel.is_some() {
        return;
    }
    for (place, (quality, coin)) in matching(state, &mut palette.index, query).into_iter().enumerate() {
        found.push(Found::new(quality, Group::Coin, place, item(coin, query, destination)));
    }
}

/// The coins that match what is typed or a part of it, best first.
pub(super) fn matching(state: &State, index: &mut Index, query: &str) -> Vec<(Quality, NamedCoin)> {
    let mut coins = named_coins(state, index.search(query, |source| is_recent(state, source)));
    // An exact match is nearly always the coin of that slug, too. Looking for slugs reads all coins.
    let has_exact = coins.first().is_some_and(|(quality, _)| *quality == Quality::Exact);
    if !has_exact
        && let Some(coin) = with_slug(state, query.trim())
        && !coins.iter().any(|(_, other)| other.coin.has_same_id(&coin.coin))
    {
        coins.insert(0, (Quality::Exact, coin));
    }
    coins
}

/// The coin with this slug, in satscope or at a provider, which may have nothing in common with its names. As in
/// commands, a slug that providers use for several coins finds none.
fn with_slug(state: &State, slug: &str) -> Option<NamedCoin> {
    if slug.contains(char::is_whitespace) {
        return None;
    }
    let is_it = |other: &str| other.eq_ignore_ascii_case(slug);
    let coin = state.known_coins().find(|coin| coin.slug.as_deref().is_some_and(is_it)).map(NamedCoin::from);
    coin.or_else(|| {
        let names = names(state)?;
        let of_slug = names.iter().find(|name| is_it(&name.coin.slug));
        let of_alias = || {
            let mut found = names.iter().filter(|name| name.has_alias(slug));
            found.next().filter(|first| found.all(|other| other.coin.id == first.coin.id))
        };
        Some(NamedCoin::from(&of_slug.or_else(of_alias)?.coin))
    })
}

/// Whether a coin was open before.
fn is_recent(state: &State, source: &Source) -> bool {
    let mut recent = state.recent.iter().filter_map(recent_coin);
    match source {
        Source::Known(id) => recent.any(|named| named.coin.id.as_ref() == Some(&id.0)),
        Source::Unlisted(named) => recent.any(|other| other == named),
        Source::Name(_) => false,
    }
}

fn named_coins(state: &State, hits: Vec<(Quality, &Source)>) -> Vec<(Quality, NamedCoin)> {
    let mut coins: Vec<(Quality, NamedCoin)> = Vec::new();
    for (quality, source) in hits {
        let Some(named) = named(state, source) else { continue };
        // A name can belong to a known coin with another id.
        if coins.len() < MAX_COINS && !coins.iter().any(|(_, other)| other.coin.has_same_id(&named.coin)) {
            coins.push((quality, named));
        }
    }
    coins
}

fn recent_coin(recent: &Recent) -> Option<&NamedCoin> {
    match recent {
        Recent::Coin(coin) => Some(coin),
        Recent::Subject(_) => None,
    }
}

fn named(state: &State, source: &Source) -> Option<NamedCoin> {
    Some(match source {
        Source::Known(id) => NamedCoin::from(state.coin(id)?),
        Source::Unlisted(named) => named.clone(),
        Source::Name(number) => NamedCoin::from(&names(state)?.get(*number)?.coin),
    })
}

/// The item of a coin.
pub(super) fn item(coin: NamedCoin, query: &str, destination: Destination) -> Item {
    let title = coin.name.to_string();
    let detail = if coin.name == coin.coin.symbol { String::new() } else { coin.coin.symbol.to_string() };
    let Destination { period, style, panel, .. } = destination;
    let action = Action::OpenCoin { coin, period, style, panel };
    Item { detail, query: query.to_owned(), effect: destination.effect(), ..Item::new(Kind::Coin, title, action) }
}
