//! A scripted HTTP server on loopback that records every request and connection and misbehaves on demand.

use std::collections::{HashMap, VecDeque};
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Semaphore, watch};
use tokio::task::{AbortHandle, JoinSet};
use tokio::time::timeout;

/// Maximum time that tests wait for a state.
pub(crate) const TEST_TIMEOUT: Duration = Duration::from_secs(20);

/// The server's behaviour for one request.
#[derive(Clone, Debug)]
pub(crate) enum Behaviour {
    /// Responds.
    Respond(Response),
    /// Responds after [`Server::release`].
    Gated(Response),
    /// Sends the head and a part of the body, then closes the connection.
    BreakOff(Response),
    /// Closes the connection without a response.
    Close,
    /// Sends nothing, and waits for the client to disconnect.
    Hang,
}

/// A response.
#[derive(Clone, Debug, Default)]
pub(crate) struct Response {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(&'static str, String)>,
    pub(crate) body: String,
}

impl Response {
    /// 200 with JSON.
    pub(crate) fn json(body: impl Into<String>) -> Response {
        Response { status: 200, headers: vec![("content-type", String::from("application/json"))], body: body.into() }
    }

    /// A status with an empty object.
    pub(crate) fn status(status: u16) -> Response {
        Response { status, ..Response::json("{}") }
    }

    /// With a header. With an `etag`, the server sends 304 to clients that have it.
    pub(crate) fn with(mut self, name: &'static str, value: impl Into<String>) -> Response {
        self.headers.push((name, value.into()));
        self
    }

    fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(key, _)| *key == name).map(|(_, value)| value.as_str())
    }
}

/// A received request.
#[derive(Clone, Debug)]
pub(crate) struct SeenRequest {
    /// Path and query, as sent.
    pub(crate) target: String,
    /// Header names in lower case.
    pub(crate) headers: Vec<(String, String)>,
}

impl SeenRequest {
    /// The value of a header.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }
}

/// The server's record.
#[derive(Clone, Debug, Default)]
pub(crate) struct Log {
    /// The requests, in order.
    pub(crate) requests: Vec<SeenRequest>,
    /// Number of connections opened.
    pub(crate) connections: usize,
    /// Clients that disconnected while hanging.
    pub(crate) gone: usize,
    scripts: HashMap<String, VecDeque<Behaviour>>,
}

/// The server. It ends when it is dropped.
pub(crate) struct Server {
    address: SocketAddr,
    log: watch::Sender<Log>,
    gate: Arc<Semaphore>,
    task: AbortHandle,
}

impl Server {
    /// A server on a free port.
    pub(crate) async fn start() -> Server {
        Server::on(SocketAddr::from(([127, 0, 0, 1], 0))).await
    }

    /// A server at a given address, such as that of a stopped one.
    pub(crate) async fn on(address: SocketAddr) -> Server {
        let listener = TcpListener::bind(address).await.expect("a free port");
        let address = listener.local_addr().expect("an address");
        let (log, gate) = (watch::Sender::new(Log::default()), Arc::new(Semaphore::new(0)));
        let task = tokio::spawn(accept(listener, log.clone(), Arc::clone(&gate))).abort_handle();
        Server { address, log, gate, task }
    }

    /// Its base URL.
    pub(crate) fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Its address.
    pub(crate) fn address(&self) -> SocketAddr {
        self.address
    }

    /// Sets the behaviour for the next requests whose target starts with this prefix (the longest prefix wins); the
    /// last behaviour is repeated. Requests without a script get 404.
    pub(crate) fn script(&self, target: &str, behaviours: impl IntoIterator<Item = Behaviour>) {
        self.log.send_modify(|log| {
            log.scripts.insert(target.to_owned(), behaviours.into_iter().collect());
        });
    }

    /// Always responds with this.
    pub(crate) fn answers(&self, target: &str, response: Response) {
        self.script(target, [Behaviour::Respond(response)]);
    }

    /// Releases this many gated responses.
    pub(crate) fn release(&self, count: usize) {
        self.gate.add_permits(count);
    }

    /// The record so far.
    pub(crate) fn log(&self) -> Log {
        self.log.borrow().clone()
    }

