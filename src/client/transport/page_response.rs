//! Paginated responses of the indexer.

/// Evaluates an expression with the page of a paginated response.
macro_rules! with_page {
    ($response:expr, $page:ident => $then:expr, else $other:expr) => {
        match $response {
            ResponseData::Brc20Tokens($page) => $then,
            ResponseData::Holders($page) => $then,
            ResponseData::Balances($page) => $then,
            ResponseData::Activity($page) => $then,
            ResponseData::Inscriptions($page) => $then,
            _ => $other,
        }
    };
}
pub(super) use with_page;
