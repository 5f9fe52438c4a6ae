//! The devices beside the picture.

pub mod board;
pub mod buzzer;
pub mod config;
pub mod lamps;
pub mod max7219;
pub mod segments;
#[cfg(test)]
mod test_content;

pub use board::BoardLines;
