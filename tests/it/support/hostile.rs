//! Hostile text, and a service that puts it into every text of its responses.

use satscope::client::decode::decode;
use satscope::client::{ClientConfig, ErrorKind, Limits, Request, ResponseData, Warning, endpoint};
use serde_json::{Value, json};
use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

/// Short strings, each with one kind of harmful or difficult content.
pub(crate) const PAYLOADS: [&str; 36] = [
    "\u{1b}[31mred\u{1b}[2J\u{1b}[H",
    "\u{1b}]0;owned\u{7}title",
    "\u{1b}]2;owned\u{1b}\\title",
    "\u{1b}]52;c;cm0gLXJmIH4=\u{7}clipboard",
    "\u{1b}]8;;https://evil.example\u{7}link\u{1b}]8;;\u{7}",
    "\u{1b}P+q544e\u{1b}\\dcs\u{1b}[6n\u{1b}c",
    "\u{9b}31m\u{9d}0;owned\u{9c}c1\u{90}q\u{9c}",
    "nul\u{0}bel\u{7}bs\u{8}\u{8}del\u{7f}so\u{e}si\u{f}",
    "gnp.\u{202e}exe\u{202c}\u{202d}x\u{2066}y\u{2069}\u{200f}\u{200e}\u{61c}",
    "ze\u{200b}ro\u{200c}wi\u{200d}dth\u{2060}\u{feff}\u{ad}\u{34f}",
    "tag\u{e0041}\u{e0042}\u{e007f}vs\u{fe0f}\u{fe0e}\u{e0100}",
    "a\u{fff9}b\u{fffa}c\u{fffb}\u{ffff}\u{fdd0}\u{1fffe}",
    "\u{3164}\u{115f}\u{1160}\u{ffa0}filler\u{2800}\u{180e}",
    "z\u{300}\u{301}\u{302}\u{303}\u{304}\u{305}\u{306}\u{307}\u{308}\u{309}\u{30a}\u{30b}\u{489}\u{489}\u{489}algo",
    "\u{301}\u{489}\u{20dd}begins with marks",
    "日本語のとても長い名前です全角ＡＢＣ",
    "👨\u{200d}👩\u{200d}👧\u{200d}👦👍🏽🏳\u{fe0f}\u{200d}🌈❤\u{fe0f}",
    "🇩🇪🇫🇷🇩 flags 1\u{fe0f}\u{20e3}",
    "§±°×÷αβγ─│■□▲△◆○●★☆♠♥①Ⓐ",
    "one\ntwo\r\nthree\rfour\u{85}five\u{2028}six\u{2029}seven\u{b}eight\u{c}nine\tten",
    "   padded   \t  ",
    "=cmd|' /C calc'!A0",
    "  =1+1",
    "\u{3000}＝1+1",
    "\t@SUM(1+1)",
    "+1;=2;-cmd|x;@a",
    "x\n=HYPERLINK(\"https://evil.example\")",
    "שלום עולם مرحبا بالعالم",
    "ﷺ﷽𒐫𒈙꧅⸻",
    "กำลังนมัสการ नमस्ते क्षत्रिय 각각",
    "ligature لا لله ﬁ Ǆ ŉ ΐ",
    "$(touch /tmp/owned) `id` ; rm -rf ~ && \\u001b[31m %s%n%x {0} ${HOME}",
    "\"><script>alert(1)</script>&#x1b;[31m",
    "'\",;\\/\u{0}\"\"",
    "1\u{1b}[31m2\u{202e}3",
    "-",
];

/// [`PAYLOADS`], then very long words: letters, wide characters, marks, and white space.
pub(crate) fn payloads() -> Vec<String> {
    let long = [("W", 3_000), ("語", 1_000), ("a\u{301}\u{489}", 1_000), ("\u{489}", 2_000), (" ", 2_000)];
    let long = long.into_iter().map(|(unit, times)| unit.repeat(times));
    PAYLOADS.iter().map(|&text| String::from(text)).chain(long).collect()
}

/// Whether no output may contain a character: control characters, changes of text direction, invisible characters. This
/// list is independent of the program's own.
pub(crate) fn is_forbidden(c: char) -> bool {
    c.is_control()
        || matches!(u32::from(c),
            0xad | 0x34f | 0x61c | 0x115f | 0x1160 | 0x17b4 | 0x17b5 | 0x180b..=0x180f | 0x200b..=0x200f | 0x2028..=0x202e
            | 0x2060..=0x206f | 0x3164 | 0xfe00..=0xfe0f | 0xfeff | 0xffa0 | 0xfff0..=0xfffb | 0xfdd0..=0xfdef
            | 0xe0000..=0xe0fff)
        || u32::from(c) & 0xfffe == 0xfffe
}

