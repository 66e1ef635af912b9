//! Ranges of blocks of `satscope inscription-stats`.

use serde_json::json;

use super::server::{Server, Shell};

/// An indexer that has only the blocks from 1,000 to 1,002.
fn three_blocks(target: &str) -> (u16, String) {
    let limit = |name: &str| {
        let value = target.split(['?', '&']).find_map(|pair| pair.strip_prefix(name)?.strip_prefix('='));
        value.map(|height| height.parse::<u64>().unwrap())
    };
    let (from, to) = (limit("from_block_height").unwrap_or(0), limit("to_block_height").unwrap_or(u64::MAX));
    let block = |height: u64| {
        let height = height.to_string();
        json!({"block_height": height, "block_hash": "00", "inscription_count": "1", "inscription_count_accum": "9"})
    };
    let blocks: Vec<_> = (1_000..=1_002).filter(|height| (from..=to).contains(height)).map(block).collect();
    (200, json!({"results": blocks}).to_string())
}

#[test]
fn range_beyond_the_available_blocks_has_a_warning() {
    let server = Server::start(three_blocks);
    let shell = Shell::on(&server);
    for (range, count, warning) in [
        ("", 3, None),
        ("--from-block 1000", 3, None),
        ("--to-block 1001", 2, None),
        ("--from-block 1002 --to-block 9000", 1, None),
        ("--from-block 999", 3, Some("the service returned no blocks before 1,000")),
        ("--from-block 900 --to-block 1001", 2, Some("the service returned no blocks before 1,000")),
        ("--from-block 900 --to-block 905", 0, Some("the service has no blocks before 1,000")),
        ("--to-block 905", 0, Some("the service has no blocks before 1,000")),
        ("--from-block 1003", 0, Some("the service has no blocks after 1,002")),
    ] {
        let output = shell.run(&format!("inscription-stats {range} --format json")).ok().json();
        assert_eq!(output["data"].as_array().unwrap().len(), count, "{range}");
        assert_eq!(output["warnings"], json!(warning.as_slice()), "{range}");
        for format in ["table", "csv", "plot"] {
            let run = shell.run(&format!("inscription-stats {range} --format {format}"));
            let expected = warning.map(|warning| format!("satscope: warning: {warning}\n"));
            assert_eq!(run.status, 0, "{range}: {}", run.stderr);
            let (stderr, expected) = (run.stderr.as_str(), expected.as_deref().unwrap_or_default());
            assert!(stderr.contains(expected), "{range} {format}: {stderr}");
            assert_eq!(stderr.contains("warning"), warning.is_some(), "{range} {format}: {stderr}");
        }
    }
}
