//! A page of the menu as a picture, in place of the clock. While the arbiter is awaited, the title and
//! the hints have the colour of the call, and the reason is beside the title or above it.

mod tiles;

use clock_dbus::MenuButton;
use clock_languages::Face;

use super::area::{Area, Rotation};
use super::font::Font;
use super::layout::{Arrangement, HalfLayout, Part};
use super::scene::{Align, Look, Scene, Setup, text_size};
use super::theme::Colours;
use crate::content::{Game, Hint, Page, Placed, Urgency};

/// The height of a line in parts of the screen's height. On a panel of seven inches, which is 86 mm
/// high, a line is 10 mm high.
const LINE: (u32, u32) = (7, 60);
/// The height of a line is at most this part of the width of the page. Otherwise the lines of a
/// page on a high and narrow screen would be too high for their letters, which the width limits.
const OF_WIDTH: (u32, u32) = (3, 20);
/// A page has room for `ROWS` lines. A page for one of two players who face each other has room for
/// `ROWS_FACING` lines.
const ROWS: u32 = 6;
const ROWS_FACING: u32 = 3;

/// The heights of capital letters, in hundredths of the height of their line. All lines of a page
/// have the first of these sizes at which all lines fit. All hints have the first size at which all
/// hints fit.
const CAPITALS: [u32; 9] = [55, 50, 45, 40, 36, 32, 28, 24, 20];
/// The same heights for the two lines that ask the players to release the buttons, and for a title
/// below the call of the arbiter. Each of them has the first size at which it fits.
const TWO_LINES_CAPITALS: [u32; 7] = [75, 65, 55, 45, 30, 22, 16];

/// The height of capital letters in a title with the call of the arbiter beside it.
const BESIDE_TITLE: u32 = 40;

/// The mark of the chosen line, and the signs for more lines above and below.
const CHOSEN: &str = "→";
const ABOVE: &str = "▲";
const BELOW: &str = "▼";

/// A row of the hints.
type Row = (Area, String, Align);

impl Scene {
    /// Adds a page of the menu: once, or for each of two players who face each other.
    pub(super) fn page(&mut self, page: &Page, game: &Game, setup: &Setup, font: &Font) {
        let screen = Area::of_size(setup.seen_size());
        let placed = page.placed(game);
        let upright = |area| Part { area, rotation: Rotation::None };
        if setup.arrangement == Some(Arrangement::Facing) {
            let (far, near) = screen.split_top(screen.height / 2);
            let far = Part { area: far, rotation: Rotation::Half };
            for (player, part) in [upright(near), far].into_iter().enumerate() {
                self.drawing(part, game, setup, font).for_one_of_two(page, player, &placed);
            }
        } else {
            self.drawing(upright(screen), game, setup, font).whole(page, &placed);
        }
    }

    /// Covers the times with the word that asks the players to release the buttons.
    pub(super) fn release(&mut self, words: &Face, setup: &Setup, font: &Font) {
        let layout = setup.layout();
        let colours = setup.theme.status(Urgency::Notice);
        for part in layout.halves {
            let size = part.rotation.inverse().size(part.area.size());
            let area = HalfLayout::of(size).around_time();
            self.add(part, size, area, Look::Plain(colours.ground));
            let (word, what) = area.split_top(area.height * 7 / 10);
            for (line, text) in [(word, words.release.word), (what, words.release.what)] {
                let form = (Align::Centre, &TWO_LINES_CAPITALS[..]);
                self.text(part, line, &[text.to_owned()], form, colours, font);
            }
        }
    }

    fn drawing<'a>(
        &'a mut self,
        part: Part,
        game: &'a Game,
        setup: &Setup,
        font: &'a Font,
    ) -> Drawing<'a> {
        let theme = setup.theme;
        let size = part.rotation.inverse().size(part.area.size());
        let (plain, chosen) = (theme.status(Urgency::Normal), theme.status(Urgency::Notice));
        let call = &game.status.call[..];
        let band = if call.is_empty() { plain } else { theme.status(Urgency::Call) };
        self.add(part, size, Area::of_size(size), Look::Plain(band.ground));
        Drawing {
            scene: self,
            part,
            size,
            plain,
            chosen,
            band,
            call,
            game,
            words: game.words,
            font,
        }
    }
}

/// Draws the page into one part of the screen.
struct Drawing<'a> {
    scene: &'a mut Scene,
    part: Part,
    /// The size of the part before it is turned.
    size: (u32, u32),
    plain: Colours,
    /// The colours of the chosen line.
    chosen: Colours,
    /// The colours of everything around the lines: those of a call while the arbiter is awaited.
    band: Colours,
    /// Why the arbiter is awaited; see [`Status::call`](crate::content::Status::call).
    call: &'a [String],
    game: &'a Game,
    words: &'static Face,
    font: &'a Font,
}

