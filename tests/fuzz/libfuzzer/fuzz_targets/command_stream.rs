#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| clock_fuzz::command_stream(data));
