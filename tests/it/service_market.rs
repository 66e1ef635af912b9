//! The market group of the service over HTTP: the same quantity has the same value everywhere.

mod coherence;
mod http;
mod openapi;
mod posts;

use std::time::Duration;

use reqwest::header::HeaderMap;
use satscope::model::UtcTime;
use satscope::service::{self, FaultInjection, Options, Running, TimeSource};
use serde_json::Value;

/// 2026-11-19T08:00:00Z, on every step of every chart.
const ROUND: i64 = 1_795_075_200;
/// A minute and a bit later, on none.
const ODD: i64 = ROUND + 73;

/// A service with a stopped clock, and a client for it.
struct Service {
    running: Running,
    client: reqwest::Client,
}

/// A response.
struct Got {
    status: u16,
    headers: HeaderMap,
    body: Vec<u8>,
}

impl Service {
    fn at(seed: u64, secs: i64) -> Service {
        Service::with(Options { seed, time: TimeSource::fixed(UtcTime::from_secs(secs)), ..Options::default() })
    }

    fn with_faults(fault_injection: FaultInjection) -> Service {
        Service::with(Options { fault_injection, ..Options::default() })
    }

    fn with(options: Options) -> Service {
        // Another test may have chosen the provider already; it is the same one.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let client = reqwest::Client::builder().no_proxy().timeout(Duration::from_secs(60)).build().unwrap();
        Service { running: service::start(options).unwrap(), client }
    }

    async fn send(&self, method: reqwest::Method, path: &str, headers: &[(&str, &str)]) -> Got {
        let mut request = self.client.request(method, format!("{}{path}", self.running.url()));
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let response = request.send().await.unwrap();
        let (status, headers) = (response.status().as_u16(), response.headers().clone());
        Got { status, headers, body: response.bytes().await.unwrap().to_vec() }
    }

    async fn get(&self, path: &str) -> Got {
        self.send(reqwest::Method::GET, path, &[]).await
    }

    /// The `data` of a response that must be successful.
    async fn data(&self, path: &str) -> Value {
        let got = self.get(path).await;
        assert_eq!(got.status, 200, "{path}: {}", String::from_utf8_lossy(&got.body));
        let mut json = got.json();
        assert_eq!(json["status"]["error_code"], 0, "{path}");
        json["data"].take()
    }

    async fn list(&self, path: &str) -> Vec<Value> {
        match self.data(path).await {
            Value::Array(items) => items,
            other => panic!("{path}: {other}"),
        }
    }
}

impl Got {
    fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap()
    }

    fn header(&self, name: &str) -> &str {
        self.headers.get(name).map(|value| value.to_str().unwrap()).unwrap_or_default()
    }
}

/// A field that must be a number.
fn number(value: &Value, field: &str) -> f64 {
    value[field].as_f64().unwrap_or_else(|| panic!("{field} of {value}"))
}

/// A field that must be a string.
fn text<'a>(value: &'a Value, field: &str) -> &'a str {
    value[field].as_str().unwrap_or_else(|| panic!("{field} of {value}"))
}

/// Whether two rounded numbers are equal up to their last digits.
fn near(a: f64, b: f64, tolerance: f64) -> bool {
    a == b || ((a - b) / b).abs() <= tolerance
}
