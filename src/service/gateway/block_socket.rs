//! New blocks from a socket of the block provider, so that they are noticed within seconds instead of by the next poll.
//!
//! The socket is open only while the newest block is needed. While it is lost or refused, the height is polled.

use std::time::Duration;

use tokio::time::{Instant, sleep, sleep_until};

use super::Gateway;
use super::block_stream::{LINGER, PING_AFTER, PONG_TIMEOUT, tip_key};
use super::blocks::NewTip;
use super::stored::Stored;
use crate::client::transport::{Incoming, Socket};
use crate::format::words::in_sentence;
use crate::model::backoff;
use crate::service::operation::Operation;
use crate::service::providers::source::{BlockAnnouncer, ChainTip, Provider};
use crate::service::upstream::USER_AGENT;
use crate::service::upstream::error::{ErrorClass, SourceError};

/// Commands that end sooner open no socket, and the data on the screen is requested first.
const START_DELAY: Duration = Duration::from_secs(5);

/// Timeout of opening a socket.
const OPEN_TIMEOUT: Duration = Duration::from_secs(10);

/// The first and the longest pause before a socket is reopened.
const FIRST_PAUSE: Duration = Duration::from_secs(2);
const MAX_PAUSE: Duration = Duration::from_mins(5);

/// How long no socket is opened after the server has refused one, for example because it blocks this network. The
/// network may change, and a captive portal refuses everything.
const REFUSED_FOR: Duration = Duration::from_hours(1);

/// A socket that lasted this long was not a failure.
const STABLE_AFTER: Duration = Duration::from_mins(1);

/// The height is polled after this time without a block, in case the socket is alive but announces nothing.
const RECHECK: Duration = Duration::from_mins(10);

/// How long responses are fresh while there is a socket: the next block may come at any time.
pub(super) const FRESH_FOR: Duration = Duration::from_secs(10);

/// How a socket ended.
enum End {
    /// Blocks are no longer needed, or the provider is no longer in use.
    Unused,
    /// It can't be opened or was lost.
    Lost(SourceError),
}

impl Gateway {
    /// Records that the newest block is needed. Opens a socket unless one is open.
    pub(super) fn demand_blocks(&self) {
        let (announcer, now) = (self.block_announcer(), Instant::now());
        let mut state = self.0.block_stream.lock();
        state.wanted_at = Some(now);
        let is_refused = state.refused_until.is_some_and(|until| now < until);
        if announcer.is_some() && !is_refused && !std::mem::replace(&mut state.has_task, true) {
            tokio::spawn(self.clone().follow_blocks());
        }
    }

    /// The newest block, if the socket is alive and has announced it; with `RECHECK` passed since the last block,
    /// `None`.
    pub(super) fn announced_tip(&self) -> Option<Stored<NewTip>> {
        let known = self.0.cache.get_as::<NewTip>(&tip_key()).filter(|known| known.age() < RECHECK)?;
        let fetched = self.fetched_at(Duration::ZERO);
        self.0.block_stream.is_live(fetched.at).then_some(Stored { fetched, fresh_for: FRESH_FOR, ..known })
    }

    /// The provider and the URL of its socket, if it is the preferred provider of blocks.
    fn block_announcer(&self) -> Option<(Provider, String)> {
        let provider = self.serving(Operation::Block).next()?;
        let url = self.settings().provider(provider.name).stream_url?;
        provider.blocks.announcer().is_some().then(|| (provider.clone(), url))
    }

    /// Keeps a socket open until blocks are no longer needed.
    async fn follow_blocks(self) {
        sleep(START_DELAY).await;
        let mut failures = 0_u32;
        loop {
            let began = Instant::now();
            let error = match self.follow_socket().await {
                End::Unused => {
                    let mut state = self.0.block_stream.lock();
                    // They may be needed again by now.
                    if state.wanted_at.is_none_or(|at| at.elapsed() >= LINGER) || self.block_announcer().is_none() {
                        state.has_task = false;
                        return;
                    }
                    continue;
                }
                End::Lost(error) => error,
            };
            tracing::info!(class = ?error.class, %error, "block stream lost; polling");
            if began.elapsed() >= STABLE_AFTER {
                failures = 0;
            }
            let pause = match error.class {
                // The rate limit also applies to HTTP.
                ErrorClass::RateLimited(_) => {
                    if let Some((provider, _)) = self.block_announcer() {
                        self.failed(&provider, Operation::Block, &error).await;
                    }
                    MAX_PAUSE
                }
                // Requests may still work.
                class if class == ErrorClass::Blocked || class.is_lasting() => {
                    let upstream = self.block_announcer().and_then(|(provider, _)| provider.upstream);
                    if let Some(upstream) = upstream {
                        upstream.warnings().note(format!(
                            "Polling for new blocks; block stream unavailable: {}",
                            in_sentence(&error.reason)
                        ));
                    }
                    let mut state = self.0.block_stream.lock();
                    state.refused_until = Some(Instant::now() + REFUSED_FOR);
                    state.has_task = false;
                    return;
                }
                _ => backoff(FIRST_PAUSE, failures, MAX_PAUSE),
            };
            failures = failures.saturating_add(1);
            sleep(pause.mul_f64(0.75 + fastrand::f64() / 2.0)).await;
        }
    }

