//! Where lists of the indexer end, and which of their rows a page has, if the service ignores parameters or sends fewer
//! rows than it says.

use satscope::client::{Client, Reply, Request, ResponseData};
use satscope::model::Text;

use super::client;
use super::lists::{holders_request, limits, ok, parameter, received};
use super::server::{Server, Step, response};

/// A page of holders `from..to`, with further fields.
fn rows(from: u64, to: u64, more: &str) -> Vec<Step> {
    let rows: Vec<_> = (from..to).map(|n| format!(r#"{{"address":"bc1q{n}","overall_balance":"{n}.5"}}"#)).collect();
    ok(format!(r#"{{"results":[{}]{more}}}"#, rows.join(",")))
}

fn offset(head: &str) -> u64 {
    parameter(head, "offset").unwrap()
}

async fn get(client: &Client, offset: u64, limit: u32) -> Reply {
    client.get(&holders_request(offset, limit), None).await.unwrap()
}

#[tokio::test]
async fn pages_longer_than_requested_leave_no_gap() {
    for total in ["", r#","total":100"#] {
        let serve = move |head: &str, _| rows(offset(head), (offset(head) + 100).min(400), total);
        let server = Server::start(serve).await;
        let all = client(&server.url);
        let reply = get(&all, 0, 200).await;
        assert_eq!(received(reply), ((0..200).collect(), None), "{total}");
        assert_eq!(received(get(&all, 0, 1000).await), ((0..400).collect(), None), "{total}");
        // The first page that is requested has later rows.
        let later = client(&server.url);
        let before = server.heads().len();
        assert_eq!(received(get(&later, 60, 60).await).0, (60..120).collect::<Vec<_>>());
        assert_eq!(server.heads().len() - before, 2, "the start of the list is requested once");
        assert_eq!(received(get(&later, 120, 60).await).0, (120..180).collect::<Vec<_>>());
        assert_eq!(server.heads().len() - before, 3);
    }
}

#[tokio::test]
async fn short_first_page_may_be_followed_by_another_one() {
    for most in [15, 30, 40, 45] {
        let serve = move |head: &str, _| {
            let limit = parameter(head, "limit").unwrap();
            rows(offset(head), (offset(head) + limit.min(most)).min(100), "")
        };
        let server = Server::start(serve).await;
        let reply = get(&client(&server.url), 0, 500).await;
        assert_eq!(reply.warnings, [] as [&str; 0]);
        assert_eq!(received(reply), ((0..100).collect(), None), "{most}");
    }
}

/// Rows move to an earlier page if others above them are gone, and to a later one if there are new ones.
#[tokio::test]
async fn list_that_changes_between_its_pages_has_a_warning() {
    let changed = "the list changed while it was loading; some rows may be missing";
    // The first row and the end of the list on later pages.
    for (first, end, limit, received_rows, warnings) in [
        (3, 130, 130, 127, vec![changed]),
        (3, 130, 1000, 127, vec![changed]),
        (3, 130, 60, 60, vec![]),
        (0, 130, 1000, 130, vec![]),
        // More rows at the end, or fewer, but as many as requested.
        (0, 140, 1000, 140, vec![]),
        (0, 125, 120, 120, vec![]),
    ] {
        let serve = move |head: &str, _| {
            let at = offset(head);
            let (first, end) = if at == 0 { (0, 130) } else { (first, end) };
            let total = format!(r#","total":{}"#, end - first);
            rows(at + first, (at + first + parameter(head, "limit").unwrap()).min(end), &total)
        };
        let server = Server::start(serve).await;
        let reply = get(&client(&server.url), 0, limit).await;
        assert_eq!(reply.warnings, warnings, "{first} {end} {limit}");
        assert_eq!(received(reply).0.len(), received_rows, "{first} {end} {limit}");
    }
    // Three new rows at the top, 1000 to 1002.
    for (limit, received_rows, warnings) in [(130, 127, vec![changed]), (1000, 130, vec![changed]), (60, 60, vec![])] {
        let serve = move |head: &str, _| {
            let new: Vec<u64> = if offset(head) == 0 { Vec::new() } else { vec![1000, 1001, 1002] };
            let all: Vec<u64> = new.into_iter().chain(0..130).collect();
            let page = all.iter().skip(offset(head) as usize).take(parameter(head, "limit").unwrap() as usize);
            let page: Vec<_> = page.map(|n| format!(r#"{{"address":"bc1q{n}","overall_balance":"{n}.5"}}"#)).collect();
            ok(format!(r#"{{"results":[{}],"total":{}}}"#, page.join(","), all.len()))
        };
        let server = Server::start(serve).await;
        let reply = get(&client(&server.url), 0, limit).await;
        assert_eq!(reply.warnings, warnings, "{limit}");
        assert_eq!(received(reply).0.len(), received_rows, "{limit}");
    }
}

#[tokio::test]
async fn short_list_takes_one_request_once_its_end_is_known() {
    let server = Server::start(|head, _| rows(offset(head), 7, "")).await;
    let client = client(&server.url);
    for requests in [2, 3, 4] {
        assert_eq!(received(get(&client, 0, 60).await), ((0..7).collect(), None));
        assert_eq!(server.heads().len(), requests);
    }
    // The service sends 60 rows at once, so 35 are the rest.
    let serve = |head: &str, _| rows(offset(head), (offset(head) + 60).min(95), "");
    let server = Server::start(serve).await;
    assert_eq!(received(get(&super::client(&server.url), 0, 500).await), ((0..95).collect(), None));
    assert_eq!(limits(&server), [(0, 60), (60, 60)]);
}

#[tokio::test]
async fn full_page_ends_a_list_without_further_pages() {
    for status in ["404 Not Found", "204 No Content"] {
        let server = Server::start(move |head, _| match offset(head) {
            0 => rows(0, 60, ""),
            _ => vec![Step::Send(response(status, "", b""))],
        })
        .await;
        let reply = get(&client(&server.url), 0, 500).await;
        assert_eq!(reply.warnings, [] as [&str; 0], "{status}");
        assert_eq!(received(reply), ((0..60).collect(), None), "{status}");
    }
    let server = Server::start(move |head, _| match offset(head) {
        0 => rows(0, 60, ""),
        _ => vec![Step::Send(response("500 Oops", "", b""))],
    })
    .await;
    assert!(client(&server.url).get(&holders_request(0, 500), None).await.is_err());
}

#[tokio::test]
async fn link_to_the_next_page_and_count_of_django_are_followed() {
    let serve = |head: &str, _| {
        let (from, to) = (offset(head), (offset(head) + 15).min(100));
        let next = if to < 100 { format!(r#""http://x/?offset={to}""#) } else { String::from("null") };
        rows(from, to, &format!(r#","count":100,"next":{next}"#))
    };
    let server = Server::start(serve).await;
    let reply = get(&client(&server.url), 0, 500).await;
    assert_eq!(reply.warnings, [] as [&str; 0]);
    assert_eq!(received(reply), ((0..100).collect(), Some(100)));
    assert_eq!(server.heads().len(), 7);
    // Elsewhere, a count may be the length of the page.
    let serve = |head: &str, _| rows(offset(head), (offset(head) + 20).min(47), r#","count":20"#);
    let server = Server::start(serve).await;
    assert_eq!(received(get(&client(&server.url), 0, 500).await), ((0..47).collect(), None));
}

#[tokio::test]
async fn list_shorter_than_its_total_has_a_warning() {
    let total = r#","total":23411"#;
    // It ignores the offset, and says that the second page starts at 0.
    let echo = r#","total":23411,"offset":0"#;
    for (more, first, later, warning) in [
        (total, 20, (0, 20), "the service has 23,411 rows, but sends only the first 20"),
        (echo, 1, (0, 1), "the service has 23,411 rows, but sends only the first 1"),
        (total, 60, (60, 60), "the service has 23,411 rows, but sends only the first 60"),
        (total, 0, (0, 0), "the service has 23,411 rows, but sends none"),
    ] {
        let serve = move |head: &str, _| match offset(head) {
            0 => rows(0, first, more),
            _ => rows(later.0, later.1, more),
        };
        let server = Server::start(serve).await;
        let reply = get(&client(&server.url), 0, 500).await;
        assert_eq!(reply.warnings, [warning]);
        assert_eq!(received(reply), ((0..first).collect(), Some(23_411)), "{warning}");
        assert!(server.heads().len() <= 2);
    }
    // Half of each page repeats the one before.
    let server = Server::start(|head, _| rows(offset(head) / 2, offset(head) / 2 + 60, r#","total":180"#)).await;
    let reply = get(&client(&server.url), 0, 500).await;
    assert_eq!(reply.warnings, ["the service has 180 rows, but sends only 120 distinct ones"]);
    assert_eq!(received(reply).0, (0..120).collect::<Vec<_>>());
}

#[tokio::test]
async fn equal_balances_of_a_token_count_once() {
    let server = Server::start(|_, _| {
        let row =
            r#"{"ticker":"ordi","overall_balance":"10.0","available_balance":"6.0","transferable_balance":"4.0"}"#;
        ok(format!(r#"{{"limit":60,"offset":0,"total":2,"results":[{row},{row}]}}"#))
    })
    .await;
    let request = Request::Brc20Balances { address: Text::from("bc1q"), offset: 0, limit: 500 };
    let reply = client(&server.url).get(&request, None).await.unwrap();
    let Some(ResponseData::Balances(page)) = &reply.response else { panic!("{reply:?}") };
    assert_eq!((page.items.len(), page.total), (1, Some(1)));
    assert_eq!(reply.warnings, ["ignored a duplicate balance: ordi"]);
    assert_eq!(server.heads().len(), 1);
}
