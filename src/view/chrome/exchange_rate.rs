//! The origin of the exchange rate of the amounts on the screen.

use super::health::ago;
use crate::app::State;
use crate::client::Group;
use crate::model::{Currency, RateOrigin, provider};

/// Where the exchange rate of the amounts comes from, and its age: `EUR rate: Frankfurter · 2 h ago`, or `EUR rate:
/// simulated`. `None` for dollars, or if the service doesn't name it.
pub(in crate::view) fn origin(state: &State) -> Option<String> {
    let convert = &state.convert;
    if *convert == Currency::usd() {
        return None;
    }
    if state.responses.last_receipt(Group::Market)?.simulated {
        return Some(format!("{convert} rate: simulated"));
    }
    let RateOrigin { provider, at } = state.rate_origin()?;
    let name = provider::credits(provider);
    Some(format!("{convert} rate: {name} · {}", ago(state.now.since(*at))))
}
