//! Waits until the whole head of a request has arrived. Until then it stays in the system's buffers, so that clients
//! with unfinished heads take no memory of the service.

use std::io;
use std::time::Duration;

use axum::body::Bytes;
use memchr::memchr_iter;
use tokio::io::Interest;
use tokio::net::TcpStream;
use tokio::time::{Instant, sleep};

/// Maximum size of a request's headers in bytes.
pub(super) const MAX_HEADERS: usize = 32 << 10;

/// Most heads are shorter.
#[cfg(unix)]
const TYPICAL_BYTES: usize = 4 << 10;

/// After this many looks at an unfinished head, the next ones wait.
const PROMPT_LOOKS: u32 = 4;

/// The shortest and the longest wait between two looks.
const SHORTEST_WAIT: Duration = Duration::from_millis(1);
const LONGEST_WAIT: Duration = Duration::from_secs(1);

/// Returns when `unread` and the system's buffer contain a whole head, a head that hyper rejects, or all that the
/// client will send.
///
/// # Errors
/// The connection failed.
pub(super) async fn arrives(stream: &TcpStream, unread: &Bytes) -> io::Result<()> {
    let began = Instant::now();
    let mut looks = 0;
    while !is_ready(unread) {
        if let Some(wait) = wait_before_look(looks, began.elapsed()) {
            sleep(wait).await;
        }
        looks += 1;
        if stream.ready(Interest::READABLE).await?.is_read_closed() {
            return Ok(());
        }
        // `WouldBlock` means: wait for the next event.
        match stream.try_io(Interest::READABLE, || peek(stream, unread)) {
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
            result => return result,
        }
    }
    Ok(())
}

/// How long to wait after this many looks at a head that has been arriving for this time. A look takes time for all bytes
/// that have arrived, so a client that sends single ones gets few looks. It waits at most twice as long as it takes to
/// send its head.
fn wait_before_look(looks: u32, since_first: Duration) -> Option<Duration> {
    (looks >= PROMPT_LOOKS).then(|| since_first.clamp(SHORTEST_WAIT, LONGEST_WAIT))
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

/// Whether hyper can answer: the head is whole, or hyper would reject it in any case.
pub(super) fn is_ready(bytes: &[u8]) -> bool {
    is_whole(bytes) || !may_be_http(bytes)
}

/// Whether the bytes may be the start of an HTTP/1 request, unlike those of TLS.
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

    #[test]
    fn client_that_sends_single_bytes_gets_few_looks() {
        let (mut looks, mut time) = (0, Duration::ZERO);
        while time < Duration::from_secs(10) {
            // The next byte is always there already.
            let wait = wait_before_look(looks, time).unwrap_or_default();
            assert!(wait <= time.max(SHORTEST_WAIT));
            time += wait;
            looks += 1;
        }
        assert!((10..=25).contains(&looks), "{looks}");
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
