//! Why results of checks were not saved.

use super::super::super::failure::Failure;
use crate::store::Error;

/// Why results were not saved.
pub(super) enum SaveError {
    /// The database can't be written. They are saved later.
    Database(Error),
    /// A firing can't be printed, so it isn't recorded either.
    Output(Failure),
}

impl From<Error> for SaveError {
    fn from(error: Error) -> SaveError {
        SaveError::Database(error)
    }
}

impl From<Failure> for SaveError {
    fn from(failure: Failure) -> SaveError {
        SaveError::Output(failure)
    }
}
