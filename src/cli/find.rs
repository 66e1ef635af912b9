//! Finds coins by slug or symbol. Nobody sees their links and contracts, so these are not requested.

use super::aliases::Aliases;
use super::coins::{self, CoinQuery};
use super::connection::{Connection, failed};
use super::failure::{Failure, say};
use super::found_coins::{self, FoundCoins};
use super::progress;
use super::runtime::block_on;
use crate::client::endpoint::MAX_IDS;
use crate::client::notice::names_missing;
use crate::client::{Error, NoticeCode, Reply, Request, ResponseData};
use crate::config::Settings;
use crate::format::words::in_sentence;
use crate::model::coin_name::{COMPLETE_FOR, INCOMPLETE_FOR};
use crate::model::page::is_short;
use crate::model::{Coin, CoinId, CoinName, IndexedName, Tag, Text};
use crate::user_data::alert::Target;
use crate::user_data::{UserData, Watched};

/// Maximum coins searched for a slug, as in [`found_coins::ADVICE`].
const MAX_SEARCHED: u32 = 5_000;

/// Fetches all coins that are searched.
pub(super) fn all(settings: &Settings) -> Result<Vec<Coin>, Failure> {
    let connection = Connection::without_details(settings)?;
    fetch(&connection, Tag::All, MAX_SEARCHED, settings).map(|(coins, _)| coins)
}

/// Fetches the coins that are BRC-20 tokens: pages of the list until `is_enough` accepts them.
pub(super) fn brc20(settings: &Settings, is_enough: impl Fn(&[Coin]) -> bool) -> Result<(Vec<Coin>, Reply), Failure> {
    let connection = Connection::without_details(settings)?;
    let page = settings.display.page_size;
    let is_enough = |coins: &[Coin]| is_short(coins.len(), page) || is_enough(coins);
    fetch_until(&connection, Tag::Brc20, MAX_SEARCHED, settings, is_enough)
}

/// Fetches known coins by their ids; or, if a service doesn't find all of them that way, in its list.
pub(super) fn known(wanted: &[Watched], settings: &Settings) -> Result<(Vec<Coin>, Reply), Failure> {
    let mut ids: Vec<CoinId> = wanted.iter().filter_map(|coin| coin.id.clone().map(CoinId)).collect();
    ids.sort_unstable();
    ids.dedup();
    if !ids.is_empty() && wanted.iter().all(|coin| coin.id.is_some()) {
        let connection = Connection::without_details(settings)?;
        if let Some((coins, reply)) = by_id(&connection, &ids, settings)?
            && wanted.iter().all(|wanted| coins.iter().any(|coin| wanted.is_coin(coin)))
        {
            return Ok((coins, reply));
        }
    }
    let mut slugs: Vec<Text> = wanted.iter().filter_map(|coin| coin.slug.clone()).collect();
    slugs.sort_unstable();
    slugs.dedup();
    find_any(&slugs, settings).map(|(found, reply, _)| (found.coins, reply))
}

/// Fetches coins that include those with these slugs or symbols: the first page of the list; if one is missing there,
/// also the coins with that name; or all pages if the service has no list of names. Fails if one is missing because
/// names could not be loaded.
pub(super) fn find(slugs: &[Text], settings: &Settings) -> Result<(FoundCoins, Reply), Failure> {
    let (found, reply, problem) = find_any(slugs, settings)?;
    match (slugs.iter().find(|slug| !found.is_listed(slug)), problem) {
        (Some(slug), Some(problem)) => {
            Err(Failure::Outage(format!("unknown coin {}; {}", found_coins::quoted(slug), in_sentence(&problem))))
        }
        _ => Ok((found, reply)),
    }
}

/// Fetches those coins of [`find`] that exist, and the reason if names could not be loaded.
pub(super) fn find_any(slugs: &[Text], settings: &Settings) -> Result<(FoundCoins, Reply, Option<String>), Failure> {
    let (connection, mut problem) = (Connection::without_details(settings)?, None);
    let (mut found, mut reply, is_complete) = find_named(&connection, slugs, settings, &mut problem)?;
    if !is_complete {
        (found.coins, reply) = fetch(&connection, Tag::All, MAX_SEARCHED, settings)?;
    }
    Ok((found, reply, problem))
}

