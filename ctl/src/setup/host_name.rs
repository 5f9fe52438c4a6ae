//! Names of machines.

/// The longest name of a machine on Linux and in the DNS, in bytes.
const LIMIT: usize = 63;

/// Checks a name of a machine: one label of RFC 1123.
///
/// # Errors
///
/// What is wrong with it, and what is expected.
pub(super) fn check(name: &str) -> Result<(), String> {
    let why = if name.is_empty() {
        "it is empty".to_owned()
    } else if name.len() > LIMIT {
        format!("it has {} bytes", name.len())
    } else if let Some(letter) =
        name.chars().find(|letter| !letter.is_ascii_alphanumeric() && *letter != '-')
    {
        format!("it has the character {letter:?}")
    } else if name.starts_with('-') || name.ends_with('-') {
        "it begins or ends with a hyphen".to_owned()
    } else if name.bytes().all(|byte| byte.is_ascii_digit()) {
        "it has only digits".to_owned()
    } else if name.eq_ignore_ascii_case("localhost") {
        "every machine has this name for itself".to_owned()
    } else {
        return Ok(());
    };
    Err(format!(
        "the host name {name:?}: {why}; expected 1 to {LIMIT} letters a to z, digits and hyphens, such as \"clock-12\""
    ))
}

#[cfg(test)]
mod tests {
    use super::check;

    #[test]
    fn a_host_name_is_a_label_of_rfc_1123() {
        for good in ["clock-12", "a", "3com", "C1", &"x".repeat(63)] {
            assert_eq!(check(good), Ok(()), "{good}");
        }
        for (wrong, part) in [
            ("", "it is empty"),
            ("clock_12", "the character '_'"),
            ("clock.hall", "the character '.'"),
            ("clöck", "the character 'ö'"),
            ("a b", "the character ' '"),
            ("-clock", "begins or ends with a hyphen"),
            ("clock-", "begins or ends with a hyphen"),
            ("12", "only digits"),
            ("LocalHost", "every machine"),
            (&"x".repeat(64), "it has 64 bytes"),
        ] {
            let why = check(wrong).unwrap_err();
            assert!(why.contains(part) && why.contains("expected 1 to 63"), "{wrong}: {why}");
        }
    }
}