    /// Waits until the record is in a state.
    pub(crate) async fn until(&self, state: impl FnMut(&Log) -> bool) {
        let mut log = self.log.subscribe();
        timeout(TEST_TIMEOUT, log.wait_for(state)).await.expect("the state comes").expect("the server lives");
    }

    /// Closes all connections and the port.
    pub(crate) async fn stop(self) -> SocketAddr {
        let address = self.address;
        drop(self);
        let closed = async {
            while TcpStream::connect(address).await.is_ok() {
                tokio::task::yield_now().await;
            }
        };
        timeout(TEST_TIMEOUT, closed).await.expect("the port closes");
        address
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn accept(listener: TcpListener, log: watch::Sender<Log>, gate: Arc<Semaphore>) {
    let mut connections = JoinSet::new();
    while let Ok((stream, _)) = listener.accept().await {
        log.send_modify(|log| log.connections += 1);
        connections.spawn(serve(stream, log.clone(), Arc::clone(&gate)));
    }
}

/// Serves one connection until either side closes it.
async fn serve(mut stream: TcpStream, log: watch::Sender<Log>, gate: Arc<Semaphore>) {
    let mut buffer = Vec::new();
    while let Some(seen) = read_request(&mut stream, &mut buffer).await {
        let mut behaviour = Behaviour::Respond(Response::status(404));
        log.send_modify(|log| {
            let script = (log.scripts.iter_mut())
                .filter(|(target, _)| seen.target.starts_with(target.as_str()))
                .max_by_key(|(target, _)| target.len());
            if let Some((_, script)) = script {
                let next = if script.len() > 1 { script.pop_front() } else { script.front().cloned() };
                behaviour = next.unwrap_or(behaviour.clone());
            }
            log.requests.push(seen.clone());
        });
        let sent = match behaviour {
            Behaviour::Respond(response) => write(&mut stream, &seen, &response).await,
            Behaviour::Gated(response) => {
                if let Ok(permit) = gate.acquire().await {
                    permit.forget();
                }
                write(&mut stream, &seen, &response).await
            }
            Behaviour::BreakOff(response) => {
                let whole = render(&seen, &response);
                let _ = stream.write_all(&whole[..whole.len() - response.body.len() / 2]).await;
                false
            }
            Behaviour::Close => false,
            Behaviour::Hang => {
                let mut rest = [0; 64];
                while stream.read(&mut rest).await.is_ok_and(|count| count > 0) {}
                log.send_modify(|log| log.gone += 1);
                false
            }
        };
        if !sent {
            return;
        }
    }
}

async fn write(stream: &mut TcpStream, seen: &SeenRequest, response: &Response) -> bool {
    stream.write_all(&render(seen, response)).await.is_ok()
}

fn render(seen: &SeenRequest, response: &Response) -> Vec<u8> {
    let etag = response.header("etag");
    let known = etag.is_some() && etag == seen.header("if-none-match");
    let (status, body) = if known { (304, "") } else { (response.status, response.body.as_str()) };
    let mut text = format!("HTTP/1.1 {status} Scripted\r\n");
    for (name, value) in &response.headers {
        text.push_str(&format!("{name}: {value}\r\n"));
    }
    if !known {
        text.push_str(&format!("content-length: {}\r\n", body.len()));
    }
    text.push_str("\r\n");
    text.push_str(body);
    text.into_bytes()
}

/// Reads the head of a request (a GET has no body); `None` when the client closes.
async fn read_request(stream: &mut TcpStream, buffer: &mut Vec<u8>) -> Option<SeenRequest> {
    let end = loop {
        if let Some(end) = buffer.windows(4).position(|four| four == b"\r\n\r\n") {
            break end;
        }
        if stream.read_buf(buffer).await.ok()? == 0 {
            return None;
        }
    };
    let head = String::from_utf8(buffer.drain(..end + 4).collect()).ok()?;
    let mut lines = head.lines();
    let target = lines.next()?.split(' ').nth(1)?.to_owned();
    let headers = lines
        .filter_map(|line| line.split_once(": "))
        .map(|(name, value)| (name.to_ascii_lowercase(), value.to_owned()))
        .collect();
    Some(SeenRequest { target, headers })
}
