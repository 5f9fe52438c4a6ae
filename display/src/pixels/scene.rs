//! The elements of a picture: a list of rectangles, each of which is plain, hatched or contains a
//! text. Later rectangles cover earlier ones.

use super::area::{Area, Rotation};
use super::font::{Font, Typeface, capital_height, size_for};
use super::layout::{
    Arrangement, BAND, HalfLayout, Layout, Part, around_time, signs, time_size, time_width,
};
use super::surface::Rgb;
use super::theme::{Colours, SideColours, Theme};
use crate::content::{Content, Game, Menu, SideDisplay, TimeLevel, TurnMark, Urgency};
use crate::glyphs::Glyphs;
use crate::name::{cut_end, surname_fits};
use crate::texts::{counts, method, moves as moves_text, notes, player, short_period};

/// The size of a screen, and how the face is arranged, turned and coloured on it.
#[derive(Clone, Copy, Debug)]
pub struct Setup {
    /// The screen's size in pixels.
    pub size: (u32, u32),
    /// How far the picture is turned on the screen.
    pub rotation: Rotation,
    /// The arrangement of the halves; `None` for the one that suits the shape of the screen.
    pub arrangement: Option<Arrangement>,
    pub theme: Theme,
}

/// The elements of one picture.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Scene {
    pub elements: Vec<Element>,
}

/// A rectangle on the screen with its contents.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Element {
    pub area: Area,
    /// How far the text in the rectangle is turned.
    pub rotation: Rotation,
    pub look: Look,
}

/// The contents of a rectangle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Look {
    Plain(Rgb),
    Hatched {
        ground: Rgb,
        line: Rgb,
        /// The height of the half in pixels. The distance and the width of the hatching's lines are
        /// proportional to it.
        scale: u32,
    },
    /// A disc with a ring in the ink of `around`, on the ground of `around`. The rectangle is a
    /// square.
    Disc {
        fill: Rgb,
        around: Colours,
    },
    Text {
        text: String,
        /// The size of the font.
        size: u32,
        typeface: Typeface,
        align: Align,
        colours: Colours,
    },
}

/// The horizontal place of a text in its rectangle. Vertically it is always in the middle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Align {
    Left,
    Centre,
    Right,
}

/// The height of capital letters, in hundredths of the height of the line that contains them.
const CAPITALS: u32 = 45;
/// The height of capital letters in the lines above and below the time, whose height is [`BAND`],
/// in hundredths of the height of the line.
const BAND_CAPITALS: u32 = 100 * BAND.1 / BAND.0 + 1;
/// The height that capital letters would have beside the marks ▶ and ❚❚, in hundredths of the
/// height of the line. The marks reach further below the base line than letters.
const MARK_CAPITALS: u32 = 52;
/// The heights of capital letters in a name, in hundredths of the height of the line, from the
/// largest to the smallest.
const NAME_CAPITALS: [u32; 3] = [BAND_CAPITALS, 58, 50];
/// The heights of capital letters in notes, in hundredths of the height of the line. Notes that are
/// too long for the first one have the second one, such as the conditions of the game.
const NOTES_CAPITALS: [u32; 2] = [BAND_CAPITALS, 45];
/// The heights of capital letters in the status line, in hundredths of the height of that line,
/// from the largest to the smallest. A text is tried in all these sizes before a shorter text,
/// which says less, is tried.
const STATUS_CAPITALS: [u32; 3] = [CAPITALS, 38, 32];
/// The heights of capital letters in the line about what to do while no service answers.
const REMEDY_CAPITALS: [u32; 3] = [CAPITALS, 30, 18];
/// The heading has room for this press counter from the start of the game, so that nothing moves
/// when the counter gets a second or a third digit.
const WIDEST_MOVES: u32 = 888;

impl Setup {
    /// The size of the picture before it is turned.
    pub(super) fn seen_size(&self) -> (u32, u32) {
        self.rotation.inverse().size(self.size)
    }

    /// The places of the parts before the picture is turned.
    pub fn layout(&self) -> Layout {
        Layout::of(self.seen_size(), self.arrangement)
    }
}

