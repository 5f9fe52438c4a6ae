//! The words of the face.

/// The words of the face.
#[derive(Debug)]
pub struct Face {
    /// The note for a low time.
    pub low: &'static str,
}
