//! The names and values of the session's entries for the store.

use crate::keymap::Tab;
use crate::model::{CandleWidth, ChartAxis, ChartStyle, CoinId, Currency, Period, Tag, Text, text};

use super::Session;
use crate::app::chart::view::ChartView;
use crate::app::find::recent::{MAX_RECENT, Recent};
use crate::app::panel::Panel;
use crate::app::screen::indexer::{BalanceColumn, BalanceSort, TokenColumn, TokenSort};
use crate::app::screen::list::{CoinColumn, Sort, SortColumn};
use crate::app::screen::token::{MarketColumn, MarketSort, PANELS};
use crate::app::screen::wallet::order::{HoldingSort, with_marks};
use crate::app::wallet::last_seen::LastSeen;
use crate::user_data::SessionEntries;

/// An entry of the session.
struct Entry {
    /// The name of the entry.
    name: &'static str,
    /// The name in earlier sessions, if it was another one.
    earlier: Option<&'static str>,
    /// The value; `None` if there is nothing to save.
    get: fn(&Session) -> Option<String>,
    /// Reads a value; an unknown one, such as a newer version's, has no effect.
    set: fn(&mut Session, &str),
}

const fn entry(name: &'static str, get: fn(&Session) -> Option<String>, set: fn(&mut Session, &str)) -> Entry {
    Entry { name, earlier: None, get, set }
}

/// All entries, except for the entries of each list and each period, and the last seen values.
static ENTRIES: [Entry; 22] = [
    entry(
        "tab",
        |session| session.tab.map(|tab| tab.name().to_owned()),
        |session, value| session.tab = Tab::ALL.into_iter().find(|tab| tab.name() == value),
    ),
    entry(
        "sort-markets",
        |session| session.market_sort.map(|sort| order_name(sort.column.as_str(), sort.descending)),
        |session, value| {
            let sort = parse_order(value, &MarketColumn::ALL, MarketColumn::as_str);
            session.market_sort = sort.map(|(column, descending)| MarketSort { column, descending });
        },
    ),
    entry(
        "sort-tokens",
        |session| session.token_sort.map(|sort| order_name(sort.column.as_str(), sort.descending)),
        |session, value| {
            let sort = parse_order(value, &TokenColumn::ALL, TokenColumn::as_str)
                .or_else(|| parse_order(value, &TokenColumn::ALL, earlier_token_name));
            session.token_sort = sort.map(|(column, descending)| TokenSort { column, descending });
        },
    ),
    entry(
        "sort-balances",
        |session| session.balance_sort.map(|sort| order_name(sort.column.as_str(), sort.descending)),
        |session, value| {
            let sort = parse_order(value, &BalanceColumn::ALL, BalanceColumn::as_str);
            session.balance_sort = sort.map(|(column, descending)| BalanceSort { column, descending });
        },
    ),
    entry(
        "ticker",
        |session| session.selected_ticker.as_ref().map(Text::to_string),
        |session, value| session.selected_ticker = Some(Text::from(text::clean(value))),
    ),
    entry(
        "wallet-row",
        |session| session.wallet_row.as_ref().map(Text::to_string),
        |session, value| session.wallet_row = Some(with_marks(&text::clean(value))),
    ),
    entry(
        "wallet-order",
        |session| session.order.map(HoldingSort::name),
        |session, value| session.order = HoldingSort::parse(value),
    ),
    entry(
        "wallet-by-hand",
        |session| joined(session.manual_order.iter().map(Text::to_string)),
        |session, value| session.manual_order = value.lines().map(|key| with_marks(&text::clean(key))).collect(),
    ),
    entry(
        "hide-amounts",
        |session| session.hides_amounts.map(|hides| hides.to_string()),
        |session, value| session.hides_amounts = value.parse().ok(),
    ),
    entry(
        "period",
        |session| session.period.map(|period| period.as_str().to_owned()),
        |session, value| session.period = Period::ALL.into_iter().find(|period| period.as_str() == value),
    ),
    entry(
        "chart-style",
        |session| session.chart.as_ref().map(|chart| chart.style.as_str().to_owned()),
        |session, value| {
            let style = ChartStyle::ALL.into_iter().find(|style| style.as_str() == value);
            change_chart(session, style, |chart, style| chart.style = style);
        },
    ),
    entry(
        "chart-axis",
        |session| session.chart.as_ref().map(|chart| chart.axis.as_str().to_owned()),
        |session, value| {
            let axis = ChartAxis::ALL.into_iter().find(|axis| axis.as_str() == value);
            change_chart(session, axis, |chart, axis| chart.axis = axis);
        },
    ),
    entry(
        "averages",
        |session| session.chart.as_ref().map(|chart| chart.has_averages.to_string()),
        |session, value| change_chart(session, value.parse().ok(), |chart, has| chart.has_averages = has),
    ),
    entry(
        "bollinger",
        |session| session.chart.as_ref().map(|chart| chart.has_bands.to_string()),
        |session, value| change_chart(session, value.parse().ok(), |chart, has| chart.has_bands = has),
    ),
    entry(
        "rsi",
        |session| session.chart.as_ref().map(|chart| chart.has_rsi.to_string()),
        |session, value| change_chart(session, value.parse().ok(), |chart, has| chart.has_rsi = has),
    ),
    entry(
        "macd",
        |session| session.chart.as_ref().map(|chart| chart.has_macd.to_string()),
        |session, value| change_chart(session, value.parse().ok(), |chart, has| chart.has_macd = has),
    ),
    entry(
        "zoom",
        |session| session.zoom.and_then(panel_name).map(String::from),
        |session, value| session.zoom = PANELS.into_iter().find(|panel| panel_name(*panel) == Some(value)),
    ),
    entry(
        "convert",
        |session| session.convert.as_ref().map(Currency::to_string),
        |session, value| session.convert = Currency::parse(value),
    ),
    entry(
        "live",
        |session| session.live.map(|live| live.to_string()),
        |session, value| session.live = value.parse().ok(),
    ),
    entry(
        "hide-live-offer",
        |session| session.hides_live_offer.map(|hides| hides.to_string()),
        |session, value| session.hides_live_offer = value.parse().ok(),
    ),
    Entry {
        earlier: Some("live_prices"),
        ..entry(
            "live-prices",
            |session| session.live_prices.map(|on| on.to_string()),
            |session, value| session.live_prices = value.parse().ok(),
        )
    },
    entry(
        "recent",
        |session| joined(session.recent.iter().filter_map(Recent::encode)),
        |session, value| session.recent = value.lines().filter_map(Recent::decode).take(MAX_RECENT).collect(),
    ),
];

