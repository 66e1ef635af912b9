//! A market service on loopback with 5,000 coins, immediate responses and a given max-age.

use std::collections::HashMap;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};

use parking_lot::Mutex;

use crate::bodies::{Dialect, body, body_with_changed_prices};

/// Number of coins.
const COINS: u32 = 5_000;

pub(crate) struct Service {
    /// The base URL.
    pub(crate) url: String,
    /// Receives a value after each page of coins is sent.
    pub(crate) sent: Receiver<()>,
}

struct Shared {
    pages: Mutex<HashMap<(u32, u32), Arc<String>>>,
    /// Pages with changing prices sent so far; `None` for constant prices.
    turns: Option<AtomicU32>,
    sent: Mutex<Sender<()>>,
    max_age: u32,
}

/// Starts a service, which runs until the process exits.
pub(crate) fn start(max_age: u32) -> Service {
    listen(max_age, None)
}

/// Starts a service whose prices change with every response.
pub(crate) fn start_with_changing_prices(max_age: u32) -> Service {
    listen(max_age, Some(AtomicU32::new(0)))
}

fn listen(max_age: u32, turns: Option<AtomicU32>) -> Service {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let url = format!("http://{}", listener.local_addr().expect("an address"));
    let (send, sent) = channel();
    let shared = Arc::new(Shared { pages: Mutex::default(), turns, sent: Mutex::new(send), max_age });
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let shared = Arc::clone(&shared);
            std::thread::spawn(move || serve(stream, &shared));
        }
    });
    Service { url, sent }
}

fn serve(mut stream: TcpStream, shared: &Shared) {
    let _ = stream.set_nodelay(true);
    let mut request = [0; 8192];
    while let Ok(count @ 1..) = stream.read(&mut request) {
        let head = String::from_utf8_lossy(&request[..count]).into_owned();
        let target = head.split(' ').nth(1).unwrap_or_default();
        let page = target.contains("/coins?").then(|| shared.page(target));
        let body =
            page.as_ref().map_or(r#"{"data":{"C1":[{"id":1,"symbol":"C1","quotes":[]}]}}"#, |page| page.as_str());
        let head = format!(
            "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nCache-Control: max-age={}\r\nContent-Length: {}\r\n\r\n",
            shared.max_age,
            body.len()
        );
        if stream.write_all(&[head.as_bytes(), body.as_bytes()].concat()).is_err() {
            return;
        }
        if page.is_some() {
            let _ = shared.sent.lock().send(());
        }
    }
}

impl Shared {
    fn page(&self, target: &str) -> Arc<String> {
        let number = |name: &str, other: u32| {
            let query = target.split_once('?').map_or("", |(_, query)| query);
            let pair = query.split('&').find_map(|pair| pair.strip_prefix(name)?.strip_prefix('='));
            pair.and_then(|value| value.parse().ok()).unwrap_or(other)
        };
        let (start, limit) = (number("start", 1).max(1), number("limit", 100));
        if let Some(turns) = &self.turns {
            let turn = turns.fetch_add(1, Ordering::Relaxed);
            return Arc::new(body_with_changed_prices(start..=(start + limit - 1).min(COINS), COINS, turn));
        }
        let mut pages = self.pages.lock();
        let page = pages
            .entry((start, limit))
            .or_insert_with(|| Arc::new(body(Dialect::Cmc, start..=(start + limit - 1).min(COINS), COINS)));
        Arc::clone(page)
    }
}
