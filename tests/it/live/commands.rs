//! The requests to providers that a command causes.

use satscope::model::UtcTime;

use super::{configure, world};
use crate::cli::server::Shell;

#[test]
fn coin_that_a_command_has_found_is_not_requested_again() {
    for command in ["wallet add 2 other-7 @ 0.1", "alerts add other-7 > 1"] {
        // The program's clock is the real one.
        let (cmc, gecko) = (world::coinmarketcap(), world::coingecko_at(UtcTime::now().secs()));
        for fake in [&cmc, &gecko] {
            fake.edit(|_, response| world::updated_now(response));
        }
        let shell = Shell::new();
        configure(shell.home.path(), &[("coinmarketcap", &cmc), ("coingecko", &gecko)]);
        let run = shell.run(&format!("--live {command}")).ok();
        assert!(run.stdout.contains("other-7"), "{}", run.stdout);
        assert_eq!(cmc.paths(), ["/v3/cryptocurrency/listings/latest"], "{command}");
    }
}