/// An entry of each list of coins: `sort.all`.
struct ListEntry {
    /// The part of the name before the list's.
    name: &'static str,
    /// The value for the list at a place of [`Tag::ALL`]; `None` if there is nothing to save.
    get: fn(&Session, usize) -> Option<String>,
    /// Reads a value for the list at a place.
    set: fn(&mut Session, usize, &str),
}

impl ListEntry {
    /// The name for a list.
    fn name_of(&self, tag: Tag) -> String {
        format!("{}.{}", self.name, tag.as_str())
    }
}

/// The name of the columns' entries.
const COLUMNS: &str = "list-columns";

/// The entries of each list.
static LIST_ENTRIES: [ListEntry; 3] = [
    ListEntry {
        name: COLUMNS,
        get: |session, list| {
            let columns = session.columns.get(list)?.as_ref()?;
            Some(columns.iter().map(|column| column.as_str()).collect::<Vec<_>>().join(","))
        },
        set: |session, list, value| {
            session.columns.get_mut(list).into_iter().for_each(|columns| *columns = parse_columns(value));
        },
    },
    ListEntry {
        name: "sort",
        get: |session, list| {
            let sort = (*session.sorts.get(list)?)?;
            Some(order_name(column_name(sort.column), sort.descending))
        },
        set: |session, list, value| {
            session.sorts.get_mut(list).into_iter().for_each(|sort| *sort = parse_sort(value));
        },
    },
    ListEntry {
        name: "coin",
        get: |session, list| session.coins.get(list)?.as_ref().map(|CoinId(id)| id.to_string()),
        set: |session, list, value| {
            let coin = CoinId(Text::from(text::clean(value)));
            session.coins.get_mut(list).into_iter().for_each(|place| *place = Some(coin.clone()));
        },
    },
];

/// The name of the entry with the candles of a period.
fn candles_name(period: Period) -> String {
    format!("candles-{}", period.as_str())
}

