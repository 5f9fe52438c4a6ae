//! The addresses of the machine in the network, which the menu shows under "About this clock".
//!
//! The service has a network namespace of its own, in which it has no address. So systemd opens the
//! file of `/proc` in the namespace of the machine, and passes the descriptor (`OpenFile=` in
//! `clockd.service`, since systemd 253). Each reading from the start gives the present addresses.

use clockd_rt::passed_fds::{IPV4_ADDRESSES, take_fd};
use std::fs::File;
use std::io::{self, Read as _, Seek as _};
use std::net::Ipv4Addr;

/// How many bytes are read of the file at most. On a machine with one Ethernet adapter and one Wi-Fi
/// adapter, it has fewer than 4,000 bytes.
const MAX_BYTES: u64 = 64 * 1024;

pub struct AddressFile {
    file: Option<File>,
    /// Whether systemd opened the file, so that it is certainly that of the machine.
    is_passed: bool,
}

impl AddressFile {
    /// The file that systemd opened for this process. If it opened none, that of the process's own
    /// network namespace.
    pub fn open() -> AddressFile {
        match take_fd(IPV4_ADDRESSES).ok().flatten().map(File::from) {
            Some(file) => AddressFile { file: Some(file), is_passed: true },
            None => AddressFile { file: File::open("/proc/net/fib_trie").ok(), is_passed: false },
        }
    }

    /// The IPv4 addresses. Loopback addresses and those that are valid on one link alone are not
    /// included, because nobody can type them elsewhere.
    ///
    /// `None` if it is not known whether the machine has an address: the file cannot be read, or
    /// the namespace without an address may not be that of the machine.
    pub fn read(&self) -> Option<Vec<Ipv4Addr>> {
        let trie = self.file.as_ref().and_then(|file| read_from_start(file).ok())?;
        Some(ipv4_addresses(&trie)).filter(|found| !found.is_empty() || self.is_passed)
    }
}

fn read_from_start(mut file: &File) -> io::Result<String> {
    file.rewind()?;
    let mut bytes = Vec::new();
    file.take(MAX_BYTES).read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// The addresses of `/proc/net/fib_trie`, the kernel's table of routes: a line `|-- 192.0.2.12`
/// before a line `/32 host LOCAL`. The file lists each twice.
fn ipv4_addresses(trie: &str) -> Vec<Ipv4Addr> {
    let mut addresses = Vec::new();
    let mut of_line: Option<Ipv4Addr> = None;
    for line in trie.lines().map(str::trim) {
        if let Some(address) = line.strip_prefix("|-- ") {
            of_line = address.parse().ok();
        } else if line == "/32 host LOCAL"
            && let Some(address) = of_line
            && !address.is_loopback()
            && !address.is_link_local()
            && !addresses.contains(&address)
        {
            addresses.push(address);
        }
    }
    addresses
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write as _;

    /// As the kernel writes it for the addresses 127.0.0.1, 169.254.7.7 and 192.0.2.12.
    const TRIE: &str = "\
Main:
  +-- 0.0.0.0/0 3 0 5
     +-- 127.0.0.0/8 2 0 2
           |-- 127.0.0.1
              /32 host LOCAL
     |-- 169.254.7.7
        /32 host LOCAL
     +-- 192.0.2.0/24 2 0 2
           |-- 192.0.2.0
              /24 link UNICAST
           |-- 192.0.2.12
              /32 host LOCAL
        |-- 192.0.2.255
           /32 link BROADCAST
Local:
           |-- 192.0.2.12
              /32 host LOCAL
";

    fn file(text: &str) -> Option<File> {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(text.as_bytes()).unwrap();
        Some(file)
    }

    #[test]
    fn the_addresses_that_others_can_use_are_read() {
        let of = |text, is_passed| AddressFile { file: file(text), is_passed };
        let machine = of(TRIE, true);
        let expected = Some(vec![Ipv4Addr::new(192, 0, 2, 12)]);
        assert_eq!(machine.read(), expected);
        assert_eq!(machine.read(), expected, "the second reading starts again");
        assert_eq!(of(TRIE, false).read(), expected);
        assert_eq!(of("", true).read(), Some(vec![]));
        assert_eq!(of("", false).read(), None, "perhaps the machine has one");
        assert_eq!(AddressFile { file: None, is_passed: true }.read(), None);
    }

    /// The kernel's own files have the form that is read here: every machine has a loopback address.
    #[test]
    fn the_kernel_writes_these_forms() {
        let trie = std::fs::read_to_string("/proc/net/fib_trie").unwrap();
        let shown_as_another = trie.replace("|-- 127.0.0.1", "|-- 192.0.2.77");
        assert!(ipv4_addresses(&shown_as_another).contains(&Ipv4Addr::new(192, 0, 2, 77)));
    }
}
