//! A5: one coin's chart.

use super::envelope::unrecognised;
use super::money::Currencies;
use super::points::{Reader, Series};
use super::read::Context;
use super::tape::Value;
use crate::client::ErrorKind;
use crate::model::{Chart, Currency, Period, Text};

/// Names of fields around the points.
const WRAPPERS: &[&str] = &["data", "result", "results", "items", "list"];

/// Decodes a chart.
pub(super) fn decode(
    root: Value<'_>,
    (slug, period, convert): (&Text, Period, &Currency),
    context: &mut Context<'_>,
) -> Result<Chart, ErrorKind> {
    let series = Series::find(root, WRAPPERS).ok_or_else(|| unrecognised(root))?;
    let mut currencies = Currencies::new(convert);
    let (points, convert) = Reader::new().read(context, series, &mut currencies).ok_or_else(|| unrecognised(root))?;
    currencies.finish(context);
    Ok(Chart { slug: slug.clone(), period, convert, points })
}
