//! The command line's grammar. What is said here is what `--help`, the completions and the manual page say.

mod value;

use std::net::SocketAddr;
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

use crate::config;
use crate::model::{Period, PostOrder, Tag, Text};

use value::{
    block, count, height, interval, listen, period, post_order, seconds, share, small, symbol, tag, whole, word,
};

const EXAMPLES: &str = "\
Without a command it opens the dashboard; with one it does that one operation, prints the answer and ends.

Examples:
  satscope                                       the dashboard, on simulated data
  satscope --base-url https://market.example     the dashboard, on your market data
  satscope coins --tag brc-20 --limit 10         ten tokens as a table
  satscope coins --format csv > coins.csv        the same for a spreadsheet
  satscope market BTC ORDI --convert EUR | jq '.data[].points[-1].price'
  satscope brc20 balances ADDRESS                what an address holds
  satscope sat ahehcbywzae                       a satoshi by name, number, decimal, …
  satscope serve                                 share the embedded service on a port

Market data and indexer: what has no URL is answered by the embedded service, with simulated data.
Exit status: 0 done; 1 the operation failed; 2 the command line or the configuration is wrong.";

/// The whole command line.
#[derive(Debug, Parser)]
#[command(name = "satscope", version, about = "A terminal dashboard for token markets, BRC-20 and satoshi ordinals", after_help = EXAMPLES, max_term_width = 110)]
pub struct Cli {
    /// Options of every command.
    #[command(flatten)]
    pub global: Global,
    /// What to do; nothing opens the dashboard.
    #[command(subcommand)]
    pub command: Option<Command>,
}

/// Options taken before and after the command.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Options everywhere")]
pub struct Global {
    /// Base URL of the market data [env: SATSCOPE_BASE_URL] [config: source.base_url]
    #[arg(long, global = true, value_name = "URL")]
    pub base_url: Option<String>,
    /// Base URL of the indexer [env: SATSCOPE_INDEXER_URL] [config: source.indexer_url]
    #[arg(long, global = true, value_name = "URL")]
    pub indexer_url: Option<String>,
    /// Use the embedded service with simulated data, whatever URLs the configuration file and the environment name
    #[arg(long, global = true)]
    pub demo: bool,
    /// Currency that money is shown in, such as EUR or BTC [default: USD]
    #[arg(long, global = true, value_name = "CODE")]
    pub convert: Option<String>,
    /// Configuration file [default: $XDG_CONFIG_HOME/satscope/config.toml]
    #[arg(long, global = true, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// How a command prints: table, json or csv [default: table on a terminal, json in a pipe]
    #[arg(long, global = true, value_name = "FORMAT", ignore_case = true, hide_possible_values = true)]
    pub format: Option<Format>,
    /// How long one request may take [default: 15]
    #[arg(long, global = true, value_name = "SECONDS", allow_negative_numbers = true, value_parser = seconds)]
    pub timeout: Option<f64>,
    /// Write a log to this file; SATSCOPE_LOG filters it (info, debug, satscope::fetch=trace, …)
    #[arg(long, global = true, value_name = "FILE")]
    pub log: Option<PathBuf>,
}

impl Global {
    /// What the configuration takes from the command line.
    pub fn flags(&self) -> config::Flags {
        config::Flags {
            config: self.config.clone(),
            base_url: self.base_url.clone(),
            indexer_url: self.indexer_url.clone(),
            demo: self.demo,
            convert: self.convert.clone(),
            timeout: self.timeout,
            log: self.log.clone(),
        }
    }
}

/// How an answer is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// Aligned columns, for people.
    Table,
    /// One object on one line, for programs.
    Json,
    /// For spreadsheets.
    Csv,
}

