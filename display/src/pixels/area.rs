//! Rectangles of pixels, and their places after a drawing is turned.

/// A rectangle of pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Area {
    pub x: u32,
    pub y: u32,
    pub width: u32,
    pub height: u32,
}

/// How far a drawing is turned, clockwise.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Rotation {
    #[default]
    None,
    Quarter,
    Half,
    ThreeQuarters,
}

impl Area {
    pub fn new(x: u32, y: u32, width: u32, height: u32) -> Area {
        Area { x, y, width, height }
    }

    /// The area with this size whose upper left corner is the origin.
    pub fn of_size((width, height): (u32, u32)) -> Area {
        Area::new(0, 0, width, height)
    }

    pub fn size(self) -> (u32, u32) {
        (self.width, self.height)
    }

    pub fn right(self) -> u32 {
        self.x + self.width
    }

    pub fn bottom(self) -> u32 {
        self.y + self.height
    }

    pub fn is_empty(self) -> bool {
        self.width == 0 || self.height == 0
    }

    /// The area that both areas contain; `None` if they do not overlap.
    pub fn intersection(self, other: Area) -> Option<Area> {
        let (x, y) = (self.x.max(other.x), self.y.max(other.y));
        let width = self.right().min(other.right()).saturating_sub(x);
        let height = self.bottom().min(other.bottom()).saturating_sub(y);
        let common = Area { x, y, width, height };
        (!common.is_empty()).then_some(common)
    }

    /// The area without a margin of `margin` pixels on all four sides. The left and right margins
    /// are at most half of the width, and the upper and lower ones at most half of the height.
    pub fn inset(self, margin: u32) -> Area {
        let (across, down) = (margin.min(self.width / 2), margin.min(self.height / 2));
        Area::new(self.x + across, self.y + down, self.width - 2 * across, self.height - 2 * down)
    }

    /// The upper part with at most this height, and the rest below it.
    pub fn split_top(self, height: u32) -> (Area, Area) {
        let height = height.min(self.height);
        let rest = Area { y: self.y + height, height: self.height - height, ..self };
        (Area { height, ..self }, rest)
    }

    /// The left part with at most this width, and the rest to the right of it.
    pub fn split_left(self, width: u32) -> (Area, Area) {
        let width = width.min(self.width);
        let rest = Area { x: self.x + width, width: self.width - width, ..self };
        (Area { width, ..self }, rest)
    }

    /// The middle part, with at most this size.
    pub fn centred(self, (width, height): (u32, u32)) -> Area {
        let (width, height) = (width.min(self.width), height.min(self.height));
        let x = self.x + (self.width - width) / 2;
        Area { x, y: self.y + (self.height - height) / 2, width, height }
    }

    /// The place of this area after a drawing of the size `drawing` has been turned and put into
    /// `place`. `place` has the size of the turned drawing.
    pub fn turned(self, drawing: (u32, u32), rotation: Rotation, place: Area) -> Area {
        debug_assert_eq!(rotation.size(drawing), place.size());
        let (from_right, from_bottom) = (drawing.0 - self.right(), drawing.1 - self.bottom());
        let (x, y) = match rotation {
            Rotation::None => (self.x, self.y),
            Rotation::Quarter => (from_bottom, self.x),
            Rotation::Half => (from_right, from_bottom),
            Rotation::ThreeQuarters => (self.y, from_right),
        };
        let (width, height) = rotation.size(self.size());
        Area { x: place.x + x, y: place.y + y, width, height }
    }
}

impl Rotation {
    const ALL: [Rotation; 4] =
        [Rotation::None, Rotation::Quarter, Rotation::Half, Rotation::ThreeQuarters];

    /// The size of a drawing after this rotation, from its size before the rotation.
    pub fn size(self, (width, height): (u32, u32)) -> (u32, u32) {
        match self {
            Rotation::None | Rotation::Half => (width, height),
            Rotation::Quarter | Rotation::ThreeQuarters => (height, width),
        }
    }

    /// This rotation, followed by another one.
    pub fn then(self, other: Rotation) -> Rotation {
        Rotation::ALL[(self as usize + other as usize) % Rotation::ALL.len()]
    }

    pub fn inverse(self) -> Rotation {
        Rotation::ALL[(Rotation::ALL.len() - self as usize) % Rotation::ALL.len()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_area_moves_with_the_drawing_that_is_turned() {
        // A drawing of 10 × 4 pixels, with an area in its upper right corner.
        let corner = Area::new(7, 0, 3, 2);
        for (rotation, wanted) in [
            (Rotation::None, Area::new(107, 50, 3, 2)),
            // A quarter turn moves the upper right corner of the drawing to the lower right.
            (Rotation::Quarter, Area::new(102, 57, 2, 3)),
            (Rotation::Half, Area::new(100, 52, 3, 2)),
            (Rotation::ThreeQuarters, Area::new(100, 50, 2, 3)),
        ] {
            let (width, height) = rotation.size((10, 4));
            let place = Area::new(100, 50, width, height);
            assert_eq!(corner.turned((10, 4), rotation, place), wanted, "{rotation:?}");
        }
    }

    #[test]
    fn a_turn_and_its_inverse_change_nothing() {
        let area = Area::new(1, 2, 3, 4);
        for rotation in Rotation::ALL {
            assert_eq!(rotation.then(rotation.inverse()), Rotation::None);
            let place = Area::of_size(rotation.size((20, 30)));
            let there = area.turned((20, 30), rotation, place);
            let back = there.turned(place.size(), rotation.inverse(), Area::of_size((20, 30)));
            assert_eq!(back, area, "{rotation:?}");
        }
    }

    #[test]
    fn areas_are_cut_without_overlap() {
        let whole = Area::new(10, 20, 100, 50);
        let (top, rest) = whole.split_top(15);
        assert_eq!((top, rest), (Area::new(10, 20, 100, 15), Area::new(10, 35, 100, 35)));
        assert_eq!(top.intersection(rest), None);
        assert_eq!(whole.split_left(200), (whole, Area::new(110, 20, 0, 50)));
        assert_eq!(whole.inset(30), Area::new(40, 45, 40, 0));
        assert_eq!(whole.centred((30, 80)), Area::new(45, 20, 30, 50));
    }
}
