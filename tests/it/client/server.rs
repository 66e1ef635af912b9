//! A test server that sends exactly the given bytes and records exactly the bytes that it receives.

use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;

/// A step of a response.
pub(crate) enum Step {
    /// Sends these bytes.
    Send(Vec<u8>),
    /// Sends these bytes repeatedly until the client disconnects.
    Repeat(Vec<u8>),
    /// Sends these bytes repeatedly, with pauses, until the client disconnects.
    Drip(Vec<u8>),
    /// Sends nothing more, and keeps the connection open.
    Hang,
    /// Closes the connection.
    Close,
    /// Resets the connection: the client gets an error instead of an end.
    Reset,
}

/// A running server. It stops when dropped.
pub(crate) struct Server {
    pub(crate) url: String,
    state: Arc<Mutex<State>>,
    task: JoinHandle<()>,
}

#[derive(Default)]
struct State {
    heads: Vec<String>,
    connections: usize,
    gone: usize,
    repeated: usize,
}

impl Server {
    /// Responds to every request by `script`, which gets its head and its number.
    pub(crate) async fn start(script: impl Fn(&str, usize) -> Vec<Step> + Send + Sync + 'static) -> Server {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let state = Arc::new(Mutex::new(State::default()));
        let (shared, script) = (state.clone(), Arc::new(script));
        let task = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                shared.lock().connections += 1;
                let (shared, script) = (shared.clone(), script.clone());
                tokio::spawn(async move {
                    let _ = converse(stream, &shared, &*script).await;
                    shared.lock().gone += 1;
                });
            }
        });
        Server { url, state, task }
    }

    /// Responds to every request with this status line, these headers and this body.
    pub(crate) async fn answering(status: &'static str, headers: &'static str, body: impl Into<Vec<u8>>) -> Server {
        let body = body.into();
        Server::start(move |_, _| vec![Step::Send(response(status, headers, &body))]).await
    }

    /// The heads of all requests so far.
    pub(crate) fn heads(&self) -> Vec<String> {
        self.state.lock().heads.clone()
    }

    /// The targets of all requests so far, as sent.
    pub(crate) fn targets(&self) -> Vec<String> {
        self.heads().iter().map(|head| head.split(' ').nth(1).unwrap().to_owned()).collect()
    }

    /// Connections accepted so far.
    pub(crate) fn connections(&self) -> usize {
        self.state.lock().connections
    }

    /// Bytes that [`Step::Repeat`] could send so far, to all clients.
    pub(crate) fn repeated(&self) -> usize {
        self.state.lock().repeated
    }

    /// Waits until this many connections are closed.
    pub(crate) async fn wait_for_closed(&self, count: usize) {
        let poll = async {
            while self.state.lock().gone < count {
                tokio::task::yield_now().await;
            }
        };
        tokio::time::timeout(Duration::from_secs(10), poll).await.expect("connections end");
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// A complete response with its length.
pub(crate) fn response(status: &str, headers: &str, body: &[u8]) -> Vec<u8> {
    let mut bytes = format!("HTTP/1.1 {status}\r\n{headers}Content-Length: {}\r\n\r\n", body.len()).into_bytes();
    bytes.extend_from_slice(body);
    bytes
}

async fn converse(
    mut stream: TcpStream,
    state: &Mutex<State>,
    script: &(dyn Fn(&str, usize) -> Vec<Step> + Send + Sync),
) -> std::io::Result<()> {
    let mut read = Vec::new();
    loop {
        while !read.windows(4).any(|bytes| bytes == b"\r\n\r\n") {
            if stream.read_buf(&mut read).await? == 0 {
                return Ok(());
            }
        }
        let head = String::from_utf8(std::mem::take(&mut read)).unwrap();
        let number = {
            let mut state = state.lock();
            state.heads.push(head.clone());
            state.heads.len() - 1
        };
        for step in script(&head, number) {
            match step {
                Step::Send(bytes) => stream.write_all(&bytes).await?,
                Step::Repeat(bytes) => loop {
                    stream.write_all(&bytes).await?;
                    state.lock().repeated += bytes.len();
                },
                Step::Drip(bytes) => loop {
                    stream.write_all(&bytes).await?;
                    tokio::time::sleep(Duration::from_millis(5)).await;
                },
                Step::Hang => {
                    // Ends when the client closes its side.
                    while stream.read_buf(&mut read).await? > 0 {}
                    return Ok(());
                }
                Step::Close => return Ok(()),
                Step::Reset => {
                    stream.set_zero_linger()?;
                    return Ok(());
                }
            }
        }
    }
}
