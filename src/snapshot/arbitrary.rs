//! Any value of the model, for the tests: drawn from a seeded generator, so that a seed is enough to have it again. The
//! types' own implementations come with their forms.

use std::sync::Arc;
use std::time::Duration;

use crate::app::store::Kept;
use crate::fetch::Receipt;
use crate::model::packed::Entry;
use crate::model::{Amount, CoinId, Currency, Figure, Packed, Page, SatNumber, Text, UtcTime};

/// A random number generator (xorshift64*) that gives the same numbers for the same seed in every version.
#[derive(Debug)]
pub(super) struct Rng(u64);

impl Rng {
    pub(super) fn new(seed: u64) -> Rng {
        Rng(seed | 1)
    }

    fn next_u64(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    pub(super) fn below(&mut self, end: usize) -> usize {
        ((self.next_u64() >> 33) as usize) % end
    }
}

pub(super) trait Arbitrary {
    fn arbitrary(rng: &mut Rng) -> Self;
}

impl Arbitrary for u64 {
    /// Small numbers, numbers at the boundaries of the encoded lengths, and any numbers.
    fn arbitrary(rng: &mut Rng) -> u64 {
        match rng.below(3) {
            0 => rng.below(300) as u64,
            1 => (1_u64 << rng.below(64)).wrapping_sub(rng.below(2) as u64),
            _ => rng.next_u64(),
        }
    }
}

impl Arbitrary for i64 {
    fn arbitrary(rng: &mut Rng) -> i64 {
        u64::arbitrary(rng).cast_signed()
    }
}

impl Arbitrary for u32 {
    fn arbitrary(rng: &mut Rng) -> u32 {
        (rng.next_u64() >> (32 + rng.below(32))) as u32
    }
}

impl Arbitrary for u16 {
    fn arbitrary(rng: &mut Rng) -> u16 {
        (rng.next_u64() >> 48) as u16
    }
}

impl Arbitrary for u8 {
    fn arbitrary(rng: &mut Rng) -> u8 {
        (rng.next_u64() >> 56) as u8
    }
}

impl Arbitrary for bool {
    fn arbitrary(rng: &mut Rng) -> bool {
        rng.below(2) == 1
    }
}

impl Arbitrary for Figure {
    fn arbitrary(rng: &mut Rng) -> Figure {
        <Option<f64>>::arbitrary(rng).into()
    }
}

impl Arbitrary for f64 {
    /// No NaN: it doesn't occur in the model and doesn't equal itself.
    fn arbitrary(rng: &mut Rng) -> f64 {
        match rng.below(4) {
            0 => f64::from(rng.below(1000) as u32) / 8.0,
            1 => [0.0, -0.0, f64::MIN_POSITIVE, f64::MAX, f64::MIN, 5e-324, f64::INFINITY][rng.below(7)],
            _ => Some(f64::from_bits(rng.next_u64())).filter(|float| !float.is_nan()).unwrap_or(1.1),
        }
    }
}

/// Returns text with characters of all UTF-8 lengths, and a length around the limits of inline text and of the encoded
/// length. Contains only characters that cleaning keeps.
fn any_text(rng: &mut Rng) -> String {
    const LETTERS: [char; 8] = ['a', 'Z', '0', '/', '‰', '比', '🔥', 'ż'];
    let length = [0, 1, 7, 24, 25, 130][rng.below(6)];
    (0..length).map(|_| LETTERS[rng.below(LETTERS.len())]).collect()
}

impl Arbitrary for Text {
    fn arbitrary(rng: &mut Rng) -> Text {
        Text::from(any_text(rng))
    }
}

impl Arbitrary for String {
    /// Text with several lines.
    fn arbitrary(rng: &mut Rng) -> String {
        format!("{}x\n\n  x{}", any_text(rng), any_text(rng))
    }
}

impl<T: Arbitrary> Arbitrary for Option<T> {
    fn arbitrary(rng: &mut Rng) -> Option<T> {
        bool::arbitrary(rng).then(|| T::arbitrary(rng))
    }
}

impl<T: Arbitrary> Arbitrary for Vec<T> {
    fn arbitrary(rng: &mut Rng) -> Vec<T> {
        (0..[0, 1, 2, 5][rng.below(4)]).map(|_| T::arbitrary(rng)).collect()
    }
}

impl<T: Arbitrary> Arbitrary for Box<T> {
    fn arbitrary(rng: &mut Rng) -> Box<T> {
        Box::new(T::arbitrary(rng))
    }
}

impl<T: Arbitrary> Arbitrary for Page<T> {
    fn arbitrary(rng: &mut Rng) -> Page<T> {
        Page { items: Arbitrary::arbitrary(rng), total: Arbitrary::arbitrary(rng) }
    }
}

impl<T: Arbitrary + Entry> Arbitrary for Packed<T> {
    fn arbitrary(rng: &mut Rng) -> Packed<T> {
        Vec::arbitrary(rng).into_iter().collect()
    }
}

impl Arbitrary for CoinId {
    fn arbitrary(rng: &mut Rng) -> CoinId {
        CoinId(Arbitrary::arbitrary(rng))
    }
}

impl Arbitrary for Currency {
    fn arbitrary(rng: &mut Rng) -> Currency {
        Currency::parse(["USD", "EUR", "BTC", "1INCH", "ABCDEFGHIJ"][rng.below(5)]).unwrap()
    }
}

impl Arbitrary for UtcTime {
    fn arbitrary(rng: &mut Rng) -> UtcTime {
        UtcTime::from_millis(i64::arbitrary(rng) % 60_000_000_000_000)
    }
}

impl Arbitrary for Amount {
    fn arbitrary(rng: &mut Rng) -> Amount {
        Amount::from_atoms(u128::from(u64::arbitrary(rng)) << 64 | u128::from(u64::arbitrary(rng)))
    }
}

impl Arbitrary for SatNumber {
    fn arbitrary(rng: &mut Rng) -> SatNumber {
        SatNumber::new(u64::arbitrary(rng) % SatNumber::SUPPLY).unwrap()
    }
}

impl Arbitrary for Receipt {
    fn arbitrary(rng: &mut Rng) -> Receipt {
        Receipt {
            url: Arbitrary::arbitrary(rng),
            status: Arbitrary::arbitrary(rng),
            bytes: Arbitrary::arbitrary(rng),
            latency: Duration::from_micros(Arbitrary::arbitrary(rng)),
            fetched_at: Arbitrary::arbitrary(rng),
            fresh_until: Arbitrary::arbitrary(rng),
            warnings: Arc::default(),
            rows: 0,
        }
    }
}

impl Arbitrary for Kept {
    fn arbitrary(rng: &mut Rng) -> Kept {
        Kept {
            request: Arbitrary::arbitrary(rng),
            answer: Arc::new(Arbitrary::arbitrary(rng)),
            receipt: Arbitrary::arbitrary(rng),
            abridged: Arbitrary::arbitrary(rng),
        }
    }
}
