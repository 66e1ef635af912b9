//! Settings of alerts.

/// Settings of alerts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Alerts {
    /// The program that is run for each alert, and its arguments; empty for none. `{title}` and `{text}` are replaced.
    pub command: Vec<String>,
    /// When alerts neither ring nor notify.
    pub quiet: Option<QuietHours>,
}

/// A time of each day, in minutes from midnight in the user's time zone. It may include midnight.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QuietHours {
    /// The first minute.
    pub from: u16,
    /// The first minute after it.
    pub until: u16,
}

impl QuietHours {
    /// Parses `22:00-07:00`.
    pub fn parse(text: &str) -> Option<QuietHours> {
        let minute = |text: &str| {
            let (hour, minute) = text.trim().split_once(':')?;
            let (hour, minute): (u16, u16) = (hour.parse().ok()?, minute.parse().ok()?);
            (hour < 24 && minute < 60).then_some(hour * 60 + minute)
        };
        let (from, until) = text.split_once('-')?;
        let (from, until) = (minute(from)?, minute(until)?);
        (from != until).then_some(QuietHours { from, until })
    }

    /// Whether a minute of the day is in it.
    pub fn contains(self, minute: u16) -> bool {
        if self.from < self.until {
            (self.from..self.until).contains(&minute)
        } else {
            minute >= self.from || minute < self.until
        }
    }
}

impl std::fmt::Display for QuietHours {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let QuietHours { from, until } = self;
        write!(f, "{:02}:{:02}-{:02}:{:02}", from / 60, from % 60, until / 60, until % 60)
    }
}