/// One operation.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Coins with prices, changes, highs and lows, links and contracts
    #[command(after_help = "Example: satscope coins --tag bitcoin-ecosystem --start 101 --limit 100 --format csv")]
    Coins {
        /// Which list: all, brc-20 or bitcoin-ecosystem
        #[arg(long, value_name = "TAG", default_value = "all", value_parser = tag)]
        tag: Tag,
        /// Place of the first coin, from 1
        #[arg(long, value_name = "N", default_value_t = 1, allow_negative_numbers = true, value_parser = count)]
        start: u32,
        /// How many; more than a page holds is fetched in several pages [default: display.page_size, 200]
        #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = count)]
        limit: Option<u32>,
    },
    /// What people write about a token
    #[command(after_help = "Example: satscope posts ORDI --type latest")]
    Posts {
        /// The token's symbol
        #[arg(value_parser = symbol)]
        symbol: Text,
        /// top or latest
        #[arg(long = "type", value_name = "TYPE", default_value = "top", value_parser = post_order)]
        order: PostOrder,
    },
    /// Market pairs of a token: exchange, price, volume, depth
    #[command(after_help = "Example: satscope pairs ORDI --format csv")]
    Pairs {
        /// The token's symbol
        #[arg(value_parser = symbol)]
        symbol: Text,
    },
    /// A token's chart over a period
    #[command(after_help = "Example: satscope chart bitcoin --period 3M --convert EUR")]
    Chart {
        /// The token's name as a slug, such as bitcoin or ordi
        #[arg(value_parser = word)]
        slug: Text,
        /// 1D, 7D, 1M or 3M [default: display.period, 7D]
        #[arg(long, value_name = "PERIOD", value_parser = period)]
        period: Option<Period>,
    },
    /// Series of several tokens in one request
    #[command(after_help = "Example: satscope market BTC ORDI SATS --count 288 --interval 5m --convert EUR")]
    Market {
        /// Symbols, parted by spaces
        #[arg(required = true, value_name = "SYMBOL", value_parser = symbol)]
        symbols: Vec<Text>,
        /// Points a series
        #[arg(long, value_name = "N", default_value_t = 100, allow_negative_numbers = true, value_parser = count)]
        count: u32,
        /// Step between points, such as 5m, 1h or 1d [default: wallet.interval, 5m]
        #[arg(long, value_name = "STEP", value_parser = interval)]
        interval: Option<Text>,
    },
    /// Tokens of a category, each with a 7-day chart
    Stats {
        /// Which category: all, brc-20 or bitcoin-ecosystem
        #[arg(long, value_name = "TAG", default_value = "brc-20", value_parser = tag)]
        tag: Tag,
    },
    /// BRC-20 tokens, holders, balances and activity
    #[command(subcommand)]
    Brc20(Brc20),
    /// A satoshi by ordinal theory, and its inscriptions
    #[command(
        disable_help_subcommand = true,
        subcommand_precedence_over_arg = true,
        subcommand_negates_reqs = true,
        override_usage = "satscope sat [OPTIONS] SAT\n       satscope sat inscriptions [OPTIONS] SAT",
        after_help = SAT_HELP
    )]
    Sat {
        /// A number, decimal, degree, percentile or name
        #[arg(required = true, allow_negative_numbers = true)]
        sat: Option<String>,
        /// Instead of the sat itself.
        #[command(subcommand)]
        command: Option<SatCommand>,
    },
    /// One inscription
    #[command(after_help = "Example: satscope inscription -5     a cursed one, by its negative number")]
    Inscription {
        /// An id (64 hex digits, i, index) or a number
        #[arg(value_name = "ID|NUMBER", allow_negative_numbers = true)]
        inscription: String,
    },
    /// Inscriptions, the newest first
    Inscriptions {
        /// Only those at this address
        #[arg(long, value_name = "ADDRESS", value_parser = word)]
        address: Option<Text>,
        /// Which part of the list.
        #[command(flatten)]
        window: Window,
    },
    /// Inscriptions per block
    InscriptionStats {
        /// First block
        #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = block)]
        from_block: Option<u64>,
        /// Last block
        #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = block)]
        to_block: Option<u64>,
    },
    /// Run our own service alone, until interrupted
    #[command(after_help = SERVE_HELP)]
    Serve(Serve),
    /// Where the configuration is, what is in use, and a commented file to start from
    #[command(subcommand)]
    Config(ConfigCommand),
    /// Print the completions of a shell
    #[command(after_help = "Example: satscope completions bash > ~/.local/share/bash-completion/completions/satscope")]
    Completions {
        /// Which shell
        shell: clap_complete::Shell,
    },
    /// Print the manual page
    #[command(after_help = "Example: satscope man | man -l -")]
    Man,
}

const SAT_HELP: &str = "\
Examples:
  satscope sat 1953876022992384            by number
  satscope sat 752860.20444193             by decimal (block.offset)
  satscope sat ahehcbywzae                 by name
  satscope sat inscriptions 5000000000     what is inscribed on it

