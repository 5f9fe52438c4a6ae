//! The clock's own painter.

use clock_display::content::Content;
use clock_display::pixels::{Painter, copy};

use crate::shown::{SIZE, content, setup};
use crate::{PIXELS, Painted};

pub struct Ours {
    painter: Painter,
    /// One content for each last digit of the seconds.
    contents: Vec<Content>,
    shown: usize,
    pixels: Vec<u32>,
}

impl Ours {
    pub fn new() -> Ours {
        let contents = (0..10).map(content).collect();
        let painter = Painter::new(setup());
        let mut ours = Ours { painter, contents, shown: 0, pixels: vec![0; PIXELS] };
        ours.show(7);
        ours
    }
}

impl Painted for Ours {
    fn show(&mut self, seconds: usize) {
        self.shown = seconds;
        let pixels = &mut self.pixels;
        self.painter.paint(&self.contents[seconds], &mut |area, painted| {
            copy(area, painted, pixels, SIZE.0 as usize);
        });
    }

    fn repaint(&mut self) {
        self.painter.forget();
        self.show(self.shown);
    }

    fn pixels(&self) -> Vec<u32> {
        self.pixels.clone()
    }
}
