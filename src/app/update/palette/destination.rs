//! Which part of a coin or ticker to open, from the typed words.

use crate::app::find::fuzzy::{Quality, fuzzy_quality};
use crate::app::find::palette::ItemEffect;
use crate::app::panel::Panel;
use crate::model::{ChartStyle, Period};

/// Maximum words that can say what to open: a period, a style and a panel.
const MAX_WORDS: usize = 3;

/// Minimum letters of a panel, and of a style.
const MIN_PANEL_LETTERS: usize = 2;
const MIN_STYLE_LETTERS: usize = 3;

/// Which part of a coin or ticker to open.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Destination {
    /// The period of its chart.
    pub(super) period: Option<Period>,
    /// How its chart is drawn.
    pub(super) style: Option<ChartStyle>,
    /// A panel of the token's view.
    pub(super) panel: Option<Panel>,
    /// A panel of the indexer.
    pub(super) indexer_panel: Option<Panel>,
}

/// A way to read the typed words: some of them name a coin or ticker, the others say which part of it to open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Reading {
    /// The words that name it.
    pub(super) name: String,
    /// What the others say.
    pub(super) destination: Destination,
    /// How well the worst of these matches: exactly, as the start of a word, or with a typo.
    pub(super) quality: Quality,
}

impl Destination {
    /// Reads a word: a period, or the first letters of a style or panel, or nearly its name. Returns how well it matches
    /// the name, too.
    fn parse(word: &str) -> Option<(Destination, Quality)> {
        let empty = Destination::default();
        if let Some(period) = Period::ALL.into_iter().find(|period| period.as_str().eq_ignore_ascii_case(word)) {
            return Some((Destination { period: Some(period), ..empty }, Quality::Exact));
        }
        let matches = |name: &str, letters: usize| {
            if word == name {
                return Some(Quality::Exact);
            }
            let begins = word.len() >= letters && name.starts_with(word);
            if begins { Some(Quality::Word) } else { fuzzy_quality(word, name).filter(|it| *it == Quality::Typo) }
        };
        let mut styles = ChartStyle::ALL.into_iter();
        let style = styles.find_map(|style| Some((style, matches(style.as_str(), MIN_STYLE_LETTERS)?)));
        if let Some((style, quality)) = style {
            let is_singular = word == style.as_str().trim_end_matches('s');
            let quality = if is_singular { Quality::Exact } else { quality };
            return Some((Destination { style: Some(style), ..empty }, quality));
        }
        let find = |panels: &[(&'static str, Panel)]| {
            panels.iter().find_map(|&(name, panel)| Some((panel, matches(name, MIN_PANEL_LETTERS)?)))
        };
        let of_token = |(panel, quality)| (Destination { panel: Some(panel), ..empty }, quality);
        let of_indexer = |(panel, quality)| (Destination { indexer_panel: Some(panel), ..empty }, quality);
        find(&TOKEN_PANELS).map(of_token).or_else(|| find(&INDEXER_PANELS).map(of_indexer))
    }

    /// What both say; `None` if they contradict each other.
    fn and(self, other: Destination) -> Option<Destination> {
        fn either<T>(a: Option<T>, b: Option<T>) -> Option<Option<T>> {
            if a.is_some() && b.is_some() { None } else { Some(a.or(b)) }
        }
        let both = Destination {
            period: either(self.period, other.period)?,
            style: either(self.style, other.style)?,
            panel: either(self.panel, other.panel)?,
            indexer_panel: either(self.indexer_panel, other.indexer_panel)?,
        };
        // The indexer has no such charts.
        (both.indexer_panel.is_none() || both == Destination { indexer_panel: both.indexer_panel, ..Self::default() })
            .then_some(both)
    }

    /// Whether no part was typed.
    pub(super) fn is_empty(self) -> bool {
        self == Destination::default()
    }

    /// The period, if nothing else was typed.
    pub(super) fn only_period(self) -> Option<Period> {
        self.period.filter(|_| self == Destination { period: self.period, ..Self::default() })
    }

    /// What opening it does: `open 3M candles`.
    pub(super) fn effect(self) -> ItemEffect {
        let panel = self.panel.or(self.indexer_panel).and_then(panel_word);
        let what = match (self.style, self.period, panel) {
            (Some(ChartStyle::Candles), ..) => Some(String::from("candles")),
            (Some(style), ..) => Some(format!("{} chart", style.as_str())),
            (None, Some(_), None | Some("chart")) => Some(String::from("chart")),
            (None, Some(period), Some(panel)) => {
                return ItemEffect::opens(format!("{}, {panel}", period.as_str()));
            }
            (None, None, panel) => panel.map(str::to_owned),
        };
        let period = self.period.map(Period::as_str);
        let parts = period.into_iter().chain(what.as_deref());
        ItemEffect::opens(parts.collect::<Vec<_>>().join(" "))
    }
}

/// The interpretations of the typed words with at least one word for the destination and one for the name.
pub(super) fn readings(typed: &str) -> Vec<Reading> {
    let words: Vec<&str> = typed.split_whitespace().collect();
    let parsed: Vec<_> = words.iter().map(|word| Destination::parse(word)).collect();
    let places: Vec<usize> = (0..words.len()).filter(|&at| parsed.get(at).is_some_and(Option::is_some)).collect();
    if places.is_empty() || places.len() > MAX_WORDS {
        return Vec::new();
    }
    // As many words as possible first; each of them may also be part of the name.
    let mut subsets: Vec<usize> = (1..1 << places.len()).collect();
    subsets.sort_by_key(|subset: &usize| std::cmp::Reverse(subset.count_ones()));
    let reading = |subset: usize| {
        let is_taken = |at: usize| places.iter().position(|&it| it == at).is_some_and(|bit| subset & (1 << bit) != 0);
        let destination = Destination::default();
        let mut reading = Reading { name: String::new(), destination, quality: Quality::Exact };
        let mut name: Vec<&str> = Vec::new();
        for (at, word) in words.iter().enumerate() {
            match parsed.get(at).copied().flatten().filter(|_| is_taken(at)) {
                Some((part, quality)) => {
                    reading.destination = reading.destination.and(part)?;
                    reading.quality = reading.quality.max(quality);
                }
                None => name.push(word),
            }
        }
        reading.name = name.join(" ");
        Some(reading)
    };
    subsets.into_iter().filter_map(reading).filter(|reading| !reading.name.is_empty()).collect()
}

/// The destination if every typed word is an unabbreviated part of it.
pub(super) fn without_name(typed: &str) -> Option<Destination> {
    let mut all = Destination::default();
    for word in typed.split_whitespace() {
        let (part, _) = Destination::parse(word).filter(|(_, quality)| *quality == Quality::Exact)?;
        all = all.and(part)?;
    }
    (!all.is_empty()).then_some(all)
}

const TOKEN_PANELS: [(&str, Panel); 4] =
    [("chart", Panel::Chart), ("about", Panel::About), ("posts", Panel::Posts), ("markets", Panel::Markets)];

const INDEXER_PANELS: [(&str, Panel); 3] =
    [("details", Panel::Details), ("holders", Panel::Holders), ("activity", Panel::Activity)];

/// The name of a panel that can be typed.
fn panel_word(panel: Panel) -> Option<&'static str> {
    TOKEN_PANELS.iter().chain(&INDEXER_PANELS).find(|(_, other)| *other == panel).map(|(name, _)| *name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(typed: &str) -> Vec<(String, String)> {
        readings(typed).into_iter().map(|it| (it.name, it.destination.effect().to_string())).collect()
    }

    fn reading(name: &str, effect: &str) -> (String, String) {
        (name.to_owned(), effect.to_owned())
    }

    #[test]
    fn words_are_read_in_any_order() {
        for typed in ["ord 3m candles", "3m ord candles", "candles 3m ord", "candle ord 3m"] {
            assert_eq!(read(typed).first(), Some(&reading("ord", "open 3M candles")), "{typed}");
        }
        assert_eq!(read("holders ordi"), [reading("ordi", "open holders")]);
        assert_eq!(read("7d posts rats").first(), Some(&reading("rats", "open 7D, posts")));
    }

    #[test]
    fn word_that_says_what_to_open_may_be_part_of_the_name() {
        assert_eq!(read("area 3m"), [reading("3m", "open area chart"), reading("area", "open 3M chart")]);
        assert_eq!(read("3m 7d ordi").len(), 2, "two periods contradict each other");
    }

    #[test]
    fn words_without_a_name_are_about_what_is_open() {
        assert_eq!(without_name("3m candles").map(Destination::effect), Some(ItemEffect::opens("3M candles")));
        assert_eq!(without_name("3m ordi"), None);
        assert_eq!(without_name("cand"), None, "abbreviated");
        assert_eq!((read(""), without_name("")), (Vec::new(), None));
    }
}