/// The coin with a slug or unique symbol. If the service can't be reached, or lists no such coin, it may be known from
/// the user's data.
pub(super) fn named(name: &Text, data: &UserData, settings: &Settings) -> Result<Watched, Failure> {
    match find(std::slice::from_ref(name), settings) {
        Ok((found, _)) => match found.coin_of(name) {
            Ok(coin) => Ok(Watched::from_coin(coin)),
            Err(failure) if found.is_listed(name) => Err(failure),
            Err(failure) => in_user_data(name, data).map(|(coin, _)| coin).ok_or(failure),
        },
        Err(Failure::Outage(reason)) => match in_user_data(name, data) {
            Some((coin, slug)) => {
                say_known(&slug, &reason);
                Ok(coin)
            }
            None => Err(Failure::Outage(reason)),
        },
        Err(failure) => Err(failure),
    }
}

/// The coin with a slug or unique symbol as the service lists it, and the response.
pub(super) fn listed(name: &Text, settings: &Settings) -> Result<(Coin, Reply), Failure> {
    let (found, reply) = find(std::slice::from_ref(name), settings)?;
    Ok((found.coin_of(name)?.clone(), reply))
}

/// The slug of a coin, like [`named`]; without a connection, it may also be known from a note.
pub(super) fn slug_of(name: &Text, data: &UserData, settings: &Settings) -> Result<Option<Text>, Failure> {
    match named(name, data, settings) {
        Ok(coin) => Ok(coin.slug),
        Err(Failure::Outage(reason)) => match data.notes.iter().find(|note| note.slug.eq_ignore_ascii_case(name)) {
            Some(note) => {
                say_known(&note.slug, &reason);
                Ok(Some(note.slug.clone()))
            }
            None => Err(Failure::Outage(reason)),
        },
        Err(failure) => Err(failure),
    }
}

fn say_known(slug: &Text, reason: &str) {
    say(&format!("using {slug} from your data: {reason}"));
}

/// The coin of a lot, an alert or the watchlist, with its slug, by the rules of [`FoundCoins::coin_of`]; `None` if
/// several have the symbol.
pub(super) fn in_user_data(name: &Text, data: &UserData) -> Option<(Watched, Text)> {
    let of_alerts = data.alerts.iter().filter_map(|alert| match &alert.rule.target {
        Target::Coin(coin) => Some(coin.clone()),
        _ => None,
    });
    let of_lots = data.lots.iter().map(|lot| lot.coin.clone());
    let all = of_lots.chain(of_alerts).chain(data.watchlist.apply_to(&[]));
    let known: Vec<(Watched, Text)> = all.filter_map(|coin| Some((coin.clone(), coin.slug?))).collect();
    let mut of_symbol = known.iter().filter(|(coin, _)| coin.symbol.eq_ignore_ascii_case(name));
    let found = match (known.iter().find(|(_, slug)| slug == name), of_symbol.next()) {
        (Some(exact), _) => Some(exact),
        (None, Some(first)) => Some(first).filter(|(_, slug)| of_symbol.all(|(_, other)| other == slug)),
        (None, None) => known.iter().find(|(_, slug)| slug.eq_ignore_ascii_case(name)),
    };
    found.cloned()
}

/// The coins with these slugs or symbols, and others whose slug or symbol starts with the same three letters, for names
/// that are probably wrong: from the list of names, without prices; or from the first page if the service has no list
/// of names.
pub(super) fn find_quickly(slugs: &[Text], settings: &Settings) -> Result<FoundCoins, Failure> {
    let connection = Connection::without_details(settings)?;
    let Some(names) = names(&connection, &slugs.iter().collect::<Vec<_>>(), &mut None)? else {
        let (coins, _) = fetch(&connection, Tag::All, settings.display.page_size, settings)?;
        return Ok(FoundCoins::new(coins, Aliases::default()));
    };
    let aliases = Aliases::of(&names);
    let starts: Vec<String> = slugs.iter().map(|slug| start_of(slug)).collect();
    let is_alike = |name: &Text| starts.iter().any(|start| name.to_lowercase().starts_with(start.as_str()));
    let has_alias = |name: &IndexedName| slugs.iter().any(|slug| name.has_alias(slug));
    let is_near = |name: &IndexedName| is_alike(&name.coin.slug) || is_alike(&name.coin.symbol) || has_alias(name);
    let coins = names.into_iter().filter(is_near).map(|name| unpriced(name.coin)).collect();
    let mut found = FoundCoins::new(coins, aliases);
    // A name that isn't in the list may be the id of a coin at a provider whose names aren't.
    let is_missing = |slug: &&Text| is_word(slug) && !found.coins.iter().any(|coin| found.has_slug(coin, slug));
    let ids: Vec<CoinId> =
        slugs.iter().filter(is_missing).map(|slug| CoinId(Text::from(slug.to_lowercase()))).collect();
    if let Some((more, _)) = by_id(&connection, &ids, settings)? {
        found.coins.extend(more);
    }
    Ok(found)
}

