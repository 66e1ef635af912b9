//! Encodings of requests, responses and the model. Changing a type here changes the file format: increment
//! [`super::file::VERSION`].

use std::sync::Arc;
use std::time::Duration;

use super::codec::{Bytes, Codec, codec_enum, codec_struct};
use crate::app::store::Kept;
use crate::client::{Answer, InscriptionRef, Request};
use crate::fetch::Receipt;
use crate::model::packed::Entry;
use crate::model::{
    Activity, Amount, Balance, Brc20Token, Chart, Coin, CoinId, Content, Contract, Currency, Disagreement, Holder,
    Inscription, InscriptionStat, Link, MarketPair, MarketSeries, Operation, Packed, Page, Period, Point, Post,
    PostOrder, Sat, SatNumber, Tag, Text, UtcTime,
};

codec_struct! {
    Coin {
        id, rank, name, symbol, slug, tags, convert, price, change_1h_pct, change_24h_pct, change_7d_pct, high_24h,
        low_24h, all_time_high, all_time_low, volume_24h, market_cap, circulating_supply, total_supply, max_supply,
        links, contracts, sparkline_7d, updated_at,
    }
    Link { kind, url }
    Contract { platform, address }
    Post { id, author, text, likes, comments, reposts, posted_at, url, symbols, language }
    MarketPair {
        exchange, pair, base, quote, category, price, volume_24h, volume_share_pct, depth_plus_2pct, depth_minus_2pct,
        outlier, updated_at, convert,
    }
    Point { time, price, volume, market_cap }
    Chart { slug, period, convert, points }
    MarketSeries { id, name, symbol, slug, convert, interval, points }
    Brc20Token {
        ticker, inscription_id, inscription_number, deployer, deployed_at, block_height, tx_id, max_supply,
        minted_supply, mint_limit, decimals, self_mint, tx_count, holders,
    }
    Holder { address, balance }
    Balance { ticker, available, transferable, overall }
    Activity {
        operation, ticker, amount, from, to, address, block_height, block_hash, tx_id, inscription_id, location, time,
        max_supply, mint_limit, decimals,
    }
    Sat {
        number, name, decimal, degree, percentile, rarity, block_height, cycle, epoch, period, offset, charms,
        inscription_id, disagreements,
    }
    Disagreement { field, indexer, computed }
    Inscription {
        id, number, address, genesis_address, genesis_block_height, genesis_time, genesis_fee, tx_id, location, output,
        value, offset, sat, rarity, content_type, content_length, curse_type, recursive, parents, charms, time,
    }
    InscriptionStat { block_height, block_hash, inscriptions, inscriptions_total, time }
    Content { text }
}

codec_enum! {
    Tag { 0 All, 1 Brc20, 2 BitcoinEcosystem }
    PostOrder { 0 Top, 1 Latest }
    Period { 0 Day, 1 Week, 2 Month, 3 Quarter }
    Operation { 0 Deploy, 1 Mint, 2 Transfer, 3 TransferSend, 4 Other(word) }
    InscriptionRef { 0 Id(id), 1 Number(number) }
    Request {
        0 Coins { tag, start, limit, convert },
        1 Posts { symbol, order },
        2 MarketPairs { symbol, slug, convert },
        3 Chart { slug, period, convert },
        4 MarketData { symbols, convert, count, interval },
        5 CategoryStats { tag, convert },
        6 Brc20Tokens { ticker, offset, limit },
        7 Brc20Token { ticker },
        8 Brc20Holders { ticker, offset, limit },
        9 Brc20Balances { address, offset, limit },
        10 Brc20Activity { ticker, block_height, offset, limit },
        11 Sat { number },
        12 SatInscriptions { number, offset, limit },
        13 Inscription { inscription },
        14 Inscriptions { address, offset, limit },
        15 InscriptionStats { from_block, to_block },
        16 InscriptionContent { id },
    }
    Answer {
        0 Coins(page),
        1 Posts(page),
        2 MarketPairs(page),
        3 Chart(chart),
        4 Market(series),
        5 Brc20Tokens(page),
        6 Brc20Token(token),
        7 Holders(page),
        8 Balances(page),
        9 Activity(page),
        10 Sat(sat),
        11 Inscriptions(page),
        12 Inscription(inscription),
        13 InscriptionStats(page),
        14 InscriptionContent(content),
    }
}

