//! `/content`: posts or news about a token.

mod author;
mod wording;

use std::collections::{HashMap, HashSet};

use super::envelope::{List, MAX_ITEMS, Spec};
use super::identity;
use super::kind::Kind;
use super::names::{Lookup, names};
use super::read::Context;
use super::tape::{Tape, Value};
use crate::client::error::ErrorKind;
use crate::format::words::counted;
use crate::model::{Page, Post, Text, is_sensitive_label, text};

use author::author;
use wording::wording;

names! {
    /// The fields of a post with their names and services: CoinMarketCap (CMC) and its website (CMC web), Bluesky,
    /// Mastodon, StockTwits, Hacker News, Twitter, CryptoCompare, CryptoPanic, CoinGecko's status updates, news feeds as
    /// JSON (JSON Feed, rss2json, Alpha Vantage), and satscope's own output and service (own).
    enum Field {
        /// CMC; all others; CMC web; Hacker News; Bluesky; feeds.
        Id = ["post_id", "id", "gravity_id", "object_id", "uri", "guid"],
        /// The author as an object or a name. CMC; Bluesky, Hacker News, own; StockTwits, Twitter, CoinGecko; Mastodon;
        /// feeds (a list; a name).
        Owner = ["owner", "author", "user", "account", "authors", "creator"],
        /// Twitter v2: the id of a user who is beside the posts.
        OwnerId = ["author_id"],
        /// Proxies; Hacker News; CMC's news; CryptoCompare, CryptoPanic.
        OwnerName = [
            "username", "author_name", "screen_name", "nickname", "handle", "display_name", "owner_name", "by",
            "source_name", "source",
        ],
        /// CMC; Twitter, Bluesky, own; Twitter v1; Mastodon, in HTML; StockTwits, CryptoCompare; JSON Feed; proxies.
        Text = [
            "text_content", "text", "full_text", "content", "body", "content_text", "content_html", "message", "caption",
        ],
        /// CMC's news, Hacker News, CryptoCompare, CryptoPanic; Mastodon's content warning.
        Title = ["title", "spoiler_text"],
        /// CMC's news; CoinGecko; feeds.
        Subtitle = ["subtitle", "description", "summary", "content_snippet"],
        /// CMC, Bluesky, Twitter; own, StockTwits (an object); Mastodon; Twitter v1; Hacker News; CryptoCompare; Reddit,
        /// proxies.
        Likes = [
            "like_count", "likes", "favourites_count", "favorite_count", "points", "upvotes", "ups", "likes_count",
            "favorites",
        ],
        /// CMC; own; Bluesky, Twitter; Mastodon; Hacker News; StockTwits (an object); proxies.
        Comments = [
            "comment_count", "comments", "reply_count", "replies_count", "num_comments", "conversation",
            "comments_count", "replies",
        ],
        /// CMC, Bluesky; own; Mastodon; Twitter; StockTwits (an object); proxies.
        Reposts = [
            "repost_count", "reposts", "reblogs_count", "retweet_count", "reshares", "reposts_count", "retweets",
            "share_count", "shares",
        ],
        /// An object with the three counts: Twitter; proxies.
        Counts = [
            "public_metrics", "metrics", "stats", "counts", "engagement", "interactions", "statistics", "counters",
            "reactions",
        ],
        /// CMC; own; CMC's news; CryptoPanic; CryptoCompare; Mastodon, StockTwits, Twitter, Hacker News, CoinGecko,
        /// Bluesky's record; Bluesky; feeds; Reddit, proxies.
        Time = [
            "post_time", "posted_at", "released_at", "published_at", "published_on", "created_at", "indexed_at",
            "date_published", "time_published", "iso_date", "pub_date", "created_utc", "created", "timestamp", "time",
            "date", "publish_time", "publish_date", "post_date", "published", "ts",
        ],
        /// Mastodon, Hacker News, CryptoCompare, CryptoPanic, own; CMC's news; feeds.
        Url = ["url", "source_url", "link"],
        /// CMC, CryptoPanic; CMC's news; own, StockTwits; CoinGecko.
        Coins = ["currencies", "assets", "symbols", "project"],
        /// Twitter: entities of the text.
        Entities = ["entities"],
        /// CMC; Mastodon, own; Twitter, CryptoCompare; Bluesky's record (a list).
        Language = ["language_code", "language", "lang", "langs"],
        /// Bluesky: an object with text and time.
        Record = ["record"],
        /// Own.
        Network = ["network"],
        /// Mastodon, own; Twitter.
        Sensitive = ["sensitive", "possibly_sensitive"],
        /// Bluesky: a list of objects.
        Labels = ["labels"],
    }
}