    /// Opens a socket and records its blocks until it is lost or unused.
    async fn follow_socket(&self) -> End {
        let stream = &self.0.block_stream;
        let Some((provider, url)) = self.block_announcer().filter(|_| !stream.is_unused()) else { return End::Unused };
        if !self.is_available(&provider, Operation::Block) {
            return End::Lost(SourceError::new(ErrorClass::Unreachable, "Paused"));
        }
        tracing::info!("opening a block stream");
        let mut socket = match Socket::open(&url, USER_AGENT, OPEN_TIMEOUT).await {
            Ok(socket) => socket,
            Err(refusal) => return End::Lost(refusal.into()),
        };
        let end = self.read_blocks(&provider, &mut socket).await;
        stream.lock().heard_at = None;
        socket.close().await;
        end.map_or_else(End::Lost, |()| End::Unused)
    }

    async fn read_blocks(&self, provider: &Provider, socket: &mut Socket) -> Result<(), SourceError> {
        let stream = &self.0.block_stream;
        let Some(BlockAnnouncer { subscribe, read }) = provider.blocks.announcer() else { return Ok(()) };
        for request in subscribe {
            socket.send((*request).to_owned()).await?;
        }
        let (mut last_seen, mut has_pinged) = (Instant::now(), false);
        loop {
            let silence = if has_pinged { PING_AFTER + PONG_TIMEOUT } else { PING_AFTER };
            let unused_at = stream.unused_at().unwrap_or_else(Instant::now);
            tokio::select! {
                biased;
                () = sleep_until(unused_at) => {
                    if stream.is_unused() {
                        return Ok(());
                    }
                }
                () = stream.missed.notified() => {
                    return Err(SourceError::new(ErrorClass::Unreachable, "The socket missed a block"));
                }
                () = stream.reordered.notified() => {
                    if self.block_announcer().is_none_or(|(other, _)| other.name != provider.name) {
                        return Ok(());
                    }
                }
                incoming = socket.next() => {
                    (last_seen, has_pinged) = (Instant::now(), false);
                    stream.record_activity(self.0.time.moment());
                    match incoming? {
                        Incoming::Text(text) => {
                            if let Some(tip) = read(&text) {
                                self.announce(provider, tip).await;
                            }
                        }
                        Incoming::Other => {}
                        Incoming::Closed(reason) => return Err(SourceError::closed(reason)),
                    }
                }
                () = sleep_until(last_seen + silence) => {
                    if has_pinged {
                        return Err(SourceError::new(ErrorClass::Unreachable, "Ping timed out"));
                    }
                    has_pinged = true;
                    socket.ping().await?;
                }
            }
        }
    }

    /// Records a block from the socket.
    async fn announce(&self, provider: &Provider, tip: ChainTip) {
        let stream = &self.0.block_stream;
        let fetched = self.fetched_at(Duration::ZERO);
        let at = fetched.at.wall;
        if self.0.blocks.is_far_below(tip.height) {
            // It may show that the known height is wrong.
            self.record_tip(&NewTip { tip: tip.clone(), orphaned: None }, at);
        }
        if tip.height < self.0.blocks.seen().height {
            // An old block, or a server that is behind; polling continues until it has caught up.
            return;
        }
        if !self.0.blocks.is_plausible(tip.height, at) {
            tracing::info!(height = tip.height, "block height too far ahead; verifying it with a poll");
            return;
        }
        tracing::debug!(height = tip.height, "new block announced");
        let height = tip.height;
        let new = self.checked(provider, tip).await;
        self.record_tip(&new, at);
        let stored = Stored::new(provider.name, fetched, Operation::Block.fresh_for(), new);
        self.0.cache.put(tip_key(), stored.into());
        let mut state = stream.lock();
        state.height = height;
        state.heard_at = Some(self.0.time.moment());
    }
}
