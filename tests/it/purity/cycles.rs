//! Modules that import each other in a cycle can't be read, tested or moved alone.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use super::{PARTS, files};

/// Folders whose direct modules, each with all that is below it, must not import each other in a cycle.
const ACYCLIC_FOLDERS: [&str; 4] = ["app::update", "client::decode", "client::transport", "view"];

/// A module by the names of its path.
type Module = Vec<String>;

/// Which modules each module imports.
type Imports = BTreeMap<Module, BTreeSet<Module>>;

/// The modules of a part by their paths, such as `client::decode`, each with its source.
fn modules(part: &str) -> BTreeMap<Module, String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let files = files(part).into_iter().filter(|file| !file.ends_with("tests.rs"));
    let path = |file: &Path| -> Vec<String> {
        let name = file.strip_prefix(&root).unwrap().with_extension("");
        name.iter().map(|name| name.to_str().unwrap().to_owned()).collect()
    };
    files.map(|file| (path(&file), shipped(&fs::read_to_string(&file).unwrap()))).collect()
}

/// The source without comments, unit tests and visibilities such as `pub(in crate::client)`.
fn shipped(text: &str) -> String {
    let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap();
    let lines = code.lines().map(|line| line.split("//").next().unwrap());
    let mut code = lines.collect::<Vec<_>>().join("\n");
    while let Some(start) = code.find("pub(") {
        let end = start + code[start..].find(')').unwrap() + 1;
        code.replace_range(start..end, "");
    }
    code
}

/// The paths of a `use` tree: `a::{b, c::{self, d}}` is `a::b`, `a::c::self` and `a::c::d`.
fn expand(tree: &str) -> Vec<String> {
    let Some((before, inside)) = tree.split_once('{') else {
        return vec![tree.split(" as ").next().unwrap().split_whitespace().collect()];
    };
    let inside = inside.rsplit_once('}').unwrap().0;
    let (mut depth, mut parts) = (0, vec![String::new()]);
    for c in inside.chars() {
        depth += i32::from(c == '{') - i32::from(c == '}');
        match c {
            ',' if depth == 0 => parts.push(String::new()),
            c => parts.last_mut().unwrap().push(c),
        }
    }
    let parts = parts.iter().filter(|part| !part.trim().is_empty());
    parts.flat_map(|part| expand(&format!("{before}{}", part.trim()))).collect()
}

/// All paths that a source names: those of its `use` trees, and those in its code.
fn paths(code: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut rest = String::new();
    for (number, statement) in code.split("use ").enumerate() {
        let before = rest.trim_end();
        let is_statement = before.is_empty() || before.ends_with([';', '{', '}', ']']) || before.ends_with("pub");
        match statement.split_once(';') {
            Some((tree, after)) if number > 0 && is_statement => {
                found.extend(expand(tree));
                rest.push_str(after);
            }
            _ => rest.push_str(statement),
        }
    }
    let word = |c: char| c.is_alphanumeric() || c == '_' || c == ':';
    found.extend(rest.split(|c| !word(c)).filter(|path| path.contains("::")).map(str::to_owned));
    found
}

/// The module that a path in module `from` leads to.
fn target(path: &str, from: &[String], modules: &BTreeMap<Module, String>) -> Option<Module> {
    let mut names: Vec<String> = path.split("::").map(str::to_owned).collect();
    let mut base = from.to_vec();
    match names.first()?.as_str() {
        "crate" => base.clear(),
        "self" => {}
        "super" => {
            while names.first().is_some_and(|name| name == "super") {
                names.remove(0);
                base.pop();
            }
            names.insert(0, String::from("super"));
        }
        child => {
            base.push(child.to_owned());
            if !modules.contains_key(&base) {
                return None;
            }
        }
    }
    base.extend(names.into_iter().skip(1));
    while !base.is_empty() && !modules.contains_key(&base) {
        base.pop();
    }
    (!base.is_empty() && base != from).then_some(base)
}

/// Which modules of a part each of them imports.
fn imports(part: &str) -> Imports {
    let modules = modules(part);
    let imported = |module, code| paths(code).iter().filter_map(|path| target(path, module, &modules)).collect();
    let imports: Imports = modules.iter().map(|(module, code)| (module.clone(), imported(module, code))).collect();
    let edges: usize = imports.values().map(BTreeSet::len).sum();
    // Each module but the first is imported by another one.
    assert!(edges + 1 >= modules.len(), "{edges} imports of {} modules were found in {part}", modules.len());
    imports
}

/// The imports between the direct modules of a folder. Imports within a module, and those of the folder's own file, are
/// left out.
fn imports_of_folder(folder: &str) -> Imports {
    let folder: Module = folder.split("::").map(str::to_owned).collect();
    let direct = |module: &Module| module[..module.len().min(folder.len() + 1)].to_vec();
    let mut imports = Imports::new();
    let is_below = |module: &Module| module.starts_with(&folder) && *module != folder;
    for (module, imported) in self::imports(&folder[0]).into_iter().filter(|(module, _)| is_below(module)) {
        let imported = imported.iter().filter(|other| is_below(other)).map(direct);
        let module = direct(&module);
        imports.entry(module.clone()).or_default().extend(imported.filter(|other| *other != module));
    }
    imports
}

/// Fails if any module is in a cycle.
fn assert_no_cycle(mut imports: Imports) {
    // Remove modules that import none of the others, until only those in a cycle, or leading to one, are left.
    loop {
        let left: BTreeSet<Module> = imports.keys().cloned().collect();
        imports.retain(|_, imported| imported.iter().any(|module| left.contains(module)));
        if imports.len() == left.len() {
            break;
        }
    }
    let lines = imports.iter().map(|(module, imported)| {
        let others: Vec<_> = imported.iter().filter(|module| imports.contains_key(*module)).collect();
        let others: Vec<_> = others.into_iter().map(|module| module.join("::")).collect();
        format!("{} imports {}", module.join("::"), others.join(", "))
    });
    let lines: Vec<_> = lines.collect();
    assert!(lines.is_empty(), "in a cycle, or leading to one:\n{}", lines.join("\n"));
}

#[test]
fn modules_have_no_import_cycles() {
    for (part, _) in PARTS {
        assert_no_cycle(imports(part));
    }
}

#[test]
fn folders_have_no_import_cycles() {
    for folder in ACYCLIC_FOLDERS {
        let imports = imports_of_folder(folder);
        assert!(imports.values().map(BTreeSet::len).sum::<usize>() > 10, "{folder}: {imports:?}");
        assert_no_cycle(imports);
    }
}

#[test]
fn imports_are_found_in_every_form() {
    let code = "use a::{b, c::{self, D as E}};\nfn f() { super::g::h(); i::J::k(); because(\"to use a {\"); }\npub use crate::m;";
    assert_eq!(paths(code), ["a::b", "a::c::self", "a::c::D", "crate::m", "super::g::h", "i::J::k"]);
}
