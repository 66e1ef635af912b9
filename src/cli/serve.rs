//! `satscope serve`: a standalone server.

use std::collections::BTreeSet;
use std::env;
use std::ffi::OsString;
use std::fs;
use std::future::pending;
use std::io::{self, Write as _};
use std::net::SocketAddr;
use std::thread;
use std::time::Duration;

use futures_util::FutureExt as _;
use tokio::sync::oneshot;

use super::args;
use super::failure::{Failure, say, with_short_words};
use super::query::SIMULATED;
use super::runtime::block_on_all_cores;
use crate::allocator;
use crate::client::Group;
use crate::client::config::Secret;
use crate::config::Settings;
use crate::model::ProviderName;
use crate::service::gateway::LiveSettings;
use crate::service::operation::Operation;
use crate::service::providers::info::ProviderInfo;
use crate::service::providers::info_of;
use crate::service::{self, FaultInjection, Limits, Options, SharedState};

/// Environment variable with the URL of `--shared`.
const SHARED: &str = "SATSCOPE_SHARED";

/// The `Retry-After` of injected 429 responses.
const RETRY_AFTER: Duration = Duration::from_secs(1);

/// Prints the address and serves until SIGINT, SIGTERM or SIGHUP, with all cores.
pub(super) fn run(arguments: &args::Serve, settings: &Settings) -> Result<(), Failure> {
    allocator::return_large_buffers();
    let token = token(arguments.token_env.as_deref(), |name| env::var_os(name))?;
    if !arguments.listen.ip().is_loopback() && token.is_none() && !arguments.no_token {
        let address = arguments.listen;
        let sentence = format!(
            "refusing to listen on {address} without a token: pass --token-env NAME, or --no-token to allow it"
        );
        return Err(Failure::Usage(sentence));
    }
    if settings.source.live && arguments.seed.is_some() {
        return Err(Failure::Usage(String::from("--seed works only with simulated data, not with --live")));
    }
    let simulates_by_default = [Group::Market, Group::Indexer].map(|group| settings.simulates_by_default(group));
    let note = simulates_by_default.contains(&true).then_some(SIMULATED);
    if settings.source.live {
        for sentence in terms(&settings.live_settings()) {
            say(&sentence);
        }
    }
    let shared = match &arguments.shared {
        Some(url) => Some(("--shared <URL>", url.clone())),
        None => env::var(SHARED).ok().filter(|url| !url.is_empty()).map(|url| (SHARED, url)),
    };
    let connect = |(origin, url): (&str, String)| {
        let connected = if settings.source.live {
            SharedState::new(&url, print_in_background())
        } else {
            SharedState::without_budgets(&url, print_in_background())
        };
        connected.map_err(|problem| Failure::Usage(format!("invalid value for '{origin}': {problem}")))
    };
    let shared = shared.map(connect).transpose()?;
    let defaults = settings.shared_service_options(&settings.store(), shared);
    let options = Options {
        listen: arguments.listen,
        seed: arguments.seed.unwrap_or(defaults.seed),
        max_age: arguments.max_age.map(Duration::from_secs),
        fault_injection: FaultInjection {
            delay: Duration::from_millis(arguments.delay_ms),
            error_rate: arguments.error_rate,
            limit_every: arguments.rate_limit_every.map_or(0, |every| u64::from(every.get())),
            retry_after: RETRY_AFTER,
        },
        ..defaults.standalone()
    };
    let limits = Limits {
        requests_per_minute: arguments.requests_per_minute,
        max_connections: allow_many_connections(),
        ..options.limits
    };
    let options = Options { limits, token, ..options };
    block_on_all_cores(async move {
        let (shutdown, second_signal) = shutdown_signals()
            .map_err(|error| Failure::Operation(format!("can't install signal handlers ({error})")))?;
        let (failed, output_error) = oneshot::channel();
        tokio::select! {
            ended = service::serve(options, |address| announce(address, note, failed), shutdown) => Ok(ended?),
            () = second_signal => Ok(()),
            // Not if the address was printed.
            Ok(error) = output_error => Err(Failure::Output(error)),
        }
    })?
}

