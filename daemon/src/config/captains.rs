//! The table `[captains]` of `clockd.toml`. It names the users who are the captains of the two
//! teams, and the designate: the user whom the captains have designated to rule.

use crate::game::Captains;
use clock_engine::PerSide;
use serde::Deserialize;
use std::ops::Range;
use toml::Spanned;

/// The file that lists the users of this machine.
const USERS: &str = "/etc/passwd";

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table such as [captains]")]
pub struct RawCaptains {
    white: Option<Spanned<String>>,
    black: Option<Spanned<String>>,
    designate: Option<Spanned<String>>,
}

impl RawCaptains {
    /// The user ids of the captains and of the designate. The list of users is read only if the
    /// table names a user. The error is the position in the text of the configuration and the
    /// message.
    pub fn captains(self) -> Result<Captains, (Range<usize>, String)> {
        let RawCaptains { white, black, designate } = self;
        let users = match (&white, &black, &designate) {
            (None, None, None) => String::new(),
            // A list that cannot be read counts as empty. Users can then be given by number only.
            _ => std::fs::read_to_string(USERS).unwrap_or_default(),
        };
        let uid = |user: Option<Spanned<String>>| user.map(|user| found(&users, user)).transpose();
        let captains = PerSide { white: uid(white)?, black: uid(black)? };
        Ok(Captains { captains, designate: uid(designate)? })
    }
}

fn found(users: &str, user: Spanned<String>) -> Result<u32, (Range<usize>, String)> {
    let (span, user) = (user.span(), user.into_inner());
    uid_of(users, &user).ok_or_else(|| {
        (span, format!("no user `{user}`; expected the name or the number of a user in {USERS}"))
    })
}

/// The id of a user who is given by number or by name.
fn uid_of(users: &str, user: &str) -> Option<u32> {
    if let Ok(uid) = user.parse() {
        return Some(uid);
    }
    let mut lines = users.lines().map(|line| line.split(':'));
    lines.find_map(|mut fields| (fields.next()? == user).then(|| fields.nth(1)?.parse().ok())?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_user_is_given_by_name_or_by_number() {
        let users = "root:x:0:0:root:/root:/bin/sh\nvera:x:1001:1001::/home/vera:/bin/sh\nbroken\n";
        for (user, uid) in [
            ("vera", Some(1001)),
            ("root", Some(0)),
            ("4000", Some(4000)),
            ("sonja", None),
            ("broken", None),
            ("", None),
            ("-1", None),
        ] {
            assert_eq!(uid_of(users, user), uid, "{user}");
        }
    }

    #[test]
    fn a_user_who_does_not_exist_is_named_with_the_place() {
        let raw: RawCaptains = toml::from_str("white = '7'\nblack = 'no body'\n").unwrap();
        let (span, message) = raw.captains().unwrap_err();
        assert_eq!(span, 20..29);
        assert!(message.contains("`no body`"), "{message}");
        assert_eq!(RawCaptains::default().captains().unwrap(), Captains::default());
    }
}
