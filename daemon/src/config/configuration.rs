//! The configuration together with everything that it names: the time control, the rule profile and
//! the wiring file.

use super::{Config, ConfigError, WiringFile};
use clock_controls::{Library, LoadError, NamedControl, NamedRules, RuleLibrary};
use clock_engine::rules::{Game, RuleRefused, Session, Setup};
use clock_engine::text::describe;
use clockd_menu::PLAYERS_AGREE;
use clockd_rt::clock::monotonic_now;
use std::fmt;
use std::path::Path;

/// The time control at the start, if neither the command line nor the configuration names one.
const DEFAULT_CONTROL: &str = "fide-standard";
/// The rule profile of the menu's game with an arbiter, if the configured one is for two players
/// without an arbiter.
const ARBITER_RULES: &str = "fide-2023";
/// The name that error messages give to the shipped configuration, and the text of that
/// configuration.
const SHIPPED: (&str, &str) =
    ("the shipped clockd.toml", include_str!("../../../configs/clockd.toml"));

/// A configuration that can be used: all files that it names were read, and its rule profile allows
/// its time control.
#[derive(Clone, Debug)]
pub struct Configuration {
    /// The contents of `clockd.toml`.
    pub config: Config,
    /// The time control to start with.
    pub control: NamedControl,
    /// The rule profile to start with, if there is one.
    pub rules: Option<NamedRules>,
    /// How the buttons are wired; `None` if they are simulated and the configuration names no
    /// wiring file, or if this is the shipped configuration, which names no wiring file.
    pub wiring: Option<WiringFile>,
}

impl Configuration {
    /// Reads the configuration and all files that it names. If `control` (from the command line) is
    /// given, it replaces the configured time control. If `is_simulated` is `true`, the buttons are
    /// simulated, and the configuration need not name a wiring file.
    ///
    /// # Errors
    ///
    /// A file cannot be read or its contents are wrong, or the rule profile does not allow the time
    /// control. The error names the file, the line and the column.
    pub fn load(
        named: Option<&Path>,
        control: Option<&NamedControl>,
        is_simulated: bool,
    ) -> Result<Configuration, ConfigError> {
        let config = Config::load(named)?;
        config.check_board()?;
        let control = match control {
            Some(control) => control.clone(),
            None => configured_control(&config, &super::control_library(named))?,
        };
        let rules = configured_rules(&config, &config.rule_library())?;
        let wiring = match (is_simulated, &config.wiring) {
            (true, None) => None,
            _ => Some(config.wiring_file()?),
        };
        Configuration { config, control, rules, wiring }.checked()
    }

    /// The shipped configuration. It has no wiring, because the loop would read the wrong lines as
    /// buttons if the wiring were wrong.
    ///
    /// Commands can name control files and rule files. These are still looked up beside the
    /// configuration at `named`, or beside the one at the default path if `named` is `None`.
    pub fn shipped(
        named: Option<&Path>,
        control: Option<&NamedControl>,
    ) -> Result<Configuration, ConfigError> {
        let (path, text) = SHIPPED;
        let mut config = Config::parse(Path::new(path), text.to_owned(), None)?;
        config.folder = super::folder_of(named.unwrap_or(Path::new(super::DEFAULT_PATH)));
        let control = match control {
            Some(control) => control.clone(),
            None => configured_control(&config, &Library::default())?,
        };
        let rules = configured_rules(&config, &RuleLibrary::default())?;
        let shipped = Configuration { config, control, rules, wiring: None };
        Ok(match shipped.game() {
            Ok(_) => shipped,
            // The shipped profile does not allow the time control of the command line, so there is
            // no profile.
            Err(_) => Configuration { rules: None, ..shipped },
        })
    }

    /// Returns this configuration if its rule profile allows its time control, and if the switch of
    /// the board can enter the arbiter's code. Returns an error otherwise.
    pub(super) fn checked(self) -> Result<Configuration, ConfigError> {
        if let Some(wiring) = &self.wiring {
            self.config.menu.check_switch(wiring.input)?;
        }
        match (self.game(), &self.config.rules) {
            (Err(refused), Some(named)) => {
                let (rules, control) = (&named.name, &self.control.name);
                Err(named.wrong(format!("{rules} with {control}: {}", refused.cited())))
            }
            _ => Ok(self),
        }
    }

    /// The rule profile of a game with an arbiter that the menu sets up: the configured one. If that is
    /// `players-agree`, under which the menu sets up every other game, it is `fide-2023`. `None` if no
    /// profile is configured.
    pub fn rules_with_arbiter(&self) -> Option<NamedRules> {
        let configured = self.rules.as_ref()?;
        match configured.name == PLAYERS_AGREE {
            true => RuleLibrary::default().find(ARBITER_RULES).ok(),
            false => Some(configured.clone()),
        }
    }

    /// A new game with the time control and the rule profile of this configuration.
    ///
    /// # Errors
    ///
    /// The rule profile does not allow the time control.
    pub fn game(&self) -> Result<Game, RuleRefused> {
        let setup = Setup {
            control: self.control.control,
            profile: self.rules.as_ref().map(|rules| *rules.profile()),
            session: Session::Unknown,
            force: false,
        };
        Game::new(&setup, monotonic_now())
    }
}

/// One line that says what is configured.
impl fmt::Display for Configuration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let control = &self.control;
        write!(f, "time control {} ({})", control.name, describe(&control.control))?;
        match &self.rules {
            Some(rules) => write!(f, ", rules {}", rules.name)?,
            None => write!(f, ", no rules")?,
        }
        match &self.wiring {
            Some(wiring) => write!(f, ", wiring {}", wiring.path.display()),
            None => write!(f, ", no wiring"),
        }
    }
}

/// The time control that the configuration names, or [`DEFAULT_CONTROL`] if it names none.
fn configured_control(config: &Config, library: &Library) -> Result<NamedControl, ConfigError> {
    let Some(named) = &config.control else { return Ok(library.find(DEFAULT_CONTROL)?) };
    library.resolve(&named.name, &config.folder).map_err(|error| match error {
        // The control file itself is wrong. The error already has its path and line.
        LoadError::Invalid { .. } => error.into(),
        other => named.wrong(other.to_string()),
    })
}

/// The rule profile that the configuration names, if it names one.
fn configured_rules(
    config: &Config,
    library: &RuleLibrary,
) -> Result<Option<NamedRules>, ConfigError> {
    let Some(named) = &config.rules else { return Ok(None) };
    let found = library.resolve(&named.name, &config.folder);
    found.map(Some).map_err(|error| match error {
        // The rule file itself is wrong. The error already has its path and line.
        LoadError::Invalid { .. } => error.into(),
        other => named.wrong(other.to_string()),
    })
}
