//! Which crate may use which, which file of a crate may import which, how texts cite clauses, and what files outside the crates
//! must agree on.

mod card;
mod cited_sources;
mod crates;
mod format_widths;
mod imports;
mod modules;
