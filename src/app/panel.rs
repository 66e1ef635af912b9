//! The panels of the screens.

pub mod cells;

use cells::{ActivityCell, BalanceCell, HolderCell, HoldingCell, InscriptionCell, MarketCell, TokenCell};

/// The panels of the screens that have several.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Panel {
    /// A token's chart.
    Chart,
    /// Facts about a token.
    About,
    /// Posts about a token.
    Posts,
    /// The markets of a token.
    Markets,
    /// The wallet's holdings.
    Holdings,
    /// The indexer's tokens.
    Tokens,
    /// A BRC-20 token's details.
    Details,
    /// The holders of a BRC-20 token.
    Holders,
    /// The activity of a BRC-20 token or in a block.
    Activity,
    /// The balances of an address.
    Balances,
    /// Facts about a sat or an inscription, or the inscriptions per block.
    Facts,
    /// Inscriptions of a sat or an address.
    Inscriptions,
}

impl Panel {
    /// The number of columns of its table; 0 if it has none.
    pub const fn columns(self) -> usize {
        match self {
            Panel::Holdings => HoldingCell::COUNT,
            Panel::Tokens => TokenCell::COUNT,
            Panel::Markets => MarketCell::COUNT,
            Panel::Activity => ActivityCell::COUNT,
            Panel::Inscriptions => InscriptionCell::COUNT,
            Panel::Balances => BalanceCell::COUNT,
            Panel::Holders => HolderCell::COUNT,
            Panel::Chart | Panel::About | Panel::Posts | Panel::Details | Panel::Facts => 0,
        }
    }
}
