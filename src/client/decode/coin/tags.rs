//! A coin's tags.

use crate::client::decode::read::Context;
use crate::client::decode::tape::Value;
use crate::model::Text;

/// Maximum tags of one coin.
const MAX_TAGS: usize = 200;

/// Reads tags: strings, objects with a slug (CoinMarketCap) or name (CoinPaprika), or one string, separated by commas or
/// semicolons.
pub(super) fn read(context: &mut Context<'_>, tags: &mut Vec<Text>, list: Value<'_>) {
    let count = list.str().map_or_else(|| list.items().count(), |words| words.split([',', ';']).count());
    if count > MAX_TAGS {
        context.warn(|| format!("read only the first {MAX_TAGS} of {count} tags"));
    }
    if let Some(words) = list.str() {
        return tags.extend(words.split([',', ';']).take(MAX_TAGS).filter_map(|tag| context.key(tag.trim())));
    }
    if !list.is_array() {
        context.unreadable(list, "a list of tags");
    }
    let tag = |tag: Value<'_>| {
        let text = context.text(if tag.is_object() { tag.any(&["slug", "name", "label", "id"]) } else { Some(tag) })?;
        Some(if text.trim().len() == text.len() { text } else { Text::from(text.trim()) })
    };
    tags.extend(list.items().take(MAX_TAGS).filter_map(tag));
}
