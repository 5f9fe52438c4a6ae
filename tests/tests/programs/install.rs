//! `make install` installs every file at its place, and the programs that read the files understand
//! them.

mod settings;

use clock_controls::RuleLibrary;
use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const TREE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");

/// The folder, below that of this table, with the settings of an image that is nothing but a clock.
const IMAGE: &str = "image/";

/// The root of a package, as `make install` fills it.
struct Package(tempfile::TempDir);

impl Package {
    fn install() -> Package {
        Package::install_below("/usr")
    }

    fn install_below(prefix: &str) -> Package {
        let package = Package(tempfile::tempdir().unwrap());
        let programs = tempfile::tempdir().unwrap();
        // What a program contains does not matter here.
        for program in ["clockd", "clockctl", "clock-display"] {
            let path = programs.path().join(program);
            std::fs::write(&path, "").unwrap();
            std::fs::set_permissions(&path, Permissions::from_mode(0o755)).unwrap();
        }
        let output = package.make("install", prefix, programs.path());
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        package
    }

    /// Adds what `make install-image` installs.
    fn make_image(&self) {
        let output = self.make("install-image", "/usr", Path::new(""));
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }

    fn make(&self, target: &str, prefix: &str, programs: &Path) -> Output {
        let mut make = Command::new("make");
        make.args(["--silent", "-C", TREE, target])
            .arg(format!("DESTDIR={}", self.0.path().display()))
            .arg(format!("PREFIX={prefix}"))
            .arg(format!("BINARIES={}", programs.display()));
        make.output().unwrap()
    }

    fn path(&self, installed: &str) -> PathBuf {
        self.0.path().join(installed.trim_start_matches('/'))
    }

    fn write(&self, installed: &str, text: &str) {
        let path = self.path(installed);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
}

/// The rows of the tables in systemd/README.md: the file, and where it is installed.
fn tables() -> Vec<(String, String)> {
    let text = std::fs::read_to_string(Path::new(TREE).join("systemd/README.md")).unwrap();
    let cell = |cell: &str| cell.trim().trim_matches('`').to_owned();
    let rows = text.lines().filter(|line| line.starts_with("| `"));
    rows.map(|row| {
        let cells: Vec<&str> = row.split('|').collect();
        (cell(cells[1]), cell(cells[2]))
    })
    .collect()
}

#[test]
fn every_file_of_the_table_is_installed_where_it_says_and_no_file_is_missing_in_it() {
    let package = Package::install();
    let mut table = tables();
    table.retain(|(file, _)| !file.starts_with(IMAGE));
    for (file, place) in &table {
        let installed = package.path(place);
        // If `place` is a folder, the file is in it.
        let installed = if installed.is_dir() { installed.join(file) } else { installed };
        let read =
            |path: &Path| std::fs::read(path).unwrap_or_else(|error| panic!("{path:?}: {error}"));
        assert_eq!(read(&installed), read(&Path::new(TREE).join("systemd").join(file)), "{place}");
    }
    let mut named: Vec<&str> = table.iter().map(|(file, _)| file.as_str()).collect();
    let folder = std::fs::read_dir(Path::new(TREE).join("systemd")).unwrap();
    let mut present: Vec<String> =
        folder.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    present.retain(|name| name != "README.md" && format!("{name}/") != IMAGE);
    named.sort_unstable();
    present.sort_unstable();
    assert_eq!(named, present);
}

/// What an image that is nothing but a clock has beside the files of every computer.
#[test]
fn every_file_of_an_image_is_installed_where_the_table_says_and_every_named_unit_is_masked() {
    let package = Package::install();
    package.make_image();
    let mut named = Vec::new();
    for (file, place) in tables() {
        let Some(name) = file.strip_prefix(IMAGE) else { continue };
        named.push(name.to_owned());
        let text = std::fs::read_to_string(Path::new(TREE).join("systemd").join(&file)).unwrap();
        let installed = package.path(&place);
        if name.starts_with("masked") {
            for unit in text.lines().filter(|line| !line.starts_with('#')) {
                let link = std::fs::read_link(installed.join(unit));
                assert_eq!(link.unwrap(), Path::new("/dev/null"), "{unit}");
            }
            continue;
        }
        let installed = if installed.is_dir() { installed.join(name) } else { installed };
        assert_eq!(std::fs::read_to_string(&installed).unwrap(), text, "{installed:?}");
    }
    let folder = std::fs::read_dir(Path::new(TREE).join("systemd").join(IMAGE)).unwrap();
    let mut present: Vec<String> =
        folder.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    named.sort_unstable();
    present.sort_unstable();
    assert_eq!(named, present);
}

/// `make install-image` without `DESTDIR` would mask the log-in and other services of this computer.
#[test]
fn the_settings_of_an_image_are_not_installed_without_the_root_of_an_image() {
    let mut make = Command::new("make");
    let output = make.args(["--silent", "-C", TREE, "install-image"]).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success() && said.contains("DESTDIR is not set"), "{said}");
}

#[test]
fn every_wiring_control_and_rule_file_is_installed_where_the_clock_looks_for_it() {
    let package = Package::install();
    for kind in ["wiring", "controls", "rules"] {
        let names = |folder: &Path| -> Vec<String> {
            let entries = std::fs::read_dir(folder).unwrap_or_else(|e| panic!("{folder:?}: {e}"));
            let name = |entry: std::fs::DirEntry| entry.file_name().into_string().unwrap();
            let mut names: Vec<String> = entries.map(|entry| name(entry.unwrap())).collect();
            names.sort_unstable();
            names
        };
        let ours = Path::new(TREE).join("configs").join(kind);
        let installed = package.path("/usr/share/chess-clock").join(kind);
        assert_eq!(names(&installed), names(&ours));
    }
}

