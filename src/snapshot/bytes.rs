//! Values to bytes and back: numbers short, texts and lists with their length before them. Reading is total: whatever
//! the bytes are, it gives a value that the model allows, or `None`, and takes no more memory than the bytes warrant.

use crate::model::text::{clean, clean_lines};
use crate::model::{Figure, Text};

/// A value with a form in bytes.
pub(super) trait Form: Sized {
    /// Appends the value.
    fn put(&self, out: &mut Vec<u8>);

    /// Takes a value from the front; `None` where none stands there.
    fn get(bytes: &mut Bytes<'_>) -> Option<Self>;
}

/// What is still to be read.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bytes<'a>(pub(super) &'a [u8]);

impl<'a> Bytes<'a> {
    /// Whether all is read.
    pub(super) fn is_empty(self) -> bool {
        self.0.is_empty()
    }

    /// The next `count` bytes.
    pub(super) fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(taken)
    }

    /// The next bytes, as many as the array has.
    pub(super) fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        self.take(N)?.try_into().ok()
    }

    /// A length, no larger than what is left: every item takes a byte at least.
    fn length(&mut self) -> Option<usize> {
        let length = usize::try_from(u64::get(self)?).ok()?;
        (length <= self.0.len()).then_some(length)
    }

    /// A text as it was put.
    pub(super) fn text(&mut self) -> Option<&'a str> {
        let length = self.length()?;
        std::str::from_utf8(self.take(length)?).ok()
    }
}

/// A struct: its fields, one after the other. Naming them all is checked by the compiler in both directions.
macro_rules! record {
    ($($type:ident { $($field:ident),* $(,)? })*) => {
        $(impl Form for $type {
            fn put(&self, out: &mut Vec<u8>) {
                let $type { $($field),* } = self;
                $($field.put(out);)*
            }

            fn get(bytes: &mut Bytes<'_>) -> Option<$type> {
                Some($type { $($field: Form::get(bytes)?),* })
            }
        }

        #[cfg(test)]
        impl $crate::snapshot::any::Any for $type {
            fn any(dice: &mut $crate::snapshot::any::Dice) -> $type {
                $type { $($field: $crate::snapshot::any::Any::any(dice)),* }
            }
        })*
    };
}

/// An enum: a byte that tells the variant, then what it holds.
macro_rules! choice {
    ($($type:ident {
        $($tag:literal $variant:ident $({ $($field:ident),* })? $(( $item:ident ))?),* $(,)?
    })*) => {
        $(impl Form for $type {
            fn put(&self, out: &mut Vec<u8>) {
                match self {
                    $($type::$variant $({ $($field),* })? $(( $item ))? => {
                        out.push($tag);
                        $($($field.put(out);)*)?
                        $($item.put(out);)?
                    })*
                }
            }

            fn get(bytes: &mut Bytes<'_>) -> Option<$type> {
                Some(match u8::get(bytes)? {
                    $($tag => $type::$variant $({ $($field: Form::get(bytes)?),* })? $(({
                        let $item = Form::get(bytes)?;
                        $item
                    }))?,)*
                    _ => return None,
                })
            }
        }

        #[cfg(test)]
        impl $crate::snapshot::any::Any for $type {
            fn any(dice: &mut $crate::snapshot::any::Dice) -> $type {
                // The tags count from 0 without a gap, which the test of them sees to.
                match dice.below([$($tag),*].len()) {
                    $($tag => $type::$variant $({ $($field: $crate::snapshot::any::Any::any(dice)),* })? $(({
                        let $item = $crate::snapshot::any::Any::any(dice);
                        $item
                    }))?,)*
                    tag => unreachable!("no variant has the tag {tag}"),
                }
            }
        })*
    };
}

pub(super) use {choice, record};

impl Form for u8 {
    fn put(&self, out: &mut Vec<u8>) {
        out.push(*self);
    }

    fn get(bytes: &mut Bytes<'_>) -> Option<u8> {
        bytes.array().map(|[byte]| byte)
    }
}

impl Form for bool {
    fn put(&self, out: &mut Vec<u8>) {
        out.push(u8::from(*self));
    }

    fn get(bytes: &mut Bytes<'_>) -> Option<bool> {
        match u8::get(bytes)? {
            0 => Some(false),
            1 => Some(true),
            _ => None,
        }
    }
}

impl Form for u64 {
    /// Seven bits a byte, the lowest first, the eighth set where more follow (LEB128).
    fn put(&self, out: &mut Vec<u8>) {
        let mut rest = *self;
        while rest >= 0x80 {
            out.push(rest.to_le_bytes()[0] | 0x80);
            rest >>= 7;
        }
        out.push(rest.to_le_bytes()[0]);
    }