All but the inscription is computed here. Where the indexer cannot be asked, that is printed all the same, with inscription_id null and the reason among the warnings, and the exit status is 1.";

const SERVE_HELP: &str = "\
Prints one line with its address, then serves until it is interrupted (INT or TERM). Port 0 takes a free one. \
Misbehaviour is for tests of clients: answers that are late, fail, or ask to slow down.";

/// `satscope brc20 …`
#[derive(Debug, Subcommand)]
pub enum Brc20 {
    /// Deployed tokens
    Tokens {
        /// Only tickers that begin so
        #[arg(long, value_name = "PREFIX", value_parser = word)]
        ticker: Option<Text>,
        /// Which part of the list.
        #[command(flatten)]
        window: Window,
    },
    /// One token: supply, limits, holders
    Token {
        /// The ticker; write -- before one that begins with a hyphen
        #[arg(value_parser = word)]
        ticker: Text,
    },
    /// Who holds a token
    Holders {
        /// The ticker
        #[arg(value_parser = word)]
        ticker: Text,
        /// Which part of the list.
        #[command(flatten)]
        window: Window,
    },
    /// What an address holds
    Balances {
        /// The address
        #[arg(value_parser = word)]
        address: Text,
        /// Which part of the list.
        #[command(flatten)]
        window: Window,
    },
    /// Deploys, mints and transfers, the newest first
    Activity {
        /// Only this token's
        #[arg(long, value_name = "TICKER", value_parser = word)]
        ticker: Option<Text>,
        /// Only those at this block
        #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = height)]
        block_height: Option<u64>,
        /// Which part of the list.
        #[command(flatten)]
        window: Window,
    },
}

/// `satscope sat inscriptions …`
#[derive(Debug, Subcommand)]
pub enum SatCommand {
    /// All inscriptions on a satoshi
    Inscriptions {
        /// A number, decimal, degree, percentile or name
        #[arg(allow_negative_numbers = true)]
        sat: String,
        /// Which part of the list.
        #[command(flatten)]
        window: Window,
    },
}

/// Part of an indexer's list.
#[derive(Args, Clone, Copy, Debug)]
pub struct Window {
    /// Items to skip
    #[arg(long, value_name = "N", default_value_t = 0, allow_negative_numbers = true, value_parser = whole)]
    pub offset: u64,
    /// How many; more than a page holds (60) is fetched in several pages
    #[arg(long, value_name = "N", default_value_t = 20, allow_negative_numbers = true, value_parser = count)]
    pub limit: u32,
}

/// `satscope serve`
#[derive(Args, Debug)]
pub struct Serve {
    /// Address and port
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8787", value_parser = listen)]
    pub listen: SocketAddr,
    /// What the simulated market grows from; equal seeds and times give equal answers
    #[arg(long, value_name = "N", help_heading = "Simulation", allow_negative_numbers = true, value_parser = whole)]
    pub seed: Option<u64>,
    /// How long every answer says that it holds [default: as the interface says]
    #[arg(long, value_name = "SECONDS", help_heading = "Simulation", allow_negative_numbers = true, value_parser = whole)]
    pub max_age: Option<u64>,
    /// Delay every answer by so many milliseconds
    #[arg(long, value_name = "MS", default_value_t = 0, help_heading = "Misbehaviour", allow_negative_numbers = true, value_parser = whole)]
    pub delay_ms: u64,
    /// Share of answers that fail with 500, from 0 to 1
    #[arg(long, value_name = "SHARE", default_value_t = 0.0, help_heading = "Misbehaviour", allow_negative_numbers = true, value_parser = share)]
    pub error_rate: f64,
    /// Answer every n-th request with 429; 0 never
    #[arg(long, value_name = "N", default_value_t = 0, help_heading = "Misbehaviour", allow_negative_numbers = true, value_parser = small)]
    pub rate_limit_every: u32,
}

/// `satscope config …`
#[derive(Clone, Copy, Debug, Subcommand)]
pub enum ConfigCommand {
    /// Print the path of the configuration file
    Path,
    /// Print every value in use and where it came from; header values are not shown
    Show,
    /// Write a commented file where none is yet
    Init,
}