#[test]
fn the_installed_rule_files_are_rule_profiles_and_inherit_from_each_other() {
    let package = Package::install();
    let library = RuleLibrary::new(vec![package.path("/usr/share/chess-clock/rules")]);
    let county = library.find("handbook-county").unwrap();
    assert_eq!(county.rules.inherited, ["fide-article-6"]);
    for (name, title) in library.list() {
        assert!(!title.starts_with("cannot be used"), "{name}: {title}");
    }
}

/// The shells find a completion by the name of its file.
#[test]
fn the_completions_are_where_the_shells_look_for_them() {
    let package = Package::install();
    for (file, place) in [
        ("clockctl.bash", "/usr/share/bash-completion/completions/clockctl"),
        ("_clockctl", "/usr/share/zsh/vendor-completions/_clockctl"),
        ("clockctl.fish", "/usr/share/fish/vendor_completions.d/clockctl.fish"),
    ] {
        let ours = std::fs::read(Path::new(TREE).join("ctl/completions").join(file)).unwrap();
        assert_eq!(std::fs::read(package.path(place)).unwrap(), ours, "{place}");
    }
}

/// The files below a folder, with their paths from it.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in std::fs::read_dir(&next).unwrap_or_else(|error| panic!("{next:?}: {error}")) {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                files.push(path.strip_prefix(folder).unwrap().to_owned());
            }
        }
    }
    files.sort_unstable();
    files
}

#[test]
fn the_manual_pages_are_in_the_folders_of_their_sections() {
    let package = Package::install();
    let man = package.path("/usr/share/man");
    let ours = files(&Path::new(TREE).join("docs/man"));
    let section = |page: &Path| page.extension().unwrap().to_str().unwrap().to_owned();
    let mut expected: Vec<PathBuf> =
        ours.iter().map(|page| Path::new(&format!("man{}", section(page))).join(page)).collect();
    expected.sort_unstable();
    assert_eq!(files(&man), expected);
    assert!(expected.len() >= 10, "{expected:?}");
}

#[test]
fn the_documents_and_the_licences_are_installed_with_the_pictures_that_they_show() {
    let package = Package::install();
    let folder = package.path("/usr/share/doc/chess-clock");
    let installed = files(&folder);
    for licence in [
        "LICENSE-APACHE",
        "LICENSE-MIT",
        "THIRD-PARTY-NOTICES.txt",
        "display/fonts/LICENSE-DejaVu.txt",
        "display/fonts/LICENSE-FjallaOne.txt",
    ] {
        assert!(installed.contains(&PathBuf::from(licence)), "{licence}");
    }
    let mut pictures = 0;
    for document in installed.iter().filter(|file| file.extension().is_some_and(|it| it == "md")) {
        let text = std::fs::read_to_string(folder.join(document)).unwrap();
        assert_eq!(text, std::fs::read_to_string(Path::new(TREE).join(document)).unwrap());
        let shown = text.split("](").skip(1).filter_map(|rest| rest.split(')').next());
        for picture in shown.filter(|target| target.ends_with(".png") || target.ends_with(".svg")) {
            let path = folder.join(document).parent().unwrap().join(picture);
            assert!(path.exists(), "{document:?}: {picture}");
            pictures += 1;
        }
    }
    assert!(pictures > 10, "{pictures}");
    for document in
        ["docs/arbiter.md", "docs/dbus.rst", "docs/schemas/watch.schema.json", "docs/json.md"]
    {
        assert!(installed.contains(&PathBuf::from(document)), "{document}");
    }
}

#[test]
fn the_units_start_the_programs_where_they_were_installed() {
    let package = Package::install_below("/opt/clock");
    let units = package.path("/opt/clock/lib/systemd/system");
    let mut programs = Vec::new();
    for unit in files(&units) {
        let text = std::fs::read_to_string(units.join(unit)).unwrap();
        let starts = text.lines().filter_map(|line| line.strip_prefix("ExecStart="));
        programs.extend(starts.map(|start| start.split(' ').next().unwrap().to_owned()));
    }
    assert_eq!(programs.len(), 8, "{programs:?}");
    for program in programs {
        assert!(program.starts_with("/opt/clock/"), "{program}");
        assert!(package.path(&program).exists(), "{program}");
    }
}

#[test]
fn what_was_installed_can_be_removed_again_except_the_configuration() {
    for prefix in ["/usr", "/usr/local"] {
        let package = Package::install_below(prefix);
        let output = package.make("uninstall", prefix, Path::new("nowhere"));
        assert!(output.status.success(), "{output:?}");
        let left: Vec<String> =
            files(&package.path("")).iter().map(|file| file.display().to_string()).collect();
        assert_eq!(left, ["etc/chess-clock/clockd.toml", "etc/chess-clock/display.toml"]);
    }
}

#[test]
fn without_the_programs_nothing_is_installed_and_the_message_says_what_to_run() {
    let package = Package(tempfile::tempdir().unwrap());
    let output = package.make("install", "/usr", Path::new("nowhere"));
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains("there is no nowhere/clockd; run make build first"), "{said}");
    assert!(!output.status.success() && files(&package.path("")).is_empty());
}
