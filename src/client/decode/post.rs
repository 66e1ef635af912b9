//! `/content`: posts on a token, or news where the service answers with those.

use super::envelope::{List, Spec};
use super::identity;
use super::kind::Kind;
use super::names::{Lookup, names};
use super::read::Context;
use super::tape::Value;
use crate::client::error::ErrorKind;
use crate::model::{Page, Post, Text, text};

names! {
    /// The names that a post's fields go by.
    enum Field {
        Id = ["post_id", "id", "gravity_id", "guid", "uuid", "tweet_id", "article_id"],
        /// Its author as an object or a name.
        Owner = ["owner", "author", "user", "account", "creator", "profile", "poster", "publisher"],
        OwnerName = ["nickname", "author_name", "username", "source_name", "source"],
        Text = [
            "text_content", "text", "full_text", "content", "content_text", "raw_content", "body", "caption",
            "message", "post",
        ],
        Title = ["title", "headline"],
        Subtitle = ["subtitle", "summary", "description"],
        Likes = [
            "like_count", "likes", "likes_count", "num_likes", "favorite_count", "favorites", "favorites_count",
            "upvotes", "reactions", "reaction_count",
        ],
        Comments = [
            "comment_count", "comments", "comments_count", "num_comments", "reply_count", "replies", "replies_count",
        ],
        Reposts = [
            "repost_count", "reposts", "reposts_count", "num_reposts", "retweet_count", "retweets", "share_count",
            "shares",
        ],
        /// The three counts in an object of their own.
        Counts = ["public_metrics", "metrics", "stats", "statistics", "engagement", "counts"],
        Time = [
            "post_time", "posted_at", "released_at", "published_at", "published_on", "publish_time", "date_published",
            "pub_date", "created_at", "created_time", "create_time", "timestamp", "time", "date",
        ],
        Url = ["url", "post_url", "source_url", "link", "web_url"],
        Coins = ["currencies", "assets", "coins", "symbols", "tickers", "tokens", "related_coins", "cashtags", "project"],
        /// What a status update of Twitter's mentions.
        Entities = ["entities"],
        Language = ["language_code", "language", "lang"],
        Network = ["network", "social_network"],
        Sensitive = ["sensitive", "is_sensitive", "possibly_sensitive", "nsfw"],
    }
}

pub(super) const SPEC: Spec = Spec {
    lists: &["posts", "news", "articles", "list", "status_updates"],
    marks: &["post_id", "text_content", "text", "title"],
    kind: Kind::Post,
};

/// Longest symbol behind a `$`.
const CASHTAG_MAX: usize = 12;

/// Symbols of one post that are kept.
const SYMBOLS_MAX: usize = 100;

/// Decodes posts.
///
/// # Errors
/// [`ErrorKind::Unrecognised`]; [`ErrorKind::Mismatch`] where all posts name other coins than the requested one.
pub(super) fn decode(root: Value<'_>, symbol: &str, context: &mut Context<'_>) -> Result<Page<Post>, ErrorKind> {
    identity::check_name(root, &["symbol"], symbol, identity::is_same_symbol)?;
    let list = List::find(root, &SPEC)?;
    let (mut names, mut counted) = (Lookup::new(), Lookup::new());
    let mut items = list.read(context, "a post", |context, key, item| {
        let own_key = key.filter(|key| !key.is_shared).map(|key| key.name);
        post(context, &mut names, &mut counted, own_key, item)
    })?;
    // A slug or a name, which has small letters, is not compared with a symbol.
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
    for post in items.iter_mut().filter(|post| post.symbols.is_empty()) {
        post.symbols = cashtags(&post.text);
    }
    Ok(Page { items, total: context.u64(list.total) })
}

