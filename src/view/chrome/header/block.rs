//! The newest block and the fee rate for the next one.

use ratatui::style::Style;

use crate::app::State;
use crate::client::Request;
use crate::format::Count;
use crate::model::ChainState;
use crate::theme::Theme;
use crate::view::chrome::pieces::Piece;

/// The fee rate for the next block, if it is known: `4 sat/vB`.
pub(in crate::view) fn fee<'a>(state: &State, theme: &Theme) -> Option<Piece<'a>> {
    let block = Block::of(state);
    let rate = fee_rate(block.fee()?);
    Some(Piece::new(rate, block.style(theme)).and(" sat/vB", theme.dim))
}

/// The newest block, if it is known.
#[derive(Clone, Copy)]
pub(super) struct Block<'a> {
    chain: Option<&'a ChainState>,
    is_stale: bool,
}

impl<'a> Block<'a> {
    pub(super) fn of(state: &'a State) -> Block<'a> {
        let remote = state.responses.chain_state(&Request::ChainState);
        Block { chain: remote.value, is_stale: remote.is_stale(state.now) }
    }

    /// `▣ 923,105`.
    pub(super) fn height(self, theme: &Theme) -> Option<Piece<'a>> {
        let height = Count(self.chain?.height).to_string();
        Some(Piece::new("▣ ", theme.dim).and(height, self.style(theme)))
    }

    /// `▣ 923,105 · 4 sat/vB`.
    pub(super) fn with_fees(self, theme: &Theme) -> Option<Piece<'a>> {
        let height = self.height(theme)?;
        Some(match self.fee() {
            Some(rate) => height.and(" · ", theme.dim).and(fee_rate(rate), self.style(theme)).and(" sat/vB", theme.dim),
            None => height,
        })
    }

    /// The fee rate for the next block in sat/vB.
    pub(super) fn fee(self) -> Option<f64> {
        self.chain.and_then(|chain| chain.fees?.fastest)
    }

    fn style(self, theme: &Theme) -> Style {
        if self.is_stale { theme.dim } else { theme.text }
    }
}

/// A fee rate: a whole number from 10 up, one decimal below that, two below 1 and three below 0.1, without trailing
/// zeros.
fn fee_rate(rate: f64) -> String {
    let (places, unit) = match rate {
        ..0.0995 => (3, 1_000.0),
        ..0.995 => (2, 100.0),
        ..9.95 => (1, 10.0),
        _ => return format!("{:.0}", rate.round()),
    };
    // Formatting alone rounds 1.25 to 1.2.
    let rounded = (rate * unit).round() / unit;
    format!("{rounded:.places$}").trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::fee_rate;

    #[test]
    fn lower_fee_rates_have_more_decimals() {
        for (rate, shown) in [
            (4.0, "4"),
            (1.25, "1.3"),
            (0.125, "0.13"),
            (12.5, "13"),
            (0.5, "0.5"),
            (9.97, "10"),
            (12.6, "13"),
            (250.0, "250"),
            (1.034, "1"),
            (0.2, "0.2"),
            (0.123, "0.12"),
            (0.996, "1"),
            (0.034, "0.034"),
            (0.001, "0.001"),
            (0.0, "0"),
        ] {
            assert_eq!(fee_rate(rate), shown);
        }
    }
}
