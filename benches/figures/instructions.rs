//! Instruction counts by valgrind's callgrind, which repeat exactly, unlike times. This binary runs itself under
//! callgrind with one task, of which only [`measured`] is counted.

use std::path::Path;
use std::process::Command as Process;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use satscope::app::Command;
use satscope::app::screen::list::{Sort, SortColumn};
use satscope::model::Tag;

use crate::bodies::{Dialect, body};
use crate::decode;
use crate::frames::ComparedCoins;
use crate::report::{Amount, Goal, failed, heading, line, missing};
use crate::world::{World, painter};

/// The instructions of a frame of the list, as a multiple of an empty frame's. CI measures the debug build that its
/// tests compile anyway, where the ratio is larger.
const FRAME_GOAL: f64 = if cfg!(debug_assertions) { 10.0 } else { 8.0 };

/// The instructions of decoding coins in each dialect, as a multiple of typed `serde_json` with the same fields.
const DECODING_GOALS: [(Dialect, f64); 3] = if cfg!(debug_assertions) {
    [(Dialect::Cmc, 2.8), (Dialect::Web, 3.2), (Dialect::Gecko, 1.7)]
} else {
    [(Dialect::Cmc, 2.1), (Dialect::Web, 2.7), (Dialect::Gecko, 1.8)]
};

/// How many coins are decoded.
const DECODED: u32 = 500;

/// Makes this binary run one task.
pub(crate) const FLAG: &str = "--work";

/// A frame of the list.
pub(crate) fn frame() {
    heading("Instructions of a frame (callgrind)");
    if !has_valgrind() {
        return;
    }
    let (Some(empty), Some(some), Some(many)) = (count("empty", 20), count("list", 20), count("long-list", 20)) else {
        return;
    };
    line(
        "list of 5,000 scrolled by a row; baseline: an empty frame",
        Amount::Instructions(some),
        Some(Amount::Instructions(empty)),
        Goal::Times(FRAME_GOAL),
    );
    line(
        "list of 50,000 scrolled by a row; baseline: 5,000",
        Amount::Instructions(many),
        Some(Amount::Instructions(some)),
        Goal::Times(1.02),
    );
}

/// Everything that has no goal.
pub(crate) fn run() {
    heading("Instructions (callgrind)");
    if !has_valgrind() {
        return;
    }
    let figure = Amount::Instructions;
    let baseline = count("list", 20).map(figure);
    for (work, what) in
        [("key", "update and deadline of a key; baseline: its frame"), ("price", "one price; baseline: scroll")]
    {
        if let Some(counted) = count(work, 20) {
            line(what, figure(counted), baseline, Goal::None);
        }
    }
    if let (Some(one), Some(six)) = (count("one-series", 5), count("six-series", 5)) {
        line("comparison of six series; baseline: one", figure(six), Some(figure(one)), Goal::None);
    }
    for (work, what) in [("sort", "sort 5,000 by price"), ("filter", "filter 5,000"), ("arrive", "5,000 arrive")] {
        if let Some(counted) = count(work, 5) {
            line(what, figure(counted), None, Goal::None);
        }
    }
}

/// Decoding coins.
pub(crate) fn decoding() {
    heading(&format!("Instructions of decoding {DECODED} coins (callgrind)"));
    if !has_valgrind() {
        return;
    }
    for (dialect, goal) in DECODING_GOALS {
        let length = body(dialect, 1..=DECODED, DECODED).len() as f64;
        let per_byte = |work: &str| Some(Amount::PerByte(count(&format!("{work}-{dialect:?}"), 1)? as f64 / length));
        if let (Some(ours), Some(typed)) = (per_byte(OURS), per_byte(TYPED)) {
            line(&format!("{dialect:?}; baseline: typed serde_json"), ours, Some(typed), Goal::Times(goal));
        }
    }
}

/// The tasks that decode, each followed by `-` and a dialect.
const OURS: &str = "decode";
const TYPED: &str = "decode-typed";

