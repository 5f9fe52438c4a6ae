//! Writes a rule profile as the text of a rule file.

use super::{Parameter, RuleFile, Situation};

impl RuleFile {
    /// The text of a rule file that inherits nothing and sets every parameter;
    /// [`RuleFile::parse`] reads it back.
    pub fn to_toml(&self) -> String {
        let mut text = format!("name = {}\n", quoted(&self.name));
        for parameter in Parameter::ALL {
            text.push_str(&format!("{} = {}\n", parameter.key, parameter.value(&self.profile)));
        }
        let texts = Situation::ALL.iter().filter_map(|situation| {
            Some(format!("{} = {}\n", situation.as_str(), quoted(self.guidance.get(*situation)?)))
        });
        let texts: String = texts.collect();
        if !texts.is_empty() {
            text.push_str(&format!("\n[guidance]\n{texts}"));
        }
        text
    }
}

/// The text as a TOML string.
fn quoted(text: &str) -> String {
    toml::Value::from(text).to_string()
}
