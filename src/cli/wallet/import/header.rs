//! Recognises the program that wrote a CSV file by its header.

use super::super::export::COLUMNS;
use super::contents::FileError;
use super::draft::Format;

/// Columns of `wallet --format csv` that aren't part of the lot itself.
const DERIVED: [&str; 8] = ["id", "price", "value", "profit", "profit_pct", "share_pct", "remaining", "convert"];

/// Columns beside which `price` is the current price, not the price paid.
const BESIDE_CURRENT_PRICE: [&str; 7] =
    ["unit_price", "total_price", "value", "profit", "profit_pct", "share_pct", "convert"];

/// Alternative names of another program's columns, each with the name used here.
const OTHER_NAMES: [(&str, &str); 14] = [
    // CoinTracking's template for imports.
    ("buy amount", "buy"),
    ("sell amount", "sell"),
    // CoinTracking in German.
    ("typ", "type"),
    ("kauf", "buy"),
    ("verkauf", "sell"),
    ("gebühr", "fee"),
    ("kommentar", "comment"),
    ("datum", "date"),
    // Koinly's templates.
    ("koinly date", "date"),
    // Koinly's transaction history.
    ("date (utc)", "date"),
    ("from amount", "sent amount"),
    ("from currency", "sent currency"),
    ("to amount", "received amount"),
    ("to currency", "received currency"),
];

/// Names of columns that people use in their own sheets, each with ours.
const SHEET_NAMES: [(&str, &str); 9] = [
    ("type", "kind"),
    ("side", "kind"),
    ("coin", "symbol"),
    ("ticker", "symbol"),
    ("asset", "symbol"),
    ("token", "symbol"),
    ("quantity", "amount"),
    ("notes", "note"),
    ("comment", "note"),
];

/// Columns that CoinTracking's files have.
const CORE: [&str; 5] = ["type", "buy", "sell", "fee", "date"];

/// Renames the columns of a user's own sheet to our names, [`OTHER_NAMES`], and the columns of CoinTracking in any
/// language.
pub(super) fn rename(header: &mut [String]) {
    for (other, own) in OTHER_NAMES {
        header.iter_mut().filter(|column| *column == other).for_each(|column| own.clone_into(column));
    }
    let is_named = CORE.iter().all(|name| header.iter().any(|column| column == name));
    for (index, name) in if is_named { Vec::new() } else { cointracking(header) } {
        header.get_mut(index).into_iter().for_each(|column| name.clone_into(column));
    }
    if recognise(header).is_none() {
        rename_sheet(header);
    }
    let has_any = |names: &[&str]| header.iter().any(|column| names.contains(&column.as_str()));
    let is_simple = is_own(header);
    let (has_price, has_total) = (!has_any(&BESIDE_CURRENT_PRICE), !has_any(&["total_price"]));
    for (other, own, has_column) in [("price", "unit_price", has_price), ("total", "total_price", has_total)] {
        if is_simple && has_column {
            header.iter_mut().filter(|column| *column == other).for_each(|column| own.clone_into(column));
        }
    }
}

/// Renames columns of [`SHEET_NAMES`], unless there is one of our name.
fn rename_sheet(header: &mut [String]) {
    for (other, own) in SHEET_NAMES {
        let is_free = header.iter().all(|column| column != own);
        if let Some(column) = header.iter_mut().find(|column| is_free && *column == other) {
            own.clone_into(column);
        }
    }
}

/// The columns of CoinTracking's trade list, whatever its language is: type, three amounts, each with its currency in
/// columns of one name and maybe its value, then exchange, group, comment and date.
fn cointracking(header: &[String]) -> Vec<(usize, &'static str)> {
    let Some(unit) = header.get(2) else { return Vec::new() };
    let units: Vec<usize> = (0..header.len()).filter(|index| header.get(*index) == Some(unit)).collect();
    match units.as_slice() {
        [2, sell, fee] if sell - 2 >= 2 && fee - sell >= 2 && header.len() > fee + 4 => vec![
            (0, "type"),
            (1, "buy"),
            (2, "cur."),
            (sell - 1, "sell"),
            (*sell, "cur."),
            (fee - 1, "fee"),
            (*fee, "cur."),
            (fee + 3, "comment"),
            (fee + 4, "date"),
        ],
        _ => Vec::new(),
    }
}

/// Whether a header has the minimum columns of our own files.
fn is_own(header: &[String]) -> bool {
    let has = |name: &str| header.iter().any(|column| column == name);
    has("amount") && (has("slug") || has("symbol"))
}

/// Whether a column is read in any format.
pub(super) fn is_read(column: &str) -> bool {
    const OTHERS: [&str; 18] = [
        "buy",
        "buy currency",
        "sell",
        "sell currency",
        "sent amount",
        "sent currency",
        "received amount",
        "received currency",
        "fee amount",
        "fee currency",
        "net worth amount",
        "net worth currency",
        "holdings",
        "cost_price",
        "quantity",
        "pair",
        "side",
        "total",
    ];
    COLUMNS.contains(&column) || OTHERS.contains(&column)
}

fn is_known(column: &str) -> bool {
    COLUMNS.contains(&column) || DERIVED.contains(&column)
}

pub(super) fn unknown(header: &[String]) -> FileError {
    let mut columns: Vec<&str> = header.iter().map(String::as_str).collect();
    if is_own(header) {
        columns.retain(|column| !is_known(column));
        return FileError::column(&columns);
    }
    columns.retain(|column| !is_known(column) && !["price", "total"].contains(column));
    FileError::unknown(&columns)
}

/// The program with this header.
pub(super) fn recognise(header: &[String]) -> Option<Format> {
    let has = |names: &[&str]| names.iter().all(|name| header.iter().any(|column| column == name));
    if is_own(header) && header.iter().all(|column| is_known(column)) {
        Some(Format::Own)
    } else if has(&CORE) && (has(&["cur."]) || has(&["buy currency", "sell currency"])) {
        Some(Format::CoinTracking)
    } else if has(&["date", "sent amount", "sent currency", "received amount", "received currency"]) {
        Some(Format::Koinly)
    } else if has(&["date", "pair", "side", "amount", "total"]) {
        Some(Format::KoinlyTrades)
    } else if has(&["date", "amount", "currency"])
        && (has(&["label"]) || has(&["tag"]) || has(&["txhash"]))
        // Another program's amounts may have no sign.
        && !["type", "side", "direction", "kind"].iter().any(|name| has(&[name]))
    {
        Some(Format::KoinlySimple)
    } else if has(&["timestamp", "transaction type", "asset", "quantity transacted", "subtotal"]) {
        Some(Format::Coinbase)
    } else if has(&["symbol", "cost", "quantity", "weight"]) {
        Some(Format::Ticker)
    } else if has(&["symbol", "holdings", "balance"]) {
        Some(Format::Cointop)
    } else {
        None
    }
}
