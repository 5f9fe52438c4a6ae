//! Public keys of SSH.

/// The types of keys that OpenSSH accepts for a user. It does not accept DSA any more.
const TYPES: [&str; 7] = [
    "ssh-ed25519",
    "ecdsa-sha2-nistp256",
    "ecdsa-sha2-nistp384",
    "ecdsa-sha2-nistp521",
    "sk-ssh-ed25519@openssh.com",
    "sk-ecdsa-sha2-nistp256@openssh.com",
    "ssh-rsa",
];
/// The longest key in bytes. One of RSA with 16384 bits has 2,800.
const LIMIT: usize = 4096;

/// Reads a public key as a file `*.pub` has it: its type, its base64 and a comment, which is left
/// out of the result.
///
/// # Errors
///
/// Why it is no public key.
pub(super) fn parse(text: &str) -> Result<String, String> {
    const EXPECTED: &str = "expected the line of a file such as id_ed25519.pub";
    if text.contains("PRIVATE KEY") {
        return Err(format!("it is a private key, which never leaves its owner; {EXPECTED}"));
    }
    if text.trim().lines().count() > 1 {
        return Err(format!("it has several lines; {EXPECTED}"));
    }
    let mut words = text.split_whitespace();
    let (Some(kind), Some(base64)) = (words.next(), words.next()) else {
        return Err(format!("it has no type and key; {EXPECTED}"));
    };
    if !TYPES.contains(&kind) {
        return Err(format!("it has the type `{kind}`; expected one of {}", TYPES.join(", ")));
    }
    let blob = (base64.len() <= LIMIT).then(|| decoded(base64)).flatten();
    let blob = blob.ok_or_else(|| format!("its second word is no base64 of a key; {EXPECTED}"))?;
    match fields(&blob).as_deref() {
        Some([name, _, ..]) if *name == kind.as_bytes() => Ok(format!("{kind} {base64}")),
        Some([name, ..]) if *name != kind.as_bytes() => {
            let name = String::from_utf8_lossy(name);
            Err(format!("it says `{kind}` and contains a key of the type `{name}`"))
        }
        _ => Err(format!("it is incomplete or damaged; {EXPECTED}")),
    }
}

/// The bytes of a text in base64 (RFC 4648, with padding).
fn decoded(text: &str) -> Option<Vec<u8>> {
    let digits = text.trim_end_matches('=');
    if !text.len().is_multiple_of(4) || text.len() - digits.len() > 2 {
        return None;
    }
    let (mut bytes, mut bits, mut count) = (Vec::new(), 0_u32, 0_u32);
    for digit in digits.bytes() {
        let value = match digit {
            b'A'..=b'Z' => digit - b'A',
            b'a'..=b'z' => digit - b'a' + 26,
            b'0'..=b'9' => digit - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            _ => return None,
        };
        bits = (bits << 6 | u32::from(value)) & 0xffff;
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push((bits >> count & 0xff).try_into().ok()?);
        }
    }
    Some(bytes)
}

/// The fields of a key (RFC 4253, section 6.6), each with its length before it. `None` if they do
/// not fill the key exactly.
fn fields(mut blob: &[u8]) -> Option<Vec<&[u8]>> {
    let mut fields = Vec::new();
    while !blob.is_empty() {
        let (length, rest) = blob.split_first_chunk::<4>()?;
        let length = usize::try_from(u32::from_be_bytes(*length)).ok()?;
        let (field, rest) = rest.split_at_checked(length)?;
        fields.push(field);
        blob = rest;
    }
    Some(fields)
}

#[cfg(test)]
mod tests {
    use super::parse;

    const KEY: &str =
        "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhscHR4f";

    #[test]
    fn a_public_key_is_taken_without_its_comment() {
        assert_eq!(parse(KEY).unwrap(), KEY);
        assert_eq!(parse(&format!("  {KEY} vera@home, desk\n")).unwrap(), KEY);
    }

    #[test]
    fn what_is_no_public_key_is_refused_with_the_reason() {
        let (kind, base64) = KEY.split_once(' ').unwrap();
        for (wrong, part) in [
            ("", "no type and key"),
            ("ssh-ed25519", "no type and key"),
            ("-----BEGIN OPENSSH PRIVATE KEY-----\nabc", "it is a private key"),
            (&format!("{KEY}\n{KEY}"), "several lines"),
            (&format!("ssh-dss {base64}"), "the type `ssh-dss`; expected one of ssh-ed25519, "),
            (&format!("command=\"sh\" {KEY}"), "the type `command=\"sh\"`"),
            (&format!("{kind} {}", &base64[..base64.len() - 4]), "incomplete or damaged"),
            (&format!("{kind} {}", &base64[..base64.len() - 1]), "no base64"),
            (&format!("{kind} {base64}===="), "no base64"),
            (&format!("{kind} {}", base64.replace('g', "*")), "no base64"),
            (&format!("{kind} {}", "A".repeat(5000)), "no base64"),
            (&format!("ssh-rsa {base64}"), "contains a key of the type `ssh-ed25519`"),
        ] {
            let why = parse(wrong).unwrap_err();
            assert!(why.contains(part), "{wrong}: {why}");
        }
    }
}
