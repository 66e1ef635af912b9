//! Memory for many bytes that are needed for a moment: the body of an answer, a file of the snapshot.
//!
//! The system gives it, and gets it back at once. On the heap it would cost more than its time there: glibc takes every
//! large block that is freed as a sign that such blocks are usual (mallopt(3), the dynamic mmap threshold), and from then
//! on keeps up to twice as much in each of its arenas.

use std::io::{self, Read};
use std::ops::{Deref, DerefMut};

use memmap2::{MmapMut, MmapOptions};

/// Up to this size the bytes are on the heap. glibc's threshold is at least twice as high.
const HEAP: usize = 64 * 1024;

/// Bytes that are appended to.
#[derive(Debug)]
pub(crate) struct Memory {
    most: usize,
    bytes: Bytes,
    /// The system gave no memory once, and is not asked again.
    refused: bool,
}

#[derive(Debug)]
enum Bytes {
    Heap(Vec<u8>),
    /// The system gives a page of it when it is first written, so that the whole is set aside at once and never grows.
    Own {
        memory: MmapMut,
        used: usize,
    },
}

impl Memory {
    /// None yet, and at most so many bytes.
    pub(crate) fn new(most: usize) -> Memory {
        Memory { most, bytes: Bytes::Heap(Vec::new()), refused: false }
    }

    /// Appends to it. `false` where it would become longer than it may; then it stays as it is.
    #[must_use]
    pub(crate) fn push(&mut self, chunk: &[u8]) -> bool {
        let length = self.len().saturating_add(chunk.len());
        if length > self.most {
            return false;
        }
        if let Bytes::Heap(bytes) = &self.bytes
            && length > HEAP
            && !self.refused
        {
            // Without memory of its own it grows on the heap.
            match MmapOptions::new().len(self.most).no_reserve_swap().map_anon() {
                Ok(mut memory) => {
                    let used = bytes.len();
                    if let Some(start) = memory.get_mut(..used) {
                        start.copy_from_slice(bytes);
                    }
                    self.bytes = Bytes::Own { memory, used };
                }
                Err(_) => self.refused = true,
            }
        }
        match &mut self.bytes {
            Bytes::Heap(bytes) => bytes.extend_from_slice(chunk),
            Bytes::Own { memory, used } => {
                if let Some(place) = memory.get_mut(*used..length) {
                    place.copy_from_slice(chunk);
                }
                *used = length;
            }
        }
        true
    }

    /// Appends all that comes, as far as there is room.
    ///
    /// # Errors
    /// The source cannot be read.
    pub(crate) fn append(&mut self, from: &mut impl Read) -> io::Result<()> {
        let mut chunk = [0; 16 * 1024];
        loop {
            let count = match from.read(&mut chunk) {
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
            Bytes::Own { memory, used } => memory.get(..*used).unwrap_or_default(),
        }
    }
}

impl DerefMut for Memory {
    fn deref_mut(&mut self) -> &mut [u8] {
        match &mut self.bytes {
            Bytes::Heap(bytes) => bytes,
            Bytes::Own { memory, used } => memory.get_mut(..*used).unwrap_or_default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_comes_in_pieces_is_whole_whatever_its_size() {
        for (piece, count) in [(0, 1), (1, 3), (HEAP, 1), (HEAP + 1, 1), (1_000, 65), (1_000, 66), (70_000, 40)] {
            let mut memory = Memory::new(piece * count);
            let mut all = Vec::new();
            for number in 0..count {
                let chunk = vec![number as u8; piece];
                assert!(memory.push(&chunk));
                all.extend(chunk);
            }
            assert!(*memory == *all, "{count} pieces of {piece} bytes");
            assert!(!memory.push(b"x"), "there is no room for one byte more");
            assert!(*memory == *all);
        }
    }

    #[test]
    fn what_is_read_ends_where_there_is_no_room() {
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
