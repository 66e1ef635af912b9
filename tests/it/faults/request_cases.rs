//! Every request, and the keys to the panel that shows its response.

use satscope::app::Panel;
use satscope::app::State;
use satscope::client::Request;

use super::responses;

/// A request with its panel.
pub(crate) struct RequestCase {
    /// Description of the panel.
    pub(crate) name: &'static str,
    /// The keys that open it; all demanded data must arrive between two groups of keys.
    pub(crate) keys: &'static [&'static str],
    /// Whether a demanded request is that of the panel.
    pub(crate) is: fn(&Request) -> bool,
    /// The panel; `None` for the whole screen.
    pub(crate) panel: Option<Panel>,
    /// Text that the panel shows for a version of its response.
    pub(crate) shows: fn(u32) -> String,
}

fn people(version: u32) -> String {
    responses::number(version).1
}

fn plain(version: u32) -> String {
    responses::number(version).0
}

/// All requests, in the order of the operations.
pub(crate) const REQUEST_CASES: [RequestCase; 16] = [
    RequestCase {
        name: "coins",
        keys: &[],
        is: |request| matches!(request, Request::Coins { .. }),
        panel: None,
        shows: |version| format!("Coin {}", plain(version)),
    },
    RequestCase {
        name: "posts",
        keys: &["<enter>"],
        is: |request| matches!(request, Request::Posts { .. }),
        panel: Some(Panel::Posts),
        shows: |version| format!("post {}", plain(version)),
    },
    RequestCase {
        name: "pairs",
        keys: &["<enter>"],
        is: |request| matches!(request, Request::MarketPairs { .. }),
        panel: Some(Panel::Markets),
        shows: |version| format!("Ex{}", plain(version)),
    },
    RequestCase {
        name: "chart",
        keys: &["<enter>"],
        is: |request| matches!(request, Request::Chart { .. }),
        panel: Some(Panel::Chart),
        // At the end of the line: the prices above the chart are always dim.
        shows: |version| format!("◀ {}", people(version)),
    },
    RequestCase {
        name: "market data",
        keys: &["4"],
        is: |request| matches!(request, Request::MarketData { count: 169, .. }),
        panel: None,
        shows: people,
    },
    RequestCase {
        name: "stats",
        keys: &["2"],
        is: |request| matches!(request, Request::CategoryStats { .. }),
        panel: None,
        // It only affects the trends of the coins in the list.
        shows: |_| String::from("Coin"),
    },
    RequestCase {
        name: "tokens",
        keys: &["5"],
        is: |request| matches!(request, Request::Brc20Tokens { .. }),
        panel: Some(Panel::Tokens),
        shows: |version| format!("{version}.0%"),
    },
    RequestCase {
        name: "token",
        keys: &["5", "<enter>"],
        is: |request| matches!(request, Request::Brc20Token { .. }),
        panel: Some(Panel::Details),
        shows: people,
    },
    RequestCase {
        name: "holders",
        keys: &["5", "<enter><tab>"],
        is: |request| matches!(request, Request::Brc20Holders { .. }),
        panel: Some(Panel::Holders),
        shows: people,
    },
    RequestCase {
        name: "activity",
        keys: &["5", "<enter><tab><tab>"],
        is: |request| matches!(request, Request::Brc20Activity { .. }),
        panel: Some(Panel::Activity),
        shows: people,
    },
    RequestCase {
        name: "balances",
        keys: &["5", ":address bc1qto<enter>"],
        is: |request| matches!(request, Request::Brc20Balances { .. }),
        panel: Some(Panel::Balances),
        shows: people,
    },
    RequestCase {
        name: "sat",
        keys: &["5", ":sat 7<enter>"],
        is: |request| matches!(request, Request::Sat { .. }),
        panel: Some(Panel::Facts),
        shows: |version| format!("i{}", plain(version)),
    },
    RequestCase {
        name: "sat inscriptions",
        keys: &["5", ":sat 7<enter>"],
        is: |request| matches!(request, Request::SatInscriptions { .. }),
        panel: Some(Panel::Inscriptions),
        shows: people,
    },
    RequestCase {
        name: "inscription",
        keys: &["5", ":inscription 1001<enter>"],
        is: |request| matches!(request, Request::Inscription { .. }),
        panel: Some(Panel::Facts),
        shows: people,
    },
    RequestCase {
        name: "inscriptions",
        keys: &["5", ":address bc1qto<enter>"],
        is: |request| matches!(request, Request::Inscriptions { .. }),
        panel: Some(Panel::Inscriptions),
        shows: people,
    },
    RequestCase {
        name: "inscription stats",
        keys: &["5", "b"],
        is: |request| matches!(request, Request::InscriptionStats { .. }),
        panel: Some(Panel::Facts),
        shows: people,
    },
];

/// The demanded request of the case.
pub(crate) fn wanted(case: &RequestCase, state: &State) -> Option<Request> {
    satscope::app::demand(state).visible.into_iter().find(|request| (case.is)(request))
}
