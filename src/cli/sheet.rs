//! Converts responses to rows and columns for CSV and tables.

use serde::Serialize;
use serde_json::{Map, Value};

use super::columns::{self, Column, Kind};
use crate::client::ResponseData;
use crate::model::Currency;

/// Rows of cells, each row an object.
pub(super) struct Sheet {
    /// The columns of `csv`, in order.
    pub(super) fields: &'static [&'static str],
    pub(super) rows: Vec<Map<String, Value>>,
    /// Currency of all prices; `None` without prices, or if their currencies differ.
    pub(super) currency: Option<String>,
    /// A line above the table.
    pub(super) summary: Option<String>,
    /// Sentences below the table.
    pub(super) notes: Vec<String>,
    pub(super) layout: Layout,
}

/// Layout of the table.
#[derive(Clone, Copy)]
pub(super) enum Layout {
    /// Selected columns.
    Columns(&'static [Column]),
    /// A single item, one field per line.
    Card(&'static [Column]),
    /// All fields as text.
    Plain,
}

impl Sheet {
    /// Whether its table has times.
    pub(super) fn has_times(&self) -> bool {
        match self.layout {
            Layout::Columns(columns) | Layout::Card(columns) => columns.iter().any(|column| column.kind == Kind::Time),
            Layout::Plain => false,
        }
    }

    /// A field that a column of the table reads, although it isn't one of [`Sheet::fields`]: it would be empty.
    pub(super) fn unknown_field(&self) -> Option<&'static str> {
        let (Layout::Columns(columns) | Layout::Card(columns)) = self.layout else { return None };
        let of_column = |column: &Column| {
            let second =
                if let Kind::AmountOf(field) | Kind::MoneyIn(field) = column.kind { Some(field) } else { None };
            [Some(column.field), second]
        };
        columns.iter().flat_map(of_column).flatten().find(|field| !self.fields.contains(field))
    }

    /// Creates a sheet from rows.
    pub(super) fn new(fields: &'static [&'static str], layout: Layout, rows: Vec<Map<String, Value>>) -> Sheet {
        Sheet { fields, rows, currency: None, summary: None, notes: Vec::new(), layout }
    }

    /// Creates a sheet from a list.
    pub(super) fn list<T: Serialize>(fields: &'static [&'static str], layout: Layout, items: &[T]) -> Sheet {
        Sheet::new(fields, layout, items.iter().map(row).collect())
    }

    /// Creates a sheet from a response.
    pub(super) fn from_response(response: &ResponseData) -> Sheet {
        use Layout::Columns;
        let fields = fields(response);
        let sheet = match response {
            ResponseData::Coins(page) => {
                let trends = page.items.iter().any(|coin| !coin.sparkline_7d.is_empty());
                let shown = if trends { columns::COINS_WITH_TREND } else { columns::COINS };
                Sheet::list(fields, Columns(shown), &page.items)
            }
            ResponseData::Posts(page) => Sheet::list(fields, Columns(columns::POSTS), &page.items),
            ResponseData::MarketPairs(page) => Sheet::list(fields, Columns(columns::PAIRS), &page.items),
            ResponseData::Chart(chart) => Sheet::new(fields, Columns(columns::POINTS), points(chart)),
            ResponseData::Market(series) => {
                Sheet::new(fields, Columns(columns::SERIES_POINTS), series.iter().flat_map(points).collect())
            }
            ResponseData::Brc20Tokens(page) => Sheet::list(fields, Columns(columns::TOKENS), &page.items),
            ResponseData::Holders(page) => Sheet::list(fields, Columns(columns::HOLDERS), &page.items),
            ResponseData::Balances(page) => Sheet::list(fields, Columns(columns::BALANCES), &page.items),
            ResponseData::Activity(page) => Sheet::list(fields, Columns(columns::ACTIVITY), &page.items),
            ResponseData::Inscriptions(page) => Sheet::list(fields, Columns(columns::INSCRIPTIONS), &page.items),
            ResponseData::InscriptionStats(page) => {
                Sheet::list(fields, Columns(columns::INSCRIPTION_STATS), &page.items)
            }
            // No command prints them.
            ResponseData::InscriptionContent(_)
            | ResponseData::Sources(_)
            | ResponseData::ChainState(_)
            | ResponseData::CoinNames(_)
            | ResponseData::HistoricalRates(_)
            | ResponseData::BitcoinBalance(_)
            | ResponseData::Picture(_) => Sheet::list::<()>(fields, Layout::Card(&[]), &[]),
            ResponseData::Brc20Token(token) => Sheet::list(fields, Layout::Card(columns::TOKEN), &[token]),
            ResponseData::Sat(sat) => Sheet::list(fields, Layout::Card(columns::SAT), &[sat]),
            ResponseData::Inscription(inscription) => {
                Sheet::list(fields, Layout::Card(columns::INSCRIPTION), &[inscription])
            }
        };
        Sheet { currency: currency(response), ..sheet }
    }
}

