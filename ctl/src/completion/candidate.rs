//! A word that can follow on an unfinished command line.

/// A word that can follow, and what it means.
pub struct Candidate {
    pub word: String,
    pub description: String,
}

impl Candidate {
    pub fn new(word: impl Into<String>, description: impl Into<String>) -> Candidate {
        Candidate { word: word.into(), description: description.into() }
    }
}
