//! Posts look like real ones.

use std::collections::HashSet;

use super::{ODD, Service, text};

#[tokio::test]
async fn posts_are_many_and_varied() {
    let service = Service::at(21_000_000, ODD);
    let mut all = String::new();
    let mut languages = HashSet::new();
    for symbol in ["BTC", "ORDI", "SATS", "🔥"] {
        for kind in ["top", "latest"] {
            let data = service.data(&format!("/content?post_type={kind}&symbol={symbol}")).await;
            let list = data["list"].as_array().unwrap();
            assert!((20..=40).contains(&list.len()), "{symbol} {kind}: {}", list.len());
            let ids: HashSet<&str> = list.iter().map(|post| text(post, "post_id")).collect();
            assert_eq!(ids.len(), list.len());
            assert!(list.iter().all(|post| !text(&post["owner"], "nickname").is_empty()));
            for post in list {
                all.push_str(text(post, "text_content"));
                all.push('\u{1}');
                languages.insert(text(post, "language_code").to_owned());
                assert!(post["currencies"].as_array().unwrap().iter().all(|coin| text(coin, "symbol") == symbol));
            }
            let sorted = match kind {
                "top" => list.is_sorted_by_key(|post| std::cmp::Reverse(post["like_count"].as_u64())),
                _ => list.is_sorted_by(|a, b| text(a, "post_time") >= text(b, "post_time")),
            };
            assert!(sorted, "{symbol} {kind}");
        }
    }
    let posts: Vec<&str> = all.split('\u{1}').collect();
    assert!(posts.iter().collect::<HashSet<_>>().len() > 100, "most are unique");
    assert!(posts.iter().any(|post| post.len() > 500 && post.matches("\n\n").count() >= 2), "some are long");
    assert!(posts.iter().any(|post| post.contains("https://")), "some contain links");
    assert!(posts.iter().any(|post| post.contains('🚀') || post.contains('☀')), "some have emoji");
    assert!(posts.iter().any(|post| post.chars().any(|c| ('\u{4e00}'..'\u{9fff}').contains(&c))), "some are Chinese");
    assert!(languages.len() > 4, "{languages:?}");
    assert!(!all.contains(['{', '}']));
}

#[tokio::test]
async fn posts_are_selected_by_slug() {
    let service = Service::at(21_000_000, ODD);
    let all = service.data("/content?symbol=ORDI").await;
    assert_eq!(service.data("/content?symbol=ordi&slug=ORDI").await, all);
    assert_eq!(service.get("/content?symbol=ORDI&slug=bitcoin").await.status, 404);
}

#[tokio::test]
async fn likes_grow_and_no_post_is_from_the_future() {
    let (now, later) = (Service::at(3, ODD), Service::at(3, ODD + 7_200));
    let now = now.data("/content?post_type=latest&symbol=ETH").await;
    let later = later.data("/content?post_type=latest&symbol=ETH").await;
    let (now, later) = (now["list"].as_array().unwrap(), later["list"].as_array().unwrap());
    let limit = satscope::model::UtcTime::from_secs(ODD).to_string();
    assert!(now.iter().all(|post| text(post, "post_time") < limit.as_str()));
    let mut grew = 0;
    for post in now {
        if let Some(same) = later.iter().find(|other| other["post_id"] == post["post_id"]) {
            assert_eq!(same["text_content"], post["text_content"]);
            assert!(same["like_count"].as_u64() >= post["like_count"].as_u64());
            grew += usize::from(same["like_count"].as_u64() > post["like_count"].as_u64());
        }
    }
    assert!(grew > 0);
}
