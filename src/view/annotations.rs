//! The alerts, lots and notes that a coin's chart shows.

use std::time::Duration;

use crate::app::State;
use crate::app::chart::limits::ChartLimit;
use crate::format::PriceIn;
use crate::model::{Currency, Decimal, UtcTime};
use crate::user_data::{Lot, LotKind, LotPrice, Watched};
use crate::view::widgets::chart::{Annotations, Level, Marker, MarkerKind};

/// A lot has a date but no time.
const NOON: Duration = Duration::from_hours(12);

/// A lot that is at most this much newer than the prices of a chart is marked at the last one.
const MAX_AHEAD: Duration = Duration::from_hours(24);

/// The marks of a coin's chart in this currency, whose last point has the time `end`.
pub(super) fn annotations(state: &State, coin: &Watched, convert: &Currency, end: Option<UtcTime>) -> Annotations {
    let (alerts, lots) = (&state.alerts.tracked, state.wallet.holdings().lots());
    let user = state.user.current();
    if alerts.is_empty() && lots.is_empty() && user.notes.is_empty() {
        return Annotations::default();
    }
    let notes = user.notes.iter().filter(|note| coin.slug.as_ref() == Some(&note.slug));
    let notes =
        notes.map(|note| Marker { time: note.time, kind: MarkerKind::Note, text: format!("“{}”", note.text) });
    let lots = lots.iter().filter(|lot| lot.coin.is_same(coin)).filter_map(|lot| moment(lot, end, state));
    let limits = state.chart_limits(coin, convert).into_iter();
    let level = |limit: ChartLimit| Level { price: limit.price, is_approximate: limit.is_converted };
    Annotations { levels: limits.map(level).collect(), markers: notes.chain(lots).collect() }
}

/// A lot at noon of its day, or now if that is earlier; not after the last point of the chart, which is a little older
/// than now.
fn moment(lot: &Lot, end: Option<UtcTime>, state: &State) -> Option<Marker> {
    let (kind, verb) = match lot.kind {
        LotKind::Buy => (MarkerKind::In, "bought"),
        LotKind::Receive => (MarkerKind::In, "received"),
        LotKind::Sell => (MarkerKind::Out, "sold"),
        LotKind::Send => (MarkerKind::Out, "sent"),
    };
    let price = match &lot.price {
        Some(LotPrice::Unit(price)) => Some(price.clone()),
        Some(LotPrice::Total(total)) => total.divided_by(&lot.amount.into()),
        None => None,
    };
    let amount = if state.wallet.hides_amounts { String::new() } else { format!(" {}", lot.amount) };
    let price = price.map_or_else(String::new, |price| format!(" at {}", money(&price, &lot.currency)));
    let note = lot.note.as_ref().map_or_else(String::new, |note| format!(" “{note}”"));
    let time = state.preferences.zone.start_of(lot.date)?.plus(NOON).min(state.now);
    let time = end.filter(|end| time.since(*end) <= MAX_AHEAD).map_or(time, |end| time.min(end));
    Some(Marker { time, kind, text: format!("{verb}{amount}{price}{note}") })
}

fn money(price: &Decimal, currency: &Currency) -> String {
    let number = PriceIn(currency, Some(price.to_f64()));
    currency.sign().map_or_else(|| format!("{number} {currency}"), |sign| format!("{sign}{number}"))
}
