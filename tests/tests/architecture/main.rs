//! Which crate may use which, and which file of a crate may import which.

mod crates;
mod imports;
mod modules;