pub(super) const SPEC: Spec = Spec {
    // Bluesky, proxies; CMC; StockTwits; CoinGecko.
    lists: &["posts", "list", "messages", "status_updates"],
    marks: &["post_id", "text_content", "text", "title"],
    kind: Kind::Post,
};

/// Field names of the number in an object with a count: StockTwits; proxies.
const TOTALS: &[&str] = &["total", "replies", "reshared_count", "count", "total_count"];

/// Maximum length of a cashtag.
const MAX_CASHTAG: usize = 12;

/// Maximum symbols per post.
const MAX_SYMBOLS: usize = 100;

/// Decodes posts. Those that are only about other coins are skipped, with a warning.
///
/// # Errors
/// [`ErrorKind::Unrecognised`]; [`ErrorKind::Mismatch`] if all posts are about other coins.
pub(super) fn decode(root: Value<'_>, symbol: &str, context: &mut Context<'_>) -> Result<Page<Post>, ErrorKind> {
    identity::check_name(root, &["symbol"], symbol, identity::is_same_symbol)?;
    if let Some(other) = root.get("symbol").and_then(|of| of.get("symbol")?.str())
        && !identity::is_same_symbol(&other, symbol)
    {
        return Err(identity::another(&[&other], symbol));
    }
    let list = List::find_of(root, &SPEC, Some(symbol))?;
    let mut reader = Reader::new(users(root, context));
    let mut items = list.read(context, "a post", |context, key, item| {
        let own_key = key.filter(|key| !key.is_shared).map(|key| key.name);
        reader.read(context, own_key, item)
    })?;
    // Slugs and names (with lower-case letters) can't be compared with a symbol.
    let is_symbol = |own: &Text| !own.chars().any(char::is_lowercase);
    let is_other = |post: &Post| {
        let mut own = post.symbols.iter();
        !post.symbols.is_empty() && own.all(|own| is_symbol(own) && !identity::is_same_symbol(own, symbol))
    };
    if let Some(first) = items.first()
        && items.iter().all(is_other)
    {
        let others: Vec<&str> = first.symbols.iter().map(Text::as_str).collect();
        return Err(identity::another(&others, symbol));
    }
    let listed = items.len();
    let names_it = |post: &Post| cashtags(&post.text).iter().any(|tag| identity::is_same_symbol(tag, symbol));
    items.retain(|post| !is_other(post) || names_it(post));
    let others = listed - items.len();
    if others > 0 {
        context.warn(|| format!("skipped {} about other coins", counted(others, "post")));
    }
    for post in items.iter_mut().filter(|post| post.symbols.is_empty()) {
        post.symbols = cashtags(&post.text);
    }
    Ok(Page { items, total: context.u64(list.total).filter(|_| others == 0) })
}

/// The users whom Twitter's API lists beside the posts (`includes.users`): their names by id.
fn users(root: Value<'_>, context: &mut Context<'_>) -> HashMap<Text, Text> {
    let mut users = HashMap::new();
    let list = root.get("includes").and_then(|includes| includes.get("users"));
    let mut tape = Tape::default();
    for user in list.into_iter().flat_map(|list| list.items()).take(MAX_ITEMS) {
        let Ok(user) = tape.expand(user) else { continue };
        if let Some((id, name)) = context.id(user.get("id")).zip(author(context, Some(user))) {
            users.insert(id, name);
        }
    }
    users
}

/// Reads posts.
struct Reader {
    post: Lookup<Field>,
    record: Lookup<Field>,
    counts: Lookup<Field>,
    /// Names by id.
    users: HashMap<Text, Text>,
    /// The ids of posts that had none.
    derived_ids: HashSet<Text>,
}

impl Reader {
    fn new(users: HashMap<Text, Text>) -> Reader {
        Reader { post: Lookup::new(), record: Lookup::new(), counts: Lookup::new(), users, derived_ids: HashSet::new() }
    }

