//! Rule files (`configs/rules/*.toml`), with their texts for the arbiter. The shipped ones are compiled
//! in, so that the clock has them without their files.

mod parameters;
mod values;

use super::FileError;
use super::file_error::title;
use crate::rules::{Authority, ClaimStops, Profile, Referral};
pub use parameters::Parameter;
use std::collections::BTreeMap;
use std::ops::Range;
use toml::Spanned;
use toml::de::{DeTable, DeValue};
pub use values::{parse_points, points};

/// The most files that a rule file can inherit from, directly and through other files.
pub const MAX_INHERITED: usize = 8;

/// The most characters of a value that a message repeats.
const REPEATED: usize = 60;

/// A rule profile with its name and its texts for the arbiter, as a rule file gives it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleFile {
    /// The title for people.
    pub name: String,
    /// The rule profile.
    pub profile: Profile,
    /// The texts for the arbiter.
    pub guidance: Guidance,
    /// The inherited files by name, the nearest first.
    pub inherited: Vec<String>,
    /// The file that sets each parameter, by the key of the parameter: 0 is the file itself, 1 the
    /// first file of `inherited`.
    set_by: BTreeMap<&'static str, usize>,
}

/// Which file gives a parameter its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin<'a> {
    /// The rule file itself.
    Own,
    /// The inherited rule file of this name.
    Inherited(&'a str),
    /// No file: the parameter has the value of [`Profile::default`].
    Default,
}

impl RuleFile {
    /// Reads the text of a rule file. `find` returns the text of the rule file with a given name,
    /// for `inherits`, or says why there is none.
    ///
    /// ```
    /// use clock_engine::Span;
    /// use clock_engine::text::{Origin, Parameter, RuleFile};
    /// let base = "name = 'Base'\nhold_warning = '5s'\n";
    /// let find = |name: &str| match name {
    ///     "base" => Ok(base.to_owned()),
    ///     _ => Err(format!("no rule profile `{name}`")),
    /// };
    /// let file = RuleFile::parse("name = 'Ours'\ninherits = 'base'\nshow_moves = false\n", find)?;
    /// assert_eq!(file.profile.hold_warning, Some(Span::from_secs(5)));
    /// let hold_warning = Parameter::ALL.iter().find(|parameter| parameter.key == "hold_warning");
    /// assert_eq!(file.origin(hold_warning.unwrap()), Origin::Inherited("base"));
    ///
    /// let error = RuleFile::parse("name = 'x'\nhold_warning = '-5s'\n", find).unwrap_err();
    /// assert_eq!((error.place.line, error.place.column), (2, 16));
    /// # Ok::<(), clock_engine::text::FileError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The first fault with its place: the text is not TOML, a key is unknown or missing, a value
    /// has another form, the parameters contradict each other, or an inherited file cannot be used
    /// (`find` fails, a file inherits itself, or there are more than [`MAX_INHERITED`]). For a
    /// fault in an inherited file, the place is the value of `inherits`.
    pub fn parse(
        text: &str,
        find: impl Fn(&str) -> Result<String, String>,
    ) -> Result<RuleFile, FileError> {
        parse(text, &find, &mut Vec::new())
    }

    /// A rule file that sets all parameters to those of this profile, without texts for the
    /// arbiter.
    pub fn of_profile(name: &str, profile: Profile) -> RuleFile {
        RuleFile {
            name: name.to_owned(),
            profile,
            guidance: Guidance::default(),
            inherited: Vec::new(),
            set_by: Parameter::ALL.iter().map(|parameter| (parameter.key, 0)).collect(),
        }
    }

    /// Which file gives this parameter its value.
    pub fn origin(&self, parameter: &Parameter) -> Origin<'_> {
        match self.set_by.get(parameter.key) {
            None => Origin::Default,
            Some(0) => Origin::Own,
            Some(level) => Origin::Inherited(&self.inherited[level - 1]),
        }
    }
}

/// A place in the text and a message: what is wrong there.
type Wrong = (Range<usize>, String);

/// Reads the text of a rule file. `inherited_as` has the names of the files that were inherited on
/// the way to this file, and the last of them is the name of this file. `inherited_as` is empty for
/// the first file, which no other file inherits.
fn parse(
    text: &str,
    find: &impl Fn(&str) -> Result<String, String>,
    inherited_as: &mut Vec<String>,
) -> Result<RuleFile, FileError> {
    let table = DeTable::parse(text).map_err(|error| FileError::of_toml(text, &error))?;
    let table = table.get_ref();
    let wrong = |(span, message)| FileError::new(text, span, message);
    let name = table.get("name").map(|given| {
        let expected = "a title such as \"County league\"";
        Ok((string(text, "name", given, expected)?, given.span()))
    });
    let name = name.transpose().and_then(|name| title(name, "County league")).map_err(wrong)?;
    let mut file = match table.get("inherits") {
        Some(given) => inherited(text, given, find, inherited_as).map_err(wrong)?,
        None => RuleFile {
            name: String::new(),
            profile: Profile::default(),
            guidance: Guidance::default(),
            inherited: Vec::new(),
            set_by: BTreeMap::new(),
        },
    };
    file.name = name;
    for (key, value) in table {
        match key.get_ref().as_ref() {
            "name" | "inherits" => {}
            "guidance" => guidance(text, value, &mut file.guidance).map_err(wrong)?,
            _ => {
                let key = parameter(text, key, value, &mut file.profile).map_err(wrong)?;
                file.set_by.insert(key, 0);
            }
        }
    }
    check(&file.profile, table).map_err(wrong)?;
    Ok(file)
}

