//! The session: the parts of the dashboard's state that the next start restores.

use crate::keymap::Tab;
use crate::model::{CandleWidth, ChartAxis, ChartStyle, CoinId, Currency, Period, Tag, Text, UtcTime, text};

use crate::app::chart::view::ChartView;
use crate::app::find::recent::{MAX_RECENT, Recent};
use crate::app::panel::Panel;
use crate::app::screen::indexer::{BalanceColumn, BalanceSort, TokenColumn, TokenSort};
use crate::app::screen::list::{CoinColumn, Sort, SortColumn};
use crate::app::screen::token::{MarketColumn, MarketSort, PANELS};
use crate::app::screen::wallet::order::HoldingSort;
use crate::app::wallet::last_seen::LastSeen;
use crate::user_data::SessionEntries;

/// The restored state. `None` means the configured or built-in value, so that a changed configuration takes
/// effect unless the user chose something else on the screen.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Session {
    /// The open tab.
    pub tab: Option<Tab>,
    /// The sort order of each list, in the order of [`Tag::ALL`].
    pub sorts: [Option<Sort>; 3],
    /// The columns of each list besides the fixed ones, in the same order.
    pub columns: [Option<Vec<CoinColumn>>; 3],
    /// The sort order of a token's markets.
    pub market_sort: Option<MarketSort>,
    /// The sort order of the indexer's tokens.
    pub token_sort: Option<TokenSort>,
    /// The sort order of an address's balances in the indexer.
    pub balance_sort: Option<BalanceSort>,
    /// The ticker of the selected token of the indexer, unless it is the first one.
    pub selected_ticker: Option<Text>,
    /// The selected coin of each list, in the same order.
    pub coins: [Option<CoinId>; 3],
    /// The selected row of the wallet, unless it is the first one.
    pub wallet_row: Option<Text>,
    /// The period of the charts.
    pub period: Option<Period>,
    /// How charts are drawn, unless it is the default.
    pub chart: Option<ChartView>,
    /// The currency.
    pub convert: Option<Currency>,
    /// The zoomed panel of a token's view.
    pub zoom: Option<Panel>,
    /// The choice between live and simulated data.
    pub live: Option<bool>,
    /// Whether the line that offers live data is hidden.
    pub hides_live_offer: Option<bool>,
    /// Whether live prices are on; `None` if the user hasn't turned them off.
    pub live_prices: Option<bool>,
    /// Whether the wallet's amounts are hidden.
    pub hides_amounts: Option<bool>,
    /// The order of the wallet's holdings.
    pub order: Option<HoldingSort>,
    /// The rows of the holdings in the manual order.
    pub manual_order: Vec<Text>,
    /// The places that were open, newest first.
    pub recent: Vec<Recent>,
    /// The last seen values of the wallet.
    pub seen: Option<LastSeen>,
}

/// The choices of the session as last saved.
#[derive(Debug, Default)]
pub(in crate::app) struct SavedChoices {
    /// The part of the session that is saved soon after it has changed.
    pub(in crate::app) choices: Session,
    /// When the current choices are saved, if they differ.
    pub(in crate::app) due: Option<UtcTime>,
}

