//! Bluesky: post search. Needs no account, but the operators block some networks and disable the public search at
//! times.

use std::sync::Arc;

use async_trait::async_trait;
use serde::Deserialize;

use super::defaults::ProviderDefaults;
use super::info::{Probe, ProviderInfo};
use super::lenient::{Rows, optional_count, or_default, or_none, readable_rows};
use super::post_text::shortened;
use super::post_topic::PostTopic;
use super::source::{PostSource, Provider};
use super::url::segment;
use crate::model::{Post, PostOrder, ProviderName, Text, UtcTime, is_hidden_label, is_sensitive_label};
use crate::service::upstream::budget::RequestBudget;
use crate::service::upstream::error::{ErrorClass, SourceError, SourceResult};
use crate::service::upstream::settings::ResolvedSettings;
use crate::service::upstream::{Response, Upstream};

/// Posts per search. Most results are about the coin.
const POSTS: usize = 50;

/// Labels of posts that must not be shown publicly.
const NOT_PUBLIC: [&str; 3] = ["!hide", "!takedown", "!no-unauthenticated"];

/// The handle of authors whose own handle can't be resolved.
const INVALID_HANDLE: &str = "handle.invalid";

struct Bluesky {
    upstream: Upstream,
}

/// URLs, limits and key benefits.
pub(super) const INFO: ProviderInfo = ProviderInfo {
    probe: Some(Probe {
        fact: "search works without an account",
        path: "/xrpc/app.bsky.feed.searchPosts?q=%24ORDI&limit=5",
        holds: |response| Probe::rows(response, "/posts") > 0,
    }),
    ..ProviderInfo::new(ProviderName::Bluesky, provider, ProviderDefaults::at("https://api.bsky.app", 2_000))
};

/// The provider.
pub(super) fn provider(settings: &ResolvedSettings, budget: RequestBudget) -> Provider {
    let key = |key: &str| ("authorization", format!("Bearer {key}"));
    let upstream = Upstream::new(settings.clone(), key, budget, api_error);
    let source = Arc::new(Bluesky { upstream: upstream.clone() });
    Provider::new(settings, upstream)
        .tested_by("/xrpc/app.bsky.feed.searchPosts?q=%24BTC&sort=latest&limit=1")
        .with_posts(source)
}

#[async_trait]
impl PostSource for Bluesky {
    async fn posts(&self, topic: &PostTopic, order: PostOrder) -> SourceResult<Vec<Post>> {
        let coin = &topic.coin;
        if !topic.owns_cashtag {
            // Most posts with the cashtag are about the other coin.
            let words = if topic.owns_name() {
                coin.name.to_string()
            } else {
                format!("${} #{}", coin.symbol, topic.own_hashtags().next().unwrap_or_default())
            };
            return self.search(&words, topic, order).await;
        }
        let posts = self.search(&format!("${}", coin.symbol), topic, order).await?;
        // Cashtags of small coins are rare.
        if posts.is_empty() && coin.name != coin.symbol {
            self.search(&coin.name, topic, order).await
        } else {
            Ok(posts)
        }
    }
}

impl Bluesky {
    async fn search(&self, words: &str, topic: &PostTopic, order: PostOrder) -> SourceResult<Vec<Post>> {
        let (words, sort) = (segment(words), order.as_str());
        let path = format!("/xrpc/app.bsky.feed.searchPosts?q={words}&sort={sort}&limit={POSTS}");
        let Found { posts } = self.upstream.get(&path).await?.json()?;
        let mut posts: Vec<View> = readable_rows(&posts, "post", self.upstream.warnings())?;
        if order == PostOrder::Latest {
            // `createdAt` is set by the author and can't be trusted.
            posts.sort_by_key(|post| std::cmp::Reverse(post.indexed_at.as_deref().and_then(UtcTime::parse_rfc3339)));
        }
        let is_hidden = |label: &str| NOT_PUBLIC.contains(&label) || is_hidden_label(label);
        let is_shown = |post: &View| !post.has_label(is_hidden) && topic.is_mentioned_in(&post.record.text);
        Ok(posts.into_iter().filter(is_shown).map(|post| post.into_post(&topic.coin.symbol)).collect())
    }
}

#[derive(Deserialize)]
struct Found {
    #[serde(deserialize_with = "or_default")]
    posts: Rows,
}

