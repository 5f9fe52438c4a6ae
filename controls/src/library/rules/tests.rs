//! Rule profiles are found by name and by path, and they inherit from other profiles.

use super::*;
use clock_engine::Span;
use clock_engine::text::Origin;

fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    folder
}

const CLUB: &str = "name = 'Club'\ninherits = 'fide-2023'\nhold_warning = '9s'\n";
const JUNIORS: &str = "name = 'Juniors'\ninherits = 'club'\nposition_claims = false\n";

#[test]
fn a_profile_inherits_from_files_of_the_folders_and_from_shipped_ones() {
    let folder = folder(&[("club.toml", CLUB), ("juniors.toml", JUNIORS), ("bad.toml", "x = 1\n")]);
    let library = RuleLibrary::new(vec![folder.path().to_owned()]);
    let juniors = library.find("juniors").unwrap();
    assert_eq!(juniors.title(), "Juniors");
    assert_eq!(juniors.profile().hold_warning, Some(Span::from_secs(9)));
    assert_eq!(juniors.rules.inherited, ["club", "fide-2023", "fide-article-6"]);
    let list = library.list();
    assert_eq!((list["club"].as_str(), list.len()), ("Club", rule_presets().len() + 3));
    let place = folder.path().join("bad.toml").display().to_string();
    assert!(list["bad"].starts_with(&format!("cannot be used: {place}:1:1: no `name`")));
}

#[test]
fn a_file_given_by_its_path_inherits_from_files_beside_it() {
    let folder = folder(&[("club.toml", CLUB), ("juniors.toml", JUNIORS)]);
    let library = RuleLibrary::default();
    let path = folder.path().join("juniors.toml").display().to_string();
    assert!(library.is_file(&path) && !library.is_file("juniors"));
    let juniors = library.resolve(&path, Path::new("")).unwrap();
    assert_eq!((juniors.name.as_str(), juniors.rules.inherited.len()), ("juniors", 3));
    assert_eq!(library.resolve("juniors.toml", folder.path()).unwrap(), juniors);
    let shipped = library.resolve("us-chess", folder.path()).unwrap();
    assert_eq!(shipped.name, "us-chess");
    let parameter = clock_engine::text::Parameter::ALL.first().unwrap();
    assert_eq!(shipped.rules.origin(parameter), Origin::Own);
}

#[test]
fn what_cannot_be_used_is_refused_with_its_place_and_what_is_accepted() {
    let folder = folder(&[
        ("lost.toml", "name = 'Lost'\ninherits = 'clbu'\n"),
        ("club.toml", CLUB),
        ("loop.toml", "name = 'Loop'\ninherits = 'loop'\n"),
        ("out.toml", "name = 'Out'\ninherits = '../out'\n"),
    ]);
    let library = RuleLibrary::new(vec![folder.path().to_owned()]);
    let place = folder.path().display().to_string();
    for (name, parts) in [
        (
            "lost",
            &[&format!("{place}/lost.toml:2:12: no rule profile `clbu`; perhaps club?")[..]][..],
        ),
        ("loop", &["loop.toml:2:12: the inherited file `loop`: 2:12: `loop` inherits itself"]),
        ("out", &["out.toml:2:12: no rule profile `../out`"]),
        (
            "fide2023",
            &["no rule profile `fide2023`; perhaps fide-2023? `clockctl rules list` shows all 12"],
        ),
        ("../club", &["no rule profile `../club`"]),
    ] {
        let error = library.find(name).expect_err(name).to_string();
        for part in parts {
            assert!(error.contains(part), "{part}: {error}");
        }
    }
    let error = library.resolve("us-ches", Path::new("")).unwrap_err().to_string();
    assert!(
        error.contains("perhaps us-chess?") && error.ends_with("a rule file (*.toml) will do too")
    );
    let error = library.resolve("./none.toml", Path::new("/nowhere")).unwrap_err().to_string();
    assert!(
        error.starts_with("the rule file /nowhere/./none.toml: there is no such file"),
        "{error}"
    );
}
