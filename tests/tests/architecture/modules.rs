//! Which file of a crate may import which, read from the sources of the crate.
//!
//! The modules of a crate stand on floors. A module may import modules of its own room and of the
//! floors below it, but not those of a higher floor or of another room of its floor. Unit tests may
//! import what they like.

use crate::imports::{Imports, imports};
use std::collections::BTreeSet;

/// The floors, the lowest first. Each floor is a list of rooms. A room is a file, or a file and the
/// folder of its name: `text` is `text.rs` and `text/`.
type Floors = [&'static [&'static str]];

/// The root of a crate, `main.rs` and `lib.rs`, is the room `main`.
const CLOCKCTL: &Floors = &[
    &["digest", "failure", "input", "json", "one_of_many", "pairings", "target", "times"],
    &["options"],
    &["backup", "bus", "doctor", "hall", "record", "rules", "rulings", "setup", "simulate"],
    &["local_time", "prompt"],
    &["out", "text"],
    &["control"],
    &["verb"],
    &["cli"],
    &["completion", "help", "many"],
    &["report"],
    &["main"],
];

const CLOCKD_RT: &Floors = &[&["clock", "passed_fds"], &["gpio", "retained"], &["rt"], &["main"]];

const CLOCKD: &Floors = &[
    &["log"],
    &["game"],
    &["bus", "record"],
    &["menu"],
    &["args", "board_opener", "config", "notify", "rate_monitor", "saved_time"],
    &["service"],
    &["drive_line"],
    &["main"],
];

#[test]
fn modules_of_the_clock_loop_import_downwards_only() {
    assert_eq!(upward(&imports("daemon/rt/src", "clockd_rt"), CLOCKD_RT), Vec::<String>::new());
}

#[test]
fn modules_of_clockd_import_downwards_only() {
    assert_eq!(upward(&imports("daemon/src", "clockd"), CLOCKD), Vec::<String>::new());
}

#[test]
fn modules_of_clockctl_import_downwards_only() {
    assert_eq!(upward(&imports("ctl/src", "clockctl"), CLOCKCTL), Vec::<String>::new());
}

#[test]
fn no_files_of_the_menu_import_each_other_in_a_circle() {
    assert_eq!(circles(&imports("daemon/menu/src", "clockd_menu")), Vec::<String>::new());
}

#[test]
fn no_files_of_clockctl_import_each_other_in_a_circle() {
    assert_eq!(circles(&imports("ctl/src", "clockctl")), Vec::<String>::new());
}

/// Only the rooms `bus`, `record` and `game` are checked, because the other rooms still have files
/// that import each other in a circle.
#[test]
fn no_files_of_the_bus_the_record_and_the_game_import_each_other_in_a_circle() {
    let of_clockd = circles(&imports("daemon/src", "clockd"));
    let rooms = ["bus", "record", "game"];
    let is_there = |circle: &&String| {
        let mut modules = circle.split(", ").map(|module| module.split('/').next());
        modules.any(|room| room.is_some_and(|room| rooms.contains(&room)))
    };
    assert_eq!(of_clockd.iter().filter(is_there).collect::<Vec<_>>(), Vec::<&String>::new());
}

/// The imports that the floors do not allow, and the modules that have no floor.
fn upward(imports: &Imports, floors: &Floors) -> Vec<String> {
    let mut wrong = Vec::new();
    for (module, imported) in imports {
        let Some((floor, room)) = place(module, floors) else {
            wrong.push(format!("{module} has no floor: add it to the table"));
            continue;
        };
        for other in imported {
            match place(other, floors) {
                Some((below, _)) if below < floor => {}
                Some((_, same)) if same == room => {}
                Some((above, _)) if above > floor => {
                    wrong.push(format!("{module} imports {other}, which is on a higher floor"));
                }
                Some(_) => {
                    wrong.push(format!("{module} imports {other}, another room of its floor"));
                }
                // The module without a floor is reported once, above.
                None => {}
            }
        }
    }
    wrong
}

/// The floor and the room of a module. Where a room is inside another one, the inner room counts.
fn place(module: &str, floors: &Floors) -> Option<(usize, &'static str)> {
    let is_in = |room: &str| {
        module.strip_prefix(room).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    let rooms = floors.iter().enumerate().flat_map(|(floor, rooms)| {
        rooms.iter().filter(|room| is_in(room)).map(move |room| (floor, *room))
    });
    rooms.max_by_key(|(_, room)| room.len())
}

/// The groups of modules in which each module imports every other one, directly or through other
/// modules.
fn circles(imports: &Imports) -> Vec<String> {
    let mut circles = BTreeSet::new();
    for module in imports.keys() {
        let reached = reached(module, imports);
        let circle: Vec<&str> = reached
            .iter()
            .filter(|other| self::reached(other, imports).contains(&**module))
            .copied()
            .collect();
        if !circle.is_empty() {
            circles.insert(circle.join(", "));
        }
    }
    circles.into_iter().collect()
}

/// Every module that `module` imports, directly or through other modules. `module` itself is among
/// them if it is in a circle.
fn reached<'a>(module: &str, imports: &'a Imports) -> BTreeSet<&'a str> {
    let mut reached = BTreeSet::new();
    let mut next = vec![module];
    while let Some(module) = next.pop() {
        for other in imports.get(module).into_iter().flatten() {
            if reached.insert(other.as_str()) {
                next.push(other);
            }
        }
    }
    reached
}

#[cfg(test)]
mod tests {
    use super::*;

    fn importing(pairs: &[(&str, &[&str])]) -> Imports {
        let owned = |all: &[&str]| all.iter().map(|one| (*one).to_owned()).collect();
        pairs.iter().map(|(module, others)| ((*module).to_owned(), owned(others))).collect()
    }

    #[test]
    fn a_wrong_import_is_named() {
        let floors: &Floors = &[&["bus", "text"], &["verb"], &["cli"], &["verb/shared"]];
        let good =
            importing(&[("cli", &["verb/add", "bus"]), ("verb/add", &["verb", "text/table"])]);
        assert_eq!(upward(&good, floors), Vec::<String>::new());
        let wrong = importing(&[
            ("text/table", &["bus"]),
            ("verb/add", &["cli", "verb/shared"]),
            ("verb/shared/x", &["cli"]),
            ("verbose", &[]),
        ]);
        assert_eq!(
            upward(&wrong, floors),
            [
                "text/table imports bus, another room of its floor",
                "verb/add imports cli, which is on a higher floor",
                "verb/add imports verb/shared, which is on a higher floor",
                "verbose has no floor: add it to the table",
            ]
        );
    }

    #[test]
    fn a_circle_is_found_once() {
        let way = [("a", &["b"][..]), ("b", &["c", "d"]), ("c", &["a"]), ("d", &["e"]), ("e", &[])];
        assert_eq!(circles(&importing(&way)), ["a, b, c"]);
        assert_eq!(circles(&importing(&way[1..])), Vec::<String>::new());
    }
}
