//! Everything that can go wrong between a request and its response.

use std::time::Duration;

use satscope::client::{ErrorKind, Limits};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpSocket};

use super::responses;
use super::tls::{TlsServer, self_signed};
use crate::client::server::{Server, Step, response};

/// Maximum bytes of a response: more than the deepest nesting needs.
pub(crate) const MAX_BYTES: u64 = 1 << 20;

/// A fault.
pub(crate) struct Fault {
    pub(crate) name: &'static str,
    pub(crate) where_: Where,
    pub(crate) outcome: Outcome,
}

/// Location of the fault.
pub(crate) enum Where {
    /// A port without a listener.
    Nobody,
    /// A host name without an address.
    Nowhere,
    /// TLS to a server without TLS.
    NoTls,
    /// A server with an untrusted certificate.
    SelfSigned,
    /// A server with this response to a target.
    Server(fn(&str, u32) -> Vec<Step>),
}

/// Expected outcome.
pub(crate) enum Outcome {
    /// An error of this kind, whose message contains these words.
    Fails(fn(&ErrorKind) -> bool, &'static str),
    /// The response is read nevertheless.
    Reads,
    /// Either, depending on the operation; but data is never dropped without a warning.
    Either,
}

use Outcome::{Either, Fails, Reads};

/// Resources that keep a [`Where`] alive.
pub(crate) enum Running {
    Socket(#[expect(dead_code, reason = "keeps the port reserved")] TcpSocket),
    Task(tokio::task::JoinHandle<()>),
    Server(Server),
    Tls(#[expect(dead_code, reason = "keeps it running")] TlsServer),
    Nothing,
}

impl Drop for Running {
    fn drop(&mut self) {
        if let Running::Task(task) = self {
            task.abort();
        }
    }
}

impl Where {
    /// Sets up the fault; returns its base URL.
    pub(crate) async fn start(&self, version: u32) -> (String, Running) {
        match self {
            Where::Nobody => {
                // Bound and not listening: no other process can get the port.
                let socket = TcpSocket::new_v4().unwrap();
                socket.bind(([127, 0, 0, 1], 0).into()).unwrap();
                (format!("http://{}", socket.local_addr().unwrap()), Running::Socket(socket))
            }
            Where::Nowhere => (String::from("http://nonexistent.invalid"), Running::Nothing),
            Where::NoTls => {
                let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
                let url = format!("https://{}", listener.local_addr().unwrap());
                let task = tokio::spawn(async move {
                    while let Ok((mut stream, _)) = listener.accept().await {
                        let _ = stream.read(&mut [0; 1024]).await;
                        let _ = stream.write_all(b"HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n").await;
                    }
                });
                (url, Running::Task(task))
            }
            Where::SelfSigned => {
                let server = self_signed().await;
                (server.url.clone(), Running::Tls(server))
            }
            Where::Server(script) => {
                let script = *script;
                let response = move |head: &str, _| script(head.split(' ').nth(1).unwrap_or_default(), version);
                let server = Server::start(response).await;
                (server.url.clone(), Running::Server(server))
            }
        }
    }
}

impl Fault {
    /// Short limits for hanging faults, long ones for all others.
    pub(crate) fn limits(&self) -> Limits {
        let (first_byte, total) = match self.name {
            "no first byte" => (Duration::from_millis(250), Duration::from_secs(20)),
            name if name.starts_with("drips") => (Duration::from_secs(20), Duration::from_millis(400)),
            _ => (Duration::from_secs(20), Duration::from_secs(20)),
        };
        Limits { body_bytes: MAX_BYTES, first_byte, total, ..Limits::default() }
    }
}

fn send(status: &str, headers: &str, body: impl AsRef<[u8]>) -> Vec<Step> {
    vec![Step::Send(response(status, headers, body.as_ref()))]
}

const JSON: &str = "Content-Type: application/json\r\n";

fn json(body: impl AsRef<[u8]>) -> Vec<Step> {
    send("200 OK", JSON, body)
}

fn is_status(kind: &ErrorKind, wanted: u16) -> bool {
    matches!(kind, ErrorKind::Status { status, .. } if *status == wanted)
}

/// All faults.
pub(crate) const FAULTS: &[Fault] = &[
    Fault {
        name: "refused",
        where_: Where::Nobody,
        outcome: Fails(|kind| *kind == ErrorKind::Refused, "connection refused"),
    },
    Fault {
        name: "unresolvable",
        where_: Where::Nowhere,
        outcome: Fails(|kind| *kind == ErrorKind::Resolve, "Can't resolve"),
    },
    Fault {
        name: "no TLS",
        where_: Where::NoTls,
        outcome: Fails(|kind| matches!(kind, ErrorKind::Tls(_)), "TLS error from"),
    },
    Fault {
        name: "self-signed certificate",
        where_: Where::SelfSigned,
        outcome: Fails(|kind| matches!(kind, ErrorKind::Tls(_)), "(unknown certificate issuer)"),
    },
    Fault {
        name: "closes without a response",
        where_: Where::Server(|_, _| vec![Step::Close]),
        outcome: Fails(|kind| *kind == ErrorKind::Incomplete, "Response ended early"),
    },
    Fault {
        name: "reset in the body",
        where_: Where::Server(|target, version| {
            let body = responses::body(target, version);
            let head = format!("HTTP/1.1 200 OK\r\n{JSON}Content-Length: {}\r\n\r\n", body.len());
            vec![Step::Send(head.into_bytes()), Step::Send(body[..body.len() / 2].into()), Step::Reset]
        }),
        outcome: Fails(|kind| *kind == ErrorKind::Incomplete, "Response ended early"),
    },
    Fault {
        name: "cut in the body",
        where_: Where::Server(|target, version| {
            let whole = response("200 OK", JSON, responses::body(target, version).as_bytes());
            vec![Step::Send(whole[..whole.len() - 20].to_vec()), Step::Close]
        }),
        outcome: Fails(|kind| *kind == ErrorKind::Incomplete, "Response ended early"),
    },
    Fault {
        name: "no first byte",
        where_: Where::Server(|_, _| vec![Step::Hang]),
        outcome: Fails(|kind| matches!(kind, ErrorKind::TimeoutFirstByte(_)), "within 0.25 s"),
    },
    Fault {
        name: "drips headers",
        where_: Where::Server(|_, _| vec![Step::Send(b"HTTP/1.1 200 OK\r\nX: ".to_vec()), Step::Drip(b"x".to_vec())]),
        outcome: Fails(|kind| matches!(kind, ErrorKind::TimeoutTotal(_)), "0.4 s"),
    },
    Fault {
        name: "drips body",
        where_: Where::Server(|_, _| {
            vec![Step::Send(b"HTTP/1.1 200 OK\r\nContent-Length: 999999\r\n\r\n".to_vec()), Step::Drip(b" ".to_vec())]
        }),
        outcome: Fails(|kind| matches!(kind, ErrorKind::TimeoutTotal(_)), "Response incomplete after 0.4 s"),
    },
    Fault {
        name: "redirect loop",
        where_: Where::Server(|target, _| send("302 Found", &format!("Location: {target}\r\n"), "")),
        outcome: Fails(|kind| matches!(kind, ErrorKind::Redirect(_)), "Redirect not followed (more than 5 redirects)"),
    },
    Fault {
        name: "redirect to another host",
        where_: Where::Server(|_, _| send("307 Temporary Redirect", "Location: http://stranger.invalid/coins\r\n", "")),
        outcome: Fails(
            |kind| matches!(kind, ErrorKind::Redirect(_)),
            "Redirect not followed (to http://stranger.invalid)",
        ),
    },
    Fault {
        name: "400",
        where_: Where::Server(|_, _| send("400 Bad Request", JSON, r#"{"message":"limit must be <= 7"}"#)),
        outcome: Fails(|kind| is_status(kind, 400), "Request failed (400): limit must be <= 7"),
    },
    Fault {
        name: "401",
        where_: Where::Server(|_, _| send("401 Unauthorized", "", "")),
        outcome: Fails(|kind| is_status(kind, 401), "Access denied (401); check the API key"),
    },
    Fault {
        name: "403",
        where_: Where::Server(|_, _| send("403 Forbidden", "Content-Type: text/html\r\n", "<h1>Forbidden</h1>")),
        outcome: Fails(|kind| is_status(kind, 403), "Access denied (403)"),
    },
    Fault {
        name: "404",
        where_: Where::Server(|_, _| send("404 Not Found", JSON, r#"{"error":"Not found"}"#)),
        outcome: Fails(|kind| matches!(kind, ErrorKind::NotFound { .. }), "Not found (404)"),
    },
    Fault {
        name: "410",
        where_: Where::Server(|_, _| send("410 Gone", "", "moved to another service")),
        outcome: Fails(|kind| is_status(kind, 410), "Request failed (410)"),
    },
    Fault {
        name: "429 with a time",
        where_: Where::Server(|_, _| send("429 Too Many Requests", "Retry-After: 77\r\n", "")),
        outcome: Fails(|kind| matches!(kind, ErrorKind::RateLimited { .. }), "Rate-limited (429)"),
    },
    Fault {
        name: "429 without a time",
        where_: Where::Server(|_, _| send("429 Too Many Requests", "", "")),
        outcome: Fails(|kind| matches!(kind, ErrorKind::RateLimited { .. }), "Rate-limited (429)"),
    },
    Fault {
        name: "429 until 2099",
        where_: Where::Server(|_, _| {
            let headers = "Date: Friday, 20-Nov-26 08:00:00 GMT\r\nRetry-After: Thu Dec 31 23:59:59 2099\r\n";
            send("429 Too Many Requests", headers, "no calls left")
        }),
        outcome: Fails(
            |kind| matches!(kind, ErrorKind::RateLimited { .. }),
            "(429): no calls left; try again in more than 2 days",
        ),
    },
    Fault {
        name: "500",
        where_: Where::Server(|_, _| send("500 Oops", JSON, r#"{"statusCode":500,"message":"db"}"#)),
        outcome: Fails(|kind| is_status(kind, 500), "Server error (500): db"),
    },
    Fault {
        name: "503 with a time",
        where_: Where::Server(|_, _| send("503 Unavailable", "Retry-After: 30\r\n", "")),
        outcome: Fails(|kind| is_status(kind, 503), "Server error (503)"),
    },
    Fault {
        name: "endless error body",
        where_: Where::Server(|_, _| {
            let head = b"HTTP/1.1 502 Bad Gateway\r\nContent-Length: 99999999999\r\n\r\n";
            vec![Step::Send(head.to_vec()), Step::Repeat(vec![b'x'; 4096])]
        }),
        outcome: Fails(|kind| is_status(kind, 502), "Server error (502)"),
    },
    Fault {
        name: "HTML",
        where_: Where::Server(|_, _| {
            send("200 OK", "Content-Type: text/html\r\n", "<!doctype html><title>Sign in</title>")
        }),
        outcome: Fails(|kind| matches!(kind, ErrorKind::NotJson(_)), "Expected JSON, got"),
    },
    Fault {
        name: "empty",
        where_: Where::Server(|_, _| json("")),
        outcome: Fails(|kind| *kind == ErrorKind::Empty, "Empty response"),
    },
    Fault {
        name: "204",
        where_: Where::Server(|_, _| send("204 No Content", "", "")),
        outcome: Fails(|kind| *kind == ErrorKind::Empty, "Empty response"),
    },
    Fault {
        name: "unrequested 304",
        where_: Where::Server(|_, _| vec![Step::Send(b"HTTP/1.1 304 Not Modified\r\n\r\n".to_vec())]),
        outcome: Fails(|kind| is_status(kind, 304), "Request failed (304)"),
    },
    Fault {
        name: "informational responses first",
        where_: Where::Server(|target, version| {
            let before = b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n".to_vec();
            vec![Step::Send(before), Step::Send(response("200 OK", JSON, responses::body(target, version).as_bytes()))]
        }),
        outcome: Reads,
    },
    Fault {
        name: "HTTP/1.0 without a length",
        where_: Where::Server(|target, version| {
            let head = format!("HTTP/1.0 200 OK\r\n{JSON}\r\n").into_bytes();
            vec![Step::Send(head), Step::Send(responses::body(target, version).into_bytes()), Step::Close]
        }),
        outcome: Reads,
    },
    Fault {
        name: "two content lengths",
        where_: Where::Server(|_, _| send("200 OK", "Content-Length: 5\r\n", "[]")),
        outcome: Fails(|kind| matches!(kind, ErrorKind::Corrupt(_)), "Corrupt response (invalid content-length"),
    },
    Fault {
        name: "headers too large",
        where_: Where::Server(|_, _| send("200 OK", &"X-A: b\r\n".repeat(500), "[]")),
        outcome: Fails(|kind| matches!(kind, ErrorKind::Corrupt(_)), "Corrupt response (message head is too large)"),
    },
    Fault {
        name: "status error without data",
        where_: Where::Server(|_, _| json(r#"{"status":"error","data":[]}"#)),
        outcome: Fails(|kind| matches!(kind, ErrorKind::InBody { .. }), "Service error"),
    },
    Fault {
        name: "truncated",
        where_: Where::Server(|target, version| {
            let body = responses::body(target, version);
            json(&body[..body.len() / 2])
        }),
        outcome: Fails(|kind| *kind == ErrorKind::Incomplete, "Response ended early"),
    },
    Fault {
        name: "Latin-1",
        where_: Where::Server(|target, version| {
            let mut body = responses::body(target, version).into_bytes();
            body.retain(u8::is_ascii);
            let at = body.iter().position(|&byte| byte == b'{').unwrap_or(0) + 1;
            body.splice(at..at, *b"\"note\":\"caf\xe9\",");
            send("200 OK", "Content-Type: application/json; charset=ISO-8859-1\r\n", body)
        }),
        outcome: Reads,
    },
    Fault {
        name: "UTF-16",
        where_: Where::Server(|target, version| {
            let units = responses::body(target, version).encode_utf16().collect::<Vec<_>>();
            let bytes = [0xfeff].iter().chain(&units).flat_map(|unit| unit.to_le_bytes()).collect::<Vec<u8>>();
            send("200 OK", "Content-Type: application/json; charset=utf-16\r\n", bytes)
        }),
        outcome: Reads,
    },
    Fault {
        name: "UTF-16 without a byte order mark",
        where_: Where::Server(|target, version| {
            json(responses::body(target, version).encode_utf16().flat_map(u16::to_be_bytes).collect::<Vec<u8>>())
        }),
        outcome: Fails(|kind| matches!(kind, ErrorKind::Corrupt(_)), "Corrupt response"),
    },
    Fault {
        name: "binary data",
        where_: Where::Server(|_, _| json(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\xff\xfe\xfd\xfc")),
        outcome: Fails(|kind| matches!(kind, ErrorKind::NotJson(_)), "Expected JSON, got binary data"),
    },
    Fault {
        name: "gzip of several members",
        where_: Where::Server(|target, version| {
            let body = responses::body(target, version).into_bytes();
            let members: Vec<u8> = body.chunks(50).flat_map(crate::client::gzip).collect();
            send("200 OK", "Content-Encoding: X-GZip, identity\r\n", members)
        }),
        outcome: Reads,
    },
    Fault {
        name: "unsupported content encoding",
        where_: Where::Server(|_, _| send("200 OK", "Content-Encoding: br\r\n", b"\x0b\x02\x80{}\x03")),
        outcome: Fails(|kind| matches!(kind, ErrorKind::UnsupportedEncoding(_)), "Unsupported content encoding (br)"),
    },
    Fault {
        name: "a gzip bomb",
        where_: Where::Server(|_, _| {
            send("200 OK", "Content-Encoding: gzip\r\n", crate::client::gzip(&vec![b' '; 8 << 20]))
        }),
        outcome: Fails(|kind| *kind == ErrorKind::TooLarge(MAX_BYTES), "larger than 1 MiB"),
    },
    Fault {
        name: "damaged gzip",
        where_: Where::Server(|target, version| {
            send("200 OK", "Content-Encoding: gzip\r\n", responses::body(target, version))
        }),
        outcome: Fails(|kind| matches!(kind, ErrorKind::Corrupt(_)), "Corrupt response"),
    },
    Fault {
        name: "endless",
        where_: Where::Server(|_, _| {
            let chunk = format!("1000\r\n{}\r\n", "[".repeat(0x1000));
            let head = format!("HTTP/1.1 200 OK\r\n{JSON}Transfer-Encoding: chunked\r\n\r\n");
            vec![Step::Send(head.into_bytes()), Step::Repeat(chunk.into_bytes())]
        }),
        outcome: Fails(|kind| *kind == ErrorKind::TooLarge(MAX_BYTES), "larger than 1 MiB"),
    },
    Fault {
        name: "200,000 levels",
        where_: Where::Server(|_, _| json("[".repeat(200_000))),
        outcome: Fails(|kind| *kind == ErrorKind::TooDeep(64), "nested deeper than 64 levels"),
    },
    Fault {
        name: "200,000 levels inside",
        where_: Where::Server(|target, version| {
            let deep = format!("{}{}", r#"{"a":["#.repeat(100_000), "]}".repeat(100_000));
            json(responses::body(target, version).replacen(':', &format!(r#":{deep},"and":"#), 1))
        }),
        outcome: Fails(|kind| *kind == ErrorKind::TooDeep(64), "nested deeper than 64 levels"),
    },
    Fault {
        name: "a bare number",
        where_: Where::Server(|_, _| json("7")),
        outcome: Fails(|kind| matches!(kind, ErrorKind::Unrecognised(_)), "Unknown response format"),
    },
    Fault {
        name: "another object",
        where_: Where::Server(|_, _| json(r#"{"hello":"world","list":[1,2,3]}"#)),
        outcome: Fails(|kind| matches!(kind, ErrorKind::Unrecognised(_)), "Unknown response format"),
    },
    Fault {
        name: "wrong types everywhere",
        where_: Where::Server(|target, version| json(twisted(&responses::body(target, version)).to_string())),
        outcome: Either,
    },
    Fault {
        name: "huge numbers",
        where_: Where::Server(|target, version| json(with_numbers(&responses::body(target, version), "1e999"))),
        outcome: Either,
    },
    Fault {
        name: "numbers of 400 digits",
        where_: Where::Server(|target, version| {
            json(with_numbers(&responses::body(target, version), &"9".repeat(400)))
        }),
        outcome: Either,
    },
    Fault {
        name: "duplicate keys",
        where_: Where::Server(|target, version| {
            let body = responses::body(target, version);
            let inner = body.trim().strip_prefix('{').and_then(|body| body.strip_suffix('}')).unwrap_or_default();
            json(format!("{{{inner},{inner}}}"))
        }),
        outcome: Reads,
    },
    Fault {
        name: "an error inside a 200",
        where_: Where::Server(|_, _| json(r#"{"status":{"error_code":500,"error_message":"try later"}}"#)),
        outcome: Fails(|kind| matches!(kind, ErrorKind::InBody { code: Some(500), .. }), "error 500: try later"),
    },
    Fault {
        name: "a rate limit inside a 200",
        where_: Where::Server(|_, _| json(r#"{"status":{"error_code":1008,"error_message":"slow down"},"data":[]}"#)),
        outcome: Fails(|kind| matches!(kind, ErrorKind::InBody { code: Some(1008), .. }), "error 1008: slow down"),
    },
    Fault {
        name: "a clock far ahead",
        where_: Where::Server(|target, version| {
            let headers = format!(
                "{JSON}Date: Fri, 31 Dec 9999 23:59:59 GMT\r\nExpires: Fri, 31 Dec 9999 23:59:59 GMT\r\n\
                 Age: 99999999999\r\nCache-Control: max-age=60\r\n"
            );
            send("200 OK", &headers, responses::body(target, version))
        }),
        outcome: Reads,
    },
    Fault {
        name: "a clock far behind",
        where_: Where::Server(|target, version| {
            let headers = format!(
                "{JSON}Date: Thu, 01 Jan 1970 00:00:00 GMT\r\nExpires: 0\r\nAge: -7\r\n\
                 Cache-Control: max-age=18446744073709551615\r\n"
            );
            send("200 OK", &headers, responses::body(target, version))
        }),
        outcome: Reads,
    },
    Fault {
        name: "times far away",
        where_: Where::Server(|target, version| {
            let body = responses::body(target, version);
            let body = body.replace("1677733170000", "9007199254740991").replace("1678248991000", "-9007199254740991");
            json(body.replace("2026-11-19T08", "9999-12-31T23").replace("1795075200000", "-62135596800000"))
        }),
        outcome: Reads,
    },
];

/// The document with every value replaced with one of another type.
fn twisted(body: &str) -> serde_json::Value {
    use serde_json::{Value, json};
    fn twist(value: Value) -> Value {
        match value {
            Value::Null => json!({"a": [1]}),
            Value::Bool(_) => json!([0.5]),
            Value::Number(_) => json!({"b": null}),
            Value::String(_) => json!([[false]]),
            Value::Array(items) => Value::Array(items.into_iter().map(twist).collect()),
            Value::Object(fields) => {
                Value::Object(fields.into_iter().map(|(key, value)| (key, twist(value))).collect())
            }
        }
    }
    twist(serde_json::from_str(body).unwrap_or_default())
}

/// The document with every number replaced with this.
fn with_numbers(body: &str, number: &str) -> String {
    fn put(value: serde_json::Value) -> serde_json::Value {
        use serde_json::Value;
        match value {
            Value::Number(_) => Value::from("@@"),
            Value::Array(items) => Value::Array(items.into_iter().map(put).collect()),
            Value::Object(fields) => Value::Object(fields.into_iter().map(|(key, value)| (key, put(value))).collect()),
            other => other,
        }
    }
    put(serde_json::from_str(body).unwrap_or_default()).to_string().replace("\"@@\"", number)
}
