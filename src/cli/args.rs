//! The command-line grammar, the source of `--help`, the completions and the manual page.

mod alerts;
mod coins;
mod indexer;
mod notes;
mod serve;
mod sources;
mod value;
mod wallet;
mod watchlist;

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

use crate::config;
use crate::model::{ChartStyle, Period, PostOrder, Tag, Text};
use crate::portfolio::CostMethod;

pub use alerts::AlertsCommand;
pub use coins::CoinRows;
pub use indexer::{Brc20, PageArgs, SatCommand};
pub(super) use notes::NotesCommand;
pub use serve::Serve;
pub use sources::SourcesCommand;
pub use wallet::WalletCommand;
pub(super) use wallet::{AddressCommand, LotFields};
pub use watchlist::WatchlistCommand;

use value::{
    block, chart_style, cost_method, count, interval, name, period, points, position, post_order, seconds, symbol, tag,
    word,
};

/// Interval of `market` without `--interval`.
pub(super) const DEFAULT_INTERVAL: &str = "5m";

const EXAMPLES: &str = "\
Opens the dashboard, or runs one command, prints the result and exits.

Examples:
  satscope                                       dashboard with simulated data
  satscope --live                                dashboard with live data from public providers
  satscope --base-url https://market.example     dashboard with your market data
  satscope coins --tag brc-20 --limit 10         ten coins as a table
  satscope coins --format csv > coins.csv        export to a spreadsheet
  satscope market BTC ORDI --convert EUR | jq '.data[].points[-1].price'
  satscope brc20 balances ADDRESS                balances of an address
  satscope sat ahehcbywzae                       a sat by name, number or decimal
  satscope serve                                 run a standalone server

Without a URL, market data and indexer data come from the embedded service: simulated, or from public providers with --live.

Exit status: 0 success; 1 operation failed; 2 invalid command line or configuration.";

/// The command line.
#[derive(Debug, Default, Parser)]
#[command(name = "satscope", version, about = "A terminal dashboard for Bitcoin-ecosystem tokens, BRC-20 and ordinals", after_help = EXAMPLES, max_term_width = 110)]
pub struct Cli {
    /// Options of every command.
    #[command(flatten)]
    pub global: Global,
    /// Command; opens the dashboard if omitted.
    #[command(subcommand)]
    pub command: Option<Command>,
}

/// Options accepted before and after the command. The last one counts, so that a command overrides an alias.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Global options")]
pub struct Global {
    /// Base URL of the market data [env: SATSCOPE_BASE_URL] [config: source.base_url]
    #[arg(long, global = true, overrides_with = "base_url", value_name = "URL")]
    pub base_url: Option<String>,
    /// Base URL of the indexer [env: SATSCOPE_INDEXER_URL] [config: source.indexer_url]
    #[arg(long, global = true, overrides_with = "indexer_url", value_name = "URL")]
    pub indexer_url: Option<String>,
    /// Use simulated data, ignoring URLs in the configuration file and the environment
    #[arg(long, global = true, overrides_with = "demo")]
    pub demo: bool,
    /// Use live data from public providers where no URL is set [config: source.live]
    #[arg(long, global = true, overrides_with = "live")]
    pub live: bool,
    /// Display currency, such as EUR or BTC [default: USD]
    #[arg(long, global = true, overrides_with = "convert", value_name = "CODE")]
    pub convert: Option<String>,
    /// Configuration file [default: $XDG_CONFIG_HOME/satscope/config.toml]
    #[arg(long, global = true, overrides_with = "config", value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// Output format: table, json, csv or plot [default: plot or table on a terminal, json in a pipe]
    #[arg(
        long,
        global = true,
        overrides_with = "format",
        value_name = "FORMAT",
        ignore_case = true,
        hide_possible_values = true
    )]
    pub format: Option<Format>,
    /// Request timeout in seconds [default: 15]
    #[arg(long, global = true, overrides_with = "timeout", value_name = "SECONDS", allow_negative_numbers = true, value_parser = seconds)]
    pub timeout: Option<f64>,
    /// Log file, or - for standard error; SATSCOPE_LOG sets the level, such as debug or satscope::fetch=trace (default: info)
    #[arg(long, global = true, overrides_with = "log", value_name = "FILE")]
    pub log: Option<PathBuf>,
}

impl Global {
    /// The flags for the configuration.
    pub fn flags(&self) -> config::Flags {
        config::Flags {
            config: self.config.clone(),
            base_url: self.base_url.clone(),
            indexer_url: self.indexer_url.clone(),
            demo: self.demo,
            live: self.live,
            convert: self.convert.clone(),
            timeout: self.timeout,
            log: self.log.clone(),
        }
    }
}

