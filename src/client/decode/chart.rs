//! A5: one coin's chart.

use super::envelope::{WRAPPERS, unrecognised};
use super::market_data;
use super::money::Currencies;
use super::points::{Reader, Series};
use super::read::Context;
use super::tape::Value;
use crate::client::ErrorKind;
use crate::model::{Chart, Currency, Period, Text};

/// Decodes a chart: points in any form, or an answer of A6's forms in which there is one series.
pub(super) fn decode(
    root: Value<'_>,
    (slug, period, convert): (&Text, Period, &Currency),
    context: &mut Context<'_>,
) -> Result<Chart, ErrorKind> {
    let Some(series) = Series::find(root, WRAPPERS) else {
        return among_series(root, (slug, period, convert), context);
    };
    let mut currencies = Currencies::new(convert);
    let (points, convert) = Reader::new().read(context, series, &mut currencies).ok_or_else(|| unrecognised(root))?;
    currencies.finish(context);
    Ok(Chart { slug: slug.clone(), period, convert, points })
}

/// The chart as the only series by id or symbol: `{"data": {"25028": {"quotes": […]}}}`.
fn among_series(
    root: Value<'_>,
    (slug, period, convert): (&Text, Period, &Currency),
    context: &mut Context<'_>,
) -> Result<Chart, ErrorKind> {
    let mut series = market_data::decode(root, std::slice::from_ref(slug), &Text::default(), convert, context)?;
    // Several coins may share a symbol, but not a slug.
    if series.len() > 1 {
        series.retain(|one| one.slug.as_ref() == Some(slug));
    }
    match series.pop() {
        Some(only) if series.is_empty() => {
            Ok(Chart { slug: slug.clone(), period, convert: only.convert, points: only.points })
        }
        _ => Err(unrecognised(root)),
    }
}
