//! `clockctl setup` in a folder and on the root of a system.

mod apply;
mod check;

use std::fs;
use std::path::{Path, PathBuf};

use crate::program::{clockctl, run_with_input};

/// A public key.
const KEY: &str =
    "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhscHR4f";

/// A temporary folder in which `clockctl` runs.
struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Folder {
        Folder(tempfile::tempdir().unwrap())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn write(&self, name: &str, contents: impl AsRef<[u8]>) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, contents).unwrap();
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    /// Runs `clockctl setup` with these words. Returns the exit code, and what it prints on standard
    /// output and on standard error.
    fn setup(&self, words: &str) -> (i32, String, String) {
        self.run(&format!("setup {words}"))
    }

    fn run(&self, words: &str) -> (i32, String, String) {
        let mut command = clockctl();
        command.args(words.split(' ')).current_dir(self.0.path());
        let output = run_with_input(command, b"");
        let text = |bytes| String::from_utf8(bytes).unwrap();
        (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
    }

    /// What `clockctl setup` prints when it succeeds.
    fn said(&self, words: &str) -> String {
        let (code, out, error) = self.setup(words);
        assert_eq!(code, 0, "{words}: {out}{error}");
        out
    }

    /// What `clockctl setup` prints when it refuses its input.
    fn refused(&self, words: &str) -> String {
        let (code, out, error) = self.setup(words);
        assert_eq!((code, out.as_str()), (2, ""), "{words}: {error}");
        error
    }
}

/// All files below a folder with their contents.
fn files(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => found.extend(files(&path)),
            false => found.push((path.clone(), fs::read(&path).unwrap())),
        }
    }
    found.sort();
    found
}