/// Output format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// Aligned columns, for reading.
    Table,
    /// One JSON object on one line, for programs.
    Json,
    /// CSV, for spreadsheets.
    Csv,
    /// Chart with axes (only `chart`, `market` and `inscription-stats`).
    Plot,
}

/// A command.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Coins with prices, changes, highs and lows, links and contracts
    #[command(after_help = coins::COINS_HELP)]
    Coins {
        /// Tag: all, brc-20 or bitcoin-ecosystem
        #[arg(long, value_name = "TAG", default_value = "all", ignore_case = true, hide_possible_values = true, value_parser = tag())]
        tag: Tag,
        /// Position of the first coin, counting from 1
        #[arg(long, value_name = "N", default_value_t = 1, allow_negative_numbers = true, value_parser = position)]
        start: u32,
        /// Maximum coins, after --sort and --filter [default: display.page_size, 200]
        #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = count)]
        limit: Option<u32>,
        /// Rows to print.
        #[command(flatten)]
        rows: CoinRows,
    },
    /// Posts about a coin
    #[command(after_help = "Example: satscope posts ORDI --type latest")]
    Posts {
        /// Symbol or slug of the coin, such as ORDI or bitcoin
        #[arg(value_name = "COIN", value_parser = symbol)]
        symbol: Text,
        /// Order: top or latest
        #[arg(long = "type", value_name = "TYPE", default_value = "top", ignore_case = true, hide_possible_values = true, value_parser = post_order())]
        order: PostOrder,
        /// Maximum rows [default: all]
        #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = count)]
        limit: Option<u32>,
    },
    /// Market pairs of a coin: exchange, price, volume, depth
    #[command(after_help = "Example: satscope pairs ORDI --format csv")]
    Pairs {
        /// Symbol or slug of the coin, such as ORDI or bitcoin
        #[arg(value_name = "COIN", value_parser = symbol)]
        symbol: Text,
        /// Maximum rows [default: all]
        #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = count)]
        limit: Option<u32>,
    },
    /// Price chart of a coin
    #[command(after_help = "Example: satscope chart bitcoin --period 3M --convert EUR --style candles")]
    Chart {
        /// Symbol or slug of the coin, such as ORDI or bitcoin
        #[arg(value_name = "COIN", value_parser = name)]
        slug: Text,
        /// Period: 1D, 7D, 1M, 3M, 1Y or All [default: display.period, 7D]
        #[arg(long, value_name = "PERIOD", ignore_case = true, hide_possible_values = true, value_parser = period())]
        period: Option<Period>,
        /// Plot style: area, line or candles; implies --format plot, even in a pipe [default: area]
        #[arg(long, value_name = "STYLE", ignore_case = true, hide_possible_values = true, value_parser = chart_style())]
        style: Option<ChartStyle>,
    },
    /// Price history of several coins
    #[command(after_help = "Example: satscope market BTC ORDI SATS --count 288 --interval 5m --convert EUR")]
    Market {
        /// Symbols or slugs, such as BTC ORDI
        #[arg(required = true, value_name = "COIN", value_parser = symbol)]
        symbols: Vec<Text>,
        /// Points per coin, at most 10,000
        #[arg(long, value_name = "N", default_value_t = 100, allow_negative_numbers = true, value_parser = points)]
        count: u32,
        /// Interval between points, such as 5m, 1h or 1d; live data: at least 1m
        #[arg(long, value_name = "STEP", default_value = DEFAULT_INTERVAL, value_parser = interval)]
        interval: Text,
        /// Period in place of --count and --interval: 1D, 7D, 1M, 3M, 1Y or All
        #[arg(long, value_name = "PERIOD", ignore_case = true, hide_possible_values = true, conflicts_with_all = ["count", "interval"], value_parser = period())]
        period: Option<Period>,
    },
    /// Coins with 7-day charts
    #[command(after_help = coins::STATS_HELP)]
    Stats {
        /// Tag: all, brc-20 or bitcoin-ecosystem
        #[arg(long, value_name = "TAG", default_value = "brc-20", ignore_case = true, hide_possible_values = true, value_parser = tag())]
        tag: Tag,
        /// Maximum rows [default: all]
        #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = count)]
        limit: Option<u32>,
        /// Rows to print.
        #[command(flatten)]
        rows: CoinRows,
    },
    /// BRC-20 tokens, holders, balances and activity
    #[command(subcommand, arg_required_else_help = false)]
    Brc20(Brc20),
    /// Details of a sat and its inscriptions
    #[command(
        disable_help_subcommand = true,
        subcommand_precedence_over_arg = true,
        subcommand_negates_reqs = true,
        override_usage = "satscope sat [OPTIONS] <SAT>\n       satscope sat inscriptions [OPTIONS] <SAT>",
        after_help = indexer::SAT_HELP
    )]
    Sat {
        /// Number, decimal, degree, percentile or name
        #[arg(required = true, allow_negative_numbers = true)]
        sat: Option<String>,
        /// Subcommand.
        #[command(subcommand)]
        command: Option<SatCommand>,
    },
    /// One inscription
    #[command(
        after_help = "Examples:\n  satscope inscription 0     the first inscription\n  satscope inscription -5    a cursed inscription (live data only)"
    )]
    Inscription {
        /// ID (64 hex digits, i, index) or number
        #[arg(value_name = "ID|NUMBER", allow_negative_numbers = true)]
        inscription: String,
    },
    /// Inscriptions, newest first
    Inscriptions {
        /// Owner address, or the label of a saved one
        #[arg(long, value_name = "ADDRESS", value_parser = word)]
        address: Option<Text>,
        /// Page of the list.
        #[command(flatten)]
        page: PageArgs,
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
    /// Run a standalone server
    #[command(after_help = serve::HELP)]
    Serve(Serve),
    /// Show or edit the wallet: holdings and their value
    #[command(after_help = wallet::HELP)]
    Wallet {
        /// Cost basis of sales: fifo or average [default: wallet.cost, fifo]
        #[arg(long, global = true, overrides_with = "cost", value_name = "METHOD", ignore_case = true, hide_possible_values = true, value_parser = cost_method())]
        cost: Option<CostMethod>,
        /// Action [default: list]
        #[command(subcommand)]
        command: Option<WalletCommand>,
    },
    /// Print one line of cached values for tmux or a prompt
    #[command(after_help = LINE_HELP)]
    Line {
        /// Template with values in braces
        #[arg(value_name = "FORMAT", default_value = "{bitcoin}")]
        template: String,
        /// Fetch the values and print nothing
        #[arg(long, hide = true)]
        refresh: bool,
    },
    /// Show or edit the watchlist
    #[command(after_help = "Example: satscope watchlist add bitcoin ordi")]
    Watchlist {
        /// Action [default: list]
        #[command(subcommand)]
        command: Option<WatchlistCommand>,
    },
    /// Show, edit or watch alerts
    #[command(after_help = alerts::HELP.as_str())]
    Alerts {
        /// Action [default: list]
        #[command(subcommand)]
        command: Option<AlertsCommand>,
    },
    /// Show or edit chart notes
    #[command(after_help = notes::HELP)]
    Notes {
        /// Action [default: list]
        #[command(subcommand)]
        command: Option<NotesCommand>,
    },
    /// Show, choose and test the providers of live data
    #[command(after_help = sources::HELP, args_conflicts_with_subcommands = true)]
    Sources {
        /// Action [default: list]
        #[command(subcommand)]
        command: Option<SourcesCommand>,
        /// Check undocumented behaviour of the providers, one request each
        #[arg(long)]
        probe: bool,
    },
    /// Show or create the configuration, back up user data
    #[command(subcommand, arg_required_else_help = false)]
    Config(ConfigCommand),
    /// Print shell completions
    #[command(after_help = "Example: satscope completions bash > ~/.local/share/bash-completion/completions/satscope")]
    Completions {
        /// Shell
        shell: clap_complete::Shell,
    },
    /// Print the manual page
    #[command(after_help = "Example: satscope man | man -l -")]
    Man,
}

