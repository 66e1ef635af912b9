//! What is missing from loaded data, because it can't be read.

use super::{UnreadablePart, UserData};
use crate::model::Text;

impl UserData {
    /// The sentences about some of the unreadable parts.
    pub fn unreadable_about(&self, is_meant: impl Fn(UnreadablePart) -> bool) -> impl Iterator<Item = &str> {
        self.unreadable.iter().filter(move |about| is_meant(about.part)).map(|about| about.sentence.as_str())
    }

    /// Whether this part can't be read.
    pub fn is_unreadable(&self, part: UnreadablePart) -> bool {
        self.unreadable.iter().any(|about| about.part == part)
    }

    /// The unreadable holdings, as totals name what they omit: `2 unreadable lots`.
    pub fn missing_holdings(&self) -> Vec<Text> {
        let lots = self.unreadable.iter().filter(|about| matches!(about.part, UnreadablePart::Lot(_))).count();
        let lots = match lots {
            0 => None,
            1 => Some(String::from("1 unreadable lot")),
            many => Some(format!("{many} unreadable lots")),
        };
        let table = |part, words: &str| self.is_unreadable(part).then(|| words.to_owned());
        let tables =
            [table(UnreadablePart::Lots, "unreadable lots"), table(UnreadablePart::Addresses, "unreadable addresses")];
        lots.into_iter().chain(tables.into_iter().flatten()).map(Text::from).collect()
    }
}
