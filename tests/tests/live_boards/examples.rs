//! The programs in examples/.