/// Reads the file that the value `given` of `inherits` names. In the result, `inherited` and
/// `set_by` are those of the file with this `inherits`: the name of the file that was read is the
/// first of `inherited`, and the numbers in `set_by` are one higher.
fn inherited(
    text: &str,
    given: &Spanned<DeValue<'_>>,
    find: &impl Fn(&str) -> Result<String, String>,
    inherited_as: &mut Vec<String>,
) -> Result<RuleFile, Wrong> {
    let wrong = |message| (given.span(), message);
    let name = string(text, "inherits", given, "the name of a rule file")?;
    let shown = shortened(name);
    if inherited_as.iter().any(|earlier| earlier == name) {
        return Err(wrong(format!("`{shown}` inherits itself")));
    }
    if inherited_as.len() == MAX_INHERITED {
        return Err(wrong(format!(
            "`inherits = \"{shown}\"` is one too many; expected at most {MAX_INHERITED} files that \
             inherit one from the other"
        )));
    }
    let base = find(name).map_err(wrong)?;
    inherited_as.push(name.to_owned());
    let mut file = parse(&base, find, inherited_as)
        .map_err(|error| wrong(format!("the inherited file `{shown}`: {error}")))?;
    file.inherited.insert(0, name.to_owned());
    file.set_by.values_mut().for_each(|level| *level += 1);
    Ok(file)
}

/// Sets the parameter of this key. Returns the key.
fn parameter(
    text: &str,
    key: &Spanned<toml::de::DeString<'_>>,
    value: &Spanned<DeValue<'_>>,
    profile: &mut Profile,
) -> Result<&'static str, Wrong> {
    let parameter = Parameter::ALL.iter().find(|parameter| parameter.key == key.get_ref());
    let Some(parameter) = parameter else {
        let known = Parameter::ALL.iter().map(|parameter| parameter.key);
        return Err(unknown(key, "`name`, `inherits`, `guidance` or one of", known));
    };
    let key = parameter.key;
    parameter.read(profile, value).map_err(|(span, why)| {
        let accepted = parameter.accepted();
        let message = match why.is_empty() {
            true => other_kind(text, key, value, &accepted).1,
            false => format!("`{key}`: {why}; expected {accepted}"),
        };
        (span, message)
    })?;
    Ok(key)
}

/// Reads the table `[guidance]`.
fn guidance(
    text: &str,
    given: &Spanned<DeValue<'_>>,
    guidance: &mut Guidance,
) -> Result<(), Wrong> {
    let texts = given.get_ref().as_table();
    let texts = texts.ok_or_else(|| other_kind(text, "guidance", given, "[guidance]"))?;
    for (key, value) in texts {
        let known = || Situation::ALL.iter().map(|known| known.as_str());
        let situation = Situation::from_word(key.get_ref());
        let situation = situation.ok_or_else(|| unknown(key, "one of", known()))?;
        guidance.set(situation, guidance_text(text, key.get_ref(), value)?);
    }
    Ok(())
}

/// Reads a text for the arbiter. Line breaks in the file become spaces, so that every text is one
/// paragraph.
fn guidance_text(text: &str, key: &str, given: &Spanned<DeValue<'_>>) -> Result<String, Wrong> {
    let expected = format!("a text of 1 to {GUIDANCE_LIMIT} characters");
    let wrong = |what| Err((given.span(), format!("{what}; expected {expected}")));
    let words =
        string(text, key, given, &expected)?.split_whitespace().collect::<Vec<_>>().join(" ");
    match words.chars().count() {
        0 => wrong(format!("`{key}` is empty")),
        length if length > GUIDANCE_LIMIT => wrong(format!("`{key}` has {length} characters")),
        _ => Ok(words),
    }
}

