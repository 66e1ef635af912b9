//! Pages of a list of a block's events.

use super::state::End;
use crate::service::providers::unisat::rows::Rows;
use crate::service::providers::unisat::server::ROWS;
use crate::service::upstream::Response;
use crate::service::upstream::error::SourceError;

/// Each transfer is listed as `send` and `receive`; this one is ignored.
pub(super) const DUPLICATE_TYPES: &[&str] = &["receive"];

/// Maximum events of a block, or of one token and type in it, and maximum requests for them.
const MAX_EVENTS: usize = 6 * ROWS;
const MAX_REQUESTS: usize = 20;

/// Reads the rest of a list of a block's events. `rows` are the rows of the first page.
pub(super) async fn read_rest<F, E>(mut rows: Rows, height: u64, page: impl Fn(usize) -> F) -> Result<(Rows, End), E>
where
    F: Future<Output = Result<Response, E>>,
    E: From<SourceError>,
{
    let mut requests = 1;
    while rows.may_have_more() {
        if rows.len >= MAX_EVENTS || requests >= MAX_REQUESTS {
            return Ok((rows, End::Cut));
        }
        let next = Rows::read(&page(rows.len).await?, Some(height), DUPLICATE_TYPES)?;
        requests += 1;
        if next.len == 0 || rows.are_repeated_by(&next) {
            break;
        }
        rows.append(next);
    }
    let end = if rows.total.is_none_or(|total| rows.len as u64 >= total) { End::Whole } else { End::Short };
    Ok((rows, end))
}
