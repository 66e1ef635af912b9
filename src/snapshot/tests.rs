use std::sync::Arc;
use std::time::Duration;

use super::*;
use crate::client::{Request, ResponseData};
use crate::config::Settings;
use crate::fetch::Receipt;
use crate::model::{Page, Post, PostOrder, Text};

const NOW: UtcTime = UtcTime::from_secs(1_795_183_380);

fn settings(directory: &Path) -> Settings {
    let mut settings = Settings::default();
    settings.dirs.cache = Some(directory.to_owned());
    settings
}

fn at(directory: &Path) -> Snapshot {
    Snapshot::new(&settings(directory))
}

/// Posts fetched some minutes ago.
fn posts(symbol: &str, minutes: u64) -> CachedResponse {
    let post = Post {
        id: Text::from("1"),
        author: None,
        network: None,
        text: String::from("gm\n\nwagmi"),
        likes: Some(7),
        comments: None,
        reposts: None,
        posted_at: Some(NOW),
        url: None,
        symbols: vec![Text::from(symbol)],
        language: None,
        sensitive: None,
    };
    let receipt = Receipt {
        url: format!("http://127.0.0.1/content?symbol={symbol}"),
        status: 200,
        bytes: 1234,
        latency: Duration::from_millis(120),
        fetched_at: NOW.minus(Duration::from_mins(minutes)),
        fresh_until: NOW,
        ..Receipt::default()
    };
    CachedResponse {
        request: Request::Posts { symbol: Text::from(symbol), slug: None, order: PostOrder::Top },
        response: Arc::new(ResponseData::Posts(Page { items: vec![post], total: Some(minutes) })),
        receipt,
        abridged: false,
    }
}

fn contents(all: Vec<CachedResponse>) -> Contents {
    Contents {
        first: all.first().map(|kept| CachedResponse { abridged: true, ..kept.clone() }).into_iter().collect(),
        all,
    }
}

