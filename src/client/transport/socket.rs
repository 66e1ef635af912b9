//! WebSocket connections, with the TLS settings and the proxy of the HTTP client.

use std::net::SocketAddr;
use std::time::Duration;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use futures_util::{SinkExt, StreamExt as _};
use reqwest::header::{AUTHORIZATION, HeaderMap, HeaderValue, USER_AGENT};
use rustls::pki_types::ServerName;
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_rustls::TlsConnector;
use tokio_tungstenite::tungstenite::client::IntoClientRequest as _;
use tokio_tungstenite::tungstenite::error::{CapacityError, ProtocolError};
use tokio_tungstenite::tungstenite::protocol::{CloseFrame, WebSocketConfig};
use tokio_tungstenite::tungstenite::{self, Message};
use tokio_tungstenite::{WebSocketStream, client_async_with_config};
use url::{Host, Url};

use super::country_block::is_country_block;
use super::proxy::Proxy;
use super::{fault, headers, http, proxy};
use crate::client::base::Base;
use crate::client::error::ErrorKind;
use crate::model::{UtcTime, text};

/// Maximum size of a message in bytes.
const MAX_MESSAGE_BYTES: usize = 256 * 1024;

/// Size of the read buffer in bytes.
const READ_BUFFER_BYTES: usize = 16 * 1024;

/// Maximum size of a proxy's response to CONNECT in bytes.
const MAX_PROXY_RESPONSE_BYTES: usize = 8 * 1024;

/// How long one of several addresses of a host may take to accept a connection.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(3);

/// How long the peer may take to accept a message.
const SEND_TIMEOUT: Duration = Duration::from_secs(10);

/// How long the peer may take to accept a close frame.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(1);

/// Maximum characters of the peer's reason for closing the socket.
const MAX_REASON: usize = 80;

/// A WebSocket connection.
pub(crate) struct Socket(WebSocketStream<Box<dyn Connection>>);

trait Connection: AsyncRead + AsyncWrite + Send + Unpin {}

impl<T: AsyncRead + AsyncWrite + Send + Unpin> Connection for T {}

/// What arrives on a socket.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Incoming {
    /// A text message.
    Text(String),
    /// Another sign that the peer is alive, such as a ping.
    Other,
    /// The peer has closed the socket, or the connection is lost. The code and the reason, if the peer has given them:
    /// `1008: Pong timeout`.
    Closed(Option<String>),
}

/// Why a socket can't be opened.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Refusal {
    /// The server responded with an HTTP status other than 101.
    Status {
        /// The status.
        status: u16,
        /// The wait from `Retry-After`.
        retry_after: Option<Duration>,
        /// Whether the response is an HTML page.
        is_html: bool,
        /// Whether the response says that the whole country is refused.
        is_country_block: bool,
    },
    /// There is no complete response.
    Failed(ErrorKind),
}

impl From<ErrorKind> for Refusal {
    fn from(kind: ErrorKind) -> Refusal {
        Refusal::Failed(kind)
    }
}

impl Socket {
    /// Opens a socket to a ws or wss URL.
    ///
    /// # Errors
    /// See [`Refusal`].
    pub(crate) async fn open(url: &str, user_agent: &str, limit: Duration) -> Result<Socket, Refusal> {
        match timeout(limit, open(url, user_agent)).await {
            Ok(result) => result.map(Socket),
            Err(_) => Err(ErrorKind::TimeoutFirstByte(limit).into()),
        }
    }

    /// The next message. Pings are answered. Safe to cancel.
    ///
    /// # Errors
    /// The peer violates the protocol or the size limit.
    pub(crate) async fn next(&mut self) -> Result<Incoming, ErrorKind> {
        match self.0.next().await {
            Some(Ok(Message::Text(text))) => Ok(Incoming::Text(text.as_str().to_owned())),
            Some(Ok(Message::Close(frame))) => Ok(Incoming::Closed(frame.as_ref().map(describe))),
            Some(Ok(_)) => Ok(Incoming::Other),
            None => Ok(Incoming::Closed(None)),
            Some(Err(error)) => match kind(&error) {
                ErrorKind::Incomplete => Ok(Incoming::Closed(None)),
                kind => Err(kind),
            },
        }
    }

    /// Sends a text message.
    ///
    /// # Errors
    /// The connection is lost or stuck.
    pub(crate) async fn send(&mut self, text: String) -> Result<(), ErrorKind> {
        self.send_message(Message::text(text)).await
    }

