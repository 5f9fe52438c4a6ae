//! A file that `clockctl export --format json` wrote.

use std::io::{self, Read};
use std::path::Path;

use clock_controls::open_regular;
use clockctl::record::file::{self, MAX_BYTES, RecordFile};

use crate::failure::Failure;

/// Reads the file; `-` is standard input. Returns its text, and the same text parsed.
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

/// The bytes of the file, at most one more than `MAX_BYTES`. The path of a pipe is refused, because
/// opening it can block for ever. Standard input may be a pipe.
fn bytes(path: &Path) -> io::Result<Vec<u8>> {
    let limit = u64::try_from(MAX_BYTES).expect("16 MiB") + 1;
    let mut bytes = Vec::new();
    if path == Path::new("-") {
        io::stdin().lock().take(limit).read_to_end(&mut bytes)?;
    } else {
        open_regular(path)?.take(limit).read_to_end(&mut bytes)?;
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustix::fs::{CWD, FileType, Mode, mknodat};

    #[test]
    fn a_pipe_is_refused_and_does_not_block() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("game.json");
        mknodat(CWD, &path, FileType::Fifo, Mode::RUSR, 0).unwrap();
        let (read, is_read) = std::sync::mpsc::channel();
        let of_thread = path.clone();
        std::thread::spawn(move || read.send(super::read(&of_thread).map(drop)));
        let result = is_read.recv_timeout(std::time::Duration::from_secs(30)).unwrap();
        let Err(Failure::Usage(said)) = result else { panic!("{result:?}") };
        assert_eq!(said, format!("{}: not a regular file", path.display()));
    }
}