/// The token in an environment variable.
fn token(name: Option<&str>, read: impl Fn(&str) -> Option<OsString>) -> Result<Option<Secret>, Failure> {
    let Some(name) = name else { return Ok(None) };
    let problem = match read(name).map(OsString::into_string) {
        Some(Ok(token)) if token.trim().is_empty() => format!("environment variable {name} is empty"),
        Some(Ok(token)) if token.trim().bytes().all(|byte| byte.is_ascii_graphic()) => {
            return Ok(Some(Secret(token.trim().to_owned())));
        }
        Some(_) => format!("the token in {name} must be printable ASCII without spaces"),
        None => {
            format!("environment variable {name} is not set (--token-env takes the name of a variable, not the token)")
        }
    };
    Err(Failure::Usage(with_short_words(&problem)))
}

/// The terms of the providers in use about serving their data to others. The user's own servers have none.
fn terms(live: &LiveSettings) -> Vec<String> {
    let in_use: BTreeSet<ProviderName> =
        Operation::ALL.into_iter().flat_map(|operation| live.in_use(operation)).collect();
    let is_public = |info: &&ProviderInfo| info.keyless.base_url.or(info.keyed.base_url).is_some();
    let has_key = |name| live.providers.get(&name).is_some_and(|settings| settings.api_key.is_some());
    let infos = in_use.into_iter().filter_map(info_of).filter(is_public);
    let (mut sentences, mut unknown) = (Vec::new(), Vec::new());
    for info in infos.filter(|info| !info.needs_key || has_key(info.name)) {
        match info.redistribution {
            Some(terms) => sentences.push(format!("{}: {terms}", info.name.title())),
            None => unknown.push(info.name.title()),
        }
    }
    if !unknown.is_empty() {
        sentences.push(format!("Terms not checked: {}", unknown.join(", ")));
    }
    sentences.push(String::from("Check the terms of all providers in use before you serve their data to others"));
    sentences
}

/// Open files that are not clients' connections: requests to providers, the store, the log.
const OTHER_FILES: u64 = 256;

/// Raises the limit of open files as far as the system allows. It is often 1,024. Returns how many connections fit.
fn allow_many_connections() -> usize {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
    if current != maximum
        && let Err(error) = setrlimit(Resource::Nofile, Rlimit { current: maximum, maximum })
    {
        tracing::debug!(%error, "can't raise the limit of open files");
    }
    let files = getrlimit(Resource::Nofile).current.unwrap_or(u64::MAX);
    usize::try_from(files.saturating_sub(OTHER_FILES).max(files / 2)).unwrap_or(usize::MAX)
}

/// Maximum sentences that wait for the reader of standard error.
const MAX_QUEUED_MESSAGES: usize = 16;

/// Prints sentences from a separate thread: an unread pipe must not block the service. Those that don't fit are lost.
fn print_in_background() -> impl Fn(&str) + Send + Sync {
    let (sender, sentences) = std::sync::mpsc::sync_channel::<String>(MAX_QUEUED_MESSAGES);
    let print = move || sentences.iter().for_each(|sentence| say(&sentence));
    if let Err(error) = thread::Builder::new().name(String::from("messages")).spawn(print) {
        tracing::warn!(%error, "can't print messages");
    }
    move |sentence| {
        tracing::warn!("{sentence}");
        if let Err(error) = sender.try_send(sentence.to_owned()) {
            tracing::warn!(%error, sentence, "message not printed");
        }
    }
}