    /// Reads a post; `None` if it has neither text nor id.
    fn read(&mut self, context: &mut Context<'_>, key: Option<&str>, item: Value<'_>) -> Option<Post> {
        let mut tape = Tape::default();
        // Mastodon: a post that repeats another one has no text.
        let item = match item.get("reblog").filter(Value::is_object) {
            Some(original) => tape.expand(original).ok()?,
            None => item,
        };
        let found = self.post.read(item);
        let record = found.get(Field::Record).filter(Value::is_object).map(|record| self.record.read(record));
        let get = |field| record.as_ref().and_then(|record| record.get(field)).or_else(|| found.get(field));
        let body = get(Field::Text).and_then(wording);
        let language_of_body = body.and_then(|body| body.language);
        let is_html = body.is_some_and(|body| body.is_html);
        let has = |names: &[&str]| names.iter().any(|name| item.get(name).is_some());
        let kind = if has(&["reblogs_count", "content_html"]) {
            // Mastodon and JSON Feed.
            TextKind::Html
        } else if record.is_some() || has(&["network", "text_content", "text", "full_text"]) {
            // Bluesky, own, CMC, Twitter.
            TextKind::Plain
        } else {
            TextKind::Unknown
        };
        let body = lines(context, body.map(|body| body.text), if is_html { TextKind::Html } else { kind });
        let title_kind = if kind == TextKind::Html { TextKind::Unknown } else { kind };
        let title = [Field::Title, Field::Subtitle]
            .map(|field| lines(context, found.get(field).and_then(wording).map(|title| title.text), title_kind));
        let words = context.cut_lines(joined(title.into_iter().chain([body]).flatten()));

        let owner = found.get(Field::Owner);
        let user = context.id(found.get(Field::OwnerId)).and_then(|id| self.users.get(&id).cloned());
        let author = author(context, owner).or(user).or_else(|| author(context, found.get(Field::OwnerName)));
        let posted_at = context.time(get(Field::Time));
        let own_id = context.id(found.get(Field::Id));
        let url = context.url(found.get(Field::Url)).or_else(|| bluesky_url(own_id.as_deref()?, author.as_deref()?));
        // A numeric key is the post's id; other keys are the symbol of a list.
        let number = key.filter(|key| identity::is_number(key));
        let id = own_id.or_else(|| number.map(Text::from));
        if words.is_empty() && (id.is_none() || author.is_none() && posted_at.is_none()) {
            return None;
        }
        let id = id.unwrap_or_else(|| {
            let start = || text::cut(words.as_str().into(), 60).into_owned();
            let more = || url.clone().unwrap_or_else(start);
            let which = posted_at.map_or_else(more, |time| time.to_string());
            let known: Vec<&str> = author.as_deref().into_iter().chain([which.as_str()]).collect();
            let derived = Text::from(known.join(" "));
            // One author may have several posts of the same time.
            if self.derived_ids.insert(derived.clone()) { derived } else { Text::from(format!("{derived} {}", more())) }
        });
        let nested = found.get(Field::Counts).filter(Value::is_object).map(|counts| self.counts.read(counts));
        let mut count = |field| {
            let inside = || nested.as_ref().and_then(|nested| nested.get(field));
            let value = found.get(field).or_else(inside).filter(|value| !value.is_array())?;
            let number = if value.is_object() { value.any(TOTALS).unwrap_or(value) } else { value };
            context.u64(Some(number))
        };
        let (likes, comments, reposts) = (count(Field::Likes), count(Field::Comments), count(Field::Reposts));
        let entities = found.get(Field::Entities).and_then(|entities| entities.any(&["cashtags", "symbols"]));
        let symbols = symbols(context, found.get(Field::Coins).or(entities));
        let language = get(Field::Language)
            .or(language_of_body)
            .and_then(|language| if language.is_array() { language.items().next() } else { Some(language) });
        Some(Post {
            id,
            author: author.map(|author| with_instance(author, owner, url.as_deref())),
            text: words,
            likes,
            comments,
            reposts,
            posted_at,
            url,
            symbols,
            language: context.text(language),
            network: context.text(found.get(Field::Network).filter(|network| network.str().is_some())),
            sensitive: context.bool(found.get(Field::Sensitive)).or_else(|| is_labelled(found.get(Field::Labels)?)),
        })
    }
}

/// What the text of a post is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum TextKind {
    Plain,
    Html,
    /// HTML if it looks like that.
    Unknown,
}

