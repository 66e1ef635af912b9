//! An exchange with a WebSocket server on a loopback port.

use std::sync::Arc;
use std::sync::atomic::{AtomicU16, AtomicUsize, Ordering::SeqCst};

use futures_util::{SinkExt as _, StreamExt as _};
use parking_lot::Mutex;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{broadcast, mpsc};
use tokio_tungstenite::accept_hdr_async;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::handshake::server::{ErrorResponse, Request, Response};
use tokio_tungstenite::tungstenite::protocol::CloseFrame;

#[derive(Clone)]
enum Command {
    Send(Message),
    Close(Option<CloseFrame>),
    StopReading,
}

/// The server. It records connections (`open PATH`, `closed`) and messages.
pub(in crate::service::gateway::tests) struct FakeExchange {
    pub(in crate::service::gateway::tests) url: String,
    events: Mutex<mpsc::UnboundedReceiver<String>>,
    commands: broadcast::Sender<Command>,
    connections: Arc<AtomicUsize>,
    refused: Arc<AtomicUsize>,
    /// Connections that ended without a close frame from the client.
    dropped: Arc<AtomicUsize>,
    /// The status of refused connections; 0 to accept them.
    status: Arc<AtomicU16>,
    /// The body of their responses.
    refusal: Arc<Mutex<String>>,
}

impl FakeExchange {
    pub(in crate::service::gateway::tests) async fn start() -> FakeExchange {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("ws://{}", listener.local_addr().unwrap());
        let (log, events) = mpsc::unbounded_channel();
        let (commands, _) = broadcast::channel(1_000);
        let (connections, refused, dropped, status) = (Arc::default(), Arc::default(), Arc::default(), Arc::default());
        let refusal = Arc::default();
        let server = Server {
            log,
            commands: commands.clone(),
            connections: Arc::clone(&connections),
            refused: Arc::clone(&refused),
            dropped: Arc::clone(&dropped),
            status: Arc::clone(&status),
            refusal: Arc::clone(&refusal),
        };
        tokio::spawn(async move {
            while let Ok((connection, _)) = listener.accept().await {
                tokio::spawn(server.clone().serve(connection));
            }
        });
        FakeExchange { url, events: Mutex::new(events), commands, connections, refused, dropped, status, refusal }
    }

    /// The next connection or message.
    pub(in crate::service::gateway::tests) async fn next(&self) -> String {
        std::future::poll_fn(|context| self.events.lock().poll_recv(context)).await.unwrap()
    }

    pub(in crate::service::gateway::tests) async fn wait_for_connection(&self) {
        while !self.next().await.starts_with("open") {}
    }

    pub(in crate::service::gateway::tests) fn send(&self, text: &str) {
        self.command(Command::Send(Message::text(text)));
    }

    pub(in crate::service::gateway::tests) fn send_bytes(&self, bytes: &[u8]) {
        self.command(Command::Send(Message::binary(bytes.to_vec())));
    }

    /// Closes all connections.
    pub(in crate::service::gateway::tests) fn close(&self) {
        self.command(Command::Close(None));
    }

    /// Closes all connections with a code and a reason.
    pub(in crate::service::gateway::tests) fn close_because(&self, code: u16, reason: &str) {
        self.command(Command::Close(Some(CloseFrame { code: code.into(), reason: reason.into() })));
    }

    /// Keeps the connections open without reading from them, so that pings get no response.
    pub(in crate::service::gateway::tests) fn stop_reading(&self) {
        self.command(Command::StopReading);
    }

    /// Refuses new connections with this status.
    pub(in crate::service::gateway::tests) fn refuse(&self, status: u16) {
        self.status.store(status, SeqCst);
    }

    /// Refuses new connections with this status and body.
    pub(in crate::service::gateway::tests) fn refuse_with(&self, status: u16, body: &str) {
        body.clone_into(&mut self.refusal.lock());
        self.refuse(status);
    }

    pub(in crate::service::gateway::tests) fn accept(&self) {
        self.status.store(0, SeqCst);
    }

    pub(in crate::service::gateway::tests) fn connections(&self) -> usize {
        self.connections.load(SeqCst)
    }

    pub(in crate::service::gateway::tests) fn refused(&self) -> usize {
        self.refused.load(SeqCst)
    }

    pub(in crate::service::gateway::tests) fn dropped(&self) -> usize {
        self.dropped.load(SeqCst)
    }

    fn command(&self, command: Command) {
        let _ = self.commands.send(command);
    }
}

#[derive(Clone)]
struct Server {
    log: mpsc::UnboundedSender<String>,
    commands: broadcast::Sender<Command>,
    connections: Arc<AtomicUsize>,
    refused: Arc<AtomicUsize>,
    dropped: Arc<AtomicUsize>,
    status: Arc<AtomicU16>,
    refusal: Arc<Mutex<String>>,
}

impl Server {
    async fn serve(self, connection: TcpStream) {
        // Before the client knows that it is connected.
        let mut commands = self.commands.subscribe();
        let mut path = String::new();
        let status = self.status.load(SeqCst);
        #[allow(clippy::result_large_err, reason = "the signature is tungstenite's")]
        let check = |request: &Request, response: Response| -> Result<Response, ErrorResponse> {
            path = request.uri().to_string();
            if status == 0 {
                return Ok(response);
            }
            let mut refusal = ErrorResponse::new(Some(self.refusal.lock().clone()));
            *refusal.status_mut() = status.try_into().unwrap();
            Err(refusal)
        };
        let Ok(mut socket) = accept_hdr_async(connection, check).await else {
            self.refused.fetch_add(1, SeqCst);
            return;
        };
        self.connections.fetch_add(1, SeqCst);
        let _ = self.log.send(format!("open {path}"));
        loop {
            tokio::select! {
                command = commands.recv() => match command {
                    Ok(Command::Send(message)) => {
                        let _ = socket.send(message).await;
                    }
                    Ok(Command::StopReading) => std::future::pending().await,
                    // The client answers it.
                    Ok(Command::Close(frame)) => {
                        let _ = socket.close(frame).await;
                    }
                    Err(_) => break,
                },
                message = socket.next() => match message {
                    // OKX has its own pings.
                    Some(Ok(Message::Text(text))) if text.as_str() == "ping" => {
                        let _ = socket.send(Message::text("pong")).await;
                    }
                    Some(Ok(Message::Text(text))) => {
                        let _ = self.log.send(text.as_str().to_owned());
                    }
                    Some(Ok(Message::Close(_))) => break,
                    Some(Err(_)) | None => {
                        self.dropped.fetch_add(1, SeqCst);
                        break;
                    }
                    Some(Ok(_)) => {}
                }
            }
        }
        let _ = socket.close(None).await;
        let _ = self.log.send(String::from("closed"));
    }
}
