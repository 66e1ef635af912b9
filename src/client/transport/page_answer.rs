//! Paginated answers of the indexer.

/// Evaluates an expression with the page of a paginated answer.
macro_rules! with_page {
    ($answer:expr, $page:ident => $then:expr, else $other:expr) => {
        match $answer {
            Answer::Brc20Tokens($page) => $then,
            Answer::Holders($page) => $then,
            Answer::Balances($page) => $then,
            Answer::Activity($page) => $then,
            Answer::Inscriptions($page) => $then,
            _ => $other,
        }
    };
}
pub(super) use with_page;