/// Whether valgrind is there; prints a line if not.
fn has_valgrind() -> bool {
    let is_missing = Process::new("valgrind").arg("--version").output().is_err();
    if is_missing {
        missing("skipped: valgrind is not installed");
    }
    !is_missing
}

/// The mean instructions of `times` runs of a task; prints a line if they can't be counted.
fn count(work: &str, times: u64) -> Option<u64> {
    let itself = std::env::current_exe().expect("this binary has a path");
    let counted = counted(&itself, work, times);
    if counted.is_none() {
        failed(work, "valgrind fails; run this binary under valgrind to see why");
    }
    counted
}

/// Returns the mean instructions of `times` runs of a task.
fn counted(itself: &Path, work: &str, times: u64) -> Option<u64> {
    let output = Process::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null", "--toggle-collect=*instructions*measured*"])
        .arg(itself)
        .args([FLAG, work, &times.to_string()])
        .output()
        .ok()?;
    let stderr = String::from_utf8_lossy(&output.stderr);
    let number = stderr.lines().find_map(|line| line.split_once("Collected : "))?.1;
    Some(number.trim().parse::<u64>().ok()? / times)
}

/// Runs `work` with instruction counting.
#[inline(never)]
fn measured(work: &mut dyn FnMut()) {
    work();
    // Prevents a tail call, which callgrind would not count.
    std::hint::black_box(());
}

/// Runs a task `times` times.
pub(crate) fn work(name: &str, times: u64) {
    if let Some((dialect, work)) = DECODING_GOALS.iter().find_map(|(dialect, _)| {
        let work = name.strip_suffix(&format!("{dialect:?}"))?.strip_suffix('-')?;
        Some((*dialect, work))
    }) {
        return run_decoding(work, dialect, times);
    }
    let coins = if name == "long-list" { 50_000 } else { 5_000 };
    if let "one-series" | "six-series" = name {
        return run_comparison(if name == "one-series" { 1 } else { 6 }, times);
    }
    let mut world = World::new(coins);
    let (mut painter, _) = painter();
    (0..60).for_each(|_| world.command(Command::Down));
    world.paint(&mut painter);
    for time in 0..times {
        match name {
            "empty" => measured(&mut || drop(painter.frame(|_| None))),
            "list" | "long-list" => {
                world.command(Command::Down);
                measured(&mut || assert!(world.paint(&mut painter)));
            }
            "price" => {
                let on = time as f64;
                world.refresh(|index, coin| {
                    if index == 50 {
                        coin.price = on.into();
                    }
                });
                measured(&mut || assert!(world.paint(&mut painter)));
            }
            "key" => measured(&mut || {
                world.command(Command::Down);
                let _ = satscope::app::next_deadline(&world.state);
            }),
            "sort" => {
                let list = world.state.list_mut(Tag::All);
                list.sort_by(Sort { column: SortColumn::Rank, descending: false });
                measured(&mut || list.sort_by(Sort { column: SortColumn::Price, descending: true }));
            }
            "filter" => {
                let list = world.state.list_mut(Tag::All);
                list.search = tui_input::Input::new(String::from("ber 49"));
                measured(&mut || list.apply_search());
            }
            "arrive" => {
                let mut page = Some(crate::world::page(coins, |_, _| {}));
                measured(&mut || page.take().into_iter().for_each(|page| world.answer(page)));
            }
            other => panic!("unknown task {other}"),
        }
    }
}

fn run_comparison(count: usize, times: u64) {
    let coins = ComparedCoins::new();
    let mut buf = Buffer::empty(Rect::new(0, 0, 200, 40));
    for _ in 0..times {
        measured(&mut || {
            buf.reset();
            coins.paint(count, &mut buf);
        });
    }
}

fn run_decoding(work: &str, dialect: Dialect, times: u64) {
    let body = body(dialect, 1..=DECODED, DECODED);
    for _ in 0..times {
        if work == TYPED {
            measured(&mut || decode::typed_once(dialect, &body));
        } else {
            let mut response = None;
            measured(&mut || response = Some(decode::ours(&body)));
        }
    }
}
