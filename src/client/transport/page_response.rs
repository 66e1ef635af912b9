//! Paginated responses of the indexer.

/// Evaluates an expression with the page of a paginated response.
macro_rules! with_page {
    ($response:expr, Some($page:ident) => $then:expr, else $other:expr) => {
        match $response {
            Some(ResponseData::Brc20Tokens($page)) => $then,
            Some(ResponseData::Holders($page)) => $then,
            Some(ResponseData::Balances($page)) => $then,
            Some(ResponseData::Activity($page)) => $then,
            Some(ResponseData::Inscriptions($page)) => $then,
            _ => $other,
        }
    };
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
