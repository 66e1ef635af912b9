//! Posts over Bluesky and Mastodon.

use satscope::client::{ErrorKind, Request, ResponseData};
use satscope::model::ProviderName::{Bluesky, CoinMarketCap, Mastodon};
use satscope::model::{Post, PostOrder, Tag, UtcTime};
use serde_json::{Value, json as object};

use super::fake::{Fake, FakeResponse, html, json};
use super::indexer::settings;
use super::{Live, configure};
use crate::cli::server::Shell;
use crate::support::session::Session;

/// Bluesky without an account. Its search also returns unrelated posts.
pub(super) fn bluesky() -> Fake {
    Fake::start(|request| {
        assert_eq!(request.path, "/xrpc/app.bsky.feed.searchPosts");
        let post = |key: &str, text: &str, hour: u32, likes: u32| {
            object!({
                "uri": format!("at://did:plc:abcd1234/app.bsky.feed.post/{key}"), "cid": "bafyre",
                "author": {"did": "did:plc:abcd1234", "handle": "satfan.bsky.social", "displayName": "Sat Fan",
                    "labels": []},
                "record": {"$type": "app.bsky.feed.post", "text": text,
                    "createdAt": format!("2026-11-21T{hour:02}:12:03.118Z"), "langs": ["en"]},
                "replyCount": 2, "repostCount": 1, "likeCount": likes, "quoteCount": 0,
                "indexedAt": format!("2026-11-21T{hour:02}:12:04.001Z"), "labels": []
            })
        };
        let mut early = post("early", "$ordi: a promise of the future", 5, 3);
        early["record"]["createdAt"] = "2031-01-01T00:00:00Z".into();
        let mut labelled = post("labelled", "ORDI, uncovered", 4, 2);
        labelled["labels"] = object!([{"val": "porn", "src": "did:plc:x", "cts": "2026-11-21T00:00:00Z"}]);
        let mut warned = post("warned", "ordi is doomed", 3, 1);
        warned["record"]["labels"] = object!({"$type": "com.atproto.label.defs#selfLabels",
            "values": [{"val": "graphic-media"}]});
        let mut private = post("private", "ORDI for friends only", 6, 9);
        private["author"]["labels"] = object!([{"val": "!no-unauthenticated"}]);
        let posts: Vec<Value> = match request.query("q") {
            "$ORDI" => vec![
                post("3mabc2xyz", "$ORDI holding while fees cool &amp; <b>more</b>\u{202e}", 7, 14),
                post("3mabc2xyz", "$ORDI holding while fees cool &amp; <b>more</b>\u{202e}", 7, 14),
                post("x", "the coordinates of Ordino", 7, 100),
                early,
                labelled,
                warned,
                private,
                object!({"uri": 7}),
            ],
            "Bitcoin" => vec![post("btc", "Bitcoin is up", 7, 1)],
            _ => Vec::new(),
        };
        json(200, object!({"posts": posts, "hitsTotal": 57, "cursor": "25"}).to_string())
    })
}

/// A server of Mastodon.
pub(super) fn mastodon() -> Fake {
    Fake::start(|request| {
        let status = |id: u32, html: &str, favourites: u32, reblogs: u32| {
            object!({
                "id": id.to_string(), "created_at": format!("2026-11-21T06:40:{id:02}.000Z"), "sensitive": false,
                "spoiler_text": "", "visibility": "public", "language": "en",
                "uri": format!("https://mastodon.example/users/x/statuses/{id}"),
                "url": format!("https://mastodon.example/@x/{id}"), "replies_count": 1, "reblogs_count": reblogs,
                "favourites_count": favourites, "content": html,
                "account": {"id": "1", "acct": "x", "display_name": "X", "avatar": "https://files.example/x.png"},
                "media_attachments": [], "tags": [{"name": "ordi", "url": "https://mastodon.example/tags/ordi"}]
            })
        };
        if request.path != "/api/v1/timelines/tag/ordi" {
            return json(200, "[]");
        }
        let mut warned = status(8, "<p>ORDI went to nothing</p>", 0, 1);
        warned["spoiler_text"] = "loss &amp; grief".into();
        let mut sensitive = status(7, "<p>see #ordi</p>", 1, 0);
        sensitive["sensitive"] = true.into();
        sensitive["account"]["acct"] = "y@other.example".into();
        let mut unlisted = status(6, "<p>$ORDI</p>", 50, 50);
        unlisted["visibility"] = "unlisted".into();
        let statuses = object!([
            status(
                9,
                "<p>Ordinals fees down again <a href=\"https://mastodon.example/tags/ordi\" rel=\"tag\">#<span>ordi</span></a></p><p>A &lt; B &amp; C</p>",
                9,
                3
            ),
            warned,
            sensitive,
            unlisted,
            status(5, "<p>#ordination today</p>", 99, 99),
            status(
                4,
                "<p>$ordi<br>to the moon &hellip; caf&eacute; <a href=\"a>b\">x</a><style>p{}</style></p>",
                20,
                30
            ),
            "no status"
        ]);
        json(200, statuses.to_string())
    })
}

