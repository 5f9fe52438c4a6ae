//! Compares the painter of the face with Slint's software renderer, on the same picture of 1920 ×
//! 1080 pixels.
//!
//! usage: slint-face [pictures FOLDER]
//!
//! Without arguments, it prints the times and the memory of both renderers, and the ratios.
//! `pictures` writes the pictures of both.

mod memory;
mod ours;
mod shown;
mod slints;

use std::hint::black_box;
use std::path::Path;
use std::time::Instant;

use anyhow::{Context, Result, bail, ensure};
use clock_display::pixels::write_png;

use crate::{ours::Ours, shown::SIZE, slints::Slints};

const PIXELS: usize = SIZE.0 as usize * SIZE.1 as usize;
/// How often each of the two renderers is measured, in turn.
const ROUNDS: usize = 301;
/// The pictures are compared in squares of this many pixels in each direction.
const SQUARE: usize = 16;

/// A renderer with its picture: White's clock at 1:29:5x, where x is the digit that `show` gets.
trait Painted {
    /// Shows this digit for the seconds, and paints what has changed.
    fn show(&mut self, seconds: usize);
    /// Paints the whole picture.
    fn repaint(&mut self);
    /// The picture, row by row as `0x00RRGGBB`.
    fn pixels(&self) -> Vec<u32>;
}

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => compare(),
        ["pictures", folder] => write_pictures(Path::new(folder)),
        [memory::CHILD, what] => memory::print(what),
        _ => bail!("usage: slint-face [pictures FOLDER]"),
    }
}

fn compare() -> Result<()> {
    let (mut ours, mut slints) = (Ours::new(), Slints::new()?);
    // The second picture is the one in which the digit has been painted alone.
    for seconds in [7, 8] {
        ours.show(seconds);
        slints.show(seconds);
        let squares = differing(&ours.pixels(), &slints.pixels());
        let worst = squares.iter().copied().max().unwrap_or(0);
        // The edges of letters are rounded differently. Where an element is missing or at another
        // place, the pictures are not the same, and comparing the times has no meaning.
        ensure!(worst < SQUARE * SQUARE / 4, "{worst} pixels differ within {SQUARE} × {SQUARE}");
        let share = squares.iter().sum::<usize>() as f64 / PIXELS as f64;
        println!("pixels that differ by more than an eighth: {:.2} %", share * 100.0);
    }

    let mut seconds = 0;
    report("one digit", "µs", 1e6, &mut ours, &mut slints, 20, &mut |face: &mut dyn Painted| {
        seconds = (seconds + 1) % 10;
        face.show(seconds);
    });
    report("the whole picture", "ms", 1e3, &mut ours, &mut slints, 1, &mut |face| face.repaint());
    memory::compare()
}

/// The number of pixels that differ visibly between two pictures, for each square of the picture.
fn differing(one: &[u32], other: &[u32]) -> Vec<usize> {
    let visible = |one: u32, other: u32| {
        let parts = one.to_be_bytes().into_iter().zip(other.to_be_bytes());
        parts.into_iter().any(|(one, other)| one.abs_diff(other) > 32)
    };
    let width = SIZE.0 as usize;
    let across = width.div_ceil(SQUARE);
    let mut squares = vec![0; across * (SIZE.1 as usize).div_ceil(SQUARE)];
    for at in (0..PIXELS).filter(|at| visible(one[*at], other[*at])) {
        squares[at / width / SQUARE * across + at % width / SQUARE] += 1;
    }
    squares
}

/// Measures both renderers in turn, and prints the medians in `unit` and their ratio. `scale` is
/// the number of these units in a second.
fn report(
    name: &str,
    unit: &str,
    scale: f64,
    ours: &mut Ours,
    slints: &mut Slints,
    repeated: u32,
    work: &mut dyn FnMut(&mut dyn Painted),
) {
    let mut times = [Vec::new(), Vec::new()];
    let faces: [&mut dyn Painted; 2] = [ours, slints];
    for round in 0..ROUNDS {
        for turn in 0..2 {
            let which = (round + turn) % 2;
            let begun = Instant::now();
            for _ in 0..repeated {
                work(black_box(&mut *faces[which]));
            }
            times[which].push(begun.elapsed().as_secs_f64() / f64::from(repeated) * scale);
        }
    }
    let [ours, slints] = times.map(|mut times| {
        times.sort_by(f64::total_cmp);
        times[times.len() / 2]
    });
    println!(
        "{name:<18} ours {ours:>8.2} {unit}   Slint {slints:>8.2} {unit}   ratio {:.2}",
        ours / slints
    );
}

fn write_pictures(folder: &Path) -> Result<()> {
    for (name, pixels) in [("ours", Ours::new().pixels()), ("slint", Slints::new()?.pixels())] {
        let path = folder.join(format!("{name}.png"));
        let file = std::fs::File::create(&path).with_context(|| path.display().to_string())?;
        write_png(file, &pixels, SIZE)?;
    }
    Ok(())
}
