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

    /// The name of the host without the user, for a column of a table.
    pub fn name(&self) -> &str {
        let name = self.0.strip_prefix("ssh://").unwrap_or(&self.0);
        name.rsplit_once('@').map_or(name, |(_, host)| host)
    }
}

impl FromStr for Host {
    type Err = String;

    fn from_str(text: &str) -> Result<Host, String> {
        let wrong = if text.is_empty() {
            "it is empty"
        } else if text.len() > HOST_LIMIT {
            "it is longer than 300 bytes"
        } else if text.starts_with('-') {
            // `ssh` would take it as an option.
            "it begins with a dash"
        } else if text.chars().any(|letter| letter.is_control() || letter.is_whitespace()) {
            "it has a space or a control character"
        } else if text.contains(',') {
            "it has a comma"
        } else {
            return Ok(Host(text.to_owned()));
        };
        Err(format!("{wrong}; expected HOST, USER@HOST or ssh://USER@HOST:PORT"))
    }
}

#[cfg(test)]
mod tests {
    use super::Host;

    #[test]
    fn a_host_is_a_destination_of_ssh_and_never_an_option() {
        for (text, name) in [
            ("clock-12", "clock-12"),
            ("arbiter@clock-12", "clock-12"),
            ("ssh://arbiter@[::1]:2222", "[::1]:2222"),
            ("arbiter@o'kelly", "o'kelly"),
        ] {
            assert_eq!(text.parse::<Host>().unwrap().name(), name);
        }
        for text in ["", "-oProxyCommand=id", "a b", "a\nb", "a,b", &"x".repeat(301)] {
            assert!(text.parse::<Host>().unwrap_err().contains("expected HOST"), "{text}");
        }
    }
}
