//! Where a clock is: on a bus of this machine, or on another machine that is reached with `ssh`.

use std::{fmt, str::FromStr};

use zbus::Address;

/// Where a clock is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// On the system bus of this machine.
    SystemBus,
    /// On the bus at this address.
    Bus(Address),
    /// On the system bus of this machine, which `ssh` reaches.
    Host(Host),
}

impl Target {
    /// Whether both are certainly the same clock. All users of a machine have the same system bus.
    pub fn is_same_clock(&self, other: &Target) -> bool {
        match (self, other) {
            (Target::Host(host), Target::Host(other)) => host.machine() == other.machine(),
            _ => self == other,
        }
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Target::SystemBus => f.write_str("this machine"),
            Target::Bus(address) => write!(f, "{address}"),
            Target::Host(host) => f.write_str(host.as_str()),
        }
    }
}

/// A destination of `ssh`: `HOST`, `USER@HOST`, `ssh://USER@HOST:PORT`, or a name from
/// `~/.ssh/config`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Host(String);

/// The longest destination: a user name of 32 bytes and a host name of 253 fit.
const HOST_LIMIT: usize = 300;

impl Host {
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The host without the user and without the usual port of `ssh`, in small letters.
    fn machine(&self) -> String {
        let name = self.name().to_lowercase();
        let usual = self.0.starts_with("ssh://").then(|| name.strip_suffix(":22")).flatten();
        usual.map_or_else(|| name.clone(), str::to_owned)
    }

    /// The name of the host without the user, for a column of a table.
    pub fn name(&self) -> &str {
        let name = self.0.strip_prefix("ssh://").unwrap_or(&self.0);
        name.rsplit_once('@').map_or(name, |(_, host)| host)
    }
}

/// What is accepted, for messages.
const EXPECTED: &str = "expected HOST, USER@HOST or ssh://USER@HOST:PORT";

impl FromStr for Host {
    type Err = String;

    /// Accepts only letters, digits and the few signs that a destination has. Older versions of
    /// OpenSSH hand the destination to a shell if the user's configuration has a `ProxyCommand` with
    /// `%h` or `%r`, and a user or a host that begins with a dash can become an option there.
    fn from_str(text: &str) -> Result<Host, String> {
        let is_sign = |letter: char| letter.is_alphanumeric() || "._-@:[]%+".contains(letter);
        let whole = text.strip_prefix("ssh://").unwrap_or(text);
        let wrong = if text.is_empty() {
            "it is empty".to_owned()
        } else if text.len() > HOST_LIMIT {
            format!("it is longer than {HOST_LIMIT} bytes")
        } else if whole.split('@').any(|part| part.starts_with('-')) {
            "the user or the host begins with a dash".to_owned()
        } else if whole.split('@').any(str::is_empty) {
            "the user or the host is empty".to_owned()
        } else if let Some(letter) = whole.chars().find(|letter| !is_sign(*letter)) {
            match letter {
                letter if letter.is_control() => "it has a control character".to_owned(),
                ' ' => "it has a space".to_owned(),
                letter => format!("it has the character {letter}"),
            }
        } else {
            return Ok(Host(text.to_owned()));
        };
        Err(format!("{wrong}; {EXPECTED}"))
    }
}

/// The longest D-Bus address, in bytes. The path of a socket has at most 107.
const ADDRESS_LIMIT: usize = 1000;

/// Reads the D-Bus address of a clock on this machine.
///
/// # Errors
///
/// What is wrong, and what is accepted.
pub fn parse_address(text: &str) -> Result<Address, String> {
    if text.len() > ADDRESS_LIMIT {
        return Err(format!("it is longer than {ADDRESS_LIMIT} bytes"));
    }
    let expected = "expected a D-Bus address such as unix:path=/run/dbus/system_bus_socket";
    text.parse().map_err(|_| expected.to_owned())
}

#[cfg(test)]
mod tests {
    use super::{Host, Target};

    #[test]
    fn a_host_is_a_destination_of_ssh_and_never_an_option() {
        for (text, name) in [
            ("clock-12", "clock-12"),
            ("arbiter@clock-12", "clock-12"),
            ("ssh://arbiter@[::1]:2222", "[::1]:2222"),
            ("ssh://clock_12:22", "clock_12:22"),
            ("vera.m+club@fe80::1%eth0", "fe80::1%eth0"),
            ("wächter@uhr", "uhr"),
        ] {
            assert_eq!(text.parse::<Host>().unwrap().name(), name);
        }
        let long = "x".repeat(301);
        for text in ["", "-oProxyCommand=id", "a b", "a\nb", "a,b", "@a", "a@", "ssh://", &long] {
            assert!(text.parse::<Host>().unwrap_err().contains("expected HOST"), "{text}");
        }
    }

    #[test]
    fn one_clock_has_several_spellings() {
        let target = |text: &str| Target::Host(text.parse().unwrap());
        for (one, other, is_same) in [
            ("clock-1", "arbiter@Clock-1", true),
            ("arbiter@clock-1", "ssh://vera@clock-1:22", true),
            ("clock-1", "clock-2", false),
            ("ssh://hall:2201", "ssh://hall:2202", false),
            ("ssh://hall", "ssh://hall:2202", false),
            ("fe80::22", "fe80:", false),
        ] {
            assert_eq!(target(one).is_same_clock(&target(other)), is_same, "{one} {other}");
        }
        assert!(!Target::SystemBus.is_same_clock(&target("clock-1")));
    }

    /// `ssh` can hand the user and the host to a shell, and to programs that take them as options.
    #[test]
    fn a_host_has_nothing_that_a_shell_or_a_program_would_take_for_something_else() {
        for sign in "`$;&|<>(){}'\"\\*?!#~^=/\t ".chars() {
            for text in [format!("a{sign}b"), format!("u{sign}@a"), format!("ssh://a{sign}:22")] {
                let why = text.parse::<Host>().unwrap_err();
                assert!(why.contains("it has ") && why.contains("expected HOST"), "{text}: {why}");
            }
        }
        for text in ["user@-x", "-l@a", "ssh://-x", "ssh://user@-x:22", "a@b@-c"] {
            let why = text.parse::<Host>().unwrap_err();
            assert!(why.contains("begins with a dash"), "{text}: {why}");
        }
    }
}
