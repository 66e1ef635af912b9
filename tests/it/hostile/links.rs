//! A link opens only after it was shown completely, and opens exactly the shown URL.

use satscope::app::Effect;
use satscope::client::{Request, ResponseData};

use crate::support::screen::{Screen, fixture};

/// A token view with one post, which is open.
fn reading(text: &str) -> Screen {
    let mut screen = Screen::new(120, 40);
    let response = |request: &Request| {
        let mut response = fixture::response(request)?;
        if let ResponseData::Posts(page) = &mut response {
            page.items.truncate(1);
            for post in &mut page.items {
                (post.text, post.url) = (text.to_owned(), None);
            }
        }
        Some(response)
    };
    screen.serve(response);
    screen.keys("<enter>");
    screen.serve(response);
    screen.keys("<tab><tab><enter>");
    screen
}

fn opened(screen: &Screen) -> Vec<String> {
    let links = screen.effects.iter().filter_map(|effect| match effect {
        Effect::OpenLink(link) => Some(link.clone()),
        _ => None,
    });
    links.collect()
}

#[test]
fn opened_link_is_the_link_shown() {
    for (link, warning) in [
        ("https://fine.example/a?b=c#d", ""),
        ("http://fine.example/", "Not encrypted"),
        ("https://good.example@evil.example/", "opens evil.example"),
        ("https://good.example:443@evil.example/", "opens evil.example"),
        ("https://good.example%2F@evil.example/", "opens evil.example"),
        ("https://xn--80ak6aa92e.example/", "Look-alike letters in the domain"),
        ("https://аррӏе.example/", "Look-alike letters in the domain"),
        ("https://good.example.evil.example/", ""),
        ("https://192.0.2.7/", "IP address"),
        ("https://0x7f.1/", "IP address"),
    ] {
        let mut screen = reading(&format!("see {link} now"));
        assert!(screen.text().contains(link), "{}", screen.text());
        assert_eq!(opened(&screen), [] as [&str; 0], "reading opens nothing");
        screen.keys("o");
        let shown = screen.text();
        assert!(shown.contains("Links in this post") && shown.contains(link), "{link}: {shown}");
        assert!(shown.contains(warning), "{link}: {warning} is missing: {shown}");
        assert_eq!(opened(&screen), [] as [&str; 0], "a list of links opens nothing");
        screen.keys("<enter>");
        assert_eq!(opened(&screen), [link]);
    }
}

#[test]
fn ambiguous_urls_are_not_links() {
    for text in [
        "https://good.example\\@evil.example/",
        "https:\\\\evil.example/",
        "javascript:alert(1)",
        "file:///etc/passwd",
        "ftp://evil.example/",
        "https://",
        "HTTPS//evil.example",
        "https://a|b.example/`id`",
        "mailto:x@evil.example",
    ] {
        let mut screen = reading(text);
        screen.keys("o<enter>");
        assert_eq!(opened(&screen), [] as [&str; 0], "{text}: {}", screen.text());
    }
}
