//! Any value of the model, for the tests: as a run of dice throws it, so that a seed is enough to have it again. The
//! types' own implementations come with their forms.

use std::sync::Arc;
use std::time::Duration;

use crate::app::store::Kept;
use crate::fetch::Receipt;
use crate::model::packed::Entry;
use crate::model::{Amount, CoinId, Currency, Figure, Packed, Page, SatNumber, Text, UtcTime};

/// Throws the same for the same seed, now and in every later version: xorshift64*.
#[derive(Debug)]
pub(super) struct Dice(u64);

impl Dice {
    pub(super) fn new(seed: u64) -> Dice {
        Dice(seed | 1)
    }

    fn throw(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    pub(super) fn below(&mut self, end: usize) -> usize {
        ((self.throw() >> 33) as usize) % end
    }
}

pub(super) trait Any {
    fn any(dice: &mut Dice) -> Self;
}

impl Any for u64 {
    /// Small ones, those at the borders of the forms' lengths, and any.
    fn any(dice: &mut Dice) -> u64 {
        match dice.below(3) {
            0 => dice.below(300) as u64,
            1 => (1_u64 << dice.below(64)).wrapping_sub(dice.below(2) as u64),
            _ => dice.throw(),
        }
    }
}

impl Any for i64 {
    fn any(dice: &mut Dice) -> i64 {
        u64::any(dice).cast_signed()
    }
}

impl Any for u32 {
    fn any(dice: &mut Dice) -> u32 {
        (dice.throw() >> (32 + dice.below(32))) as u32
    }
}

impl Any for u16 {
    fn any(dice: &mut Dice) -> u16 {
        (dice.throw() >> 48) as u16
    }
}

impl Any for u8 {
    fn any(dice: &mut Dice) -> u8 {
        (dice.throw() >> 56) as u8
    }
}

impl Any for bool {
    fn any(dice: &mut Dice) -> bool {
        dice.below(2) == 1
    }
}

impl Any for Figure {
    fn any(dice: &mut Dice) -> Figure {
        <Option<f64>>::any(dice).into()
    }
}

impl Any for f64 {
    /// No NaN: the model has none, and it is unlike itself.
    fn any(dice: &mut Dice) -> f64 {
        match dice.below(4) {
            0 => f64::from(dice.below(1000) as u32) / 8.0,
            1 => [0.0, -0.0, f64::MIN_POSITIVE, f64::MAX, f64::MIN, 5e-324, f64::INFINITY][dice.below(7)],
            _ => Some(f64::from_bits(dice.throw())).filter(|float| !float.is_nan()).unwrap_or(1.1),
        }
    }
}

/// Letters of all lengths, in texts of lengths around those that a text's place and its length's form have room for.
/// None that cleaning changes, so that the text is one of the model.
fn any_text(dice: &mut Dice) -> String {
    const LETTERS: [char; 8] = ['a', 'Z', '0', '/', '‰', '比', '🔥', 'ż'];
    let length = [0, 1, 7, 24, 25, 130][dice.below(6)];
    (0..length).map(|_| LETTERS[dice.below(LETTERS.len())]).collect()
}

impl Any for Text {
    fn any(dice: &mut Dice) -> Text {
        Text::from(any_text(dice))
    }
}

impl Any for String {
    /// The longer texts have lines.
    fn any(dice: &mut Dice) -> String {
        format!("{}x\n\n  x{}", any_text(dice), any_text(dice))
    }
}

impl<T: Any> Any for Option<T> {
    fn any(dice: &mut Dice) -> Option<T> {
        bool::any(dice).then(|| T::any(dice))
    }
}

impl<T: Any> Any for Vec<T> {
    fn any(dice: &mut Dice) -> Vec<T> {
        (0..[0, 1, 2, 5][dice.below(4)]).map(|_| T::any(dice)).collect()
    }
}

impl<T: Any> Any for Box<T> {
    fn any(dice: &mut Dice) -> Box<T> {
        Box::new(T::any(dice))
    }
}

impl<T: Any> Any for Page<T> {
    fn any(dice: &mut Dice) -> Page<T> {
        Page { items: Any::any(dice), total: Any::any(dice) }
    }
}

impl<T: Any + Entry> Any for Packed<T> {
    fn any(dice: &mut Dice) -> Packed<T> {
        Vec::any(dice).into_iter().collect()
    }
}

impl Any for CoinId {
    fn any(dice: &mut Dice) -> CoinId {
        CoinId(Any::any(dice))
    }
}

impl Any for Currency {
    fn any(dice: &mut Dice) -> Currency {
        Currency::parse(["USD", "EUR", "BTC", "1INCH", "ABCDEFGHIJ"][dice.below(5)]).unwrap()
    }
}

impl Any for UtcTime {
    fn any(dice: &mut Dice) -> UtcTime {
        UtcTime::from_millis(i64::any(dice) % 60_000_000_000_000)
    }
}

impl Any for Amount {
    fn any(dice: &mut Dice) -> Amount {
        Amount::from_atoms(u128::from(u64::any(dice)) << 64 | u128::from(u64::any(dice)))
    }
}

impl Any for SatNumber {
    fn any(dice: &mut Dice) -> SatNumber {
        SatNumber::new(u64::any(dice) % SatNumber::SUPPLY).unwrap()
    }
}

impl Any for Receipt {
    fn any(dice: &mut Dice) -> Receipt {
        Receipt {
            url: Any::any(dice),
            status: Any::any(dice),
            bytes: Any::any(dice),
            latency: Duration::from_micros(Any::any(dice)),
            fetched_at: Any::any(dice),
            fresh_until: Any::any(dice),
            warnings: Arc::default(),
        }
    }
}

impl Any for Kept {
    fn any(dice: &mut Dice) -> Kept {
        Kept {
            request: Any::any(dice),
            answer: Arc::new(Any::any(dice)),
            receipt: Any::any(dice),
            abridged: Any::any(dice),
        }
    }
}
