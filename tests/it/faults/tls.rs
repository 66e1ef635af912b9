//! A TLS server with a self-signed certificate, created for every test.

use std::sync::Arc;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use ring::rand::SystemRandom;
use ring::signature::{Ed25519KeyPair, KeyPair as _};
use rustls::pki_types::{CertificateDer, PrivatePkcs8KeyDer};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;
use tokio_rustls::server::TlsStream;

/// What a certificate says.
#[derive(Clone, Copy)]
pub(crate) struct Contents {
    /// The host.
    pub(crate) address: [u8; 4],
    /// The last day: `491231235959Z`.
    pub(crate) not_after: &'static str,
}

/// A valid certificate.
pub(crate) const VALID: Contents = Contents { address: [127, 0, 0, 1], not_after: "491231235959Z" };

/// A TLS server. It ends when it is dropped.
pub(crate) struct TlsServer {
    pub(crate) url: String,
    /// Its certificate in PEM.
    pub(crate) certificate: String,
    task: JoinHandle<()>,
}

impl TlsServer {
    /// A server that speaks this protocol and passes every connection to a function.
    pub(crate) async fn start<F: Future<Output = ()> + Send + 'static>(
        contents: Contents,
        protocol: &str,
        serve: impl Fn(TlsStream<TcpStream>) -> F + Send + 'static,
    ) -> TlsServer {
        let pkcs8 = Ed25519KeyPair::generate_pkcs8(&SystemRandom::new()).unwrap();
        let certificate = certificate(&Ed25519KeyPair::from_pkcs8(pkcs8.as_ref()).unwrap(), contents);
        let pem = BASE64_STANDARD.encode(&certificate);
        let pem = format!("-----BEGIN CERTIFICATE-----\n{pem}\n-----END CERTIFICATE-----\n");
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let mut config = rustls::ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_no_client_auth()
            .with_single_cert(vec![certificate], PrivatePkcs8KeyDer::from(pkcs8.as_ref().to_vec()).into())
            .unwrap();
        config.alpn_protocols = vec![protocol.as_bytes().to_vec()];
        let acceptor = tokio_rustls::TlsAcceptor::from(Arc::new(config));
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("https://{}", listener.local_addr().unwrap());
        let task = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                if let Ok(stream) = acceptor.accept(stream).await {
                    tokio::spawn(serve(stream));
                }
            }
        });
        TlsServer { url, certificate: pem, task }
    }
}

impl Drop for TlsServer {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// A TLS server without a trusted certificate.
pub(crate) async fn self_signed() -> TlsServer {
    TlsServer::start(VALID, "http/1.1", |_| async {}).await
}

const SEQUENCE: u8 = 0x30;
const ED25519: [u8; 5] = [0x06, 0x03, 0x2b, 0x65, 0x70];

/// An X.509 certificate, signed by its own key (RFC 5280, RFC 8410).
fn certificate(key: &Ed25519KeyPair, Contents { address, not_after }: Contents) -> CertificateDer<'static> {
    let algorithm = der(SEQUENCE, &[&ED25519]);
    let common_name = der(SEQUENCE, &[&[0x06, 0x03, 0x55, 0x04, 0x03], &der(0x0c, &[b"satscope test"])]);
    let name = der(SEQUENCE, &[&der(0x31, &[&common_name])]);
    let validity = der(SEQUENCE, &[&der(0x17, &[b"200101000000Z"]), &der(0x17, &[not_after.as_bytes()])]);
    let public = der(SEQUENCE, &[&algorithm, &der(0x03, &[&[0], key.public_key().as_ref()])]);
    let address = der(SEQUENCE, &[&der(0x87, &[&address])]);
    let alternative = der(SEQUENCE, &[&[0x06, 0x03, 0x55, 0x1d, 0x11], &der(0x04, &[&address])]);
    let extensions = der(0xa3, &[&der(SEQUENCE, &[&alternative])]);
    let version = der(0xa0, &[&[0x02, 0x01, 0x02]]);
    let serial: &[u8] = &[0x02, 0x01, 0x01];
    let body = der(SEQUENCE, &[&version, serial, &algorithm, &name, &validity, &name, &public, &extensions]);
    let signature = der(0x03, &[&[0], key.sign(&body).as_ref()]);
    CertificateDer::from(der(SEQUENCE, &[&body, &algorithm, &signature]))
}

/// A value of ASN.1 in its distinguished encoding: tag, length, contents.
fn der(tag: u8, contents: &[&[u8]]) -> Vec<u8> {
    let contents = contents.concat();
    let mut value = vec![tag];
    match contents.len() {
        length @ 0..0x80 => value.push(length as u8),
        length @ 0x80..0x100 => value.extend([0x81, length as u8]),
        length => value.extend([0x82, (length >> 8) as u8, length as u8]),
    }
    value.extend(contents);
    value
}
