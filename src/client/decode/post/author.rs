//! Authors of posts.

use crate::client::decode::read::Context;
use crate::client::decode::tape::Value;
use crate::model::Text;

/// Field names of an author's name: CoinMarketCap; Bluesky; Mastodon; StockTwits, Twitter; Twitter v1; CryptoPanic's
/// source; proxies.
const NAMES: &[&str] = &[
    "nickname",
    "handle",
    "acct",
    "username",
    "screen_name",
    "title",
    "name",
    "display_name",
    "login",
    "nick",
    "full_name",
    "author_name",
    "real_name",
];

/// Field names of an object with the name: proxies.
const PROFILES: &[&str] = &["profile", "user", "account", "author"];

/// Reads the author's name: a string or a field of an object; the first one of a list.
pub(super) fn author(context: &mut Context<'_>, author: Option<Value<'_>>) -> Option<Text> {
    let author = author?;
    let author = if author.is_array() { author.items().next()? } else { author };
    if !author.is_object() {
        return context.text(Some(author));
    }
    let profile = || PROFILES.iter().filter_map(|name| author.get(name)).find_map(name_in);
    context.text(name_in(author).or_else(profile))
}

/// The name in an object.
fn name_in(object: Value<'_>) -> Option<Value<'_>> {
    object.any(NAMES).filter(|name| !name.is_object() && !name.is_array())
}
