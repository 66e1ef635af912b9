//! The panels of the screens.

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