const BACKUP_HELP: &str = "\
To restore a backup, quit all dashboards and `alerts watch`, delete satscope.db-wal and
satscope.db-shm in the state directory (satscope config show), and copy the backup over
satscope.db there.";

const LINE_HELP: &str = "\
Examples:
  satscope line
  satscope line '{ordi} · {wallet}'
  satscope line '{ordi.symbol} {ordi.price} {ordi.24h}'
  set -g status-right \"#(satscope line '{ordi}')\"     in ~/.tmux.conf

A value is wallet or a coin's slug or unique symbol, optionally with .price, .24h or .symbol. Cached values are printed immediately and refreshed in the background at most every 30 seconds; with source.cache = false, nothing is cached, and the line waits for the service. An unknown value is an error; so is a failed request while nothing is cached. A * after the wallet's value means that some holdings have no price or can't be read.";

/// `satscope config …`
#[derive(Clone, Debug, Subcommand)]
pub enum ConfigCommand {
    /// Print the path of the configuration file
    Path,
    /// Print every setting with its origin (header values are hidden)
    Show,
    /// Create a commented configuration file
    Init,
    /// Print the default configuration, with comments
    Default,
    /// Back up the user data to a new file
    #[command(after_help = BACKUP_HELP)]
    Backup {
        /// Destination file; must not exist
        file: PathBuf,
    },
}
