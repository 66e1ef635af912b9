//! BRC-20 lists over providers whose pages are shorter than requested.

use serde_json::{Value, json as object};

use super::*;

/// A UniSat with these rows in every list, of which it sends `at_once`, optionally with their number.
fn lists(at_once: usize, has_total: bool, row: impl Fn(usize) -> Option<Value> + Send + Sync + 'static) -> Fake {
    Fake::start(move |request| {
        let (start, limit) = (request.number("start", 0), request.number("limit", 0));
        let rows: Vec<Value> = (start..).map_while(&row).collect();
        let total = start + rows.len();
        let rows: Vec<Value> = rows.into_iter().take(limit.min(at_once)).collect();
        let mut data = object!({"height": TIP, "start": start, "detail": rows});
        if has_total {
            data["total"] = total.into();
        }
        json(200, object!({"code": 0, "msg": "OK", "data": data}).to_string())
    })
}

fn starts(unisat: &Fake) -> Vec<usize> {
    unisat.requests().iter().map(|request| request.number("start", 0)).collect()
}

#[tokio::test]
async fn short_pages_of_unisat_leave_no_holes() {
    for (at_once, limit, expected) in
        [(50, 100, vec![0, 50, 60, 110]), (7, 20, vec![0, 7, 14, 21, 28, 35, 42, 49, 56]), (60, 100, vec![0, 60])]
    {
        let row = |n: usize| {
            (n < 500).then(|| {
                object!({"address": format!("bc1q{n}"), "ticker": format!("t{n:03}"), "overallBalance": "1",
                    "availableBalance": "1", "transferableBalance": "0", "max": "10", "minted": "5"})
            })
        };
        let live = |unisat: &Fake| Live::in_order(&[(UniSat, unisat)]);
        let unisat = lists(at_once, true, row);
        let page = live(&unisat).tokens(None, 0, limit).await;
        let names: Vec<String> = page.items.iter().map(|token| token.ticker.to_string()).collect();
        assert_eq!((names, page.total), ((0..limit).map(|n| format!("t{n:03}")).collect(), Some(500)));
        assert_eq!(starts(&unisat), expected);

        let holder = move |n| {
            let mut holder = row(n)?;
            holder.as_object_mut().unwrap().remove("ticker");
            Some(holder)
        };
        let unisat = lists(at_once, true, holder);
        let page = live(&unisat).holders("ordi", 0, limit).await;
        let names: Vec<Text> = page.items.into_iter().filter_map(|holder| holder.address).collect();
        assert_eq!(names, (0..limit).map(|n| Text::from(format!("bc1q{n}"))).collect::<Vec<_>>());
        assert_eq!(starts(&unisat), expected);

        let balance = move |n| {
            let mut balance = row(n)?;
            balance.as_object_mut().unwrap().remove("address");
            Some(balance)
        };
        let unisat = lists(at_once, true, balance);
        let request = Request::Brc20Balances { address: "bc1qholder".into(), offset: 0, limit };
        let ResponseData::Balances(page) = live(&unisat).answer(request).await else { panic!("no balances") };
        assert_eq!(page.items.len(), limit as usize);
        assert_eq!(starts(&unisat), expected);
    }
}

#[tokio::test]
async fn short_pages_of_another_indexer_leave_no_holes() {
    let server = Fake::start(|request| {
        let (offset, limit) = (request.number("offset", 0), request.number("limit", 20));
        let holder = |n: usize| object!({"address": format!("bc1q{n}"), "overall_balance": "1"});
        let results: Vec<Value> = (offset..(offset + limit.min(25)).min(110)).map(holder).collect();
        json(200, object!({"limit": limit, "offset": offset, "total": 110, "results": results}).to_string())
    });
    let page = Live::in_order(&[(Hiro, &server)]).holders("ordi", 0, 100).await;
    let names: Vec<Text> = page.items.into_iter().filter_map(|holder| holder.address).collect();
    assert_eq!(names, (0..100).map(|n| Text::from(format!("bc1q{n}"))).collect::<Vec<_>>());
}

#[tokio::test]
async fn list_shorter_than_its_total_has_a_warning() {
    let unisat = fakes::UniSat::default().start();
    unisat.edit(|_, mut response| {
        let mut body: Value = serde_json::from_slice(&response.body).unwrap();
        body["data"]["total"] = 140.into();
        response.body = body.to_string().into_bytes();
        response
    });
    let live = Live::in_order(&[(UniSat, &unisat)]);
    let reply = live.get(&Request::Brc20Holders { ticker: "ordi".into(), offset: 120, limit: 20 }).await.unwrap();
    let Some(ResponseData::Holders(page)) = &reply.answer else { panic!("{reply:?}") };
    assert_eq!(
        (page.items.len(), reply.warnings.as_slice()),
        (10, &[String::from("The list has fewer rows than its total")][..])
    );
}
