//! A buffer for large, short-lived data: response bodies and snapshot files.
//!
//! It uses anonymous mapped memory, which returns to the system when dropped. On the heap, freeing a large block raises
//! glibc's dynamic mmap threshold (mallopt(3)), after which each arena keeps up to twice that size.

use std::io::{self, Read};
use std::ops::{Deref, DerefMut};

use memmap2::{MmapMut, MmapOptions};

/// Largest size in bytes kept on the heap. glibc's threshold is at least twice as high.
const MAX_HEAP: usize = 64 * 1024;

/// A growable byte buffer with a maximum length.
#[derive(Debug)]
pub(crate) struct Memory {
    max_len: usize,
    bytes: Bytes,
    /// Mapping memory failed once; use the heap from now on.
    map_failed: bool,
}

#[derive(Debug)]
enum Bytes {
    Heap(Vec<u8>),
    /// Mapped at its maximum size, so that it never grows; pages are allocated when first written.
    Mapped {
        memory: MmapMut,
        used: usize,
    },
}

impl Memory {
    /// Creates an empty buffer for at most `max_len` bytes.
    pub(crate) fn new(max_len: usize) -> Memory {
        Memory { max_len, bytes: Bytes::Heap(Vec::new()), map_failed: false }
    }

    /// Appends `chunk`. Returns `false` and changes nothing if the result would exceed the maximum length.
    #[must_use]
    pub(crate) fn push(&mut self, chunk: &[u8]) -> bool {
        let length = self.len().saturating_add(chunk.len());
        if length > self.max_len {
            return false;
        }
        if let Bytes::Heap(bytes) = &self.bytes
            && length > MAX_HEAP
            && !self.map_failed
        {
            // If mapping fails, the buffer grows on the heap.
            match MmapOptions::new().len(self.max_len).no_reserve_swap().map_anon() {
                Ok(mut memory) => {
                    let used = bytes.len();
                    if let Some(start) = memory.get_mut(..used) {
                        start.copy_from_slice(bytes);
                    }
                    self.bytes = Bytes::Mapped { memory, used };
                }
                Err(_) => self.map_failed = true,
            }
        }
        match &mut self.bytes {
            Bytes::Heap(bytes) => bytes.extend_from_slice(chunk),
            Bytes::Mapped { memory, used } => {
                if let Some(place) = memory.get_mut(*used..length) {
                    place.copy_from_slice(chunk);
                }
                *used = length;
            }
        }
        true
    }

    /// Appends everything that `reader` returns, until the maximum length would be exceeded.
    ///
    /// # Errors
    /// The reader fails.
    pub(crate) fn append(&mut self, reader: &mut impl Read) -> io::Result<()> {
        let mut chunk = [0; 16 * 1024];
        loop {
            let count = match reader.read(&mut chunk) {
                Ok(count) => count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            if count == 0 || !self.push(chunk.get(..count).unwrap_or_default()) {
                return Ok(());
            }
        }
    }
}

impl Deref for Memory {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match &self.bytes {
            Bytes::Heap(bytes) => bytes,
            Bytes::Mapped { memory, used } => memory.get(..*used).unwrap_or_default(),
        }
    }
}

impl DerefMut for Memory {
    fn deref_mut(&mut self) -> &mut [u8] {
        match &mut self.bytes {
            Bytes::Heap(bytes) => bytes,
            Bytes::Mapped { memory, used } => memory.get_mut(..*used).unwrap_or_default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunks_of_any_size_are_appended_completely() {
        for (piece, count) in [(0, 1), (1, 3), (MAX_HEAP, 1), (MAX_HEAP + 1, 1), (1_000, 65), (1_000, 66), (70_000, 40)]
        {
            let mut memory = Memory::new(piece * count);
            let mut all = Vec::new();
            for number in 0..count {
                let chunk = vec![number as u8; piece];
                assert!(memory.push(&chunk));
                all.extend(chunk);
            }
            assert!(*memory == *all, "{count} pieces of {piece} bytes");
            assert!(!memory.push(b"x"), "no room for one more byte");
            assert!(*memory == *all);
        }
    }

    #[test]
    fn append_stops_at_the_maximum_length() {
        for length in [0, 1, 16 * 1024, 100_000] {
            let bytes: Vec<u8> = (0..length).map(|index| index as u8).collect();
            let mut memory = Memory::new(length);
            memory.append(&mut bytes.as_slice()).unwrap();
            assert!(*memory == *bytes, "{length}");
            memory.append(&mut &b"more"[..]).unwrap();
            assert_eq!(memory.len(), length);
        }
    }
}
