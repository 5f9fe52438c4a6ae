//! The format of a file that is written: the one that is given, or that of the file's name.

use std::path::Path;

use clap::ValueEnum;

use crate::options::word;

/// A format with names of files.
pub trait FileFormat: ValueEnum + Copy + PartialEq {
    /// The format if neither an option nor the name says it.
    const DEFAULT: Self;

    /// The format of files with this extension, in small letters.
    fn of_extension(extension: &str) -> Option<Self>;
}

/// The format of the output.
///
/// # Errors
///
/// The option and the name of the file contradict each other.
pub fn format_of<F: FileFormat>(given: Option<F>, output: Option<&Path>) -> Result<F, String> {
    let extension = output.and_then(Path::extension).map(|it| it.to_string_lossy().to_lowercase());
    let named = extension.as_deref().and_then(F::of_extension);
    match (given, named) {
        (Some(given), Some(named)) if given != named => Err(format!(
            "--format {} contradicts the name {}, which is that of {}: leave --format out, or give \
             another name",
            word(&given),
            output.unwrap_or(Path::new("")).display(),
            word(&named)
        )),
        (given, named) => Ok(given.or(named).unwrap_or(F::DEFAULT)),
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use clap::ValueEnum;

    use super::{FileFormat, format_of};

    #[derive(Clone, Copy, Debug, PartialEq, ValueEnum)]
    enum Format {
        Text,
        Html,
    }

    impl FileFormat for Format {
        const DEFAULT: Format = Format::Text;

        fn of_extension(extension: &str) -> Option<Format> {
            match extension {
                "html" | "htm" => Some(Format::Html),
                "txt" => Some(Format::Text),
                _ => None,
            }
        }
    }

    #[test]
    fn the_option_and_the_name_must_agree() {
        let of = |given, name: &str| format_of(given, Some(Path::new(name)));
        assert_eq!(of(None, "round.HTML"), Ok(Format::Html));
        assert_eq!(of(Some(Format::Html), "round.htm"), Ok(Format::Html));
        assert_eq!(of(Some(Format::Html), "round.3"), Ok(Format::Html));
        assert_eq!(of(None, "/tmp/html"), Ok(Format::Text));
        assert_eq!(format_of(None, None), Ok(Format::Text));
        let wrong = of(Some(Format::Html), "round.txt").unwrap_err();
        assert!(wrong.starts_with("--format html contradicts the name round.txt"), "{wrong}");
    }
}