/// Prints the address and the note, from a separate thread: an unread pipe must not block the service. If the address
/// can't be printed, sends the error.
fn announce(address: SocketAddr, note: Option<&'static str>, failed: oneshot::Sender<io::Error>) {
    let print = move || {
        let mut out = io::stdout().lock();
        match writeln!(out, "http://{address}").and_then(|()| out.flush()) {
            // If the pipe is closed, the address isn't needed.
            Err(error) if error.kind() != io::ErrorKind::BrokenPipe => drop(failed.send(error)),
            _ => note.into_iter().for_each(say),
        }
    };
    if let Err(error) = thread::Builder::new().name(String::from("announce")).spawn(print) {
        tracing::warn!(%error, "can't print the address");
    }
}

/// The first SIGINT, SIGTERM or SIGHUP stops the service when responses in progress have been sent, the second one at
/// once. The signal handlers are installed by this call.
fn shutdown_signals() -> io::Result<(impl Future<Output = ()> + Send + 'static, impl Future<Output = ()>)> {
    use tokio::signal::unix::{SignalKind, signal};
    let mut interrupt = signal(SignalKind::interrupt())?;
    let mut terminate = signal(SignalKind::terminate())?;
    let mut hangup = if ignores_hangup() { None } else { Some(signal(SignalKind::hangup())?) };
    let (first, shutdown) = oneshot::channel();
    let (second, second_signal) = oneshot::channel();
    tokio::spawn(async move {
        for sender in [first, second] {
            let hangup = async {
                match &mut hangup {
                    Some(hangup) => drop(hangup.recv().await),
                    None => pending().await,
                }
            };
            tokio::select! {
                _ = interrupt.recv() => {}
                _ = terminate.recv() => {}
                () = hangup => {}
            }
            // An error means that the service has ended.
            let _ = sender.send(());
        }
    });
    // The sender is dropped only with the runtime.
    Ok((shutdown.map(drop), second_signal.map(drop)))
}

/// Whether SIGHUP is ignored, as after `nohup`. A handler would end that. Only Linux says so; elsewhere it is assumed.
fn ignores_hangup() -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let ignored = ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    // The lowest bit stands for signal 1.
    ignored.is_none_or(|mask| mask & 1 != 0)
}

/// Completes on SIGINT or SIGTERM. The signal handlers are installed by this call, not on the first poll.
pub(super) fn interrupted() -> io::Result<impl Future<Output = ()> + Send + 'static> {
    use tokio::signal::unix::{SignalKind, signal};
    let mut interrupt = signal(SignalKind::interrupt())?;
    let mut terminate = signal(SignalKind::terminate())?;
    Ok(async move {
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
        }
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::client::config::Secret;
    use crate::service::gateway::ProviderSettings;

    #[test]
    fn terms_are_those_of_the_providers_in_use() {
        use ProviderName::{Binance, CoinGecko, CoinPaprika, Hiro, Maestro, Okx};
        let order = BTreeMap::from([
            (Operation::Pairs, vec![CoinGecko, CoinPaprika]),
            (Operation::Chart, vec![Binance, Okx]),
            (Operation::Brc20, vec![Maestro, Hiro]),
        ]);
        let live = LiveSettings { order, ..LiveSettings::default() };
        let last = "Check the terms of all providers in use before you serve their data to others";
        let coingecko = "CoinGecko: no redistribution; show \"Powered by CoinGecko\" wherever its data is shown";
        let coinpaprika = "CoinPaprika: personal use only without a paid plan; no redistribution";
        // Maestro needs a key, and Hiro's API runs on the user's server.
        assert_eq!(terms(&live), [coingecko, coinpaprika, "Terms not checked: Binance, OKX", last]);
        let disabled = ProviderSettings { enabled: Some(false), ..ProviderSettings::default() };
        let keyed = ProviderSettings { api_key: Some(Secret(String::from("key"))), ..ProviderSettings::default() };
        let providers = BTreeMap::from([(CoinGecko, disabled.clone()), (Binance, disabled), (Maestro, keyed)]);
        assert_eq!(terms(&LiveSettings { providers, ..live }), [coinpaprika, "Terms not checked: OKX, Maestro", last]);
        assert_eq!(terms(&LiveSettings { order: BTreeMap::new(), ..LiveSettings::default() }), [last]);
    }
}
