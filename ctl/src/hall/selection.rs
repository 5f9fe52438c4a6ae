//! Which boards of a hall `--boards` means.

use super::board::Board;

/// The boards that `text` names, in the order of the hall: `7`, `1,3-5`, `A2`, or `all`.
pub fn choose(text: &str, boards: Vec<Board>) -> Result<Vec<Board>, String> {
    if text == "all" {
        return Ok(boards);
    }
    let mut chosen = vec![false; boards.len()];
    for part in text.split(',').map(str::trim) {
        let mut found = false;
        for (board, chosen) in boards.iter().zip(&mut chosen) {
            if is_meant(part, &board.name)? {
                *chosen = true;
                found = true;
            }
        }
        if !found {
            let names: Vec<&str> = boards.iter().map(|board| board.name.as_str()).collect();
            return Err(format!(
                "--boards: the hall has no board {part:?}; it has {}",
                shortened(&names)
            ));
        }
    }
    let kept = boards.into_iter().zip(chosen).filter(|(_, chosen)| *chosen);
    Ok(kept.map(|(board, _)| board).collect())
}

/// Whether a part of `--boards`, a name or a range of numbers, means the board of this name.
fn is_meant(part: &str, name: &str) -> Result<bool, String> {
    if part == name {
        return Ok(true);
    }
    let number = |text: &str| text.parse::<u32>().ok();
    let Some((first, last)) = part.split_once('-') else { return Ok(false) };
    let (Some(first), Some(last)) = (number(first), number(last)) else { return Ok(false) };
    if first > last {
        return Err(format!("--boards: the range {part} ends before it begins"));
    }
    Ok(number(name).is_some_and(|number| (first..=last).contains(&number)))
}

/// The names, of a long list only the first ones.
fn shortened(names: &[&str]) -> String {
    const SHOWN: usize = 12;
    match names.get(SHOWN..) {
        Some(rest) if !rest.is_empty() => {
            format!("{} and {} more", names[..SHOWN].join(", "), rest.len())
        }
        _ => names.join(", "),
    }
}

#[cfg(test)]
mod tests {
    use super::super::board::Board;
    use super::choose;
    use crate::target::Target;

    fn hall() -> Vec<Board> {
        let board = |name: &str| Board {
            name: name.to_owned(),
            target: Target::SystemBus,
            white: None,
            black: None,
        };
        ["1", "2", "3", "10", "A2", "live-1"].map(board).into()
    }

    fn names(text: &str) -> Result<Vec<String>, String> {
        choose(text, hall()).map(|boards| boards.into_iter().map(|board| board.name).collect())
    }

    #[test]
    fn boards_are_named_by_number_range_or_name_and_keep_the_order_of_the_hall() {
        assert_eq!(names("3,1").unwrap(), ["1", "3"]);
        assert_eq!(names("2-10, A2").unwrap(), ["2", "3", "10", "A2"]);
        assert_eq!(names("live-1").unwrap(), ["live-1"]);
        assert_eq!(names("1,1-2").unwrap(), ["1", "2"]);
        assert_eq!(names("all").unwrap().len(), 6);
    }

    #[test]
    fn a_board_that_is_not_in_the_hall_is_named_in_the_error() {
        assert!(names("1,4").unwrap_err().contains("no board \"4\"; it has 1, 2, 3, 10"));
        assert!(names("4-9").unwrap_err().contains("no board \"4-9\""));
        assert!(names("").unwrap_err().contains("no board \"\""));
        assert!(names("3-1").unwrap_err().contains("ends before it begins"));
    }
}
