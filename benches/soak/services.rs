//! The two services that the program asks: ours, on a clock that runs a week in the time of the soak, with answers that
//! hold no longer than the program lets any hold, and with bad days.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use fastrand::Rng;
use satscope::model::UtcTime;
use satscope::service::{self, Misbehaviour, Options, Running, TimeSource};

/// What the services' clock goes through.
const WEEK: Duration = Duration::from_hours(7 * 24);

/// The least that the program lets an answer hold.
const MAX_AGE: Duration = Duration::from_secs(2);

/// The market's service, and the indexer's.
pub(crate) struct Services {
    random: Rng,
    seed: u64,
    time: TimeSource,
    both: [Service; 2],
    /// How often one began anew.
    pub(crate) restarts: usize,
}

struct Service {
    running: Option<Running>,
    address: SocketAddr,
    answered: u64,
}

impl Services {
    /// Begins both. Their week ends now where the soak does.
    pub(crate) fn begin(length: Duration, seed: u64) -> Services {
        let (started, ends) = (Instant::now(), UtcTime::now().plus(length));
        let pace = WEEK.as_secs_f64() / length.as_secs_f64();
        let begins = UtcTime::from_millis(ends.millis() - i64::try_from(WEEK.as_millis()).unwrap_or(0));
        let time = TimeSource::from_fn(move || begins.plus(started.elapsed().mul_f64(pace)));
        let both = [0, 1].map(|_| {
            let options = Options { seed, time: time.clone(), max_age: Some(MAX_AGE), ..Options::default() };
            let running = service::start(options).expect("a service");
            Service { address: running.address(), running: Some(running), answered: 0 }
        });
        Services { random: Rng::with_seed(seed), seed, time, both, restarts: 0 }
    }

    /// The market's URL, and the indexer's.
    pub(crate) fn urls(&self) -> [String; 2] {
        self.both.each_ref().map(|service| format!("http://{}", service.address))
    }

    /// Another day: one of the two ends, or begins anew, better or worse than it was.
    pub(crate) fn turn(&mut self) {
        let which = self.random.usize(..2);
        let misbehaviour = self.day();
        let dies = self.random.u32(..4) == 0;
        if let Some(service) = self.both.get_mut(which) {
            service.stop();
            if !dies {
                service.start(&self.time, self.seed, misbehaviour);
                self.restarts += 1;
            }
        }
    }

    /// Both run, and do nothing wrong.
    pub(crate) fn mend(&mut self) {
        for service in &mut self.both {
            service.stop();
            service.start(&self.time, self.seed, Misbehaviour::default());
        }
        self.restarts += 2;
    }

    /// Requests answered so far, in one way or another: the market's, and the indexer's.
    pub(crate) fn answered(&self) -> [u64; 2] {
        self.both.each_ref().map(|service| service.answered + service.running.as_ref().map_or(0, Running::requests))
    }

    fn day(&mut self) -> Misbehaviour {
        let random = &mut self.random;
        let good = Misbehaviour { delay: Duration::from_millis(random.u64(0..5)), ..Misbehaviour::default() };
        match random.u32(..10) {
            0..6 => good,
            6 => Misbehaviour { delay: Duration::from_millis(random.u64(100..3_000)), ..good },
            7 => Misbehaviour { error_rate: random.f64() / 10.0, ..good },
            8 => Misbehaviour { error_rate: random.f64(), ..good },
            _ => {
                let retry_after = Duration::from_secs(random.u64(0..3));
                Misbehaviour { limit_every: random.u64(1..300), retry_after, ..good }
            }
        }
    }
}

impl Service {
    fn stop(&mut self) {
        if let Some(running) = self.running.take() {
            self.answered += running.requests();
        }
    }

    fn start(&mut self, time: &TimeSource, seed: u64, misbehaviour: Misbehaviour) {
        let (listen, time) = (self.address, time.clone());
        let options = Options { listen, seed, time, misbehaviour, max_age: Some(MAX_AGE) };
        self.running = Some(service::start(options).expect("the same port again"));
    }
}
