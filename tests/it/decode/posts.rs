//! Posts of networks with text search.

use super::*;

fn posts_on(symbol: &str, body: &str) -> Result<(ResponseData, Vec<Warning>), ErrorKind> {
    get(&Request::Posts { symbol: symbol.into(), slug: None, order: PostOrder::Top }, body)
}

#[test]
fn mastodon_html_is_converted_to_plain_text() {
    let post = |content: &str| {
        let body = serde_json::json!([{ "id": "1", "reblogs_count": 0, "content": content }]).to_string();
        get_posts(&body).0.remove(0).text
    };
    assert_eq!(post("<p>Fees &lt; 5</p><p>gm<br>gn</p>"), "Fees < 5\n\ngm\ngn");
    let entities = "It&rsquo;s &euro;5 &hellip; caf&eacute; <a href=\"a>b\">x</a><style>p{}</style>";
    assert_eq!(post(entities), "It’s €5 … café x");
    // HTML doesn't allow references to control characters, so they are left unchanged.
    assert_eq!(post("a&#27;[2Jb&#x202e;c&#0;d"), "a&#27;[2Jbc&#0;d");
    // Other services send plain text, or HTML that looks like it.
    for (content, text) in [
        ("fees <b>5</b> & falling", "fees <b>5</b> & falling"),
        ("fees < 5 &amp; falling", "fees < 5 & falling"),
        ("Ordi&#8217;s <i>rally</i>&hellip;", "Ordi’s rally…"),
        ("<P>Fees</P><p>gm", "Fees\n\ngm"),
        ("can&#39;t hold <support, next 50k", "can't hold <support, next 50k"),
        ("<3 ordi &unknown; R&D; 5 &", "<3 ordi &unknown; R&D; 5 &"),
    ] {
        let body = serde_json::json!([{ "id": "1", "content": content }]).to_string();
        assert_eq!(get_posts(&body).0[0].text, text);
    }
}

#[test]
fn posts_of_news_feeds_are_read() {
    let json_feed = r#"{"version":"https://jsonfeed.org/version/1.1","title":"News","items":[{"id":"7",
        "url":"https://x.example/1","title":"ORDI rallies &amp; falls","content_html":"Hello <b>ORDI</b>",
        "date_published":"2026-11-01T10:00:00Z","authors":[{"name":"Ann"}]}]}"#;
    let rss = r#"{"status":"ok","feed":{"url":"u"},"items":[{"title":"ORDI rallies & falls","guid":"7",
        "pubDate":"2026-11-01 10:00:00","link":"https://x.example/1","author":"Ann","description":"<p>Hello ORDI</p>"}]}"#;
    let alpha_vantage = r#"{"feed":[{"title":"ORDI rallies & falls","url":"https://x.example/1","authors":["Ann"],
        "time_published":"20261101T100000","summary":"Hello ORDI"}]}"#;
    for body in [json_feed, rss, alpha_vantage] {
        let (posts, warnings) = get_posts(body);
        let Post { author, text, posted_at, url, .. } = &posts[0];
        assert_eq!((author.as_deref(), text.as_str()), (Some("Ann"), "ORDI rallies & falls\nHello ORDI"), "{body}");
        assert_eq!(posted_at.map(|at| at.to_string()).as_deref(), Some("2026-11-01T10:00:00Z"), "{body}");
        assert_eq!(url.as_deref(), Some("https://x.example/1"), "{body}");
        assert!(warnings.is_empty(), "{warnings:?}");
    }
}

#[test]
fn posts_without_id_are_told_apart() {
    let body = r#"[{"author":"A","text":"one","url":"https://x.example/1","created_at":"2026-11-01"},
        {"author":"A","text":"two","url":"https://x.example/2","created_at":"2026-11-01"},{"author":"A","text":"three"}]"#;
    let (posts, _) = get_posts(body);
    let ids: std::collections::HashSet<&str> = posts.iter().map(|post| post.id.as_str()).collect();
    assert_eq!(ids.len(), 3, "{posts:?}");
}

