//! Which crate may use which, which file of a crate may import which, and what files outside the crates must agree on.

mod card;
mod crates;
mod imports;
mod modules;
