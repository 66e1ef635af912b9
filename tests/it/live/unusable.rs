//! Responses that no provider should send: the next provider is used instead.

use satscope::client::{Request, ResponseData};
use satscope::model::ProviderName::{
    self, Binance, Bluesky, CoinGecko, CoinMarketCap, CoinPaprika, DefiLlama, Ecb, Frankfurter, Maestro, Mastodon, Okx,
    UniSat,
};
use satscope::model::{Currency, Period, Point};
use serde_json::{Value, json as object};

use super::fake::{Fake, FakeResponse, html, json};
use super::indexer::settings;
use super::indexer_fakes::{self as fakes, HOLDER};
use super::{Live, posts, world};

type Start = fn() -> Fake;

/// Maximum bytes of a response in these tests.
const MAX_BYTES: u64 = 4 << 20;

/// An operation over two providers.
struct Case {
    /// The provider that is preferred and sends nonsense, and the other one.
    providers: [(ProviderName, Start); 2],
    /// Another provider that both need.
    helper: Option<(ProviderName, Start)>,
    /// A request before it, if one is needed to know the coin.
    before: Option<&'static str>,
    /// The request to the service.
    path: String,
    /// A part of the paths of the edited responses.
    part: &'static str,
    /// Bodies that mean that there is nothing.
    valid: &'static [&'static str],
}

fn case(
    first: (ProviderName, Start),
    next: (ProviderName, Start),
    path: impl Into<String>,
    part: &'static str,
) -> Case {
    Case { providers: [first, next], helper: None, before: None, path: path.into(), part, valid: &[] }
}

fn unisat() -> Fake {
    fakes::UniSat::default().start()
}

fn cases() -> Vec<Case> {
    const CMC: (ProviderName, Start) = (CoinMarketCap, world::coinmarketcap);
    const GECKO: (ProviderName, Start) = (CoinGecko, world::coingecko);
    const PAPRIKA: (ProviderName, Start) = (CoinPaprika, world::coinpaprika);
    const LLAMA: (ProviderName, Start) = (DefiLlama, world::defillama);
    const BINANCE: (ProviderName, Start) = (Binance, world::binance);
    const OKX: (ProviderName, Start) = (Okx, world::okx);
    const FRANKFURTER: (ProviderName, Start) = (Frankfurter, world::frankfurter);
    const ECB: (ProviderName, Start) = (Ecb, world::ecb);
    const UNISAT: (ProviderName, Start) = (UniSat, unisat);
    const MAESTRO: (ProviderName, Start) = (Maestro, fakes::maestro);
    const BLUESKY: (ProviderName, Start) = (Bluesky, posts::bluesky);
    const MASTODON: (ProviderName, Start) = (Mastodon, posts::mastodon);
    let chart = "/chart?slug=ordi&period=7D";
    let series = "/market/data?symbol=ORDI&interval=1h&count=24";
    let pairs = "/exchanges?symbol=ORDI";
    let euros = "/coins?tag=brc-20&limit=3&convert=EUR";
    let top = "/content?symbol=ORDI&post_type=top";
    let balances = format!("/ordinals/brc-20/balances/{HOLDER}");
    let with_lists = |case: Case| Case { helper: Some(GECKO), ..case };
    let maybe_nothing = |case: Case| Case { valid: &["[]"], ..case };
    let after_list = |case: Case| Case { before: Some("/coins?tag=brc-20&limit=3"), ..case };
    vec![
        case(CMC, GECKO, "/coins?limit=3", "/listings/latest"),
        case(GECKO, CMC, "/coins?tag=brc-20&limit=3", "/coins/markets"),
        case(PAPRIKA, GECKO, "/coins?limit=3", "/tickers"),
        case(CMC, GECKO, "/x/names", "/cryptocurrency/map"),
        case(GECKO, PAPRIKA, "/x/names", "/coins/list"),
        case(PAPRIKA, CMC, "/x/names", "/coins"),
        case(BINANCE, OKX, chart, "/klines"),
        case(OKX, GECKO, chart, "/candles"),
        case(GECKO, LLAMA, chart, "/market_chart"),
        case(LLAMA, BINANCE, chart, "/chart/"),
        case(BINANCE, LLAMA, series, "/klines"),
        case(OKX, BINANCE, series, "/candles"),
        case(LLAMA, OKX, series, "/chart/"),
        after_list(maybe_nothing(case(GECKO, PAPRIKA, pairs, "/coins/ordinals/tickers"))),
        after_list(maybe_nothing(case(PAPRIKA, GECKO, pairs, "/markets"))),
        case(BLUESKY, MASTODON, top, "/xrpc/"),
        maybe_nothing(case(MASTODON, BLUESKY, top, "/timelines/")),
        with_lists(case(FRANKFURTER, ECB, euros, "/v2/rates")),
        with_lists(case(ECB, FRANKFURTER, euros, "/eurofxref")),
        case(UNISAT, MAESTRO, "/ordinals/brc-20/tokens/ordi", "/info"),
        case(MAESTRO, UNISAT, "/ordinals/brc-20/tokens/ordi", "/assets/"),
        case(UNISAT, MAESTRO, &balances, "/summary"),
    ]
}