/// The start that names like this one have, in lower case.
fn start_of(name: &str) -> String {
    name.to_lowercase().chars().take(found_coins::MIN_ALIKE).collect()
}

fn unpriced(name: CoinName) -> Coin {
    let CoinName { id, name, symbol, slug, rank, .. } = name;
    Coin { rank, slug: Some(slug), ..Coin::new(CoinId(id), name, symbol) }
}

/// The first page of the list, with the coins of these slugs or symbols from the list of names; and whether no other
/// coin can have them.
fn find_named(
    connection: &Connection,
    slugs: &[Text],
    settings: &Settings,
    problem: &mut Option<String>,
) -> Result<(FoundCoins, Reply, bool), Failure> {
    let (mut coins, mut reply) = fetch(connection, Tag::All, settings.display.page_size, settings)?;
    // A slug in another case may be a symbol that several coins share.
    let is_there = |slug: &&Text| coins.iter().any(|coin| coin.slug.as_ref() == Some(*slug));
    let missing: Vec<&Text> = slugs.iter().filter(|slug| !is_there(slug)).collect();
    if missing.is_empty() {
        return Ok((FoundCoins::new(coins, Aliases::default()), reply, true));
    }
    // Without a list of names, another coin may have the slug or symbol.
    let Some(names) = names(connection, &missing, problem)? else {
        return Ok((FoundCoins::new(coins, Aliases::default()), reply, false));
    };
    let aliases = Aliases::of(&names);
    // A name that isn't in the list may be the id of a coin at a provider whose names aren't.
    let may_be_id = |name: &&&Text| is_word(name) && aliases.id_of(name).is_none();
    let words = missing.iter().filter(may_be_id).map(|name| CoinId(Text::from(name.to_lowercase())));
    let is_wanted = |coin: &IndexedName| missing.iter().any(|name| is_named(coin, name));
    let named = names.into_iter().filter(is_wanted).map(|name| CoinId(name.coin.id));
    let is_known = |id: &CoinId| coins.iter().any(|coin| coin.id == *id);
    let mut ids: Vec<CoinId> = named.chain(words).filter(|id| !is_known(id)).collect();
    ids.sort_unstable();
    ids.dedup();
    let is_complete = if ids.is_empty() {
        true
    } else if let Some((more, later)) = by_id(connection, &ids, settings)? {
        coins.extend(more);
        reply.age = reply.age.max(later.age);
        true
    } else {
        false
    };
    Ok((FoundCoins::new(coins, aliases), reply, is_complete))
}

