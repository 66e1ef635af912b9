//! The README and `docs/extending.md` agree with the program.

use std::fs;
use std::path::Path;

use satscope::client::Group;
use satscope::config::{self, Flags, Settings};
use satscope::keymap::{self, Context, Keymap};

fn readme() -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md")).unwrap()
}

#[test]
fn readme_lists_default_keys() {
    let keys = keymap::markdown();
    let starts: Vec<&str> = keys.lines().filter_map(|line| line.rsplit_once(" | ")).map(|(start, _)| start).collect();
    assert_eq!(starts.iter().collect::<std::collections::HashSet<_>>().len(), starts.len(), "no keys twice: {keys}");
    assert!(readme().contains(&keys), "put this into the README's section on all keys:\n\n{keys}");
}

#[test]
fn readme_key_table_is_last() {
    let readme = readme();
    let at = |heading: &str| readme.find(&format!("\n## {heading}\n")).unwrap();
    let order = ["Start", "Commands for scripts", "Configuration", "Keys", "Code map", "All keys"].map(at);
    assert!(order.is_sorted() && order[5] < readme.find(&keymap::markdown()).unwrap(), "{order:?}");
}

#[test]
fn readme_names_default_watchlist() {
    let watched = satscope::app::Preferences::default().watched;
    let symbols: Vec<_> = watched.iter().map(|coin| coin.symbol.as_str()).collect();
    let (last, before) = symbols.split_last().unwrap();
    let sentence = format!("The watchlist starts with {} and {last}", before.join(", "));
    assert!(readme().contains(&sentence), "{sentence}");
}

#[test]
fn readme_starts_with_run_and_test() {
    let readme = readme();
    let run = readme.find("\ncargo run --release\n").unwrap();
    let test = readme.find("\ncargo test\n").unwrap();
    let first_block = readme.find("```").unwrap();
    assert!(first_block < run && run < test);
}

#[test]
fn readme_links_exist() {
    let readme = readme();
    assert!(readme.contains("]("));
    for part in readme.split("](").skip(1) {
        let target = part.split(')').next().unwrap();
        if !target.starts_with("http") && !target.starts_with('#') {
            assert!(Path::new(env!("CARGO_MANIFEST_DIR")).join(target).exists(), "{target}");
        }
    }
}

#[test]
fn readme_map_names_every_module() {
    let readme = readme();
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    for entry in fs::read_dir(source).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        if name.ends_with(".rs") && name != "lib.rs" {
            assert!(readme.contains(&name), "the README's map lacks src/{name}");
        }
    }
}

/// Appends the source of all files in a folder.
fn add_source(folder: &Path, source: &mut String) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            add_source(&path, source);
        } else if path.extension().is_some_and(|kind| kind == "rs") {
            source.push_str(&fs::read_to_string(path).unwrap());
        }
    }
}

#[test]
fn files_and_functions_that_extending_names_exist() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let text = fs::read_to_string(root.join("docs/extending.md")).unwrap();
    let mut source = String::new();
    ["src", "tests"].into_iter().for_each(|folder| add_source(&root.join(folder), &mut source));
    let (mut paths, mut functions) = (0, 0);
    // Every second part is in backticks.
    for name in text.split('`').skip(1).step_by(2) {
        if name.contains('/') && !name.contains("NAME") && !name.contains('…') {
            assert!(root.join(name).exists(), "{name}");
            paths += 1;
        } else if name.contains('_') && name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_') {
            assert!(source.contains(&format!("fn {name}(")), "{name}");
            functions += 1;
        }
    }
    assert!(paths > 30 && functions > 10, "{paths} {functions}");
}

/// The example of a configuration that starts with a table, and its settings.
fn example(table: &str) -> (String, Settings) {
    let readme = readme();
    let rest = readme.split(&format!("```toml\n{table}")).nth(1).unwrap();
    let example = format!("{table}{}", rest.split("```").next().unwrap());
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("config.toml");
    fs::write(&file, &example).unwrap();
    let flags = Flags { config: Some(file), ..Flags::default() };
    let settings = config::load(&flags, &[("HOME", "/nonexistent")].into_iter().collect()).unwrap();
    (example, settings)
}

#[test]
fn configuration_copied_from_the_readme_needs_no_service() {
    let (_, settings) = example("[source]");
    assert_eq!(settings.display.convert.as_str(), "EUR");
    assert_eq!((settings.url(Group::Market), settings.url(Group::Indexer)), (None, None));
}

#[test]
fn example_of_keys_in_the_readme_takes_no_default_key() {
    let (example, settings) = example("[keys]");
    let map = settings.keys;
    let is_example = |name: &str| example.contains(&format!("{name} = "));
    for context in Context::ALL {
        for (own, default) in map.bindings(context).iter().zip(Keymap::default().bindings(context)) {
            if !is_example(own.entry.name) {
                assert_eq!(own.keys, default.keys, "{} in {context:?}", own.entry.name);
            }
        }
    }
}