impl Scene {
    pub fn of(content: &Content, setup: &Setup, font: &Font) -> Scene {
        let size = setup.seen_size();
        let mut scene = Scene::default();
        match content {
            Content::Starting(words) => {
                let ground = setup.theme.status(Urgency::Normal);
                scene.notice(([words.starting].as_slice(), ground), &[], setup, font);
            }
            Content::NoService(words) => {
                let notice = setup.theme.status(Urgency::Notice);
                let remedy = &words.no_service_remedy;
                scene.notice((&words.no_service, notice), remedy, setup, font);
            }
            Content::Game(game) => match &game.menu {
                Menu::Closed => scene.game(game, setup, font),
                Menu::Release => {
                    scene.game(game, setup, font);
                    scene.release(game.words, setup, font);
                }
                Menu::Open(page) => scene.page(page, game, setup, font),
            },
        }
        for element in &mut scene.elements {
            element.area = element.area.turned(size, setup.rotation, Area::of_size(setup.size));
            element.rotation = element.rotation.then(setup.rotation);
        }
        scene
    }

    /// Adds a notice that is shown in place of a game, and below it what to do. Of `texts`, and of
    /// `remedy`, the first one that fits is shown. If two players face each other, each of them gets
    /// both lines.
    fn notice(
        &mut self,
        (texts, colours): (&[&str], Colours),
        remedy: &[&str],
        setup: &Setup,
        font: &Font,
    ) {
        let screen = Area::of_size(setup.seen_size());
        let ground = setup.theme.status(Urgency::Normal);
        let upright = |area| Part { area, rotation: Rotation::None };
        let parts = if setup.arrangement == Some(Arrangement::Facing) {
            let (far, near) = screen.split_top(screen.height / 2);
            vec![Part { area: far, rotation: Rotation::Half }, upright(near)]
        } else {
            vec![upright(screen)]
        };
        for part in parts {
            let all = Area::of_size(part.area.size());
            self.add(part, all.size(), all, Look::Plain(ground.ground));
            let room = all.centred((all.width, screen.height.min(screen.width) / 3));
            let (line, below) = room.split_top(room.height / 2);
            let [texts, remedy] = [texts, remedy]
                .map(|texts| texts.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>());
            self.text(part, line, &texts, (Align::Centre, &[CAPITALS]), colours, font);
            self.text(part, below, &remedy, (Align::Centre, &REMEDY_CAPITALS), ground, font);
        }
    }

    fn game(&mut self, game: &Game, setup: &Setup, font: &Font) {
        let layout = setup.layout();
        for (part, display) in layout.halves.into_iter().zip(game.in_wired_order()) {
            let called = game.status.arbiter_awaited();
            self.half(part, display, called, setup.theme, font);
        }
        let colours = setup.theme.status(game.status.urgency);
        for part in layout.status {
            let size = part.rotation.inverse().size(part.area.size());
            let all = Area::of_size(size);
            self.add(part, size, all, Look::Plain(colours.ground));
            // A margin at both ends separates the texts for two players who face each other.
            let mut line = all.centred((size.0.saturating_sub(size.1 / 2), size.1));
            if let Some(battery) = &game.status.battery {
                let width = font.width(battery, text_size(all, CAPITALS)) + size.1 / 2;
                let (rest, sign) = all.split_left(size.0.saturating_sub(width));
                let notice = setup.theme.status(Urgency::Notice);
                let form = (Align::Centre, &[CAPITALS][..]);
                self.text(part, sign, std::slice::from_ref(battery), form, notice, font);
                line = line.intersection(rest).unwrap_or(rest);
            }
            let form = (Align::Centre, &STATUS_CAPITALS[..]);
            self.text(part, line, &game.status.texts, form, colours, font);
        }
    }

