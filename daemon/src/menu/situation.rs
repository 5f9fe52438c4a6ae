//! What the pages of the menu show of the clock, the game and the machine.

use super::addresses::AddressFile;
use super::backup;
use super::state_file::Kept;
use crate::bus::shared_state::SharedState;
use crate::game::GameInfo;
use clock_controls::{NamedControl, NamedRules};
use clock_engine::rules::Profile;
use clock_engine::{PerSide, Span};
use clockd_menu::{Machine, Rules, Situation};
use clockd_rt::Update;
use std::fs;
use std::path::PathBuf;
use toml::{Table, Value};

/// The largest number of time controls that the menu reads, so that a folder with very many files cannot
/// fill the memory of the service.
const MOST_CONTROLS: usize = 500;

/// The values to which a [`Situation`] refers.
pub struct OwnedSituation {
    present: Option<Present>,
    library: Vec<NamedControl>,
    machine: Machine,
    addresses: AddressFile,
}

/// The clock and the game, read before each press.
struct Present {
    update: Update,
    game: GameInfo,
    control: NamedControl,
    faults: Vec<String>,
    until_start: Option<Span>,
}

impl OwnedSituation {
    pub fn new() -> OwnedSituation {
        OwnedSituation {
            present: None,
            library: Vec::new(),
            machine: Machine::default(),
            addresses: AddressFile::open(),
        }
    }

    /// Reads the clock and the game. With `with_library`, which is so when the menu opens, also
    /// reads the named controls, and the name and the addresses of the machine.
    pub fn read(&mut self, shared: &SharedState, until_start: Option<Span>, with_library: bool) {
        if with_library {
            let names = shared.controls.list().into_iter().map(|(name, _)| name);
            let controls = names.filter_map(|name| shared.controls.find(&name).ok());
            self.library = controls.take(MOST_CONTROLS).collect();
            let name = fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
            self.machine = Machine {
                name: name.trim().to_owned(),
                addresses: self.addresses.read(),
                can_back_up: backup::socket().is_some(),
                has_buzzer: has_buzzer(),
                has_backlight: has_backlight(),
            };
        }
        let (update, game) = shared.commands.latest();
        let before = self.present.take().map(|present| present.control);
        let before = before
            .filter(|control| control.name == game.control && control.text == game.control_text);
        let control = before.or_else(|| {
            let GameInfo { control, control_text, .. } = &game;
            NamedControl::parse(control, control_text.clone(), control).ok()
        });
        let faults =
            shared.read(|state| state.faults.iter().map(|fault| fault.text.clone()).collect());
        let present = |control| Present { update, game, control, faults, until_start };
        self.present = control.map(present);
    }

    /// The situation with what the menu keeps. `None` if [`OwnedSituation::read`] has not been
    /// called, or if the text of the game's control is damaged.
    pub fn borrowed<'a>(
        &'a self,
        kept: &'a Kept,
        configured: Option<&'a NamedRules>,
    ) -> Option<Situation<'a>> {
        let Present { update, game, control, faults, until_start } = self.present.as_ref()?;
        let PerSide { white, black } = &game.players;
        Some(Situation {
            view: &update.view,
            revision: update.revision,
            control,
            rules: game.rules.as_deref().map(rules),
            configured_rules: configured.map(rules),
            questions: &update.questions,
            set_up_over_bus: !game.set_up_at_clock,
            players: PerSide { white, black },
            board: &game.board,
            faults,
            machine: &self.machine,
            version: env!("CARGO_PKG_VERSION"),
            settings: kept.settings,
            own: &kept.own,
            library: &self.library,
            until_start: *until_start,
        })
    }
}

fn rules(named: &NamedRules) -> Rules<'_> {
    let profile: &Profile = named.profile();
    Rules { name: &named.name, profile }
}

/// The environment variable with the path of the face's configuration. The service does not know the face,
/// which can be any program, so it looks where the shipped face looks. `clockd.service` sets it.
const CONFIGURATION: &str = "CHESS_CLOCK_FACE";
/// The environment variable with the folder in which the kernel has an entry for each backlight.
/// `clockd.service` sets it.
const BACKLIGHTS: &str = "CHESS_CLOCK_BACKLIGHTS";

/// Whether the face has a buzzer: `enabled = true` in the table `[buzzer]` of its configuration.
fn has_buzzer() -> bool {
    let text = path(CONFIGURATION).and_then(|path| fs::read_to_string(path).ok());
    let table = text.and_then(|text| text.parse::<Table>().ok());
    let enabled = table.as_ref().and_then(|table| table.get("buzzer")?.get("enabled"));
    enabled == Some(&Value::Boolean(true))
}

fn has_backlight() -> bool {
    let folder = path(BACKLIGHTS).and_then(|folder| fs::read_dir(folder).ok());
    folder.is_some_and(|mut entries| entries.next().is_some())
}

fn path(variable: &str) -> Option<PathBuf> {
    std::env::var_os(variable).map(PathBuf::from)
}
