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
    // Other services send plain text.
    let body = r#"[{"id":"1","content":"fees <b>5</b> &amp; falling"}]"#;
    assert_eq!(get_posts(body).0[0].text, "fees <b>5</b> &amp; falling");
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