impl Session {
    /// The session as names and values for the store.
    pub fn entries(&self) -> SessionEntries {
        let mut entries = SessionEntries::new();
        let mut put = |name: String, value: Option<String>| entries.extend(value.map(|value| (name, value)));
        put(String::from("tab"), self.tab.map(|tab| tab.name().to_owned()));
        let columns =
            |columns: &Vec<CoinColumn>| columns.iter().map(|column| column.as_str()).collect::<Vec<_>>().join(",");
        for (tag, chosen) in Tag::ALL.into_iter().zip(&self.columns) {
            put(format!("list-columns.{}", tag.as_str()), chosen.as_ref().map(columns));
        }
        for ((tag, sort), coin) in Tag::ALL.into_iter().zip(self.sorts).zip(&self.coins) {
            put(
                format!("sort.{}", tag.as_str()),
                sort.map(|sort| order_name(column_name(sort.column), sort.descending)),
            );
            put(format!("coin.{}", tag.as_str()), coin.as_ref().map(|CoinId(id)| id.to_string()));
        }
        let markets = self.market_sort.map(|sort| order_name(sort.column.as_str(), sort.descending));
        put(String::from("sort-markets"), markets);
        let tokens = self.token_sort.map(|sort| order_name(sort.column.as_str(), sort.descending));
        put(String::from("sort-tokens"), tokens);
        let balances = self.balance_sort.map(|sort| order_name(sort.column.as_str(), sort.descending));
        put(String::from("sort-balances"), balances);
        put(String::from("ticker"), self.selected_ticker.as_ref().map(Text::to_string));
        put(String::from("wallet-row"), self.wallet_row.as_ref().map(Text::to_string));
        put(String::from("period"), self.period.map(|period| period.as_str().to_owned()));
        if let Some(chart) = &self.chart {
            put(String::from("chart-style"), Some(chart.style.as_str().to_owned()));
            put(String::from("chart-axis"), Some(chart.axis.as_str().to_owned()));
            put(String::from("averages"), Some(chart.has_averages.to_string()));
            put(String::from("bollinger"), Some(chart.has_bands.to_string()));
            put(String::from("rsi"), Some(chart.has_rsi.to_string()));
            put(String::from("macd"), Some(chart.has_macd.to_string()));
            for (period, width) in &chart.candles {
                put(format!("candles-{}", period.as_str()), Some(width.to_string()));
            }
        }
        put(String::from("convert"), self.convert.as_ref().map(Currency::to_string));
        put(String::from("live"), self.live.map(|live| live.to_string()));
        put(String::from("hide-live-offer"), self.hides_live_offer.map(|hides| hides.to_string()));
        put(String::from("live_prices"), self.live_prices.map(|on| on.to_string()));
        put(String::from("hide-amounts"), self.hides_amounts.map(|hides| hides.to_string()));
        put(String::from("wallet-order"), self.order.map(HoldingSort::name));
        put(String::from("wallet-by-hand"), (!self.manual_order.is_empty()).then(|| self.manual_order.join("\n")));
        let recent: Vec<String> = self.recent.iter().filter_map(Recent::encode).collect();
        put(String::from("recent"), (!recent.is_empty()).then(|| recent.join("\n")));
        put(String::from("zoom"), self.zoom.and_then(panel_name).map(String::from));
        if let Some(seen) = &self.seen {
            seen.write(&mut entries);
        }
        entries
    }

    /// Reads the entries of [`Session::entries`]. Unknown names and values, such as a newer version's, are skipped.
    pub fn from_entries(entries: &SessionEntries) -> Session {
        let mut session = Session { seen: LastSeen::read(entries), ..Session::default() };
        for (name, value) in entries.iter().map(|(name, value)| (name.as_str(), value.as_str())) {
            match name.split_once('.') {
                _ if name.starts_with("seen-") => {}
                None => match name {
                    "tab" => session.tab = Tab::ALL.into_iter().find(|tab| tab.name() == value),
                    // Earlier sessions have one choice for all lists.
                    "list-columns" => {
                        for columns in session.columns.iter_mut().filter(|columns| columns.is_none()) {
                            *columns = parse_columns(value);
                        }
                    }
                    "sort-markets" => {
                        let sort = parse_order(value, &MarketColumn::ALL, MarketColumn::as_str);
                        session.market_sort = sort.map(|(column, descending)| MarketSort { column, descending });
                    }
                    "sort-tokens" => {
                        let sort = parse_order(value, &TokenColumn::ALL, TokenColumn::as_str)
                            .or_else(|| parse_order(value, &TokenColumn::ALL, earlier_token_name));
                        session.token_sort = sort.map(|(column, descending)| TokenSort { column, descending });
                    }
                    "sort-balances" => {
                        let sort = parse_order(value, &BalanceColumn::ALL, BalanceColumn::as_str);
                        session.balance_sort = sort.map(|(column, descending)| BalanceSort { column, descending });
                    }
                    "ticker" => session.selected_ticker = Some(Text::from(text::clean(value))),
                    "period" => session.period = Period::ALL.into_iter().find(|period| period.as_str() == value),
                    "chart-style" | "chart-axis" | "averages" | "bollinger" | "rsi" | "macd" => {
                        read_chart(&mut session.chart, name, value);
                    }
                    _ if name.starts_with("candles-") => read_chart(&mut session.chart, name, value),
                    "live" => session.live = value.parse().ok(),
                    "hide-live-offer" => session.hides_live_offer = value.parse().ok(),
                    "live_prices" => session.live_prices = value.parse().ok(),
                    "hide-amounts" => session.hides_amounts = value.parse().ok(),
                    "recent" => session.recent = value.lines().filter_map(Recent::decode).take(MAX_RECENT).collect(),
                    "wallet-row" => session.wallet_row = Some(Text::from(text::clean(value))),
                    "wallet-order" => session.order = HoldingSort::parse(value),
                    "wallet-by-hand" => {
                        session.manual_order = value.lines().map(|key| Text::from(text::clean(key))).collect();
                    }
                    "convert" => session.convert = Currency::parse(value),
                    "zoom" => session.zoom = PANELS.into_iter().find(|panel| panel_name(*panel) == Some(value)),
                    _ => {}
                },
                Some((kind, list)) => {
                    let Some(place) = Tag::ALL.iter().position(|tag| tag.as_str() == list) else { continue };
                    if kind == "list-columns"
                        && let Some(columns) = session.columns.get_mut(place)
                    {
                        *columns = parse_columns(value);
                    }
                    match (kind, session.sorts.get_mut(place), session.coins.get_mut(place)) {
                        ("sort", Some(sort), _) => *sort = parse_sort(value),
                        ("coin", _, Some(coin)) => *coin = Some(CoinId(Text::from(text::clean(value)))),
                        _ => {}
                    }
                }
            }
        }
        session
    }
}

