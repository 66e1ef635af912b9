use std::collections::BTreeSet;
use std::sync::{Arc, LazyLock};

use proptest::prelude::*;
use serde_json::Value;

use super::*;
use crate::client::{Client, ClientConfig, Request, ResponseData};
use crate::fetch::Receipt;
use crate::model::{Currency, InscriptionRef, Period, PostOrder, RateOrigin, Tag, Text, UtcTime};
use crate::service::{self, Options};

const SOURCE: &str = "market http://coins.example\nindexer demo\n";

/// One response of each kind, from the embedded service.
static RESPONSES: LazyLock<Vec<CachedResponse>> = LazyLock::new(|| {
    let service = service::start(Options::default()).unwrap();
    let client = Client::new(ClientConfig::at(&service.url())).unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let fetch = |request: Request| {
        let reply = runtime.block_on(client.get(&request, None)).unwrap();
        let receipt = Receipt {
            url: reply.url,
            status: reply.status,
            bytes: reply.bytes,
            latency: reply.latency,
            fetched_at: reply.fetched_at,
            fresh_until: reply.fetched_at,
            simulated: reply.simulated,
            rows: reply.rows,
            provider: Some(Text::from("coingecko")),
            rate: Some(Box::new(RateOrigin { provider: Text::from("ecb"), at: UtcTime::from_secs(1) })),
            age: std::time::Duration::from_secs(120),
            ..Receipt::default()
        };
        CachedResponse { request, response: Arc::new(reply.response.unwrap()), receipt, abridged: false }
    };
    let (symbol, slug, ticker) = (Text::from("ORDI"), Text::from("ordi"), Text::from("ordi"));
    let convert = Currency::parse("EUR").unwrap();
    let inscriptions = fetch(Request::Inscriptions { address: None, offset: 0, limit: 5 });
    let holders = fetch(Request::Brc20Holders { ticker: ticker.clone(), offset: 0, limit: 5 });
    let ResponseData::Inscriptions(page) = &*inscriptions.response else { panic!("{inscriptions:?}") };
    let inscription = page.items[0].clone();
    let number = inscription.sat.unwrap();
    let is_text =
        |content_type: &Option<Text>| content_type.as_ref().is_some_and(|kind| kind.starts_with("text/plain"));
    let all = fetch(Request::Inscriptions { address: None, offset: 0, limit: 60 });
    let ResponseData::Inscriptions(page) = &*all.response else { panic!("{all:?}") };
    let text = page.items.iter().find(|item| is_text(&item.content_type)).expect("a text inscription").id.clone();
    let ResponseData::Holders(page) = &*holders.response else { panic!("{holders:?}") };
    let address = page.items[0].address.clone().unwrap();
    let requests = [
        Request::Coins { tag: Tag::All, start: 1, limit: 20, convert: convert.clone() },
        Request::Posts { symbol: symbol.clone(), slug: Some(slug.clone()), order: PostOrder::Latest },
        Request::MarketPairs { symbol: symbol.clone(), slug: Some(slug.clone()), convert: convert.clone() },
        Request::Chart { slug: slug.clone(), period: Period::Week, convert: convert.clone() },
        Request::MarketData { symbols: vec![symbol], convert: convert.clone(), count: 20, interval: Text::from("1h") },
        Request::CategoryStats { tag: Tag::Brc20, convert },
        Request::Brc20Tokens { ticker: None, offset: 0, limit: 5 },
        Request::Brc20Token { ticker: ticker.clone() },
        Request::Brc20Balances { address: address.clone(), offset: 0, limit: 5 },
        Request::Brc20Activity { ticker: Some(ticker), block_height: None, offset: 0, limit: 20 },
        Request::Sat { number },
        Request::SatInscriptions { number, offset: 0, limit: 5 },
        Request::Inscription { inscription: InscriptionRef::Id(inscription.id) },
        Request::InscriptionContent { id: text },
        Request::InscriptionStats { from_block: None, to_block: None },
    ];
    requests.into_iter().map(fetch).chain([inscriptions, holders]).collect()
});

fn encoded(kept: &[CachedResponse]) -> Vec<u8> {
    encode(SOURCE, kept, 64 << 20).unwrap().0
}

fn decode(file: &[u8], source: &str) -> Result<Vec<CachedResponse>, Invalid> {
    super::decode(file, source, |_| true)
}

/// Adds the path of every field of a value.
fn paths(value: &Value, prefix: &str, all: &mut BTreeSet<String>) {
    match value {
        Value::Object(fields) => fields.iter().for_each(|(name, value)| {
            let path = format!("{prefix}.{name}");
            paths(value, &path, all);
            all.insert(path);
        }),
        Value::Array(items) => items.iter().for_each(|item| paths(item, prefix, all)),
        _ => {}
    }
}

