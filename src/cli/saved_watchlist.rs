//! The watchlist as commands read it: the configured one with the saved changes.

use super::failure::Failure;
use super::user_store;
use crate::config::Settings;
use crate::store;
use crate::user_data::{UserData, Watched};

/// The watchlist before a change: the configured one with the saved changes. Without a directory, saving the changes
/// fails, with the reason.
pub(super) fn before_change(settings: &Settings) -> Result<Vec<Watched>, Failure> {
    Ok(of(&or_configured(user_store::load_to_add(settings), |_| ())?, settings))
}

/// The watchlist, for commands that only read it.
pub(super) fn read(settings: &Settings) -> Result<Vec<Watched>, Failure> {
    Ok(of(&load(settings, |_| ())?, settings))
}

/// The saved data; without a directory, calls `without_directory`, and only the configured coins count.
pub(super) fn load(settings: &Settings, without_directory: impl FnOnce(&store::Error)) -> Result<UserData, Failure> {
    or_configured(user_store::load(settings), without_directory)
}

/// The saved data; without a directory, only the configured coins count.
fn or_configured(
    loaded: Result<UserData, store::Error>,
    without_directory: impl FnOnce(&store::Error),
) -> Result<UserData, Failure> {
    match loaded {
        // The configured coins need no directory.
        Err(error @ store::Error::NoDirectory) => {
            without_directory(&error);
            Ok(UserData::default())
        }
        loaded => loaded.map_err(|error| Failure::Operation(format!("can't read the watchlist: {error}"))),
    }
}

/// The configured watchlist with these changes.
pub(super) fn of(data: &UserData, settings: &Settings) -> Vec<Watched> {
    data.watchlist.apply_to(&settings.preferences().watched)
}
