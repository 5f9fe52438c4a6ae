//! The shipped rule files.

use super::*;
use crate::AfterFlag;
use crate::rules::{AwardChoice, RuleSource};
use std::collections::BTreeSet;

#[test]
fn the_folder_and_the_list_agree_and_every_file_is_read() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../configs/rules");
    let files: BTreeSet<String> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    let listed: BTreeSet<String> =
        rule_presets().iter().map(|preset| format!("{}.toml", preset.name)).collect();
    assert_eq!(files, listed);
    for preset in rule_presets() {
        RuleFile::parse(preset.file, text_of)
            .unwrap_or_else(|error| panic!("{}:{error}", preset.name));
    }
}

#[test]
fn article_6_sets_every_parameter_and_is_the_default() {
    let file = rule_preset("fide-article-6").unwrap().read();
    assert_eq!(file.profile, Profile::default());
    for parameter in Parameter::ALL {
        assert_eq!(file.origin(parameter), Origin::Own, "{}", parameter.key);
    }
}

#[test]
fn every_shipped_file_is_the_same_after_it_is_written_and_read_again() {
    for preset in rule_presets() {
        let file = preset.read();
        let text = file.to_toml();
        let again = RuleFile::parse(&text, none).unwrap_or_else(|error| panic!("{error}\n{text}"));
        assert_eq!(
            (&again.name, &again.profile, &again.guidance),
            (&file.name, &file.profile, &file.guidance)
        );
        assert!(Parameter::ALL.iter().all(|parameter| again.origin(parameter) == Origin::Own));
        assert_eq!(again.to_toml(), text);
    }
}

#[test]
fn every_shipped_file_has_a_text_for_every_situation_that_can_come() {
    for preset in rule_presets() {
        let file = preset.read();
        for situation in Situation::ALL {
            let can_come = match situation {
                Situation::Claim => {
                    file.profile.claim_below.is_some() || file.profile.position_claims
                }
                Situation::Request => file.profile.requested_increment.is_some(),
                _ => true,
            };
            if can_come {
                let text = file.guidance.get(*situation);
                assert!(text.is_some(), "{}: {}", preset.name, situation.as_str());
            }
        }
    }
}

#[test]
fn every_parameter_of_a_shipped_file_has_a_comment_or_is_explained_above() {
    for preset in rule_presets() {
        let mut explained = false;
        for line in preset.file.lines().take_while(|line| *line != "[guidance]") {
            if line.is_empty() {
                explained = false;
            }
            let key = line.split(" =").next().unwrap();
            let is_parameter = Parameter::ALL.iter().any(|parameter| parameter.key == key);
            assert!(
                !is_parameter || key == "cites" || explained || line.contains('#'),
                "{}: {line}",
                preset.name
            );
            explained |= line.starts_with("# ");
        }
    }
}

#[test]
fn what_the_sources_say_differently() {
    let profile = |name: &str| rule_preset(name).unwrap().read().profile;
    let two = Span::from_secs(120);
    let handbook = profile("handbook-county");
    assert_eq!(handbook.cites, RuleSource::Handbook);
    assert_eq!((handbook.claim_below, handbook.claim_below_inclusive), (Some(two), false));
    let allegro = profile("allegro-1996");
    assert_eq!((allegro.claim_below, allegro.claim_below_inclusive), (Some(two), true));
    assert_eq!((allegro.reject_award, allegro.reject_choice), (Span::ZERO, AwardChoice::Any));
    let guidelines = profile("guidelines-iii");
    assert_eq!((guidelines.reject_award, guidelines.reject_choice), (two, AwardChoice::Exact));
    assert_eq!(guidelines.illegal_award, profile("fide-2023").illegal_award);
    let unsupervised = profile("guidelines-iii-unsupervised");
    assert_eq!(
        unsupervised,
        Profile {
            authority: Authority::Nobody,
            claim_stops: ClaimStops::Concludes,
            claim_on_move: false,
            position_claims: false,
            referral: Referral::Verified,
            requested_increment: None,
            ..guidelines
        }
    );
    let nobody = Profile {
        cites: RuleSource::NoSource,
        authority: Authority::Nobody,
        after_flag: Some(AfterFlag::Halt),
        ..Profile::default()
    };
    assert_eq!(profile("players-agree"), nobody);
}
