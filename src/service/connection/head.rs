//! Waits until the whole head of a request has arrived. Until then it stays in the system's buffers, so that clients with
//! unfinished heads take no memory of the service.

use std::io;

use axum::body::Bytes;
use memchr::memchr_iter;
use tokio::io::Interest;
use tokio::net::TcpStream;

/// Maximum size of a request's headers in bytes.
pub(super) const MAX_HEADERS: usize = 32 << 10;

/// Most heads are shorter.
#[cfg(unix)]
const USUAL: usize = 4 << 10;

/// Returns when `unread` and what the system holds contain a whole head, more than hyper accepts, or all that the client
/// will send.
///
/// # Errors
/// The connection failed.
pub(super) async fn arrives(stream: &TcpStream, unread: &Bytes) -> io::Result<()> {
    while !is_whole(unread) {
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

/// Looks at what the system holds.
#[cfg(unix)]
fn peek(stream: &TcpStream, unread: &[u8]) -> io::Result<()> {
    let mut usual = [0; USUAL];
    let mut large = Vec::new();
    let mut buffer = usual.as_mut_slice();
    loop {
        let start = unread.len().min(buffer.len());
        buffer[..start].copy_from_slice(&unread[..start]);
        let length = match buffer.len() - start {
            0 => start,
            _ => start + rustix::net::recv(stream, &mut buffer[start..], rustix::net::RecvFlags::PEEK)?.0,
        };
        if is_whole(&buffer[..length]) || length >= MAX_HEADERS || length == start {
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

/// Whether the bytes contain a head and the empty line that ends it. As in hyper, empty lines before it don't count, and a
/// line may end without CR.
pub(super) fn is_whole(bytes: &[u8]) -> bool {
    let start = bytes.iter().take_while(|byte| matches!(byte, b'\r' | b'\n')).count();
    let bytes = &bytes[start..];
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
}
