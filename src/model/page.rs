//! A page of a list.

use serde::{Deserialize, Serialize};

/// One page of a list, in the server's order.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Page<T> {
    /// The items that could be read.
    pub items: Vec<T>,
    /// The number of items in the whole list, if the server sends it. A 0 with an empty page other than the first is
    /// `None`, since Hiro's API takes the total from the first row.
    pub total: Option<u64>,
}

impl<T> Default for Page<T> {
    fn default() -> Self {
        Page { items: Vec::new(), total: None }
    }
}

/// Common page limits of servers are multiples of this.
pub const PAGE_LIMIT_UNIT: u32 = 50;

/// Whether a page with this many rows ends a list whose total is unknown: it is shorter than requested, and its length
/// is not a common page limit of servers.
pub fn is_short(rows: usize, requested: u32) -> bool {
    let may_be_limit = rows > 0 && rows.is_multiple_of(PAGE_LIMIT_UNIT as usize);
    rows < requested as usize && !may_be_limit
}
