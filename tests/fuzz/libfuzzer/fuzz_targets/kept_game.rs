#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| clock_fuzz::kept_game(data));
