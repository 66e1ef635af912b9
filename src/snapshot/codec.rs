//! Encodes values as bytes: numbers with variable length, texts and lists with a length prefix. Decoding accepts any
//! bytes: it returns a valid value of the model or `None`, and its memory use is proportional to the input.

use crate::model::text::{clean, clean_lines};
use crate::model::{Figure, Text};

/// A type that can be encoded as bytes.
pub(super) trait Codec: Sized {
    /// Appends the encoded value.
    fn put(&self, out: &mut Vec<u8>);

    /// Decodes a value from the front; `None` if the bytes are invalid.
    fn get(bytes: &mut Bytes<'_>) -> Option<Self>;
}

/// The bytes that are not decoded yet.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bytes<'a>(pub(super) &'a [u8]);

impl<'a> Bytes<'a> {
    /// Whether all bytes are decoded.
    pub(super) fn is_empty(self) -> bool {
        self.0.is_empty()
    }

    /// Takes the next `count` bytes.
    pub(super) fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(taken)
    }

    /// Takes the next `N` bytes.
    pub(super) fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        self.take(N)?.try_into().ok()
    }

    /// Decodes a length. It can't exceed the remaining bytes, since every item takes at least one.
    fn length(&mut self) -> Option<usize> {
        let length = usize::try_from(u64::get(self)?).ok()?;
        (length <= self.0.len()).then_some(length)
    }

    /// Decodes a text written by [`put_text`].
    pub(super) fn text(&mut self) -> Option<&'a str> {
        let length = self.length()?;
        std::str::from_utf8(self.take(length)?).ok()
    }
}

/// Implements [`Codec`] for structs as their fields in this order. The compiler checks that all fields are listed.
macro_rules! codec_struct {
    ($($type:ident { $($field:ident),* $(,)? })*) => {
        $(impl Codec for $type {
            fn put(&self, out: &mut Vec<u8>) {
                let $type { $($field),* } = self;
                $($field.put(out);)*
            }

            fn get(bytes: &mut Bytes<'_>) -> Option<$type> {
                Some($type { $($field: Codec::get(bytes)?),* })
            }
        }

        #[cfg(test)]
        impl $crate::snapshot::arbitrary::Arbitrary for $type {
            fn arbitrary(rng: &mut $crate::snapshot::arbitrary::Rng) -> $type {
                $type { $($field: $crate::snapshot::arbitrary::Arbitrary::arbitrary(rng)),* }
            }
        })*
    };
}

/// Implements [`Codec`] for enums as a tag byte followed by the fields of the variant.
macro_rules! codec_enum {
    ($($type:ident {
        $($tag:literal $variant:ident $({ $($field:ident),* })? $(( $item:ident ))?),* $(,)?
    })*) => {
        $(impl Codec for $type {
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
                    $($tag => $type::$variant $({ $($field: Codec::get(bytes)?),* })? $(({
                        let $item = Codec::get(bytes)?;
                        $item
                    }))?,)*
                    _ => return None,
                })
            }
        }

        #[cfg(test)]
        impl $crate::snapshot::arbitrary::Arbitrary for $type {
            fn arbitrary(rng: &mut $crate::snapshot::arbitrary::Rng) -> $type {
                // Tags count from 0 without gaps.
                match rng.below([$($tag),*].len()) {
                    $($tag => $type::$variant $({ $($field: $crate::snapshot::arbitrary::Arbitrary::arbitrary(rng)),* })? $(({
                        let $item = $crate::snapshot::arbitrary::Arbitrary::arbitrary(rng);
                        $item
                    }))?,)*
                    tag => unreachable!("no variant has the tag {tag}"),
                }
            }
        })*
    };
}

pub(super) use {codec_enum, codec_struct};

impl Codec for u8 {
    fn put(&self, out: &mut Vec<u8>) {
        out.push(*self);
    }

    fn get(bytes: &mut Bytes<'_>) -> Option<u8> {
        bytes.array().map(|[byte]| byte)
    }
}

impl Codec for bool {
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

impl Codec for u64 {
    /// LEB128: seven bits per byte, lowest first, with the eighth bit set if more bytes follow.
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

impl Codec for u32 {
    fn put(&self, out: &mut Vec<u8>) {
        u64::from(*self).put(out);
    }

    fn get(bytes: &mut Bytes<'_>) -> Option<u32> {
        u32::try_from(u64::get(bytes)?).ok()
    }
}

impl Codec for u16 {
    fn put(&self, out: &mut Vec<u8>) {
        u64::from(*self).put(out);
    }

    fn get(bytes: &mut Bytes<'_>) -> Option<u16> {
        u16::try_from(u64::get(bytes)?).ok()
    }
}

impl Codec for i64 {
    /// Zigzag encoding, so that small negative numbers are short too.
    fn put(&self, out: &mut Vec<u8>) {
        ((self << 1) ^ (self >> 63)).cast_unsigned().put(out);
    }

    fn get(bytes: &mut Bytes<'_>) -> Option<i64> {
        let zigzag = u64::get(bytes)?;
        Some((zigzag >> 1).cast_signed() ^ -(zigzag & 1).cast_signed())
    }
}

/// Marks a float that is exact in single precision.
const SINGLE: u8 = 4;

/// Marks a float in double precision.
const DOUBLE: u8 = 8;

impl Codec for f64 {
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

impl Codec for Figure {
    fn put(&self, out: &mut Vec<u8>) {
        Figure::get(*self).put(out);
    }

    fn get(bytes: &mut Bytes<'_>) -> Option<Figure> {
        Codec::get(bytes).map(|number: Option<f64>| number.into())
    }
}

impl<T: Codec> Codec for Option<T> {
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

impl<T: Codec> Codec for Box<T> {
    fn put(&self, out: &mut Vec<u8>) {
        T::put(self, out);
    }

    fn get(bytes: &mut Bytes<'_>) -> Option<Box<T>> {
        T::get(bytes).map(Box::new)
    }
}

/// Maximum bytes reserved for a list before its items are decoded, so that a wrong length can't allocate much.
const MAX_RESERVED: usize = 256 * 1024;

impl<T: Codec> Codec for Vec<T> {
    fn put(&self, out: &mut Vec<u8>) {
        (self.len() as u64).put(out);
        for item in self {
            item.put(out);
        }
    }

    fn get(bytes: &mut Bytes<'_>) -> Option<Vec<T>> {
        let length = bytes.length()?;
        let mut items = Vec::with_capacity(length.min(MAX_RESERVED / size_of::<T>().max(1)));
        for _ in 0..length {
            items.push(T::get(bytes)?);
        }
        Some(items)
    }
}

/// Appends a text with its length.
pub(super) fn put_text(text: &str, out: &mut Vec<u8>) {
    (text.len() as u64).put(out);
    out.extend(text.as_bytes());
}

impl Codec for Text {
    fn put(&self, out: &mut Vec<u8>) {
        put_text(self, out);
    }

    /// Removes control characters again, since the file is untrusted; this doesn't change clean text.
    fn get(bytes: &mut Bytes<'_>) -> Option<Text> {
        Some(Text::from(clean(bytes.text()?)))
    }
}

impl Codec for String {
    fn put(&self, out: &mut Vec<u8>) {
        put_text(self, out);
    }

    fn get(bytes: &mut Bytes<'_>) -> Option<String> {
        Some(clean_lines(bytes.text()?).into_owned())
    }
}
