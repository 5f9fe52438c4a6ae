//! The version of the programs.

use std::sync::LazyLock;

/// The version that `--version` prints: that of the crates, and, if the build named the commit in
/// the environment variable `CHESS_CLOCK_COMMIT`, the commit: `0.1.0 (26911c85a1b2)`. `make build`
/// and the packages name it. The `Version` of the clock on D-Bus has no commit.
pub fn version() -> &'static str {
    static VERSION: LazyLock<String> =
        LazyLock::new(|| with_commit(env!("CARGO_PKG_VERSION"), option_env!("CHESS_CLOCK_COMMIT")));
    &VERSION
}

fn with_commit(version: &str, commit: Option<&str>) -> String {
    match commit {
        None | Some("") => version.to_owned(),
        Some(commit) => format!("{version} ({commit})"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_commit_is_named_if_it_is_known() {
        assert_eq!(with_commit("0.1.0", Some("26911c85a1b2")), "0.1.0 (26911c85a1b2)");
        assert_eq!(with_commit("0.1.0", Some("")), "0.1.0");
        assert_eq!(with_commit("0.1.0", None), "0.1.0");
    }
}
