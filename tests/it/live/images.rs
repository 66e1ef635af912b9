//! Images of inscriptions over HTTP, from a fake of ordinals.com through the embedded service.

use satscope::client::{ErrorKind, Request, ResponseData};
use satscope::model::ProviderName::Ordinals;

use super::Live;
use super::fake::{Fake, FakeResponse, json};
use super::indexer_fakes::id;

/// A PNG that claims these dimensions, with a valid checksum and no pixels.
fn header(side: u32) -> Vec<u8> {
    let mut file = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR".to_vec();
    file.extend([side.to_be_bytes(), side.to_be_bytes()].concat());
    file.extend([8, 6, 0, 0, 0]);
    let checksum = crc32fast::hash(&file[12..]);
    file.extend(checksum.to_be_bytes());
    file.extend(b"\0\0\0\0IDAT\x35\xaf\x06\x1e");
    file
}

/// One orange pixel.
const PIXEL: [u8; 69] = [
    0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00, 0x00, 0x00, 0x0d, 0x49, 0x48, 0x44, 0x52, 0x00, 0x00, 0x00,
    0x01, 0x00, 0x00, 0x00, 0x01, 0x08, 0x02, 0x00, 0x00, 0x00, 0x90, 0x77, 0x53, 0xde, 0x00, 0x00, 0x00, 0x0c, 0x49,
    0x44, 0x41, 0x54, 0x78, 0x9c, 0x63, 0xf8, 0x3e, 0x59, 0x0a, 0x00, 0x04, 0x29, 0x01, 0xa5, 0x2c, 0xc1, 0xee, 0x34,
    0x00, 0x00, 0x00, 0x00, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82,
];

/// ordinals.com with an image, and other content behind other ids.
fn ordinals() -> Fake {
    Fake::start(|request| {
        let of = |kind: &str, body: Vec<u8>| FakeResponse {
            headers: vec![("content-type", kind.to_owned())],
            body,
            ..json(200, "")
        };
        let Some(name) = request.path.strip_prefix("/content/") else { return json(404, "") };
        match u64::from_str_radix(name.trim_end_matches("i0"), 16).unwrap() {
            1 => of("image/png", PIXEL.to_vec()),
            2 => of("image/png", PIXEL[..50].to_vec()),
            3 => of("image/png", header(20_000)),
            4 => of("text/html;charset=utf-8", b"<html>gm</html>".to_vec()),
            5 => of("image/png", vec![0; 1_100_000]),
            6 => of("image/svg+xml", b"<svg xmlns='http://www.w3.org/2000/svg'/>".to_vec()),
            _ => FakeResponse { status: 404, ..of("text/plain", b"inscription not found".to_vec()) },
        }
    })
}

fn image(n: u64) -> Request {
    Request::InscriptionImage { id: id(n).into() }
}

#[tokio::test]
async fn image_is_fetched_and_decoded_once() {
    let ordinals = ordinals();
    let live = Live::in_order(&[(Ordinals, &ordinals)]);
    for _ in 0..2 {
        let ResponseData::Picture(picture) = live.answer(image(1)).await else { panic!("no image") };
        assert_eq!((picture.width, picture.height, picture.bytes), (1, 1, 69));
        assert_eq!((picture.format.as_str(), picture.pixels.len()), ("PNG", 4));
    }
    assert_eq!(ordinals.paths(), [format!("/content/{}", id(1))], "content never changes");
}

#[tokio::test]
async fn content_other_than_images_is_an_error() {
    let ordinals = ordinals();
    let live = Live::in_order(&[(Ordinals, &ordinals)]);
    for (n, why) in [
        (2, "The PNG is damaged"),
        (3, "The PNG is too large: 20000×20000, limit 8 megapixels"),
        (4, "Not a PNG, JPEG, GIF or WebP (text/html)"),
        (5, "Response larger than 1 MiB"),
        (6, "Not a PNG, JPEG, GIF or WebP (image/svg+xml)"),
    ] {
        let error = live.get(&image(n)).await.unwrap_err();
        assert_eq!((error.reason().as_str(), error.is_retryable()), (why, false), "{n}");
    }
    let error = live.get(&image(7)).await.unwrap_err();
    assert!(matches!(error.kind, ErrorKind::NotFound { .. }), "{error:?}");
}
