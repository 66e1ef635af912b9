//! Progress of commands that fetch several pages.

use std::process::Stdio;
use std::sync::Arc;

use parking_lot::{Condvar, Mutex};

use super::server::{Run, Server, Shell};
use crate::support::session::Session;

/// Holds responses until it is opened.
#[derive(Clone, Default)]
struct Gate(Arc<(Mutex<bool>, Condvar)>);

impl Gate {
    fn open(&self) {
        *self.0.0.lock() = true;
        self.0.1.notify_all();
    }

    fn pass(&self) {
        let (is_open, opened) = &*self.0;
        opened.wait_while(&mut is_open.lock(), |is_open| !*is_open);
    }
}

/// A service of 130 holders and 130 coins that holds every page but the first until the gate is open.
fn start(gate: &Gate) -> Server {
    let gate = gate.clone();
    Server::start(move |target| {
        let number = |name: &str| {
            let value = target.split(['?', '&']).find_map(|pair| pair.strip_prefix(name)?.strip_prefix('='));
            value.unwrap().parse::<u32>().unwrap()
        };
        let is_indexer = target.starts_with("/ordinals");
        let first = if is_indexer { number("offset") } else { number("start") - 1 };
        if first > 0 {
            gate.pass();
        }
        let rows: Vec<String> = (first..130)
            .take(number("limit") as usize)
            .map(|row| {
                if is_indexer {
                    format!(r#"{{"address":"bc1q{row}","overall_balance":"1"}}"#)
                } else {
                    format!(r#"{{"id":{row},"name":"C{row}","symbol":"C{row}","slug":"c{row}"}}"#)
                }
            })
            .collect();
        let list = rows.join(",");
        (200, if is_indexer { format!(r#"{{"total":130,"results":[{list}]}}"#) } else { format!("[{list}]") })
    })
}

#[test]
fn pages_are_counted_on_a_terminal_and_cleared_at_the_end() {
    for (command, progress) in [
        ("brc20 holders ordi --limit 130", "Fetching · 60 of up to 130 rows"),
        ("coins --limit 130", "Fetching · 50 of up to 130 rows"),
    ] {
        let gate = Gate::default();
        let server = start(&gate);
        let shell = Shell::on(&server);
        std::fs::write(shell.home.path().join("a.toml"), "[display]\npage_size = 50\n").unwrap();
        let line = format!("{command} --config a.toml --format csv");
        // In a pipe, it waits just as long and prints no progress.
        let piped = shell.command(&line).current_dir(shell.home.path()).stdin(Stdio::null()).spawn().unwrap();

        let mut terminal = portable_pty::CommandBuilder::new(env!("CARGO_BIN_EXE_satscope"));
        terminal.args(line.split_whitespace());
        let urls = ["SATSCOPE_BASE_URL", "SATSCOPE_INDEXER_URL"].map(|name| (name, Some(server.url.as_str())));
        let mut session = Session::start_in(shell.home.path(), (200, 200), terminal, &urls);
        session.until_text(progress);
        gate.open();
        let (status, screen, _) = session.wait_with_output();
        assert_eq!(status, 0, "{command}: {screen}");
        assert!(!screen.contains("Fetching"), "{command}: {screen}");
        assert_eq!(screen.trim_end().lines().count(), 131, "{command}: {screen}");

        let piped = Run::of(command, piped.wait_with_output().unwrap()).ok();
        assert_eq!(piped.stdout.lines().count(), 131, "{command}");
    }
}
