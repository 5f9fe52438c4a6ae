//! Control files, good and bad.
