//! `satscope serve`: signals, and an output that can't be written.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};

use rustix::process::{Pid, Signal, kill_process};

use super::server::Shell;

/// The address that a starting service prints.
fn address(child: &mut Child) -> String {
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    line.trim_end().strip_prefix("http://").unwrap().to_owned()
}

#[test]
#[cfg(target_os = "linux")]
fn hangup_ends_serve_like_sigterm() {
    let shell = Shell::new();
    // The tests may have been started with `nohup`.
    let mut command = Command::new("env");
    command.args(["--default-signal=HUP", env!("CARGO_BIN_EXE_satscope"), "serve", "--listen", "127.0.0.1:0"]);
    command.env("HOME", shell.home.path()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().unwrap();
    address(&mut child);
    kill_process(Pid::from_child(&child), Signal::HUP).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

/// As after `nohup`.
#[test]
fn ignored_hangup_stays_ignored() {
    let shell = Shell::new();
    let mut command = Command::new("sh");
    command.args(["-c", "trap '' HUP; exec \"$0\" serve --listen 127.0.0.1:0", env!("CARGO_BIN_EXE_satscope")]);
    command.env_clear().env("HOME", shell.home.path()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().unwrap();
    let address = address(&mut child);
    kill_process(Pid::from_child(&child), Signal::HUP).unwrap();
    let mut stream = TcpStream::connect(address).unwrap();
    stream.write_all(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n").unwrap();
    let mut response = String::new();
    stream.read_to_string(&mut response).unwrap();
    assert!(response.starts_with("HTTP/1.1 200"), "{response}");
    kill_process(Pid::from_child(&child), Signal::TERM).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

#[test]
#[cfg(target_os = "linux")]
fn serve_ends_if_its_address_cannot_be_printed() {
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let output = Shell::new().command("serve --listen 127.0.0.1:0").stdout(full).output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.starts_with("satscope: can't write to standard output (disk full)\n"), "{said}");
}

#[test]
fn serve_continues_if_nobody_reads_its_address() {
    let listen = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let mut child = Shell::new().command(&format!("serve --listen {listen}")).stdout(writer).spawn().unwrap();
    // The note follows the address.
    let mut note = String::new();
    BufReader::new(child.stderr.take().unwrap()).read_line(&mut note).unwrap();
    assert!(note.starts_with("satscope: simulated data"), "{note}");
    assert!(TcpStream::connect(listen).is_ok());
    kill_process(Pid::from_child(&child), Signal::TERM).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(0));
}