impl Live {
    async fn posts(&self, symbol: &str, order: PostOrder) -> Vec<Post> {
        let reply = self.get(&Request::Posts { symbol: symbol.into(), slug: None, order }).await.unwrap();
        match reply.response {
            Some(ResponseData::Posts(page)) => page.items,
            other => panic!("{other:?}"),
        }
    }
}

fn over(providers: &[(satscope::model::ProviderName, &Fake)]) -> Live {
    let providers: Vec<_> = providers.iter().map(|(name, fake)| (*name, fake.url.as_str(), None)).collect();
    Live::with(settings(&providers))
}

fn ids(posts: &[Post]) -> Vec<&str> {
    posts.iter().map(|post| post.id.rsplit('/').next().unwrap()).collect()
}

#[tokio::test]
async fn bluesky_posts_are_about_the_coin_and_public() {
    let bluesky = bluesky();
    let live = over(&[(Bluesky, &bluesky)]);
    let posts = live.posts("ORDI", PostOrder::Top).await;
    assert_eq!(ids(&posts), ["3mabc2xyz", "early", "labelled", "warned"], "in the order of the network");
    let first = &posts[0];
    assert_eq!(
        (first.author.as_deref(), first.network.as_deref(), first.sensitive),
        (Some("satfan.bsky.social"), Some("Bluesky"), Some(false))
    );
    assert_eq!(first.url.as_deref(), Some("https://bsky.app/profile/satfan.bsky.social/post/3mabc2xyz"));
    assert_eq!((first.likes, first.comments, first.reposts), (Some(14), Some(2), Some(1)));
    assert_eq!(first.posted_at, UtcTime::parse_rfc3339("2026-11-21T07:12:03.118Z"));
    assert_eq!(first.text, "$ORDI holding while fees cool &amp; <b>more</b>", "it is text, not HTML");
    assert_eq!(posts[1].posted_at, UtcTime::parse_rfc3339("2026-11-21T05:12:04.001Z"), "no post is in the future");
    assert_eq!(posts.iter().map(|post| post.sensitive).collect::<Vec<_>>()[2..], [Some(true), Some(true)]);
    let latest = live.posts("ORDI", PostOrder::Latest).await;
    assert_eq!(ids(&latest), ["3mabc2xyz", "early", "labelled", "warned"]);
    let requests = bluesky.requests();
    assert_eq!(["q", "sort"].map(|name| requests[0].query(name)), ["$ORDI", "top"]);
    assert_eq!(["q", "sort"].map(|name| requests[1].query(name)), ["$ORDI", "latest"]);
    assert_eq!(requests.len(), 2);
}

#[tokio::test]
async fn posts_that_the_moderation_of_bluesky_hides_are_left_out() {
    let (moderation, time) = ("did:plc:ar7c4by46qjdydhdevvrndac", "2026-11-21T04:00:00.000Z");
    let post = |label: &str, is_of_author: bool| {
        let uri = format!("at://did:plc:abcd1234/app.bsky.feed.post/{label}");
        let labels = object!([{"ver": 1, "src": moderation, "uri": uri, "val": label, "cts": time}]);
        let (own, of_author) = if is_of_author { (object!([]), labels) } else { (labels, object!([])) };
        object!({"uri": uri, "author": {"handle": "x.example", "labels": of_author}, "labels": own,
            "record": {"text": "$ORDI airdrop", "createdAt": time}, "indexedAt": time})
    };
    let posts: Vec<Value> = [("spam", true), ("scam", false), ("unsafe-link", false), ("inauthentic", true)]
        .into_iter()
        .chain([("misleading", false), ("rumor", true), ("bluesky-elder", true)])
        .map(|(label, is_of_author)| post(label, is_of_author))
        .collect();
    let bluesky = Fake::start(move |_| json(200, object!({"posts": posts}).to_string()));
    let posts = over(&[(Bluesky, &bluesky)]).posts("ORDI", PostOrder::Top).await;
    assert_eq!(ids(&posts), ["misleading", "rumor", "bluesky-elder"]);
    let folded: Vec<_> = posts.iter().map(|post| post.sensitive).collect();
    assert_eq!(folded, [Some(true), Some(true), Some(false)]);
}