/// What a provider sends instead of a body.
fn nonsense(body: &[u8]) -> Vec<(&'static str, FakeResponse)> {
    let text = |text: &str| json(200, text);
    let bytes = |body: Vec<u8>| FakeResponse { body, ..json(200, "") };
    let page = FakeResponse { headers: json(200, "").headers, ..html(200) };
    let spaces = usize::try_from(MAX_BYTES).unwrap();
    vec![
        ("an HTML page", html(200)),
        ("an HTML page as JSON", page),
        ("nothing", text("")),
        ("null", text("null")),
        ("[]", text("[]")),
        ("{}", text("{}")),
        ("42", text("42")),
        ("\"ok\"", text("\"ok\"")),
        ("another object", text(r#"{"message":"maintenance","until":"2026-11-22"}"#)),
        ("half of the body", bytes(body[..body.len() / 2].to_vec())),
        ("too many bytes", bytes([body, &vec![b' '; spaces]].concat())),
        ("too many rows", text(&format!("[{}0]", "0,".repeat(600_000)))),
        ("too deep", text(&"[".repeat(50_000))),
        ("other bytes", bytes([&[0xff, 0xfe], body].concat())),
    ]
}

fn live(case: &Case, fakes: &[Fake]) -> Live {
    let names = case.providers.iter().chain(&case.helper).map(|(name, _)| *name);
    let key = |name| (name == Maestro).then_some("maestro-key");
    let providers: Vec<_> = names.zip(fakes).map(|(name, fake)| (name, fake.url.as_str(), key(name))).collect();
    let mut settings = settings(&providers);
    settings.limits.body_bytes = MAX_BYTES;
    Live::with(settings)
}

async fn response(case: &Case, live: &Live) -> (u16, String, Value) {
    if let Some(before) = case.before {
        live.raw(before).await;
    }
    live.raw(&case.path).await
}

/// Whether a response contains anything.
fn has_rows(body: &Value) -> bool {
    let data = body.get("results").or(body.get("data")).unwrap_or(body);
    data.as_array().map_or(data.is_object(), |rows| !rows.is_empty())
}

#[tokio::test]
async fn implausible_values_are_replaced_by_the_next_provider() {
    for case in cases() {
        let fakes: Vec<Fake> = case.providers.iter().chain(&case.helper).map(|(_, start)| start()).collect();
        let [(first, _), (next, _)] = case.providers;
        let shown = format!("{first}, then {next}: {}", case.path);
        let (status, provider, body) = response(&case, &live(&case, &fakes)).await;
        assert!(status == 200 && has_rows(&body), "{shown}: {body}");
        assert!(case.helper.is_some() || provider == first.as_str(), "{shown}: {provider}");
        let requests = fakes[0].requests();
        assert!(requests.iter().any(|request| request.path.contains(case.part)), "{shown}: {requests:?}");
        for (name, _) in nonsense(b"  ") {
            if case.valid.contains(&name) {
                continue;
            }
            let part = case.part;
            fakes[0].edit(move |request, response| {
                if request.path.contains(part) {
                    nonsense(&response.body).into_iter().find(|(other, _)| *other == name).unwrap().1
                } else {
                    response
                }
            });
            let (status, provider, body) = response(&case, &live(&case, &fakes)).await;
            assert!(status == 200 && has_rows(&body), "{shown}, {name}: {body}");
            assert!(case.helper.is_some() || provider == next.as_str(), "{shown}, {name}: {provider} {body}");
        }
    }
}

/// Changes the points in time of a response, numbers and strings, in the unit that they have.
fn retime(value: &mut Value, change: &impl Fn(i64) -> i64) {
    let changed = |number: i64| match number {
        1_600_000_000..2_000_000_000 | 1_600_000_000_000..2_000_000_000_000 => Some(change(number)),
        _ => None,
    };
    match value {
        Value::Array(items) => items.iter_mut().for_each(|item| retime(item, change)),
        Value::Object(fields) => fields.values_mut().for_each(|field| retime(field, change)),
        Value::Number(number) => {
            if let Some(new) = number.as_i64().and_then(changed) {
                *value = new.into();
            }
        }
        Value::String(text) => {
            if let Some(new) = text.parse().ok().and_then(changed) {
                *value = new.to_string().into();
            }
        }
        _ => {}
    }
}

async fn chart(live: &Live) -> (Vec<Point>, String) {
    let request = Request::Chart { slug: "ordi".into(), period: Period::Week, convert: Currency::usd() };
    let reply = live.get(&request).await.unwrap();
    match reply.response {
        Some(ResponseData::Chart(chart)) => (chart.points, reply.provider.unwrap_or_default().to_string()),
        other => panic!("{other:?}"),
    }
}

const CHARTS: [(ProviderName, Start, &str); 4] = [
    (Binance, world::binance, "/klines"),
    (Okx, world::okx, "/candles"),
    (CoinGecko, world::coingecko, "/market_chart"),
    (DefiLlama, world::defillama, "/chart/"),
];

/// A chart over a provider whose responses are edited, with another provider after it.
async fn edited_chart(
    (name, start, part): (ProviderName, Start, &'static str),
    edit: impl Fn(&mut Value) + Send + Sync + 'static,
) -> (Vec<Point>, String) {
    let (fake, next) = (start(), if name == Binance { world::okx() } else { world::binance() });
    fake.edit(move |request, response| {
        if !request.path.contains(part) {
            return response;
        }
        let mut body: Value = serde_json::from_slice(&response.body).unwrap();
        edit(&mut body);
        FakeResponse { body: body.to_string().into_bytes(), ..response }
    });
    let next_name = if name == Binance { Okx } else { Binance };
    chart(&Live::in_order(&[(name, &fake), (next_name, &next)])).await
}

#[tokio::test]
async fn times_in_another_unit_or_of_another_year_are_never_drawn() {
    const YEAR: i64 = 365 * 86_400;
    fn unit(time: i64) -> i64 {
        if time > 100_000_000_000 { 1_000 } else { 1 }
    }
    type Change = fn(i64) -> i64;
    let changes: [(&str, Change); 6] = [
        (
            "seconds instead of milliseconds, or the reverse",
            |time| if unit(time) == 1 { time * 1_000 } else { time / 1_000 },
        ),
        ("microseconds", |time| time * 1_000_000 / unit(time)),
        ("in ten years", |time| time + 10 * YEAR * unit(time)),
        ("ten years ago", |time| time - 10 * YEAR * unit(time)),
        ("a year ago", |time| time - YEAR * unit(time)),
        ("in 1970", |time| time - 56 * YEAR * unit(time)),
    ];
    for provider in CHARTS {
        for (name, change) in changes {
            let (points, source) = edited_chart(provider, move |body| retime(body, &change)).await;
            let times: Vec<i64> = points.iter().map(|point| point.time.secs()).collect();
            let (first, last) = (times[0], *times.last().unwrap());
            let is_of_this_week = first >= world::NOW - 8 * 86_400 && last <= world::NOW;
            assert!(is_of_this_week, "{} {name} from {source}: {first} to {last}", provider.0);
            assert!(times.is_sorted() && times.len() > 100, "{} {name}: {times:?}", provider.0);
        }
    }
}

#[tokio::test]
async fn chart_without_prices_comes_from_the_next_provider() {
    fn without_rows(value: &mut Value) {
        match value {
            Value::Array(items)
                if items.iter().all(|item| item.is_array()) || items.iter().all(|it| it.get("timestamp").is_some()) =>
            {
                items.clear()
            }
            Value::Object(fields) => fields.values_mut().for_each(without_rows),
            _ => {}
        }
    }
    /// Prices are the only numbers that are no times.
    fn without_prices(value: &mut Value) {
        let is_time = |number: f64| number > 1e9;
        match value {
            Value::Array(items) => items.iter_mut().for_each(without_prices),
            Value::Object(fields) => fields.values_mut().for_each(without_prices),
            Value::Number(number) if !is_time(number.as_f64().unwrap()) => *value = Value::Null,
            Value::String(text) if text.contains('.') => *value = Value::Null,
            _ => {}
        }
    }
    for provider in CHARTS {
        for (name, edit) in [("no rows", without_rows as fn(&mut Value)), ("no prices", without_prices)] {
            let (points, source) = edited_chart(provider, edit).await;
            assert!(points.iter().all(|point| point.price.is_some()), "{} {name}", provider.0);
            assert_ne!(source, provider.0.as_str(), "{name}");
        }
    }
}

#[tokio::test]
async fn server_date_is_ignored() {
    for date in ["Thu, 01 Jan 1970 00:00:00 GMT", "Fri, 01 Jan 2100 00:00:00 GMT", "yesterday"] {
        for provider in CHARTS {
            let (name, start, _) = provider;
            let fake = start();
            let before = chart(&Live::in_order(&[(name, &fake)])).await;
            fake.edit(move |_, mut response| {
                response.headers.push(("date", date.to_owned()));
                response.headers.push(("last-modified", date.to_owned()));
                response.headers.push(("expires", date.to_owned()));
                response
            });
            assert!(chart(&Live::in_order(&[(name, &fake)])).await == before, "{name} {date}");
        }
    }
}

#[tokio::test]
async fn unreadable_row_does_not_end_a_list() {
    let cases: [(ProviderName, Start, &str, &str); 3] = [
        (CoinMarketCap, world::coinmarketcap, "/listings/latest", "/data"),
        (CoinGecko, world::coingecko, "/coins/markets", ""),
        (CoinPaprika, world::coinpaprika, "/tickers", ""),
    ];
    for (name, start, part, list) in cases {
        let fake = start();
        fake.edit(move |request, response| {
            if !request.path.contains(part) {
                return response;
            }
            let mut body: Value = serde_json::from_slice(&response.body).unwrap();
            body.pointer_mut(list).unwrap()[3] = object!(7);
            FakeResponse { body: body.to_string().into_bytes(), ..response }
        });
        let live = Live::in_order(&[(name, &fake)]);
        let (_, _, body) = live.raw("/coins?start=201&limit=100").await;
        let count = body["data"].as_array().unwrap().len();
        assert!((98..=100).contains(&count), "{name}: {count} of 100 coins");
        let total = body["status"]["total_count"].as_u64();
        assert!(total.is_none_or(|total| total >= 598), "{name}: {total:?}");
    }
}

#[tokio::test]
async fn endless_balances_are_read_up_to_a_page_limit() {
    let unisat = Fake::start(|request| {
        let start = request.number("start", 0);
        let row = |n: usize| object!({"ticker": format!("t{n:03}"), "overallBalance": "1", "availableBalance": "1", "transferableBalance": "0"});
        let rows: Vec<Value> = (start..start + 500).map(|n| row(n % 1_000)).collect();
        let data = object!({"height": fakes::TIP, "start": start, "total": 1_000_000_000_000_u64, "detail": rows});
        json(200, object!({"code": 0, "msg": "OK", "data": data}).to_string())
    });
    let live = Live::with(settings(&[(UniSat, unisat.url.as_str(), None)]));
    let (status, _, body) = live.raw(&format!("/ordinals/brc-20/balances/{HOLDER}?ticker=t007&limit=2")).await;
    assert_eq!((status, body["results"][0]["ticker"].as_str()), (200, Some("t007")), "{body}");
    assert!(body["total"].is_null(), "there may be more on other pages: {body}");
    assert!(unisat.requests().len() <= 20, "{}", unisat.requests().len());
}
