//! The elements of a picture: a list of rectangles, each of which is plain, hatched or contains a
//! text. Later rectangles cover earlier ones.

use super::area::{Area, Rotation};
use super::font::{Font, Typeface, capital_height, size_for};
use super::layout::{
    Arrangement, BAND, HalfLayout, Layout, Part, around_time, signs, time_size, time_width,
    with_sign,
};
use super::surface::Rgb;
use super::theme::{Colours, SideColours, Theme};
use crate::content::{Content, Game, Menu, SideDisplay, TimeLevel, Urgency};
use crate::glyphs::Glyphs;
use crate::name::{cut_end, surname_fits, two_lines};
use crate::texts::{moves, player, small_line};

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
/// The heights that capital letters would have beside the marks ▶ and ❚❚, in hundredths of the
/// height of the line, from the largest to the smallest. The marks reach further below the base line
/// than letters.
const MARK_CAPITALS: [u32; 5] = [52, 44, 36, 30, 24];
/// The heights of capital letters in a name, in hundredths of the height of the line, from the
/// largest to the smallest.
const NAME_CAPITALS: [u32; 4] = [BAND_CAPITALS, 58, 50, 44];
/// The heights of capital letters in the small line, in hundredths of its height, from the largest
/// to the smallest.
const SMALL_CAPITALS: [u32; 3] = [58, 50, 44];
/// The heights of capital letters in the status line, in hundredths of the height of that line,
/// from the largest to the smallest. A text is tried in all these sizes before a shorter text,
/// which says less, is tried.
const STATUS_CAPITALS: [u32; 3] = [CAPITALS, 38, 32];
/// The same for the text above the bar of a hold, whose line is lower.
const HOLD_CAPITALS: [u32; 5] = [66, 58, 50, 42, 36];
/// The heights of capital letters in the line about what to do while no service answers.
const REMEDY_CAPITALS: [u32; 3] = [CAPITALS, 30, 18];
/// The small line has room for this press counter from the start of the game, so that nothing moves
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
        let call = game.has_call_bands().then(|| setup.theme.status(Urgency::Call));
        for (part, display) in layout.halves.into_iter().zip(game.in_wired_order()) {
            self.half(part, display, call, setup.theme, font);
        }
        // A line separates the two halves, because both can have the same ground colour.
        let border = Part { area: layout.border, rotation: Rotation::None };
        let size = layout.border.size();
        self.add(border, size, Area::of_size(size), Look::Plain(setup.theme.line()));
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
            let mut form = (Align::Centre, &STATUS_CAPITALS[..]);
            if let Some(percent) = game.status.hold {
                line = self.hold_bar(part, line, percent, colours);
                form.1 = &HOLD_CAPITALS;
            }
            self.text(part, line, &game.status.texts, form, colours, font);
        }
    }

    /// Adds the bar that fills while a button is held, and returns the room above it. Only the filled
    /// part changes, so nothing else is painted again.
    fn hold_bar(&mut self, part: Part, line: Area, percent: u32, colours: Colours) -> Area {
        let size = part.rotation.inverse().size(part.area.size());
        let (text, below) = line.split_top(line.height * 6 / 10);
        let thin = (line.height / 24).max(1);
        let frame = below.split_top(below.height.saturating_sub(2 * thin)).0;
        let inner = frame.inset(thin);
        let (filled, _) = inner.split_left(inner.width * percent / 100);
        for (area, colour) in [(frame, colours.ink), (inner, colours.ground), (filled, colours.ink)]
        {
            self.add(part, size, area, Look::Plain(colour));
        }
        text
    }

    /// Adds a half. If the arbiter is awaited (`call`), the bands above and below the time have the
    /// colours of the call.
    fn half(
        &mut self,
        part: Part,
        display: &SideDisplay,
        call: Option<Colours>,
        theme: Theme,
        font: &Font,
    ) {
        let size = part.rotation.inverse().size(part.area.size());
        let SideColours { half, hatching } = theme.side(display);
        let band = call.unwrap_or(half);
        let layout = HalfLayout::of(size);
        let all = Area::of_size(size);
        let ground = match hatching {
            Some(line) => Look::Hatched { ground: half.ground, line, scale: part.area.height },
            None => Look::Plain(half.ground),
        };
        if call.is_some() {
            self.add(part, size, all, Look::Plain(band.ground));
            self.add(part, size, layout.around_time(), ground);
        } else {
            self.add(part, size, all, ground);
        }
        // A disc beside the digits has their ground, and a disc beside the name has that of the band.
        let around = if layout.is_disc_beside_time { half } else { band };
        let side = layout.disc.width.min(layout.disc.height);
        let disc = layout.disc.centred((side, side)).inset(side / 16);
        self.add(part, size, layout.disc, Look::Plain(around.ground));
        self.add(part, size, disc, Look::Disc { fill: theme.piece(display.side), around });
        self.name(part, &layout, display, band, font);
        let mark = Glyphs::PICTURE.mark(display.mark).to_owned();
        self.text(part, layout.mark, &[mark], (Align::Right, &MARK_CAPITALS), band, font);
        let time = match display.sign() {
            Some(sign) => {
                let sign = sign.replace("1/2", "½");
                let (above, time) = with_sign(layout.time);
                self.time(part, above, &sign, time_size(&sign, above, font), half, font);
                time
            }
            None => layout.time,
        };
        let digits = time_size(&display.time, time, font);
        self.time(part, time, &display.time, digits, half, font);
        if let TimeLevel::Low(share) = display.time_level {
            let left = layout.bar.width * u32::from(share) / 1000;
            let (left, _) = layout.bar.split_left(left);
            self.add(part, size, left, Look::Plain(half.ink));
        }
        self.small_line(part, layout.small, display, band, font);
    }

    /// Adds the name of a player, in the largest size at which the surname fits. A surname that is
    /// too long for every size has two lines before it is cut.
    fn name(
        &mut self,
        part: Part,
        layout: &HalfLayout,
        display: &SideDisplay,
        band: Colours,
        font: &Font,
    ) {
        let room = layout.name;
        let line = room.centred((room.width, layout.band.min(room.height)));
        let sizes = NAME_CAPITALS.map(|capitals| (capitals, text_size(line, capitals)));
        let surname_fits = |(_, size): &(u32, u32)| {
            surname_fits(&display.player, room.width, &|text| font.width(text, *size))
        };
        let fitting = sizes.into_iter().find(surname_fits);
        let (upper, rest) = room.split_top(room.height / 2);
        let (lower, _) = rest.split_top(upper.height);
        if fitting.is_none() {
            let name = Glyphs::PICTURE.name(&display.player);
            let halves = sizes.into_iter().find_map(|(capitals, _)| {
                let size = text_size(upper, capitals);
                Some((capitals, two_lines(&name, room.width, &|text| font.width(text, size))?))
            });
            if let Some((capitals, [first, second])) = halves {
                self.text(part, upper, &[first], (Align::Left, &[capitals]), band, font);
                self.text(part, lower, &[second], (Align::Left, &[capitals]), band, font);
                return;
            }
        }
        let (capitals, size) = fitting.unwrap_or(sizes[sizes.len() - 1]);
        let width = |text: &str| font.width(text, size);
        let player = player(display, Glyphs::PICTURE, room.width, &width);
        self.text(part, line, &[player], (Align::Left, &[capitals]), band, font);
    }

    /// Adds the small line: the moves at its left end, so that nothing moves when their number grows,
    /// and at its right end the first of the other texts that fits, in the largest size.
    fn small_line(
        &mut self,
        part: Part,
        line: Area,
        display: &SideDisplay,
        band: Colours,
        font: &Font,
    ) {
        let moves = moves(display, Glyphs::PICTURE);
        // The line has room for this press counter from the start of the game.
        let widest = display.moves.filter(|_| display.conditions.is_empty());
        let widest = widest.map(|moves| moves.max(WIDEST_MOVES));
        let reserved =
            self::moves(&SideDisplay { moves: widest, ..display.clone() }, Glyphs::PICTURE);
        let texts = small_line(display, " · ");
        let in_sizes =
            texts.iter().flat_map(|text| SMALL_CAPITALS.map(|capitals| (text, capitals)));
        let fitting = in_sizes.into_iter().find_map(|(text, capitals)| {
            let width = |text: &str| font.width(text, text_size(line, capitals));
            let left = line.width.checked_sub(width(text))?;
            let gap = if text.is_empty() { 0 } else { width("  ") };
            (width(&reserved) + gap <= left).then_some((text.clone(), capitals, left))
        });
        let (text, capitals, left) = fitting.unwrap_or_default();
        let (left, right) = line.split_left(left);
        for (area, text, align) in [(left, moves, Align::Left), (right, text, Align::Right)] {
            if !text.is_empty() {
                self.text(part, area, &[text], (align, &[capitals]), band, font);
            }
        }
    }

    /// Adds a time, or a sign as large as its digits, in this size. A part in brackets is inverted. Each
    /// digit has its own rectangle, so that only the digits that change are painted again.
    pub(super) fn time(
        &mut self,
        part: Part,
        room: Area,
        time: &str,
        size: u32,
        colours: Colours,
        font: &Font,
    ) {
        let half = part.rotation.inverse().size(part.area.size());
        let shown = without_marks(time);
        let first = time.find('[').unwrap_or(shown.len());
        let last = time.find(']').map_or(0, |end| end - 1);
        let height = capital_height(size);
        let (margin, width) = (around_time(height), time_width(&shown, size, font));
        let row = room.centred((width.min(room.width), height + 2 * margin));
        // The hatching of a last known time keeps a distance from the digits.
        let clear = (height / 5).min(row.x - room.x);
        let around = Area { x: row.x - clear, width: row.width + 2 * clear, ..row };
        self.add(part, half, around, Look::Plain(colours.ground));
        let base_line = row.bottom().saturating_sub(margin);
        let (typeface, align) = (Typeface::Time, Align::Centre);
        let mut rest = row;
        for (index, (sign, size)) in signs(&shown, size).enumerate() {
            let (cell, others) = rest.split_left(font.advance(typeface, sign, size));
            let (height, margin) = (capital_height(size), around_time(capital_height(size)));
            let y = base_line.saturating_sub(height + margin).max(row.y);
            let cell = Area { y, height: (height + 2 * margin).min(row.bottom() - y), ..cell };
            let is_marked = (first..last).contains(&index);
            let colours = if is_marked { inverted(colours) } else { colours };
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

/// A time without the brackets around the part that the buttons change.
pub(super) fn without_marks(time: &str) -> String {
    time.replace(['[', ']'], "")
}

fn inverted(Colours { ground, ink }: Colours) -> Colours {
    Colours { ground: ink, ink: ground }
}

pub(super) fn text_size(line: Area, capitals: u32) -> u32 {
    size_for(line.height * capitals / 100)
}
