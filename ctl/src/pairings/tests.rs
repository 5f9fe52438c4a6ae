use super::{PairingFile, Pairings};

#[test]
fn what_no_clock_accepts_is_refused() {
    for (text, said) in [
        ("", "1:1: expected a line with the heads"),
        ("board,white,black\n", "1:1: it has no game"),
        ("board,white,black\n1,A,B\n1,C,D\n", "board \"1\" is named twice"),
        ("board,white,black\n1,A,\"B\nC\"\n", "control character"),
        (&format!("board,white,black\n1,A,{}\n", "b".repeat(201)), "longer than 200 bytes"),
    ] {
        let why = Pairings::parse(text, None).unwrap_err().to_string();
        assert!(why.contains(said), "{text:?}: {why}");
    }
    let many: String = (0..5001).map(|board| format!("{board},A,B\n")).collect();
    let why = Pairings::parse(&format!("board,white,black\n{many}"), None).unwrap_err();
    assert!(why.message.contains("5001 games; at most 5000"), "{why}");
}

#[test]
fn files_of_other_encodings_are_read_with_a_note() {
    let text = "Br.;Weiß;Schwarz\r\n1;Müller, Jörg;Čech\r\n";
    let utf_16 = |unit: fn(u16) -> [u8; 2]| {
        format!("\u{feff}{text}").encode_utf16().flat_map(unit).collect::<Vec<u8>>()
    };
    for (bytes, note) in [
        (text.as_bytes().to_vec(), None),
        (utf_16(u16::to_le_bytes), Some("UTF-16")),
        (utf_16(u16::to_be_bytes), Some("UTF-16")),
        (b"Br.;Wei\xdf;Schwarz\r\n1;M\xfcller, J\xf6rg;\x8aech\r\n".to_vec(), Some("Windows-1252")),
    ] {
        let file = PairingFile::decode(bytes).unwrap();
        assert_eq!(file.note().is_some(), note.is_some());
        assert!(file.note().unwrap_or_default().contains(note.unwrap_or_default()));
        let game = file.pairings(None).unwrap().games.remove(0);
        assert_eq!(game.white, "Müller, Jörg");
        assert!(game.black.ends_with("ech"), "{}", game.black);
    }
}

#[test]
fn a_trf_knows_titles_ratings_and_numbers() {
    let line = |number: u32, title: &str, name: &str, rating: &str, fide: &str| {
        format!(
            "001 {number:>4} m{title:>3} {name:<33} {rating:>4} ESP {fide:>11} 1981/01/01  0.0    1\n"
        )
    };
    let text = line(1, "g", "Ray,Ann", "2400", "2212072")
        + &line(2, "WIM", "Fox,B", "", "0")
        + &line(3, "", "Twice", "2000", "")
        + &line(4, "", "Twice", "2100", "");
    let file = PairingFile::decode(text.into_bytes()).unwrap();
    let players = file.players().unwrap();
    let shown: Vec<_> = players
        .iter()
        .map(|(name, player)| {
            (&**name, player.title, player.rating.as_deref(), player.fide_number.as_deref())
        })
        .collect();
    let expected = [
        ("Fox, B", Some("WIM"), None, None),
        ("Ray, Ann", Some("GM"), Some("2400"), Some("2212072")),
    ];
    assert_eq!(shown, expected);
    let table = PairingFile::decode(b"board,white,black\n1,A,B\n".to_vec()).unwrap();
    assert!(table.players().unwrap_err().message.contains("give a TRF"));
}
