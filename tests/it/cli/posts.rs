//! `posts` on a terminal.

use unicode_width::UnicodeWidthStr as _;

use super::output::on_terminal;
use super::server::{Server, Shell};

/// A long post with a link, and a sensitive one.
fn response(_: &str) -> (u16, String) {
    let text = "Fees are down again and inscriptions are cheap, so the mempool fills with transfers. ".repeat(3);
    let body = serde_json::json!({"data": [
        {"id": "1", "author": "satfan.example", "network": "Bluesky", "text": text, "likes": 1_237, "comments": 4,
         "reposts": null, "posted_at": "2026-11-21T07:12:03Z", "url": "https://posts.example/1"},
        {"id": "2", "author": "other\u{1b}[31m", "network": "Mastodon", "text": "CW: spoilers\nsecret text",
         "sensitive": true, "posted_at": "2026-11-21T07:00:00Z", "url": "https://posts.example/2"},
    ]});
    (200, body.to_string())
}

#[test]
fn posts_are_wrapped_on_a_terminal_and_rows_in_a_pipe() {
    let server = Server::start(response);
    let shell = Shell::on(&server).with("LC_ALL", "C.UTF-8");
    let shown = on_terminal(&shell, 60, "posts ORDI", true);
    assert!(!shown.contains('\x1b'), "{shown}");
    assert!(shown.lines().all(|line| line.width() <= 60), "{shown}");
    let lines: Vec<&str> = shown.lines().collect();
    assert_eq!(lines[0], "satfan.example · Bluesky · 21 Nov 2026 07:12 · ♥ 1,237 · ↩ 4", "{shown}");
    assert_eq!(lines[1], "Fees are down again and inscriptions are cheap, so the", "{shown}");
    assert_eq!(shown.matches("transfers.").count(), 3, "no word is lost: {shown}");
    assert!(lines.contains(&"https://posts.example/1"), "{shown}");
    // The sensitive one is folded.
    assert!(!shown.contains("secret") && !shown.contains("posts.example/2"), "{shown}");
    let folded = on_terminal(&shell, 120, "posts ORDI", true);
    assert!(
        folded.contains("· Mastodon · 21 Nov 2026 07:00 · CW: spoilers · use --format table to show it"),
        "{folded}"
    );
    // Text is at most as wide as in the dashboard.
    let wide = on_terminal(&shell, 200, "posts ORDI", true);
    assert!(wide.lines().all(|line| line.width() <= 92) && wide.contains("cheap, so the mempool fills"), "{wide}");

    let coloured = on_terminal(&shell, 80, "posts ORDI", false);
    assert!(coloured.contains("\x1b[1msatfan.example\x1b[m"), "{coloured}");
    let ascii = on_terminal(&Shell::on(&server).with("LC_ALL", "C"), 80, "posts ORDI", true);
    assert!(ascii.is_ascii() && ascii.contains("likes 1,237"), "{ascii}");

    let server = Server::start(|_| {
        let text = "word\n".repeat(70_000);
        (200, serde_json::json!({"data": [{"id": "1", "author": "a", "text": text}]}).to_string())
    });
    let long = on_terminal(&Shell::on(&server).with("LC_ALL", "C.UTF-8"), 80, "posts ORDI", true);
    assert!(long.lines().count() <= 202 && long.contains(" more lines"), "{}", long.lines().count());

    let server = Server::start(response);
    let shell = Shell::on(&server).with("LC_ALL", "C.UTF-8");
    for table in [
        shell.run("posts ORDI --format table").ok().stdout,
        on_terminal(&shell, 200, "posts ORDI --format table", true),
    ] {
        assert_eq!(table.lines().count(), 3, "{table}");
    }
}