#[tokio::test]
async fn bluesky_searches_the_name_if_cashtag_has_no_results() {
    let bluesky = bluesky();
    let live = over(&[(Bluesky, &bluesky)]);
    assert_eq!(ids(&live.posts("BTC", PostOrder::Latest).await), ["btc"]);
    let requests: Vec<_> = bluesky.requests().iter().map(|request| request.query("q").to_owned()).collect();
    assert_eq!(requests, ["$BTC", "Bitcoin"]);
}

#[tokio::test]
async fn bluesky_author_without_a_valid_handle_is_named_by_did() {
    let bluesky = bluesky();
    let live = over(&[(Bluesky, &bluesky)]);
    let post = |key: &str, name: &str| {
        object!({"uri": format!("at://did:plc:abcd1234/app.bsky.feed.post/{key}"), "record": {"text": "$ORDI is up"},
            "author": {"did": "did:plc:abcd1234", "handle": "handle.invalid", "displayName": name}})
    };
    bluesky.respond_with(json(200, object!({"posts": [post("one", "Sat Fan"), post("two", "")]}).to_string()));
    let posts = live.posts("ORDI", PostOrder::Top).await;
    let authors: Vec<_> = posts.iter().map(|post| post.author.as_deref().unwrap()).collect();
    assert_eq!(authors, ["Sat Fan", "did:plc:abcd1234"]);
    let url = posts[0].url.as_deref().unwrap().replace("%3A", ":");
    assert_eq!(url, "https://bsky.app/profile/did:plc:abcd1234/post/one");
}

#[tokio::test]
async fn posts_of_the_second_coin_of_a_symbol_are_its_own() {
    let (cmc, bluesky, mastodon) = (super::world::coinmarketcap(), bluesky(), mastodon());
    let post = |key: &str, text: &str| {
        object!({"uri": format!("at://x/app.bsky.feed.post/{key}"), "author": {"handle": "x.example"},
        "record": {"text": text}})
    };
    let posts = [post("cashtag", "$SATS is up"), post("name", "Satoshis are up"), post("both", "$SATS or Satoshis?")];
    bluesky.respond_with(json(200, object!({"posts": posts}).to_string()));
    let live = over(&[(CoinMarketCap, &cmc), (Bluesky, &bluesky), (Mastodon, &mastodon)]);
    live.coins(Tag::All, 1, 600).await;
    let of = async |slug: &str| {
        let request = Request::Posts { symbol: "SATS".into(), slug: Some(slug.into()), order: PostOrder::Latest };
        match live.get(&request).await.unwrap().response {
            Some(ResponseData::Posts(page)) => page.items,
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(ids(&of("sats-ordinals").await), ["cashtag", "both"]);
    assert_eq!(ids(&of("sats-of-others").await), ["name", "both"]);
    let requests: Vec<_> = bluesky.requests().iter().map(|request| request.query("q").to_owned()).collect();
    assert_eq!(requests, ["$SATS", "Satoshis"]);
    // Without a slug, the response says which one was chosen.
    let request = Request::Posts { symbol: "SATS".into(), slug: None, order: PostOrder::Latest };
    let warnings = live.get(&request).await.unwrap().warnings;
    assert_eq!(warnings, ["2 coins use SATS; showing SATS (sats-ordinals), not sats-of-others"]);
    let (status, _, body) = live.raw("/content?symbol=SATS&slug=no-such-coin").await;
    assert_eq!(
        (status, body["status"]["error_message"].as_str()),
        (404, Some("no coin has the slug \"no-such-coin\""))
    );
}

#[tokio::test]
async fn mastodon_is_used_if_bluesky_has_no_posts() {
    let unrelated = r#"{"posts":[{"uri":"at://did:plc:x/app.bsky.feed.post/1","author":{"handle":"x.example"},
        "record":{"text":"the coordinates of Ordino"}}]}"#;
    for found in [r#"{"posts":[]}"#, unrelated] {
        let (bluesky, mastodon) = (bluesky(), mastodon());
        bluesky.respond_with(json(200, found));
        let live = over(&[(Bluesky, &bluesky), (Mastodon, &mastodon)]);
        let reply =
            live.get(&Request::Posts { symbol: "ORDI".into(), slug: None, order: PostOrder::Latest }).await.unwrap();
        assert_eq!(reply.provider.as_deref(), Some("mastodon"));
        assert_eq!(live.posts("ORDI", PostOrder::Latest).await.len(), 4);
        assert_eq!(mastodon.requests().len(), 1, "cached");
        // Neither has any.
        mastodon.respond_with(json(200, "[]"));
        let request = Request::Posts { symbol: "SATS".into(), slug: None, order: PostOrder::Latest };
        let reply = live.get(&request).await.unwrap();
        assert_eq!((reply.provider.as_deref(), reply.warnings.len()), (Some("bluesky"), 0));
        assert_eq!(live.posts("SATS", PostOrder::Latest).await, []);
        assert_eq!(mastodon.requests().len(), 3, "cached, too: one for each of its hashtags");
        // The other one may have some.
        mastodon.respond_with(json(503, "{}"));
        let reply =
            live.get(&Request::Posts { symbol: "BTC".into(), slug: None, order: PostOrder::Latest }).await.unwrap();
        assert_eq!(reply.warnings, ["Mastodon: server error (503)"]);
    }
}

