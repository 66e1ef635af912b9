//! What candles are called.

use crate::model::provider::credits;
use crate::model::{CandleData, CandleWidth};

/// The width of the candles and what they are built from, longest form first: `1h Binance candles`, `1h Binance`, `1h`;
/// or `1h candles (sampled)`, `1h sampled`, `~1h`.
pub fn candle_labels(width: CandleWidth, data: CandleData<'_>) -> [String; 3] {
    match data.exchange() {
        Some(slice) => {
            let exchange = credits(slice.exchange);
            [format!("{width} {exchange} candles"), format!("{width} {exchange}"), width.to_string()]
        }
        None => [format!("{width} candles (sampled)"), format!("{width} sampled"), format!("~{width}")],
    }
}
