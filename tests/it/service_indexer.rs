//! The indexer group of the service over HTTP: exact response shapes and consistent data.

mod brc20;
mod inscriptions;
mod protocol;

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::LazyLock;

use satscope::model::UtcTime;
use satscope::service::{Options, Running, TimeSource, start};
use serde_json::Value;

/// 2026-11-20T07:21:51Z.
const NOW: UtcTime = UtcTime::from_secs(1_795_159_311);

const JSON: &str = "application/json; charset=utf-8";
const REVALIDATE: &str = "public, no-cache, must-revalidate";

fn service_at(time: TimeSource) -> Running {
    start(Options { seed: 7, time, ..Options::default() }).unwrap()
}

/// A service with a stopped clock, shared by tests that only read.
static SERVICE: LazyLock<Running> = LazyLock::new(|| service_at(TimeSource::fixed(NOW)));

struct Response {
    status: u16,
    head: String,
    body: Vec<u8>,
}

impl Response {
    fn header(&self, name: &str) -> Option<&str> {
        let lines = self.head.lines().filter_map(|line| line.split_once(':'));
        lines.into_iter().find(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value.trim())
    }

    fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap()
    }
}

/// Sends one request byte for byte, so that no client library normalises the path.
fn send(address: SocketAddr, method: &str, target: &str, headers: &str) -> Response {
    let mut stream = TcpStream::connect(address).unwrap();
    let request = format!(
        "{method} {target} HTTP/1.1\r\nhost: localhost\r\naccept: application/json\r\nconnection: close\r\n{headers}\r\n"
    );
    stream.write_all(request.as_bytes()).unwrap();
    let mut bytes = Vec::new();
    stream.read_to_end(&mut bytes).unwrap();
    let end = bytes.windows(4).position(|window| window == b"\r\n\r\n").unwrap();
    let head = String::from_utf8(bytes[..end].to_vec()).unwrap();
    assert!(!head.to_lowercase().contains("transfer-encoding"), "{head}");
    let status = head.split(' ').nth(1).unwrap().parse().unwrap();
    Response { status, head, body: bytes[end + 4..].to_vec() }
}

fn get(target: &str) -> Response {
    send(SERVICE.address(), "GET", target, "")
}

/// The JSON of a path below `/ordinals` that must exist.
fn ok(path: &str) -> Value {
    let response = get(&format!("/ordinals{path}"));
    assert_eq!(response.status, 200, "{path}: {}", String::from_utf8_lossy(&response.body));
    assert_eq!(response.header("content-type"), Some(JSON), "{path}");
    response.json()
}

/// All items of a list, joined from full pages; the totals of the pages must match their number.
fn all(path: &str) -> Vec<Value> {
    let mut items = Vec::new();
    let join = if path.contains('?') { '&' } else { '?' };
    loop {
        let page = ok(&format!("{path}{join}offset={}&limit=60", items.len()));
        assert_eq!(page["limit"], 60);
        assert_eq!(page["offset"], items.len());
        let results = page["results"].as_array().unwrap();
        if results.is_empty() {
            return items;
        }
        items.extend(results.iter().cloned());
        let total = page["total"].as_u64().unwrap() as usize;
        assert!(items.len() <= total);
        if items.len() == total {
            return items;
        }
    }
}

fn keys(value: &Value) -> Vec<&str> {
    value.as_object().unwrap().keys().map(String::as_str).collect()
}

fn text<'a>(value: &'a Value, key: &str) -> &'a str {
    value[key].as_str().unwrap_or_else(|| panic!("{key} of {value} is no string"))
}

fn number(value: &Value, key: &str) -> i64 {
    value[key].as_i64().unwrap_or_else(|| panic!("{key} of {value} is no integer"))
}

/// A decimal number in units of 10^-18, exact.
fn atoms(text: &str) -> u128 {
    let (units, fraction) = text.split_once('.').unwrap_or((text, ""));
    format!("{units}{fraction:0<18}").parse().unwrap()
}

fn amount(value: &Value, key: &str) -> u128 {
    atoms(text(value, key))
}

/// Whether an amount has at most these fractional digits and no trailing zeros.
fn is_canonical(text: &str, decimals: usize) -> bool {
    text.split_once('.')
        .is_none_or(|(_, fraction)| (1..=decimals).contains(&fraction.len()) && !fraction.ends_with('0'))
}

fn encode(ticker: &str) -> String {
    ticker.bytes().map(|byte| format!("%{byte:02X}")).collect()
}
