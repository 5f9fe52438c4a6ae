//! `make card`: for each language, a page to be printed with the five lines for the clock's foot and
//! with pictures of an evening with 3+2, made with the real programs.

use anyhow::{Context, Result, ensure};
use clock_dbus::{MenuPage, MenuProxy, MenuState};
use clock_languages::{Card, Language, ROW_LENGTH};
use clock_tests::{Bench, Buttons, Program, eventually, program};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use zbus::connection;
use zbus::proxy::CacheProperties;

/// The pictures beside each line of the card.
const PICTURES: [&[&str]; 5] = [
    &["ready", "running"],
    &["paused"],
    &["set-up", "set-up-in-a-pause"],
    &["list"],
    &["flag", "after-a-flag"],
];
/// The width of the strip and of the page's text, in millimetres.
const WIDTH: u32 = 170;
/// The average width of a letter, in sizes of the text: more than that of these lines in DejaVu
/// Sans, a wide font.
const LETTER: f64 = 0.55;

fn main() -> Result<()> {
    let mut arguments = std::env::args().skip(1);
    let folder = PathBuf::from(arguments.next().context("usage: clock-card FOLDER [LANGUAGE]...")?);
    let named = arguments.map(|code| Language::from_code(&code).context(code));
    let mut languages = named.collect::<Result<Vec<_>>>()?;
    if languages.is_empty() {
        languages.extend(Language::ALL);
    }
    let evening = |language| evening(language, &folder);
    // Most of an evening is waiting.
    std::thread::scope(|scope| {
        let evenings: Vec<_> =
            languages.iter().map(|language| scope.spawn(|| evening(*language))).collect();
        evenings.into_iter().try_for_each(|evening| evening.join().expect("no picture failed"))
    })
}

/// Takes the pictures of a language and writes its page.
fn evening(language: Language, folder: &Path) -> Result<()> {
    let code = language.code();
    let pictures = folder.join(code);
    std::fs::create_dir_all(&pictures).with_context(|| pictures.display().to_string())?;

    let mut clock = Clock::start(language, &pictures)?;
    clock.shot("ready")?;
    clock.open_menu()?;
    clock.shot("set-up")?;
    clock.choose()?;
    clock.shot("list")?;

    let mut clock = Clock::start(language, &pictures)?;
    clock.set("107s", "129s", "17")?;
    clock.press_until("black", |phase| phase == "running")?;
    clock.shot("running")?;
    clock.press_until("call", |phase| phase == "paused")?;
    clock.shot("paused")?;
    clock.open_menu()?;
    clock.shot("set-up-in-a-pause")?;

    let mut clock = Clock::start(language, &pictures)?;
    clock.set("1s", "41s", "38")?;
    clock.press_until("black", |phase| !["ready", "running"].contains(&phase))?;
    clock.shot("flag")?;
    clock.open_menu()?;
    clock.shot("after-a-flag")?;

    let page = folder.join(format!("{code}.html"));
    std::fs::write(&page, html(code, &language.words().card)).context(page.display().to_string())
}

/// A clock with a fresh 3+2 for two players.
struct Clock<'a> {
    buttons: Buttons,
    runtime: tokio::runtime::Runtime,
    menu: MenuProxy<'static>,
    pictures: &'a Path,
    // Dropped in this order: the clock, its bus, its folder.
    _clockd: Program,
    _bus: Program,
    bench: Bench,
}

