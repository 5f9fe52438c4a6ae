//! The devices beside the picture.

pub mod buzzer;
pub mod lamps;
pub mod max7219;
pub mod segments;
#[cfg(test)]
mod test_content;
