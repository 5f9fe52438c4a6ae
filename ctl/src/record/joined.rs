//! Joins the parts of a game that was played on several clocks, or adjourned and taken up again.

use super::Record;

/// The number of the game on the same clock that the first entry of `record` goes on from. A game that
/// was adjourned and taken up again has such a part before it.
pub fn part_before(record: &Record) -> Option<u64> {
    let from = record.game.imported_from.as_ref()?;
    // An earlier part has a lower number, so whoever puts one part after the other before the record
    // comes to an end.
    let first = record.entries.first()?.game;
    (from.machine == record.game.machine && from.game < first).then_some(from.game)
}

/// Puts the part of the game that `earlier` has before the entries of `record`, if `record` was taken
/// over from it. Returns whether it was.
///
/// The record then begins as `earlier` does, so a third record can be put before both. An entry of
/// `earlier` after which the game was not taken over is left out.
pub fn put_before(record: &mut Record, earlier: &Record) -> bool {
    let Some(from) = &record.game.imported_from else { return false };
    if (&from.machine, from.game) != (&earlier.game.machine, earlier.game.game) {
        return false;
    }
    let last = earlier.entries.iter().position(|entry| entry.chain == from.chain);
    let Some(last) = last else { return false };
    record.entries.splice(..0, earlier.entries[..=last].iter().cloned());
    record.game.imported_from.clone_from(&earlier.game.imported_from);
    record.game.started_wall_ns = earlier.game.started_wall_ns;
    true
}

#[cfg(test)]
mod tests {
    use super::{part_before, put_before};
    use crate::record::{Record, file::read};
    use clock_dbus::ImportedFrom;

    fn game() -> Record {
        read(include_bytes!("../../tests/record/game.json")).unwrap().record
    }

    /// The record of another clock that has taken the game over after this entry.
    fn taken_over(from: &Record, machine: &str, entry: usize) -> Record {
        let mut record = from.clone();
        record.entries = from.entries[entry..].to_vec();
        record.game.imported_from = Some(ImportedFrom {
            machine: from.game.machine.clone(),
            game: from.game.game,
            chain: from.entries[entry - 1].chain.clone(),
        });
        record.game.machine = machine.to_owned();
        record.game.started_wall_ns = Some(9);
        record
    }

    #[test]
    fn three_parts_become_one_game() {
        let first = game();
        let second = taken_over(&first, "two", 4);
        let mut third = taken_over(&second, "three", 5);
        assert!(!put_before(&mut third.clone(), &first), "the second part is between them");
        assert!(put_before(&mut third, &second) && put_before(&mut third, &first));
        assert_eq!(third.entries, first.entries);
        assert_eq!(third.game.imported_from, first.game.imported_from);
        assert_eq!(third.game.started_wall_ns, first.game.started_wall_ns);
        assert!(!put_before(&mut third, &first), "it has this part already");
    }

    #[test]
    fn only_an_earlier_game_of_the_same_clock_is_a_part_before() {
        let first = game();
        assert_eq!(part_before(&first), None);
        let elsewhere = taken_over(&first, "two", 4);
        assert_eq!(part_before(&elsewhere), None);
        let mut here = taken_over(&first, &first.game.machine, 4);
        assert_eq!(part_before(&here), None, "the number is not lower");
        for entry in &mut here.entries {
            entry.game += 3;
        }
        assert_eq!(part_before(&here), Some(first.game.game));
        assert!(put_before(&mut here, &first));
        assert_eq!(part_before(&here), None);
    }

    #[test]
    fn what_happened_after_the_export_is_left_out() {
        let first = game();
        let mut second = taken_over(&first, "two", 4);
        // The old clock was used once more.
        let mut later = first.clone();
        later.entries.truncate(6);
        assert!(put_before(&mut second, &later));
        assert_eq!(second.entries, first.entries);
    }

    #[test]
    fn another_game_is_not_joined() {
        let first = game();
        let taken = taken_over(&first, "two", 4);
        let wrong: [fn(&mut Record); 3] = [
            |first| first.game.game += 1,
            |first| "other".clone_into(&mut first.game.machine),
            |first| first.entries.truncate(3),
        ];
        for change in wrong {
            let mut other = first.clone();
            change(&mut other);
            let mut second = taken.clone();
            assert!(!put_before(&mut second, &other));
            assert_eq!(second, taken);
        }
    }
}