/// The names of all coins, refreshed if they lack a wanted coin that may be new, or that only another provider may list;
/// `None` if the service has no list of names. Sets `problem` to the reason why some could not be loaded.
fn names(
    connection: &Connection,
    wanted: &[&Text],
    problem: &mut Option<String>,
) -> Result<Option<Vec<IndexedName>>, Failure> {
    let not_loaded = |error: &Error| {
        let has_failed = error.is_retryable() && !error.is_not_offered();
        has_failed.then(|| names_missing(&in_sentence(&error.reason())))
    };
    let reply = match block_on(connection.client.get(&Request::CoinNames, None))? {
        Ok(reply) => reply,
        Err(error) => {
            *problem = not_loaded(&connection.with_service_name(error));
            return Ok(None);
        }
    };
    *problem = missing_names_notice(&reply);
    let is_old = reply.age >= COMPLETE_FOR;
    let is_incomplete = reply.max_age.is_some_and(|max_age| max_age <= INCOMPLETE_FOR);
    let Some(known) = names_in(reply) else { return Ok(None) };
    let is_known = |name: &&Text| known.iter().any(|coin| is_named(coin, name));
    // Words are also looked up as ids.
    let may_be_missing = |name: &&Text| !is_known(name) && (is_old || is_incomplete && !is_word(name));
    if !wanted.iter().any(may_be_missing) {
        return Ok(Some(known));
    }
    let new = block_on(connection.client.refresh(&Request::CoinNames, None))?;
    *problem = match &new {
        Ok(reply) => missing_names_notice(reply),
        Err(error) => not_loaded(error),
    };
    // If the refresh fails, use the cached ones.
    Ok(Some(new.ok().and_then(names_in).unwrap_or(known)))
}

/// The notice that some names could not be loaded.
fn missing_names_notice(reply: &Reply) -> Option<String> {
    let notice = reply.notice.as_ref().filter(|notice| notice.code == Some(NoticeCode::NamesMissing));
    notice.map(|notice| notice.sentence.clone())
}

fn names_in(reply: Reply) -> Option<Vec<IndexedName>> {
    let ResponseData::CoinNames(names) = reply.response? else { return None };
    Some(names)
}

/// Whether a coin has this slug, here or at a provider, or this symbol.
fn is_named(named: &IndexedName, name: &Text) -> bool {
    [&named.coin.slug, &named.coin.symbol].iter().any(|own| own.eq_ignore_ascii_case(name)) || named.has_alias(name)
}

/// Whether a string can be an id in words. Symbols are known by their names, and numbers are never slugs.
pub(super) fn is_word(text: &str) -> bool {
    text.contains('-') && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
}

/// Minimum length of a lower-case name that is hardly a symbol, such as `tether`.
const MIN_SLUG: usize = 6;

/// Whether a name is rather a slug than a symbol: a word or a long name in lower case. It is looked up in the list of
/// names first, which is one request for all names.
pub(super) fn is_unlike_symbol(name: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    is_word(name) || name.len() >= MIN_SLUG && name.bytes().all(is_plain)
}

/// Fetches coins by their ids, with the first response; `None` without ids, or if the service fails, since it may not
/// support that.
fn by_id(connection: &Connection, ids: &[CoinId], settings: &Settings) -> Result<Option<(Vec<Coin>, Reply)>, Failure> {
    let (mut coins, mut first) = (Vec::new(), None);
    for ids in ids.chunks(MAX_IDS) {
        let request = Request::CoinsById { ids: ids.to_vec(), convert: settings.display.convert.clone() };
        let Ok(mut reply) = block_on(connection.client.get(&request, None))? else { return Ok(None) };
        let Some(ResponseData::Coins(page)) = reply.response.take() else { return Ok(None) };
        coins.extend(page.items);
        first.get_or_insert(reply);
    }
    Ok(first.map(|reply| (coins, reply)))
}

/// Fetches the first coins of the list.
fn fetch(connection: &Connection, tag: Tag, limit: u32, settings: &Settings) -> Result<(Vec<Coin>, Reply), Failure> {
    fetch_until(connection, tag, limit, settings, |_| false)
}

/// Fetches the first coins of the list, page by page until `is_enough` accepts them.
fn fetch_until(
    connection: &Connection,
    tag: Tag,
    limit: u32,
    settings: &Settings,
    is_enough: impl Fn(&[Coin]) -> bool,
) -> Result<(Vec<Coin>, Reply), Failure> {
    let page = settings.display.page_size;
    let query = CoinQuery { tag, start: 1, limit, convert: settings.display.convert.clone(), page };
    let work = coins::get_until(&connection.client, &query, &settings.limits, is_enough);
    let reply = block_on(progress::show(&connection.client, None, settings.display.glyphs(), work))?;
    let mut reply = reply.map_err(|error| failed(&connection.with_service_name(error), settings))?;
    let coins = if let Some(ResponseData::Coins(page)) = reply.response.take() { page.items } else { Vec::new() };
    Ok((coins, reply))
}
