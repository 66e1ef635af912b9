//! Reading the user data before the first frame.

use std::time::Duration;

use rusqlite::{Connection, OpenFlags};
use satscope::app::{Session, Tab};
use satscope::store::{self, Database};
use satscope::user_data::{Change, Watched};

use crate::report::{Amount, Goal, heading, line};
use crate::timing::{medians, time};

const SAMPLES: usize = 200;

/// Number of watched coins.
const WATCHED: usize = 100;

pub(crate) fn run() {
    heading("User data (CPU time, medians)");
    let directory = tempfile::tempdir().expect("a directory");
    let watched = (0..WATCHED).map(|number| {
        let slug = Some(format!("coin-number-{number}").into());
        Change::Watch(Watched { slug, ..Watched::by_symbol(&format!("C{number}")) })
    });
    let session = Session { tab: Some(Tab::Wallet), ..Session::default() };
    let changes: Vec<Change> = watched.chain([Change::Session(session.entries())]).collect();
    let saved = Database::open(directory.path()).and_then(|mut database| database.save(&changes));
    saved.expect("a saved database");
    let file = directory.path().join(store::FILE);
    let mut bare = || {
        time(|| {
            let connection =
                Connection::open_with_flags(&file, OpenFlags::SQLITE_OPEN_READ_ONLY).expect("a connection");
            let mut statement = connection.prepare("SELECT symbol, slug, coin_id FROM watchlist").expect("a table");
            let rows = statement.query_map([], |row| row.get::<_, String>(0)).expect("rows");
            assert_eq!(rows.count(), WATCHED);
        })
    };
    let mut ours = || time(|| assert_eq!(store::read(directory.path()).expect("data").watchlist.added.len(), WATCHED));
    let [baseline, ours] = medians(SAMPLES, [&mut bare, &mut ours]);
    let what = format!("read the session and {WATCHED} watched coins; baseline: a bare SELECT");
    let goal = Goal::AtMost(Amount::Time(Duration::from_millis(1)));
    line(&what, Amount::Time(ours), Some(Amount::Time(baseline)), goal);
}
