//! What was seen of a life, and what must not have been seen.

use std::fmt;
use std::time::Duration;

use crate::inputs::Input;
use crate::kernel::Held;

/// The requests of one list in a week, as the service's ten seconds have it.
const WEEK: u64 = 7 * 24 * 3600 / 10;

/// Growth of memory in a third of the life that is none. What the state, the store and the fetch task keep is held to the
/// byte by `tests/counts`; here shows what only the whole program has. A life of less than half an hour may still be
/// filling the store.
const PLAY: u64 = 2 << 20;

/// Looks at what it holds of which each third has one.
const LOOKS: usize = 3;

/// How long an answer to a key may take on a machine that has other things to do.
const PATIENCE: Duration = Duration::from_secs(1);

#[derive(Debug, Default)]
pub(crate) struct Notes {
    keys: usize,
    sizes: usize,
    same_sizes: usize,
    stops: usize,
    /// Bytes that the program wrote.
    pub(crate) bytes: usize,
    /// Times until a key was answered on the screen.
    pub(crate) answers: Vec<Duration>,
    /// What it held at each look.
    pub(crate) held: Vec<Held>,
    /// Its processor time, in hundredths of a second.
    pub(crate) ticks: u64,
    /// What the services were asked: the market's, and the indexer's.
    pub(crate) answered: [u64; 2],
    /// How often a service began anew.
    pub(crate) restarts: usize,
}

impl Notes {
    /// Counts an input.
    pub(crate) fn input(&mut self, input: &Input) {
        match input {
            Input::Bytes(_) => self.keys += 1,
            Input::Sizes(sizes) => self.sizes += sizes.len(),
            Input::SameSize(times) => self.same_sizes += times,
            Input::Stop(_) => self.stops += 1,
        }
    }

    /// What must not be.
    pub(crate) fn failures(&self) -> Vec<String> {
        let slow = self.answers.iter().filter(|time| **time > PATIENCE).count();
        let [middle, last] = [1, 2].map(|third| self.third(third));
        let grows = |name: &str, before: u64, after: u64, play: u64| {
            (after > before + play).then(|| format!("{name} grew from {before} to {after}"))
        };
        let most = |third: &[Held], of: fn(&Held) -> u64| third.iter().map(of).max().unwrap_or_default();
        let slow = (slow > 0).then(|| format!("{slow} keys were answered late"));
        let looks = self.held.len();
        [
            slow,
            (looks < LOOKS).then(|| format!("{looks} looks at what it holds are too few to tell whether that grows")),
            grows("memory", median(middle, |held| held.anonymous), median(last, |held| held.anonymous), PLAY),
            grows("files", most(middle, |held| held.files as u64), most(last, |held| held.files as u64), 8),
            grows("threads", most(middle, |held| held.threads as u64), most(last, |held| held.threads as u64), 8),
            grows("children", 0, most(last, |held| held.children as u64), 1),
        ]
        .into_iter()
        .flatten()
        .collect()
    }

    /// A third of the life, from 0.
    fn third(&self, third: usize) -> &[Held] {
        let count = self.held.len();
        self.held.get(third * count / 3..(third + 1) * count / 3).unwrap_or_default()
    }
}

fn median(held: &[Held], of: fn(&Held) -> u64) -> u64 {
    let mut values: Vec<u64> = held.iter().map(of).collect();
    values.sort_unstable();
    values.get(values.len() / 2).copied().unwrap_or_default()
}

impl fmt::Display for Notes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [market, indexer] = self.answered;
        let mib = |bytes: u64| format!("{:.2}", bytes as f64 / f64::from(1 << 20));
        writeln!(f, "  keys, pastes, clicks        {}", self.keys)?;
        writeln!(f, "  sizes, of them no change    {}, {}", self.sizes + self.same_sizes, self.same_sizes)?;
        writeln!(f, "  stops                       {}", self.stops)?;
        writeln!(f, "  requests: market, indexer   {market}, {indexer}")?;
        writeln!(f, "  weeks of one list           {:.2}", (market + indexer) as f64 / WEEK as f64)?;
        writeln!(f, "  services begun anew         {}", self.restarts)?;
        writeln!(f, "  bytes written               {:.1} MB", self.bytes as f64 / 1e6)?;
        writeln!(f, "  processor time              {:.1} s", self.ticks as f64 / 100.0)?;
        let mut answers = self.answers.clone();
        answers.sort_unstable();
        let at =
            |share: usize| answers.get((answers.len().saturating_sub(1)) * share / 100).copied().unwrap_or_default();
        writeln!(f, "  looks                       {}", answers.len())?;
        writeln!(f, "  a key's answer p50/p99/max  {:.1?} / {:.1?} / {:.1?}", at(50), at(99), at(100))?;
        writeln!(f, "  in tenths of the life: memory (PSS, MiB), without files, open files, threads, children")?;
        for tenth in self.held.chunks(self.held.len().div_ceil(10).max(1)) {
            let most = |of: fn(&Held) -> usize| tenth.iter().map(of).max().unwrap_or_default();
            writeln!(
                f,
                "    {:>8} {:>8} {:>5} {:>5} {:>5}",
                mib(median(tenth, |held| held.pss)),
                mib(median(tenth, |held| held.anonymous)),
                most(|held| held.files),
                most(|held| held.threads),
                most(|held| held.children),
            )?;
        }
        Ok(())
    }
}