fn files(directory: &Path) -> Vec<PathBuf> {
    let mut files: Vec<_> = fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

#[test]
fn saved_responses_are_read_back() {
    let home = tempfile::tempdir().unwrap();
    let snapshot = at(&home.path().join("new/satscope"));
    assert_eq!((snapshot.first(NOW), snapshot.rest(NOW)), (Vec::new(), Vec::new()));
    let all = vec![posts("A", 1), posts("B", 2)];
    snapshot.save(contents(all.clone()), NOW).unwrap();
    assert_eq!(snapshot.rest(NOW), all);
    let first = snapshot.first(NOW);
    assert_eq!(first.len(), 1);
    assert!(first[0].abridged);
    assert_eq!(files(&home.path().join("new/satscope")).len(), 2, "no temporary files");
}

#[test]
fn newer_responses_of_another_instance_are_kept() {
    let home = tempfile::tempdir().unwrap();
    let snapshot = at(home.path());
    snapshot.save(contents(vec![posts("A", 1), posts("B", 9)]), NOW).unwrap();
    snapshot.save(contents(vec![posts("A", 5), posts("B", 3), posts("C", 4)]), NOW).unwrap();
    assert_eq!(snapshot.rest(NOW), [posts("A", 1), posts("B", 3), posts("C", 4)]);
    assert_eq!(snapshot.first(NOW)[0].receipt, posts("A", 1).receipt);
}

/// The response `kept`, without rows.
fn emptied(kept: CachedResponse) -> CachedResponse {
    CachedResponse { response: Arc::new(ResponseData::Posts(Page::default())), ..kept }
}

#[test]
fn empty_responses_of_an_earlier_version_are_ignored() {
    let home = tempfile::tempdir().unwrap();
    let snapshot = at(home.path());
    for part in [Part::First, Part::Rest] {
        snapshot.write(home.path(), part, &[emptied(posts("A", 1)), posts("B", 2)]).unwrap();
    }
    assert_eq!((snapshot.first(NOW), snapshot.rest(NOW)), (vec![posts("B", 2)], vec![posts("B", 2)]));
    snapshot.save(contents(vec![posts("C", 1)]), NOW).unwrap();
    assert_eq!(snapshot.rest(NOW), [posts("C", 1), posts("B", 2)]);
}

#[test]
fn responses_older_than_a_week_are_removed() {
    let home = tempfile::tempdir().unwrap();
    let snapshot = at(home.path());
    snapshot.save(contents(vec![posts("A", 1)]), NOW).unwrap();
    let later = NOW.plus(Duration::from_hours(24 * 8));
    let mut new = posts("B", 0);
    new.receipt.fetched_at = later;
    snapshot.save(contents(vec![new.clone()]), later).unwrap();
    assert_eq!(snapshot.rest(later), [new]);
}

#[test]
fn empty_contents_do_not_write_a_file() {
    let home = tempfile::tempdir().unwrap();
    let snapshot = at(home.path());
    snapshot.save(Contents::default(), NOW).unwrap();
    assert_eq!(files(home.path()), Vec::<PathBuf>::new());
}

#[test]
fn responses_from_the_future_are_ignored() {
    let home = tempfile::tempdir().unwrap();
    let snapshot = at(home.path());
    snapshot.save(contents(vec![posts("A", 1), posts("B", 90)]), NOW).unwrap();
    let before = NOW.minus(Duration::from_hours(1));
    assert_eq!((snapshot.first(before), snapshot.rest(before)), (Vec::new(), vec![posts("B", 90)]));
}

#[test]
fn each_source_has_its_own_files() {
    let home = tempfile::tempdir().unwrap();
    let settings = settings(home.path());
    let demo = Snapshot::new(&settings);
    demo.save(contents(vec![posts("A", 1)]), NOW).unwrap();
    let changes: [fn(&mut Settings); 6] = [
        |s| s.source.base_url = Some(String::from("http://a.example")),
        |s| s.source.indexer_url = Some(String::from("http://a.example")),
        |s| s.source.paths.coins = String::from("/tokens"),
        |s| s.source.first_index = 0,
        |s| s.display.convert = crate::model::Currency::parse("EUR").unwrap(),
        |s| s.display.page_size = 100,
    ];
    for change in changes {
        let mut other = settings.clone();
        change(&mut other);
        let other = Snapshot::new(&other);
        assert_eq!((other.first(NOW), other.rest(NOW)), (Vec::new(), Vec::new()));
        // Even with the matching file name.
        for part in [Part::First, Part::Rest] {
            fs::copy(demo.path(part).unwrap(), other.path(part).unwrap()).unwrap();
        }
        assert_eq!((other.first(NOW), other.rest(NOW)), (Vec::new(), Vec::new()));
        other.save(contents(vec![posts("B", 1)]), NOW).unwrap();
        assert_eq!((demo.rest(NOW), other.rest(NOW)), (vec![posts("A", 1)], vec![posts("B", 1)]));
    }
}

#[test]
fn files_of_least_recently_used_sources_are_removed() {
    let home = tempfile::tempdir().unwrap();
    for page_size in 10..40 {
        let mut settings = settings(home.path());
        settings.display.page_size = page_size;
        Snapshot::new(&settings).save(contents(vec![posts("A", 1)]), NOW).unwrap();
    }
    assert_eq!(files(home.path()).len(), 2 * MAX_SOURCES);
}

#[test]
fn stale_temporary_files_are_removed() {
    let home = tempfile::tempdir().unwrap();
    let (old, young) = (home.path().join(".writing-old"), home.path().join(".writing-young"));
    for path in [&old, &young] {
        fs::write(path, "half of it").unwrap();
    }
    File::open(&old).unwrap().set_modified(SystemTime::now() - 2 * STALE_AGE).unwrap();
    at(home.path()).save(contents(vec![posts("A", 1)]), NOW).unwrap();
    assert!(!old.exists() && young.exists());
}

#[test]
fn invalid_file_is_ignored_and_replaced() {
    let home = tempfile::tempdir().unwrap();
    let snapshot = at(home.path());
    let path = snapshot.path(Part::First).unwrap();
    let assert_empty = |what| assert_eq!(snapshot.first(NOW), Vec::new(), "{what}");
    fs::write(&path, "not ours").unwrap();
    assert_empty("another file");
    fs::write(&path, []).unwrap();
    assert_empty("an empty file");
    File::create(&path).unwrap().set_len(1 << 40).unwrap();
    assert_empty("a terabyte");
    fs::remove_file(&path).unwrap();
    assert!(std::process::Command::new("mkfifo").arg(&path).status().unwrap().success());
    assert_empty("a pipe without a writer");
    snapshot.save(contents(vec![posts("A", 1)]), NOW).unwrap();
    assert_eq!(snapshot.first(NOW).len(), 1, "replaced by a valid file");
}

#[test]
fn unwritable_directory_is_an_error() {
    let home = tempfile::tempdir().unwrap();
    let file = home.path().join("file");
    fs::write(&file, "").unwrap();
    let snapshot = at(&file.join("satscope"));
    assert_eq!(snapshot.first(NOW), Vec::new());
    assert!(snapshot.save(contents(vec![posts("A", 1)]), NOW).is_err());
}

#[test]
fn snapshot_is_disabled_without_a_directory_or_by_the_settings() {
    let home = tempfile::tempdir().unwrap();
    let without = Snapshot::new(&Settings::default());
    let mut settings = settings(home.path());
    settings.source.cache = false;
    for snapshot in [without, Snapshot::new(&settings)] {
        snapshot.save(contents(vec![posts("A", 1)]), NOW).unwrap();
        assert_eq!((snapshot.first(NOW), snapshot.rest(NOW)), (Vec::new(), Vec::new()));
    }
    assert_eq!(files(home.path()), Vec::<PathBuf>::new());
}

#[test]
fn concurrent_instances_never_read_a_partial_file() {
    let home = tempfile::tempdir().unwrap();
    let many: Vec<CachedResponse> = (0..100).map(|coin| posts(&format!("C{coin}"), 1)).collect();
    at(home.path()).save(contents(many.clone()), NOW).unwrap();
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                let snapshot = at(home.path());
                for _ in 0..10 {
                    assert_eq!(snapshot.first(NOW).len(), 1);
                    assert_eq!(snapshot.rest(NOW).len(), many.len());
                    snapshot.save(contents(many.clone()), NOW).unwrap();
                }
            });
        }
    });
    assert_eq!(files(home.path()).len(), 2);
}