/// Fails if `text` could mislead a terminal or a reader. `lines` allows line feeds.
pub(crate) fn assert_harmless(text: &str, lines: bool, context: &str) {
    // Most of a screen, without looking at each character.
    if text.bytes().all(|byte| matches!(byte, b' '..=b'~')) {
        return;
    }
    let mut marks = 0;
    for c in text.chars() {
        let bad = is_forbidden(c) && !(lines && c == '\n');
        assert!(!bad, "{context}: {c:?} in {:?}", near(text, c));
        marks = if c.width() == Some(0) { marks + 1 } else { 0 };
        assert!(marks <= 4, "{context}: {marks} marks on one letter in {:?}", near(text, c));
    }
}

fn near(text: &str, c: char) -> String {
    let at = text.find(c).unwrap_or(0);
    text.get(..at).unwrap_or("").chars().rev().take(40).collect::<Vec<_>>().into_iter().rev().chain([c]).collect()
}

const ID: &str = "b61b0172d95e266c18aea0c624db987e971a5d6d4ebc2aaed85da4642d635735i0";

/// The body of a hostile service at a target: a payload in every text, in keys, and in place of numbers; one harmless
/// item at the end of every list.
pub(crate) fn body(target: &str, p: &str) -> String {
    let path = target.split('?').next().unwrap_or("");
    let page = |items: Vec<Value>| json!({"limit": 20, "offset": 0, "total": p, "results": items});
    let body = match path {
        "/coins" | "/coins/stats" => json!({"status": {"error_code": 0, "error_message": p, "notice": p}, p: p, "data":
            [coin(1, p), coin(2, p), coin(3, "ordi")]}),
        "/content" => json!({"data": {"list": [post(1, p), post(2, p), post(3, "gm")], "last_score": p}}),
        "/exchanges" => {
            json!({"data": {"id": p, "name": p, "symbol": p, "market_pairs": [pair(p), pair(p), pair("Fine")]}})
        }
        "/chart" => json!({"data": {"points": {"1795075200": {"v": [8.4, p, 2000]}, "1795075500": {"v": [8.5, 1, 1]},
            p: {"v": [1, 2]}}, p: p}}),
        "/market/data" => {
            let quotes = json!([
                {"timestamp": "2026-11-19T08:00:00Z", "quote": {"USD": {"price": 8.4}, p: {"price": p}}},
                {"timestamp": p, "quote": {"USD": {"price": 1}}},
                {"timestamp": "2026-11-19T09:00:00Z", "quote": {"USD": {"price": 8.5}}},
            ]);
            let one = |symbol: &str| json!([{"id": p, "name": p, "symbol": symbol, "slug": p, "quotes": quotes}]);
            json!({"data": {"BTC": one("BTC"), "ORDI": one("ORDI"), p: one(p)}})
        }
        "/ordinals/brc-20/tokens" => page(vec![token(p, p), token(p, p), token("fine", "fine")]),
        "/ordinals/brc-20/activity" => page(vec![activity(p), activity(p), activity("fine")]),
        "/ordinals/inscriptions" => {
            let mut items = vec![inscription(p), inscription(p), inscription("fine")];
            // Rows of another address are skipped.
            if let Some((_, address)) = target.split_once("address=") {
                items.iter_mut().for_each(|item| item["address"] = json!(address.split('&').next()));
            }
            page(items)
        }
        "/ordinals/stats/inscriptions" => json!({"results": [{"block_height": "921300", "block_hash": p,
            "inscription_count": "12", "inscription_count_accum": p, "timestamp": 1_795_075_200_000_i64, p: p}]}),
        _ if path.ends_with("/holders") => page(vec![
            json!({"address": p, "overall_balance": "12.5", p: p}),
            json!({"address": format!("{p}2"), "overall_balance": p}),
            json!({"address": "bc1qfine", "overall_balance": "1"}),
        ]),
        _ if path.starts_with("/ordinals/brc-20/tokens/") => {
            json!({"token": token("ordi", p), "supply": {"max_supply": "21000000", "minted_supply": p, "holders": p, p: p}})
        }
        _ if path.starts_with("/ordinals/brc-20/balances/") => page(vec![
            json!({"ticker": p, "available_balance": "1", "transferrable_balance": p, "overall_balance": "1"}),
            json!({"ticker": format!("{p}2"), "available_balance": "1", "overall_balance": "1", p: 1}),
        ]),
        _ if path.ends_with("/inscriptions") => page(vec![inscription(p), inscription("fine")]),
        _ if path.starts_with("/ordinals/sats/") => json!({"coinbase_height": p, "cycle": 9, "decimal": p, "degree": p,
            "epoch": 1, "inscription_id": p, "offset": 1, "percentile": p, "period": 2, "rarity": p, p: p}),
        _ if path.starts_with("/ordinals/inscriptions/") => inscription(p),
        _ => json!({"error": p}),
    };
    body.to_string()
}

