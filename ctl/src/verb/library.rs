//! What `time-control` and `rules` have in common: they list the names that the clock knows, and
//! check files.

use crate::bus::{Bus, bounded};
use crate::failure::Failure;
use crate::options::Options;
use crate::out;
use crate::target::Target;
use crate::text::{padded, plain};
use anyhow::Result;
use clock_dbus::ClockProxy;
use serde::Serialize;

/// A time control or a rule profile that can be given by its name.
#[derive(Serialize)]
pub struct NameJson {
    name: String,
    title: String,
}

/// Prints the names that the clock knows, with their titles: those of `read` or, if no clock
/// service runs here, the compiled-in ones. `what` is the kind of the names, for messages.
pub async fn list(
    options: &Options,
    what: &str,
    read: impl AsyncFnOnce(&ClockProxy<'static>) -> clock_dbus::Result<Vec<(String, String)>>,
    compiled_in: impl FnOnce() -> Vec<(String, String)>,
) -> Result<()> {
    let names = match of_the_clock(options, what).await? {
        Some(bus) => bounded(read(&bus.clock)).await?,
        None => compiled_in(),
    };
    let names: Vec<NameJson> =
        names.into_iter().map(|(name, title)| NameJson { name, title: plain(&title) }).collect();
    if options.quiet {
        return Ok(());
    }
    if options.json {
        return names.iter().try_for_each(out::print_json);
    }
    out::print(&table(&names))
}

/// Prints one time control or rule profile, as JSON or as text. The text can contain that of a
/// file, so characters that control the terminal are removed.
pub fn show<J: Serialize>(
    options: &Options,
    json: impl FnOnce() -> J,
    text: impl FnOnce() -> String,
) -> Result<()> {
    match options {
        Options { quiet: true, .. } => Ok(()),
        Options { json: true, .. } => out::print_json(&json()),
        _ => out::print(&visible(&text())),
    }
}

/// One line for each name. Characters that control the terminal are removed, because the name of a
/// file can contain them.
fn table(names: &[NameJson]) -> String {
    let shown: Vec<String> = names.iter().map(|named| plain(&named.name)).collect();
    let width = shown.iter().map(|name| name.chars().count()).max().unwrap_or(0);
    let lines = shown.iter().zip(names);
    lines.map(|(name, named)| format!("{}  {}\n", padded(name, width), named.title)).collect()
}

/// A file that was checked, for scripts. If the file is wrong, `found` has null under its key; if
/// the file is good, `error` is null.
#[derive(Serialize)]
pub struct CheckJson<'a, T> {
    /// The path as it was given.
    pub file: &'a str,
    /// What the file contains, under the key `control` or `rules`.
    #[serde(flatten)]
    pub found: T,
    /// What is wrong with it.
    pub error: Option<String>,
}

/// What is checked: control files or rule files.
pub struct Check<T, J> {
    /// The kind of the files, for messages.
    pub files: &'static str,
    /// Reads one of them.
    pub read: fn(&str) -> Result<T, Failure>,
    /// Returns what is printed about a valid file.
    pub summary: fn(&T) -> String,
    /// Returns the JSON of a valid file or, for `None`, the JSON of a wrong one.
    pub json: fn(Option<&T>) -> J,
}

impl<T, J: Serialize> Check<T, J> {
    /// Checks every file, even if an earlier one is wrong.
    pub fn run(&self, options: &Options, files: &[String]) -> Result<()> {
        let mut wrong = 0;
        for file in files {
            let checked = (self.read)(file);
            let error = checked.as_ref().err().map(ToString::to_string);
            if let Some(error) = &error {
                wrong += 1;
                out::report(&format!("clockctl: {}\n", plain(error)));
            }
            match checked {
                _ if options.quiet => {}
                checked if options.json => {
                    let found = (self.json)(checked.as_ref().ok());
                    out::print_json(&CheckJson { file, found, error })?;
                }
                Ok(found) => out::print(&format!("{file}: good: {}\n", (self.summary)(&found)))?,
                Err(_) => {}
            }
        }
        if wrong == 0 {
            return Ok(());
        }
        let message = format!("{wrong} of {} {} cannot be used", files.len(), self.files);
        Err(Failure::FilesWrong(message).into())
    }
}

/// Connects to the clock. If the bus cannot be reached or has no clock service, the result depends
/// on `--bus`. Without `--bus`, tells the user and returns `None`; the caller then uses what is
/// compiled in. With `--bus`, returns an error.
pub async fn of_the_clock(options: &Options, what: &str) -> Result<Option<Bus>, Failure> {
    let found = async {
        let bus = Bus::connect(&options.target()).await?;
        bus.state().await?;
        Ok(bus)
    };
    match found.await {
        Ok(bus) => Ok(Some(bus)),
        Err(Failure::NoBus { .. } | Failure::NoService(_))
            if options.target() == Target::SystemBus =>
        {
            out::report(&format!(
                "clockctl: no clock service here; these are the {what} every clock has\n"
            ));
            Ok(None)
        }
        Err(failure) => Err(failure),
    }
}

/// The text without the characters that could control the terminal.
fn visible(text: &str) -> String {
    text.chars().filter(|c| !c.is_control() || ['\n', '\t'].contains(c)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_has_no_characters_that_control_the_terminal() {
        let named = |name: &str| NameJson { name: name.to_owned(), title: "Title".to_owned() };
        let listed = table(&[named("blitz"), named("a\u{1b}[2J\u{202e}b\né")]);
        assert_eq!(listed, "blitz     Title\na [2Jb é  Title\n");
    }
}
