//! The body of an answer while it comes in.
//!
//! A large one has memory of its own, which the system gets back as soon as the answer is decoded. On the heap it would
//! cost more than its time there: glibc takes every large block that is freed as a sign that such blocks are usual
//! (mallopt(3), the dynamic mmap threshold), and from then on keeps up to twice as much in each of its arenas.

use std::ops::Deref;

use memmap2::{MmapMut, MmapOptions};

/// Bodies up to this size are on the heap. glibc's threshold is at least twice as high.
const HEAP: usize = 64 * 1024;

/// The bytes so far.
pub(super) struct Body {
    most: usize,
    bytes: Bytes,
}

enum Bytes {
    Heap(Vec<u8>),
    /// The system gives a page of it when it is first written, so that the whole is set aside at once and never grows.
    Own {
        memory: MmapMut,
        used: usize,
    },
}

impl Body {
    /// An empty body that will have at most so many bytes.
    pub(super) fn new(most: usize) -> Body {
        Body { most, bytes: Bytes::Heap(Vec::new()) }
    }

    /// Appends to it. `false` where it would become longer than it may; then it stays as it is.
    pub(super) fn push(&mut self, chunk: &[u8]) -> bool {
        let length = self.len().saturating_add(chunk.len());
        if length > self.most {
            return false;
        }
        if let Bytes::Heap(bytes) = &self.bytes
            && length > HEAP
            // Without memory of its own it grows on the heap.
            && let Ok(mut memory) = MmapOptions::new().len(self.most).no_reserve_swap().map_anon()
        {
            let used = bytes.len();
            if let Some(start) = memory.get_mut(..used) {
                start.copy_from_slice(bytes);
            }
            self.bytes = Bytes::Own { memory, used };
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
}

impl Deref for Body {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match &self.bytes {
            Bytes::Heap(bytes) => bytes,
            Bytes::Own { memory, used } => memory.get(..*used).unwrap_or_default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_comes_in_pieces_is_whole_whatever_its_size() {
        for (piece, count) in [(0, 1), (1, 3), (HEAP, 1), (HEAP + 1, 1), (1_000, 65), (1_000, 66), (70_000, 40)] {
            let mut body = Body::new(piece * count);
            let mut all = Vec::new();
            for number in 0..count {
                let chunk = vec![number as u8; piece];
                assert!(body.push(&chunk));
                all.extend(chunk);
            }
            assert!(*body == *all, "{count} pieces of {piece} bytes");
            assert!(!body.push(b"x"), "there is no room for one byte more");
            assert!(*body == *all);
        }
    }
}
