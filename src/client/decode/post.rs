//! `/content`: posts on a token, or news where the service answers with those.

use super::envelope::{List, Spec};
use super::identity;
use super::kind::Kind;
use super::names::{Lookup, names};
use super::read::{Context, LINES_MAX};
use super::tape::Value;
use crate::client::ErrorKind;
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
        Coins = ["currencies", "assets", "coins", "symbols", "tickers", "tokens", "related_coins", "cashtags"],
        Language = ["language_code", "language", "lang"],
    }
}

const SPEC: Spec = Spec {
    lists: &["posts", "news", "articles", "list"],
    marks: &["post_id", "text_content", "text", "title"],
    kind: Kind::Post,
};

/// Symbols of one post that are kept.
const SYMBOLS_MAX: usize = 100;

/// Decodes posts.
pub(super) fn decode(root: Value<'_>, context: &mut Context<'_>) -> Result<Page<Post>, ErrorKind> {
    let list = List::find(root, &SPEC)?;
    let (mut names, mut counted) = (Lookup::new(), Lookup::new());
    let items = list.read(context, "a post", |context, key, item| {
        let own_key = key.filter(|key| !key.is_shared).map(|key| key.name);
        post(context, &mut names, &mut counted, own_key, item)
    })?;
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
    let words = text::cut(words.into(), LINES_MAX).into_owned();

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
        symbols: symbols(context, found.get(Field::Coins)),
        language: context.text(found.get(Field::Language)),
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
    for coin in coins.iter().flat_map(Value::items).take(SYMBOLS_MAX) {
        let symbol = context.text(if coin.is_object() { coin.any(&["symbol", "slug", "name"]) } else { Some(coin) });
        symbols.extend(symbol.filter(|symbol| !symbols.contains(symbol)));
    }
    symbols
}
