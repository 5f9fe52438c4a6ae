//! Names of time zones.

/// The longest name, in bytes. The longest one of the database has 32.
const LIMIT: usize = 64;

/// Checks the form of a name, which becomes part of a path: a region and a place such as `Europe/Berlin`, or
/// `UTC`. Each part begins with a capital letter, as in the database; its folders `right` and `posix`, and the
/// files that are no zone, do not.
///
/// # Errors
///
/// What is expected.
pub(super) fn check(name: &str) -> Result<(), String> {
    let is_part = |part: &str| {
        part.starts_with(|first: char| first.is_ascii_uppercase())
            && part.chars().all(|letter| letter.is_ascii_alphanumeric() || "_-+".contains(letter))
    };
    let is_zone = name == "UTC" || (name.contains('/') && name.split('/').all(is_part));
    (is_zone && name.len() <= LIMIT).then_some(()).ok_or_else(|| {
        format!("`{name}`; expected the name of a time zone such as \"Europe/Berlin\", or \"UTC\"")
    })
}

#[cfg(test)]
mod tests {
    use super::check;

    #[test]
    fn a_time_zone_is_a_region_and_a_place() {
        for good in [
            "UTC",
            "Europe/Dublin",
            "America/Argentina/Buenos_Aires",
            "America/Port-au-Prince",
            "Etc/GMT+5",
        ] {
            assert_eq!(check(good), Ok(()), "{good}");
        }
        for wrong in [
            "",
            "Berlin",
            "CET",
            "localtime",
            "right/Europe/Berlin",
            "../Europe/Berlin",
            "Europe/../../etc/shadow",
            "/Europe/Berlin",
            "Europe/",
            "Europe//Berlin",
            "Europe/Berlin\n",
            "Europe/Bérlin",
            "CET-1CEST,M3.5.0,M10.5.0/3",
            &format!("Europe/{}", "X".repeat(60)),
        ] {
            let why = check(wrong).unwrap_err();
            assert!(why.contains("expected the name of a time zone such as"), "{why}");
        }
    }
}
