//! `/chart`: one coin's chart.

use super::candles;
use super::chart_currency;
use super::chart_period;
use super::envelope::{WRAPPERS, unrecognised};
use super::identity;
use super::kind;
use super::market_data;
use super::money::{self, Currencies};
use super::names_around;
use super::points::{self, Reader, SERIES, Series, ValueDescription};
use super::read::Context;
use super::requested_coin::RequestedCoin;
use super::tape::{Tape, Value};
use crate::client::error::ErrorKind;
use crate::model::{Chart, Currency, MarketSeries, Period, Text};

/// Decodes a chart: points in any form, or a response in a format of `/market/data` with a single series.
///
/// # Errors [`ErrorKind::Mismatch`] if it contains only other slugs; [`ErrorKind::Unrecognised`] if there are no
/// points, only those of another period, or several series without a match.
pub(super) fn decode(
    root: Value<'_>,
    (slug, period, convert): (&Text, Period, &Currency),
    context: &mut Context<'_>,
) -> Result<Chart, ErrorKind> {
    if root.is_object() && root.fields().next().is_none() {
        return Err(unrecognised(root));
    }
    identity::check(root, slug)?;
    let has_key = identity::check_keys(root, slug)?;
    let coin = RequestedCoin::Slug(slug);
    names_around::check_names_around(root, coin)?;
    let place = chart_period::find(root, period)?;
    let is_coin = |currency: &Currency| is_same_coin(currency, slug);
    let series = Series::find(place, WRAPPERS).filter(|series| !lists_series(*series)).map(|series| (series, None));
    let by_currency = || chart_currency::find(place, convert, &is_coin).map(|(series, own)| (series, Some(own)));
    let chart = match series.or_else(by_currency) {
        Some(series) => {
            let mut description = ValueDescription::around(root, coin);
            description.add(place, coin, false);
            description.check(series.0)?;
            of_series(root, series, (slug, period, convert), context)?
        }
        None => among_series(place, has_key, (slug, period, convert), context)?,
    };
    chart_period::check(root, &chart)?;
    Ok(chart)
}

/// Whether the rows of a series have points themselves, so that they are series.
fn lists_series(series: Series<'_>) -> bool {
    let Series::Rows(rows) = series else { return false };
    let mut tape = Tape::default();
    let first = rows.items().next().and_then(|first| tape.expand(first).ok());
    first.is_some_and(|first| !points::has_time(first) && points::holds_series(first))
}

/// Reads the chart from points, whose place may state their currency.
fn of_series(
    root: Value<'_>,
    (series, own): (Series<'_>, Option<Currency>),
    (slug, period, convert): (&Text, Period, &Currency),
    context: &mut Context<'_>,
) -> Result<Chart, ErrorKind> {
    if let Series::Rows(rows) = series {
        let mut tape = Tape::default();
        let first = rows.items().next().and_then(|first| tape.expand(first).ok());
        if let Some(other) = first.and_then(kind::non_point_kind) {
            return Err(ErrorKind::Unrecognised(format!("looks like {}", other.name())));
        }
    }
    let coin = RequestedCoin::Slug(slug);
    let mut currencies = Currencies::new(convert);
    let is_coin = |currency: &Currency| currency != convert && is_same_coin(currency, slug);
    let stated = money::stated_around(root, &[SERIES, WRAPPERS], &is_coin);
    let stated = own.or(stated);
    let mut reader = Reader::new();
    reader.set_has_currency(stated.is_some());
    currencies.set_around(stated.or_else(|| names_around::quote_around(root, coin)));
    let Some((points, convert)) = reader.read_of(context, series, &mut currencies, coin) else {
        return Err(reader.rejection().unwrap_or_else(|| unrecognised(root)));
    };
    currencies.finish(context);
    let volume_span = reader.volume_span();
    let candles = candles::of_points(&points, candles::find(root, &convert, context));
    Ok(Chart { slug: slug.clone(), period, convert, points, volume_span, candles })
}

/// Whether a currency is the coin with this slug.
pub(super) fn is_same_coin(currency: &Currency, slug: &str) -> bool {
    match currency.coin_slug() {
        Some(own) => own.eq_ignore_ascii_case(slug),
        None => money::is_symbol_of(currency, slug),
    }
}

/// Reads the chart from the only series in a map by id or symbol (`{"data": {"25028": {"quotes": […]}}}`), or from the
/// one of the coin. A key may already be the requested slug.
fn among_series(
    root: Value<'_>,
    has_key: bool,
    (slug, period, convert): (&Text, Period, &Currency),
    context: &mut Context<'_>,
) -> Result<Chart, ErrorKind> {
    let (slugs, coin) = (std::slice::from_ref(slug), RequestedCoin::Slug(slug));
    let mut series = market_data::decode(root, slugs, coin, &Text::default(), convert, context)?;
    // Several coins may share a symbol, but not a slug.
    let is_requested = |other: &Text| identity::is_same(other, slug);
    let has_name = |one: &MarketSeries| one.slug.is_none() && coin.is_named(&one.symbol);
    if series.iter().any(|one| one.slug.as_ref().is_some_and(is_requested)) {
        series.retain(|one| one.slug.as_ref().is_some_and(is_requested));
    } else if let Some(others) = series.iter().map(|one| one.slug.as_deref()).collect::<Option<Vec<&str>>>()
        && !others.is_empty()
    {
        return Err(identity::another(&others, slug));
    } else if series.len() > 1 && series.iter().any(has_name) {
        series.retain(has_name);
    }
    if let [only] = series.as_slice()
        && only.slug.is_none()
        && !has_key
    {
        let names = [Some(&only.symbol), only.id.as_ref(), only.name.as_ref()];
        let is_other = |name: &&Text| coin.is_other_symbol(name) || coin.is_other_id(name);
        if let Some(other) = names.into_iter().flatten().find(is_other) {
            return Err(identity::another(&[other], slug));
        }
    }
    match series.pop() {
        Some(only) if series.is_empty() => {
            let MarketSeries { convert, points, volume_span, candles, .. } = only;
            Ok(Chart { slug: slug.clone(), period, convert, points, volume_span, candles })
        }
        _ => Err(unrecognised(root)),
    }
}
