//! A page of the menu as a picture, in place of the clock. While the arbiter is awaited, the title and
//! the hints have the colour of the call, and the title names the reason.

mod tiles;
mod title;

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
/// A screen whose width is at least 12/5 of its height has the hints beside the lines.
const BESIDE: (u32, u32) = (12, 5);

/// The heights of capital letters, in hundredths of the height of their line. All lines of a page
/// have the first of these sizes at which all lines fit. All hints have the first size at which all
/// hints fit.
const CAPITALS: [u32; 9] = [55, 50, 45, 40, 36, 32, 28, 24, 20];
/// The same heights for the two lines that ask the players to release the buttons. Each of the two
/// has the first size at which it fits.
const RELEASE_CAPITALS: [u32; 7] = [75, 65, 55, 45, 30, 22, 16];

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
        } else if screen.width * BESIDE.1 >= screen.height * BESIDE.0 {
            self.drawing(upright(screen), game, setup, font).wide(page, &placed);
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
                let form = (Align::Centre, &RELEASE_CAPITALS[..]);
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

/// Whether a page is worked with the rocker. The rocker belongs to both players, so its hint can
/// have the place of a player's button. The other hints keep their places on every page.
fn with_rocker(others: &[&Hint]) -> bool {
    others.iter().any(|hint| hint.button == MenuButton::Rocker)
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
        let mut rows = Vec::new();
        let count = u32::try_from(others.len()).unwrap_or(1).max(1);
        let is_high = screen.height > screen.width;
        if with_rocker(others) && !is_high {
            let mut rest = strip;
            for (hint, align) in others.iter().zip([Align::Left, Align::Centre, Align::Right]) {
                let (column, others) = rest.split_left(strip.width / count);
                rest = others;
                rows.extend(two_rows(column, hint, align, self.words));
            }
        } else {
            let of_players = if players == &[None; 2] { 0 } else { 2 };
            let (strip, below) = match is_high {
                true => strip.split_top(strip.height * of_players / (of_players + count)),
                false => (strip, strip),
            };
            let side = if is_high { strip.width / 2 } else { strip.width * 3 / 10 };
            let (left, rest) = strip.split_left(side);
            let (middle, right) = rest.split_left(rest.width.saturating_sub(left.width));
            let [first, second] = players;
            rows.extend(
                first.iter().flat_map(|hint| two_rows(left, hint, Align::Left, self.words)),
            );
            rows.extend(
                second.iter().flat_map(|hint| two_rows(right, hint, Align::Right, self.words)),
            );
            let (mut rest, count) = if is_high { (below, count) } else { (middle, count.max(2)) };
            let height = rest.height / count;
            for hint in others {
                let (row, others) = rest.split_top(height);
                rest = others;
                rows.push((row, hint.text(self.words), Align::Centre));
            }
        }
        self.hints(&rows, line);
    }

    /// Draws a page on a wide and low screen. The hints are beside the lines: those of the players
    /// above, each at the side of the button, and the others below.
    fn wide(&mut self, page: &Page, Placed { players, others }: &Placed<'_>) {
        let screen = Area::of_size(self.size);
        let line = screen.height / (ROWS + 1);
        if page.is_tiles() {
            return self.tiles(page, line, *players, others);
        }
        let (left, rest) = screen.split_left(screen.width * 22 / 100);
        let (middle, right) = rest.split_left(rest.width.saturating_sub(left.width));
        let (title, lines) = middle.split_top(line);
        self.title(title, page);
        let lines = self.times(lines, page);
        self.lines(lines, line, page);
        // Each column has room for two hints, each of two rows.
        let places = [(left, Align::Left), (right, Align::Right)];
        let mut rows = Vec::new();
        let below = |column: Area| column.split_top(column.height.saturating_sub(2 * line)).1;
        for ((column, align), hint) in places.into_iter().zip(players) {
            let (above, _) = column.split_top(2 * line);
            rows.extend(hint.iter().flat_map(|hint| two_rows(above, hint, align, self.words)));
        }
        let mut free = Vec::new();
        if with_rocker(others) {
            free.push((left.split_top(2 * line).0, Align::Left));
        }
        free.extend(places.map(|(column, align)| (below(column), align)));
        for ((place, align), hint) in free.into_iter().zip(others) {
            rows.extend(two_rows(place, hint, align, self.words));
        }
        self.hints(&rows, line);
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
        // A rocker belongs to both players, so its hint has the place of the own button.
        let (own, others) = match (placed.players[player], &placed.others[..]) {
            (None, [first, rest @ ..]) => (Some(*first), rest),
            (own, others) => (own, others),
        };
        let (own_place, others_place) = match is_narrow {
            true => {
                let (above, edge) = bottom.split_top(bottom.height / 2);
                (edge, above)
            }
            false => bottom.split_left(bottom.width * 35 / 100),
        };
        let mut rows = vec![
            (opposite, texts(placed.players[1 - player].as_slice()), Align::Right),
            (own_place, texts(own.as_slice()), Align::Left),
            (others_place, texts(others), Align::Right),
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
        self.first_fitting(texts, height).unwrap_or(CAPITALS[CAPITALS.len() - 1])
    }

    /// Like [`Drawing::fitting`]; `None` if none fits.
    fn first_fitting<'t>(
        &self,
        texts: impl Iterator<Item = (&'t str, u32)> + Clone,
        height: u32,
    ) -> Option<u32> {
        let fits = |capitals: &u32| {
            let size = text_size(Area { height, ..Area::of_size(self.size) }, *capitals);
            texts.clone().all(|(text, room)| self.font.width(text, size) <= room)
        };
        CAPITALS.into_iter().find(fits)
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