#[test]
fn labels_of_bluesky_mark_a_post_as_sensitive() {
    let sensitive = |labels: &str| {
        let body = format!(
            r#"{{"posts":[{{"uri":"at://a","record":{{"text":"gm","createdAt":"2026-11-01T10:00:00Z"}},{labels}"likeCount":1}}]}}"#
        );
        get_posts(&body).0[0].sensitive
    };
    assert_eq!(sensitive(r#""labels":[{"val":"porn"}],"#), Some(true));
    assert_eq!(sensitive(r#""labels":[{"val":"porn","neg":true}],"#), Some(false));
    assert_eq!(sensitive(r#""labels":[{"val":"bot"}],"#), Some(false));
    assert_eq!((sensitive(r#""labels":[],"#), sensitive("")), (None, None));
}

#[test]
fn repeated_post_of_mastodon_is_read_instead_of_the_empty_one() {
    let body = r#"[{"id":"2","reblogs_count":0,"content":"","created_at":"2026-11-02T10:00:00Z","account":{"acct":"a@m.example"},
        "reblog":{"id":"1","reblogs_count":1,"content":"<p>gm</p>","created_at":"2026-11-01T10:00:00Z","account":{"acct":"b@m.example"}}}]"#;
    let post = get_posts(body).0.remove(0);
    assert_eq!((post.id.as_str(), post.author.as_deref(), post.text.as_str()), ("1", Some("b@m.example"), "gm"));
}

#[test]
fn author_of_another_instance_keeps_its_name() {
    for (acct, author) in [("x", "x@m.example"), ("x@other.example", "x@other.example")] {
        let body = format!(
            r#"[{{"id":"1","reblogs_count":0,"content":"gm","url":"https://m.example/@x/1","account":{{"acct":"{acct}"}}}}]"#
        );
        assert_eq!(get_posts(&body).0[0].author.as_deref(), Some(author));
    }
}

#[test]
fn bluesky_link_is_built_only_from_plain_words() {
    let url = |uri: &str, handle: &str| {
        let post = serde_json::json!({ "uri": uri, "author": { "handle": handle }, "record": { "text": "gm" } });
        get_posts(&serde_json::json!({ "posts": [post] }).to_string()).0.remove(0).url
    };
    let post = "at://did:plc:abcd/app.bsky.feed.post/3mabc";
    assert_eq!(url(post, "a.bsky.social").as_deref(), Some("https://bsky.app/profile/a.bsky.social/post/3mabc"));
    for (uri, handle) in [
        ("at://did:plc:abcd/app.bsky.feed.post/../../x", "a.bsky.social"),
        ("at://did:plc:abcd/app.bsky.feed.post/", "a.bsky.social"),
        ("at://did:plc:abcd/app.bsky.graph.list/3mabc", "a.bsky.social"),
        (post, "a/../b"),
        (post, "a?b"),
    ] {
        assert_eq!(url(uri, handle), None, "{uri} {handle}");
    }
}

#[test]
fn posts_on_another_symbol_are_rejected() {
    let body = r#"{"response":{"status":200},"symbol":{"id":1,"symbol":"BTC.X"},"messages":[{"id":1,"body":"gm"}]}"#;
    assert!(posts_on("BTC", body).is_ok());
    let error = posts_on("ORDI", body).unwrap_err();
    assert_eq!(error, ErrorKind::Mismatch { found: "BTC.X".into(), requested: "ORDI".into() });
    let tagged = r#"{"messages":[{"id":1,"body":"gm","symbols":[{"symbol":"BTC.X"}]}]}"#;
    assert!(posts_on("BTC", tagged).is_ok());
    assert!(matches!(posts_on("ORDI", tagged), Err(ErrorKind::Mismatch { .. })));
}

#[test]
fn posts_about_other_coins_are_skipped() {
    let body = r#"{"total":4,"posts":[{"id":1,"text":"gm","symbols":["ORDI"]},{"id":2,"text":"gn","symbols":["BTC"]},
        {"id":3,"text":"$ORDI","symbols":["BTC"]},{"id":4,"text":"hi"}]}"#;
    let (posts, warnings) = get_posts(body);
    assert_eq!(posts.iter().map(|post| post.id.as_str()).collect::<Vec<_>>(), ["1", "3", "4"]);
    assert_eq!(warnings, ["skipped 1 post about other coins"]);
}

#[test]
fn fields_of_posts_have_the_names_of_several_services() {
    for fields in [
        r#""username":"sat","message":"gm","likes_count":"37","replies":4,"shares":1,"timestamp":1795089600"#,
        r#""by":"sat","text":"gm","ups":37,"comments_count":4,"retweets":1,"created_utc":1795089600.0"#,
        r#""owner":{"displayName":"sat"},"text":"gm","likes":{"count":37},"comments":{"total_count":4},
            "reposts":{"total":1},"created":"Thu Nov 19 12:00:00 +0000 2026""#,
    ] {
        let body = format!(r#"[{{"id":"7",{fields},"currencies":"ORDI, SATS"}}]"#);
        let (posts, warnings) = get_posts(&body);
        let Post { author, text, likes, comments, reposts, posted_at, symbols, .. } = &posts[0];
        assert_eq!((author.as_deref(), text.as_str()), (Some("sat"), "gm"), "{body}");
        assert_eq!((*likes, *comments, *reposts), (Some(37), Some(4), Some(1)), "{body}");
        assert_eq!(posted_at.map(|at| at.to_string()).as_deref(), Some("2026-11-19T12:00:00Z"), "{body}");
        assert_eq!((&symbols[..], warnings), (&["ORDI".into(), "SATS".into()][..], vec![]), "{body}");
    }
    let (posts, warnings) = get_posts(r#"[{"id":"7","text":"gm","likes":{"up":37}}]"#);
    assert_eq!((posts[0].likes, warnings.len()), (None, 1), "{warnings:?}");
}

#[test]
fn texts_in_objects_are_read() {
    for (text, expected) in [
        (r#""text":{"de":"hallo","en":"hello"}"#, ("hello", Some("en"))),
        (r#""text":{"pt-BR":"oi"}"#, ("oi", Some("pt-BR"))),
        (r#""text":{"de":"hallo","en":"hello"},"lang":"de""#, ("hello", Some("de"))),
        (r#""content":{"text":"hello"}"#, ("hello", None)),
        (r#""body":{"html":"<p>hello</p>","length":5}"#, ("hello", None)),
        (r#""title":{"rendered":"hello"},"content":{"rendered":"<p>hello</p>"}"#, ("hello", None)),
    ] {
        let (posts, warnings) = get_posts(&format!(r#"[{{"id":"1","author":"A",{text}}}]"#));
        assert_eq!((posts[0].text.as_str(), posts[0].language.as_deref()), expected, "{text}");
        assert_eq!(warnings, [] as [&str; 0], "{text}");
    }
    let (posts, _) = get_posts(r#"[{"id":"1","author":"A","text":{"en":"x","entities":[]}}]"#);
    assert_eq!(posts[0].text, "");
}

#[test]
fn names_and_counts_in_objects_of_a_post_are_read() {
    for author in [
        r#"{"id":7,"user_name":"Bob"}"#,
        r#"{"fullName":"Bob"}"#,
        r#"{"login":"Bob","url":"https://x.example"}"#,
        r#"{"id":7,"profile":{"display_name":"Bob"}}"#,
        r#"{"name":{"first":"X"},"user":{"nick":"Bob"}}"#,
    ] {
        let body = format!(r#"[{{"id":"1","text":"$ORDI","author":{author}}}]"#);
        assert_eq!(get_posts(&body).0[0].author.as_deref(), Some("Bob"), "{author}");
    }
    for name in ["interactions", "statistics", "public_metrics", "reactions"] {
        let body = format!(r#"[{{"id":"1","text":"$ORDI","{name}":{{"like_count":3,"reply_count":"4","shares":1}}}}]"#);
        let post = &get_posts(&body).0[0];
        assert_eq!((post.likes, post.comments, post.reposts), (Some(3), Some(4), Some(1)), "{name}");
    }
}
