//! Limits of the fetch task.

use std::time::Duration;

/// The app keeps the responses to this many most recently demanded requests, unless they are large
/// ([`crate::app::responses::MAX_BODY_BYTES`]).
pub const MAX_APP_RESPONSES: usize = 256;

/// The task remembers this many most recently demanded requests, and all that are demanded now. Less than
/// [`MAX_APP_RESPONSES`], so that the app still has their responses.
pub const MAX_REMEMBERED: usize = 200;

/// Maximum visible requests in flight per host.
pub const MAX_PER_HOST: usize = 6;

/// Minimum time between manual refreshes of one resource, so that a held key does not flood a server. During a rate
/// limit, it applies to the host as a whole: one refresh is sent even before the `Retry-After`, since only a request
/// shows that the limit is over, for example after a new key was set or if the header states hours by mistake.
pub const REFRESH_SPACING: Duration = Duration::from_secs(10);

/// Minimum time before a request whose response the app has lost is sent again.
pub const REFETCH_SPACING: Duration = Duration::from_secs(1);

/// Number of implausible responses of one kind, without a success in between, that confirm each other: empty ones
/// although rows are known, coin lists without prices although prices are known, or coin lists with fewer than half of
/// the known coins.
pub const IMPLAUSIBLE_RESPONSES: u32 = 3;

/// Minimum time between the first and the last of them.
pub const IMPLAUSIBLE_SPAN: Duration = Duration::from_mins(2);

/// A failed background request is retried after this time, which doubles up to its interval.
pub const BACKGROUND_RETRY: Duration = Duration::from_mins(1);

/// Default maximum of background requests a minute.
pub const BACKGROUND_PER_MINUTE: u32 = 10;
