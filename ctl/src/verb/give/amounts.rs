//! The amounts of a penalty and of a time method, as they are typed.

use clock_dbus::commands::{Method, PenaltyKind, Span};
use clock_engine::rules::PenaltyAmount;
use clock_engine::text::{parse_duration, parse_points};
use clock_record::hexadecimal;
use sha2::{Digest, Sha256};
use std::fs::File;
use std::io::Read;
use std::path::Path;

pub const AMOUNTS: &str = "\
A time is 0:02:00 (h:mm:ss) or has units: 2m, 30s. Points are 0.5, 1 and so on, in steps of a half; 0 takes \
the earlier points of this kind back. \
Examples: clockctl penalize white opponent-plus 2m; clockctl penalize black points-off 0.5.";

/// Reads the kind of a penalty. It has no possible values, because clap would suggest the most
/// similar word for a mistyped one, and that is a different penalty.
pub fn penalty_kind(text: &str) -> Result<PenaltyKind, String> {
    PenaltyKind::from_word(text).ok_or_else(|| {
        let all: Vec<&str> = PenaltyKind::ALL.iter().map(|kind| kind.as_str()).collect();
        format!("a penalty is one of {}", all.join(", "))
    })
}

/// Reads the amount of a penalty. Returns the time and the points in half points; 0 for what the
/// penalty does not use.
pub fn amounts(kind: PenaltyKind, amount: Option<&str>) -> Result<(Span, u32), String> {
    use PenaltyAmount::{OffenderPoints, OpponentPoints, Time};
    match (kind.amount(), amount) {
        (Some(Time), Some(time)) => {
            let time = parse_duration(time).map_err(|error| error.to_string())?;
            Ok((time, 0))
        }
        (Some(Time), None) => Err(format!("{kind} needs a time, such as 2m")),
        (Some(OffenderPoints | OpponentPoints), Some(points)) => {
            let half_points = parse_points(points).ok_or_else(|| {
                format!("`{points}` is no number of points; expected 0.5, 1, 1.5")
            })?;
            Ok((Span::ZERO, half_points))
        }
        (Some(OffenderPoints | OpponentPoints), None) => {
            Err(format!("{kind} needs points, such as 0.5"))
        }
        (None, Some(amount)) => {
            Err(format!("{kind} takes neither a time nor points, such as `{amount}`"))
        }
        (None, None) => Ok((Span::ZERO, 0)),
    }
}

/// The time of a time method for each move; 0 for `none`.
pub fn method_amount(method: Method, amount: Option<&str>) -> Result<Span, String> {
    match (method, amount) {
        (Method::None, None) => Ok(Span::ZERO),
        (Method::None, Some(amount)) => Err(format!("none takes no time, such as `{amount}`")),
        (method, None) => Err(format!("{} needs a time, such as 30s", method.as_str())),
        (_, Some(amount)) => parse_duration(amount).map_err(|error| error.to_string()),
    }
}

/// The text itself or, for `@` and the path of a file, the name and the SHA-256 of that file.
pub fn attachment(given: &str) -> Result<String, String> {
    match given.strip_prefix('@') {
        Some(path) => attached_file(Path::new(path)),
        None => Ok(given.to_owned()),
    }
}

/// The name of a file and the SHA-256 of its contents. The file itself stays where it is: it can be
/// a photograph of a scoresheet, and the SHA-256 shows later whether the file was changed.
fn attached_file(path: &Path) -> Result<String, String> {
    let wrong = |what: &str| format!("the file {}: {what}", path.display());
    let name = path.file_name().ok_or_else(|| wrong("it has no name"))?.to_string_lossy();
    let meta = std::fs::metadata(path).map_err(|error| wrong(&error.to_string()))?;
    // A pipe could be read for ever.
    if !meta.is_file() {
        return Err(wrong("it is no regular file"));
    }
    let mut attached_file = File::open(path).map_err(|error| wrong(&error.to_string()))?;
    let mut sum = Sha256::new();
    let mut part = [0; 65536];
    loop {
        match attached_file.read(&mut part).map_err(|error| wrong(&error.to_string()))? {
            0 => return Ok(format!("{name} sha256:{}", hexadecimal(&sum.finalize()))),
            read => sum.update(&part[..read]),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{PenaltyKind, amounts, *};

    #[test]
    fn each_penalty_takes_its_own_amount() {
        use PenaltyKind::*;
        for (kind, amount, expected) in [
            (OpponentPlus, Some("2m"), Some((120_000_000_000, 0))),
            (OffenderMinus, Some("0:00:30"), Some((30_000_000_000, 0))),
            (OpponentPlus, None, None),
            (OpponentPlus, Some("-2m"), None),
            (PointsOff, Some("0.5"), Some((0, 1))),
            (OpponentPoints, Some("1"), Some((0, 2))),
            (OpponentPoints, Some("0"), Some((0, 0))),
            (PointsOff, Some("0.25"), None),
            (PointsOff, Some("2m"), None),
            (PointsOff, None, None),
            (Warning, None, Some((0, 0))),
            (Loss, None, Some((0, 0))),
            (Warning, Some("2m"), None),
            (Expulsion, Some("1"), None),
        ] {
            let read = amounts(kind, amount).ok().map(|(time, points)| (time.as_nanos(), points));
            assert_eq!(read, expected, "{kind} {amount:?}");
        }
    }

    #[test]
    fn a_file_is_attached_by_its_name_and_its_sum() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("sheet.jpg");
        std::fs::write(&path, "abc").unwrap();
        let sum = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(attached_file(&path), Ok(format!("sheet.jpg sha256:{sum}")));
        let refused = attached_file(folder.path()).unwrap_err();
        assert!(refused.ends_with("it is no regular file"), "{refused}");
    }
}
