//! `make picture`: makes the README's picture of the face with the real programs.

use anyhow::{Context, Result};
use clock_tests::{Bench, Face, program};
use std::fmt::Write as _;

const COLS: u16 = 96;
const ROWS: u16 = 22;
/// The background colour.
const GROUND: &str = "#101418";
/// A cell, in pixels.
const CELL: (u16, u16) = (9, 18);

fn main() -> Result<()> {
    let path = std::env::args().nth(1).context("usage: clock-picture FILE.svg")?;
    let bench = Bench::new()?;
    let _bus = bench.bus()?;
    let _clockd = bench.clockd(&["--control", "blitz-3-2"])?;
    let new = ["new", "--white", "Vera Menchik", "--black", "Sonja Graf"];
    anyhow::ensure!(bench.ctl(&new)?.status.success(), "clockctl new failed");
    let set = ["set", "--white-time", "154300ms", "--black-time", "87s", "--white-moves", "21"];
    anyhow::ensure!(
        bench.clockctl(&set).args(["--black-moves", "21"]).status()?.success(),
        "clockctl set failed"
    );
    let mut face = Face::start(
        program("clock-display"),
        &["--terminal", "--bus", &bench.address()],
        COLS,
        ROWS,
    );
    face.shows("starts White's clock");
    bench.buttons()?.press("black")?;
    face.shows("▶");
    std::fs::write(&path, svg(&face)).with_context(|| format!("cannot write {path}"))?;
    face.keys("q");
    face.wait();
    bench.close()
}

fn svg(face: &Face) -> String {
    let (width, height) = (COLS * CELL.0, ROWS * CELL.1);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
         shape-rendering=\"crispEdges\" font-family=\"DejaVu Sans Mono, monospace\" \
         font-size=\"15\">\n<rect width=\"{width}\" height=\"{height}\" fill=\"{GROUND}\"/>\n"
    );
    let mut texts = String::new();
    let mut run: Option<Run> = None;
    face.cells(|row, col, cell| {
        let (back, front, text) = look(cell);
        match &mut run {
            Some(run) if run.row == row && run.fill == back => run.len += 1,
            _ => {
                let begun = Run { row, col, len: 1, fill: back };
                svg.extend(run.replace(begun).map(|run| run.rect()));
            }
        }
        if !text.trim().is_empty() {
            let (x, y) = (col * CELL.0, (row + 1) * CELL.1 - 4);
            let text = text.replace('&', "&amp;").replace('<', "&lt;");
            let _ = writeln!(texts, "<text x=\"{x}\" y=\"{y}\" fill=\"{front}\">{text}</text>");
        }
    });
    svg.extend(run.map(|run| run.rect()));
    svg + &texts + "</svg>\n"
}

/// Neighbouring cells of one colour in one row.
struct Run {
    row: u16,
    col: u16,
    len: u16,
    fill: String,
}

impl Run {
    fn rect(&self) -> String {
        if self.fill == GROUND {
            return String::new();
        }
        let (x, y) = (self.col * CELL.0, self.row * CELL.1);
        let (width, height) = (self.len * CELL.0, CELL.1);
        let fill = &self.fill;
        format!(
            "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" fill=\"{fill}\"/>\n"
        )
    }
}

/// Background, foreground and text of a cell. A full block counts as background.
fn look(cell: &vt100::Cell) -> (String, String, &str) {
    let mut back = rgb(cell.bgcolor()).unwrap_or_else(|| GROUND.to_owned());
    let mut front = rgb(cell.fgcolor()).unwrap_or_else(|| "#c8ccd0".to_owned());
    if cell.inverse() {
        std::mem::swap(&mut back, &mut front);
    }
    match cell.contents() {
        "█" => (front.clone(), front, ""),
        text => (back, front, text),
    }
}

/// The colour as `#rrggbb`. `None` for a default colour or an indexed colour of the terminal, in
/// place of which the picture has a colour of its own.
fn rgb(color: vt100::Color) -> Option<String> {
    match color {
        vt100::Color::Rgb(r, g, b) => Some(format!("#{r:02x}{g:02x}{b:02x}")),
        vt100::Color::Default | vt100::Color::Idx(_) => None,
    }
}
