//! Fake providers of the indexer group, based on their published specifications.

use std::time::Duration;

use serde_json::{Value, json as object};

use super::fake::{Fake, FakeResponse, ReceivedRequest, json};

/// The newest block of all fakes.
pub(super) const TIP: u64 = 923_105;

/// The owner of all inscriptions.
pub(super) const OWNER: &str = "bc1p5cyxnuxmeuwuvkwfem96lqzszd02n6xdcjrs20cac6yqjjwudpxqkedrcr";

/// An address with balances.
pub(super) const HOLDER: &str = "bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq";

/// A token of the fakes.
pub(super) struct Token {
    pub(super) ticker: String,
    pub(super) max: &'static str,
    pub(super) minted: &'static str,
    pub(super) events: u64,
    pub(super) holders: usize,
}

/// ORDI, tokens with special tickers, tickers of 5 and 6 bytes, and 150 others, most active first.
pub(super) fn tokens() -> Vec<Token> {
    let known = [
        ("ordi", "21000000", "21000000", 412_233, 130),
        ("sats", "2100000000000000", "2100000000000000", 300_000, 3),
        ("🔥", "100", "0.000000000000000001", 200_000, 1),
        ("a/b?", "36893488147419103230", "12345678901234567.123456789012345678", 100_000, 1),
        ("pizza", "21000000", "20999999.999999999999999999", 90_000, 2),
        ("sixbyt", "1000", "1000", 80_000, 1),
    ];
    let known = known.into_iter().map(|(ticker, max, minted, events, holders)| Token {
        ticker: ticker.into(),
        max,
        minted,
        events,
        holders,
    });
    let others = (0..150_u64).map(|n| Token {
        ticker: format!("t{n:03}"),
        max: "1000",
        minted: "10",
        events: 1_000 - n,
        holders: 1,
    });
    known.chain(others).collect()
}

/// Options of a fake UniSat.
#[derive(Clone, Copy, Default)]
pub(super) struct UniSat {
    /// Rejects requests without this key.
    pub(super) key: Option<&'static str>,
    /// Events of a block have no tickers.
    pub(super) nameless: bool,
    /// Tokens with tickers of 6 bytes are at their old path.
    pub(super) old_place: bool,
    /// A completed transfer has the type `transfer` in blocks and of tokens, as in the documentation.
    pub(super) transfers: bool,
    /// With `transfers`, it has the types `send` and `receive` in blocks.
    pub(super) sends_in_blocks: bool,
}

impl UniSat {
    /// Starts the server.
    pub(super) fn start(self) -> Fake {
        Fake::start(move |request| self.response(request))
    }

