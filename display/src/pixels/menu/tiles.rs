//! The tiles of a page: each is a choice, and stands over its button. Also the times that a page shows on
//! both halves.

use clock_dbus::MenuButton;

use super::super::area::Area;
use super::super::layout::time_size;
use super::super::scene::{Align, Look, text_size, without_marks};
use super::{CAPITALS, Drawing};
use crate::content::{Hint, Page};
use crate::name::wrap;

/// The height of capital letters on the tiles, in hundredths of a row.
const TILE_CAPITALS: u32 = 60;

impl Drawing<'_> {
    /// Draws the tiles: those of the players at the left and at the right, where their buttons are, that
    /// of the call button between them or, on a screen that is higher than wide, below them. The last
    /// row says what the hold does. `line` is the height of a line.
    pub(super) fn tiles(
        &mut self,
        page: &Page,
        line: u32,
        [left, right]: [Option<&Hint>; 2],
        others: &[&Hint],
    ) {
        let all = Area::of_size(self.size);
        let (title, rest) = all.split_top(line);
        self.title(title, page);
        let (area, strip) = rest.split_top(rest.height.saturating_sub(line));
        let call = others.iter().copied().find(|hint| hint.button == MenuButton::Call);
        let placed: Vec<(Area, &Hint)> = if all.height > all.width && call.is_some() {
            let (above, below) = area.split_top(area.height / 2);
            let players = columns(above, [left, right].into_iter().flatten().collect());
            players.into_iter().chain(call.map(|hint| (below, hint))).collect()
        } else {
            columns(area, [left, call, right].into_iter().flatten().collect())
        };
        let gap = (line / 8).max(1);
        let boxes: Vec<(Area, &Hint)> =
            placed.into_iter().map(|(area, hint)| (area.inset(gap), hint)).collect();
        let lowest = boxes.iter().map(|(tile, _)| tile.height).min().unwrap_or(line);
        let (row, texts) = self.rows(&boxes, lowest, (line, gap));
        for ((tile, hint), rows) in boxes.into_iter().zip(texts) {
            self.tile(tile, row, hint, &rows);
        }
        let hold: Vec<String> = others
            .iter()
            .filter(|hint| hint.button != MenuButton::Call)
            .map(|hint| hint.text(self.words))
            .collect();
        self.hints(&[(strip, hold.join("   "), Align::Centre)], line);
    }

    /// Finds the largest letters with which the texts of all tiles fit. Returns the height of a row,
    /// and for each tile the rows that say what its button does. Below them, each tile has room for
    /// one more row, the name of the button.
    fn rows(
        &self,
        boxes: &[(Area, &Hint)],
        lowest: u32,
        (line, gap): (u32, u32),
    ) -> (u32, Vec<Vec<String>>) {
        let fitting = |row: u32| {
            let size = text_size(Area { height: row, ..Area::of_size(self.size) }, TILE_CAPITALS);
            let width = |text: &str| self.font.width(text, size);
            let wrapped = |(tile, hint): &(Area, &Hint)| {
                let room = tile.width.saturating_sub(2 * gap);
                let rows = wrap(&hint.action, room, &width);
                let count = u32::try_from(rows.len()).unwrap_or(u32::MAX);
                let is_high = (count + 1) * row <= lowest;
                (is_high && rows.iter().all(|row| width(row) <= room)).then_some(rows)
            };
            Some((row, boxes.iter().map(wrapped).collect::<Option<Vec<_>>>()?))
        };
        let (least, most) = (line / 4, line * 3 / 2);
        let step = usize::try_from(line / 32).unwrap_or(1).max(1);
        (least..=most).rev().step_by(step).find_map(fitting).unwrap_or_else(|| {
            (least, boxes.iter().map(|(_, hint)| vec![hint.action.clone()]).collect())
        })
    }

    /// Draws a tile: the name of the button at its edge, and above it what the button does.
    fn tile(&mut self, tile: Area, row: u32, hint: &Hint, rows: &[String]) {
        self.scene.add(self.part, self.size, tile, Look::Plain(self.chosen.ground));
        let (above, name) = tile.split_top(tile.height.saturating_sub(row));
        let inner = Area { width: name.width.saturating_sub(row / 4), ..name };
        let inner = name.centred((inner.width, name.height));
        self.put(inner, hint.button_name(self.words), Align::Centre, &CAPITALS, self.chosen);
        let count = u32::try_from(rows.len()).unwrap_or(1);
        let mut rest = above.centred((above.width, (count * row).min(above.height)));
        for text in rows {
            let (line, below) = rest.split_top(row);
            rest = below;
            self.put(line, text, Align::Centre, &[TILE_CAPITALS], self.chosen);
        }
    }

    /// Draws the times of a page below its lines, each on the half of its player. Returns the area that
    /// is left for the lines.
    pub(super) fn times(&mut self, area: Area, page: &Page) -> Area {
        let Some(times) = page.times(self.game) else { return area };
        let (lines, below) = area.split_top(area.height / 2);
        if !self.call.is_empty() {
            self.scene.add(self.part, self.size, below, Look::Plain(self.plain.ground));
        }
        let (left, right) = below.split_left(below.width / 2);
        let gap = below.height / 16;
        let rooms = [left, right].map(|half| half.inset(gap));
        let size = |(time, room): (&str, Area)| time_size(&without_marks(time), room, self.font);
        let size = times.into_iter().zip(rooms).map(size).min().unwrap_or(1);
        for (half, time) in [left, right].into_iter().zip(times) {
            self.scene.time(self.part, half, time, size, self.plain, self.font);
        }
        lines
    }
}

/// The hints side by side, in columns of the same width.
fn columns(area: Area, hints: Vec<&Hint>) -> Vec<(Area, &Hint)> {
    let count = u32::try_from(hints.len()).unwrap_or(1).max(1);
    let mut rest = area;
    let placed = hints.into_iter().map(|hint| {
        let (column, others) = rest.split_left(area.width / count);
        rest = others;
        (column, hint)
    });
    placed.collect()
}