#[test]
fn snapshot_types_match_version() {
    // If this fails, a type has changed: increment VERSION and update the checksum here.
    let mut all = BTreeSet::new();
    paths(&serde_json::to_value(&*RESPONSES).unwrap(), "", &mut all);
    let all: Vec<String> = all.into_iter().collect();
    assert_eq!(
        (VERSION, format!("{:08x}", crc32fast::hash(all.join("\n").as_bytes())).as_str()),
        (16, "778b9b06"),
        "{all:#?}"
    );
}

#[test]
fn responses_are_decoded_as_they_were_encoded() {
    for kept in &*RESPONSES {
        assert!(!kept.response.is_empty(), "{}", kept.request.describe());
        let file = encoded(std::slice::from_ref(kept));
        assert_eq!(decode(&file, SOURCE).unwrap(), std::slice::from_ref(kept), "{}", kept.request.describe());
    }
    assert_eq!(decode(&encoded(&RESPONSES), SOURCE).unwrap(), *RESPONSES);
}

#[test]
fn file_without_responses_is_valid() {
    assert_eq!(decode(&encoded(&[]), SOURCE), Ok(Vec::new()));
}

#[test]
fn responses_that_do_not_fit_are_omitted() {
    let whole = encoded(&RESPONSES).len();
    let (file, count) = encode(SOURCE, &*RESPONSES, whole / 2).unwrap();
    assert!(file.len() <= whole / 2);
    let read = decode(&file, SOURCE).unwrap();
    assert_eq!(read.len(), count);
    assert!((2..RESPONSES.len()).contains(&count), "{count}");
}

#[test]
fn snapshot_of_another_source_is_an_error() {
    assert_eq!(decode(&encoded(&RESPONSES), "market demo\nindexer demo\n"), Err(Invalid::OtherSource));
}

#[test]
fn snapshot_of_another_version_is_an_error_with_its_number() {
    let mut file = encoded(&RESPONSES);
    file[8] = 0xff;
    let error = decode(&file, SOURCE).unwrap_err();
    assert_eq!(error, Invalid::Version(255));
    assert!(error.to_string().contains("255"));
}

#[test]
fn foreign_snapshot_file_is_an_error() {
    for other in [&b""[..], b"{}", b"satscop", b"\x1f\x8b\x08\0\0\0\0\0\0\0\0\0"] {
        assert_eq!(decode(other, SOURCE), Err(Invalid::NotASnapshot), "{other:?}");
    }
}

#[test]
fn flipped_bit_in_snapshot_is_detected() {
    let mut file = encoded(&RESPONSES[7..9]);
    for at in 0..file.len() {
        for bit in 0..8 {
            file[at] ^= 1 << bit;
            assert!(decode(&file, SOURCE).is_err(), "bit {bit} of byte {at}");
            file[at] ^= 1 << bit;
        }
    }
    assert!(decode(&file, SOURCE).is_ok());
}

#[test]
fn truncated_snapshot_is_detected() {
    let file = encoded(&RESPONSES[7..9]);
    for end in 0..file.len() {
        assert!(decode(&file[..end], SOURCE).is_err(), "{end} of {} bytes", file.len());
    }
}

#[test]
fn impossible_row_count_in_snapshot_is_rejected() {
    let with_rows = |rows| {
        let mut kept = RESPONSES[0].clone();
        kept.receipt.rows = rows;
        kept
    };
    let file = encoded(&[with_rows(MAX_ROWS + 1), with_rows(usize::MAX), with_rows(MAX_ROWS)]);
    assert_eq!(decode(&file, SOURCE).unwrap(), [with_rows(MAX_ROWS)]);
}

#[test]
fn wrong_length_in_snapshot_allocates_little() {
    // The first page claims 2^62 items.
    let mut content = postcard::to_allocvec(SOURCE).unwrap();
    content.extend(postcard::to_allocvec(&RESPONSES[0].request).unwrap());
    content.push(0);
    content.extend(postcard::to_allocvec(&(1_u64 << 62)).unwrap());
    content.resize(content.len() + (1 << 20), 0xff);
    assert_eq!(decode_content(&content, SOURCE, |_| true), Err(Invalid::Damaged));
}

proptest! {
    #[test]
    fn snapshot_decoder_accepts_any_bytes(bytes in prop::collection::vec(any::<u8>(), 0..600)) {
        let _ = decode(&bytes, SOURCE);
        let mut content = postcard::to_allocvec(SOURCE).unwrap();
        content.extend(bytes);
        let _ = decode_content(&content, SOURCE, |_| true);
    }

    #[test]
    fn damaged_responses_are_decoded_without_a_panic(
        response in 0..RESPONSES.len(),
        changes in prop::collection::vec((any::<usize>(), any::<u8>()), 1..4),
    ) {
        let mut content = encoded(&RESPONSES[response..=response]).split_off(HEADER);
        for (at, byte) in changes {
            let at = at % content.len();
            content[at] = byte;
        }
        let _ = decode_content(&content, SOURCE, |_| true);
    }
}
