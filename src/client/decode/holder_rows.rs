//! Holders as rows without field names: `[["bc1q…", "25.5"]]`.

use super::envelope::{WRAPPED, WRAPPERS};
use super::tape::{Kind, Value};

/// Field names of holders.
const LISTS: &[&str] = &["holders"];

/// Minimum length of an address in bytes.
const MIN_ADDRESS: usize = 20;

/// The text of a response with each row as an object. `None` if a row is not an address with a number.
pub(super) fn to_objects(root: Value<'_>, text: &str) -> Option<String> {
    let mut rows = root;
    for _ in 0..WRAPPED {
        if rows.is_array() {
            break;
        }
        let mut inside = LISTS.iter().chain(WRAPPERS).filter_map(|name| rows.get(name));
        rows = inside.find(|inner| inner.is_array() || inner.is_object())?;
    }
    let place = rows.span()?;
    let mut objects = String::with_capacity(place.len() * 2);
    for row in rows.items() {
        let mut cells = row.items();
        let (address, balance) = (cells.next()?, cells.next()?);
        let is_address =
            |address: &str| address.len() >= MIN_ADDRESS && address.bytes().all(|b| b.is_ascii_alphanumeric());
        if cells.next().is_some() || address.kind() != Kind::String || !is_address(address.raw()) {
            return None;
        }
        let balance = match balance.kind() {
            Kind::Number => balance.raw().to_owned(),
            Kind::String => format!("\"{}\"", balance.raw()),
            _ => return None,
        };
        objects.push(if objects.is_empty() { '[' } else { ',' });
        objects.push_str(&format!("{{\"address\":\"{}\",\"balance\":{balance}}}", address.raw()));
    }
    if objects.is_empty() {
        return None;
    }
    Some([text.get(..place.start)?, &objects, "]", text.get(place.end..)?].concat())
}
