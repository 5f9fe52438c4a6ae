//! What is painted: a list of rectangles, each plain, hatched or with a text. Later ones lie over earlier ones.

use super::area::{Area, Turn};
use super::font::{Font, capital_height, size_for};
use super::layout::{Arrangement, HalfLayout, Layout, Part, around_time, time_size};
use super::surface::Rgb;
use super::theme::{Colours, SideColours, Theme};
use crate::content::{Content, Game, SideDisplay, TurnMark, Urgency};
use crate::glyphs::Glyphs;
use crate::name::cut_end;
use crate::texts::{counts, heading, notes};

/// How the face is shown on a screen.
#[derive(Clone, Copy, Debug)]
pub struct Setup {
    /// The screen's size in pixels.
    pub size: (u32, u32),
    /// How far the picture is turned on the screen.
    pub turn: Turn,
    /// `None`: the one with the largest digits.
    pub arrangement: Option<Arrangement>,
    pub theme: Theme,
}

/// A picture, as what it consists of.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Scene {
    pub elements: Vec<Element>,
}

/// A rectangle on the screen and what is in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Element {
    pub area: Area,
    /// How far its text is turned.
    pub turn: Turn,
    pub look: Look,
}

/// How a rectangle looks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Look {
    Plain(Rgb),
    Hatched {
        ground: Rgb,
        line: Rgb,
        /// The height of the half; the lines are as wide as it is high.
        scale: u32,
    },
    Text {
        text: String,
        /// The size of the font.
        size: u32,
        align: Align,
        colours: Colours,
    },
}

/// Where a text stands in its rectangle. It is always in the middle of its height.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Align {
    Left,
    Centre,
    Right,
}

/// The height of capital letters, in hundredths of the height of their line.
const CAPITALS: u32 = 45;

impl Setup {
    /// The size of the picture as it is seen, before it is turned.
    fn seen_size(&self) -> (u32, u32) {
        self.turn.inverse().size(self.size)
    }

    /// Where the parts of the picture are before it is turned.
    pub fn layout(&self, font: &Font) -> Layout {
        Layout::of(self.seen_size(), self.arrangement, font)
    }
}

impl Scene {
    pub fn of(content: &Content, setup: &Setup, font: &Font) -> Scene {
        let size = setup.seen_size();
        let mut scene = Scene::default();
        match content {
            Content::NoService => scene.no_service(size, setup.theme, font),
            Content::Game(game) => scene.game(game, setup, font),
        }
        for element in &mut scene.elements {
            element.area = element.area.turned(size, setup.turn, Area::of_size(setup.size));
            element.turn = element.turn.then(setup.turn);
        }
        scene
    }

    fn no_service(&mut self, size: (u32, u32), theme: Theme, font: &Font) {
        let screen = Part { area: Area::of_size(size), turn: Turn::None };
        let ground = theme.status(Urgency::Normal).ground;
        self.add(screen, screen.area.size(), Area::of_size(size), Look::Plain(ground));
        let line = Area::of_size(size).centred((size.0, size.1 / 6));
        let texts = ["no clock service".to_owned(), "no clock".to_owned()];
        self.text(screen, line, &texts, Align::Centre, theme.status(Urgency::Notice), font);
    }

    fn game(&mut self, game: &Game, setup: &Setup, font: &Font) {
        let layout = setup.layout(font);
        self.half(layout.white, &game.white, setup.theme, font);
        self.half(layout.black, &game.black, setup.theme, font);
        let colours = setup.theme.status(game.status.urgency);
        for part in layout.status {
            let line = Area::of_size(part.turn.inverse().size(part.area.size()));
            self.text(part, line, &game.status.texts, Align::Centre, colours, font);
        }
    }