    fn get(bytes: &mut Bytes<'_>) -> Option<u64> {
        let mut value = 0_u64;
        for shift in (0..64).step_by(7) {
            let byte = u8::get(bytes)?;
            let part = u64::from(byte & 0x7f);
            // The tenth byte has room for one bit.
            if shift == 63 && part > 1 {
                return None;
            }
            value |= part << shift;
            if byte < 0x80 {
                return Some(value);
            }
        }
        None
    }
}

impl Form for u32 {
    fn put(&self, out: &mut Vec<u8>) {
        u64::from(*self).put(out);
    }

    fn get(bytes: &mut Bytes<'_>) -> Option<u32> {
        u32::try_from(u64::get(bytes)?).ok()
    }
}

impl Form for u16 {
    fn put(&self, out: &mut Vec<u8>) {
        u64::from(*self).put(out);
    }

    fn get(bytes: &mut Bytes<'_>) -> Option<u16> {
        u16::try_from(u64::get(bytes)?).ok()
    }
}

impl Form for i64 {
    /// Zigzag: small numbers of either sign are short.
    fn put(&self, out: &mut Vec<u8>) {
        ((self << 1) ^ (self >> 63)).cast_unsigned().put(out);
    }

    fn get(bytes: &mut Bytes<'_>) -> Option<i64> {
        let zigzag = u64::get(bytes)?;
        Some((zigzag >> 1).cast_signed() ^ -(zigzag & 1).cast_signed())
    }
}

/// Marks a float that four bytes hold exactly.
const SINGLE: u8 = 4;

/// Marks one that takes eight.
const DOUBLE: u8 = 8;

impl Form for f64 {
    fn put(&self, out: &mut Vec<u8>) {
        let single = *self as f32;
        if f64::from(single).to_bits() == self.to_bits() {
            out.push(SINGLE);
            out.extend(single.to_le_bytes());
        } else {
            out.push(DOUBLE);
            out.extend(self.to_le_bytes());
        }
    }

    fn get(bytes: &mut Bytes<'_>) -> Option<f64> {
        match u8::get(bytes)? {
            SINGLE => bytes.array().map(|four| f64::from(f32::from_le_bytes(four))),
            DOUBLE => bytes.array().map(f64::from_le_bytes),
            _ => None,
        }
    }
}

impl Form for Figure {
    fn put(&self, out: &mut Vec<u8>) {
        Figure::get(*self).put(out);
    }

    fn get(bytes: &mut Bytes<'_>) -> Option<Figure> {
        Form::get(bytes).map(|number: Option<f64>| number.into())
    }
}

impl<T: Form> Form for Option<T> {
    fn put(&self, out: &mut Vec<u8>) {
        self.is_some().put(out);
        if let Some(value) = self {
            value.put(out);
        }
    }

    fn get(bytes: &mut Bytes<'_>) -> Option<Option<T>> {
        match bool::get(bytes)? {
            true => T::get(bytes).map(Some),
            false => Some(None),
        }
    }
}

impl<T: Form> Form for Box<T> {
    fn put(&self, out: &mut Vec<u8>) {
        T::put(self, out);
    }

    fn get(bytes: &mut Bytes<'_>) -> Option<Box<T>> {
        T::get(bytes).map(Box::new)
    }
}

/// Room taken for a list before its items are read, in bytes: a length alone must not cost much.
const AHEAD: usize = 256 * 1024;

impl<T: Form> Form for Vec<T> {
    fn put(&self, out: &mut Vec<u8>) {
        (self.len() as u64).put(out);
        for item in self {
            item.put(out);
        }
    }

    fn get(bytes: &mut Bytes<'_>) -> Option<Vec<T>> {
        let length = bytes.length()?;
        let mut items = Vec::with_capacity(length.min(AHEAD / size_of::<T>().max(1)));
        for _ in 0..length {
            items.push(T::get(bytes)?);
        }
        Some(items)
    }
}

/// Appends a text.
pub(super) fn put_text(text: &str, out: &mut Vec<u8>) {
    (text.len() as u64).put(out);
    out.extend(text.as_bytes());
}

impl Form for Text {
    fn put(&self, out: &mut Vec<u8>) {
        put_text(self, out);
    }

    /// A file is the outside too: the text is made harmless once more, which changes none that was.
    fn get(bytes: &mut Bytes<'_>) -> Option<Text> {
        Some(Text::from(clean(bytes.text()?)))
    }
}

impl Form for String {
    fn put(&self, out: &mut Vec<u8>) {
        put_text(self, out);
    }

    fn get(bytes: &mut Bytes<'_>) -> Option<String> {
        Some(clean_lines(bytes.text()?).into_owned())
    }
}
