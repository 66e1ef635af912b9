//! Waits until the whole head of a request has arrived. Until then it stays in the system's buffers, so that clients
//! with unfinished heads take no memory of the service. Only heads that arrive in many parts are read.

use std::io;
use std::net::IpAddr;
use std::time::Duration;

use axum::body::Bytes;
use memchr::memchr_iter;
use tokio::io::Interest;
use tokio::net::TcpStream;
use tokio::time::sleep;

use crate::service::fair_share::FairShare;

/// Maximum size of a request's headers in bytes.
pub(super) const MAX_HEADERS: usize = 32 << 10;

/// Most heads are shorter.
const TYPICAL_BYTES: usize = 4 << 10;

/// A head that hasn't arrived after this many peeks is read.
const MAX_PEEKS: u32 = 4;

/// Pause between two reads of a head. A client may send single bytes at a high rate.
const READ_PAUSE: Duration = Duration::from_millis(10);

/// Returns when `unread` and the system's buffer contain a whole head, a head that hyper rejects, or all that the
/// client will send. Each peek takes time for all that has arrived, so a head that arrives in many parts is moved to
/// `unread`; that takes a share of `memory`.
///
/// # Errors
/// The connection failed, or no memory is left for the client.
pub(super) async fn wait_for_head(
    stream: &TcpStream,
    unread: &mut Bytes,
    client: IpAddr,
    memory: &FairShare,
) -> io::Result<()> {
    for _ in 0..MAX_PEEKS {
        if is_ready(unread) || stream.ready(Interest::READABLE).await?.is_read_closed() {
            return Ok(());
        }
        // `WouldBlock` means: wait for the next event.
        match stream.try_io(Interest::READABLE, || peek(stream, unread)) {
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
            result => return result,
        }
    }
    let Some(_share) = memory.take(client, MAX_HEADERS) else { return Err(io::ErrorKind::OutOfMemory.into()) };
    // Boxed, so that a connection doesn't keep the memory for a head that arrives in many parts.
    Box::pin(read(stream, unread)).await
}

/// Moves a head to `unread` as it arrives.
async fn read(stream: &TcpStream, unread: &mut Bytes) -> io::Result<()> {
    let mut head = Vec::from(std::mem::take(unread));
    let mut part = [0; TYPICAL_BYTES];
    let mut is_open = true;
    while is_open && !is_ready(&head) && head.len() < MAX_HEADERS {
        sleep(READ_PAUSE).await;
        stream.readable().await?;
        match stream.try_read(&mut part) {
            Ok(length) => {
                is_open = length > 0;
                head.extend_from_slice(&part[..length]);
            }
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
            Err(error) => return Err(error),
        }
    }
    *unread = head.into();
    Ok(())
}

/// Peeks at the system's buffer.
#[cfg(unix)]
fn peek(stream: &TcpStream, unread: &[u8]) -> io::Result<()> {
    let mut typical = [0; TYPICAL_BYTES];
    let mut large = Vec::new();
    let mut buffer = typical.as_mut_slice();
    loop {
        let start = unread.len().min(buffer.len());
        buffer[..start].copy_from_slice(&unread[..start]);
        let length = match buffer.len() - start {
            0 => start,
            _ => start + rustix::net::recv(stream, &mut buffer[start..], rustix::net::RecvFlags::PEEK)?.0,
        };
        if is_ready(&buffer[..length]) || length >= MAX_HEADERS || length == start {
            return Ok(());
        }
        if length < buffer.len() {
            return Err(io::ErrorKind::WouldBlock.into());
        }
        large.resize(MAX_HEADERS, 0);
        buffer = &mut large;
    }
}

/// Elsewhere hyper waits for the rest.
#[cfg(not(unix))]
fn peek(_stream: &TcpStream, _unread: &[u8]) -> io::Result<()> {
    Ok(())
}

/// Whether hyper can respond: the head is whole, or hyper would reject it in any case.
pub(super) fn is_ready(bytes: &[u8]) -> bool {
    is_whole(bytes) || !may_be_http(bytes)
}

