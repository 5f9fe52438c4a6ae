//! Writes the inputs of a stored corpus into a folder for libFuzzer, and the inputs of a folder
//! into the file of a corpus. `tests/fuzz/run.sh` calls it.

use clock_fuzz::corpus::{pack, unpack};
use std::path::PathBuf;
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    let done = match arguments.as_slice() {
        [command, file, folder] if command.as_os_str() == "unpack" => unpack(file, folder),
        [command, file, folder] if command.as_os_str() == "pack" => pack(file, folder),
        _ => Err("usage: fuzz-corpus unpack|pack FILE FOLDER".to_owned()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("fuzz-corpus: {message}");
            ExitCode::FAILURE
        }
    }
}