/// Reads the columns of a list; unknown ones are skipped.
fn parse_columns(value: &str) -> Option<Vec<CoinColumn>> {
    let columns: Vec<CoinColumn> = value.split(',').filter_map(CoinColumn::parse).collect();
    Some(columns).filter(|columns| !columns.is_empty())
}

/// Reads a part of how charts are drawn; unknown values are skipped.
fn read_chart(chart: &mut Option<ChartView>, name: &str, value: &str) {
    let mut read = chart.clone().unwrap_or_default();
    let known = match name {
        "chart-style" => ChartStyle::ALL.into_iter().find(|style| style.as_str() == value).map(|it| read.style = it),
        "chart-axis" => ChartAxis::ALL.into_iter().find(|axis| axis.as_str() == value).map(|it| read.axis = it),
        "averages" => value.parse().ok().map(|it| read.has_averages = it),
        "bollinger" => value.parse().ok().map(|it| read.has_bands = it),
        "rsi" => value.parse().ok().map(|it| read.has_rsi = it),
        "macd" => value.parse().ok().map(|it| read.has_macd = it),
        _ => {
            let period = name.strip_prefix("candles-").unwrap_or_default();
            let period = Period::ALL.into_iter().find(|known| known.as_str() == period);
            period.zip(CandleWidth::parse(value)).map(|(period, width)| {
                read.candles.insert(period, width);
            })
        }
    };
    if known.is_some() {
        *chart = Some(read);
    }
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

/// The name of a sort column in earlier sessions, where it differs from that of the column.
fn earlier_name(column: SortColumn) -> &'static str {
    match column {
        SortColumn::Change1h => "change-1h",
        SortColumn::Change24h => "change-24h",
        SortColumn::Change7d => "change-7d",
        SortColumn::MarketCap => "market-cap",
        _ => "",
    }
}

