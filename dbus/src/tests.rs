//! The XML is made from the tables and their comments, documents every member, and lists exactly the
//! values that the types have.

mod documentation;
mod xml;

/// Names, each with the lines of its comment.
pub type Described = &'static [(&'static str, &'static [&'static str])];