impl<T: Codec> Codec for Page<T> {
    fn put(&self, out: &mut Vec<u8>) {
        let Page { items, total } = self;
        items.put(out);
        total.put(out);
    }

    fn get(bytes: &mut Bytes<'_>) -> Option<Page<T>> {
        Some(Page { items: Codec::get(bytes)?, total: Codec::get(bytes)? })
    }
}

// Encoded as a list of entries.
impl<T: Codec + Entry> Codec for Packed<T> {
    fn put(&self, out: &mut Vec<u8>) {
        self.to_vec().put(out);
    }

    fn get(bytes: &mut Bytes<'_>) -> Option<Packed<T>> {
        Vec::get(bytes).map(|entries| Packed::new(&entries))
    }
}

impl Codec for CoinId {
    fn put(&self, out: &mut Vec<u8>) {
        self.0.put(out);
    }

    fn get(bytes: &mut Bytes<'_>) -> Option<CoinId> {
        Codec::get(bytes).map(CoinId)
    }
}

impl Codec for Currency {
    fn put(&self, out: &mut Vec<u8>) {
        Text::from(self.as_str()).put(out);
    }

    fn get(bytes: &mut Bytes<'_>) -> Option<Currency> {
        Currency::parse(&Text::get(bytes)?)
    }
}

impl Codec for UtcTime {
    fn put(&self, out: &mut Vec<u8>) {
        self.millis().put(out);
    }

    fn get(bytes: &mut Bytes<'_>) -> Option<UtcTime> {
        Codec::get(bytes).map(UtcTime::from_millis)
    }
}

impl Codec for Amount {
    fn put(&self, out: &mut Vec<u8>) {
        out.extend(self.atoms().to_le_bytes());
    }

    fn get(bytes: &mut Bytes<'_>) -> Option<Amount> {
        bytes.array().map(|atoms| Amount::from_atoms(u128::from_le_bytes(atoms)))
    }
}

impl Codec for SatNumber {
    fn put(&self, out: &mut Vec<u8>) {
        self.get().put(out);
    }

    fn get(bytes: &mut Bytes<'_>) -> Option<SatNumber> {
        SatNumber::new(u64::get(bytes)?)
    }
}

impl Codec for Duration {
    /// In microseconds.
    fn put(&self, out: &mut Vec<u8>) {
        u64::try_from(self.as_micros()).unwrap_or(u64::MAX).put(out);
    }

    fn get(bytes: &mut Bytes<'_>) -> Option<Duration> {
        Codec::get(bytes).map(Duration::from_micros)
    }
}

impl Codec for Receipt {
    /// Omits the warnings, which refer to a body that is no longer available.
    fn put(&self, out: &mut Vec<u8>) {
        let Receipt { url, status, bytes, latency, fetched_at, fresh_until, warnings: _, rows: _ } = self;
        url.put(out);
        status.put(out);
        bytes.put(out);
        latency.put(out);
        fetched_at.put(out);
        fresh_until.put(out);
    }

    fn get(bytes: &mut Bytes<'_>) -> Option<Receipt> {
        Some(Receipt {
            url: Codec::get(bytes)?,
            status: Codec::get(bytes)?,
            bytes: Codec::get(bytes)?,
            latency: Codec::get(bytes)?,
            fetched_at: Codec::get(bytes)?,
            fresh_until: Codec::get(bytes)?,
            warnings: Arc::default(),
            rows: 0,
        })
    }
}

impl Codec for Kept {
    fn put(&self, out: &mut Vec<u8>) {
        let Kept { request, answer, receipt, abridged } = self;
        request.put(out);
        answer.put(out);
        receipt.put(out);
        abridged.put(out);
    }

    fn get(bytes: &mut Bytes<'_>) -> Option<Kept> {
        Some(Kept {
            request: Codec::get(bytes)?,
            answer: Arc::new(Codec::get(bytes)?),
            receipt: Codec::get(bytes)?,
            abridged: Codec::get(bytes)?,
        })
    }
}
