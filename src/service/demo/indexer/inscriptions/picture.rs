//! Small simulated images: symmetric figures in three colours.

use std::io::Write as _;

use flate2::Compression;
use flate2::write::ZlibEncoder;

use crate::service::demo::indexer::random::Random;

/// Pixels per side.
const SIDE: usize = 16;

/// The first bytes of a PNG.
const SIGNATURE: &[u8] = b"\x89PNG\r\n\x1a\n";

/// A PNG that depends only on `seed`.
pub(super) fn png(seed: u64) -> Vec<u8> {
    let mut random = Random::new(seed);
    let mut colour = |low: u64, high: u64| [0; 3].map(|_: u8| random.between(low, high) as u8);
    let palette = [colour(10, 70), colour(90, 255), colour(120, 255), [250, 250, 250]];
    let mut rows = Vec::with_capacity(SIDE * (1 + SIDE));
    for y in 0..SIDE {
        // No filter.
        rows.push(0);
        let mut left = [0u8; SIDE / 2];
        for (x, pixel) in left.iter_mut().enumerate() {
            let is_inside = (2..SIDE - 2).contains(&y) && x >= 2;
            let is_eye = y == 6 && x == 5;
            *pixel = match random.below(4) {
                _ if is_eye => 3,
                0 | 1 if is_inside => 1,
                2 if is_inside => 2,
                _ => 0,
            };
        }
        rows.extend(left);
        rows.extend(left.iter().rev());
    }
    let mut file = SIGNATURE.to_vec();
    let side = (SIDE as u32).to_be_bytes();
    // 8 bits per pixel, a palette, not interlaced.
    chunk(&mut file, b"IHDR", &[&side, &side, &[8, 3, 0, 0, 0]]);
    chunk(&mut file, b"PLTE", &[&palette.concat()]);
    let mut zlib = ZlibEncoder::new(Vec::new(), Compression::default());
    // Writing to a vector doesn't fail.
    let pixels = zlib.write_all(&rows).and_then(|()| zlib.finish()).unwrap_or_default();
    chunk(&mut file, b"IDAT", &[&pixels]);
    chunk(&mut file, b"IEND", &[]);
    file
}

fn chunk(file: &mut Vec<u8>, name: &[u8; 4], parts: &[&[u8]]) {
    let length: usize = parts.iter().map(|part| part.len()).sum();
    file.extend((length as u32).to_be_bytes());
    let start = file.len();
    file.extend(name);
    parts.iter().for_each(|part| file.extend(*part));
    let checksum = crc32fast::hash(file.get(start..).unwrap_or_default());
    file.extend(checksum.to_be_bytes());
}