/// Whether the bytes may be the start of an HTTP/1 request, unlike the first bytes of TLS.
fn may_be_http(bytes: &[u8]) -> bool {
    let line = &bytes[start_of(bytes)..];
    match line.iter().position(|byte| *byte == b'\n') {
        Some(end) => line[..end].trim_ascii_end().rsplit(|byte| *byte == b' ').next().is_some_and(is_version),
        None => line.first().is_none_or(u8::is_ascii_alphabetic),
    }
}

fn is_version(word: &[u8]) -> bool {
    word.starts_with(b"HTTP/1.")
}

/// Empty lines before a request don't count, as in hyper.
fn start_of(bytes: &[u8]) -> usize {
    bytes.iter().take_while(|byte| matches!(byte, b'\r' | b'\n')).count()
}

/// Whether the bytes contain a head and the empty line that ends it. As in hyper, a line may end without CR.
fn is_whole(bytes: &[u8]) -> bool {
    let bytes = &bytes[start_of(bytes)..];
    memchr_iter(b'\n', bytes).any(|at| {
        let next = &bytes[at + 1..];
        next.starts_with(b"\n") || next.starts_with(b"\r\n")
    })
}

#[cfg(test)]
mod tests {
    use tokio::io::AsyncWriteExt as _;
    use tokio::net::TcpListener;

    use super::*;

    #[test]
    fn head_ends_with_an_empty_line() {
        for head in ["GET / HTTP/1.1\r\n\r\n", "\r\n\r\nGET / HTTP/1.1\nhost: a\n\n", "GET / HTTP/1.1\r\n\r\nGET /"] {
            assert!(is_whole(head.as_bytes()), "{head:?}");
        }
        for part in ["", "\r\n\r\n\n", "GET / HTTP/1.1\r\n", "GET / HTTP/1.1\r\nhost: a\r\n\r", "\r\n\r\nGET /\r\n"] {
            assert!(!is_whole(part.as_bytes()), "{part:?}");
        }
    }

    /// Both ends of a connection, and the address of the client.
    async fn connection() -> (TcpStream, TcpStream, IpAddr) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (client, accepted) = tokio::join!(TcpStream::connect(address), listener.accept());
        let (stream, peer) = accepted.unwrap();
        (client.unwrap(), stream, peer.ip())
    }

    #[tokio::test]
    async fn head_that_arrives_in_many_parts_is_read() {
        let (mut client, stream, peer) = connection().await;
        client.set_nodelay(true).unwrap();
        let sent = format!("GET / HTTP/1.1\r\nhost: a\r\nx: {}\r\n\r\n", "a".repeat(20_000));
        let mut unread = Bytes::new();
        let memory = FairShare::new(2 * MAX_HEADERS);
        let sending = async {
            for byte in sent.bytes() {
                client.write_all(&[byte]).await.unwrap();
                tokio::task::yield_now().await;
            }
        };
        let (arrived, ()) = tokio::join!(wait_for_head(&stream, &mut unread, peer, &memory), sending);
        arrived.unwrap();
        assert_eq!(unread, sent);
        // The memory is free again.
        assert!(memory.take(peer, MAX_HEADERS).is_some());
    }

    #[tokio::test]
    async fn client_with_too_many_unfinished_heads_is_refused() {
        let (mut client, stream, peer) = connection().await;
        let memory = FairShare::new(2 * MAX_HEADERS);
        let _taken = memory.take(peer, MAX_HEADERS).unwrap();
        let sending = async {
            client.write_all(b"GET / HTTP/1.1\r\n").await.unwrap();
            // Until the connection is closed.
            while client.write_all(b"a").await.is_ok() {
                tokio::task::yield_now().await;
            }
        };
        let mut unread = Bytes::new();
        tokio::select! {
            refused = wait_for_head(&stream, &mut unread, peer, &memory) => assert!(refused.is_err()),
            () = sending => unreachable!(),
        }
    }

    #[test]
    fn non_http_input_is_rejected_at_once() {
        for other in ["\x16\x03\x01", "garbage\r\n", "PRI * HTTP/2.0\r\n", "\r\n{"] {
            assert!(is_ready(other.as_bytes()), "{other:?}");
        }
        for part in ["", "\r\n", "G", "GET / HT", "GET / HTTP/1.1\r\nhost: \x16", "\r\nHEAD / HTTP/1.0\n"] {
            assert!(!is_ready(part.as_bytes()), "{part:?}");
        }
    }
}
