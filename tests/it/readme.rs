//! The README says what is so.

use std::fs;
use std::path::Path;

use satscope::keymap;

fn readme() -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md")).unwrap()
}

#[test]
fn its_keys_are_those_of_the_table() {
    let keys = keymap::markdown();
    assert!(readme().contains(&keys), "put this into the README's section on all keys:\n\n{keys}");
}

#[test]
fn its_long_table_of_keys_stands_behind_what_is_read_first() {
    let readme = readme();
    let at = |heading: &str| readme.find(&format!("\n## {heading}\n")).unwrap();
    let order = ["Start", "Commands for scripts", "Configuration", "Keys", "The map of the code", "All keys"].map(at);
    assert!(order.is_sorted() && order[5] < readme.find(&keymap::markdown()).unwrap(), "{order:?}");
}

#[test]
fn its_first_watched_coins_are_those_of_the_program() {
    let watched = satscope::app::Preferences::default().watched;
    let symbols: Vec<_> = watched.iter().map(|coin| coin.symbol.as_str()).collect();
    let (last, before) = symbols.split_last().unwrap();
    let sentence = format!("The first ones are {} and {last}", before.join(", "));
    assert!(readme().contains(&sentence), "{sentence}");
}

#[test]
fn its_first_commands_are_the_two_that_a_new_user_needs() {
    let readme = readme();
    let run = readme.find("\ncargo run --release\n").unwrap();
    let test = readme.find("\ncargo test\n").unwrap();
    let first_block = readme.find("```").unwrap();
    assert!(first_block < run && run < test);
}

#[test]
fn its_pictures_and_files_exist() {
    let readme = readme();
    for part in readme.split("](").skip(1) {
        let target = part.split(')').next().unwrap();
        if !target.starts_with("http") && !target.starts_with('#') {
            assert!(Path::new(env!("CARGO_MANIFEST_DIR")).join(target).exists(), "{target}");
        }
    }
}

#[test]
fn its_map_names_every_part_of_the_source() {
    let readme = readme();
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    for entry in fs::read_dir(source).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        if name.ends_with(".rs") && name != "lib.rs" {
            assert!(readme.contains(&name), "the README's map lacks src/{name}");
        }
    }
}
