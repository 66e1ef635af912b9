//! The indexer group's answers.

use super::read::Context;
use super::tape::Value;
use crate::client::{Answer, ErrorKind, Request};

/// Decodes an answer of the indexer group.
///
/// # Errors
/// [`ErrorKind::Unrecognised`].
pub(super) fn decode(request: &Request, root: Value<'_>, context: &mut Context<'_>) -> Result<Answer, ErrorKind> {
    let _ = (root, context);
    Err(ErrorKind::Unrecognised(request.describe()))
}
