//! The command line of `clockctl doctor`.

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clock_dbus::TestedButton;

use crate::options::whole;

#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    /// Ask for a press of each button, between games, and show its edges and its bounce
    #[arg(long, conflicts_with = "loopback")]
    pub buttons: bool,
    /// Press a button over a wire from a spare line, between games and as root, and print how
    /// exactly the clock stamps the presses
    #[arg(long, requires = "line", requires = "button")]
    pub loopback: bool,
    /// Print what a tester can send to others: the findings, the board, the kernel, the screens, and how
    /// late presses were stamped and decided, without names, addresses and keys
    #[arg(long, conflicts_with_all = ["buttons", "loopback"])]
    pub report: bool,
    /// With --loopback: the spare line, by its offset or its name, of the clock's chip or of CHIP
    #[arg(long, value_name = "[CHIP:]LINE", requires = "loopback")]
    pub line: Option<String>,
    /// With --loopback: the button at the other end of the wire, by its wiring
    #[arg(long, value_name = "BUTTON", requires = "loopback", value_parser = button())]
    pub button: Option<TestedButton>,
    /// With --loopback: how many presses
    #[arg(long, value_name = "COUNT", requires = "loopback", default_value_t = 1000)]
    #[arg(value_parser = whole::<u32>(1..=100_000))]
    pub presses: u32,
    /// With --loopback: the number from which the times of the presses follow [default: a random
    /// one]
    #[arg(long, value_name = "N", requires = "loopback")]
    #[arg(value_parser = whole::<u32>(0..=u32::MAX.into()))]
    pub seed: Option<u32>,
}

impl Args {
    /// The option that was given and needs somebody at the clock, so that it works with one clock
    /// only.
    pub fn for_one_clock(&self) -> Option<&'static str> {
        let options =
            [(self.buttons, "--buttons"), (self.loopback, "--loopback"), (self.report, "--report")];
        options.into_iter().find(|(is_given, _)| *is_given).map(|(_, option)| option)
    }
}

/// Reads the argument of `--button`.
fn button() -> impl TypedValueParser<Value = TestedButton> {
    let words = PossibleValuesParser::new(TestedButton::ALL.iter().map(|button| button.as_str()));
    words.try_map(|word| {
        let found = TestedButton::ALL.iter().find(|button| button.as_str() == word);
        found.copied().ok_or("not a button")
    })
}
