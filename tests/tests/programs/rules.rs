//! Rule profiles of a running clock, by name.

use clock_tests::Bench;
use std::process::Output;

const MINE: &str = "name = 'Our league'\ninherits = 'handbook-county'\ndefault_after = '30m'\n";

fn said(output: &Output) -> (i32, String, String) {
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    (output.status.code().unwrap(), text(&output.stdout), text(&output.stderr))
}

#[test]
fn the_rule_files_of_the_clock_are_listed_and_shown() {
    let bench = Bench::new().unwrap();
    let folder = bench.folder().join("rules");
    std::fs::create_dir(&folder).unwrap();
    std::fs::write(folder.join("mine.toml"), MINE).unwrap();
    std::fs::write(folder.join("broken.toml"), "name = 'x'\nclaim_below = '-2m'\n").unwrap();
    std::fs::write(bench.folder().join("outside.toml"), MINE).unwrap();
    let _bus = bench.bus().unwrap();
    let _clockd = bench.clockd(&[]).unwrap();
    let rules = |arguments: &[&str]| said(&bench.ctl(&[&["rules"], arguments].concat()).unwrap());

    let (code, listed, _) = rules(&["list"]);
    let line = |name: &str| listed.lines().find(|line| line.starts_with(name)).unwrap().to_owned();
    assert!(code == 0 && line("mine").ends_with("  Our league"), "{listed}");
    assert!(line("fide-2023").ends_with("FIDE Laws of Chess 2023"), "{listed}");
    assert!(line("broken").contains("cannot be used: "), "{listed}");
    assert!(line("broken").contains("broken.toml:2:15: "), "{listed}");

    let (code, shown, _) = rules(&["show", "mine"]);
    assert!(code == 0 && shown.starts_with("Our league\n"), "{shown}");
    for part in
        ["default_after = \"0:30:00\"\n", "claim_below = \"0:02:00\"\n", "Guidance on claim:\n"]
    {
        assert!(shown.contains(part), "{part}: {shown}");
    }
    let (code, shown, _) = rules(&["show", "guidelines-iii"]);
    assert!(code == 0 && shown.contains("    From fide-2023; FIDE Laws 2023 7.5.5.\n"), "{shown}");

    // The clock notices at once that a rule file was edited.
    std::fs::write(folder.join("mine.toml"), MINE.replace("30m", "45m")).unwrap();
    assert!(rules(&["show", "mine"]).1.contains("default_after = \"0:45:00\"\n"));

    for (name, part) in [
        ("broken", "broken.toml:2:15: `claim_below`: `-2m` is negative"),
        ("nothing", "no rule profile `nothing`"),
        ("outside", "no rule profile `outside`"),
    ] {
        let (code, out, error) = rules(&["show", name]);
        assert_eq!((code, out.as_str()), (5, ""), "{name}");
        assert!(error.contains(part), "{name}: {error}");
    }
}
