//! Target: any text as a rule file.

use crate::plain_words::assert_plain;
use clock_engine::rules::{Game, Session, Setup};
use clock_engine::text::{Origin, Parameter, RuleFile, rule_preset};
use clock_engine::{Control, Instant, Method, Span};

/// Checks that a text is read, or is refused with an error that names a place in the text. A
/// profile that is read is the same after it is written and read again. A game can be set up with
/// the profile, or the control is refused with a clause. The file can inherit from the shipped
/// files and, as `itself`, from itself.
pub fn rule_file(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let find = |name: &str| match (name, rule_preset(name)) {
        ("itself", _) => Ok(text.to_owned()),
        (_, Some(preset)) => Ok(preset.file.to_owned()),
        (_, None) => Err("no such rule profile".to_owned()),
    };
    match RuleFile::parse(text, find) {
        Ok(file) => {
            assert!(!file.name.trim().is_empty());
            let written = file.to_toml();
            let again =
                RuleFile::parse(&written, find).unwrap_or_else(|e| panic!("{e}\n{written}"));
            assert_eq!(again.name, file.name);
            assert_eq!(
                (again.profile, &again.guidance),
                (file.profile, &file.guidance),
                "{written}"
            );
            assert!(Parameter::ALL.iter().all(|parameter| again.origin(parameter) == Origin::Own));
            let control = Control::single(Span::from_secs(300), Method::None);
            let (profile, session) = (Some(file.profile), Session::WithGame);
            match Game::new(&Setup { control, profile, session, force: false }, Instant::ZERO) {
                Ok(mut game) => {
                    game.handle_timeout(Instant::from_nanos(u64::MAX)).expect("time went on");
                }
                Err(refused) => assert!(refused.clause() != Some("")),
            }
        }
        Err(error) => {
            let line = text.split('\n').nth(error.place.line - 1).expect("a line of the text");
            assert!((1..=line.chars().count() + 1).contains(&error.place.column), "{error}");
            assert!(!error.message.is_empty() && !error.message.contains('\n'), "{error}");
            assert_plain(&error.message, data);
        }
    }
}
