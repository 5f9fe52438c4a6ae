#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| clock_fuzz::control_file(data));