    fn response(self, request: &ReceivedRequest) -> FakeResponse {
        if let Some(key) = self.key
            && request.headers.get("authorization").is_none_or(|value| value != &format!("Bearer {key}"))
        {
            return json(403, r#"{"code":-2003,"msg":"quota unavailable","data":null}"#);
        }
        let path = percent_encoding::percent_decode_str(&request.path).decode_utf8().unwrap().into_owned();
        let parts: Vec<&str> = path.trim_start_matches("/v1/indexer/").split('/').collect();
        match parts.as_slice() {
            ["brc20", "bestheight"] => ok(
                &object!({"height": TIP, "blockid": block(TIP), "timestamp": 1_795_074_000, "total": tokens().len()}),
            ),
            ["brc20", "status"] => Self::status(request),
            ["brc20", "history-by-height", height] => {
                let height: u64 = height.parse().unwrap();
                let in_blocks = UniSat { transfers: self.transfers && !self.sends_in_blocks, ..self };
                let rows: Vec<Value> = in_blocks
                    .events(height)
                    .filter(|(ticker, _)| !(self.old_place && ticker.len() == 6))
                    .map(|(_, mut row)| {
                        if self.nameless {
                            row.as_object_mut().unwrap().remove("ticker");
                        }
                        row
                    })
                    .collect();
                paged(request, rows, Some(height))
            }
            [place @ ("brc20" | "brc20-prog"), ticker, "history"] => {
                let (kind, height) = (request.query("type"), request.query("height"));
                if kind.is_empty() || height.is_empty() {
                    return failed("type and height are required");
                }
                let token = find(ticker).filter(|token| self.has(token, place));
                let Some(token) = token else { return failed("get brc20 history failed") };
                let rows = self.events(height.parse().unwrap());
                let rows = rows.filter(|(own, row)| *own == token.ticker && row["type"] == kind).map(|(_, mut row)| {
                    row.as_object_mut().unwrap().remove("ticker");
                    row
                });
                paged(request, rows.collect(), None)
            }
            [place @ ("brc20" | "brc20-prog"), ticker, what] => {
                let Some(token) = find(ticker) else { return failed(&format!("get {place} {what} failed")) };
                if !self.has(&token, place) {
                    return failed(&format!("get {place} {what} failed"));
                }
                match *what {
                    "info" => ok(&info(&token)),
                    "holders" => {
                        let holder = |n: usize| {
                            let balance = (token.holders - n).to_string();
                            object!({"address": format!("bc1q{n:04}"), "overallBalance": balance,
                                "availableBalance": balance, "transferableBalance": "0"})
                        };
                        paged(request, (0..token.holders).map(holder).collect(), None)
                    }
                    _ => json(404, "404 page not found"),
                }
            }
            ["address", address, "brc20", "summary"] => balances(request, address, TIP),
            ["address", address, "brc20", "summary-by-height", height] => {
                balances(request, address, height.parse().unwrap())
            }
            ["address", address, "inscription-data"] => {
                let rows: Vec<Value> = (0..3).map(|n| inscription(n, address)).collect();
                let data = object!({"cursor": request.number("cursor", 0), "total": 3, "totalConfirmed": 3,
                    "totalUnconfirmed": 0, "totalUnconfirmedSpend": 0, "inscription": rows});
                ok(&data)
            }
            ["inscription", "info", name] => match name.strip_prefix('-').unwrap_or(name).parse::<i64>() {
                Ok(_) => ok(&inscription(name.parse().unwrap(), "bc1qowner")),
                Err(_) if *name == id(7) => ok(&inscription(7, "bc1qowner")),
                Err(_) => failed("get inscription info failed"),
            },
            _ => json(404, "404 page not found"),
        }
    }

    /// Whether a token is in a place.
    fn has(self, token: &Token, place: &str) -> bool {
        (token.ticker.len() == 6 && self.old_place) == (place == "brc20-prog")
    }

    fn events(self, height: u64) -> impl Iterator<Item = (String, Value)> {
        let events = events(height).into_iter().filter(move |(_, row)| !(self.transfers && row["type"] == "receive"));
        events.map(move |(ticker, mut row)| {
            if self.transfers && row["type"] == "send" {
                row["type"] = "transfer".into();
            }
            (ticker, row)
        })
    }

    fn status(request: &ReceivedRequest) -> FakeResponse {
        // Without a filter, only tokens of 4 bytes.
        let filter = request.number("tick_filter", 8);
        let has_len = |token: &Token| filter & (1 << (token.ticker.len() - 1)) != 0;
        let mut all: Vec<Token> = tokens().into_iter().filter(has_len).collect();
        match request.query("sort") {
            "deploy" => all.reverse(),
            "transactions" | "holders" | "minted" | "" => {}
            _ => return failed("invalid sort"),
        }
        paged(request, all.iter().map(info).collect(), Some(TIP))
    }
}

fn ok(data: &Value) -> FakeResponse {
    json(200, object!({"code": 0, "msg": "OK", "data": data}).to_string())
}

fn failed(message: &str) -> FakeResponse {
    json(200, object!({"code": -1, "msg": message, "data": null}).to_string())
}

/// `start` and `limit` are required.
fn paged(request: &ReceivedRequest, rows: Vec<Value>, height: Option<u64>) -> FakeResponse {
    if request.query("start").is_empty() || request.query("limit").is_empty() {
        return failed("start and limit are required");
    }
    let (start, limit) = (request.number("start", 0), request.number("limit", 0));
    assert!(limit <= 500, "{limit} rows");
    let total = rows.len();
    let detail: Vec<Value> = rows.into_iter().skip(start).take(limit).collect();
    let mut data = object!({"start": start, "total": total, "detail": detail});
    if let Some(height) = height {
        data["height"] = height.into();
    }
    ok(&data)
}

/// Finds a token by its ticker, plain or hex-encoded.
fn find(name: &str) -> Option<Token> {
    let hex: Option<Vec<u8>> =
        (0..name.len()).step_by(2).map(|at| u8::from_str_radix(name.get(at..at + 2)?, 16).ok()).collect();
    let decoded = hex.and_then(|bytes| String::from_utf8(bytes).ok());
    tokens().into_iter().find(|token| token.ticker == name || Some(&token.ticker) == decoded.as_ref())
}

fn info(token: &Token) -> Value {
    object!({
        "ticker": token.ticker, "creator": "bc1qcreator", "totalMinted": token.minted, "confirmedMinted": token.minted,
        "confirmedMinted1h": "0", "confirmedMinted24h": "0", "minted": token.minted, "max": token.max, "limit": "1000",
        "decimal": 18, "mintTimes": 21004, "historyCount": token.events, "holdersCount": token.holders,
        "deployHeight": 779_832, "deployBlocktime": 1_678_248_991, "completeHeight": 0, "completeBlocktime": 0,
        "inscriptionId": id(1), "inscriptionNumber": 348_020, "inscriptionNumberStart": 348_021,
        "inscriptionNumberEnd": 400_123, "txid": tx(1)
    })
}

/// A transaction id.
pub(super) fn tx(n: u64) -> String {
    format!("{n:064x}")
}

/// An inscription id.
pub(super) fn id(n: u64) -> String {
    format!("{}i0", tx(n))
}

/// A block hash.
pub(super) fn block(height: u64) -> String {
    format!("{height:064x}")
}

/// The events of a block with their tickers. Four blocks below the tip have events of ORDI, one has very many events, and
/// one has a transfer of a ticker of 6 bytes.
fn events(height: u64) -> Vec<(String, Value)> {
    let row = |n: u64, ticker: &str, kind: &str, from: &str, to: &str, amount: &str, valid: bool| {
        let row = object!({
            "ticker": ticker, "type": kind, "valid": valid, "from": from, "to": to, "amount": amount,
            "overallBalance": "", "availableBalance": "", "transferBalance": "", "h": "",
            "inscriptionId": id(height * 10 + n), "inscriptionNumber": 101_230_011, "height": height,
            "blockhash": block(height), "blocktime": 1_795_074_000, "txid": tx(height * 10 + n), "txIdx": 12,
            "satoshi": 546, "offset": 0
        });
        (ticker.to_owned(), row)
    };
    let ordi = |n: u64| {
        vec![
            row(n, "ordi", "inscribe-mint", "", "bc1qminter", "1000", true),
            row(n + 1, "ordi", "inscribe-transfer", "", "bc1qfrom", "25.500000000000000001", true),
            row(n + 2, "ordi", "send", "bc1qfrom", "bc1qto", "25.500000000000000001", true),
            row(n + 2, "ordi", "receive", "bc1qfrom", "bc1qto", "25.500000000000000001", true),
            row(n + 3, "ordi", "inscribe-mint", "", "bc1qlate", "1000", false),
        ]
    };
    let mut rows = vec![row(9, "sats", "inscribe-mint", "", "bc1qminter", "100000000", true)];
    match TIP - height {
        1 | 3 => rows.extend(ordi(0)),
        // More than the pages that are worth it.
        100 => {
            rows.extend((10..2_600).map(|n| row(n, "t001", "inscribe-mint", "", "bc1qflood", "1", true)));
            rows.extend(ordi(0));
        }
        50 => rows.push(row(0, "sixbyt", "send", "bc1qfrom", "bc1qto", "5", true)),
        // Several pages.
        200 => {
            rows.extend((10..610).map(|n| row(n, "t001", "inscribe-mint", "", "bc1qflood", "1", true)));
            rows.extend(ordi(0));
        }
        _ => {}
    }
    rows
}

fn balances(request: &ReceivedRequest, address: &str, height: u64) -> FakeResponse {
    let all = match address {
        "bc1qholder" | HOLDER => vec![
            ("ordi", "25.500000000000000001", "25.5", "0.000000000000000001"),
            ("sats", "36893488147419103230", "36893488147419103230", "0"),
            ("pizza", "1", "1", "0"),
        ],
        _ => Vec::new(),
    };
    let filter = request.number("tick_filter", 8);
    let rows = all.into_iter().filter(|(ticker, ..)| filter & (1 << (ticker.len() - 1)) != 0);
    let rows = rows.map(|(ticker, overall, available, transferable)| {
        object!({"ticker": ticker, "overallBalance": overall, "availableBalance": available,
            "transferableBalance": transferable})
    });
    paged(request, rows.collect(), Some(height))
}

fn inscription(n: i64, address: &str) -> Value {
    object!({
        "inscriptionId": id(n.unsigned_abs()), "inscriptionNumber": n, "address": address, "offset": 0,
        "inscriptionIndex": 0, "contentType": "text/plain;charset=utf-8", "contentLength": 58, "height": 921_300,
        "timestamp": 1_795_075_200, "inSatoshi": 1000, "outSatoshi": 546, "hasDeligate": false,
        "hasMetaProtocal": false, "brc20": {"op": "transfer", "tick": "ordi", "amt": "100", "decimal": "18"},
        "utxo": {"txid": tx(77), "vout": 1, "satoshi": 546, "scriptPk": "0014aa", "isSpent": false}
    })
}

/// Maestro with a key.
pub(super) fn maestro() -> Fake {
    Fake::start(|request| {
        if request.headers.get("api-key").is_none_or(|value| value != "maestro-key") {
            return json(402, r#"{"message":"payment required"}"#);
        }
        let of = |data: Value| {
            let body = object!({"data": data, "last_updated": {"block_hash": block(TIP), "block_height": TIP}});
            json(200, body.to_string())
        };
        let path = percent_encoding::percent_decode_str(&request.path).decode_utf8().unwrap().into_owned();
        match path.trim_start_matches('/').split('/').collect::<Vec<_>>().as_slice() {
            ["assets", "brc20", "ordi"] => of(object!({
                "ticker": "ordi", "ticker_hex": "6f726469", "deploy_inscription": id(1), "holders": 23_411,
                "minted_supply": "20999999.000000000000000001",
                "terms": {"dec": 18, "limit": "1000.000000000000000000", "max": "21000000.000000000000000000",
                    "self_mint": false}
            })),
            ["assets", "brc20", "liar"] => of(object!({
                "ticker": "ordi", "ticker_hex": "6f726469", "deploy_inscription": id(1), "holders": 1,
                "minted_supply": "1", "terms": {"dec": 18, "limit": "1", "max": "1", "self_mint": false}
            })),
            ["assets", "brc20", "sats"] => of(object!({
                "ticker": "sats", "holders": "51234", "minted_supply": 2100.5,
                "terms": {"dec": "8", "limit": 1000, "max": 22e2, "self_mint": null}
            })),
            // Two pages.
            ["addresses", "bc1qmany", "brc20"] => {
                let (tickers, next) = match request.query("cursor") {
                    "" => (0..100, Value::from("second+page")),
                    "second+page" => (100..130, Value::Null),
                    other => panic!("{other:?}"),
                };
                let data: Value =
                    tickers.map(|n| (format!("t{n:03}"), object!({"total": "2", "available": "1"}))).collect();
                let last = object!({"block_hash": block(TIP), "block_height": TIP});
                json(200, object!({"data": data, "last_updated": last, "next_cursor": next}).to_string())
            }
            // Pages without end.
            ["addresses", "bc1qendless", "brc20"] => {
                let page = request.number("cursor", 0);
                let data: Value = (0..100).map(|n| (format!("t{page}n{n}"), Value::from("2"))).collect();
                json(200, object!({"data": data, "next_cursor": (page + 1).to_string()}).to_string())
            }
            ["addresses", "bc1qholder" | HOLDER, "brc20"] => of(object!({
                "sats": {"total": "312000.000", "available": "0.123"}, "ordi": "7.000000000000000001",
                "gone": {"total": "0.000", "available": "0.000"}
            })),
            _ => json(404, r#"{"message":"Requested entity not found on-chain"}"#),
        }
    })
}

/// A sat with this many inscriptions.
pub(super) const SAT: u64 = 1_914_287_520_444_193;
const ON_SAT: u64 = 230;

/// An ord server: ordinals.com without a JSON API, or the user's own.
pub(super) fn ord(has_json: bool, has_sats: bool) -> Fake {
    Fake::start(move |request| {
        let plain = |status: u16, body: &str| FakeResponse {
            status,
            headers: vec![("content-type", String::from("text/plain; charset=utf-8"))],
            body: body.into(),
            delay: Duration::ZERO,
        };
        let parts: Vec<&str> = request.path.trim_start_matches('/').split('/').collect();
        // The oldest first.
        let on = |sat: &str| match sat.parse::<u64>() {
            Ok(SAT) => 1..ON_SAT + 1,
            Ok(7) => 501..503,
            Ok(8) => 10_000..15_030,
            _ => 0..0,
        };
        let page = |sat: &str, page: usize| {
            let ids: Vec<String> = on(sat).skip(page * 100).take(100).map(id).collect();
            let more = on(sat).count() > page * 100 + 100;
            json(200, object!({"more": more, "ids": ids, "page": page}).to_string())
        };
        if parts[0] == "r" && parts[1] == "sat" && !has_sats {
            return plain(404, "this server has no sat index");
        }
        match parts.as_slice() {
            ["r", "sat", sat] => page(sat, 0),
            ["r", "sat", sat, at] => page(sat, at.parse().unwrap()),
            ["r", "sat", sat, "at", at] => {
                let from_end = at.strip_prefix('-').unwrap().parse::<usize>().unwrap();
                let found = on(sat).rev().nth(from_end - 1).map(id);
                let mut response = json(200, object!({"id": found}).to_string());
                response.headers.push(("cache-control", String::from("no-store")));
                response
            }
            ["r", "inscription", name] => match u64::from_str_radix(name.trim_end_matches("i0"), 16) {
                Ok(n) if n < 1_000 => json(200, recursive(n).to_string()),
                _ => plain(404, &format!("inscription {name} not found")),
            },
            ["content", _] => FakeResponse {
                headers: vec![("content-type", String::from("text/html;charset=utf-8"))],
                ..plain(200, "<html>gm</html>")
            },
            _ if !has_json => plain(406, "JSON API disabled"),
            ["inscription", "348020"] => {
                let mut found = recursive(1);
                found["number"] = 348_020.into();
                found["satpoint"] = format!("{}:0:0", tx(77)).into();
                found["properties"] = object!({});
                json(200, found.to_string())
            }
            ["inscriptions", at] => {
                let at: u64 = at.parse().unwrap();
                let ids: Vec<String> = (at * 100..(at * 100 + 100).min(250)).map(|n| id(250 - n)).collect();
                json(200, object!({"ids": ids, "more": at < 2, "page_index": at}).to_string())
            }
            ["address", OWNER] => {
                let body =
                    object!({"outputs": [], "inscriptions": [id(3), id(5)], "sat_balance": 1, "runes_balances": []});
                json(200, body.to_string())
            }
            _ => plain(404, "not found"),
        }
    })
}

fn recursive(n: u64) -> Value {
    object!({
        "charms": ["cursed"], "content_type": "text/plain;charset=utf-8", "content_length": 58, "delegate": null,
        "fee": 1200, "height": 921_300, "id": id(n), "number": 1000 - n.cast_signed(), "output": format!("{}:0", tx(77)),
        "sat": if n > 500 { 7 } else { SAT }, "satpoint": format!("{}:0:0", tx(77)), "timestamp": 1_795_075_200, "value": 546,
        "address": OWNER
    })
}
