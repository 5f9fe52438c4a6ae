//! The addresses of the machine in the network, which the menu shows under "About this clock".
//!
//! The service has a network namespace of its own, in which it has no address. So systemd opens the
//! two files of `/proc` in the namespace of the machine, and passes the descriptors (`OpenFile=` in
//! `clockd.service`, since systemd 253). Each reading from the start gives the present addresses.

use clockd_rt::passed_fds::{IPV4_ADDRESSES, IPV6_ADDRESSES, take_fd};
use std::fs::File;
use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::os::unix::fs::FileExt;

/// How many bytes are read of each file at most. On a machine with one Ethernet adapter and one Wi-Fi
/// adapter, each file has fewer than 4,000 bytes.
const MAX_BYTES: usize = 64 * 1024;

/// The files with the addresses of the machine.
pub struct AddressFiles {
    ipv4: Option<File>,
    ipv6: Option<File>,
    /// Whether systemd opened the files, so that they are certainly those of the machine.
    are_passed: bool,
}

impl AddressFiles {
    /// The files that systemd opened for this process. If it opened none, those of the process's own
    /// network namespace.
    pub fn open() -> AddressFiles {
        let passed = |name| take_fd(name).ok().flatten().map(File::from);
        let (ipv4, ipv6) = (passed(IPV4_ADDRESSES), passed(IPV6_ADDRESSES));
        if ipv4.is_some() || ipv6.is_some() {
            return AddressFiles { ipv4, ipv6, are_passed: true };
        }
        let own = |path| File::open(path).ok();
        AddressFiles {
            ipv4: own("/proc/net/fib_trie"),
            ipv6: own("/proc/net/if_inet6"),
            are_passed: false,
        }
    }

    /// The IPv4 addresses; without any, the IPv6 addresses. Loopback addresses and those that are
    /// valid on one link alone are not included, because nobody can type them elsewhere.
    ///
    /// `None` if it is not known whether the machine has an address: neither file can be read, or
    /// the namespace without an address may not be that of the machine.
    pub fn read(&self) -> Option<Vec<IpAddr>> {
        let text = |file: &Option<File>| file.as_ref().and_then(|file| read_from_start(file).ok());
        let (ipv4, ipv6) = (text(&self.ipv4), text(&self.ipv6));
        let is_readable = ipv4.is_some() || ipv6.is_some();
        let ipv4 = ipv4.as_deref().map(ipv4_addresses).unwrap_or_default();
        let ipv6 = ipv6.as_deref().map(ipv6_addresses).unwrap_or_default();
        let mut addresses: Vec<IpAddr> = ipv4.into_iter().map(IpAddr::V4).collect();
        if addresses.is_empty() {
            addresses.extend(ipv6.into_iter().map(IpAddr::V6));
        }
        (!addresses.is_empty() || self.are_passed && is_readable).then_some(addresses)
    }
}

fn read_from_start(file: &File) -> io::Result<String> {
    let mut bytes = vec![0; MAX_BYTES];
    let mut length = 0;
    while let Some(room) = bytes.get_mut(length..).filter(|room| !room.is_empty()) {
        match file.read_at(room, length as u64)? {
            0 => break,
            read => length += read,
        }
    }
    bytes.truncate(length);
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

/// The flags of an address that should not be given to others: it is temporary (0x01), a duplicate
/// (0x08), deprecated (0x20), or not tested yet (0x40). They are in `linux/if_addr.h`.
const UNFIT: u8 = 0x01 | 0x08 | 0x20 | 0x40;

/// The global addresses of `/proc/net/if_inet6`. Each line has the address in 32 hexadecimal digits,
/// the number of the interface, the length of the prefix, the scope (00 is global), the flags, and
/// the name of the interface.
fn ipv6_addresses(table: &str) -> Vec<Ipv6Addr> {
    table.lines().filter_map(ipv6_address).collect()
}

fn ipv6_address(line: &str) -> Option<Ipv6Addr> {
    let mut words = line.split_whitespace();
    let (address, scope, flags) = (words.next()?, words.nth(2)?, words.next()?);
    let flags = u8::from_str_radix(flags, 16).ok()?;
    let address = u128::from_str_radix(address, 16).ok().map(Ipv6Addr::from_bits)?;
    (scope == "00" && flags & UNFIT == 0).then_some(address)
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

    /// The loopback address; a global one; a temporary one; one of the link.
    const INET6: &str = "\
00000000000000000000000000000001 01 80 10 80       lo
20010db8000000000000000000000012 02 40 00 80     eth0
20010db800000000a1b2c3d4e5f60718 02 40 00 01     eth0
fe8000000000000000fc00fffe000001 02 40 20 80     eth0
";

    fn file(text: &str) -> Option<File> {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(text.as_bytes()).unwrap();
        Some(file)
    }

    fn texts(files: &AddressFiles) -> Option<Vec<String>> {
        files.read().map(|addresses| addresses.iter().map(IpAddr::to_string).collect())
    }

    #[test]
    fn the_addresses_that_others_can_use_are_read() {
        let of = |ipv4, ipv6, are_passed| AddressFiles { ipv4, ipv6, are_passed };
        let files = of(file(TRIE), file(INET6), true);
        assert_eq!(texts(&files).unwrap(), ["192.0.2.12"]);
        assert_eq!(texts(&files).unwrap(), ["192.0.2.12"], "the second reading starts again");
        assert_eq!(texts(&of(None, file(INET6), false)).unwrap(), ["2001:db8::12"]);
        let without = || (file(""), file("no table\n0 0 0 0\n"));
        let (ipv4, ipv6) = without();
        assert_eq!(texts(&of(ipv4, ipv6, true)).unwrap(), [""; 0]);
        let (ipv4, ipv6) = without();
        assert_eq!(texts(&of(ipv4, ipv6, false)), None, "perhaps the machine has one");
        assert_eq!(texts(&of(None, None, true)), None);
    }

    /// The kernel's own files have the form that is read here: every machine has a loopback address.
    #[test]
    fn the_kernel_writes_these_forms() {
        let trie = std::fs::read_to_string("/proc/net/fib_trie").unwrap();
        let shown_as_another = trie.replace("|-- 127.0.0.1", "|-- 192.0.2.77");
        assert!(ipv4_addresses(&shown_as_another).contains(&Ipv4Addr::new(192, 0, 2, 77)));
    }
}
