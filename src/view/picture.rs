//! Draws images: as half blocks, as characters, or by the terminal's graphics protocol.

mod colours;

use image::imageops::{self, FilterType};
use image::{DynamicImage, Rgba, RgbaImage};
use ratatui::buffer::Buffer;
use ratatui::layout::{Rect, Size};
use ratatui::widgets::Widget;
use ratatui_image::Image;
use ratatui_image::protocol::Protocol as Encoding;
use ratatui_image::protocol::halfblocks::Halfblocks;
use ratatui_image::protocol::iterm2::Iterm2;
use ratatui_image::protocol::kitty::Kitty;
use ratatui_image::protocol::sixel::Sixel;

use super::appearance::Appearance;
use super::images::{Colours, Images, Protocol};
use crate::glyphs::Glyphs;
use crate::model::picture::MAX_SIDE;
use crate::model::{Picture, Text};

/// The id of the image in Kitty's protocol. Each image replaces the previous one, so the terminal keeps only one.
const KITTY_ID: u32 = 0x73_61_74;

/// An image encoded for an area.
pub(super) struct Encoded {
    id: Text,
    room: Size,
    encoding: Encoding,
}

impl std::fmt::Debug for Encoded {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Encoded").field("id", &self.id).field("room", &self.room).finish_non_exhaustive()
    }
}

/// Paints an image in the middle of `area`, as large as it fits. It is encoded only if it or the area has changed.
pub(super) fn paint(
    buf: &mut Buffer,
    area: Rect,
    (id, picture): (&Text, &Picture),
    appearance: &Appearance,
    encoded: &mut Option<Encoded>,
) {
    let area = area.intersection(buf.area);
    let room = Size { width: area.width, height: area.height };
    if room.width == 0 || room.height == 0 {
        return;
    }
    if !encoded.as_ref().is_some_and(|encoded| encoded.id == *id && encoded.room == room) {
        let encoding = encode(picture, room, appearance);
        *encoded = encoding.map(|encoding| Encoded { id: id.clone(), room, encoding });
    }
    let Some(Encoded { encoding, .. }) = encoded else { return };
    let Size { width, height } = encoding.size();
    let (width, height) = (width.min(area.width), height.min(area.height));
    let (x, y) = (area.x + (area.width - width) / 2, area.y + (area.height - height) / 2);
    let place = Rect { x, y, width, height };
    Image::new(encoding).allow_clipping(true).render(place, buf);
    if let Encoding::Halfblocks(_) = encoding {
        colours::reduce(buf, place, colours_of(appearance), appearance.images.is_light);
    }
}

/// The colours of half blocks. ASCII has no half blocks.
fn colours_of(appearance: &Appearance) -> Colours {
    if appearance.glyphs == Glyphs::Ascii { Colours::None } else { appearance.images.colours }
}

/// Encodes an image for an area; `None` if that fails.
fn encode(picture: &Picture, room: Size, appearance: &Appearance) -> Option<Encoding> {
    let Images { protocol, cell, is_light, .. } = appearance.images;
    let image = RgbaImage::from_raw(picture.width, picture.height, picture.pixels.clone())?;
    // An image protocol is as good as its terminal; characters need one without them.
    let protocol = if appearance.glyphs == Glyphs::Ascii { Protocol::HalfBlocks } else { protocol };
    if protocol == Protocol::HalfBlocks {
        let (width, height) = fit(image.dimensions(), (u32::from(room.width), 2 * u32::from(room.height)));
        let scaled = scale(&on_background(image, is_light), (width, height.next_multiple_of(2)));
        let size = Size { width: cells(width, 1)?, height: cells(height, 2)? };
        return Halfblocks::new(scaled, size).ok().map(Encoding::Halfblocks);
    }
    let (cell_width, cell_height) = (u32::from(cell.0), u32::from(cell.1));
    let most = |cells: u16, cell: u32| (u32::from(cells) * cell).min(MAX_SIDE.max(cell));
    let (width, height) = fit(image.dimensions(), (most(room.width, cell_width), most(room.height, cell_height)));
    let size =
        Size { width: cells(width, cell_width)?.min(room.width), height: cells(height, cell_height)?.min(room.height) };
    // Whole cells, so that the terminal doesn't stretch it.
    let mut whole = RgbaImage::new(u32::from(size.width) * cell_width, u32::from(size.height) * cell_height);
    let scaled = scale(&image, (width, height));
    let (left, top) =
        ((whole.width() - width.min(whole.width())) / 2, (whole.height() - height.min(whole.height())) / 2);
    imageops::overlay(&mut whole, &scaled.into_rgba8(), i64::from(left), i64::from(top));
    let whole = DynamicImage::ImageRgba8(whole);
    match protocol {
        Protocol::Kitty => Kitty::new(whole, size, KITTY_ID, false, false).ok().map(Encoding::Kitty),
        Protocol::Sixel => Sixel::new(whole, size, false).ok().map(Encoding::Sixel),
        Protocol::Iterm2 => Iterm2::new(whole, size, false).ok().map(Encoding::ITerm2),
        Protocol::HalfBlocks => None,
    }
}

/// The number of cells that a length in pixels takes, at least 1.
fn cells(pixels: u32, cell: u32) -> Option<u16> {
    u16::try_from(pixels.div_ceil(cell).max(1)).ok()
}

/// The size of an image that fits into `room` with its proportions. A small image is enlarged by a whole factor, so
/// that pixel art keeps its squares.
fn fit((width, height): (u32, u32), room: (u32, u32)) -> (u32, u32) {
    let whole = (room.0 / width.max(1)).min(room.1 / height.max(1));
    if whole >= 1 {
        return (width * whole, height * whole);
    }
    let share = |length: u32, room: u32, of: u32| {
        let length = u64::from(length) * u64::from(room) / u64::from(of.max(1));
        u32::try_from(length).unwrap_or(u32::MAX).clamp(1, u32::MAX)
    };
    // The side with the smaller room for its length decides.
    if u64::from(room.0) * u64::from(height) <= u64::from(room.1) * u64::from(width) {
        (room.0.max(1), share(height, room.0, width))
    } else {
        (share(width, room.1, height), room.1.max(1))
    }
}

fn scale(image: &RgbaImage, (width, height): (u32, u32)) -> DynamicImage {
    let is_larger = width >= image.width() && height >= image.height();
    let filter = if is_larger { FilterType::Nearest } else { FilterType::Triangle };
    DynamicImage::ImageRgba8(imageops::resize(image, width, height, filter))
}

/// The image on black, or on white if the terminal's background is light.
fn on_background(image: RgbaImage, is_light: bool) -> RgbaImage {
    let shade = if is_light { 255 } else { 0 };
    let mut whole = RgbaImage::from_pixel(image.width(), image.height(), Rgba([shade, shade, shade, 255]));
    imageops::overlay(&mut whole, &image, 0, 0);
    whole
}

#[cfg(test)]
mod tests;