/// The same for a sort column of the indexer's tokens.
fn earlier_token_name(column: TokenColumn) -> &'static str {
    match column {
        TokenColumn::Change24h => "24h change",
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::find::lookup::Subject;
    use crate::app::screen::wallet::order::Order;

    fn read(entries: &[(&str, &str)]) -> Session {
        Session::from_entries(&entries.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect())
    }

    #[test]
    fn session_entries_round_trip() {
        let sort = |column, descending| Some(Sort { column, descending });
        for tab in Tab::ALL {
            for column in SortColumn::ALL {
                let session = Session {
                    tab: Some(tab),
                    sorts: [sort(column, true), None, sort(column, false)],
                    columns: [
                        Some(vec![CoinColumn::Price, CoinColumn::FromAllTimeHigh]),
                        None,
                        Some(vec![CoinColumn::Low]),
                    ],
                    market_sort: Some(MarketSort { column: MarketColumn::Depth, descending: false }),
                    token_sort: Some(TokenSort { column: TokenColumn::Ticker, descending: true }),
                    balance_sort: Some(BalanceSort { column: BalanceColumn::Value, descending: false }),
                    selected_ticker: Some("ordi".into()),
                    coins: [None, Some(CoinId("21".into())), Some(CoinId("a.b".into()))],
                    wallet_row: Some("holding bitcoin".into()),
                    period: Some(Period::Quarter),
                    chart: Some(ChartView {
                        style: ChartStyle::Candles,
                        axis: ChartAxis::Log,
                        has_averages: true,
                        has_bands: true,
                        has_rsi: true,
                        has_macd: true,
                        candles: CandleWidth::parse("4h").map(|width| (Period::Week, width)).into_iter().collect(),
                    }),
                    convert: Currency::parse("EUR"),
                    zoom: Some(Panel::Markets),
                    live: Some(true),
                    hides_live_offer: Some(true),
                    live_prices: Some(false),
                    hides_amounts: Some(true),
                    order: Some(HoldingSort { by: Order::Price, is_reversed: true, has_manual_watchlist: true }),
                    manual_order: vec!["holding ordi".into(), "holding bitcoin".into()],
                    recent: vec![Recent::Subject(Subject::Stats), Recent::Subject(Subject::Token("ordi".into()))],
                    seen: None,
                };
                assert_eq!(Session::from_entries(&session.entries()), session);
            }
        }
        assert_eq!(Session::default().entries(), SessionEntries::new());
    }

    #[test]
    fn sort_orders_of_earlier_sessions_are_read() {
        for (value, column) in [("-change-24h", SortColumn::Change24h), ("-market-cap", SortColumn::MarketCap)] {
            let sorts = read(&[("sort.all", value)]).sorts;
            assert_eq!(sorts[0], Some(Sort { column, descending: true }), "{value}");
        }
        let sort = TokenSort { column: TokenColumn::Change24h, descending: true };
        assert_eq!(read(&[("sort-tokens", "-24h change")]).token_sort, Some(sort));
    }

    /// A new title in a menu must not change these names.
    #[test]
    fn sort_columns_have_names_of_their_own() {
        let markets = MarketColumn::ALL.map(MarketColumn::as_str);
        assert_eq!(markets, ["exchange", "pair", "price", "volume", "share", "depth"]);
        let tokens = TokenColumn::ALL.map(TokenColumn::as_str);
        assert_eq!(tokens, ["events", "ticker", "price", "24h", "minted", "supply", "deployed"]);
        let balances = BalanceColumn::ALL.map(BalanceColumn::as_str);
        assert_eq!(balances, ["ticker", "balance", "value", "available", "transferable"]);
        for name in balances {
            assert!(read(&[("sort-balances", name)]).balance_sort.is_some(), "{name}");
        }
        for name in markets {
            assert!(read(&[("sort-markets", name)]).market_sort.is_some(), "{name}");
        }
        for name in tokens {
            assert!(read(&[("sort-tokens", name)]).token_sort.is_some(), "{name}");
        }
    }

    #[test]
    fn unknown_session_values_are_skipped() {
        let entries = [
            ("tab", "calendar"),
            ("sort.all", "-beauty"),
            ("sort.nft", "rank"),
            ("list-columns", "beauty"),
            ("recent", "galaxy 7"),
            ("period", "5Y"),
            ("chart-style", "bars"),
            ("candles-1D", "7m"),
            ("bollinger", "20"),
            ("rsi", "14"),
            ("convert", "no currency"),
            ("zoom", "maybe"),
            ("live", "sometimes"),
            ("hide-live-offer", "sometimes"),
            ("hide-amounts", "some"),
            ("theme", "dark"),
        ];
        assert_eq!(read(&entries), Session::default());
        assert_eq!(read(&[("coin.all", "a\u{1b}[2Jb")]).coins[0], Some(CoinId(Text::from(text::clean("a\u{1b}[2Jb")))));
    }
}
