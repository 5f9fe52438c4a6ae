//! Messages for the journal, on the standard error output.

use std::io::{self, IsTerminal, Write};

/// Writes a message. A journal that does not take it must not end the face.
pub fn report(message: &str) {
    let _ = writeln!(io::stderr(), "clock-display: {message}");
}

/// The same beside a face in a terminal, which a message on that terminal would damage.
pub fn report_beside_a_terminal(message: &str) {
    if !io::stderr().is_terminal() {
        report(message);
    }
}
