//! Details of the inscriptions of a list, each from a request of its own.

use tokio::time::Instant;

use super::Ord;
use crate::format::words::in_sentence;
use crate::model::{Inscription, SatNumber, Text};
use crate::service::call::is_manual;
use crate::service::provider_response::partial_notice;
use crate::service::upstream::error::{ErrorClass, NOT_FOUND, SourceError, SourceResult};
use crate::service::upstream::load::Load;

/// After this many failures in a row, the server counts as failing.
const FAILURES_IN_A_ROW: usize = 3;

/// Failures of the inscriptions of a list.
#[derive(Default)]
struct Failures {
    /// The first failure, or the server's failure.
    error: Option<SourceError>,
    /// Why the server has no details of an inscription, although the list contains it.
    not_found: Option<String>,
    /// Failures since the last success.
    in_a_row: usize,
    /// Whether the server itself fails, not just one inscription.
    is_final: bool,
}

impl Ord {
    /// Details of each inscription of a list, all of which are on `sat` if it is known. Those that fail, or that are not
    /// loaded by the deadline, have only an id and the sat. The latter are fetched in the background.
    ///
    /// # Errors
    /// The request was cancelled.
    pub(super) async fn with_details(
        &self,
        ids: Vec<Text>,
        sat: Option<SatNumber>,
        deadline: Instant,
    ) -> SourceResult<Vec<Inscription>> {
        let mut rows = Vec::with_capacity(ids.len());
        let (mut late, mut loaded) = (Vec::new(), 0);
        let mut failures = Failures::default();
        for id in ids {
            let found = match self.details.get(&id) {
                Some(known) => Some(Inscription::clone(&known)),
                None if failures.is_final => None,
                None if Instant::now() >= deadline => {
                    late.push(id.clone());
                    None
                }
                None => self.details_in_list(&id, &mut failures).await,
            };
            loaded += usize::from(found.is_some());
            let row = found.unwrap_or_else(|| Inscription::new(id));
            rows.push(Inscription { sat: row.sat.or(sat), ..row });
        }
        let Failures { error, not_found, is_final, .. } = failures;
        if let Some(error) = error.as_ref().filter(|error| error.class == ErrorClass::Cancelled) {
            return Err(error.clone());
        }
        if let Some(reason) = error.as_ref().map(|error| &error.reason).or(not_found.as_ref()) {
            self.upstream.warnings().note(details_notice(loaded, rows.len(), reason));
        }
        if let Some((error, load)) = error.zip(Load::current()) {
            // The rows are there, with their ids.
            load.note_partial(0, Some(error));
        }
        if !is_final && !late.is_empty() {
            let source = self.clone();
            self.in_background(async move {
                let mut failures = Failures::default();
                for id in late {
                    if failures.is_final {
                        break;
                    }
                    if !source.details.contains_key(&id) {
                        source.details_in_list(&id, &mut failures).await;
                    }
                }
            });
        }
        Ok(rows)
    }

    /// Fetches the details of an inscription that a list contains, unless they have just failed.
    async fn details_in_list(&self, id: &Text, failures: &mut Failures) -> Option<Inscription> {
        if let Some(error) = self.failed.get(id).filter(|_| !is_manual()) {
            failures.error.get_or_insert(error);
            return None;
        }
        let error = match self.fetch(id).await {
            Ok(found) => {
                failures.in_a_row = 0;
                return Some(found);
            }
            Err(error) => error,
        };
        match error.class {
            // The list contains it, so it exists.
            ErrorClass::NotFound => {
                let reason = if error.is_http_not_found() { NOT_FOUND.to_owned() } else { error.reason };
                failures.not_found.get_or_insert(reason);
            }
            // The response is about another one.
            ErrorClass::Empty => {
                self.upstream.warnings().note(format!("Skipped details: {}", in_sentence(&error.reason)));
            }
            ErrorClass::Failing
            | ErrorClass::UnexpectedFormat
            | ErrorClass::Rejected
            | ErrorClass::Forbidden
            | ErrorClass::Unsupported => {
                self.failed.insert(id.clone(), error.clone());
                failures.in_a_row += 1;
                failures.is_final = failures.in_a_row >= FAILURES_IN_A_ROW;
                failures.error.get_or_insert(error);
            }
            _ => {
                failures.is_final = true;
                failures.error = Some(error);
            }
        }
        None
    }
}

/// The notice that only some of the rows have details, and why.
fn details_notice(loaded: usize, of: usize, reason: &str) -> String {
    match loaded {
        0 => format!("No inscription details loaded: {}", in_sentence(reason)),
        _ => partial_notice(loaded, of, "inscription details", reason),
    }
}
