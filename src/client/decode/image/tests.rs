use image::codecs::gif::GifEncoder;
use image::{Frame, Rgba, RgbaImage};

use crate::client::decode::decode as decode_response;
use crate::client::{ErrorKind, Limits, Request, ResponseData};
use crate::model::Picture;
use crate::model::picture::MAX_SIDE;

use super::*;

/// An image whose pixels are all different.
fn image(width: u32, height: u32) -> RgbaImage {
    RgbaImage::from_fn(width, height, |x, y| Rgba([x as u8, y as u8, (x / 256) as u8, 255]))
}

fn file(image: &RgbaImage, format: ImageFormat) -> Vec<u8> {
    let mut file = Cursor::new(Vec::new());
    image.write_to(&mut file, format).unwrap();
    file.into_inner()
}

fn read(body: &[u8], content_type: Option<&str>) -> Result<Picture, String> {
    let request = Request::InscriptionImage { id: "i".into() };
    match decode_response(&request, body, content_type, &Limits::default()) {
        Ok((ResponseData::Picture(picture), warnings)) if warnings.is_empty() => Ok(*picture),
        Err(ErrorKind::Image(why)) => Err(why),
        other => panic!("{other:?}"),
    }
}

/// A PNG that claims these dimensions, with a valid checksum and no pixels.
fn header_only(width: u32, height: u32) -> Vec<u8> {
    let mut file = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR".to_vec();
    file.extend([width.to_be_bytes(), height.to_be_bytes()].concat());
    file.extend([8, 6, 0, 0, 0]);
    let checksum = crc32fast::hash(&file[12..]);
    file.extend(checksum.to_be_bytes());
    file.extend(b"\0\0\0\0IDAT\x35\xaf\x06\x1e");
    file
}

#[test]
fn png_keeps_its_pixels() {
    let original = image(24, 12);
    let body = file(&original, ImageFormat::Png);
    for content_type in
        [Some("image/png"), Some("IMAGE/PNG; x=y"), Some("image/jpeg"), Some("application/octet-stream"), None]
    {
        let picture = read(&body, content_type).unwrap();
        assert_eq!((picture.width, picture.height, picture.original), (24, 12, (24, 12)));
        assert_eq!((picture.format.as_str(), picture.bytes), ("PNG", body.len() as u64));
        assert_eq!(picture.pixels, original.as_raw().as_slice());
    }
}

#[test]
fn large_image_is_downscaled_in_proportion() {
    let picture = read(&file(&image(2_000, 500), ImageFormat::Png), None).unwrap();
    assert_eq!((picture.width, picture.height, picture.original), (MAX_SIDE, MAX_SIDE / 4, (2_000, 500)));
    assert_eq!(picture.pixels.len() as u32, 4 * picture.width * picture.height);
}

#[test]
fn only_first_frame_of_an_animation_is_decoded() {
    let mut body = Vec::new();
    let frames =
        [[255, 0, 0, 255], [0, 255, 0, 255]].map(|colour| Frame::new(RgbaImage::from_pixel(2, 2, Rgba(colour))));
    GifEncoder::new(&mut body).encode_frames(frames).unwrap();
    let picture = read(&body, Some("image/gif")).unwrap();
    assert_eq!((picture.format.as_str(), &picture.pixels[..4]), ("GIF", &[255, 0, 0, 255][..]));
}

#[test]
fn other_content_is_refused() {
    let png = file(&image(2, 2), ImageFormat::Png);
    let svg = b"<svg xmlns='http://www.w3.org/2000/svg'/>";
    for (body, content_type, why) in [
        (png.as_slice(), Some("text/html;charset=utf-8"), "Not a PNG, JPEG, GIF or WebP (text/html)"),
        (&png, Some("image/svg+xml"), "Not a PNG, JPEG, GIF or WebP (image/svg+xml)"),
        (svg, Some("image/svg+xml"), "Not a PNG, JPEG, GIF or WebP (image/svg+xml)"),
        (svg, Some("image/png"), "Not a PNG, JPEG, GIF or WebP (image/png)"),
        (b"<html>", None, "Not a PNG, JPEG, GIF or WebP"),
        (b"BM\x1e\0\0\0\0\0\0\0", Some("image/bmp"), "Not a PNG, JPEG, GIF or WebP (image/bmp)"),
        (b"x", Some("a\u{1b}[31m/b"), "Not a PNG, JPEG, GIF or WebP (a[31m/b)"),
    ] {
        assert_eq!(read(body, content_type).unwrap_err(), why, "{content_type:?}");
    }
}

#[test]
fn truncated_image_is_damaged() {
    for (format, name) in [(ImageFormat::Png, "PNG"), (ImageFormat::Gif, "GIF"), (ImageFormat::WebP, "WebP")] {
        let body = file(&image(64, 64), format);
        for length in [12, body.len() / 4, body.len() / 2] {
            assert_eq!(read(&body[..length], None).unwrap_err(), format!("The {name} is damaged"), "{length} bytes");
        }
    }
}

#[test]
fn any_damage_is_an_error_or_an_image() {
    let mut random = fastrand::Rng::with_seed(7);
    for format in [ImageFormat::Png, ImageFormat::Gif, ImageFormat::WebP] {
        let body = file(&image(16, 16), format);
        for _ in 0..300 {
            let mut damaged = body.clone();
            let at = random.usize(4..damaged.len());
            damaged[at] = random.u8(..);
            if let Ok(picture) = read(&damaged, None) {
                assert_eq!(picture.pixels.len() as u32, 4 * picture.width * picture.height);
                assert!(picture.width.max(picture.height) <= MAX_SIDE);
            }
        }
    }
}

#[test]
fn too_many_pixels_are_refused_before_they_are_decoded() {
    for (width, height) in [(20_000, 20_000), (4_000, 2_001), (u32::MAX >> 1, 1 << 30)] {
        let before = allocation_counter::measure(|| {
            let why = read(&header_only(width, height), Some("image/png")).unwrap_err();
            let sentence = format!("The PNG is too large: {width}×{height}, limit 8 megapixels");
            assert!(why == sentence || why == "The PNG needs too much memory", "{why}");
        });
        assert!(before.bytes_max < 1 << 20, "{} bytes", before.bytes_max);
    }
    let why = read(&header_only(20_000, 20_000), None).unwrap_err();
    assert_eq!(why, "The PNG is too large: 20000×20000, limit 8 megapixels");
}