/// The common currency of a response.
fn currency(response: &ResponseData) -> Option<String> {
    let mut all: Box<dyn Iterator<Item = &Currency>> = match response {
        ResponseData::Coins(page) => Box::new(page.items.iter().map(|coin| &coin.convert)),
        ResponseData::MarketPairs(page) => Box::new(page.items.iter().map(|pair| &pair.convert)),
        ResponseData::Chart(chart) => Box::new(std::iter::once(&chart.convert)),
        ResponseData::Market(series) => Box::new(series.iter().map(|series| &series.convert)),
        _ => return None,
    };
    let first = all.next()?;
    all.all(|other| other == first).then(|| first.to_string())
}

/// The CSV columns of a response: its JSON fields. Series are flattened to one line per point, with the fields of the
/// point instead of `points`.
pub(super) fn fields(response: &ResponseData) -> &'static [&'static str] {
    match response {
        ResponseData::Coins(_) => &[
            "id",
            "rank",
            "name",
            "symbol",
            "slug",
            "tags",
            "convert",
            "price",
            "change_1h_pct",
            "change_24h_pct",
            "change_7d_pct",
            "high_24h",
            "low_24h",
            "all_time_high",
            "all_time_low",
            "volume_24h",
            "market_cap",
            "circulating_supply",
            "total_supply",
            "max_supply",
            "links",
            "contracts",
            "sparkline_7d",
            "updated_at",
        ],
        ResponseData::Posts(_) => &[
            "id",
            "author",
            "network",
            "text",
            "likes",
            "comments",
            "reposts",
            "posted_at",
            "url",
            "symbols",
            "language",
            "sensitive",
        ],
        ResponseData::MarketPairs(_) => &[
            "exchange",
            "pair",
            "base",
            "quote",
            "category",
            "price",
            "volume_24h",
            "volume_share_pct",
            "depth_plus_2pct",
            "depth_minus_2pct",
            "outlier",
            "updated_at",
        ],
        ResponseData::Chart(_) => &["slug", "period", "convert", "time", "price", "volume", "market_cap"],
        ResponseData::Market(_) => {
            &["id", "name", "symbol", "slug", "convert", "interval", "time", "price", "volume", "market_cap"]
        }
        ResponseData::Brc20Tokens(_) | ResponseData::Brc20Token(_) => BRC20_TOKEN,
        ResponseData::Holders(_) => &["address", "balance"],
        ResponseData::Balances(_) => &["ticker", "available", "transferable", "overall"],
        ResponseData::Activity(_) => &[
            "operation",
            "ticker",
            "amount",
            "from",
            "to",
            "address",
            "block_height",
            "block_hash",
            "tx_id",
            "inscription_id",
            "location",
            "time",
            "max_supply",
            "mint_limit",
            "decimals",
        ],
        ResponseData::Sat(_) => SAT,
        ResponseData::Inscriptions(_) | ResponseData::Inscription(_) => INSCRIPTION,
        ResponseData::InscriptionStats(_) => {
            &["block_height", "block_hash", "inscriptions", "inscriptions_total", "time"]
        }
        // No command prints them.
        ResponseData::InscriptionContent(_)
        | ResponseData::Sources(_)
        | ResponseData::ChainState(_)
        | ResponseData::CoinNames(_)
        | ResponseData::HistoricalRates(_)
        | ResponseData::BitcoinBalance(_)
        | ResponseData::Picture(_) => &[],
    }
}

/// The fields of a BRC-20 token.
pub(super) const BRC20_TOKEN: &[&str] = &[
    "ticker",
    "inscription_id",
    "inscription_number",
    "deployer",
    "deployed_at",
    "block_height",
    "tx_id",
    "max_supply",
    "minted_supply",
    "mint_limit",
    "decimals",
    "self_mint",
    "tx_count",
    "holders",
];

/// The fields of a sat.
pub(super) const SAT: &[&str] = &[
    "number",
    "name",
    "decimal",
    "degree",
    "percentile",
    "rarity",
    "block_height",
    "cycle",
    "epoch",
    "period",
    "offset",
    "charms",
    "inscription_id",
    "disagreements",
];