#[tokio::test]
async fn dates_in_the_future_are_removed_and_reported() {
    for (name, fake) in [(Bluesky, bluesky()), (Mastodon, mastodon())] {
        fake.edit(|_, response| {
            let body = String::from_utf8(response.body).unwrap().replace("2026-11-21T0", "2099-11-21T0");
            FakeResponse { body: body.into(), ..response }
        });
        let live = over(&[(name, &fake)]);
        let request = Request::Posts { symbol: "ORDI".into(), slug: None, order: PostOrder::Latest };
        let reply = live.get(&request).await.unwrap();
        let Some(ResponseData::Posts(page)) = &reply.response else { panic!("{reply:?}") };
        assert!(page.items.len() > 1 && page.items.iter().all(|post| post.posted_at.is_none()), "{page:?}");
        let is_reported = |notice: &str| notice.contains("Ignored dates in the future (");
        assert!(reply.notice.as_deref().is_some_and(is_reported), "{:?}", reply.notice);
    }
}

#[tokio::test]
async fn bluesky_is_paused_for_a_day_if_it_blocks_the_network() {
    let refusals: [FakeResponse; 3] = [
        html(403),
        json(403, r#"{"error":"Forbidden","message":"search is off"}"#),
        json(401, r#"{"error":"AuthMissing","message":"Authentication Required"}"#),
    ];
    for refusal in refusals {
        let (bluesky, mastodon) = (bluesky(), mastodon());
        bluesky.respond_with(refusal);
        let live = over(&[(Bluesky, &bluesky), (Mastodon, &mastodon)]);
        let reply =
            live.get(&Request::Posts { symbol: "ORDI".into(), slug: None, order: PostOrder::Top }).await.unwrap();
        assert_eq!(reply.provider.as_deref(), Some("mastodon"));
        live.posts("ORDI", PostOrder::Latest).await;
        live.posts("SATS", PostOrder::Latest).await;
        assert_eq!(bluesky.requests().len(), 1);
        // Without a fallback, the reason is reported.
        let live = over(&[(Bluesky, &bluesky)]);
        let error =
            live.get(&Request::Posts { symbol: "ORDI".into(), slug: None, order: PostOrder::Top }).await.unwrap_err();
        let ErrorKind::Explained { status: 503, message, retry_after, must_wait: true } = error.kind else {
            panic!("{error:?}")
        };
        assert!(message.starts_with("Bluesky: access denied"), "{message:?}");
        assert!(retry_after.is_some_and(|wait| wait.as_secs() > 23 * 3600), "{retry_after:?}");
    }
}

#[tokio::test]
async fn mastodon_posts_are_plain_text_and_sorted() {
    let mastodon = mastodon();
    let live = over(&[(Mastodon, &mastodon)]);
    let latest = live.posts("ORDI", PostOrder::Latest).await;
    assert_eq!(ids(&latest), ["9", "8", "7", "4"]);
    assert_eq!(latest[0].text, "Ordinals fees down again #ordi\n\nA < B & C");
    assert_eq!(latest[1].text, "CW: loss & grief\n\nORDI went to nothing");
    assert_eq!(latest[3].text, "$ordi\nto the moon … café x");
    assert_eq!(latest.iter().map(|post| post.sensitive.unwrap()).collect::<Vec<_>>(), [false, true, true, false]);
    assert_eq!(latest[0].author.as_deref(), Some("x@127.0.0.1"), "local users get the server's host");
    assert_eq!(latest[2].author.as_deref(), Some("y@other.example"));
    assert!(latest.iter().all(|post| post.network.as_deref() == Some("Mastodon")));
    assert_eq!((latest[0].likes, latest[0].comments, latest[0].reposts), (Some(9), Some(1), Some(3)));
    let top = live.posts("ORDI", PostOrder::Top).await;
    assert_eq!(ids(&top), ["4", "9", "8", "7"]);
    let requests = mastodon.requests();
    assert_eq!(["limit", "any[]"].map(|name| requests[0].query(name)), ["40", "brc20"]);
}

#[tokio::test]
async fn mastodon_posts_are_found_if_the_server_has_never_seen_the_symbol() {
    let mastodon = Fake::start(|request| match request.path.as_str() {
        "/api/v1/timelines/tag/brc20" => {
            let status = object!({"id": "1", "content": "<p>$SATS moves #brc20</p>", "account": {"acct": "x"}});
            json(200, object!([status]).to_string())
        }
        _ => json(200, "[]"),
    });
    let live = over(&[(Mastodon, &mastodon)]);
    assert_eq!(ids(&live.posts("SATS", PostOrder::Latest).await), ["1"]);
    let requests = mastodon.requests();
    assert_eq!(requests.iter().map(|request| request.query("any[]")).collect::<Vec<_>>(), ["brc20", "sats"]);
}

#[tokio::test]
async fn mastodon_server_that_requires_login_is_reported() {
    let mastodon = mastodon();
    mastodon.respond_with(json(422, r#"{"error":"This method requires an authenticated user"}"#));
    let live = over(&[(Mastodon, &mastodon)]);
    let error =
        live.get(&Request::Posts { symbol: "ORDI".into(), slug: None, order: PostOrder::Top }).await.unwrap_err();
    assert!(error.to_string().contains("providers.mastodon.base_url"), "{error}");
    live.get(&Request::Posts { symbol: "SATS".into(), slug: None, order: PostOrder::Top }).await.unwrap_err();
    assert_eq!(mastodon.requests().len(), 1);
}

#[tokio::test]
async fn mastodon_key_may_be_invalid() {
    let mastodon = mastodon();
    mastodon.respond_with(json(401, r#"{"error":"The access token is invalid"}"#));
    let request = Request::Posts { symbol: "ORDI".into(), slug: None, order: PostOrder::Top };
    for (key, expected) in [(Some("key"), "The access token is invalid"), (None, "requires a login for hashtags")] {
        let live = Live::with(settings(&[(Mastodon, &mastodon.url, key)]));
        let error = live.get(&request).await.unwrap_err().to_string();
        assert!(error.to_lowercase().contains(&expected.to_lowercase()), "{key:?}: {error}");
    }
}

#[test]
fn posts_command_prints_network_and_sensitive_flag() {
    let mastodon = mastodon();
    let shell = Shell::new();
    configure(shell.home.path(), &[("mastodon", &mastodon)]);
    let whole = shell.run("--live posts ORDI --type latest").ok().json();
    assert_eq!(whole["provider"], "mastodon");
    let posts = whole["data"].as_array().unwrap();
    assert_eq!((&posts[0]["network"], &posts[0]["sensitive"]), (&Value::from("Mastodon"), &Value::from(false)));
    assert_eq!(posts[1]["sensitive"], Value::from(true));
}

#[test]
fn dashboard_folds_sensitive_posts() {
    let mastodon = mastodon();
    let cmc = super::world::coinmarketcap();
    let home = tempfile::tempdir().unwrap();
    configure(home.path(), &[("mastodon", &mastodon), ("coinmarketcap", &cmc)]);
    let mut session = Session::dashboard_in(home.path(), (160, 45), &["--live"]);
    session.until_text("ORDI");
    session.press("/ordi\r\r");
    session.until_text("to the moon");
    let screen = session.text();
    assert!(screen.contains("x@127.0.0.1 · Mastodon") && screen.contains("CW: loss & grief"), "{screen}");
    assert!(!screen.contains("went to nothing"), "{screen}");
    session.press("q");
    session.wait();
}