    /// Adds a half. If the arbiter is awaited (`called`), the bands above and below the time have
    /// the colour of the call.
    fn half(&mut self, part: Part, display: &SideDisplay, called: bool, theme: Theme, font: &Font) {
        let SideDisplay {
            // `SideDisplay::time_with_flag` uses this field.
            time: _,
            mark: rotation,
            moves,
            // The heading uses these fields.
            side: _,
            player: _,
            // `texts::counts` and `texts::method` use these fields.
            period: _,
            method: _,
            // `texts::notes` uses these fields.
            delay: _,
            overtime: _,
            earlier_flag: _,
            used: _,
            conditions: _,
            // `texts::notes` and the theme use these fields.
            time_level: _,
            stale: _,
            // The functions of `texts` use this field.
            words: _,
        } = display;
        let size = part.rotation.inverse().size(part.area.size());
        let colours = theme.side(display);
        let call = called.then(|| theme.status(Urgency::Call));
        let band = call.unwrap_or(colours.text);
        let layout = HalfLayout::of(size);
        self.ground(part, size, &layout, display, colours, call);

        let form = |align| (align, &[BAND_CAPITALS][..]);
        let band_size = text_size(layout.heading, BAND_CAPITALS);
        let width = |text: &str| font.width(text, band_size);
        // A side that is not on move also has room for the mark, so that the name does not move at
        // each press.
        let mark_width = width(Glyphs::PICTURE.mark(TurnMark::Stopped));
        let sign = Glyphs::PICTURE.mark(*rotation).to_owned();
        let name = match layout.counts {
            None => {
                // The method is beside the notes, where there is more room.
                let without = SideDisplay { method: None, ..display.clone() };
                let reserved = SideDisplay {
                    moves: moves.map(|moves| moves.max(WIDEST_MOVES)),
                    ..without.clone()
                };
                let widest = counts(&reserved, Glyphs::PICTURE);
                let fits = |text: &String| width(text) <= layout.heading.width / 2;
                let chosen = widest.iter().position(fits).unwrap_or(widest.len() - 1);
                let beside = counts(&without, Glyphs::PICTURE)[chosen].clone();
                let taken = width(&widest[chosen]) + band_size / 2;
                let (left, right) =
                    layout.heading.split_left(layout.heading.width.saturating_sub(taken));
                let (mark, name) = left.split_left(mark_width + band_size / 3);
                self.text(part, mark, &[sign], (Align::Left, &[MARK_CAPITALS]), band, font);
                self.text(part, right, &[beside], form(Align::Right), band, font);
                name
            }
            Some(line) => {
                let (mark, right) = line.split_left(mark_width);
                let moves = moves
                    .map(|moves| moves_text(display.words, moves, Glyphs::PICTURE))
                    .unwrap_or_default();
                self.text(part, mark, &[sign], (Align::Left, &[MARK_CAPITALS]), band, font);
                self.text(part, right, &[moves], form(Align::Right), band, font);
                layout.heading
            }
        };
        let notes = notes(display, Glyphs::PICTURE, "   ");
        let beside = beside_notes(display, layout.counts.is_some());
        let small = text_size(layout.notes, NOTES_CAPITALS[1]);
        let longest = notes.first().map_or(0, |note| font.width(note, small));
        let gap = band_size / 3;
        let room = layout.notes.width;
        let [long, short, without] = &beside;
        let fits = |text: &str| width(text) + gap + longest <= room;
        let beside = match (width(long) <= room * 2 / 5 && fits(long), fits(short)) {
            (true, _) => long,
            (false, true) => short,
            (false, false) => without,
        };
        let notes_line = if beside.is_empty() {
            layout.notes
        } else {
            let (left, rest) = layout.notes.split_left(width(beside) + gap);
            self.text(part, left, std::slice::from_ref(beside), form(Align::Left), band, font);
            rest
        };
        // A surname that is too long is smaller before it is cut.
        let room = name.width;
        let fits = |capitals: &u32| {
            let size = text_size(name, *capitals);
            surname_fits(&display.player, room, &|text| font.width(text, size))
        };
        let capitals = NAME_CAPITALS.into_iter().find(fits).unwrap_or(NAME_CAPITALS[2]);
        let name_size = text_size(name, capitals);
        let player = player(display, Glyphs::PICTURE, room, &|text| font.width(text, name_size));
        self.text(part, name, &[player], (Align::Left, &[capitals]), band, font);
        // A disc beside the digits has their ground, and a disc in the heading has the ground of
        // the heading.
        let around = if layout.counts.is_some() { band } else { colours.text };
        let fill = theme.piece(display.side);
        let side = layout.disc.width.min(layout.disc.height);
        let disc = layout.disc.centred((side, side)).inset(side / 16);
        self.add(part, size, layout.disc, Look::Plain(around.ground));
        self.add(part, size, disc, Look::Disc { fill, around });
        self.time(part, size, layout.time, &display.time_with_flag(), colours.text, font);
        if called || notes.first().is_some_and(|text| !text.is_empty()) {
            // The bar for a low time is inverted, so that not only its colour shows the low time.
            let is_low = display.time_level == TimeLevel::Low && !called && !display.stale;
            let bar = if is_low { inverted(band) } else { band };
            self.text(part, notes_line, &notes, (Align::Centre, &NOTES_CAPITALS), bar, font);
        }
    }

    /// Adds the ground of a half, and a frame if its side is on move.
    fn ground(
        &mut self,
        part: Part,
        size: (u32, u32),
        layout: &HalfLayout,
        display: &SideDisplay,
        colours: SideColours,
        call: Option<Colours>,
    ) {
        let all = Area::of_size(size);
        let ground = colours.half.ground;
        let look = match colours.hatching {
            Some(line) => Look::Hatched { ground, line, scale: part.area.height },
            None => Look::Plain(ground),
        };
        if let Some(call) = call {
            self.add(part, size, all, Look::Plain(call.ground));
            self.add(part, size, layout.time, look);
        } else {
            self.add(part, size, all, look);
        }
        if display.mark == TurnMark::Waiting {
            return;
        }
        let Colours { ground, ink } = call.unwrap_or(colours.half);
        // The frame has plain ground on both sides, also where the half is hatched.
        for edge in edges(all, 3 * layout.line) {
            self.add(part, size, edge, Look::Plain(ground));
        }
        for edge in edges(all.inset(layout.line), layout.line) {
            self.add(part, size, edge, Look::Plain(ink));
        }
    }