/// The fields of an inscription.
pub(super) const INSCRIPTION: &[&str] = &[
    "id",
    "number",
    "address",
    "genesis_address",
    "genesis_block_height",
    "genesis_time",
    "genesis_fee",
    "tx_id",
    "location",
    "output",
    "value",
    "offset",
    "sat",
    "rarity",
    "content_type",
    "content_length",
    "curse_type",
    "recursive",
    "parents",
    "charms",
    "time",
];

/// Converts a value to an object; other values become empty.
pub(super) fn row(item: &impl Serialize) -> Map<String, Value> {
    match serde_json::to_value(item) {
        Ok(Value::Object(map)) => map,
        _ => Map::new(),
    }
}

/// Flattens a chart or series to its points, each with the fields of the series.
fn points(series: &impl Serialize) -> Vec<Map<String, Value>> {
    let mut whole = row(series);
    // Candles have their own times.
    whole.remove("candles");
    let Some(Value::Array(points)) = whole.remove("points") else { return Vec::new() };
    let point = |value| match value {
        Value::Object(mut point) => {
            point.extend(whole.clone());
            Some(point)
        }
        _ => None,
    };
    points.into_iter().filter_map(point).collect()
}

/// Keys of nested objects, in output order. Other keys follow them.
const NESTED: [&str; 10] =
    ["kind", "url", "platform", "address", "field", "indexer", "computed", "limit", "period", "used"];

/// Formats a cell as text: `null` is empty; lists and objects are joined by `;`, the values of objects in a list by a
/// space.
pub(super) fn plain(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::Bool(flag) => flag.to_string(),
        Value::Number(number) => number.to_string(),
        Value::String(text) => text.clone(),
        Value::Array(items) => {
            let item = |item: &Value| item.as_object().map_or_else(|| plain(item), |object| joined(object, " "));
            items.iter().map(item).collect::<Vec<_>>().join(";")
        }
        Value::Object(object) => joined(object, ";"),
    }
}

/// The values of an object that are known.
fn joined(object: &Map<String, Value>, separator: &str) -> String {
    let others = object.iter().filter(|(key, _)| !NESTED.contains(&key.as_str())).map(|(_, value)| value);
    let values = NESTED.iter().filter_map(|key| object.get(*key)).chain(others);
    values.map(plain).filter(|text| !text.is_empty()).collect::<Vec<_>>().join(separator)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Chart, Coin, CoinId, Page, Period, Text, VolumeSpan};

    /// Fields that only the dashboard and the service use.
    const NOT_PRINTED: [&str; 2] = ["brc20_ticker", "provider"];

    #[test]
    fn nested_objects_are_printed_in_full() {
        let link = serde_json::json!([{"url": "https://ordi.example/", "kind": "website", "title": "ORDI"}]);
        assert_eq!(plain(&link), "website https://ordi.example/ ORDI");
    }

    #[test]
    fn columns_of_responses_are_their_fields() {
        let (slug, convert, points) = (Text::from("ordi"), Currency::usd(), Vec::new());
        let chart = Chart { slug, period: Period::Day, convert, points, volume_span: VolumeSpan::Day, candles: None };
        for response in [
            ResponseData::Coins(Page::default()),
            ResponseData::Coins(Page {
                items: vec![Coin { sparkline_7d: vec![1.0], ..Coin::new(CoinId("1".into()), "A".into(), "A".into()) }],
                total: None,
            }),
            ResponseData::Posts(Page::default()),
            ResponseData::MarketPairs(Page::default()),
            ResponseData::Chart(chart),
            ResponseData::Market(Vec::new()),
            ResponseData::Brc20Tokens(Page::default()),
            ResponseData::Holders(Page::default()),
            ResponseData::Balances(Page::default()),
            ResponseData::Activity(Page::default()),
            ResponseData::Inscriptions(Page::default()),
            ResponseData::InscriptionStats(Page::default()),
        ] {
            assert_eq!(Sheet::from_response(&response).unknown_field(), None, "{response:?}");
        }
        let sheet = |fields| Sheet::new(fields, Layout::Columns(columns::LOTS), Vec::new());
        assert_eq!(sheet(&["id"]).unknown_field(), Some("date"));
        assert_eq!(sheet(&["id", "date", "kind", "symbol", "amount"]).unknown_field(), Some("remaining"));
    }

    #[test]
    fn every_field_of_a_coin_is_printed() {
        let coin = row(&Coin::new(CoinId("1".into()), "ORDI".into(), "ORDI".into()));
        let mut all: Vec<&str> = coin.keys().map(String::as_str).collect();
        let mut printed = fields(&ResponseData::Coins(Page::default())).to_vec();
        printed.extend(NOT_PRINTED);
        all.sort_unstable();
        printed.sort_unstable();
        assert_eq!(printed, all);
    }
}