/// Refuses parameters that contradict each other: with them, some claims could never be decided.
/// The place of the error is that of the first contradicting parameter that this file sets itself,
/// or the start of the file.
fn check(profile: &Profile, table: &DeTable<'_>) -> Result<(), Wrong> {
    let unsupervised = profile.authority == Authority::Nobody && profile.claim_below.is_some();
    let concludes = profile.claim_stops == ClaimStops::Concludes;
    let contradictions: [(bool, &[&str], &str); 2] = [
        (
            unsupervised && !concludes,
            &["claim_stops", "authority", "claim_below"],
            "nobody could rule on a claim; `authority = \"nobody\"` and `claim_below` need \
             `claim_stops = \"concludes\"`",
        ),
        (
            concludes && profile.referral == Referral::Refused,
            &["referral", "claim_stops"],
            "a concluded game could not be referred; `claim_stops = \"concludes\"` needs `referral = \
             \"details\"` or `referral = \"verified\"`",
        ),
    ];
    for (is_wrong, keys, message) in contradictions {
        if is_wrong {
            let place = keys.iter().find_map(|key| table.get(*key)).map_or(0..0, Spanned::span);
            return Err((place, message.to_owned()));
        }
    }
    Ok(())
}

/// The text that the key has as its value.
fn string<'a>(
    text: &str,
    key: &str,
    given: &'a Spanned<DeValue<'_>>,
    expected: &str,
) -> Result<&'a str, Wrong> {
    given.get_ref().as_str().ok_or_else(|| other_kind(text, key, given, expected))
}

/// The error for a value that is of another kind than expected.
fn other_kind(text: &str, key: &str, given: &Spanned<DeValue<'_>>, expected: &str) -> Wrong {
    (given.span(), format!("`{key} = {}`; expected {expected}", repeated(text, given)))
}

/// The error for a key that is none of the known ones.
fn unknown<'a>(
    key: &Spanned<toml::de::DeString<'_>>,
    expected: &str,
    known: impl Iterator<Item = &'a str>,
) -> Wrong {
    let known: Vec<String> = known.map(|key| format!("`{key}`")).collect();
    let given = shortened(key.get_ref());
    (key.span(), format!("unknown key `{given}`; expected {expected} {}", known.join(", ")))
}

/// A value as it is written in the text, shortened.
fn repeated(text: &str, given: &Spanned<DeValue<'_>>) -> String {
    shortened(text.get(given.span()).unwrap_or_default())
}

/// At most [`REPEATED`] characters, on one line.
fn shortened(text: &str) -> String {
    let visible = |character: char| if character.is_control() { ' ' } else { character };
    let more = if text.chars().count() > REPEATED { "…" } else { "" };
    text.chars().take(REPEATED).map(visible).chain(more.chars()).collect()
}

/// The longest text for a situation, in characters.
pub const GUIDANCE_LIMIT: usize = 1000;

crate::words! {
    /// A situation in which the arbiter decides. A rule file can have a text for it, which the arbiter
    /// is shown. Its word is the key of that text in the table `[guidance]`.
    Situation {
        /// A flag has fallen or was called: were the moves made?
        Flag = "flag",
        /// Both flags have fallen: which one was first?
        FlagOrder = "flag-order",
        /// A player has stopped the clocks.
        Stop = "stop",
        /// A player claims a draw.
        Claim = "claim",
        /// A player requests an increment.
        Request = "request",
        /// A move was illegal.
        IllegalMove = "illegal-move",
        /// A player is late.
        Default = "default",
        /// A penalty is considered.
        Penalty = "penalty",
    }
}

/// The texts of a rule file: at most one for each situation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Guidance([Option<String>; Situation::ALL.len()]);

impl Guidance {
    /// The text for this situation.
    pub fn get(&self, situation: Situation) -> Option<&str> {
        self.0[situation as usize].as_deref()
    }

    fn set(&mut self, situation: Situation, text: String) {
        self.0[situation as usize] = Some(text);
    }
}

/// A shipped rule file.
#[derive(Clone, Copy, Debug)]
pub struct RulePreset {
    /// The name on command lines and on the bus: the file name without its ending.
    pub name: &'static str,
    /// The text of the file.
    pub file: &'static str,
}

impl RulePreset {
    /// Parses the file and the shipped files that it inherits from.
    pub fn read(&self) -> RuleFile {
        RuleFile::parse(self.file, text_of).expect("the tests read every shipped rule file")
    }
}

fn text_of(name: &str) -> Result<String, String> {
    let preset = rule_preset(name).ok_or_else(|| format!("no rule profile `{name}`"))?;
    Ok(preset.file.to_owned())
}

macro_rules! shipped {
    ($($name:literal)+) => {
        &[$( RulePreset {
            name: $name,
            file: include_str!(concat!("../../../configs/rules/", $name, ".toml")),
        } ),+]
    };
}

static PRESETS: &[RulePreset] = shipped![
    "allegro-1996"
    "fide-2023"
    "fide-article-6"
    "guidelines-iii"
    "guidelines-iii-unsupervised"
    "handbook-county"
    "players-agree"
    "us-chess"
];

/// All shipped rule profiles, by name.
pub fn rule_presets() -> &'static [RulePreset] {
    PRESETS
}

/// The shipped rule profile of this name.
pub fn rule_preset(name: &str) -> Option<&'static RulePreset> {
    PRESETS.iter().find(|preset| preset.name == name)
}

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

#[cfg(test)]
mod tests;
