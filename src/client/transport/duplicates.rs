//! Detects duplicate rows in a response.

use std::collections::HashSet;

use super::page_response::with_page;
use crate::client::request::Warning;
use crate::client::response_data::ResponseData;
use crate::model::{Identity, Page};

/// Returns a warning if a response contains duplicate rows. Joined lists show only one of them.
pub(super) fn warning(answer: &ResponseData) -> Option<Warning> {
    fn of<T: Identity>(page: &Page<T>) -> Option<Warning> {
        let mut seen = HashSet::with_capacity(page.items.len());
        let mut repeated =
            page.items.iter().filter_map(Identity::identity).filter(|identity| !seen.insert(identity.clone()));
        let first = repeated.next()?;
        let count = repeated.count() + 1;
        let ids = if count == 1 { "ID" } else { "IDs" };
        Some(format!("{count} duplicate {ids} in the response, such as {first}; lists may omit duplicates"))
    }
    match answer {
        ResponseData::Coins(page) => of(page),
        other => with_page!(other, page => of(page), else None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Brc20Token, Text};

    #[test]
    fn duplicate_ids_are_counted() {
        let token = |ticker: &'static str| Brc20Token::new(Text::const_new(ticker));
        let warning = |tickers: &[&'static str]| {
            let items = tickers.iter().map(|ticker| token(ticker)).collect();
            warning(&ResponseData::Brc20Tokens(Page { items, total: None }))
        };
        assert_eq!(warning(&["ordi", "sats", "rats"]), None);
        let one = "1 duplicate ID in the response, such as ordi; lists may omit duplicates";
        assert_eq!(warning(&["ordi", "sats", "ORDI"]).as_deref(), Some(one));
        let more = "3 duplicate IDs in the response, such as sats; lists may omit duplicates";
        assert_eq!(warning(&["ordi", "sats", "sats", "ordi", "sats"]).as_deref(), Some(more));
    }
}
