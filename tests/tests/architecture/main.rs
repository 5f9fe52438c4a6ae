//! Which crate may use which, which file of a crate may import which, and how texts cite clauses.

mod cited_sources;
mod crates;
mod imports;
mod modules;
