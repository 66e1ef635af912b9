//! Mastodon: posts from the public hashtag timelines of one server. Needs no account if the server allows that.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use serde::Deserialize;

use super::defaults::ProviderDefaults;
use super::info::{Probe, ProviderInfo};
use super::lenient::{Rows, optional_count, or_default, readable_rows};
use super::post_text::shortened;
use super::post_topic::PostTopic;
use super::source::{PostSource, Provider};
use super::url::segment;
use crate::model::text::html_to_text;
use crate::model::{CONTENT_WARNING, Post, PostOrder, ProviderName, Text, UtcTime};
use crate::service::upstream::budget::RequestBudget;
use crate::service::upstream::error::{ErrorClass, SourceError, SourceResult};
use crate::service::upstream::reported_usage::ReportedUsage;
use crate::service::upstream::settings::ResolvedSettings;
use crate::service::upstream::{Response, Upstream};

/// Posts per page, the maximum of the API.
const POSTS: usize = 40;

/// Maximum tags of a request. Servers ignore further ones.
const MAX_TAGS: usize = 4;

struct Mastodon {
    upstream: Upstream,
    /// The server's host, appended to the names of its local users.
    host: Option<String>,
}

/// URLs, limits and key benefits.
pub(super) const INFO: ProviderInfo = ProviderInfo {
    probe: Some(Probe {
        fact: "tag timelines work without an account",
        path: "/api/v1/timelines/tag/bitcoin?limit=5",
        holds: |response| Probe::rows(response, "") > 0,
    }),
    ..ProviderInfo::new(
        ProviderName::Mastodon,
        provider,
        ProviderDefaults { per_minute: Some(60), ..ProviderDefaults::at("https://mastodon.social", 1_000) },
    )
};

/// The provider.
pub(super) fn provider(settings: &ResolvedSettings, budget: RequestBudget) -> Provider {
    let key = |key: &str| ("authorization", format!("Bearer {key}"));
    let error_parser = if settings.api_key.is_some() { keyed_api_error } else { api_error };
    let upstream = Upstream::new(settings.clone(), key, budget, error_parser).with_usage_reader(reported_usage);
    let url = settings.base_url.as_deref().and_then(|url| url::Url::parse(url).ok());
    let host = url.and_then(|url| Some(url.host_str()?.to_owned()));
    let source = Arc::new(Mastodon { upstream: upstream.clone(), host });
    Provider::new(settings, upstream).tested_by("/api/v1/timelines/tag/bitcoin?limit=1").with_posts(source)
}

#[async_trait]
impl PostSource for Mastodon {
    async fn posts(&self, topic: &PostTopic, order: PostOrder) -> SourceResult<Vec<Post>> {
        let mut tags = tags(topic);
        let mut statuses = self.statuses(&tags, topic).await?;
        if statuses.is_empty() && tags.len() > 1 {
            // A server ignores the other tags if it has never seen the first one.
            tags.rotate_left(1);
            statuses = self.statuses(&tags, topic).await?;
        }
        let public =
            statuses.into_iter().filter(|status| status.visibility.as_deref().is_none_or(|who| who == "public"));
        let mut posts: Vec<Post> =
            public.map(|status| self.post(status, topic)).filter(|post| topic.is_mentioned_in(&post.text)).collect();
        if order == PostOrder::Top {
            // The API has no such order, so this sorts the newest posts.
            let score = |post: &Post| post.likes.unwrap_or(0).saturating_add(post.reposts.unwrap_or(0));
            posts.sort_by_key(|post| std::cmp::Reverse(score(post)));
        }
        Ok(posts)
    }
}

/// The path of the posts with any of these tags, if there are tags.
fn path(tags: &[Text]) -> Option<String> {
    let (first, others) = tags.split_first()?;
    let mut path = format!("/api/v1/timelines/tag/{}?limit={POSTS}", segment(first));
    for tag in others {
        path.push_str("&any[]=");
        path.extend(segment(tag));
    }
    Some(path)
}

/// Hashtags of posts about a coin: its symbol and its own hashtags, at most [`MAX_TAGS`].
fn tags(topic: &PostTopic) -> Vec<Text> {
    let mut tags: Vec<Text> = Vec::new();
    for tag in std::iter::once(topic.coin.symbol.to_lowercase()).chain(topic.own_hashtags()) {
        let is_tag = tag.chars().all(|c| c.is_alphanumeric() || c == '_') && tag.chars().any(char::is_alphabetic);
        if is_tag && !tags.contains(&tag) {
            tags.push(tag);
        }
    }
    tags.truncate(MAX_TAGS);
    tags
}

