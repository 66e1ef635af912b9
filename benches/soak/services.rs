//! The two services of the soak: our own with a clock that runs a week during the soak, the shortest max-age that the
//! program accepts, and random faults.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use fastrand::Rng;
use satscope::model::UtcTime;
use satscope::service::{self, FaultInjection, Options, Running, TimeSource};

/// The time that passes on the services' clock.
const WEEK: Duration = Duration::from_hours(7 * 24);

/// The shortest max-age that the program accepts.
const MAX_AGE: Duration = Duration::from_secs(2);

/// The market and the indexer service.
pub(crate) struct Services {
    random: Rng,
    seed: u64,
    time: TimeSource,
    both: [Service; 2],
    /// Number of restarts.
    pub(crate) restarts: usize,
}

struct Service {
    running: Option<Running>,
    address: SocketAddr,
    /// Requests before the last restart.
    requests: u64,
}

impl Services {
    /// Starts both. Their clock reaches the current time at the end of the soak.
    pub(crate) fn start(duration: Duration, seed: u64) -> Services {
        let (started, ends) = (Instant::now(), UtcTime::now().plus(duration));
        let pace = WEEK.as_secs_f64() / duration.as_secs_f64();
        let begins = UtcTime::from_millis(ends.millis() - i64::try_from(WEEK.as_millis()).unwrap_or(0));
        let time = TimeSource::from_fn(move || begins.plus(started.elapsed().mul_f64(pace)));
        let both = [0, 1].map(|_| {
            let options = Options { seed, time: time.clone(), max_age: Some(MAX_AGE), ..Options::default() };
            let running = service::start(options).expect("a service");
            Service { address: running.address(), running: Some(running), requests: 0 }
        });
        Services { random: Rng::with_seed(seed), seed, time, both, restarts: 0 }
    }

    /// Returns the URLs of the market and the indexer.
    pub(crate) fn urls(&self) -> [String; 2] {
        self.both.each_ref().map(|service| format!("http://{}", service.address))
    }

    /// Stops one of the services, or restarts it with other faults.
    pub(crate) fn change_one(&mut self) {
        let which = self.random.usize(..2);
        let fault_injection = self.random_faults();
        let stays_down = self.random.u32(..4) == 0;
        if let Some(service) = self.both.get_mut(which) {
            service.stop();
            if !stays_down {
                service.start(&self.time, self.seed, fault_injection);
                self.restarts += 1;
            }
        }
    }

    /// Restarts both without faults.
    pub(crate) fn reset(&mut self) {
        for service in &mut self.both {
            service.stop();
            service.start(&self.time, self.seed, FaultInjection::default());
        }
        self.restarts += 2;
    }

    /// Returns the number of requests to the market and the indexer.
    pub(crate) fn requests(&self) -> [u64; 2] {
        self.both.each_ref().map(|service| service.requests + service.running.as_ref().map_or(0, Running::requests))
    }

    fn random_faults(&mut self) -> FaultInjection {
        let random = &mut self.random;
        let healthy = FaultInjection { delay: Duration::from_millis(random.u64(0..5)), ..FaultInjection::default() };
        match random.u32(..10) {
            0..6 => healthy,
            6 => FaultInjection { delay: Duration::from_millis(random.u64(100..3_000)), ..healthy },
            7 => FaultInjection { error_rate: random.f64() / 10.0, ..healthy },
            8 => FaultInjection { error_rate: random.f64(), ..healthy },
            _ => {
                let retry_after = Duration::from_secs(random.u64(0..3));
                FaultInjection { limit_every: random.u64(1..300), retry_after, ..healthy }
            }
        }
    }
}

impl Service {
    fn stop(&mut self) {
        if let Some(running) = self.running.take() {
            self.requests += running.requests();
        }
    }

    fn start(&mut self, time: &TimeSource, seed: u64, fault_injection: FaultInjection) {
        let (listen, time) = (self.address, time.clone());
        let max_age = Some(MAX_AGE);
        let options = Options { listen, seed, time, fault_injection, max_age, ..Options::default() };
        self.running = Some(service::start(options).expect("the same port again"));
    }
}