fn coin(index: u32, p: &str) -> Value {
    json!({
        "id": format!("{p}{index}"), "name": p, "symbol": p, "slug": format!("{p}-{index}"), "cmc_rank": index,
        "tags": [p, {"slug": p}], "tag-names": [p], "category": p, "description": p,
        "urls": {"website": [format!("https://a.example/{p}"), p, "https://good.example@evil.example/", "https://аррӏе.example/"],
            "chat": format!("https://b.example/{p}"), p: ["https://c.example/"]},
        "twitter_username": p,
        "platform": {"name": p, "slug": p, "symbol": p, "token_address": p},
        "contract_address": [{"contract_address": p, "platform": {"name": p}}],
        "quote": {"USD": {"price": 8.4 / f64::from(index), "percent_change_1h": p, "percent_change_24h": -3.8,
            "percent_change_7d": 11, "volume_24h": 61e6, "market_cap": p, "last_updated": p}, p: p},
        "circulating_supply": p, "max_supply": 21_000_000, "last_updated": p, "sparkline_7d": [1, 2, 3, p], p: p, (format!("{p}x")): {p: p},
    })
}

fn post(index: u32, p: &str) -> Value {
    json!({
        "post_id": format!("{p}{index}"), "owner": {"nickname": p, "handle": p}, "title": p,
        "text_content": format!("{p}\n{p} https://good.example@evil.example/{p} http://{p}/ https://fine.example/a {p}"),
        "like_count": "37", "comment_count": p, "repost_count": 1, "post_time": p,
        "comments_url": format!("https://posts.example/{p}"), "url": format!("https://posts.example/{index}#{p}"),
        "currencies": [{"symbol": "ORDI"}, {"symbol": p}, p], "language_code": p, p: p,
    })
}

fn pair(p: &str) -> Value {
    json!({
        "exchange": {"name": p, "slug": p}, "market_pair": p, "category": p, "fee_type": p,
        "market_pair_base": {"currency_symbol": "ORDI"}, "market_pair_quote": {"currency_symbol": p},
        "outlier_detected": p, "exclusions": [p],
        "quote": {"USD": {"price": 8.41, "volume_24h": 12_200_000, "depth_positive_two": p, "last_updated": p}}, p: p,
    })
}

fn token(ticker: &str, p: &str) -> Value {
    json!({
        "id": p, "number": p, "block_height": 779_832, "tx_id": p, "address": p, "ticker": ticker,
        "max_supply": "21000000.000000000000000000", "mint_limit": p, "decimals": 18, "deploy_timestamp": p,
        "minted_supply": "20999999.000000000000000001", "tx_count": p, "self_mint": p, p: p,
    })
}

fn activity(p: &str) -> Value {
    json!({
        "operation": p, "ticker": p, "inscription_id": p, "block_height": p, "block_hash": p, "tx_id": p, "location": p,
        "address": p, "timestamp": p, "deploy": {"max_supply": p, "mint_limit": p, "decimals": p},
        "transfer_send": {"amount": p, "from_address": p, "to_address": p}, p: p,
    })
}

fn inscription(p: &str) -> Value {
    json!({
        "id": ID, "number": -7, "address": p, "genesis_address": p, "genesis_block_height": p, "genesis_block_hash": p,
        "genesis_tx_id": p, "genesis_fee": p, "genesis_timestamp": p, "tx_id": p, "location": p, "output": p, "value": p,
        "offset": p, "sat_ordinal": p, "sat_rarity": p, "sat_coinbase_height": p, "mime_type": p, "content_type": p,
        "content_length": p, "timestamp": p, "curse_type": p, "recursive": p, "recursion_refs": [p], "parent": p,
        "parent_refs": [p, p], "metadata": {p: p}, "meta_protocol": p, p: p,
    })
}

/// The decoded response of the hostile service to a request.
pub(crate) fn response(request: &Request, p: &str) -> Result<(ResponseData, Vec<Warning>), ErrorKind> {
    let target = endpoint::path_and_query(&ClientConfig::at("http://127.0.0.1"), request)?;
    decode(request, body(&target, p).as_bytes(), Some("application/json"), &Limits::default())
}

/// The columns of a row of cells; every cell must be complete.
pub(crate) fn columns_of(symbols: &[&str], context: &str) -> usize {
    let mut columns = 0;
    let mut skip = 0;
    for symbol in symbols {
        if skip > 0 {
            // The cell under the second half of a wide character is not painted.
            skip -= 1;
            continue;
        }
        // Some scripts join several letters into one of three columns and more.
        let width = symbol.chars().filter_map(|c| c.width()).sum::<usize>();
        assert!(width >= 1 && width == symbol.width(), "{context}: a cell of {width} columns: {symbol:?}");
        columns += width;
        skip = width - 1;
    }
    assert_eq!(skip, 0, "{context}: half a character at the edge: {symbols:?}");
    columns
}