/// One post; `None` for what has neither a text nor an id.
fn post(
    context: &mut Context<'_>,
    names: &mut Lookup<Field>,
    counted: &mut Lookup<Field>,
    key: Option<&str>,
    item: Value<'_>,
) -> Option<Post> {
    let found = names.read(item);
    let body = context.lines(found.get(Field::Text).filter(|text| !text.is_object()));
    let title = [Field::Title, Field::Subtitle].map(|field| context.lines(found.get(field)));
    let mut words = String::new();
    // A title that only repeats the beginning of the text is not said twice.
    for part in title.into_iter().chain([body]).flatten() {
        if part.starts_with(words.as_str()) {
            words = part;
        } else if !words.contains(part.as_str()) {
            words.push('\n');
            words.push_str(&part);
        }
    }
    let words = context.cut_lines(words);

    let author = name_of(context, found.get(Field::Owner)).or_else(|| name_of(context, found.get(Field::OwnerName)));
    let posted_at = context.time(found.get(Field::Time));
    // A number is the post's id; other keys are the symbol of a whole list.
    let number = key.filter(|key| identity::is_number(key));
    let id = context.id(found.get(Field::Id)).or_else(|| number.map(Text::from));
    if words.is_empty() && (id.is_none() || author.is_none() && posted_at.is_none()) {
        return None;
    }
    let id = id.unwrap_or_else(|| {
        let time = posted_at.map(|time| time.to_string());
        let known: Vec<&str> = author.as_deref().into_iter().chain(time.as_deref()).collect();
        if known.is_empty() { Text::from(text::cut(words.as_str().into(), 60)) } else { Text::from(known.join(" ")) }
    });
    let nested = found.get(Field::Counts).filter(Value::is_object).map(|counts| counted.read(counts));
    let count = |context: &mut Context<'_>, field| {
        let inside = || nested.as_ref().and_then(|nested| nested.get(field));
        context.u64(found.get(field).or_else(inside).filter(|value| !value.is_array()))
    };
    Some(Post {
        id,
        author,
        text: words,
        likes: count(context, Field::Likes),
        comments: count(context, Field::Comments),
        reposts: count(context, Field::Reposts),
        posted_at,
        url: context.url(found.get(Field::Url)),
        symbols: {
            let entities = found.get(Field::Entities).and_then(|entities| entities.any(&["cashtags", "symbols"]));
            symbols(context, found.get(Field::Coins).or(entities))
        },
        language: context.text(found.get(Field::Language)),
        network: context.text(found.get(Field::Network).filter(|network| network.str().is_some())),
        sensitive: context.bool(found.get(Field::Sensitive)),
    })
}

/// The name of an author: a text, or in an object.
fn name_of(context: &mut Context<'_>, author: Option<Value<'_>>) -> Option<Text> {
    let author = author?;
    let name = author.any(&["nickname", "name", "display_name", "username", "screen_name", "handle"]);
    context.text(if author.is_object() { name } else { Some(author) })
}

/// Symbols as texts or as objects of coins, each once.
fn symbols(context: &mut Context<'_>, coins: Option<Value<'_>>) -> Vec<Text> {
    let mut symbols = Vec::new();
    let one = coins.into_iter().filter(Value::is_object);
    for coin in one.chain(coins.iter().flat_map(Value::items)).take(SYMBOLS_MAX) {
        let names: &[&str] = &["symbol", "code", "tag", "text", "slug", "name"];
        let symbol = context.text(if coin.is_object() { coin.any(names) } else { Some(coin) });
        symbols.extend(symbol.filter(|symbol| !symbols.contains(symbol)));
    }
    symbols
}

/// The symbols that a text mentions, such as `$ORDI`, each once.
fn cashtags(words: &str) -> Vec<Text> {
    let mut symbols: Vec<Text> = Vec::new();
    let mut before = None;
    for (at, c) in words.char_indices() {
        let starts = c == '$' && before.is_none_or(|c: char| !c.is_alphanumeric() && c != '$');
        before = Some(c);
        let rest = words.get(at + 1..).filter(|_| starts && symbols.len() < SYMBOLS_MAX).unwrap_or_default();
        let tag = rest.split(|c: char| !c.is_ascii_alphanumeric()).next().unwrap_or_default();
        if tag.len() <= CASHTAG_MAX && tag.starts_with(|c: char| c.is_ascii_alphabetic()) {
            let symbol = Text::from(tag.to_ascii_uppercase());
            if !symbols.contains(&symbol) {
                symbols.push(symbol);
            }
        }
    }
    symbols
}
