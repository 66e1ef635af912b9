//! The headline of a token: rank, names, price, changes, market cap, volume, supply, age.

use std::borrow::Cow;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::panel_context::PanelContext;
use crate::format::{Arrow, Count, Money, PriceIn, Share, words};
use crate::model::Coin;
use crate::theme::Theme;
use crate::view::area::inner;
use crate::view::chrome::health::{self, Health};
use crate::view::chrome::pieces::{self, LIVE, Piece};
use crate::view::widgets::text;

pub(super) fn paint(buf: &mut Buffer, area: Rect, context: &PanelContext<'_>) {
    let inner = inner(area);
    if inner.is_empty() {
        return;
    }
    let PanelContext { state, coin, last_copy, page, appearance, .. } = context;
    let theme = &appearance.theme;
    let health_of = |remote| match last_copy {
        Some(last) => Health::of_last(remote, last.at, last.provider.as_deref().unwrap_or_default(), state),
        None => Health::of(remote, state),
    };
    let own = page.map(|remote| (health_of(remote), remote.failure()));
    // The line has the full width, so problems of the panels are explained here.
    let panels_health = || context.explained.screen_health(state).map(|(health, failure)| (health, Some(failure)));
    let bad = own.clone().filter(|(own, _)| own.is_bad).or_else(panels_health);
    let (health, failed) = bad.or(own).map_or((None, None), |(health, failure)| (Some(health), failure));

    let Some(coin) = coin else {
        let why = health.unwrap_or_else(|| Health::note("Coin details not loaded")).fit(u16::MAX);
        let mut pieces = vec![name(context, Name::Full)];
        pieces.extend(chart_price(context));
        if let Some(failure) = failed {
            context.explained.add_summary(&why, failure);
        }
        pieces.push(Piece::new(why.text, theme.dim));
        pieces::paint(buf, inner, &pieces, 3);
        return;
    };
    let gap = if inner.width < NARROW { 2 } else { 3 };
    // Price and 24-hour change are always shown; they and a problem take precedence over the names.
    let is_bad = health.as_ref().is_some_and(|health| health.is_bad);
    let must = [price(coin, context), change(coin.change_24h_pct, "24h", theme)];
    let must_width = pieces::width(&must, gap);
    // The age, a short reason and the time of the retry are more important than the names, except for the symbol.
    let beside_price = inner.width.saturating_sub(must_width + gap);
    let beside_symbol = beside_price.saturating_sub(name(context, Name::Bare).width() + gap);
    let least = health.as_ref().filter(|health| health.is_bad).map_or(0, |health| {
        let brief = health.brief_width();
        let forms = [beside_symbol, beside_price].map(|room| text::width(&health.fitted(room.min(brief))));
        forms.into_iter().find(|columns| *columns > 0).map_or(0, |columns| columns + gap)
    });
    let rest = rest(coin, theme);
    let first = |count: usize| pieces::width(rest.get(..count).unwrap_or(&rest), gap) + gap;
    let age = health.as_ref().map_or(0, |health| gap + text::width(health.first_part()));
    let room = inner.width.saturating_sub(must_width + least + gap);
    let fits = |form: Name, room: u16| Some(name(context, form)).filter(|name| name.width() <= room);
    let whole = |room: u16| fits(Name::Full, room).or_else(|| fits(Name::Names, room));
    let symbol_width = name(context, Name::Symbol).width() + NAME_GAP;
    let cut = |room: u16| {
        Some(Name::Cut(room.saturating_sub(symbol_width))).filter(Name::is_readable).and_then(|form| fits(form, room))
    };
    // Without a problem, a long name is cut before the first numbers are dropped.
    let beside = |width: u16| room.saturating_sub(if is_bad { 0 } else { width });
    let names = whole(beside(first(2))).or_else(|| cut(beside(first(3) + age))).or_else(|| cut(beside(first(2))));
    let names = names.or_else(|| whole(room)).or_else(|| cut(room)).or_else(|| fits(Name::Symbol, room));
    let mut left: Vec<_> = names.or_else(|| fits(Name::Bare, room)).into_iter().collect();
    let at_change = left.len() + 1;
    left.extend(must);
    // Without a problem, two more numbers take precedence over the age, and the third over its details.
    let has_third = pieces::width(&left, gap) + first(3) + age <= inner.width;
    let before_age = left.len() + if is_bad { 0 } else { 2 + usize::from(has_third) };
    left.extend(rest);
    let most = inner.width.saturating_sub(pieces::width(left.get(..before_age).unwrap_or(&left), gap) + gap);
    let status = health.as_ref().map(|health| health.fit(most)).unwrap_or_default();
    if let Some(failure) = failed {
        context.explained.add_summary(&status, failure);
    }
    let status = status.text;
    let taken = if status.is_empty() { 0 } else { text::width(&status) + gap };
    let place = Rect { width: inner.width.saturating_sub(taken), ..inner };
    // Beside the other changes, but only if it displaces no number except the last.
    let hour = change(coin.change_1h_pct, "1h", theme);
    let others = left.get(..left.len().saturating_sub(1)).unwrap_or(&left);
    if pieces::width(others, gap) + gap + hour.width() <= place.width {
        left.insert(at_change, hour);
    }
    pieces::paint(buf, place, &left, gap);
    if last_copy.is_some() || page.is_some_and(|remote| remote.is_stale(state.now)) {
        health::fade(buf, place);
    }
    if let Some(health) = &health {
        text::put_right(buf, inner, &status, health.style(theme));
    }
}

