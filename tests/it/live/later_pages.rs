//! `coins` over several pages, of which a later one fails.

use std::collections::HashSet;

use super::fake::json;
use super::world::updated_now;
use super::{configure, world};
use crate::cli::server::Shell;

#[test]
fn list_with_a_failing_page_comes_from_the_next_provider() {
    for status in [503, 429] {
        let (cmc, paprika) = (world::coinmarketcap(), world::coinpaprika());
        cmc.edit(move |request, response| match request.query("start") {
            "251" => json(status, ""),
            _ => updated_now(response),
        });
        paprika.edit(|_, response| updated_now(response));
        let shell = Shell::new();
        configure(shell.home.path(), &[("coinmarketcap", &cmc), ("coinpaprika", &paprika)]);
        let whole = shell.run("--live coins --limit 300").ok().json();
        let ids: HashSet<String> =
            whole["data"].as_array().unwrap().iter().map(|coin| coin["id"].to_string()).collect();
        assert_eq!(ids.len(), 300, "{status}: {}", whole["warnings"]);
        // Others may add links.
        let provider = whole["provider"].as_str().unwrap();
        assert!(provider.starts_with("coinpaprika"), "{status}: {provider}");
    }
}
