//! Generates the XML and the JSON Schemas from the tables and their comments, and compares them with the
//! committed files. Also checks that the XML documents every member, and lists exactly the values of each
//! type.

mod documentation;
mod schemas;
mod xml;

/// Names, each with the lines of its comment.
pub type Described = &'static [(&'static str, &'static [&'static str])];

/// A field of a structure that the JSON Schemas describe.
pub struct Field {
    pub name: &'static str,
    /// The type.
    pub of: &'static str,
    /// The attribute of serde, or an empty text.
    pub serde: &'static str,
    pub comment: &'static [&'static str],
}

/// Compares a file with what its sources give or, if this variable is set, writes the file.
fn compare(file: &str, committed: &str, made: &str, update: &str) {
    if std::env::var_os(update).is_some() {
        return std::fs::write(file, made).unwrap();
    }
    for (number, (committed, made)) in committed.lines().zip(made.lines()).enumerate() {
        let line = number + 1;
        assert_eq!(committed, made, "line {line} of {file}; run the test with {update}=1");
    }
    assert_eq!(committed, made, "{file}; run the test with {update}=1");
}