/// A status of Mastodon's API.
#[derive(Deserialize)]
struct Status {
    id: Text,
    created_at: Option<String>,
    #[serde(default, deserialize_with = "or_default")]
    sensitive: bool,
    #[serde(default, deserialize_with = "or_default")]
    spoiler_text: String,
    visibility: Option<String>,
    language: Option<Text>,
    uri: Option<Text>,
    url: Option<String>,
    #[serde(default, deserialize_with = "optional_count")]
    replies_count: Option<u64>,
    #[serde(default, deserialize_with = "optional_count")]
    reblogs_count: Option<u64>,
    #[serde(default, deserialize_with = "optional_count")]
    favourites_count: Option<u64>,
    content: String,
    account: Account,
}

#[derive(Deserialize)]
struct Account {
    acct: Text,
}

impl Mastodon {
    /// The newest statuses with any of these tags.
    async fn statuses(&self, tags: &[Text], topic: &PostTopic) -> SourceResult<Vec<Status>> {
        let no_tag = || SourceError::not_found(format!("No hashtag for {}", topic.coin.name));
        let response = self.upstream.get(&path(tags).ok_or_else(no_tag)?).await?;
        // Errors are objects.
        if response.first_byte() != Some(b'[') {
            return Err(SourceError::unexpected_format("expected a list of posts"));
        }
        readable_rows(&response.json::<Rows>()?, "post", self.upstream.warnings())
    }

    fn post(&self, status: Status, topic: &PostTopic) -> Post {
        let warning = html_to_text(&status.spoiler_text).replace('\n', " ");
        let words = html_to_text(&status.content);
        let text = if warning.is_empty() { words } else { format!("{CONTENT_WARNING}{warning}\n\n{words}") };
        let author = match &self.host {
            Some(host) if !status.account.acct.contains('@') => Text::from(format!("{}@{host}", status.account.acct)),
            _ => status.account.acct,
        };
        Post {
            // The URI is the same on every server.
            id: status.uri.unwrap_or(status.id),
            author: Some(author),
            network: Some(Text::const_new("Mastodon")),
            text: shortened(&text),
            likes: status.favourites_count,
            comments: status.replies_count,
            reposts: status.reblogs_count,
            posted_at: status.created_at.as_deref().and_then(UtcTime::parse_rfc3339),
            url: status.url.filter(|url| url.starts_with("https://") || url.starts_with("http://")),
            symbols: vec![topic.coin.symbol.clone()],
            language: status.language,
            sensitive: Some(status.sensitive || !warning.is_empty()),
        }
    }
}

/// Limits are per five minutes.
const LIMIT_PERIOD: Duration = Duration::from_mins(5);

/// The wait until the reset, if no requests are left.
fn reported_usage(response: &Response, now: UtcTime) -> ReportedUsage {
    let none_left = response.header("x-ratelimit-remaining").filter(|left| left.trim() == "0");
    let reset = response.header("x-ratelimit-reset").and_then(|time| UtcTime::parse_rfc3339(time.trim()));
    let until_reset = || reset.map_or(LIMIT_PERIOD, |reset| reset.since(now).min(LIMIT_PERIOD));
    ReportedUsage::waiting(none_left.map(|_| until_reset()))
}

/// The error of a response like [`api_error`], for requests with a key: 401 means that the key is invalid.
fn keyed_api_error(response: &Response) -> Option<SourceError> {
    if response.status() == 401 { None } else { api_error(response) }
}

/// Some servers require a login for hashtag timelines.
fn api_error(response: &Response) -> Option<SourceError> {
    match response.status() {
        401 | 422 => {
            let reason = "This server requires a login for hashtags; change providers.mastodon.base_url";
            Some(SourceError::new(ErrorClass::Forbidden, reason))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::CoinId;
    use crate::service::providers::coin_ref::CoinRef;

    #[test]
    fn path_has_as_many_tags_as_servers_read() {
        let coin = CoinRef::new(CoinId("1".into()), "ordi".into(), "ORDI".into(), "ORDI".into());
        let hashtags = ["brc20", "b c", "ordi", "ordinals", "runes", "sats"].map(Text::from).to_vec();
        let topic = PostTopic::unique(CoinRef { hashtags, ..coin });
        assert_eq!(
            path(&tags(&topic)).as_deref(),
            Some("/api/v1/timelines/tag/ordi?limit=40&any[]=brc20&any[]=ordinals&any[]=runes")
        );
    }
}