/// Below this width, the gaps between the pieces are smaller.
const NARROW: u16 = 60;

/// The columns between name and symbol.
const NAME_GAP: u16 = 2;

/// Minimum columns of a cut name.
const MIN_NAME_COLUMNS: u16 = 8;

/// Variants of the name, longest first.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Name {
    /// Rank, name, symbol, star.
    Full,
    /// Name, symbol, star.
    Names,
    /// The name cut to this many columns, symbol, star.
    Cut(u16),
    /// Symbol, star.
    Symbol,
    /// The symbol alone.
    Bare,
}

impl Name {
    /// Whether enough of the name is left.
    fn is_readable(&self) -> bool {
        !matches!(self, Name::Cut(columns) if *columns < MIN_NAME_COLUMNS)
    }
}

fn name<'a>(context: &PanelContext<'a>, form: Name) -> Piece<'a> {
    let PanelContext { state, token, coin, appearance, .. } = context;
    let theme = &appearance.theme;
    let mut piece = Piece::default();
    if let (Some(rank), Name::Full) = (coin.and_then(|coin| coin.rank), form) {
        piece = piece.and(format!("#{} ", Count(rank.into())), theme.dim);
    }
    if matches!(form, Name::Full | Name::Names | Name::Cut(_)) {
        piece = piece.and(
            match form {
                Name::Cut(columns) => words::shortened(&token.name, columns),
                _ => Cow::Borrowed(token.name.as_str()),
            },
            theme.strong,
        );
        if token.symbol != token.name {
            piece = piece.and(format!("  {}", token.symbol), theme.dim);
        }
    } else {
        piece = piece.and(token.symbol.as_str(), theme.strong);
    }
    if form != Name::Bare && coin.is_some_and(|coin| state.watched.contains(coin)) {
        piece = piece.and(" ★", theme.mark);
    }
    piece
}

/// The last price of the chart, for a coin that is in no list.
fn chart_price<'a>(context: &PanelContext<'_>) -> Option<Piece<'a>> {
    let PanelContext { state, token, appearance, .. } = context;
    let chart = token.chart(&state.responses, &state.convert)?;
    let price = PriceIn(chart.convert, Some(chart.all_points.iter().rev().find_map(|point| point.price)?));
    let price = match chart.convert.sign() {
        Some(sign) => format!("{sign}{price}"),
        None => format!("{price} {}", chart.convert),
    };
    Some(Piece::new(price, appearance.theme.strong).and(" (last chart price)", appearance.theme.dim))
}

/// The price, with its currency if that is not the current one.
fn price<'a>(coin: &'a Coin, context: &PanelContext<'_>) -> Piece<'a> {
    let theme = &context.appearance.theme;
    let live = context.state.live_price(coin, context.source);
    let value = live.map(|live| live.price).or(coin.price);
    let price = match coin.convert.sign().filter(|_| value.is_some()) {
        Some(sign) => format!("{sign}{}", PriceIn(&coin.convert, value)),
        None => format!("{} {}", PriceIn(&coin.convert, value), coin.convert),
    };
    let mark = if live.is_some() { LIVE } else { "" };
    let style = live.and_then(|live| live.rose).map_or(theme.strong, |rose| theme.changed(rose));
    let newest = context.state.newest_update_near(context.source);
    let old_age = coin.old_age(newest, context.state.now).filter(|_| live.is_none() && coin.price.is_some());
    let piece = Piece::new(mark, theme.mark).and(price, if old_age.is_some() { theme.dim } else { style });
    let piece =
        if coin.convert == context.state.convert { piece } else { piece.and(format!(" {}", coin.convert), theme.warn) };
    match old_age {
        Some(age) => piece.and(format!(" from {}", health::ago(age)), theme.warn),
        None => piece,
    }
}

fn change<'a>(change: Option<f64>, span: &'static str, theme: &Theme) -> Piece<'a> {
    Piece::new(Arrow(change).to_string(), theme.change(change)).and(format!(" {span}"), theme.dim)
}

/// Optional pieces; the last ones are dropped first. The 1-hour change is dropped right after the last one.
fn rest<'a>(coin: &Coin, theme: &Theme) -> Vec<Piece<'a>> {
    let money =
        |word: &'static str, value: Option<f64>| Piece::new(word, theme.dim).and(Money(value).to_string(), theme.text);
    let supply = money("supply ", coin.circulating_supply.or(coin.total_supply));
    let most = coin.max_supply.filter(|most| *most > 0.0);
    let supply = match coin.circulating_supply.zip(most) {
        Some((circulating, most)) => supply.and(format!(" {}", Share(Some(circulating / most * 100.0))), theme.dim),
        None => supply,
    };
    vec![
        change(coin.change_7d_pct, "7d", theme),
        money("cap ", coin.market_cap),
        money("vol ", coin.volume_24h),
        supply,
    ]
}