impl Drawing<'_> {
    /// Draws a page on the whole screen. The hints are below the lines: those of the players at the
    /// left and at the right, where their buttons are, and the others between them. On a screen
    /// that is higher than wide, the others are below those of the players.
    fn whole(&mut self, page: &Page, Placed { players, others }: &Placed<'_>) {
        let screen = Area::of_size(self.size);
        let line = line_height(screen);
        if page.is_tiles() {
            return self.tiles(page, line, *players, others);
        }
        let (title, rest) = screen.split_top(line);
        let (lines, strip) = rest.split_top(ROWS * line);
        self.title(title, page);
        let lines = self.times(lines, page);
        self.lines(lines, line, page);
        let count = u32::try_from(others.len()).unwrap_or(1).max(1);
        let is_high = screen.height > screen.width;
        let of_players = if players == &[None; 2] { 0 } else { 2 };
        let (strip, below) = match is_high {
            true => strip.split_top(strip.height * of_players / (of_players + count)),
            false => (strip, strip),
        };
        let side = if is_high { strip.width / 2 } else { strip.width * 3 / 10 };
        let (left, rest) = strip.split_left(side);
        let (middle, right) = rest.split_left(rest.width.saturating_sub(left.width));
        let places = [(left, Align::Left), (right, Align::Right)];
        let mut rows = Vec::new();
        for ((area, align), hint) in places.into_iter().zip(players) {
            rows.extend(hint.iter().flat_map(|hint| two_rows(area, hint, align, self.words)));
        }
        let (mut rest, count) = if is_high { (below, count) } else { (middle, count.max(2)) };
        let height = rest.height / count;
        for hint in others {
            let (row, others) = rest.split_top(height);
            rest = others;
            rows.push((row, hint.text(self.words), Align::Centre));
        }
        self.hints(&rows, line);
    }

    /// Draws the title and, while the arbiter is awaited, the reason: beside the title if the whole
    /// text has room there, otherwise above it.
    fn title(&mut self, line: Area, page: &Page) {
        let room = line.centred((line.width.saturating_sub(line.height / 2), line.height));
        let width = |text: &str| self.font.width(text, text_size(room, BESIDE_TITLE));
        let beside = width(&page.title) + line.height / 2;
        let (title, call, capitals, align) = match self.call.first() {
            None => (room, room.split_top(0).0, &CAPITALS[..], Align::Left),
            Some(call) if beside + width(call) <= room.width => {
                let (title, call) = room.split_left(beside);
                (title, call, &[BESIDE_TITLE][..], Align::Right)
            }
            Some(_) => {
                let (call, title) = room.split_top(line.height / 2);
                (title, call, &TWO_LINES_CAPITALS[1..], Align::Left)
            }
        };
        self.scene.text(self.part, call, self.call, (align, capitals), self.band, self.font);
        self.put(title, &page.title, Align::Left, capitals, self.band);
        let rule = (line.height / 24).max(1);
        let rule = Area { y: line.bottom().saturating_sub(rule), height: rule, ..line };
        self.scene.add(self.part, self.size, rule, Look::Plain(self.band.ink));
    }

    /// Draws a page for one of two players who face each other. What the button of this player does
    /// is at the edge of the screen, and what that of the opponent does is at the opposite edge.
    fn for_one_of_two(&mut self, page: &Page, player: usize, placed: &Placed<'_>) {
        let all = Area::of_size(self.size);
        let line = line_height(Area { height: 2 * all.height, ..all });
        if page.is_tiles() {
            let players = [placed.players[player], placed.players[1 - player]];
            return self.tiles(page, line, players, &placed.others);
        }
        let rest = all.height.saturating_sub(ROWS_FACING * line);
        let (top, below) = all.split_top(rest / 2);
        let (lines, bottom) = below.split_top(ROWS_FACING * line);
        // In a narrow half, the hints of the players have rows of their own.
        let is_narrow = all.width < 2 * all.height;
        let (title, opposite) = match is_narrow {
            true => top.split_top(top.height / 2),
            false => top.split_left(top.width * 65 / 100),
        };
        self.title(title, page);
        let lines = self.times(lines, page);
        self.lines(lines, line, page);
        let texts = |hints: &[&Hint]| {
            hints.iter().map(|hint| hint.text(self.words)).collect::<Vec<_>>().join("   ")
        };
        // A rocker belongs to both players.
        let is_rocker = |hint: &&Hint| hint.button == MenuButton::Rocker;
        let own = placed.players[player].or(placed.players[0].filter(is_rocker));
        let of_opponent = placed.players[1 - player].filter(|hint| !is_rocker(hint));
        let (own_place, others_place) = match is_narrow {
            true => {
                let (above, edge) = bottom.split_top(bottom.height / 2);
                (edge, above)
            }
            false => bottom.split_left(bottom.width * 35 / 100),
        };
        let mut rows = vec![
            (opposite, texts(of_opponent.as_slice()), Align::Right),
            (own_place, texts(own.as_slice()), Align::Left),
            (others_place, texts(&placed.others), Align::Right),
        ];
        rows.retain(|(_, text, _)| !text.is_empty());
        self.hints(&rows, line);
    }

    /// Draws the lines. If there is not enough room for them in one column, they are drawn in two
    /// columns or, if the page is too narrow for two columns, with a smaller height.
    fn lines(&mut self, area: Area, height: u32, page: &Page) {
        if !self.call.is_empty() {
            self.scene.add(self.part, self.size, area, Look::Plain(self.plain.ground));
        }
        let count = |lines: u32| usize::try_from(lines).unwrap_or(1).max(1);
        let rows = count(area.height / height.max(1));
        let (columns, rows) = match page.lines.len() <= rows {
            true => (1, rows),
            // Above the times, a list shows the lines around the chosen one.
            false if page.times(self.game).is_some() => (1, rows),
            false if area.width > 3 * area.height => (2, rows),
            false => (1, page.lines.len()),
        };
        let height = height.min(area.height / u32::try_from(rows).unwrap_or(1));
        let column = Area { width: area.width / columns, ..area };
        let (visible, more) = page.visible(rows * count(columns));
        let has_marks = page.chosen.is_some() || more != [false; 2];
        let margin = if has_marks { height.min(column.width / 12) } else { height / 4 };
        let room = column.width.saturating_sub(2 * margin);
        let lines = page.lines.iter().map(|line| (line.as_str(), room));
        let capitals = self.fitting(lines, height);
        let (first, last) = (visible.start, visible.end.saturating_sub(1));
        for (index, place) in visible.zip(0_usize..) {
            let (across, down) = (place / rows, place % rows);
            let [across, down] = [across, down].map(|step| u32::try_from(step).unwrap_or(0));
            let x = column.x + across * column.width;
            let line = Area { x, y: column.y + down * height, height, ..column };
            let is_chosen = page.chosen == Some(index);
            let colours = if is_chosen { self.chosen } else { self.plain };
            let (mark, text) = line.split_left(margin);
            let (text, sign) = text.split_left(room);
            if is_chosen {
                self.scene.add(self.part, self.size, line, Look::Plain(colours.ground));
                self.put(mark, CHOSEN, Align::Centre, &[capitals], colours);
            }
            self.put(text, &page.lines[index], Align::Left, &[capitals], colours);
            match (more[0] && index == first, more[1] && index == last) {
                (true, _) => self.put(sign, ABOVE, Align::Centre, &[capitals], colours),
                (_, true) => self.put(sign, BELOW, Align::Centre, &[capitals], colours),
                _ => {}
            }
        }
    }

    /// Draws the rows of the hints, all in one size. `line` is the height of a line of the page.
    fn hints(&mut self, rows: &[Row], line: u32) {
        let lowest = rows.iter().map(|(row, ..)| row.height).min().unwrap_or(0);
        let height = lowest.min(line * 5 / 6);
        let inner = |row: &Area| row.centred((row.width.saturating_sub(height / 2), height));
        let texts = rows.iter().map(|(row, text, _)| (text.as_str(), inner(row).width));
        let capitals = self.fitting(texts, height);
        for (row, text, align) in rows {
            // The time until a button does something is in parentheses, and grey.
            let colours = if text.ends_with(')') { self.band.dimmed() } else { self.band };
            self.put(inner(row), text, *align, &[capitals], colours);
        }
    }

    /// The first of [`CAPITALS`] at which each text fits into its width, in lines of this height;
    /// the last one if none fits.
    fn fitting<'t>(&self, texts: impl Iterator<Item = (&'t str, u32)> + Clone, height: u32) -> u32 {
        let fits = |capitals: &u32| {
            let size = text_size(Area { height, ..Area::of_size(self.size) }, *capitals);
            texts.clone().all(|(text, room)| self.font.width(text, size) <= room)
        };
        CAPITALS.into_iter().find(fits).unwrap_or(CAPITALS[CAPITALS.len() - 1])
    }

    fn put(&mut self, line: Area, text: &str, align: Align, capitals: &[u32], colours: Colours) {
        let texts = [text.to_owned()];
        self.scene.text(self.part, line, &texts, (align, capitals), colours, self.font);
    }
}

/// The two rows of a hint: the button, and below it what the button does.
fn two_rows(area: Area, hint: &Hint, align: Align, words: &Face) -> [Row; 2] {
    let (button, action) = area.split_top(area.height / 2);
    let name = format!("{}{}", hint.button_name(words), words.colon.trim_end());
    [(button, name, align), (action, hint.action.clone(), align)]
}

/// The height of a line of a page on a screen of this size.
fn line_height(screen: Area) -> u32 {
    let of_height = (screen.height * LINE.0).div_ceil(LINE.1);
    of_height.min(screen.width * OF_WIDTH.0 / OF_WIDTH.1).max(1)
}