    /// Sends a ping.
    ///
    /// # Errors
    /// The connection is lost or stuck.
    pub(crate) async fn ping(&mut self) -> Result<(), ErrorKind> {
        self.send_message(Message::Ping(Vec::new().into())).await
    }

    /// Closes the socket without waiting for the peer's response, or answers the peer's close.
    pub(crate) async fn close(mut self) {
        let _ = timeout(CLOSE_TIMEOUT, SinkExt::<Message>::close(&mut self.0)).await;
    }

    async fn send_message(&mut self, message: Message) -> Result<(), ErrorKind> {
        match timeout(SEND_TIMEOUT, self.0.send(message)).await {
            Ok(sent) => sent.map_err(|error| kind(&error)),
            Err(_) => Err(ErrorKind::TimeoutTotal(SEND_TIMEOUT)),
        }
    }
}

async fn open(url: &str, user_agent: &str) -> Result<WebSocketStream<Box<dyn Connection>>, Refusal> {
    let bad_url = |_| ErrorKind::BadUrl(String::from("not a ws or wss URL"));
    // The query is not part of a base URL.
    let (whole, _) = url.split_once('?').unwrap_or((url, ""));
    let base = match whole.split_once("://") {
        Some(("wss", rest)) => Base::parse(&format!("https://{rest}"))?,
        Some(("ws", rest)) => Base::parse(&format!("http://{rest}"))?,
        _ => return Err(ErrorKind::BadUrl(String::from("not a ws or wss URL")).into()),
    };
    let origin = Url::parse(base.origin()).map_err(|_| ErrorKind::BadUrl(String::from("no host")))?;
    let (host, port) = address(&origin)?;
    let connection = match proxy::find(&base)? {
        Some(found) => through(&found, &host, port).await?,
        None => connect(&host, port).await?,
    };
    let connection: Box<dyn Connection> = if base.is_https() {
        let mut config = http::tls(true)?;
        config.alpn_protocols = vec![b"http/1.1".to_vec()];
        let name = ServerName::try_from(host).map_err(|_| ErrorKind::BadUrl(String::from("invalid host name")))?;
        let secured = TlsConnector::from(std::sync::Arc::new(config)).connect(name, connection).await;
        Box::new(secured.map_err(|error| fault::of_handshake(&error))?)
    } else {
        Box::new(connection)
    };
    let mut parsed = Url::parse(url).map_err(bad_url)?;
    // Sent as a header.
    let _ = (parsed.set_username(""), parsed.set_password(None));
    let mut request = parsed.as_str().into_client_request().map_err(|error| kind(&error))?;
    set_headers(request.headers_mut(), &base, user_agent);
    let config = WebSocketConfig::default()
        .read_buffer_size(READ_BUFFER_BYTES)
        .write_buffer_size(0)
        .max_write_buffer_size(MAX_MESSAGE_BYTES)
        .max_message_size(Some(MAX_MESSAGE_BYTES))
        .max_frame_size(Some(MAX_MESSAGE_BYTES));
    match client_async_with_config(request, connection, Some(config)).await {
        Ok((socket, _)) => Ok(socket),
        Err(tungstenite::Error::Http(response)) => Err(Refusal::Status {
            status: response.status().as_u16(),
            retry_after: headers::retry_after(response.headers(), UtcTime::now()),
            is_html: headers::content_type(response.headers()).is_some_and(|kind| kind.contains("html")),
            // The part of the body that came with the headers.
            is_country_block: response.body().as_deref().is_some_and(is_country_block),
        }),
        Err(error) => Err(kind(&error).into()),
    }
}

fn set_headers(headers: &mut HeaderMap, base: &Base, user_agent: &str) {
    if let Ok(agent) = HeaderValue::from_str(user_agent) {
        headers.insert(USER_AGENT, agent);
    }
    if let Some((name, password)) = base.user() {
        let pair = BASE64_STANDARD.encode(format!("{name}:{}", password.unwrap_or_default()));
        if let Ok(mut value) = HeaderValue::from_str(&format!("Basic {pair}")) {
            value.set_sensitive(true);
            headers.insert(AUTHORIZATION, value);
        }
    }
}

/// Host (without brackets) and port of a URL.
fn address(url: &Url) -> Result<(String, u16), ErrorKind> {
    let host = match url.host() {
        Some(Host::Domain(name)) => name.to_owned(),
        Some(Host::Ipv4(ip)) => ip.to_string(),
        Some(Host::Ipv6(ip)) => ip.to_string(),
        None => return Err(ErrorKind::BadUrl(String::from("no host"))),
    };
    let port = url.port_or_known_default().ok_or_else(|| ErrorKind::BadUrl(String::from("no port")))?;
    Ok((host, port))
}

