//! The current day.

use jiff::civil::Date;

use crate::config::Settings;
use crate::model::UtcTime;

/// Today in the user's time zone.
pub(super) fn today(settings: &Settings) -> Date {
    settings.display.time_zone.zone().at(UtcTime::now()).date()
}
