//! Finds the GPIO chip of a board, explains why the kernel refuses a line, and converts the errors
//! of the crates for uAPI v1 and v2.

use super::GpioError;
use clock_wiring::LineName;
use clockd_core::Button;
use gpio_cdev::Chip;
use std::io;
use std::path::PathBuf;

/// Finds a chip by its label, because the number of a chip can change between kernels. A name or a
/// path is accepted too. If the machine has several of the wanted chips, the one that comes first
/// in `wanted` is returned.
pub fn find(wanted: &[String]) -> Result<Chip, GpioError> {
    let mut chips = Vec::new();
    let mut found = Vec::new();
    for path in paths() {
        match Chip::new(&path) {
            Ok(chip) => {
                found.push(format!("{} ({})", chip.name(), chip.label()));
                chips.push(chip);
            }
            // This may be the wanted chip, so the error message says why it cannot be opened.
            Err(error) => found.push(format!("{} ({})", path.display(), reason(&v1_error(error)))),
        }
    }
    let position = wanted.iter().find_map(|wanted| {
        chips.iter().position(|chip| {
            [chip.label(), chip.name()].contains(&wanted.as_str())
                || chip.path().to_str() == Some(wanted)
        })
    });
    match position {
        Some(position) => Ok(chips.swap_remove(position)),
        None => {
            let found = if found.is_empty() { "none".to_owned() } else { found.join(", ") };
            let wanted: Vec<_> = wanted.iter().map(|label| format!("`{label}`")).collect();
            Err(GpioError::NoChip { wanted: wanted.join(" or "), found })
        }
    }
}

/// The paths of all GPIO chips, sorted. `gpio_cdev::chips` is not used, because it stops at the
/// first device that the process may not open.
fn paths() -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> = std::fs::read_dir("/dev")
        .into_iter()
        .flatten()
        .flatten()
        .filter(|entry| entry.file_name().to_string_lossy().starts_with("gpiochip"))
        .map(|entry| entry.path())
        .collect();
    paths.sort();
    paths
}

/// The error that the chip has no line of this offset or name.
pub fn no_line(chip: &Chip, button: Button, line: &LineName) -> GpioError {
    GpioError::NoLine {
        chip: chip.label().to_owned(),
        line: line.to_string(),
        button,
        found: format!("lines 0 to {}", chip.num_lines().saturating_sub(1)),
    }
}

/// Says why the kernel refuses a chip or a line, in words for the person who has to correct it.
pub fn reason(error: &io::Error) -> String {
    match error.raw_os_error() {
        Some(libc::EINVAL) => {
            "the kernel has no line events of this uAPI (v2 needs CONFIG_GPIO_CDEV, v1 also \
             CONFIG_GPIO_CDEV_V1), or no pull-ups on this line"
                .to_owned()
        }
        Some(libc::EBUSY) => "another program or driver has the line".to_owned(),
        Some(libc::EPERM | libc::EACCES) => {
            "permission denied; clockd must be in the group of the chip's device".to_owned()
        }
        _ => error.to_string(),
    }
}

/// Converts an error of gpio-cdev. gpio-cdev stores the errno of an ioctl as the error type of the
/// crate nix, and the errno of opening a file as an [`io::Error`].
pub fn v1_error(error: gpio_cdev::Error) -> io::Error {
    let errno = std::error::Error::source(&error).and_then(|source| {
        let of_ioctl = source.downcast_ref::<nix::errno::Errno>().map(|errno| *errno as i32);
        of_ioctl.or_else(|| source.downcast_ref::<io::Error>()?.raw_os_error())
    });
    errno.map_or_else(|| io::Error::other(error), io::Error::from_raw_os_error)
}

/// Converts an error of gpiocdev-uapi. This does not allocate.
pub fn v2_error(error: &gpiocdev_uapi::v2::Error) -> io::Error {
    match error {
        gpiocdev_uapi::v2::Error::Os(errno) => io::Error::from_raw_os_error(errno.0),
        gpiocdev_uapi::v2::Error::UnderRead(_) => io::ErrorKind::UnexpectedEof.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_errno_of_a_refusal_is_found_whoever_kept_it() {
        let no_chip = v1_error(Chip::new("/dev/null").expect_err("no chip"));
        assert_eq!(no_chip.raw_os_error(), Some(libc::ENOTTY));
        let no_file = v1_error(Chip::new("/dev/nowhere").expect_err("no file"));
        assert_eq!(no_file.raw_os_error(), Some(libc::ENOENT));
        let busy = io::Error::from_raw_os_error(libc::EBUSY);
        assert_eq!(reason(&busy), "another program or driver has the line");
    }

    #[test]
    fn a_missing_chip_is_named_with_what_there_is() {
        let wanted = ["pinctrl-nowhere".to_owned(), "pinctrl-elsewhere".to_owned()];
        let error = find(&wanted).expect_err("no such chip").to_string();
        assert!(error.contains("`pinctrl-nowhere` or `pinctrl-elsewhere`"), "{error}");
        assert!(error.contains("this machine has"), "{error}");
    }
}