async fn connect(host: &str, port: u16) -> Result<TcpStream, ErrorKind> {
    let addresses = tokio::net::lookup_host((host, port)).await.map_err(|_| ErrorKind::Resolve)?;
    connect_to_any(addresses).await
}

/// Connects to the first address that accepts.
async fn connect_to_any(addresses: impl Iterator<Item = SocketAddr>) -> Result<TcpStream, ErrorKind> {
    let mut last = ErrorKind::Resolve;
    for address in addresses {
        // Without a timeout, one dead address would use up the time of the others.
        let Ok(connected) = timeout(CONNECT_TIMEOUT, TcpStream::connect(address)).await else {
            last = ErrorKind::Connect(String::from("timed out"));
            continue;
        };
        match connected {
            Ok(connection) => {
                // Only a latency optimisation.
                let _ = connection.set_nodelay(true);
                return Ok(connection);
            }
            Err(error) if error.kind() == std::io::ErrorKind::ConnectionRefused => last = ErrorKind::Refused,
            Err(error) => last = ErrorKind::Connect(fault::root(&error)),
        }
    }
    Err(last)
}

/// Connects through an HTTP proxy (CONNECT).
async fn through(proxy: &Proxy, host: &str, port: u16) -> Result<TcpStream, ErrorKind> {
    let fault = |fault: &str| ErrorKind::Proxy { origin: proxy.origin.clone(), fault: fault.to_owned() };
    let url = Url::parse(&proxy.origin).map_err(|_| fault("invalid address"))?;
    if url.scheme() != "http" {
        return Err(fault("WebSocket needs an http:// proxy"));
    }
    let (proxy_host, proxy_port) = address(&url)?;
    let connected = connect(&proxy_host, proxy_port).await;
    let mut connection = connected.map_err(|kind| self::fault::of_proxy(kind, &proxy.origin))?;
    let target = if host.contains(':') { format!("[{host}]:{port}") } else { format!("{host}:{port}") };
    let mut request = format!("CONNECT {target} HTTP/1.1\r\nhost: {target}\r\n").into_bytes();
    if let Some(authorization) = &proxy.authorization {
        request.extend_from_slice(b"proxy-authorization: ");
        request.extend_from_slice(authorization.as_bytes());
        request.extend_from_slice(b"\r\n");
    }
    request.extend_from_slice(b"\r\n");
    connection.write_all(&request).await.map_err(|_| fault("connection closed"))?;
    let mut response = Vec::new();
    while !response.ends_with(b"\r\n\r\n") {
        // Byte by byte, since the bytes after the response belong to the tunnel.
        let byte = connection.read_u8().await.map_err(|_| fault("connection closed"))?;
        response.push(byte);
        if response.len() > MAX_PROXY_RESPONSE_BYTES {
            return Err(fault("response too long"));
        }
    }
    let status = String::from_utf8_lossy(&response).split_whitespace().nth(1).map(str::to_owned);
    match status.as_deref() {
        Some("200") => Ok(connection),
        Some("407") => Err(fault(self::fault::UNAUTHORIZED)),
        _ => Err(ErrorKind::Tunnel { origin: proxy.origin.clone() }),
    }
}

/// The code of a close frame, and its reason if it has one.
fn describe(frame: &CloseFrame) -> String {
    match text::cut(text::clean(frame.reason.as_str()), MAX_REASON) {
        reason if reason.is_empty() => frame.code.to_string(),
        reason => format!("{}: {}", frame.code, text::without_full_stop(&reason)),
    }
}

fn kind(error: &tungstenite::Error) -> ErrorKind {
    match error {
        tungstenite::Error::Capacity(CapacityError::MessageTooLong { .. }) => {
            ErrorKind::TooLarge(MAX_MESSAGE_BYTES as u64)
        }
        tungstenite::Error::Io(_)
        | tungstenite::Error::ConnectionClosed
        | tungstenite::Error::AlreadyClosed
        | tungstenite::Error::Protocol(
            ProtocolError::HandshakeIncomplete | ProtocolError::ResetWithoutClosingHandshake,
        ) => ErrorKind::Incomplete,
        error => ErrorKind::Corrupt(fault::root(error)),
    }
}

#[cfg(test)]
mod tests;