    fn half(&mut self, part: Part, display: &SideDisplay, theme: Theme, font: &Font) {
        let size = part.turn.inverse().size(part.area.size());
        let colours = theme.side(display);
        let layout = HalfLayout::of(size);
        self.ground(part, size, &layout, display, colours);

        let beside = counts(display);
        let room = layout.heading.width / 2;
        let text_size = text_size(layout.heading);
        let beside = first_fitting(&beside, room, text_size, font).unwrap_or_default().to_owned();
        let taken = font.width(&beside, text_size) + text_size / 2;
        let (left, right) = layout.heading.split_left(layout.heading.width.saturating_sub(taken));
        let width = |text: &str| font.width(text, text_size);
        let name = heading(display, Glyphs::UNICODE, left.width, &width);
        self.text(part, left, &[name], Align::Left, colours.text, font);
        self.text(part, right, &[beside], Align::Right, colours.text, font);
        self.time(part, size, layout.time, &display.time, colours.text, font);
        let notes = notes(display, Glyphs::UNICODE, "   ");
        if notes.first().is_some_and(|text| !text.is_empty()) {
            self.text(part, layout.notes, &notes, Align::Centre, colours.text, font);
        }
    }

    /// The ground of a half, and the frame of the side on move.
    fn ground(
        &mut self,
        part: Part,
        size: (u32, u32),
        layout: &HalfLayout,
        display: &SideDisplay,
        colours: SideColours,
    ) {
        let all = Area::of_size(size);
        let ground = colours.half.ground;
        self.add(
            part,
            size,
            all,
            match colours.hatching {
                Some(line) => Look::Hatched { ground, line, scale: part.area.height },
                None => Look::Plain(ground),
            },
        );
        if display.mark == TurnMark::Waiting {
            return;
        }
        let (line, ink) = (layout.line, Look::Plain(colours.half.ink));
        let (top, rest) = all.split_top(line);
        let (middle, bottom) = rest.split_top(rest.height.saturating_sub(line));
        let (left, rest) = middle.split_left(line);
        let (_, right) = rest.split_left(rest.width.saturating_sub(line));
        for edge in [top, bottom, left, right] {
            self.add(part, size, edge, ink.clone());
        }
    }

    /// The time, with a rectangle for each digit, so that only the digits that change are painted again.
    fn time(
        &mut self,
        part: Part,
        half: (u32, u32),
        room: Area,
        time: &str,
        colours: Colours,
        font: &Font,
    ) {
        let size = time_size(time, room, font);
        let height = capital_height(size);
        let margin = around_time(height);
        let width = font.width(time, size);
        let row = room.centred((width, height + 2 * margin));
        let around = room.centred((width + 2 * margin, height + 2 * margin));
        self.add(part, half, around, Look::Plain(colours.ground));
        let mut rest = row;
        for sign in time.chars() {
            let (cell, others) = rest.split_left(font.advance(sign, size));
            let text = sign.to_string();
            self.add(part, half, cell, Look::Text { text, size, align: Align::Centre, colours });
            rest = others;
        }
    }

    /// The first of the texts that fits, or the beginning of the last that is not empty. `line` is a part of
    /// `part`, in its own coordinates.
    fn text(
        &mut self,
        part: Part,
        line: Area,
        texts: &[String],
        align: Align,
        colours: Colours,
        font: &Font,
    ) {
        let size = text_size(line);
        let text = match first_fitting(texts, line.width, size, font) {
            Some(text) => text.to_owned(),
            None => {
                let last = texts.iter().rfind(|text| !text.is_empty()).map_or("", String::as_str);
                cut_end(last, line.width, "…", &|text| font.width(text, size))
            }
        };
        let half = part.turn.inverse().size(part.area.size());
        self.add(part, half, line, Look::Text { text, size, align, colours });
    }

    /// Adds a rectangle that is given in the coordinates of a part with this size.
    fn add(&mut self, part: Part, size: (u32, u32), area: Area, look: Look) {
        let area = area.turned(size, part.turn, part.area);
        if !area.is_empty() {
            self.elements.push(Element { area, turn: part.turn, look });
        }
    }
}

fn text_size(line: Area) -> u32 {
    size_for(line.height * CAPITALS / 100)
}

fn first_fitting<'a>(texts: &'a [String], room: u32, size: u32, font: &Font) -> Option<&'a str> {
    texts.iter().map(String::as_str).find(|text| font.width(text, size) <= room)
}