impl Clock<'_> {
    fn start(language: Language, pictures: &Path) -> Result<Clock<'_>> {
        let bench = Bench::new()?;
        bench.configure(&format!(
            "control = '3+2'\nrules = 'players-agree'\n[menu]\nlanguage = '{}'\n",
            language.code()
        ))?;
        let bus = bench.bus()?;
        let clockd = bench.clockd(&[])?;
        let buttons = bench.buttons()?;
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let menu = runtime.block_on(async {
            let connection = connection::Builder::address(bench.address().as_str()).build().await?;
            let proxy = MenuProxy::builder(&connection).cache_properties(CacheProperties::No);
            proxy.build().await
        })?;
        Ok(Clock { buttons, runtime, menu, pictures, _clockd: clockd, _bus: bus, bench })
    }

    /// Sets the times of both sides and how many moves each has made.
    fn set(&self, white: &str, black: &str, moves: &str) -> Result<()> {
        let times = ["set", "--white-time", white, "--black-time", black];
        let moves = ["--white-moves", moves, "--black-moves", moves];
        let set = self.bench.clockctl(&times).args(moves).output()?;
        ensure!(set.status.success(), "{}", String::from_utf8_lossy(&set.stderr));
        Ok(())
    }

    /// Takes a picture of the face.
    fn shot(&self, name: &str) -> Result<()> {
        let mut command = std::process::Command::new(program("clock-display"));
        command.args(["--bus", &self.bench.address(), "shot", "--out"]);
        let shot = command.arg(self.pictures.join(format!("{name}.png"))).status()?;
        ensure!(shot.success(), "clock-display shot failed");
        Ok(())
    }

    /// Presses a button, and waits for a phase of the game.
    fn press_until(&mut self, button: &str, is: impl Fn(&str) -> bool) -> Result<()> {
        self.buttons.press(button)?;
        eventually("the phase", || {
            let status = self.bench.status().ok()?;
            status["phase"].as_str().is_some_and(&is).then_some(())
        });
        Ok(())
    }

    /// Waits for a page of the menu.
    fn page(&self, what: &str, is: impl Fn(&MenuPage) -> bool) -> MenuPage {
        eventually(what, || self.runtime.block_on(self.menu.page()).ok().filter(&is))
    }

    /// Holds the call button until the menu opens, or until it opens when the button is released.
    fn open_menu(&mut self) -> Result<()> {
        self.buttons.edge("call down")?;
        let is_held = |page: &MenuPage| [MenuState::Release, MenuState::Open].contains(&page.state);
        self.page("the button was held", is_held);
        self.buttons.edge("call up")?;
        self.page("the menu is open", |page| page.state == MenuState::Open);
        Ok(())
    }

    /// Chooses what the call button chooses, and waits for the next page.
    fn choose(&mut self) -> Result<()> {
        let before = self.page("the menu is open", |_| true);
        self.buttons.press("call")?;
        self.page("the next page", |page| {
            page.state == MenuState::Open && page.title != before.title
        });
        Ok(())
    }
}

/// The page of a language: a strip to be cut out, and each line with its pictures.
fn html(code: &str, card: &Card) -> String {
    let size = f64::from(WIDTH) / (ROW_LENGTH as f64 * LETTER);
    let mut strip = String::new();
    let mut steps = String::new();
    for (index, (line, pictures)) in card.lines.iter().zip(PICTURES).enumerate() {
        let number = index + 1;
        let about = escaped(line.about);
        let parts = line.text.split("**").enumerate();
        let text: String = parts
            .map(|(part, text)| match part % 2 {
                0 => escaped(text),
                _ => format!("<b>{}</b>", escaped(text)),
            })
            .collect();
        let _ = writeln!(strip, "<p><b>{number}. {about}:</b> {text}</p>");
        let _ = writeln!(steps, "<section><div><h2>{number}. {about}</h2><p>{text}</p></div>");
        for picture in pictures {
            let _ = writeln!(steps, "<img src=\"{code}/{picture}.png\" alt=\"\">");
        }
        steps.push_str("</section>\n");
    }
    let title = escaped(card.title);
    format!(
        "<!DOCTYPE html>
<html lang=\"{code}\">
<meta charset=\"utf-8\">
<title>{title}</title>
<style>
@page {{ size: A4; margin: 12mm 20mm }}
body {{ width: {WIDTH}mm; margin: 0 auto; font: {size:.2}mm/1.3 'DejaVu Sans', Verdana, sans-serif; color: black }}
.strip {{ padding: 2mm; margin: 0 -2mm; border: 0.2mm dashed }}
.strip p {{ margin: 0 }}
h1 {{ font-size: 6mm; margin: 6mm 0 2mm }}
h2 {{ font-size: 4mm; margin: 0 }}
section {{ display: flex; gap: 3mm; margin-bottom: 4mm; break-inside: avoid; font-size: 3.4mm }}
section div {{ flex: 1 }}
section p {{ margin: 1mm 0 }}
img {{ width: 55mm; height: 33mm }}
</style>
<div class=\"strip\">
{strip}</div>
<h1>{title}</h1>
{steps}</html>
"
    )
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}
