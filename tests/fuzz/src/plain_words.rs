//! The check that a message has no words of the compiler or of a library.

/// Such words, one a line.
const WORDS: &str = include_str!("../../library_words.txt");

/// Checks that a message about this input has none of the words, unless the input has it.
pub fn assert_plain(message: &str, input: &[u8]) {
    let input = String::from_utf8_lossy(input);
    let word = WORDS.lines().find(|word| message.contains(word) && !input.contains(word));
    assert_eq!(word, None, "{message}");
}
