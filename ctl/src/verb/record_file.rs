//! A file that `clockctl export --format json` wrote.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use clockctl::record::file::{self, MAX_BYTES, RecordFile};

use crate::failure::Failure;

/// The text of the file, and what is in it. `-` is standard input.
pub fn read(path: &Path) -> Result<(String, RecordFile), Failure> {
    let name = || {
        if path == Path::new("-") { "standard input".into() } else { path.display().to_string() }
    };
    let wrong = |what: String| Failure::Usage(format!("{}: {what}", name()));
    let bytes = bytes(path).map_err(|error| wrong(error.to_string()))?;
    let file = file::read(&bytes).map_err(|error| wrong(error.to_string()))?;
    let text = String::from_utf8(bytes).map_err(|error| wrong(error.to_string()))?;
    Ok((text, file))
}

/// At most one byte more than a file may have.
fn bytes(path: &Path) -> io::Result<Vec<u8>> {
    let limit = u64::try_from(MAX_BYTES).expect("16 MiB") + 1;
    let mut bytes = Vec::new();
    if path == Path::new("-") {
        io::stdin().lock().take(limit).read_to_end(&mut bytes)?;
    } else {
        File::open(path)?.take(limit).read_to_end(&mut bytes)?;
    }
    Ok(bytes)
}