impl Session {
    /// The session as names and values for the store.
    pub fn entries(&self) -> SessionEntries {
        let mut entries = SessionEntries::new();
        entries.extend(ENTRIES.iter().filter_map(|entry| Some((entry.name.to_owned(), (entry.get)(self)?))));
        for (list, tag) in Tag::ALL.into_iter().enumerate() {
            entries
                .extend(LIST_ENTRIES.iter().filter_map(|entry| Some((entry.name_of(tag), (entry.get)(self, list)?))));
        }
        let candles = self.chart.iter().flat_map(|chart| &chart.candles);
        entries.extend(candles.map(|(period, width)| (candles_name(*period), width.to_string())));
        if let Some(seen) = &self.seen {
            seen.write(&mut entries);
        }
        entries
    }

    /// Reads the entries of [`Session::entries`]. Unknown names and values, such as a newer version's, are skipped.
    pub fn from_entries(entries: &SessionEntries) -> Session {
        let mut session = Session { seen: LastSeen::read(entries), ..Session::default() };
        for entry in &ENTRIES {
            if let Some(value) = entries.get(entry.name).or_else(|| entries.get(entry.earlier?)) {
                (entry.set)(&mut session, value);
            }
        }
        for period in Period::ALL {
            let width = entries.get(&candles_name(period)).and_then(|value| CandleWidth::parse(value));
            change_chart(&mut session, width, |chart, width| {
                chart.candles.insert(period, width);
            });
        }
        for (list, tag) in Tag::ALL.into_iter().enumerate() {
            for entry in &LIST_ENTRIES {
                if let Some(value) = entries.get(&entry.name_of(tag)) {
                    (entry.set)(&mut session, list, value);
                }
            }
        }
        // Earlier sessions have one choice for all lists.
        if let Some(value) = entries.get(COLUMNS) {
            for columns in session.columns.iter_mut().filter(|columns| columns.is_none()) {
                *columns = parse_columns(value);
            }
        }
        session
    }
}

/// The lines as one value; `None` if there are none.
fn joined(lines: impl Iterator<Item = String>) -> Option<String> {
    let lines: Vec<String> = lines.collect();
    (!lines.is_empty()).then(|| lines.join("\n"))
}

/// Changes how charts are drawn, if the value is known.
fn change_chart<T>(session: &mut Session, value: Option<T>, change: impl FnOnce(&mut ChartView, T)) {
    if let Some(value) = value {
        change(session.chart.get_or_insert_default(), value);
    }
}

/// Reads the columns of a list; unknown ones are skipped.
fn parse_columns(value: &str) -> Option<Vec<CoinColumn>> {
    let columns: Vec<CoinColumn> = value.split(',').filter_map(CoinColumn::parse).collect();
    Some(columns).filter(|columns| !columns.is_empty())
}

/// The name of a panel of the token view.
fn panel_name(panel: Panel) -> Option<&'static str> {
    match panel {
        Panel::Chart => Some("chart"),
        Panel::About => Some("about"),
        Panel::Posts => Some("posts"),
        Panel::Markets => Some("markets"),
        _ => None,
    }
}

/// The name of a column, after a minus if the largest value comes first.
fn order_name(column: &str, descending: bool) -> String {
    format!("{}{column}", if descending { "-" } else { "" })
}

/// Reads an [`order_name`].
fn parse_order<T: Copy>(value: &str, all: &[T], name_of: fn(T) -> &'static str) -> Option<(T, bool)> {
    let (descending, name) = value.strip_prefix('-').map_or((false, value), |name| (true, name));
    let column = all.iter().copied().find(|column| name_of(*column) == name)?;
    Some((column, descending))
}

fn parse_sort(value: &str) -> Option<Sort> {
    let (column, descending) = parse_order(value, &SortColumn::ALL, column_name)
        .or_else(|| parse_order(value, &SortColumn::ALL, earlier_name))?;
    Some(Sort { column, descending })
}

/// The name of the column with this sort order.
fn column_name(column: SortColumn) -> &'static str {
    CoinColumn::of_sort(column).map_or("", CoinColumn::as_str)
}

/// The name of a sort column in earlier sessions, if it was another one.
fn earlier_name(column: SortColumn) -> &'static str {
    match column {
        SortColumn::Change1h => "change-1h",
        SortColumn::Change24h => "change-24h",
        SortColumn::Change7d => "change-7d",
        SortColumn::MarketCap => "market-cap",
        _ => "",
    }
}

/// The name of a sort column of the indexer's tokens in earlier sessions, if it was another one.
fn earlier_token_name(column: TokenColumn) -> &'static str {
    match column {
        TokenColumn::Change24h => "24h change",
        _ => "",
    }
}

#[cfg(test)]
mod tests;