/// Reads text as plain text.
fn lines(context: &mut Context<'_>, value: Option<Value<'_>>, kind: TextKind) -> Option<String> {
    let Some(words) = value.and_then(|value| value.str()) else { return context.lines(value) };
    match kind {
        TextKind::Html => context.own_lines(&text::html_to_text(&words)),
        TextKind::Unknown if text::has_html_tags(&words) => context.own_lines(&text::html_to_text(&words)),
        TextKind::Unknown if text::has_html_entities(&words) => context.own_lines(&text::decode_html_entities(&words)),
        TextKind::Unknown | TextKind::Plain => context.lines(value),
    }
}

/// Whether one of Bluesky's labels marks the post as sensitive; `None` if there are no labels.
fn is_labelled(labels: Value<'_>) -> Option<bool> {
    let mut values = labels.items().filter(Value::is_object).peekable();
    values.peek()?;
    let is_sensitive = |label: Value<'_>| {
        let is_revoked = label.get("neg").is_some_and(|neg| neg.raw() == "true");
        !is_revoked && label.get("val").and_then(|name| name.str()).is_some_and(|name| is_sensitive_label(&name))
    };
    Some(values.any(is_sensitive))
}

/// Joins parts of text by line breaks. A title that repeats the start of the text is dropped.
fn joined(parts: impl Iterator<Item = String>) -> String {
    let mut words = String::new();
    for part in parts {
        if part.starts_with(words.as_str()) {
            words = part;
        } else if !words.contains(part.as_str()) {
            words.push('\n');
            words.push_str(&part);
        }
    }
    words
}

/// Adds the instance to local Mastodon authors: `x` with `https://mastodon.social/@x/1` is `x@mastodon.social`.
fn with_instance(author: Text, owner: Option<Value<'_>>, url: Option<&str>) -> Text {
    let is_local = owner.is_some_and(|owner| owner.get("acct").is_some()) && !author.contains('@');
    let host = || url?.split_once("://")?.1.split('/').next();
    match host().filter(|host| is_local && !host.is_empty()) {
        Some(host) => Text::from(format!("{author}@{host}")),
        None => author,
    }
}

/// The web URL of a Bluesky post, whose id is `at://did:plc:…/app.bsky.feed.post/KEY`.
fn bluesky_url(id: &str, handle: &str) -> Option<String> {
    let (_, key) = id.strip_prefix("at://")?.split_once("/app.bsky.feed.post/")?;
    let is_word = |text: &str| text.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'-' | b'_'));
    let is_plain = !key.is_empty() && is_word(key) && is_word(handle);
    is_plain.then(|| format!("https://bsky.app/profile/{handle}/post/{key}"))
}

/// Reads symbols from strings, coin objects, or one string with commas, without duplicates.
fn symbols(context: &mut Context<'_>, coins: Option<Value<'_>>) -> Vec<Text> {
    let mut symbols = Vec::new();
    if let Some(words) = coins.and_then(|coins| coins.str()) {
        for symbol in words.split([',', ';']).take(MAX_SYMBOLS).filter_map(|symbol| context.key(symbol.trim())) {
            if !symbols.contains(&symbol) {
                symbols.push(symbol);
            }
        }
    }
    let one = coins.into_iter().filter(Value::is_object);
    for coin in one.chain(coins.iter().flat_map(Value::items)).take(MAX_SYMBOLS) {
        // CoinMarketCap, StockTwits, CoinGecko, own; CryptoPanic; Twitter; Twitter v1.
        let names: &[&str] = &["symbol", "code", "tag", "text"];
        let symbol = context.text(if coin.is_object() { coin.any(names) } else { Some(coin) });
        symbols.extend(symbol.filter(|symbol| !symbols.contains(symbol)));
    }
    symbols
}

/// The cashtags of a string, such as `$ORDI`, without duplicates.
fn cashtags(words: &str) -> Vec<Text> {
    let mut symbols: Vec<Text> = Vec::new();
    let mut before = None;
    for (at, c) in words.char_indices() {
        let starts = c == '$' && before.is_none_or(|c: char| !c.is_alphanumeric() && c != '$');
        before = Some(c);
        let rest = words.get(at + 1..).filter(|_| starts && symbols.len() < MAX_SYMBOLS).unwrap_or_default();
        let tag = rest.split(|c: char| !c.is_ascii_alphanumeric()).next().unwrap_or_default();
        if tag.len() <= MAX_CASHTAG && tag.starts_with(|c: char| c.is_ascii_alphabetic()) {
            let symbol = Text::from(tag.to_ascii_uppercase());
            if !symbols.contains(&symbol) {
                symbols.push(symbol);
            }
        }
    }
    symbols
}