/// `app.bsky.feed.defs#postView`.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct View {
    uri: Text,
    author: Author,
    record: Record,
    #[serde(default, deserialize_with = "optional_count")]
    reply_count: Option<u64>,
    #[serde(default, deserialize_with = "optional_count")]
    repost_count: Option<u64>,
    #[serde(default, deserialize_with = "optional_count")]
    like_count: Option<u64>,
    indexed_at: Option<String>,
    #[serde(default, deserialize_with = "or_default")]
    labels: Vec<Label>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Author {
    handle: Text,
    #[serde(default, deserialize_with = "or_none")]
    display_name: Option<Text>,
    #[serde(default, deserialize_with = "or_default")]
    labels: Vec<Label>,
}

/// `app.bsky.feed.post`.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Record {
    text: String,
    created_at: Option<String>,
    #[serde(default, deserialize_with = "or_default")]
    langs: Vec<Text>,
    labels: Option<OwnLabels>,
}

#[derive(Deserialize)]
struct OwnLabels {
    #[serde(default, deserialize_with = "or_default")]
    values: Vec<Label>,
}

#[derive(Deserialize)]
struct Label {
    val: Text,
    /// Negation: it revokes an earlier label.
    #[serde(default, deserialize_with = "or_default")]
    neg: bool,
}

impl View {
    fn has_label(&self, is_wanted: impl Fn(&str) -> bool) -> bool {
        let own = self.record.labels.iter().flat_map(|labels| &labels.values);
        let all = self.labels.iter().chain(&self.author.labels).chain(own);
        all.filter(|label| !label.neg).any(|label| is_wanted(&label.val))
    }

    fn into_post(self, symbol: &Text) -> Post {
        let sensitive = self.has_label(is_sensitive_label);
        let View { uri, author, record, reply_count, repost_count, like_count, indexed_at, .. } = self;
        let time = |text: Option<String>| UtcTime::parse_rfc3339(&text?);
        let (created, indexed) = (time(record.created_at), time(indexed_at));
        // `at://did:plc:…/app.bsky.feed.post/KEY`.
        let did_and_key =
            uri.strip_prefix("at://").and_then(|path| Some((path.split('/').next()?, path.rsplit('/').next()?)));
        let is_invalid = author.handle == INVALID_HANDLE;
        let url = did_and_key.map(|(did, key)| {
            let profile = if is_invalid { did } else { author.handle.as_str() };
            format!("https://bsky.app/profile/{}/post/{}", segment(profile), segment(key))
        });
        let display_name = author.display_name.filter(|name| !name.trim().is_empty());
        let did = || did_and_key.map(|(did, _)| Text::from(did));
        let name = if is_invalid { display_name.or_else(did) } else { Some(author.handle) };
        Post {
            author: name,
            network: Some(Text::const_new("Bluesky")),
            text: shortened(&record.text),
            likes: like_count,
            comments: reply_count,
            reposts: repost_count,
            // A post can't be newer than its index time.
            posted_at: match (created, indexed) {
                (Some(created), Some(indexed)) => Some(created.min(indexed)),
                (created, indexed) => created.or(indexed),
            },
            url,
            symbols: vec![symbol.clone()],
            language: record.langs.into_iter().next(),
            sensitive: Some(sensitive),
            id: uri,
        }
    }
}

/// A blocked network gets an HTML page of the CDN; a disabled search gets JSON. An expired access token has the status of a
/// wrong parameter.
fn api_error(response: &Response) -> Option<SourceError> {
    #[derive(Deserialize)]
    struct ErrorBody {
        error: String,
    }
    if response.status() == 400
        && let Ok(ErrorBody { error }) = response.json()
        && matches!(error.as_str(), "ExpiredToken" | "InvalidToken")
    {
        let reason = "Access token expired or invalid: set providers.bluesky.api_key to a new one";
        return Some(SourceError::new(ErrorClass::InvalidKey, reason));
    }
    matches!(response.status(), 401 | 403).then(|| {
        let message = response.message().filter(|_| !response.is_html());
        let reason =
            message.map_or_else(|| String::from("Access denied"), |message| format!("Access denied: {message}"));
        SourceError::new(ErrorClass::Blocked, format!("{reason} ({})", response.status()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expired_token_is_not_a_wrong_search() {
        let class = |status, body: &str| api_error(&Response::of(status, &[], body)).map(|error| error.class);
        for (status, body, expected) in [
            (400, r#"{"error":"ExpiredToken","message":"Token has expired"}"#, Some(ErrorClass::InvalidKey)),
            (400, r#"{"error":"InvalidToken","message":"Bad token scope"}"#, Some(ErrorClass::InvalidKey)),
            (400, r#"{"error":"BadQueryString","message":"Could not parse"}"#, None),
            (400, "", None),
            (403, r#"{"error":"Forbidden"}"#, Some(ErrorClass::Blocked)),
            (500, r#"{"error":"InternalServerError"}"#, None),
        ] {
            assert_eq!(class(status, body), expected, "{status} {body}");
        }
    }
}
