//! What `record-attachment` attaches.

use std::{fs::File, io::Read, path::Path};

use clock_record::hexadecimal;
use sha2::{Digest, Sha256};

/// The text itself or, for `@` and the path of a file, the name and the SHA-256 of that file.
pub fn text(given: &str) -> Result<String, String> {
    match given.strip_prefix('@') {
        Some(path) => file(Path::new(path)),
        None => Ok(given.to_owned()),
    }
}

/// The name of a file and the SHA-256 of its contents. The file itself stays where it is: it can be
/// a photograph of a scoresheet, and the SHA-256 shows later whether the file was changed.
fn file(path: &Path) -> Result<String, String> {
    let wrong = |what: &str| format!("the file {}: {what}", path.display());
    let name = path.file_name().ok_or_else(|| wrong("it has no name"))?.to_string_lossy();
    let meta = std::fs::metadata(path).map_err(|error| wrong(&error.to_string()))?;
    // A pipe could be read for ever.
    if !meta.is_file() {
        return Err(wrong("it is no regular file"));
    }
    let mut file = File::open(path).map_err(|error| wrong(&error.to_string()))?;
    let mut sum = Sha256::new();
    let mut part = [0; 65536];
    loop {
        match file.read(&mut part).map_err(|error| wrong(&error.to_string()))? {
            0 => return Ok(format!("{name} sha256:{}", hexadecimal(&sum.finalize()))),
            read => sum.update(&part[..read]),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_attached_by_its_name_and_its_sum() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("sheet.jpg");
        std::fs::write(&path, "abc").unwrap();
        let sum = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(file(&path), Ok(format!("sheet.jpg sha256:{sum}")));
        let refused = file(folder.path()).unwrap_err();
        assert!(refused.ends_with("it is no regular file"), "{refused}");
    }
}
