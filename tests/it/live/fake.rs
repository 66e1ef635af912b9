//! A fake provider on loopback that records requests, responds by a function, and can be made to fail.

use std::collections::HashMap;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use parking_lot::Mutex;
use tokio::sync::{oneshot, watch};

/// A request that the provider received.
#[derive(Clone, Debug)]
pub(crate) struct ReceivedRequest {
    /// The path without the query.
    pub(crate) path: String,
    query: HashMap<String, String>,
    pub(crate) headers: HeaderMap,
}

impl ReceivedRequest {
    /// A parameter's value, or an empty string.
    pub(crate) fn query(&self, name: &str) -> &str {
        self.query.get(name).map(String::as_str).unwrap_or_default()
    }

    /// The path and the sorted query.
    pub(crate) fn line(&self) -> String {
        let mut query: Vec<String> = self.query.iter().map(|(name, value)| format!("{name}={value}")).collect();
        query.sort();
        format!("{}?{}", self.path, query.join("&"))
    }

    /// A numeric parameter.
    pub(crate) fn number(&self, name: &str, default: usize) -> usize {
        self.query.get(name).map_or(default, |value| value.parse().unwrap())
    }
}

/// A response to send.
#[derive(Clone, Debug)]
pub(crate) struct FakeResponse {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(&'static str, String)>,
    pub(crate) body: Vec<u8>,
    pub(crate) delay: Duration,
}

/// A JSON response.
pub(crate) fn json(status: u16, body: impl Into<String>) -> FakeResponse {
    let headers = vec![("content-type", String::from("application/json"))];
    FakeResponse { status, headers, body: body.into().into_bytes(), delay: Duration::ZERO }
}

/// An HTML page, as sent by content delivery networks.
pub(crate) fn html(status: u16) -> FakeResponse {
    let body = String::from("<!DOCTYPE html><html><title>Attention Required!</title><body>error 1020</body></html>")
        .into_bytes();
    FakeResponse { status, headers: vec![("content-type", String::from("text/html"))], body, delay: Duration::ZERO }
}

type Responder = dyn Fn(&ReceivedRequest) -> FakeResponse + Send + Sync;

type Edit = dyn Fn(&ReceivedRequest, FakeResponse) -> FakeResponse + Send + Sync;

struct Shared {
    reply: Box<Responder>,
    response_override: Mutex<Option<FakeResponse>>,
    edit: Mutex<Option<Arc<Edit>>>,
    requests: Mutex<Vec<ReceivedRequest>>,
    /// The number of requests.
    received: watch::Sender<usize>,
}

/// A running provider. It stops when dropped.
pub(crate) struct Fake {
    pub(crate) url: String,
    shared: Arc<Shared>,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Fake {
    /// Starts a provider that responds by a function.
    pub(crate) fn start(reply: impl Fn(&ReceivedRequest) -> FakeResponse + Send + Sync + 'static) -> Fake {
        let shared = Arc::new(Shared {
            reply: Box::new(reply),
            response_override: Mutex::default(),
            edit: Mutex::default(),
            requests: Mutex::default(),
            received: watch::Sender::default(),
        });
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        listener.set_nonblocking(true).unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let (stop, stopped) = oneshot::channel::<()>();
        let router = Router::new().fallback(respond).with_state(Arc::clone(&shared));
        let thread = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
            runtime.block_on(async {
                let listener = tokio::net::TcpListener::from_std(listener).unwrap();
                tokio::select! {
                    served = axum::serve(listener, router) => served.unwrap(),
                    _ = stopped => {}
                }
            });
        });
        Fake { url, shared, stop: Some(stop), thread: Some(thread) }
    }

    /// Sets the response to all further requests; `None` restores the default.
    pub(crate) fn respond_with(&self, response: impl Into<Option<FakeResponse>>) {
        *self.shared.response_override.lock() = response.into();
    }

    /// Changes all further responses.
    pub(crate) fn edit(&self, edit: impl Fn(&ReceivedRequest, FakeResponse) -> FakeResponse + Send + Sync + 'static) {
        *self.shared.edit.lock() = Some(Arc::new(edit));
    }

    /// Waits until this many requests have arrived.
    pub(crate) async fn received(&self, count: usize) {
        let mut received = self.shared.received.subscribe();
        drop(received.wait_for(|received| *received >= count).await.unwrap());
    }

    /// All requests so far.
    pub(crate) fn requests(&self) -> Vec<ReceivedRequest> {
        self.shared.requests.lock().clone()
    }

    /// The paths of all requests so far.
    pub(crate) fn paths(&self) -> Vec<String> {
        self.requests().into_iter().map(|request| request.path).collect()
    }
}

impl Drop for Fake {
    fn drop(&mut self) {
        let _ = self.stop.take().map(|stop| stop.send(()));
        let _ = self.thread.take().map(JoinHandle::join);
    }
}

async fn respond(State(shared): State<Arc<Shared>>, request: Request) -> Response {
    let query = request.uri().query().unwrap_or_default();
    let received = ReceivedRequest {
        path: request.uri().path().to_owned(),
        query: url::form_urlencoded::parse(query.as_bytes()).into_owned().collect(),
        headers: request.headers().clone(),
    };
    let response_override = shared.response_override.lock().clone();
    let fake = response_override.unwrap_or_else(|| (shared.reply)(&received));
    let edit = shared.edit.lock().clone();
    let fake = match edit {
        Some(edit) => edit(&received, fake),
        None => fake,
    };
    shared.requests.lock().push(received);
    shared.received.send_modify(|received| *received += 1);
    tokio::time::sleep(fake.delay).await;
    let mut response = Response::builder().status(StatusCode::from_u16(fake.status).unwrap());
    for (name, value) in fake.headers {
        response = response.header(name, value);
    }
    response.body(Body::from(fake.body)).unwrap()
}
