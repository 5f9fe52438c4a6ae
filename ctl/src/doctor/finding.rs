//! One thing that was looked at, and what follows from it.

use serde::Serialize;

/// What a finding says of the clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    Fit,
    /// The clock can be played on, but something should be mended.
    Warning,
    /// It could not be found out.
    Unknown,
    /// No game should be played on the clock until it is mended.
    Unfit,
}

impl Verdict {
    pub fn as_str(self) -> &'static str {
        match self {
            Verdict::Fit => "fit",
            Verdict::Warning => "warning",
            Verdict::Unknown => "unknown",
            Verdict::Unfit => "unfit",
        }
    }
}

/// One thing that was looked at.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// A word for scripts, which does not change between versions.
    pub id: &'static str,
    /// What was looked at.
    pub looked_at: &'static str,
    /// What was found.
    pub value: String,
    pub verdict: Verdict,
    /// The command or the part of the documents that helps; null if nothing has to be done.
    pub remedy: Option<String>,
}

impl Finding {
    pub fn new(
        id: &'static str,
        looked_at: &'static str,
        verdict: Verdict,
        value: String,
    ) -> Finding {
        Finding { id, looked_at, value, verdict, remedy: None }
    }

    pub fn with_remedy(self, remedy: impl Into<String>) -> Finding {
        Finding { remedy: Some(remedy.into()), ..self }
    }
}