    /// Adds the time, with the sign of the first flag. Each digit has its own rectangle, so that
    /// only the digits that change are painted again.
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
        let (margin, width) = (around_time(height), time_width(time, size, font));
        let row = room.centred((width.min(room.width), height + 2 * margin));
        // The hatching keeps a distance from the digits.
        let clear = (height / 5).min(row.x - room.x);
        let around = Area { x: row.x - clear, width: row.width + 2 * clear, ..row };
        self.add(part, half, around, Look::Plain(colours.ground));
        let base_line = row.bottom().saturating_sub(margin);
        let (typeface, align) = (Typeface::Time, Align::Centre);
        let mut rest = row;
        for (sign, size) in signs(time, size) {
            let (cell, others) = rest.split_left(font.advance(typeface, sign, size));
            let (height, margin) = (capital_height(size), around_time(capital_height(size)));
            let y = base_line.saturating_sub(height + margin).max(row.y);
            let cell = Area { y, height: (height + 2 * margin).min(row.bottom() - y), ..cell };
            let text = sign.to_string();
            self.add(part, half, cell, Look::Text { text, size, typeface, align, colours });
            rest = others;
        }
    }

    /// Adds the first text that fits, at the first size at which it fits. If none fits, adds the
    /// beginning of the last text that is not empty, at the last size. `line` is the area of the
    /// text, in the coordinates of `part` before its rotation. `capitals` lists the sizes: heights
    /// of capital letters, in hundredths of the height of `line`.
    pub(super) fn text(
        &mut self,
        part: Part,
        line: Area,
        texts: &[String],
        (align, capitals): (Align, &[u32]),
        colours: Colours,
        font: &Font,
    ) {
        let sizes = || capitals.iter().map(|capitals| text_size(line, *capitals));
        let in_sizes = texts.iter().flat_map(|text| sizes().map(move |size| (text, size)));
        let fitting =
            in_sizes.into_iter().find(|(text, size)| font.width(text, *size) <= line.width);
        let (text, size) = match fitting {
            Some((text, size)) => (text.clone(), size),
            None => {
                let last = texts.iter().rfind(|text| !text.is_empty()).map_or("", String::as_str);
                let size = sizes().next_back().unwrap_or(0);
                (cut_end(last, line.width, "…", &|text| font.width(text, size)), size)
            }
        };
        let half = part.rotation.inverse().size(part.area.size());
        self.add(
            part,
            half,
            line,
            Look::Text { text, size, typeface: Typeface::Text, align, colours },
        );
    }

    /// Adds a rectangle. `size` is the size of `part` before its rotation, and `area` is in the
    /// coordinates of `part` before its rotation.
    pub(super) fn add(&mut self, part: Part, size: (u32, u32), area: Area, look: Look) {
        let area = area.turned(size, part.rotation, part.area);
        if !area.is_empty() {
            self.elements.push(Element { area, rotation: part.rotation, look });
        }
    }
}

/// The texts for the left end of the line of the notes, from the longest to the shortest: the
/// method, after the period if `has_period` is set. The last text leaves out the method, so that no
/// note has to be left out.
fn beside_notes(display: &SideDisplay, has_period: bool) -> [String; 3] {
    let [long, short] = method(display);
    let texts = [long, short, String::new()];
    match has_period {
        true => {
            let period = short_period(display, Glyphs::PICTURE);
            texts.map(|method| format!("{period} {method}").trim_end().to_owned())
        }
        false => texts,
    }
}

pub(super) fn inverted(Colours { ground, ink }: Colours) -> Colours {
    Colours { ground: ink, ink: ground }
}

/// The four edges of an area, of this width.
fn edges(area: Area, width: u32) -> [Area; 4] {
    let (top, rest) = area.split_top(width);
    let (middle, bottom) = rest.split_top(rest.height.saturating_sub(width));
    let (left, rest) = middle.split_left(width);
    let (_, right) = rest.split_left(rest.width.saturating_sub(width));
    [top, bottom, left, right]
}

pub(super) fn text_size(line: Area, capitals: u32) -> u32 {
    size_for(line.height * capitals / 100)
}
