//! The body of an answer, unpacked while it comes in, within limits.

use std::io::{self, Write};

use reqwest::Response;
use tokio::time::{Instant, timeout_at};

use super::coding::Unpacker;
use super::fault;
use crate::client::{ErrorKind, Limits};
use crate::memory::Memory;

/// The whole body, or the limit that it breaks.
pub(super) async fn whole(mut response: Response, limits: &Limits, deadline: Instant) -> Result<Memory, ErrorKind> {
    let too_large = || ErrorKind::TooLarge(limits.body_bytes);
    if response.content_length().is_some_and(|declared| declared > limits.body_bytes) {
        return Err(too_large());
    }
    let damaged = |error: io::Error| match error.kind() {
        io::ErrorKind::FileTooLarge => too_large(),
        _ => ErrorKind::Damaged(format!("decompression failed: {error}")),
    };
    let mut unpacker = Unpacker::new(response.headers(), Room::of(limits.body_bytes));
    let mut packed = 0_u64;
    loop {
        let chunk = match timeout_at(deadline, response.chunk()).await {
            Ok(Ok(Some(chunk))) => chunk,
            Ok(Ok(None)) => break,
            Ok(Err(error)) => return Err(fault::kind(&error)),
            Err(_) => return Err(ErrorKind::TimeoutTotal(limits.total)),
        };
        packed = packed.saturating_add(chunk.len() as u64);
        if packed > limits.body_bytes {
            return Err(too_large());
        }
        unpacker.write_all(&chunk).map_err(damaged)?;
    }
    // Nothing is packed as nothing.
    if packed > 0 {
        unpacker.finish().map_err(damaged)?;
    }
    Ok(unpacker.get_mut().take())
}

/// As much of the body as comes, can be unpacked and is not longer than `most` bytes, packed and unpacked.
pub(super) async fn beginning(mut response: Response, most: usize, deadline: Instant) -> Memory {
    let mut unpacker = Unpacker::new(response.headers(), Room::of(most as u64));
    let mut packed = 0;
    while let Ok(Ok(Some(chunk))) = timeout_at(deadline, response.chunk()).await {
        packed += chunk.len();
        if unpacker.write_all(&chunk).is_err() || packed >= most {
            break;
        }
    }
    let _ = unpacker.finish();
    unpacker.get_mut().take()
}

/// Takes bytes as long as there is room for them.
struct Room {
    most: usize,
    memory: Memory,
}

impl Room {
    fn of(most: u64) -> Room {
        let most = usize::try_from(most).unwrap_or(usize::MAX);
        Room { most, memory: Memory::new(most) }
    }

    /// What came so far.
    fn take(&mut self) -> Memory {
        std::mem::replace(&mut self.memory, Memory::new(0))
    }
}

impl Write for Room {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let room = bytes.len().min(self.most.saturating_sub(self.memory.len()));
        let fits = bytes.get(..room).unwrap_or_default();
        if fits.is_empty() && !bytes.is_empty() || !self.memory.push(fits) {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        Ok(room)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
