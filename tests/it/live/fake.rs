//! A fake provider on loopback: it responds by a function, records its requests, and misbehaves on demand.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use tokio::sync::oneshot;

/// A request as the provider got it.
#[derive(Clone, Debug)]
pub(crate) struct Asked {
    /// Without the query.
    pub(crate) path: String,
    query: HashMap<String, String>,
    pub(crate) headers: HeaderMap,
}

impl Asked {
    /// A parameter's value, or an empty string.
    pub(crate) fn query(&self, name: &str) -> &str {
        self.query.get(name).map(String::as_str).unwrap_or_default()
    }

    /// A parameter that is a number.
    pub(crate) fn number(&self, name: &str, default: usize) -> usize {
        self.query.get(name).map_or(default, |value| value.parse().unwrap())
    }
}

/// What is sent.
#[derive(Clone, Debug)]
pub(crate) struct Says {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(&'static str, String)>,
    pub(crate) body: String,
    pub(crate) delay: Duration,
}

/// JSON with this status.
pub(crate) fn json(status: u16, body: impl Into<String>) -> Says {
    let headers = vec![("content-type", String::from("application/json"))];
    Says { status, headers, body: body.into(), delay: Duration::ZERO }
}

/// A page of a content delivery network with this status.
pub(crate) fn html(status: u16) -> Says {
    let body = String::from("<!DOCTYPE html><html><title>Attention Required!</title><body>error 1020</body></html>");
    Says { status, headers: vec![("content-type", String::from("text/html"))], body, delay: Duration::ZERO }
}

type Answer = dyn Fn(&Asked) -> Says + Send + Sync;

struct Shared {
    answer: Box<Answer>,
    instead: Mutex<Option<Says>>,
    asked: Mutex<Vec<Asked>>,
}

/// A running provider; it ends with the value.
pub(crate) struct Fake {
    pub(crate) url: String,
    shared: Arc<Shared>,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Fake {
    /// A provider that answers by a function.
    pub(crate) fn start(answer: impl Fn(&Asked) -> Says + Send + Sync + 'static) -> Fake {
        let shared = Arc::new(Shared { answer: Box::new(answer), instead: Mutex::default(), asked: Mutex::default() });
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

    /// Responds with this to every request from now on; `None` restores normal responses.
    pub(crate) fn instead(&self, says: impl Into<Option<Says>>) {
        *self.shared.instead.lock().unwrap() = says.into();
    }

    /// All requests so far.
    pub(crate) fn asked(&self) -> Vec<Asked> {
        self.shared.asked.lock().unwrap().clone()
    }

    /// The paths of all requests so far.
    pub(crate) fn paths(&self) -> Vec<String> {
        self.asked().into_iter().map(|asked| asked.path).collect()
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
    let asked = Asked {
        path: request.uri().path().to_owned(),
        query: url::form_urlencoded::parse(query.as_bytes()).into_owned().collect(),
        headers: request.headers().clone(),
    };
    let instead = shared.instead.lock().unwrap().clone();
    let says = instead.unwrap_or_else(|| (shared.answer)(&asked));
    shared.asked.lock().unwrap().push(asked);
    tokio::time::sleep(says.delay).await;
    let mut response = Response::builder().status(StatusCode::from_u16(says.status).unwrap());
    for (name, value) in says.headers {
        response = response.header(name, value);
    }
    response.body(Body::from(says.body)).unwrap()
}
