//! A test server on loopback, and the real binary running against it.

use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::process::{Command, Output, Stdio};
use std::sync::Arc;

use parking_lot::{Condvar, Mutex};
use tempfile::TempDir;

/// Responds to every request with the status and JSON that a function returns for its target. Ends with the test
/// process.
pub(crate) struct Server {
    pub(crate) url: String,
    heads: Arc<Mutex<Vec<String>>>,
    streams: Arc<(Mutex<Vec<TcpStream>>, Condvar)>,
}

/// The body that keeps a response open as a stream of events.
pub(crate) const STREAM: &str = "stream";

impl Server {
    pub(crate) fn start(response: impl Fn(&str) -> (u16, String) + Send + Sync + 'static) -> Server {
        Server::with_headers("", response)
    }

    /// A server with extra header lines in its responses, each with its line ending.
    pub(crate) fn with_headers(
        headers: &'static str,
        response: impl Fn(&str) -> (u16, String) + Send + Sync + 'static,
    ) -> Server {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let heads = Arc::new(Mutex::new(Vec::new()));
        let streams = Arc::new((Mutex::new(Vec::new()), Condvar::new()));
        let (shared, opened, response) = (heads.clone(), streams.clone(), Arc::new(response));
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (shared, opened, response) = (shared.clone(), opened.clone(), response.clone());
                std::thread::spawn(move || {
                    if let Some(stream) = converse(stream, headers, &shared, &*response) {
                        opened.0.lock().push(stream);
                        opened.1.notify_all();
                    }
                });
            }
        });
        Server { url, heads, streams }
    }

    /// Sends an event to the open streams, and waits for the first one.
    pub(crate) fn send_event(&self, name: &str, data: &str) {
        let (streams, opened) = &*self.streams;
        let mut streams = streams.lock();
        opened.wait_while(&mut streams, |streams| streams.is_empty());
        let event = format!("event: {name}\ndata: {data}\n\n");
        streams.retain_mut(|stream| stream.write_all(event.as_bytes()).is_ok());
    }

    /// The targets of all requests so far, as sent.
    pub(crate) fn targets(&self) -> Vec<String> {
        self.heads().iter().map(|head| head.split(' ').nth(1).unwrap().to_owned()).collect()
    }

    pub(crate) fn heads(&self) -> Vec<String> {
        self.heads.lock().clone()
    }
}

/// Responds until the connection ends. Returns it if it is a stream of events.
fn converse(
    mut stream: TcpStream,
    headers: &str,
    heads: &Mutex<Vec<String>>,
    response: &dyn Fn(&str) -> (u16, String),
) -> Option<TcpStream> {
    let mut pending = Vec::new();
    let mut bytes = [0; 4096];
    loop {
        while let Some(end) = pending.windows(4).position(|four| four == b"\r\n\r\n") {
            let head = String::from_utf8(pending.drain(..end + 4).collect()).unwrap();
            let (status, body) = response(head.split(' ').nth(1).unwrap());
            heads.lock().push(head);
            if body == STREAM {
                let head = "HTTP/1.1 200 Said\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n";
                return stream.write_all(head.as_bytes()).is_ok().then_some(stream);
            }
            let length = body.len();
            let reply = format!(
                "HTTP/1.1 {status} Said\r\nContent-Type: application/json\r\n{headers}Content-Length: {length}\r\n\r\n{body}"
            );
            stream.write_all(reply.as_bytes()).ok()?;
        }
        match stream.read(&mut bytes) {
            Ok(count) if count > 0 => pending.extend_from_slice(&bytes[..count]),
            _ => return None,
        }
    }
}

/// The binary with its own environment: an empty home and none of satscope's variables.
pub(crate) struct Shell {
    pub(crate) home: TempDir,
    variables: Vec<(&'static str, String)>,
}

impl Shell {
    pub(crate) fn new() -> Shell {
        Shell { home: tempfile::tempdir().unwrap(), variables: Vec::new() }
    }

    /// Sends both groups to one server.
    pub(crate) fn on(server: &Server) -> Shell {
        Shell::new().with("SATSCOPE_BASE_URL", &server.url).with("SATSCOPE_INDEXER_URL", &server.url)
    }

    pub(crate) fn with(mut self, name: &'static str, value: &str) -> Shell {
        self.variables.push((name, value.to_owned()));
        self
    }

    pub(crate) fn command(&self, line: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_satscope"));
        command.args(line.split_whitespace()).env_clear().env("HOME", self.home.path()).env("TZ", "UTC");
        command.envs(self.variables.iter().map(|(name, value)| (name, value.as_str())));
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    pub(crate) fn run(&self, line: &str) -> Run {
        Run::of(line, self.command(line).output().unwrap())
    }
}

/// Result of a run.
pub(crate) struct Run {
    line: String,
    pub(crate) status: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Run {
    pub(crate) fn of(line: &str, output: Output) -> Run {
        Run {
            line: line.to_owned(),
            status: output.status.code().expect("ended by a signal"),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }

    /// Asserts success without output on standard error.
    pub(crate) fn ok(self) -> Run {
        assert_eq!((self.status, self.stderr.as_str()), (0, ""), "{}: {}", self.line, self.stdout);
        self
    }

    /// Its single line of JSON.
    pub(crate) fn json(&self) -> serde_json::Value {
        assert_eq!(self.stdout.matches('\n').count(), 1, "{}: {}{}", self.line, self.stdout, self.stderr);
        serde_json::from_str(&self.stdout).unwrap()
    }

    /// Asserts failure with this status, no standard output, and one sentence that contains `part`.
    pub(crate) fn fails(&self, status: i32, part: &str) {
        let shown = format!("{}: {} {}{}", self.line, self.status, self.stdout, self.stderr);
        assert_eq!((self.status, self.stdout.as_str()), (status, ""), "{shown}");
        assert!(self.stderr.contains(part), "{part:?} is missing: {shown}");
        assert!(self.stderr.starts_with("satscope: ") && !self.stderr.starts_with("satscope: error"), "{shown}");
        // clap's messages are followed by a hint to `--help`.
        let sentence = self.stderr.split("\n\n").next().unwrap_or_default();
        assert!(sentence.lines().count() == 1 || self.stderr.contains("--help"), "{shown}");
        assert!(self.stderr.contains("\n\n") || self.stderr.lines().count() == 1, "{shown}");
    }
}
