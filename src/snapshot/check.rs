//! Checks decoded values. A checksum detects damage, but anybody can compute it, so texts and numbers of a file are as
//! untrusted as those of a response.

use std::fmt::Error;

use serde::ser::{self, Impossible, Serialize, Serializer};

use crate::model::text;

/// Whether no text has hidden characters and all numbers are finite, as in decoded responses.
pub(super) fn is_valid(value: &impl Serialize) -> bool {
    value.serialize(Check { multiline: false }).is_ok()
}

/// A serializer without output that fails at the first invalid value.
#[derive(Clone, Copy)]
struct Check {
    /// Whether the texts of the current field may have several lines.
    multiline: bool,
}

/// The only fields whose texts may have several lines: of posts and inscriptions.
const MULTILINE: &str = "text";

fn valid(is_valid: bool) -> Result<(), Error> {
    if is_valid { Ok(()) } else { Err(Error) }
}

macro_rules! accept {
    ($($method:ident: $type:ty,)*) => {
        $(fn $method(self, _: $type) -> Result<(), Error> {
            Ok(())
        })*
    };
}

impl Serializer for Check {
    type Ok = ();
    type Error = Error;
    type SerializeSeq = Check;
    type SerializeTuple = Check;
    type SerializeTupleStruct = Check;
    type SerializeTupleVariant = Check;
    type SerializeMap = Impossible<(), Error>;
    type SerializeStruct = Check;
    type SerializeStructVariant = Check;

    accept! {
        serialize_bool: bool,
        serialize_i8: i8,
        serialize_i16: i16,
        serialize_i32: i32,
        serialize_i64: i64,
        serialize_u8: u8,
        serialize_u16: u16,
        serialize_u32: u32,
        serialize_u64: u64,
        serialize_u128: u128,
        serialize_bytes: &[u8],
        serialize_unit_struct: &'static str,
    }

    fn is_human_readable(&self) -> bool {
        false
    }

    fn serialize_f32(self, number: f32) -> Result<(), Error> {
        valid(number.is_finite())
    }

    fn serialize_f64(self, number: f64) -> Result<(), Error> {
        valid(number.is_finite())
    }

    fn serialize_char(self, c: char) -> Result<(), Error> {
        self.serialize_str(c.encode_utf8(&mut [0; 4]))
    }

    fn serialize_str(self, text: &str) -> Result<(), Error> {
        let has_hidden = |line: &str| text::split_hidden(line).any(|(_, hidden)| hidden.is_some());
        let is_hidden = if self.multiline { text.split('\n').any(has_hidden) } else { has_hidden(text) };
        valid(!is_hidden)
    }

    fn serialize_none(self) -> Result<(), Error> {
        Ok(())
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<(), Error> {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result<(), Error> {
        Ok(())
    }

    fn serialize_unit_variant(self, _: &'static str, _: u32, _: &'static str) -> Result<(), Error> {
        Ok(())
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _: &'static str, value: &T) -> Result<(), Error> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        value: &T,
    ) -> Result<(), Error> {
        value.serialize(self)
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Check, Error> {
        Ok(self)
    }

    fn serialize_tuple(self, _: usize) -> Result<Check, Error> {
        Ok(self)
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Check, Error> {
        Ok(self)
    }

    fn serialize_tuple_variant(self, _: &'static str, _: u32, _: &'static str, _: usize) -> Result<Check, Error> {
        Ok(self)
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Self::SerializeMap, Error> {
        // The model has no maps.
        Err(Error)
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Check, Error> {
        Ok(self)
    }

    fn serialize_struct_variant(self, _: &'static str, _: u32, _: &'static str, _: usize) -> Result<Check, Error> {
        Ok(self)
    }
}

macro_rules! check_items {
    ($($trait:ident: $method:ident,)*) => {
        $(impl ser::$trait for Check {
            type Ok = ();
            type Error = Error;

            fn $method<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
                value.serialize(*self)
            }

            fn end(self) -> Result<(), Error> {
                Ok(())
            }
        })*
    };
}

macro_rules! check_fields {
    ($($trait:ident,)*) => {
        $(impl ser::$trait for Check {
            type Ok = ();
            type Error = Error;

            fn serialize_field<T: Serialize + ?Sized>(&mut self, name: &'static str, value: &T) -> Result<(), Error> {
                value.serialize(Check { multiline: name == MULTILINE })
            }

            fn end(self) -> Result<(), Error> {
                Ok(())
            }
        })*
    };
}

check_items! {
    SerializeSeq: serialize_element,
    SerializeTuple: serialize_element,
    SerializeTupleStruct: serialize_field,
    SerializeTupleVariant: serialize_field,
}

check_fields! {
    SerializeStruct,
    SerializeStructVariant,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::client::{Request, ResponseData};
    use crate::model::{Content, InscriptionRef, Text};

    #[test]
    fn texts_must_not_have_hidden_characters() {
        for (text, clean, clean_in_lines) in [
            ("ordi", true, true),
            ("Große Ära  🔥 ", true, true),
            ("two\nlines", false, true),
            ("two\r\nlines", false, false),
            ("\u{1b}]52;c;AAAA\u{7}", false, false),
            ("\u{202e}evil", false, false),
        ] {
            assert_eq!(is_valid(&Request::Brc20Token { ticker: Text::from(text) }), clean, "{text:?}");
            let inscription = InscriptionRef::Id(Text::from(text));
            assert_eq!(is_valid(&[Some(Request::Inscription { inscription })]), clean, "{text:?}");
            let content = ResponseData::InscriptionContent(Box::new(Content { text: text.to_owned() }));
            assert_eq!(is_valid(&content), clean_in_lines, "{text:?}");
        }
    }

    #[test]
    fn numbers_must_be_finite() {
        assert!(is_valid(&vec![Some(0.0), Some(f64::MAX), None]));
        for number in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            assert!(!is_valid(&vec![Some(1.0), Some(number)]), "{number}");
        }
    }
}
