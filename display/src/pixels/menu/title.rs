//! The title of a page of the menu, and beside or above it why the arbiter is awaited.

use super::super::area::Area;
use super::super::scene::{Align, Look, text_size};
use super::{CAPITALS, Drawing};
use crate::content::Page;

/// The call of the arbiter is shortened if its letters beside the title would be lower than this.
const CALL_CAPITALS: u32 = 28;

/// Where the title of a page and the call of the arbiter are.
struct Place {
    /// Whether they are side by side; otherwise the call is above the title.
    is_beside: bool,
    /// The height of capital letters, in hundredths of the line or of half of it.
    capitals: u32,
    /// The size of the font, in pixels.
    size: u32,
}

impl Place {
    /// The smallest letters, one text above the other.
    const STACKED: Place =
        Place { is_beside: false, capitals: CAPITALS[CAPITALS.len() - 1], size: 0 };
}

impl Drawing<'_> {
    pub(super) fn title(&mut self, line: Area, page: &Page) {
        let margin = line.height / 4;
        let text = Area { x: line.x + margin, width: line.width.saturating_sub(margin), ..line };
        match self.call {
            [] => self.put(text, &page.title, Align::Left, &CAPITALS, self.band),
            [complete @ .., short] => self.title_and_call(text, &page.title, complete, short),
        }
        let rule = (line.height / 24).max(1);
        let rule = Area { y: line.bottom().saturating_sub(rule), height: rule, ..line };
        self.scene.add(self.part, self.size, rule, Look::Plain(self.band.ink));
    }

    /// Draws the title and why the arbiter is awaited: the longest complete text whose letters are
    /// high enough. If there is none, the shortest complete text that fits at all is drawn, and only
    /// if none fits, the short one.
    fn title_and_call(&mut self, line: Area, title: &str, complete: &[String], short: &str) {
        let line = Area { width: line.width.saturating_sub(line.height / 4), ..line };
        let is_high = |(_, place): &(&str, Place)| place.size >= text_size(line, CALL_CAPITALS);
        let (call, place) = complete
            .iter()
            .filter_map(|call| self.place(line, title, call))
            .find(is_high)
            .or_else(|| complete.iter().rev().find_map(|call| self.place(line, title, call)))
            .or_else(|| self.place(line, title, short))
            .unwrap_or((short, Place::STACKED));
        if place.is_beside {
            let (left, right) =
                line.split_left(self.font.width(title, place.size) + line.height / 4);
            self.put(left, title, Align::Left, &[place.capitals], self.band);
            self.put(right, call, Align::Right, &[place.capitals], self.band);
        } else {
            let (above, below) = line.split_top(line.height / 2);
            self.put(above, call, Align::Left, &[place.capitals], self.band);
            self.put(below, title, Align::Left, &[place.capitals], self.band);
        }
    }

    /// Where the title and this call fit into a line: side by side or one above the other, whichever
    /// gives the larger letters; `None` if they do not fit.
    fn place<'t>(&self, line: Area, title: &str, call: &'t str) -> Option<(&'t str, Place)> {
        let both = format!("{title}{call}");
        let room = line.width.saturating_sub(line.height / 2);
        let beside = self.first_fitting([(both.as_str(), room)].into_iter(), line.height);
        let half = Area { height: line.height / 2, ..line };
        let texts = [title, call].map(|text| (text, line.width));
        let stacked = self.first_fitting(texts.into_iter(), half.height);
        let place = |line: Area, is_beside: bool| {
            move |capitals| Place { is_beside, capitals, size: text_size(line, capitals) }
        };
        let places = [beside.map(place(line, true)), stacked.map(place(half, false))];
        let larger = |a: Place, b: Place| if a.size < b.size { b } else { a };
        places.into_iter().flatten().reduce(larger).map(|place| (call, place))
    }
}
