//! The figures of a run and its failures.

use std::fmt;
use std::time::Duration;

use crate::inputs::Input;
use crate::process::Resources;

/// Requests of one list in a week, with the service's max-age of ten seconds.
const REQUESTS_PER_WEEK: u64 = 7 * 24 * 3600 / 10;

/// Allowed growth of memory between thirds of the run, in bytes. `tests/counts` checks the state, the cached responses
/// and the fetch task exactly; this covers the whole program. In runs of less than half an hour, the cache of responses
/// may still be filling.
const MEMORY_TOLERANCE: u64 = 2 << 20;

/// Minimum number of checks, so that each third has one.
const MIN_CHECKS: usize = 3;

/// Maximum response time to a key, on a busy machine.
const MAX_LATENCY: Duration = Duration::from_secs(1);

#[derive(Debug, Default)]
pub(crate) struct Report {
    keys: usize,
    sizes: usize,
    same_sizes: usize,
    stops: usize,
    /// Bytes written by the program.
    pub(crate) bytes: usize,
    /// Times from a key to its effect on the screen.
    pub(crate) key_latencies: Vec<Duration>,
    /// Resources at each check.
    pub(crate) resources: Vec<Resources>,
    /// CPU time in hundredths of a second.
    pub(crate) ticks: u64,
    /// Requests to the market and the indexer service.
    pub(crate) requests: [u64; 2],
    /// Number of restarted services.
    pub(crate) restarts: usize,
}

impl Report {
    /// Counts an input.
    pub(crate) fn input(&mut self, input: &Input) {
        match input {
            Input::Bytes(_) => self.keys += 1,
            Input::Sizes(sizes) => self.sizes += sizes.len(),
            Input::SameSize(times) => self.same_sizes += times,
            Input::Stop(_) => self.stops += 1,
        }
    }

    /// Returns the failures of the run.
    pub(crate) fn failures(&self) -> Vec<String> {
        let slow = self.key_latencies.iter().filter(|time| **time > MAX_LATENCY).count();
        let [middle, last] = [1, 2].map(|third| self.third(third));
        let grows = |name: &str, before: u64, after: u64, tolerance: u64| {
            (after > before + tolerance).then(|| format!("{name} grew from {before} to {after}"))
        };
        let most = |third: &[Resources], of: fn(&Resources) -> u64| third.iter().map(of).max().unwrap_or_default();
        let slow = (slow > 0).then(|| format!("{slow} keys took more than {MAX_LATENCY:?}"));
        let checks = self.resources.len();
        [
            slow,
            (checks < MIN_CHECKS).then(|| format!("{checks} checks are too few to detect growth")),
            grows(
                "memory",
                median(middle, |held| held.anonymous),
                median(last, |held| held.anonymous),
                MEMORY_TOLERANCE,
            ),
            grows("files", most(middle, |held| held.files as u64), most(last, |held| held.files as u64), 8),
            grows("threads", most(middle, |held| held.threads as u64), most(last, |held| held.threads as u64), 8),
            grows("children", 0, most(last, |held| held.children as u64), 1),
        ]
        .into_iter()
        .flatten()
        .collect()
    }

    /// Returns the resources in a third of the run, counted from 0.
    fn third(&self, third: usize) -> &[Resources] {
        let count = self.resources.len();
        self.resources.get(third * count / 3..(third + 1) * count / 3).unwrap_or_default()
    }
}

fn median(held: &[Resources], of: fn(&Resources) -> u64) -> u64 {
    let mut values: Vec<u64> = held.iter().map(of).collect();
    values.sort_unstable();
    values.get(values.len() / 2).copied().unwrap_or_default()
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [market, indexer] = self.requests;
        let mib = |bytes: u64| format!("{:.2}", bytes as f64 / f64::from(1 << 20));
        writeln!(f, "  keys, pastes, clicks        {}", self.keys)?;
        writeln!(f, "  resizes, without a change   {}, {}", self.sizes + self.same_sizes, self.same_sizes)?;
        writeln!(f, "  stops                       {}", self.stops)?;
        writeln!(f, "  requests: market, indexer   {market}, {indexer}")?;
        writeln!(f, "  weeks of one list           {:.2}", (market + indexer) as f64 / REQUESTS_PER_WEEK as f64)?;
        writeln!(f, "  restarted services          {}", self.restarts)?;
        writeln!(f, "  bytes written               {:.1} MB", self.bytes as f64 / 1e6)?;
        writeln!(f, "  CPU time                    {:.1} s", self.ticks as f64 / 100.0)?;
        let mut latencies = self.key_latencies.clone();
        latencies.sort_unstable();
        let at = |share: usize| {
            latencies.get((latencies.len().saturating_sub(1)) * share / 100).copied().unwrap_or_default()
        };
        writeln!(f, "  checks                      {}", latencies.len())?;
        writeln!(f, "  key latency p50/p99/max     {:.1?} / {:.1?} / {:.1?}", at(50), at(99), at(100))?;
        writeln!(f, "  per tenth of the run: PSS and anonymous memory (MiB), open files, threads, children")?;
        for tenth in self.resources.chunks(self.resources.len().div_ceil(10).max(1)) {
            let most = |of: fn(&Resources) -> usize| tenth.iter().map(of).max().unwrap_or_default();
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
