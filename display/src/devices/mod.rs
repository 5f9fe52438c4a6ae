//! The devices beside the picture.

pub mod segments;
#[cfg(test)]
mod test_content;
