//! Links of a coin: CoinMarketCap's `urls` and CoinGecko's `links` (a map of lists), lists of objects (CoinPaprika,
//! Coinranking, own), and account names.

use super::field::Field;
use crate::client::decode::field_name::same_name;
use crate::client::decode::names::Found;
use crate::client::decode::read::Context;
use crate::client::decode::tape::Value;
use crate::model::{Link, Text, text};

/// Maximum links of one coin.
const MAX_LINKS: usize = 100;

/// Field names of URLs: all; proxies.
const URLS: &[&str] = &["url", "link", "href"];

/// Maps the services' kinds of links to ours, which are CoinMarketCap's, in any spelling.
const KINDS: &[(&str, &str)] = &[
    // CoinMarketCap's info.
    ("website", "website"),
    ("twitter", "twitter"),
    ("message_board", "message_board"),
    ("chat", "chat"),
    ("facebook", "facebook"),
    ("explorer", "explorer"),
    ("reddit", "reddit"),
    ("technical_doc", "technical_doc"),
    ("source_code", "source_code"),
    ("announcement", "announcement"),
    ("twitter_username", "twitter"),
    ("subreddit", "reddit"),
    // CoinGecko.
    ("homepage", "website"),
    ("blockchain_site", "explorer"),
    ("official_forum_url", "message_board"),
    ("chat_url", "chat"),
    ("announcement_url", "announcement"),
    ("subreddit_url", "reddit"),
    ("repos_url", "source_code"),
    ("bitbucket", "source_code"),
    ("twitter_screen_name", "twitter"),
    ("telegram_channel_identifier", "chat"),
    ("facebook_username", "facebook"),
    // CoinGecko, CoinPaprika, Coinranking.
    ("whitepaper", "technical_doc"),
    ("github", "source_code"),
    // CoinPaprika, Coinranking.
    ("telegram", "chat"),
    ("discord", "chat"),
];

/// Field names of account names, and the URL prefix of the account.
const ACCOUNTS: &[(&str, &str)] = &[
    // CoinGecko.
    ("twitter_screen_name", "https://x.com/"),
    ("telegram_channel_identifier", "https://t.me/"),
    ("facebook_username", "https://www.facebook.com/"),
    // CoinMarketCap's info.
    ("twitter_username", "https://x.com/"),
    ("subreddit", "https://www.reddit.com/r/"),
];

/// Reads the links of an object and adds new ones.
pub(super) fn read(context: &mut Context<'_>, found: &Found<'_, '_, Field>, links: &mut Vec<Link>) {
    if let Some(value) = found.get(Field::Links) {
        if value.is_object() {
            for (kind, value) in value.entries() {
                several(context, links, &kind, value);
            }
        } else if value.is_array() {
            value.items().for_each(|item| one_of_list(context, links, item));
        } else {
            add(context, links, "website", value);
        }
    }
    for (field, kind) in [(Field::Website, "website"), (Field::Reddit, "subreddit"), (Field::Explorer, "explorer")] {
        if let Some(value) = found.get(field) {
            several(context, links, kind, value);
        }
    }
    if let Some(output) = found.get(Field::Whitepaper).and_then(|output| output.get("link")) {
        add(context, links, "whitepaper", output);
    }
    if let Some(more) = found.get(Field::MoreLinks) {
        more.items().for_each(|item| one_of_list(context, links, item));
    }
    if let Some(account) = found.get(Field::Twitter).filter(|_| !links.iter().any(|link| link.kind == "twitter")) {
        several(context, links, "twitter_username", account);
    }
}

/// Reads a link, a list of links, or a map of lists (`repos_url`).
fn several(context: &mut Context<'_>, links: &mut Vec<Link>, kind: &str, value: Value<'_>) {
    if value.is_array() {
        value.items().for_each(|item| {
            if item.is_object() { one_of_list(context, links, item) } else { add(context, links, kind, item) }
        });
    } else if value.is_object() {
        for (kind, value) in value.entries() {
            let both = [value].into_iter().filter(|value| !value.is_array()).chain(value.items());
            both.for_each(|item| add(context, links, &kind, item));
        }
    } else {
        add(context, links, kind, value);
    }
}

/// `{"kind": "website", "url": "https://…"}` (own), with `type` (CoinPaprika, Coinranking) or `name` (proxies), or a bare
/// URL.
fn one_of_list(context: &mut Context<'_>, links: &mut Vec<Link>, item: Value<'_>) {
    if !item.is_object() {
        return add(context, links, "website", item);
    }
    let kind = item.any(&["kind", "type"]).and_then(|kind| kind.str());
    // A name may also be a title.
    let name = || item.get("name")?.str().filter(|name| kind_of(name).is_some());
    let kind = kind.or_else(name).unwrap_or("website".into());
    match item.any(URLS) {
        Some(url) => add(context, links, &kind, url),
        None => context.unreadable(item, "a link"),
    }
}

fn add(context: &mut Context<'_>, links: &mut Vec<Link>, kind: &str, value: Value<'_>) {
    if links.len() >= MAX_LINKS || value.number().is_some() {
        return; // some maps contain counts or thread ids
    }
    let words = value.str().unwrap_or_default();
    let words = words.trim();
    let is_account =
        |name: &str| (1..=60).contains(&name.len()) && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
    let account = words.strip_prefix('@').unwrap_or(words);
    let url = match is_account(account).then(|| lookup(ACCOUNTS, kind)).flatten() {
        Some(site) => Some(format!("{site}{account}")),
        None => context.url(Some(value)),
    };
    let Some(url) = url else { return };
    let kind = match kind_of(kind) {
        Some(kind) => Text::const_new(kind),
        None => Text::from(text::cut(text::clean(kind), 40)),
    };
    if !links.iter().any(|link| link.kind == kind && is_same_page(&link.url, &url)) {
        links.push(Link { kind, url: url.into() });
    }
}

/// Our kind of link for a service's.
fn kind_of(kind: &str) -> Option<&'static str> {
    lookup(KINDS, kind)
}

fn lookup(table: &[(&str, &'static str)], kind: &str) -> Option<&'static str> {
    table.iter().find(|(name, _)| same_name(name, kind)).map(|(_, found)| *found)
}

/// Whether two URLs differ only in scheme, `www.` and a trailing slash.
fn is_same_page(a: &str, b: &str) -> bool {
    fn place(url: &str) -> &str {
        let place = url.split_once("://").map_or(url, |(_, place)| place);
        place.strip_prefix("www.").unwrap_or(place).trim_end_matches('/')
    }
    place(a) == place(b)
}
