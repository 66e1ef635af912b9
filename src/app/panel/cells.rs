//! The cells of the rows of tables, from left to right. The view gives each cell a column; scrolling sideways counts
//! the cells.

/// Defines the cells of tables.
macro_rules! cells {
    ($($(#[$doc:meta])* $Row:ident { $($(#[$of:meta])* $Cell:ident,)* })*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $Row {
            $($(#[$of])* $Cell,)*
        }

        impl $Row {
            /// The number of cells.
            pub const COUNT: usize = [$(stringify!($Cell)),*].len();

            /// All cells, from left to right.
            pub const ALL: [$Row; $Row::COUNT] = [$($Row::$Cell),*];
        }

        impl From<$Row> for usize {
            /// The index of the cell's column.
            fn from(cell: $Row) -> usize {
                cell as usize
            }
        }
    )*};
}

cells! {
    /// The cells of a holding.
    HoldingCell {
        /// Name.
        Name,
        /// Symbol.
        Symbol,
        /// Amount.
        Amount,
        /// Price of a unit.
        Price,
        /// Value.
        Value,
        /// Share of the wallet's value.
        Share,
        /// Change over 24 hours.
        Day,
        /// Profit.
        Profit,
        /// Profit in percent of the cost.
        ProfitPct,
        /// Chart of the price.
        Trend,
        /// Note.
        Note,
    }

    /// The cells of a watched coin.
    WatchedCell {
        /// Name.
        Name,
        /// Symbol.
        Symbol,
        /// Price.
        Price,
        /// Change over 24 hours.
        Change,
        /// Change over the chosen period.
        PeriodChange,
        /// The price between the lowest and the highest one, as a bar.
        Range,
        /// Chart of the price.
        Trend,
    }

    /// The cells of a token's market.
    MarketCell {
        /// Exchange.
        Exchange,
        /// Pair.
        Pair,
        /// Price.
        Price,
        /// Volume over a day.
        Volume,
        /// Share of the total volume.
        Share,
        /// Bid depth, or both depths if the ask depth has no cell.
        Bid,
        /// Ask depth.
        Ask,
        /// Age of the last update.
        Updated,
    }

    /// The cells of a BRC-20 token.
    TokenCell {
        /// Ticker.
        Ticker,
        /// Price of its coin.
        Price,
        /// Change of the price over 24 hours.
        Change,
        /// Minted share of the max supply.
        Minted,
        /// Max supply.
        Supply,
        /// Number of events.
        Events,
        /// Mint limit.
        Limit,
        /// Day of the deploy.
        Deployed,
        /// Number of the deploy inscription.
        Number,
        /// Address of the deployer.
        Deployer,
    }

    /// The cells of a token's holder.
    HolderCell {
        /// Address.
        Address,
        /// Balance.
        Balance,
        /// Share of the supply.
        Share,
        /// Value of the balance.
        Value,
    }

    /// The cells of an event.
    ActivityCell {
        /// Age.
        Age,
        /// Kind of event.
        Event,
        /// Ticker, among events of several tokens.
        Ticker,
        /// Amount.
        Amount,
        /// Sender and recipient.
        Parties,
        /// Block height.
        Block,
    }

    /// The cells of a balance.
    BalanceCell {
        /// Ticker.
        Ticker,
        /// The whole balance.
        Overall,
        /// Value of the balance.
        Value,
        /// The available part.
        Available,
        /// The transferable part.
        Transferable,
    }

    /// The cells of an inscription.
    InscriptionCell {
        /// Number.
        Number,
        /// Type of the content.
        Kind,
        /// Size of the content.
        Size,
        /// Block height.
        Block,
        /// Day.
        Day,
        /// Id.
        Id,
    }
}
