//! What the options' values must be. An error says what is expected; clap names the option and the value.

use std::net::SocketAddr;

use crate::config;
use crate::model::{Period, PostOrder, Tag, Text, text};

pub(super) fn tag(text: &str) -> Result<Tag, String> {
    Tag::ALL
        .into_iter()
        .find(|tag| tag.as_str().eq_ignore_ascii_case(text))
        .ok_or_else(|| String::from("not one of all, brc-20, bitcoin-ecosystem"))
}

pub(super) fn post_order(text: &str) -> Result<PostOrder, String> {
    [PostOrder::Top, PostOrder::Latest]
        .into_iter()
        .find(|order| order.as_str().eq_ignore_ascii_case(text))
        .ok_or_else(|| String::from("not one of top, latest"))
}

pub(super) fn period(text: &str) -> Result<Period, String> {
    config::period(text).ok_or_else(|| String::from("not one of 1D, 7D, 1M, 3M"))
}

pub(super) fn interval(text: &str) -> Result<Text, String> {
    config::interval(text).ok_or_else(|| String::from("not an interval such as 5m, 1h or 1d"))
}

/// A number of things, of which at least one is wanted, or a place that is counted from 1.
pub(super) fn count(text: &str) -> Result<u32, String> {
    text.parse().ok().filter(|count| *count > 0).ok_or_else(|| format!("not a whole number from 1 to {}", u32::MAX))
}

/// A block of which something is wanted; indexers take 0 for none.
pub(super) fn height(text: &str) -> Result<u64, String> {
    block(text).ok().filter(|height| *height > 0).ok_or_else(|| String::from("not a whole number from 1 on"))
}

/// A block, also with the commas with which it is shown.
pub(super) fn block(text: &str) -> Result<u64, String> {
    whole(&text::ungrouped(text))
}

pub(super) fn whole(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| String::from("not a whole number from 0 on"))
}

pub(super) fn small(text: &str) -> Result<u32, String> {
    text.parse().map_err(|_| format!("not a whole number from 0 to {}", u32::MAX))
}

pub(super) fn seconds(text: &str) -> Result<f64, String> {
    text.parse().map_err(|_| String::from("not a number of seconds"))
}

pub(super) fn listen(text: &str) -> Result<SocketAddr, String> {
    text.parse().map_err(|_| String::from("not an address with a port, such as 127.0.0.1:8787 or [::1]:0"))
}

pub(super) fn share(text: &str) -> Result<f64, String> {
    let share: f64 = text.parse().map_err(|_| String::from("not a number"))?;
    if (0.0..=1.0).contains(&share) { Ok(share) } else { Err(String::from("not within 0 to 1")) }
}

/// The longest name that is sent; what is longer is a mistake of pasting.
const MAX_WORD_BYTES: usize = 256;

pub(super) fn word(text: &str) -> Result<Text, String> {
    if text.is_empty() {
        return Err(String::from("it is empty"));
    }
    if text.len() > MAX_WORD_BYTES {
        return Err(format!("longer than {MAX_WORD_BYTES} bytes"));
    }
    Ok(Text::from(text))
}

pub(super) fn symbol(text: &str) -> Result<Text, String> {
    if text.contains(',') {
        return Err(String::from("a symbol has no comma; write several parted by spaces"));
    }
    word(text.trim())
}
